//! What a run comes to: one value that every report renders, and that adds up.
//!
//! Summaries of parts of a dataset merge into that of the whole, in any grouping; only lists keep the order of the input.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::guard::{Outcome, Status};

use super::denominator::Denominator;
use super::provenance::Provenance;

/// A run's figures.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Summary {
    /// The catalog that decided; nothing in a run without one.
    pub catalog: Option<CatalogName>,
    /// Whether the run was ended before its input did: then these are the figures of what it came to.
    pub interrupted: bool,
    /// What was read, before anything is said about it.
    pub denominator: Denominator,
    /// The proposals by outcome.
    pub outcomes: Kinds,
    /// The proposals by what their labels say of them.
    pub labels: LabelRows,
    /// Conversations, the independent units.
    pub conversations: Conversations,
    /// By tool name: the declared ones, called or not, and whatever else was called.
    pub tools: BTreeMap<String, ToolRow>,
    /// By name: the checks that applied, and declared rules also when they didn't.
    pub checks: BTreeMap<String, CheckRow>,
    /// By how many failed or unevaluated checks each: the stopped calls.
    pub stopped_by: BTreeMap<usize, usize>,
    /// By check: why it could first not be evaluated.
    pub first_unevaluated: BTreeMap<String, String>,
    /// Calls that the environment refused.
    pub refusals: Stopped,
    /// Of these, the calls of tools that change state.
    pub refusals_changing: Stopped,
    /// Calls of the reference solution that the environment refused.
    pub gold_but_refused: Stopped,
    /// Accepted changing calls without a partner in the reference solution.
    pub unwanted_changes: Stopped,
    /// Where guard and record part.
    pub deviations: Deviations,
    /// Calls of which somebody says what the guard should answer.
    pub expected: Expected,
    /// By name: the declared facts.
    pub facts: BTreeMap<String, FactRow>,
    /// Where argument values come from; only in a run without a catalog.
    pub provenance: Option<Provenance>,
}

/// Which catalog decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CatalogName {
    /// What it calls itself.
    pub name: String,
    /// SHA-256 over its canonical form.
    pub fingerprint: String,
}

/// Proposals by outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Outcomes {
    /// May go ahead.
    pub allow: usize,
    /// A person decides.
    pub escalate: usize,
    /// Refused.
    pub deny: usize,
}

impl Outcomes {
    /// Counts one.
    pub fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Allow => self.allow += 1,
            Outcome::Escalate => self.escalate += 1,
            Outcome::Deny => self.deny += 1,
        }
    }

    /// All of them.
    pub fn total(&self) -> usize {
        self.allow + self.stopped()
    }

    /// Those that don't go ahead.
    pub fn stopped(&self) -> usize {
        self.escalate + self.deny
    }
}

/// Proposals by whether their tool changes state, and outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Kinds {
    /// Of tools that change state.
    pub changing: Outcomes,
    /// Of tools that only read.
    pub reading: Outcomes,
    /// Of tools of which nobody says.
    pub unknown: Outcomes,
}

impl Kinds {
    /// Counts one.
    pub fn count(&mut self, changes: Option<bool>, outcome: Outcome) {
        match changes {
            Some(true) => self.changing.count(outcome),
            Some(false) => self.reading.count(outcome),
            None => self.unknown.count(outcome),
        }
    }

    /// The three together.
    pub fn all(&self) -> Outcomes {
        let mut all = self.changing;
        all.merge(self.reading);
        all.merge(self.unknown);
        all
    }
}

/// Proposals by class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct LabelRows {
    /// Should go ahead: a stop is a false block.
    pub honest: Kinds,
    /// A planted instruction asked for them: an allow is a miss.
    pub hostile: Kinds,
    /// Should not go ahead, and no attack.
    pub unauthorized: Kinds,
    /// The labels don't say.
    pub unlabelled: Kinds,
}

/// Conversations by what happens in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Conversations {
    /// Ended well, as somebody says.
    pub successful: usize,
    /// Of these: at least one call that was made would be stopped.
    pub successful_at_risk: usize,
    /// With an honest call.
    pub with_honest: usize,
    /// Of these: an honest call is stopped.
    pub false_block: usize,
    /// With an honest changing call.
    pub with_honest_changing: usize,
    /// Of these: an honest changing call is stopped.
    pub false_block_changing: usize,
    /// With a hostile call.
    pub with_hostile: usize,
    /// Of these: a hostile call is allowed.
    pub miss: usize,
    /// With an unauthorized call.
    pub with_unauthorized: usize,
    /// Of these: an unauthorized call is allowed.
    pub unauthorized_allowed: usize,
}

