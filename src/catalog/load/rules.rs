//! `[[computed]]`, `[[policies]]`, `[[gates]]`.

use std::sync::Arc;

use crate::catalog::expression::{Variable, free_names};
use crate::catalog::glob::Glob;
use crate::catalog::model::{Gate, Override, Policy};
use crate::catalog::outcome::Outcome;

use super::check::Problems;
use super::names::{Names, compile, located};
use super::options::ON_FAIL;
use super::spread::{Rule, check_tool_name, named, spread};
use super::tools::Draft;
use super::tree::{Kind, Node};

/// The checks that every catalog has: no policy can have the name of one.
pub(super) const CHECKS: [&str; 13] = [
    "known_tool",
    "schema_readable",
    "arguments_valid",
    "arguments_grounded",
    "arguments_from_user",
    "no_injected_arguments",
    "no_instructions_in_tool_outputs",
    "not_made_before",
    "user_confirmed",
    "policies",
    "action_model_allows",
    "agenda_allows",
    "request_authorizes",
];

/// The items of a list of tables.
fn items<'n>(root: &'n Node, key: &str, problems: &mut Problems) -> &'n [Node] {
    let Some(node) = root.get(key) else { return &[] };
    if !matches!(node.value, Kind::List(_)) {
        problems.expected_help(node, "a list of tables", format!("write `[[{key}]]` above each"));
    }
    node.items()
}

/// Declares the names of computed values; those of them that could be read.
pub(super) fn declare_computed<'n>(root: &'n Node, names: &mut Names, problems: &mut Problems) -> Vec<&'n Node> {
    const WHAT: &str = "a computed value";
    let mut declared = Vec::new();
    for node in items(root, "computed", problems) {
        if problems.table(node, WHAT, &["name", "value", "tools"]).is_none() {
            continue;
        }
        let Some(name_node) = problems.required(node, WHAT, "name") else { continue };
        let Some(name) = problems.text(name_node) else { continue };
        let value = problems.required(node, WHAT, "value");
        if names.declare(name, "computed value", &name_node.span, &name_node.path, problems) {
            names.computed.push(name.to_owned());
            declared.extend(value.map(|_| node));
        }
    }
    declared
}

/// Gives each tool the computed values that it has all for.
pub(super) fn read_computed(declared: &[&Node], drafts: &mut [Draft], names: &Names, problems: &mut Problems) {
    for node in declared {
        let (Some(name), Some(source)) = (node.get("name").and_then(Node::text), node.get("value")) else { continue };
        let Some(index) = names.computed.iter().position(|other| other == name) else { continue };
        let rule = Rule { what: "computed value", name, source, tools: node.get("tools"), computed_before: index };
        for (tool, expression) in spread(&rule, drafts, names, problems) {
            let Some(draft) = drafts.get_mut(tool) else { continue };
            draft.tool.computed.push((index, expression));
            if let Some(has) = draft.computed.get_mut(index) {
                *has = true;
            }
        }
    }
}

/// Gives each tool the policies that check its calls.
pub(super) fn read_policies(root: &Node, drafts: &mut [Draft], names: &Names, problems: &mut Problems) {
    const WHAT: &str = "a policy";
    for node in items(root, "policies", problems) {
        if problems.table(node, WHAT, &["name", "tools", "require", "reason", "on_fail"]).is_none() {
            continue;
        }
        let name = problems.required(node, WHAT, "name").and_then(|name| policy_name(name, problems));
        let source = problems.required(node, WHAT, "require");
        let reason = node.get("reason").and_then(|reason| problems.text(reason));
        let on_fail = node.get("on_fail").and_then(|node| problems.one_of(node, "an outcome of a failed check", &ON_FAIL));
        let Some(source) = source else { continue };
        let rule = Rule {
            what: "policy",
            name: name.unwrap_or("a policy"),
            source,
            tools: node.get("tools"),
            computed_before: names.computed.len(),
        };
        let reason: Arc<str> = match reason {
            Some(reason) => reason.into(),
            None => format!("`{}` must hold", source.text().unwrap_or_default()).into(),
        };
        let name: Arc<str> = rule.name.into();
        for (tool, require) in spread(&rule, drafts, names, problems) {
            let Some(draft) = drafts.get_mut(tool) else { continue };
            let (name, reason) = (name.clone(), reason.clone());
            draft.tool.policies.push(Policy { name, require, reason, on_fail: on_fail.unwrap_or(Outcome::Deny) });
        }
    }
}

