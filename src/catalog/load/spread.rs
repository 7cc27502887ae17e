//! Which tools a policy or a computed value is for: those that have what it reads.

use std::ops::Range;
use std::sync::Arc;

use crate::catalog::expression::{Expression, free_names};
use crate::catalog::glob;
use crate::text::nearest;

use super::check::{Problems, listed};
use super::names::{CALL_VARIABLES, Names, compile, located};
use super::tools::Draft;
use super::tree::Node;

/// A rule over calls, as far as its reach goes.
pub(super) struct Rule<'n> {
    /// What it is, for messages: `policy`.
    pub(super) what: &'static str,
    /// Its name.
    pub(super) name: &'n str,
    /// Its expression.
    pub(super) source: &'n Node,
    /// The tools that it names, if it does.
    pub(super) tools: Option<&'n Node>,
    /// Only the computed values before this one may be read.
    pub(super) computed_before: usize,
}

/// How a tool came to be among a rule's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Chosen<'n> {
    ByName,
    ByPattern(&'n str),
    AsOneOfAll,
}

type NamedRange = (String, Range<usize>);

/// Compiles a rule's expression for each tool that it's for; the tools by their index in `drafts`.
pub(super) fn spread(
    rule: &Rule<'_>,
    drafts: &[Draft],
    names: &Names,
    problems: &mut Problems,
) -> Vec<(usize, Arc<Expression>)> {
    let Some(text) = problems.text(rule.source) else { return Vec::new() };
    let free = match free_names(text) {
        Ok(free) => free,
        Err(error) => {
            problems.push(located(rule.source, error));
            return Vec::new();
        }
    };
    let later = free.iter().find(|(name, _)| names.computed.iter().skip(rule.computed_before).any(|other| other == name));
    if let Some((name, range)) = later {
        let message = match name == rule.name {
            true => format!("the {} `{name}` reads itself", rule.what),
            false => format!("`{}` reads `{name}`, which is declared after it", rule.name),
        };
        problems.push(rule.source.error_within(range.clone(), message).help("move what it reads before it"));
        return Vec::new();
    }
    let Some(chosen) = choose(rule, drafts, names, problems) else { return Vec::new() };
    let mut compiled = Vec::new();
    let mut wrong = false;
    let mut skipped = Vec::new();
    for (index, how) in chosen {
        let Some(draft) = drafts.get(index) else { continue };
        let lacking = free.iter().find(|(name, _)| !has(draft, name, how, names));
        match (lacking, how) {
            (None, _) => match compile(rule.source, &draft.scope, problems) {
                Some(expression) => compiled.push((index, expression)),
                None => wrong = true,
            },
            (Some(lacking), Chosen::ByName) => {
                wrong = true;
                lacks(rule, draft, lacking, names, problems);
            }
            (Some(lacking), Chosen::ByPattern(_) | Chosen::AsOneOfAll) => skipped.push((draft, how, lacking)),
        }
    }
    if !wrong && compiled.is_empty() && !drafts.is_empty() {
        reaches_nothing(rule, drafts, &free, names, problems);
    } else if !wrong && rule.what == "policy" {
        skips(rule, &skipped, problems);
    }
    compiled
}

/// Whether a tool has what a name reads.
fn has(draft: &Draft, name: &str, how: Chosen<'_>, names: &Names) -> bool {
    if let Some(index) = names.computed.iter().position(|computed| computed == name) {
        return draft.computed.get(index).copied().unwrap_or_default();
    }
    // A schema that only the records know is taken to have it where the rule was written for this tool.
    let open = draft.scope.open_arguments && how != Chosen::AsOneOfAll;
    declared(name, names) || draft.has_argument(name) || open
}

fn declared(name: &str, names: &Names) -> bool {
    CALL_VARIABLES.contains(&name)
        || names.facts.iter().any(|fact| fact == name)
        || names.constants.iter().any(|(constant, _)| constant == name)
}

/// The tools that a rule names, in the catalog's order; nothing when a name is wrong.
fn choose<'n>(
    rule: &Rule<'n>,
    drafts: &[Draft],
    names: &Names,
    problems: &mut Problems,
) -> Option<Vec<(usize, Chosen<'n>)>> {
    let Some(node) = rule.tools else {
        return Some((0..drafts.len()).map(|index| (index, Chosen::AsOneOfAll)).collect());
    };
    let mut chosen = Vec::new();
    let mut wrong = false;
    let items = problems.texts(node, "a list of tools' names or patterns");
    if node.items().is_empty() {
        wrong = true;
        if matches!(node.value, super::tree::Kind::List(_)) {
            let error = node.error(format!("the {} `{}` is for no tool", rule.what, rule.name)).label("empty");
            problems.push(error.help("leave `tools` out for every tool that has what it reads"));
        }
    }
    for (item, text) in items {
        let found: Vec<usize> = named(text, drafts);
        wrong |= found.is_empty() && !glob::is_pattern(text);
        check_tool_name(item, text, !found.is_empty(), drafts, names, problems);
        let how = if glob::is_pattern(text) { Chosen::ByPattern(text) } else { Chosen::ByName };
        chosen.extend(found.into_iter().map(|index| (index, how)));
    }
    // A tool that is named is held to that, whatever pattern matches it too.
    chosen.sort();
    chosen.dedup_by_key(|(index, _)| *index);
    (!wrong && !chosen.is_empty()).then_some(chosen)
}

