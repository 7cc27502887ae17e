//! What the guard answers to a proposal, and what that rests on.

use std::ops::Range;
use std::sync::Arc;

use crate::catalog::model::Combine;
pub use crate::catalog::outcome::Outcome;
use crate::transcript::Role;

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
    /// The gates that this is about, each closed (failed) or unevaluated; only for the check of gates, and only those that
    /// nothing lets through.
    pub gates: Vec<(Arc<str>, Status)>,
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
    /// The failed checks (indices into `checks`), the deciding one first.
    failed: Vec<usize>,
}

impl Decision {
    /// Makes the outcome of the checks: that of the deciding failed one; where none failed, a person decides about what
    /// could not be evaluated, and the rest is allowed.
    pub fn new(checks: Vec<CheckResult>, evidence: Vec<Evidence>, combine: Combine) -> Decision {
        let of = |status| checks.iter().enumerate().filter(move |(_, check)| check.status == status);
        let mut failed: Vec<usize> = of(Status::Failed).map(|(index, _)| index).collect();
        if combine == Combine::Strictest {
            // Stable: each group stays in the guard's order.
            failed.sort_by_key(|index| checks.get(*index).is_none_or(|check| check.on_fail != Outcome::Deny));
        }
        let outcome = match failed.first().and_then(|index| checks.get(*index)) {
            Some(deciding) => deciding.on_fail,
            None if of(Status::Unevaluated).next().is_some() => Outcome::Escalate,
            None => Outcome::Allow,
        };
        Decision { outcome, checks, evidence, failed }
    }

    /// The failed checks, the deciding one first: with `combine = "strictest"` the denying ones before the escalating ones,
    /// each group in the guard's order; with `combine = "first"` in the guard's order.
    pub fn failed(&self) -> impl ExactSizeIterator<Item = &CheckResult> {
        self.failed.iter().filter_map(|index| self.checks.get(*index)).collect::<Vec<_>>().into_iter()
    }

    /// The checks that could not be evaluated.
    pub fn unevaluated(&self) -> impl Iterator<Item = &CheckResult> {
        self.checks.iter().filter(|c| c.status == Status::Unevaluated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, status: Status, on_fail: Outcome) -> CheckResult {
        CheckResult {
            check: name.into(),
            status,
            on_fail,
            reason: String::new(),
            missing_facts: Vec::new(),
            gates: Vec::new(),
        }
    }

    fn names(decision: &Decision) -> Vec<&str> {
        decision.failed().map(|check| check.check.as_ref()).collect()
    }

    #[test]
    fn strictest_lets_no_escalation_hide_a_denial() {
        let checks = vec![
            check("a", Status::Failed, Outcome::Escalate),
            check("b", Status::Passed, Outcome::Deny),
            check("c", Status::Failed, Outcome::Deny),
        ];
        let decision = Decision::new(checks.clone(), Vec::new(), Combine::Strictest);
        assert_eq!((decision.outcome, names(&decision)), (Outcome::Deny, vec!["c", "a"]));
        let decision = Decision::new(checks, Vec::new(), Combine::First);
        assert_eq!((decision.outcome, names(&decision)), (Outcome::Escalate, vec!["a", "c"]));
    }

    #[test]
    fn what_could_not_be_evaluated_goes_to_a_person_unless_something_failed() {
        let unevaluated = check("a", Status::Unevaluated, Outcome::Deny);
        let decision = Decision::new(vec![unevaluated.clone()], Vec::new(), Combine::Strictest);
        assert_eq!(decision.outcome, Outcome::Escalate);
        let failed = check("b", Status::Failed, Outcome::Deny);
        assert_eq!(Decision::new(vec![unevaluated, failed], Vec::new(), Combine::Strictest).outcome, Outcome::Deny);
    }

    #[test]
    fn what_passed_or_was_skipped_is_allowed() {
        let checks = vec![check("a", Status::Passed, Outcome::Deny), check("b", Status::Skipped, Outcome::Deny)];
        assert_eq!(Decision::new(checks, Vec::new(), Combine::Strictest).outcome, Outcome::Allow);
    }
}
