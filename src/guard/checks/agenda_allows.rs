//! No written gate that blocks the tool is closed.

use super::{Check, Outcome};

/// The check's name.
pub(crate) const NAME: &str = "agenda_allows";

pub(super) const CHECK: Check = Check {
    name: NAME,
    description: "No written gate that blocks this tool is closed.",
    explanation: "A gate is a rule of order (\"identify the customer first\"): it blocks tools while its condition over facts is \
                  false. An override lets one through by name and reason, and the decision records that.",
    on_fail: Outcome::Deny,
    run: |proposed, results| results.extend(proposed.case.gates.clone()),
};
