//! What can't be wrong by itself but won't do what it seems to: rules that starve, patterns that match everything.

use crate::catalog::expression::Variable;
use crate::catalog::glob::{self, Glob};
use crate::catalog::model::{Catalog, Fact, FactOn, Undeclared};

use super::check::{Problems, listed};
use super::tree::Node;

/// Warns of what a replay would not show; only for a catalog without errors.
pub(super) fn check(catalog: &Catalog, root: &Node, problems: &mut Problems) {
    no_tools(catalog, root, problems);
    no_outcome(catalog, root, problems);
    fed_by_no_tool(catalog, root, problems);
    out_of_reach(catalog, root, problems);
    for (gate, node) in catalog.gates.iter().zip(items(root, "gates")) {
        let blocked = |tool: &str| gate.blocks(tool);
        for fact in facts_read(catalog, gate.require.reads()) {
            deadlock("gate", &gate.name, fact, catalog, node, &blocked, problems);
        }
    }
    for node in items(root, "policies") {
        let name = node.get("name").and_then(Node::text).unwrap_or_default();
        let checks = |tool: &str| {
            catalog.tools.get(tool).is_some_and(|tool| tool.policies.iter().any(|policy| policy.name.as_ref() == name))
        };
        let require = catalog.tools.values().flat_map(|tool| &tool.policies).find(|policy| policy.name.as_ref() == name);
        for fact in require.iter().flat_map(|policy| facts_read(catalog, policy.require.reads())) {
            deadlock("policy", name, fact, catalog, node, &checks, problems);
        }
    }
    let patterns = root.get("detector").map_or(&[][..], |detector| items(detector, "patterns"));
    for node in patterns.iter().filter_map(|pattern| pattern.get("regex")) {
        doubtful_pattern(node, problems);
    }
    let sections = root.get("tools").map(Node::members).unwrap_or_default().iter().map(|member| &member.node);
    for section in sections.chain(root.get("defaults")) {
        for node in section.get("request").map_or(&[][..], |request| items(request, "phrases")) {
            doubtful_pattern(node, problems);
        }
    }
}

fn items<'n>(node: &'n Node, key: &str) -> &'n [Node] {
    node.get(key).map(Node::items).unwrap_or_default()
}

fn facts_read<'c>(catalog: &'c Catalog, reads: &'c [Variable]) -> impl Iterator<Item = &'c Fact> {
    reads.iter().filter_map(|variable| match variable {
        Variable::Fact(index) => catalog.facts.get(*index),
        _ => None,
    })
}

/// Without a tool there's nothing to check.
fn no_tools(catalog: &Catalog, root: &Node, problems: &mut Problems) {
    let known_later = catalog.recorded_schemas && catalog.undeclared == Undeclared::SchemaOnly;
    if catalog.tools.is_empty() && catalog.definitions.is_empty() && !known_later {
        let warning = root.error("the catalog declares no tool, so every call is denied").warning();
        problems.push(warning.help("declare some: `schemas = [\"tools.json\"]`, `[tools.NAME]`"));
    }
}

/// A failed look-up says as much as one that found something, unless somebody says which results are refusals.
fn no_outcome(catalog: &Catalog, root: &Node, problems: &mut Problems) {
    let taken = |fact: &&Fact| fact.from.iter().any(|source| source.on != FactOn::Any);
    let Some(fact) = catalog.facts.iter().find(taken).filter(|_| catalog.refused.is_none()) else { return };
    if let Some(from) = root.get("facts").and_then(|facts| facts.get(&fact.name)).and_then(|fact| fact.get("from")) {
        let warning = from.error("nothing says which results are refusals").warning();
        let warning = warning.label("a failed call gives this fact too, unless its record says that it was refused");
        problems.push(warning.help("for example `outcome.refused = \"result_text.startsWith('Error')\"`"));
    }
}