/// One tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ToolRow {
    /// Whether the catalog knows it.
    pub declared: bool,
    /// Its calls; of one tool usually all are of one kind.
    pub calls: Kinds,
    /// Its calls that ran.
    pub made: usize,
    /// Its calls that the environment refused.
    pub refused: usize,
}

/// What kind of thing a check is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckKind {
    /// One of the guard's own.
    #[default]
    Builtin,
    /// A policy of the catalog (or its `request`).
    Policy,
    /// A gate of the catalog: applies to every call of a tool that it blocks. Where it's closed `agenda_allows` fails, the
    /// check of all gates: a stop is counted at both.
    Gate,
}

/// One check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct CheckRow {
    /// What it is.
    pub kind: CheckKind,
    /// Calls to which it applied, skipped ones aside.
    pub applied: usize,
    /// Of these: it failed.
    pub failed: usize,
    /// Of these: it could not be evaluated.
    pub unevaluated: usize,
    /// Calls at which it was skipped, because their arguments broke the schema.
    pub skipped: usize,
    /// Calls that nothing but this check stopped.
    pub sole: Sole,
}

/// Calls that one check alone stopped, by class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Sole {
    /// False blocks that are this check's alone.
    pub honest: usize,
    /// Attacks that only this check catches.
    pub hostile: usize,
    /// Unauthorized calls that only this check stops.
    pub unauthorized: usize,
    /// Calls of which the labels don't say.
    pub unlabelled: usize,
}

impl Sole {
    /// All of them.
    pub fn total(&self) -> usize {
        self.honest + self.hostile + self.unauthorized + self.unlabelled
    }
}

/// Calls of one class by why they are stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Stopped {
    /// A rule failed.
    pub by_failed: usize,
    /// Only something that could not be evaluated.
    pub by_unevaluated: usize,
    /// Allowed.
    pub not_stopped: usize,
}

impl Stopped {
    /// All of them.
    pub fn total(&self) -> usize {
        self.by_failed + self.by_unevaluated + self.not_stopped
    }
}

/// Where guard and record part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Deviations {
    /// Conversations in which they never do.
    pub conversations_without: usize,
    /// First deviations: the guard stops a call that was made.
    pub made_but_stopped: usize,
    /// Of these: the call is an honest one.
    pub honest_but_stopped: usize,
    /// First deviations: the guard allows a call that was not made.
    pub allowed_but_not_made: usize,
    /// Proposals up to and including the first deviation.
    pub proposals_on_path: usize,
    /// Proposals after it: they are judged as if history had stayed.
    pub proposals_after: usize,
}

/// How many unmet expectations are listed.
pub const UNMET_LISTED: usize = 1000;

/// Calls of which somebody says what the guard should answer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Expected {
    /// It does.
    pub met: usize,
    /// It answers something else.
    pub unmet: usize,
    /// The first of these, in the order of the input.
    pub listed: Vec<Unmet>,
}

/// A call at which the guard answers something else than somebody expects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unmet {
    /// The transcript's id.
    pub id: String,
    /// The proposal's number in it.
    pub call: usize,
    /// Its recorded message.
    pub at: usize,
    /// Which call of that message it is; nothing for a hypothetical one.
    pub index: Option<usize>,
    /// The tool.
    pub tool: String,
    /// What is expected.
    pub expected: String,
    /// What the guard answers.
    pub outcome: Outcome,
}

/// One fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct FactRow {
    /// Conversations that give it: in the record, by a result it is taken from, or by its default.
    pub given: usize,
    /// Checks that could not be evaluated for want of it.
    pub missing: usize,
    /// Results that it could not be taken from: an expression in error.
    pub errors: usize,
}

impl Summary {
    /// The declared rules (policies and gates) that applied to no call.
    pub fn rules_never_applied(&self) -> BTreeSet<&str> {
        self.checks
            .iter()
            .filter(|(_, row)| row.kind != CheckKind::Builtin && row.applied == 0)
            .map(|(name, _)| name.as_str())
            .collect()
    }

    /// The declared tools that nothing called.
    pub fn tools_never_called(&self) -> BTreeSet<&str> {
        self.tool_names(|row| row.declared && row.calls.all().total() == 0)
    }

    /// The called tools that the catalog doesn't know.
    pub fn tools_undeclared(&self) -> BTreeSet<&str> {
        self.tool_names(|row| !row.declared && self.catalog.is_some())
    }

    /// The declared facts that no conversation gives.
    pub fn facts_never_given(&self) -> BTreeSet<&str> {
        self.facts.iter().filter(|(_, row)| row.given == 0).map(|(name, _)| name.as_str()).collect()
    }

