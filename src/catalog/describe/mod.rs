//! A catalog in words: each tool, its checks in the guard's order, what each reads, and what a refusal says.

mod definitions;
mod summary;

pub use definitions::definitions;
pub use summary::{Summary, summary};

use std::fmt::Write as _;

use crate::catalog::expression::{Expression, Variable};
use crate::catalog::model::{Catalog, Confirm, Ground, Injections, Policy, Schema, Tool, ToolValues, Undeclared};
use crate::catalog::outcome::Outcome;
use crate::transcript::Role;

/// A tool in words.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ToolDescription {
    /// Its name.
    pub name: String,
    /// What it says of itself.
    pub description: Option<String>,
    /// Whether it changes state; nothing when nobody says.
    pub changes: Option<bool>,
    /// Where the schema of its arguments comes from.
    pub schema: &'static str,
    /// The arguments that the schema declares.
    pub arguments: Vec<String>,
    /// The checks of its calls, in the guard's order.
    pub checks: Vec<CheckDescription>,
}

/// A check in words.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CheckDescription {
    /// Its name, as in decisions.
    pub check: String,
    /// What its failure means.
    pub on_fail: Outcome,
    /// What it reads: arguments, facts, messages.
    pub reads: Vec<String>,
    /// What must hold, when an expression says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub require: Option<String>,
    /// What a refusal says of it.
    pub reason: String,
}

/// The declared tools in words, by name; with those that only their schema declares where these can be called.
pub fn tools(catalog: &Catalog) -> Vec<ToolDescription> {
    callable(catalog).map(|tool| describe(tool, catalog)).collect()
}

/// The tools whose calls can be allowed.
fn callable(catalog: &Catalog) -> impl Iterator<Item = &Tool> {
    let others = catalog.definitions.values().filter(|_| catalog.undeclared == Undeclared::SchemaOnly);
    catalog.tools.values().chain(others)
}

fn describe(tool: &Tool, catalog: &Catalog) -> ToolDescription {
    let arguments = match &tool.schema {
        Schema::Ready(schema) => schema.arguments().iter().map(|argument| argument.name.clone()).collect(),
        _ => Vec::new(),
    };
    let schema = match &tool.schema {
        Schema::Ready(_) => "declared",
        Schema::Unreadable(_) => "unreadable",
        Schema::Recorded => "each record's own",
        Schema::None => "none",
    };
    let (name, description) = (tool.name.clone(), tool.description.clone());
    ToolDescription {
        name,
        description,
        changes: tool.changes,
        schema,
        checks: checks(tool, catalog, &arguments),
        arguments,
    }
}

fn checks(tool: &Tool, catalog: &Catalog, arguments: &[String]) -> Vec<CheckDescription> {
    let mut checks = Vec::new();
    let mut add = |check: &str, on_fail, reads: Vec<String>, reason: String| {
        checks.push(CheckDescription { check: check.to_owned(), on_fail, reads, require: None, reason });
    };
    if let Schema::Unreadable(reason) = &tool.schema {
        let reason = format!("the tool's schema can't be read: {reason}");
        add("schema_readable", Outcome::Escalate, vec!["the schema".to_owned()], reason);
    }
    let all = if arguments.is_empty() { vec!["every argument".to_owned()] } else { arguments.to_vec() };
    add("arguments_valid", Outcome::Deny, all, "the arguments don't fit the tool's schema".to_owned());
    let grounded: Vec<String> = tool.ground.iter().map(|ground| ground_text(ground, catalog)).collect();
    let sources = roles_text(tool);
    let user_only = !tool.ground_from.contains(Role::Tool) && tool.tool_values == ToolValues::Escalate;
    if !grounded.is_empty() {
        let reads = |extra: &str| grounded.iter().cloned().chain([extra.to_owned()]).collect::<Vec<_>>();
        let reason = format!("a value isn't in {sources}");
        add("arguments_grounded", Outcome::Deny, reads(&sources), reason);
        if user_only {
            let reason = format!("a value is in a tool output, but not in {sources}");
            add("arguments_from_user", Outcome::Escalate, reads("the tool outputs"), reason);
        }
        if tool.injections != Injections::Off {
            let reason = "a value is only in tool outputs, and one of them addresses its reader".to_owned();
            let scanned = if tool.scan_user { "the tool outputs and the user's messages" } else { "the tool outputs" };
            add("no_injected_arguments", Outcome::Escalate, reads(scanned), reason);
        }
    }
    if tool.injections == Injections::Any {
        let reason = "a tool output addresses its reader instead of stating something".to_owned();
        add("no_instructions_in_tool_outputs", Outcome::Escalate, vec!["the tool outputs".to_owned()], reason);
    }
    if let Some(once) = &tool.once {
        let mut reads = vec!["the calls made".to_owned()];
        reads.extend(once.ignore.iter().map(|name| format!("not {name}")));
        reads.extend(once.matchers.iter().map(|(name, matcher)| format!("{name} ({})", matcher.as_str())));
        add("not_made_before", Outcome::Escalate, reads, "the same call was made already".to_owned());
    }
    if let Some(confirm) = &tool.confirm {
        add(
            "user_confirmed",
            confirm.on_fail,
            confirm_reads(confirm),
            "the user hasn't accepted a message that names its values".to_owned(),
        );
    }
    for outcome in [Outcome::Deny, Outcome::Escalate] {
        if let Some(request) = tool.request.as_ref().filter(|request| request.on_fail == outcome) {
            let reason = "the user's messages ask for no such action".to_owned();
            add(&request.name, outcome, vec!["the user's messages".to_owned()], reason);
        }
        for policy in tool.policies.iter().filter(|policy| policy.on_fail == outcome) {
            add(&policy.name, outcome, reads(&policy.require, catalog), policy.reason.to_string());
        }
    }
    for gate in tool.gates.iter().filter_map(|index| catalog.gates.get(*index)) {
        let mut reason = format!("{}: {}", gate.name, gate.reason);
        if let Some(override_) = &gate.override_ {
            let _ = write!(reason, " (let through by {}: {})", override_.by, override_.reason);
        }
        add("agenda_allows", Outcome::Deny, reads(&gate.require, catalog), reason);
    }
    for check in &mut checks {
        let policy = tool.policies.iter().find(|policy| *policy.name == check.check);
        check.require = policy.map(|policy: &Policy| policy.require.source().to_owned());
    }
    checks
}