/// The declared tools that a name or pattern matches.
pub(super) fn named(text: &str, drafts: &[Draft]) -> Vec<usize> {
    let all = drafts.iter().enumerate();
    all.filter(|(_, draft)| glob::matches(text, &draft.tool.name)).map(|(index, _)| index).collect()
}

/// A name that no tool has is an error, a pattern that matches none a warning.
pub(super) fn check_tool_name(
    node: &Node,
    text: &str,
    found: bool,
    drafts: &[Draft],
    names: &Names,
    problems: &mut Problems,
) {
    if found {
        return;
    }
    if let Some(defined) = names.without_section.iter().find(|tool| glob::matches(text, tool)) {
        let message = format!("`{defined}` has a schema but no section, and rules are only for tools with one");
        let error = node.error(message).help(format!("add `[tools.{defined}]`; it may be empty"));
        problems.push(if glob::is_pattern(text) { error.warning() } else { error });
        return;
    }
    if glob::is_pattern(text) {
        problems.push(node.error(format!("the pattern `{text}` matches no declared tool")).warning());
        return;
    }
    let tools = || drafts.iter().map(|draft| draft.tool.name.as_str());
    let help = match nearest(text, tools()) {
        Some(near) => format!("the nearest declared tool is `{near}`"),
        None if drafts.is_empty() => "the catalog declares no tools".to_owned(),
        None => format!("declare it: `[tools.{text}]`"),
    };
    problems.push(node.error(format!("no tool `{text}` is declared")).help(help));
}

/// A tool that a rule names lacks what it reads.
fn lacks(rule: &Rule<'_>, draft: &Draft, (name, range): &NamedRange, names: &Names, problems: &mut Problems) {
    let tool = &draft.tool.name;
    let error = rule.source.error_within(range.clone(), format!("unknown name `{name}`: `{tool}` has no such argument"));
    let near = nearest(name, known(std::slice::from_ref(draft), names));
    let help = match near {
        Some(near) => format!("the nearest known name is `{near}`"),
        None if names.computed.contains(name) => format!("the computed value `{name}` reads what `{tool}` doesn't have"),
        None => format!("its arguments are {}", listed(draft.scope.arguments.iter().map(String::as_str))),
    };
    problems.push(error.label("no argument, fact, constant or computed value").help(help));
}

/// Every name that could be read for these tools.
fn known<'a>(drafts: &'a [Draft], names: &'a Names) -> impl Iterator<Item = &'a str> {
    let arguments = drafts.iter().flat_map(|draft| &draft.scope.arguments);
    let constants = names.constants.iter().map(|(name, _)| name);
    arguments.chain(&names.facts).chain(constants).chain(&names.computed).map(String::as_str).chain(CALL_VARIABLES)
}

/// No tool has all that a rule reads.
fn reaches_nothing(rule: &Rule<'_>, drafts: &[Draft], free: &[NamedRange], names: &Names, problems: &mut Problems) {
    let nowhere = free.iter().find(|(name, _)| {
        !declared(name, names) && !names.computed.contains(name) && !drafts.iter().any(|draft| draft.has_argument(name))
    });
    let open = drafts.iter().any(|draft| draft.scope.open_arguments);
    let error = match nowhere {
        Some((name, range)) => {
            let error = rule.source.error_within(range.clone(), format!("unknown name `{name}`"));
            let error = error.label("no argument, fact, constant or computed value");
            let near = nearest(name, known(drafts, names)).map(|near| format!("the nearest known name is `{near}`"));
            let open = open.then(|| {
                "the arguments of tools without a schema here aren't known: name those tools in `tools`".to_owned()
            });
            error.maybe_help(near.or(open))
        }
        None => {
            let reads = listed(free.iter().map(|(name, _)| name.as_str()).filter(|name| !declared(name, names)));
            let message = format!("the {} `{}` is for no tool: none has {reads}", rule.what, rule.name);
            rule.source
                .error(message)
                .help("every tool that has what it reads is checked; these names are of different tools")
        }
    };
    problems.push(error);
}

/// The tools that a rule passes over, where that may surprise: those of a pattern, and those whose arguments aren't known.
fn skips(rule: &Rule<'_>, skipped: &[(&Draft, Chosen<'_>, &NamedRange)], problems: &mut Problems) {
    for (draft, how, (name, _)) in skipped {
        let tool = &draft.tool.name;
        let warning = match how {
            Chosen::ByPattern(pattern) => {
                let message = format!("`{}` doesn't check `{tool}`, which `{pattern}` matches", rule.name);
                rule.source.error(message).label(format!("`{tool}` has no `{name}`"))
            }
            _ if draft.scope.open_arguments => {
                let message = format!("`{}` doesn't check `{tool}`, whose arguments aren't known here", rule.name);
                rule.source.error(message).help("name the tool in `tools` if the policy is for it too")
            }
            _ => continue,
        };
        problems.push(warning.warning());
    }
}
