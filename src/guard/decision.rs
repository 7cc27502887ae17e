//! What the guard answers to a proposal, and what that rests on.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::transcript::Role;

/// The guard's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The call may go ahead.
    Allow,
    /// A person decides.
    Escalate,
    /// The call is refused.
    Deny,
}

impl Outcome {
    /// Anything but allow stops a call.
    pub fn stops(self) -> bool {
        self != Outcome::Allow
    }

    /// The outcome's name in files and output.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Allow => "allow",
            Outcome::Escalate => "escalate",
            Outcome::Deny => "deny",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What became of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It was evaluated and holds.
    Passed,
    /// It was evaluated and doesn't hold.
    Failed,
    /// It could not be evaluated: a fact nobody gave, an expression in error.
    Unevaluated,
    /// It reads arguments that broke the schema, so it wasn't evaluated and counts for nothing.
    Skipped,
}

/// One check of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckResult {
    /// The check's name: one of the table's, or a policy's.
    pub check: Arc<str>,
    /// What became of it.
    pub status: Status,
    /// What its failure means: deny or escalate.
    pub on_fail: Outcome,
    /// Why it failed or could not be evaluated, in words; empty when it passed.
    pub reason: String,
    /// The facts it lacks, when that's why it could not be evaluated.
    pub missing_facts: Vec<Arc<str>>,
}

/// A quote that a decision rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The argument whose value is quoted, or `(proposal)` and `(accepted)`.
    pub argument: String,
    /// The message (an index into the transcript's `messages`).
    pub message: usize,
    /// Where in that message, in bytes.
    pub range: Range<usize>,
    /// The text there, as written.
    pub quote: String,
    /// Whose words these are.
    pub role: Role,
}

/// The guard's decision on one proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The outcome.
    pub outcome: Outcome,
    /// Every check that applies, in the guard's order.
    pub checks: Vec<CheckResult>,
    /// What was found, argument by argument.
    pub evidence: Vec<Evidence>,
}

impl Decision {
    /// The failed checks in the order in which they are reported: the denying ones first, each group in the guard's order.
    pub fn failed(&self) -> impl Iterator<Item = &CheckResult> {
        let failed = |outcome| self.checks.iter().filter(move |c| c.status == Status::Failed && c.on_fail == outcome);
        failed(Outcome::Deny).chain(failed(Outcome::Escalate))
    }

    /// The checks that could not be evaluated.
    pub fn unevaluated(&self) -> impl Iterator<Item = &CheckResult> {
        self.checks.iter().filter(|c| c.status == Status::Unevaluated)
    }
}
