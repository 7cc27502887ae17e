//! The schema of the tool's arguments can be read.

use super::{Check, Outcome, Status};

pub(super) const CHECK: Check = Check {
    name: "schema_readable",
    description: "The schema of the tool's arguments can be read.",
    explanation: "Without a readable schema nobody knows what the arguments mean, so every call of the tool goes to a person. \
                  Mend the schema; `dryguard catalog check` says what is wrong with it.",
    on_fail: Outcome::Escalate,
    run: |proposed, results| {
        if let Some(why) = proposed.case.unreadable {
            results.push(CHECK.result(Status::Failed, format!("the tool's schema can't be read: {why}")));
        }
    },
};
