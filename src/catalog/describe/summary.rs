//! What `catalog check` says of a catalog without errors.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::catalog::expression::{Expression, Variable};
use crate::catalog::model::{Catalog, Schema};

/// A catalog in figures, with what to know before a replay.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Summary {
    /// What it calls itself.
    pub name: String,
    /// Its fingerprint.
    pub fingerprint: String,
    /// How many tools it declares.
    pub tools: usize,
    /// How many of them change state.
    pub changing: usize,
    /// Tools of which nobody says whether they change state.
    pub changes_unknown: Vec<String>,
    /// Tools whose schema only the records give, if anybody.
    pub schema_unknown: Vec<String>,
    /// Tools that only their schema declares.
    pub undeclared: Vec<String>,
    /// How many policies check at least one tool.
    pub policies: usize,
    /// How many gates.
    pub gates: usize,
    /// How many facts.
    pub facts: usize,
    /// Facts that each record must give.
    pub facts_from_records: Vec<String>,
    /// How many computed values.
    pub computed: usize,
    /// Rules that read the conversation's text: each costs time with its length, at every call.
    pub reads_conversation: Vec<String>,
}

/// Sums a catalog up.
pub fn summary(catalog: &Catalog) -> Summary {
    let tools = || catalog.tools.values();
    let named = |tools: Vec<&str>| tools.into_iter().map(str::to_owned).collect::<Vec<String>>();
    let policies: BTreeSet<&str> = tools().flat_map(|tool| &tool.policies).map(|policy| policy.name.as_ref()).collect();
    let mut reads_conversation: BTreeSet<&str> = BTreeSet::new();
    for tool in tools() {
        let policies = tool.policies.iter().map(|policy| (policy.name.as_ref(), &policy.require));
        let computed = tool.computed.iter().map(|(i, value)| (catalog.computed.get(*i).map_or("", |name| name), value));
        let reading = policies.chain(computed).filter(|(_, expression)| reads_text(expression));
        reads_conversation.extend(reading.map(|(name, _)| name));
    }
    Summary {
        name: catalog.name.clone(),
        fingerprint: catalog.fingerprint.clone(),
        tools: catalog.tools.len(),
        changing: tools().filter(|tool| tool.changes == Some(true)).count(),
        changes_unknown: named(tools().filter(|tool| tool.changes.is_none()).map(|tool| tool.name.as_str()).collect()),
        schema_unknown: named(
            tools().filter(|tool| !matches!(tool.schema, Schema::Ready(_))).map(|tool| tool.name.as_str()).collect(),
        ),
        undeclared: catalog.definitions.keys().cloned().collect(),
        policies: policies.len(),
        gates: catalog.gates.len(),
        facts: catalog.facts.len(),
        facts_from_records: catalog.facts.iter().filter(|fact| fact.from.is_empty()).map(|f| f.name.to_string()).collect(),
        computed: catalog.computed.len(),
        reads_conversation: reads_conversation.into_iter().map(str::to_owned).collect(),
    }
}

fn reads_text(expression: &Expression) -> bool {
    expression.reads().iter().any(|variable| matches!(variable, Variable::Conversation | Variable::UserRequest))
}

impl Summary {
    /// For people.
    pub fn render(&self) -> String {
        let mut out = String::new();
        let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
        let _ = writeln!(
            out,
            "{}: {} ({} state), {}, {}, {}, {}",
            super::plain(&self.name),
            count(self.tools, "tool", "tools"),
            count(self.changing, "changes", "change"),
            count(self.policies, "policy", "policies"),
            count(self.gates, "gate", "gates"),
            count(self.facts, "fact", "facts"),
            count(self.computed, "computed value", "computed values"),
        );
        let _ = writeln!(out, "fingerprint {}", self.fingerprint);
        let mut list = |what: &str, names: &[String]| {
            if !names.is_empty() {
                let _ = writeln!(out, "{what}: {}", super::plain(&names.join(", ")));
            }
        };
        list("nobody says whether these change state (write `changes = true` or `false`)", &self.changes_unknown);
        list("no usable schema here", &self.schema_unknown);
        list("declared by a schema alone", &self.undeclared);
        list("facts that each record must give", &self.facts_from_records);
        list("rules that read the conversation, which costs time with its length at each call", &self.reads_conversation);
        out
    }
}