fn policy_name<'n>(node: &'n Node, problems: &mut Problems) -> Option<&'n str> {
    let name = problems.text(node)?;
    if CHECKS.contains(&name) || name.starts_with("user_asked_to_") {
        let error = node.error(format!("`{name}` is the name of a check that the guard has itself"));
        problems.push(error.label("taken").help("give the policy another name"));
        return None;
    }
    if name.chars().any(char::is_control) {
        problems.push(node.error("a policy's name can't hold control characters"));
        return None;
    }
    Some(name)
}

/// Reads the gates, and gives each tool those that block it.
pub(super) fn read_gates(root: &Node, drafts: &mut [Draft], names: &Names, problems: &mut Problems) -> Vec<Gate> {
    let mut gates = Vec::new();
    for node in items(root, "gates", problems) {
        let Some(gate) = gate(node, drafts, names, problems) else { continue };
        for draft in drafts.iter_mut() {
            if gate.blocks(&draft.tool.name) {
                draft.tool.gates.push(gates.len());
            }
        }
        gates.push(gate);
    }
    gates
}

fn gate(node: &Node, drafts: &[Draft], names: &Names, problems: &mut Problems) -> Option<Gate> {
    const WHAT: &str = "a gate";
    problems.table(node, WHAT, &["name", "blocks", "require", "reason", "override"])?;
    let name = problems.required(node, WHAT, "name").and_then(|name| problems.text(name));
    let blocks = problems.required(node, WHAT, "blocks").map(|blocks| {
        let items = problems.texts(blocks, "a list of tools' names or patterns");
        if items.is_empty() && matches!(blocks.value, Kind::List(_)) {
            problems.push(blocks.error("a gate that blocks no tool is none").label("empty"));
        }
        for (item, text) in &items {
            // A catalog without tools may still hold gates, for dry runs over records.
            let found = drafts.is_empty() || !named(text, drafts).is_empty();
            check_tool_name(item, text, found, drafts, names, problems);
        }
        items.into_iter().map(|(_, text)| Glob::new(text)).collect()
    });
    let require = problems.required(node, WHAT, "require").and_then(|source| condition(source, names, problems));
    let reason = node.get("reason").and_then(|reason| problems.text(reason)).map(str::to_owned);
    let override_ = node.get("override").and_then(|node| override_(node, problems));
    let require_text = node.get("require").and_then(Node::text).unwrap_or_default();
    Some(Gate {
        name: name?.into(),
        blocks: blocks?,
        require: require?,
        reason: reason.unwrap_or_else(|| format!("`{require_text}` must hold")).into(),
        override_,
    })
}

/// A gate's condition, which reads facts: what is asked of the call itself is a policy's.
fn condition(source: &Node, names: &Names, problems: &mut Problems) -> Option<Arc<crate::catalog::expression::Expression>> {
    let text = problems.text(source)?;
    let free = match free_names(text) {
        Ok(free) => free,
        Err(error) => {
            problems.push(located(source, error));
            return None;
        }
    };
    for (name, range) in &free {
        let call = ["args", "conversation", "user_request"].contains(&name.as_str());
        if call || names.computed.contains(name) {
            let error = source.error_within(range.clone(), format!("a gate reads facts and constants, not `{name}`"));
            problems.push(error.help("a condition over the call itself is a policy"));
            return None;
        }
    }
    let compiled = compile(source, &names.gate_scope(), problems)?;
    if !compiled.reads().iter().any(|variable| matches!(variable, Variable::Fact(_))) {
        problems.push(source.error("this gate reads no fact, so that it is always open or always closed").warning());
    }
    Some(compiled)
}

fn override_(node: &Node, problems: &mut Problems) -> Option<Override> {
    const WHAT: &str = "an override";
    problems.table(node, WHAT, &["by", "reason"])?;
    let by = problems.required(node, WHAT, "by").and_then(|by| problems.text(by));
    let reason = problems.required(node, WHAT, "reason").and_then(|reason| problems.text(reason));
    Some(Override { by: by?.to_owned(), reason: reason?.to_owned() })
}