fn ground_text(ground: &Ground, catalog: &Catalog) -> String {
    let mut text = format!("{} ({}", ground.path.text, ground.matcher.as_str());
    if let Some(names) = &ground.names {
        let _ = write!(text, ", or a name from {}", reads(names, catalog).join(" and "));
    }
    text.push(')');
    text
}

/// Whose messages ground a value: "the user's last 2 messages or the tool outputs".
fn roles_text(tool: &Tool) -> String {
    let roles = tool.ground_from.iter().map(|role| match (role, tool.ground_last) {
        (Role::User, Some(1)) => "the user's last message".to_owned(),
        (Role::User, Some(last)) => format!("the user's last {last} messages"),
        (Role::User, None) => "the user's messages".to_owned(),
        (Role::Assistant, _) => "the assistant's messages".to_owned(),
        (Role::Tool, _) => "the tool outputs".to_owned(),
        (Role::System, _) => "the system messages".to_owned(),
    });
    let roles: Vec<String> = roles.collect();
    match roles.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => roles.concat(),
    }
}

fn confirm_reads(confirm: &Confirm) -> Vec<String> {
    let mut reads = match &confirm.arguments {
        Some(paths) => paths.iter().map(|path| with_matcher(&path.text, confirm)).collect(),
        None => {
            let mut reads = vec!["every text and number".to_owned()];
            reads.extend(confirm.matchers.keys().map(|name| with_matcher(name, confirm)));
            reads
        }
    };
    reads.push(match confirm.last {
        Some(1) => "the user's last message".to_owned(),
        Some(last) => format!("the user's last {last} messages"),
        None => "the user's messages".to_owned(),
    });
    reads.push("the assistant's messages before them".to_owned());
    reads
}

fn with_matcher(name: &str, confirm: &Confirm) -> String {
    confirm.matchers.get(name).map_or_else(|| name.to_owned(), |matcher| format!("{name} ({})", matcher.as_str()))
}

/// What an expression reads, in words.
fn reads(expression: &Expression, catalog: &Catalog) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for variable in expression.reads() {
        let word = match variable {
            Variable::Argument(name) => name.to_string(),
            Variable::Fact(index) => format!("fact {}", catalog.facts.get(*index).map_or("", |fact| &fact.name)),
            Variable::Computed(index) => format!("computed {}", catalog.computed.get(*index).map_or("", |name| name)),
            Variable::Args => "args".to_owned(),
            Variable::Tool => "tool".to_owned(),
            Variable::Conversation => "the whole conversation".to_owned(),
            Variable::UserRequest => "all of the user's messages".to_owned(),
            Variable::Result | Variable::ResultText => "the result".to_owned(),
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// Tools in words, for people.
pub fn render(tools: &[ToolDescription]) -> String {
    let mut out = String::new();
    for (number, tool) in tools.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let changes = match tool.changes {
            Some(true) => "changes state",
            Some(false) => "reads only",
            None => "nobody says whether it changes state",
        };
        let _ = writeln!(out, "{} ({changes}; schema: {})", plain(&tool.name), tool.schema);
        if let Some(description) = tool.description.as_ref().and_then(|text| text.lines().next()) {
            let _ = writeln!(out, "  {}", plain(description));
        }
        for (number, check) in tool.checks.iter().enumerate() {
            let _ = writeln!(out, "  {}. {}, else {}", number + 1, plain(&check.check), check.on_fail);
            if let Some(require) = &check.require {
                let _ = writeln!(out, "     requires {}", plain(require));
            }
            if !check.reads.is_empty() {
                let _ = writeln!(out, "     reads {}", plain(&check.reads.join(", ")));
            }
            let _ = writeln!(out, "     refusal: {}", plain(&check.reason));
        }
    }
    out
}

/// A text on one line, without what would move a terminal's cursor.
fn plain(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| c.is_control()).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