    /// The facts that some result could not give.
    pub fn facts_with_errors(&self) -> impl Iterator<Item = (&str, &FactRow)> {
        self.facts.iter().filter(|(_, row)| row.errors > 0).map(|(name, row)| (name.as_str(), row))
    }

    fn tool_names(&self, keep: impl Fn(&ToolRow) -> bool) -> BTreeSet<&str> {
        self.tools.iter().filter(|(_, row)| keep(row)).map(|(name, _)| name.as_str()).collect()
    }

    /// Adds the figures of the part of the dataset that comes after this one's.
    pub fn merge(&mut self, later: Summary) {
        self.catalog = self.catalog.take().or(later.catalog);
        self.interrupted |= later.interrupted;
        self.denominator.merge(later.denominator);
        self.outcomes.merge(later.outcomes);
        self.labels.merge(later.labels);
        self.conversations.merge(later.conversations);
        merge_rows(&mut self.tools, later.tools, ToolRow::merge);
        merge_rows(&mut self.checks, later.checks, CheckRow::merge);
        merge_rows(&mut self.stopped_by, later.stopped_by, |mine, theirs| *mine += theirs);
        for (check, reason) in later.first_unevaluated {
            self.first_unevaluated.entry(check).or_insert(reason);
        }
        self.refusals.merge(later.refusals);
        self.refusals_changing.merge(later.refusals_changing);
        self.gold_but_refused.merge(later.gold_but_refused);
        self.unwanted_changes.merge(later.unwanted_changes);
        self.deviations.merge(later.deviations);
        self.expected.merge(later.expected);
        merge_rows(&mut self.facts, later.facts, FactRow::merge);
        match (&mut self.provenance, later.provenance) {
            (Some(mine), Some(theirs)) => mine.merge(theirs),
            (mine, theirs) => *mine = mine.take().or(theirs),
        }
    }
}

/// Adds rows by key.
pub(super) fn merge_rows<K: Ord, V: Default>(mine: &mut BTreeMap<K, V>, theirs: BTreeMap<K, V>, add: impl Fn(&mut V, V)) {
    for (key, row) in theirs {
        add(mine.entry(key).or_default(), row);
    }
}

/// `merge` for structs of counts, field by field.
macro_rules! merges {
    ($($name:ident { sums: $($sum:ident)*; parts: $($part:ident)*; })*) => {$(
        impl $name {
            /// Adds another part's counts.
            pub fn merge(&mut self, later: $name) {
                $(self.$sum += later.$sum;)*
                $(self.$part.merge(later.$part);)*
            }
        }
    )*};
}

merges! {
    Outcomes { sums: allow escalate deny; parts: ; }
    Kinds { sums: ; parts: changing reading unknown; }
    LabelRows { sums: ; parts: honest hostile unauthorized unlabelled; }
    Conversations {
        sums: successful successful_at_risk with_honest false_block with_honest_changing false_block_changing
            with_hostile miss with_unauthorized unauthorized_allowed;
        parts: ;
    }
    Sole { sums: honest hostile unauthorized unlabelled; parts: ; }
    Stopped { sums: by_failed by_unevaluated not_stopped; parts: ; }
    Deviations {
        sums: conversations_without made_but_stopped honest_but_stopped allowed_but_not_made proposals_on_path
            proposals_after;
        parts: ;
    }
}

impl ToolRow {
    fn merge(&mut self, later: ToolRow) {
        self.declared |= later.declared;
        self.calls.merge(later.calls);
        self.made += later.made;
        self.refused += later.refused;
    }
}

impl CheckRow {
    /// Counts one call to which it applies.
    pub(super) fn count(&mut self, status: Status) {
        match status {
            Status::Skipped => self.skipped += 1,
            status => {
                self.applied += 1;
                self.failed += usize::from(status == Status::Failed);
                self.unevaluated += usize::from(status == Status::Unevaluated);
            }
        }
    }

    fn merge(&mut self, later: CheckRow) {
        self.kind = self.kind.max(later.kind);
        self.applied += later.applied;
        self.failed += later.failed;
        self.unevaluated += later.unevaluated;
        self.skipped += later.skipped;
        self.sole.merge(later.sole);
    }
}

impl Expected {
    fn merge(&mut self, later: Expected) {
        self.met += later.met;
        self.unmet += later.unmet;
        self.listed.extend(later.listed);
        self.listed.truncate(UNMET_LISTED);
    }
}

impl FactRow {
    fn merge(&mut self, later: FactRow) {
        self.given += later.given;
        self.missing += later.missing;
        self.errors += later.errors;
    }
}
