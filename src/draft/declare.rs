//! What is known of each tool before a rule is tried: from its definition, its name and its results.

use std::collections::BTreeMap;

use crate::catalog::model::Step;
use crate::catalog::path;
use crate::catalog::schema::{Argument, Definition, ToolSchema};
use crate::json;

use super::Survey;
use super::verbs::{Guess, guess};

/// One tool and what is known of it.
#[derive(Debug, Clone)]
pub struct Declared {
    /// The tool's name.
    pub name: String,
    /// Whether a schema is declared for it.
    pub schema: bool,
    /// Its schema stops too many recorded calls, or it has none: any arguments are taken.
    pub open: bool,
    /// Whether it changes state.
    pub changes: bool,
    /// Why that is thought.
    pub because: String,
    /// Arguments with a fixed list of values: the model chooses, nobody writes them.
    pub choices: Vec<String>,
    /// The arguments that its schema declares; nothing: any. Recorded calls may invent others, and no rule can name those.
    pub arguments: Option<Vec<Argument>>,
}

impl Declared {
    /// Whether a rule can name this argument, or values within it: `flights[].number`.
    pub fn has(&self, argument: &str) -> bool {
        let Some(declared) = &self.arguments else { return true };
        let named = |name: &str| declared.iter().find(|known| known.name == name);
        match path::steps(argument).as_deref() {
            _ if named(argument).is_some() => true,
            Some([Step::Key(outer), inner @ ..]) => {
                named(outer).is_some_and(|known| path::leads_nowhere(&known.schema, inner).is_none())
            }
            _ => false,
        }
    }
}

/// The tools of a draft: those defined, and those called.
pub fn declare(defined: &[Definition], survey: &Survey, must_be_defined: bool) -> Vec<Declared> {
    let by_name: BTreeMap<&str, &Definition> = defined.iter().map(|tool| (tool.name.as_str(), tool)).collect();
    let mut names: Vec<&str> = by_name.keys().copied().collect();
    names.extend(survey.provenance.tools.keys().map(String::as_str));
    names.sort_unstable();
    names.dedup();
    names
        .into_iter()
        .map(|name| {
            let definition = by_name.get(name).copied();
            let (changes, because) = changes(name, definition, survey);
            let schema = definition.is_some() || !must_be_defined;
            let choices = definition.map(choices).unwrap_or_default();
            let arguments = definition.and_then(declared_arguments);
            Declared { name: name.to_owned(), schema, open: !schema, changes, because, choices, arguments }
        })
        .collect()
}

fn changes(name: &str, definition: Option<&Definition>, survey: &Survey) -> (bool, String) {
    if let Some(read_only) = definition.and_then(|definition| definition.read_only) {
        return (!read_only, format!("its definition says readOnlyHint = {read_only}"));
    }
    match guess(name) {
        Guess::Reads(word) => (false, format!("guess: its name says `{word}`")),
        Guess::Changes(word) => (true, format!("guess: its name says `{word}`")),
        Guess::Unknown => match survey.again(name) {
            (same @ 3.., 0) => (false, format!("guess: asked again it answered the same, {same} times")),
            _ => (true, "guess: its name doesn't tell, so the careful way".to_owned()),
        },
    }
}

/// The arguments that a schema names; nothing where it doesn't tell.
fn declared_arguments(definition: &Definition) -> Option<Vec<Argument>> {
    let schema = ToolSchema::compile(&definition.schema).ok().filter(ToolSchema::names_arguments)?;
    Some(schema.arguments().to_vec())
}

/// Arguments whose schema lists their values.
fn choices(definition: &Definition) -> Vec<String> {
    let properties = definition.schema.get("properties").and_then(json::Value::as_object);
    let listed = |schema: &json::Value<'_>| {
        let items = schema.get("items");
        let of = |schema: &json::Value<'_>| schema.get("enum").is_some() || schema.get("const").is_some();
        of(schema) || items.is_some_and(of)
    };
    properties
        .into_iter()
        .flat_map(|all| all.iter())
        .filter(|(_, schema)| listed(schema))
        .map(|(name, _)| name.to_owned())
        .collect()
}
