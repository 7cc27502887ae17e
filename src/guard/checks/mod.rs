//! The checks of a call, one file each, in the order in which the guard reports them.
//!
//! A check looks at a proposal (its [`Case`](super::case::Case)) in its context and adds a result where it applies. Adding a
//! check is one file and one line in [`CHECKS`].

mod agenda_allows;
mod arguments_from_user;
mod arguments_grounded;
mod arguments_valid;
mod known_tool;
mod no_injected_arguments;
mod no_instructions_in_tool_outputs;
mod not_made_before;
mod policies;
mod schema_readable;
mod user_confirmed;

use crate::catalog::model::{Catalog, Tool};

use super::case::{Case, Sought};
use super::confirmation::Confirmation;
use super::provenance::Origin;
use super::reading::Reading;
use super::rules;
use super::{CheckResult, Outcome, Status};

pub(crate) use agenda_allows::NAME as AGENDA_ALLOWS;
pub(crate) use known_tool::unknown as unknown_tool;

/// One check: its stable name, what it says in a line, why it's there.
pub struct Check {
    /// Its name in decisions, catalogs and reports; never changes.
    pub name: &'static str,
    /// What holds when it passes, in one line.
    pub description: &'static str,
    /// What it's for, and what to do about its failure.
    pub explanation: &'static str,
    /// What it means when it fails, unless the catalog says otherwise.
    pub on_fail: Outcome,
    pub(crate) run: fn(&Proposed<'_, '_>, &mut Vec<CheckResult>),
}

/// What a check looks at.
pub(crate) struct Proposed<'e, 't> {
    pub(crate) catalog: &'e Catalog,
    pub(crate) case: &'e Case<'t>,
    pub(crate) tool: &'e Tool,
    pub(crate) reading: &'e Reading<'t>,
    /// Where the grounded values were found; nothing when the arguments can't be read.
    pub(crate) origins: &'e [Origin],
    /// What was found of the confirmation, where the tool wants one.
    pub(crate) confirmation: Option<&'e Confirmation>,
    /// Whether the same call was made before; nothing where that doesn't matter.
    pub(crate) repeated: Option<Repeated>,
}

/// Whether the same call was made before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeated {
    /// By the proposal of this number (of none where only a list of calls made is given).
    Yes(Option<usize>),
    /// It was not.
    No,
    /// Nobody says which calls were made.
    Unknown,
}

/// Every check in the guard's order. Policies stand where the entry of that name is, each under its own name.
pub const CHECKS: &[Check] = &[
    known_tool::CHECK,
    schema_readable::CHECK,
    arguments_valid::CHECK,
    arguments_grounded::CHECK,
    arguments_from_user::CHECK,
    no_injected_arguments::CHECK,
    no_instructions_in_tool_outputs::CHECK,
    not_made_before::CHECK,
    user_confirmed::CHECK,
    policies::CHECK,
    agenda_allows::CHECK,
];

impl Check {
    /// A result of this check.
    fn result(&self, status: Status, reason: String) -> CheckResult {
        CheckResult {
            check: self.name.into(),
            status,
            on_fail: self.on_fail,
            reason,
            missing_facts: Vec::new(),
            gates: Vec::new(),
        }
    }

    /// Adds a result: failed for these reasons, or passed when there are none.
    fn add(&self, results: &mut Vec<CheckResult>, reasons: &[String]) {
        let status = if reasons.is_empty() { Status::Passed } else { Status::Failed };
        results.push(self.result(status, reasons.join("; ")));
    }

    /// Adds a result about values that were not found: failed if any of them could have been, unevaluated if it can't be said
    /// of any what names it.
    fn add_missing(
        &self,
        results: &mut Vec<CheckResult>,
        catalog: &Catalog,
        missing: &[&Sought<'_>],
        reason: impl Fn(&[&Sought<'_>]) -> String,
    ) {
        let (unnamed, missing): (Vec<&Sought<'_>>, Vec<&Sought<'_>>) =
            missing.iter().partition(|sought| sought.unnamed.is_some());
        results.push(match (unnamed.first().and_then(|sought| sought.unnamed.as_ref()), missing.is_empty()) {
            (None, true) => self.result(Status::Passed, String::new()),
            (_, false) => self.result(Status::Failed, reason(&missing)),
            (Some(why), true) => CheckResult {
                missing_facts: rules::missing(why, catalog),
                gates: Vec::new(),
                ..self.result(
                    Status::Unevaluated,
                    format!("what names the value is not known: {}", rules::unevaluated_reason(why, catalog)),
                )
            },
        });
    }

    /// Adds that the check wasn't looked at: the arguments break the schema.
    fn skip(&self, results: &mut Vec<CheckResult>) {
        results.push(self.result(Status::Skipped, String::new()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_never_change() {
        let names: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
        assert_eq!(
            names,
            [
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
                "agenda_allows",
            ]
        );
    }

    #[test]
    fn every_check_says_what_it_is_for() {
        for check in CHECKS {
            assert!(check.description.len() > 20 && check.explanation.len() > 60, "{}", check.name);
        }
    }
}
