//! The catalog has the tool. Where it hasn't, nothing else is evaluated, so the guard asks this check alone.

use super::{Check, CheckResult, Outcome, Status};

pub(super) const CHECK: Check = Check {
    name: "known_tool",
    description: "The catalog has a tool of this name.",
    explanation: "A call of a tool that nobody declared is denied: there is nothing to check it by. Declare the tool, give its \
                  definition in `schemas` with `undeclared = \"schema-only\"`, or leave it denied.",
    on_fail: Outcome::Deny,
    run: |_, results| results.push(CHECK.result(Status::Passed, String::new())),
};

/// The result for a tool that the catalog doesn't have.
pub(crate) fn unknown(name: &str) -> CheckResult {
    CHECK.result(Status::Failed, format!("the catalog has no tool `{name}`"))
}
