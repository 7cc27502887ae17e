//! `[facts]`: what the application may know, and how a replay takes it from recorded results.

use std::sync::Arc;

use crate::catalog::expression::Scope;
use crate::catalog::glob::Glob;
use crate::catalog::model::{Fact, FactOn, FactSource, FactType};
use crate::json::Value;

use super::check::Problems;
use super::names::{Names, compile};
use super::tree::{Kind, Member, Node};

const TYPES: [(&str, FactType); 7] = [
    ("bool", FactType::Bool),
    ("int", FactType::Int),
    ("number", FactType::Number),
    ("string", FactType::String),
    ("list", FactType::List),
    ("map", FactType::Map),
    ("any", FactType::Any),
];

const ON: [(&str, FactOn); 3] = [("accepted", FactOn::Accepted), ("refused", FactOn::Refused), ("any", FactOn::Any)];

/// Reads all facts and declares their names.
pub(super) fn read(node: Option<&Node>, names: &mut Names, problems: &mut Problems) -> Vec<Fact> {
    let Some(node) = node else { return Vec::new() };
    let Kind::Table(members) = &node.value else {
        problems.expected(node, "a table of names and types");
        return Vec::new();
    };
    let scope = names.result_scope();
    let mut facts = Vec::new();
    for Member { key, key_span, node } in members {
        // A fact that is wrong is still declared, so that what reads it isn't wrong too.
        let fact = fact(key, node, &scope, problems);
        if names.declare(key, "fact", key_span, &node.path, problems) {
            names.facts.push(key.clone());
            facts.push(fact);
        }
    }
    facts
}

fn fact(name: &str, node: &Node, scope: &Scope, problems: &mut Problems) -> Fact {
    let mut fact = Fact { name: Arc::from(name), kind: FactType::Any, from: Vec::new(), default: None };
    if matches!(node.value, Kind::Text(_)) {
        fact.kind = problems.one_of(node, "a type", &TYPES).unwrap_or_default();
        return fact;
    }
    if !matches!(node.value, Kind::Table(_)) {
        problems.expected(node, "a type (`\"number\"`) or a table with `type`, `from` and `default`");
        return fact;
    }
    if problems.table(node, "a fact", &["type", "from", "default"]).is_none() {
        return fact;
    }
    if let Some(kind) = problems.required(node, "a fact", "type") {
        fact.kind = problems.one_of(kind, "a type", &TYPES).unwrap_or_default();
    }
    if let Some(from) = node.get("from") {
        match &from.value {
            Kind::Table(_) => fact.from.extend(source(from, fact.kind, scope, problems)),
            Kind::List(items) => fact.from.extend(items.iter().filter_map(|item| source(item, fact.kind, scope, problems))),
            _ => problems.expected(from, "a table with `tools` and `value`, or a list of such tables"),
        }
    }
    if let Some(default) = node.get("default") {
        let value = default.to_json();
        if takes(fact.kind, &value) && default.no_json().is_none() {
            fact.default = Some(value);
        } else {
            let error = default.error(format!("the default of the fact `{name}` isn't of its type"));
            problems.push(error.label(format!("the type is `{}`, and this is {}", fact.kind.as_str(), default.kind())));
        }
    }
    fact
}

fn source(node: &Node, kind: FactType, scope: &Scope, problems: &mut Problems) -> Option<FactSource> {
    const WHAT: &str = "where a fact comes from";
    problems.table(node, WHAT, &["tools", "on", "key", "value"])?;
    let tools = problems.required(node, WHAT, "tools").map(|tools| {
        let tools = problems.texts(tools, "a list of tools' names or patterns");
        tools.into_iter().map(|(_, tool)| Glob::new(tool)).collect()
    });
    let on = node.get("on").map(|on| problems.one_of(on, "a choice of results", &ON).unwrap_or_default());
    let key = node.get("key").and_then(|key| {
        if kind != FactType::Map {
            let error = key.error(format!("only a map has keys, and this fact is of type `{}`", kind.as_str()));
            problems.push(error.help("leave `key` out, or make the fact's type `map`"));
        }
        compile(key, scope, problems)
    });
    let value = problems.required(node, WHAT, "value").and_then(|value| compile(value, scope, problems));
    Some(FactSource { tools: tools?, on: on.unwrap_or_default(), key, value: value? })
}

/// Whether a value is of a fact's type.
fn takes(kind: FactType, value: &Value<'_>) -> bool {
    match (kind, value) {
        (FactType::Any, _) => true,
        (FactType::Int, Value::Number(number)) => number.exact().is_whole(),
        (FactType::Bool, Value::Bool(_))
        | (FactType::Number, Value::Number(_))
        | (FactType::String, Value::String(_))
        | (FactType::List, Value::Array(_))
        | (FactType::Map, Value::Object(_)) => true,
        _ => false,
    }
}