/// A fact that only recorded results can give, and no declared tool makes such results.
fn fed_by_no_tool(catalog: &Catalog, root: &Node, problems: &mut Problems) {
    // Any tool may be called where the definitions come with the records.
    if catalog.recorded_schemas && catalog.undeclared == Undeclared::SchemaOnly {
        return;
    }
    for fact in catalog.facts.iter().filter(|fact| !fact.from.is_empty() && feeders(fact, catalog).next().is_none()) {
        if let Some(from) = root.get("facts").and_then(|facts| facts.get(&fact.name)).and_then(|fact| fact.get("from")) {
            let message = format!("the catalog knows no tool that gives the fact `{}`", fact.name);
            let tools = fact.from.iter().flat_map(|source| &source.tools).map(Glob::as_str);
            let warning = from.error(message).warning().label(format!("it's taken from results of {}", listed(tools)));
            problems.push(warning.help("is a name misspelt? Calls of a tool that the catalog doesn't know are denied, so nobody would get its results"));
        }
    }
}

/// A pattern that matches tools with a section, and others that are called by their schema alone.
fn out_of_reach(catalog: &Catalog, root: &Node, problems: &mut Problems) {
    if catalog.undeclared != Undeclared::SchemaOnly {
        return;
    }
    let lists = items(root, "policies").iter().filter_map(|policy| policy.get("tools"));
    let lists = lists.chain(items(root, "gates").iter().filter_map(|gate| gate.get("blocks")));
    for node in lists.flat_map(Node::items) {
        let Some(pattern) = node.text() else { continue };
        // Where it matches no other tool, that was said already.
        if !catalog.tools.keys().any(|tool| glob::matches(pattern, tool)) {
            continue;
        }
        let missed: Vec<&str> =
            catalog.definitions.keys().map(String::as_str).filter(|tool| glob::matches(pattern, tool)).collect();
        if let Some(first) = missed.first() {
            let which = listed(missed.iter().copied());
            let message = format!("this rule is not for {which}, which `{pattern}` matches");
            let warning = node.error(message).warning().label("rules are only for tools with a section");
            problems.push(warning.help(format!("add `[tools.{first}]`; it may be empty")));
        }
    }
}

/// The declared tools whose results give a fact.
fn feeders<'c>(fact: &'c Fact, catalog: &'c Catalog) -> impl Iterator<Item = &'c str> {
    let names = catalog.tools.keys().chain(catalog.definitions.keys()).map(String::as_str);
    names.filter(|tool| fact.from.iter().any(|source| source.is_told_by(tool)))
}

/// A rule that stops every tool whose result could make it hold.
fn deadlock(
    what: &str,
    name: &str,
    fact: &Fact,
    catalog: &Catalog,
    node: &Node,
    stops: &dyn Fn(&str) -> bool,
    problems: &mut Problems,
) {
    let tools: Vec<&str> = feeders(fact, catalog).collect();
    if !tools.is_empty() && tools.iter().all(|tool| stops(tool)) {
        let message = format!("the {what} `{name}` stops the very tools that its fact `{}` is taken from", fact.name);
        let at = node.get("require").unwrap_or(node);
        let warning = at.error(message).warning().label("a deadlock, unless each record gives the fact");
        problems.push(warning.help(format!("let {} pass, or take the fact from another tool", listed(tools.into_iter()))));
    }
}

/// A pattern that finds something in the empty text finds something in every text. One with a control character was likely
/// meant to have an escape of its own, which TOML's double quotes took.
fn doubtful_pattern(node: &Node, problems: &mut Problems) {
    if node.text().is_some_and(|text| text.chars().any(|c| c.is_control() && !c.is_whitespace())) {
        let warning = node.error("this pattern holds a control character").warning();
        problems.push(warning.help("in double quotes `\\b` is a backspace: write patterns in single quotes"));
    }
    let everything = node.text().and_then(|text| regex::Regex::new(text).ok()).is_some_and(|regex| regex.is_match(""));
    if everything {
        problems.push(node.error("this pattern matches every text").warning());
    }
}
