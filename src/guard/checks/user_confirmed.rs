//! The user accepted a message of the assistant that names the call's values.

use super::super::confirmation::Confirmation;
use super::{Check, CheckResult, Outcome, Status};

pub(super) const CHECK: Check = Check {
    name: "user_confirmed",
    description: "The user explicitly accepted a message of the assistant that names the call's values.",
    explanation: "For tools with `confirm`: nothing in a tool output can write the user's yes. Let the assistant restate the call with \
                  its values and wait for the user's next message. It costs turns, and what the user accepts is allowed.",
    on_fail: Outcome::Deny,
    run: |proposed, results| {
        let Some(confirm) = &proposed.tool.confirm else { return };
        if !proposed.case.readable() {
            return CHECK.skip(results);
        }
        let reason = match proposed.confirmation {
            Some(Confirmation::Given(_)) => String::new(),
            Some(Confirmation::Incomplete { closest, lacking }) => {
                let values = lacking.iter().filter_map(|index| proposed.case.confirmed.get(*index));
                let lacking: Vec<String> = values.map(|sought| format!("`{}` = {}", sought.argument, sought.shown)).collect();
                format!(
                    "no message of the assistant that the user accepted names {}; the closest, accepted with {}, doesn't",
                    lacking.join(", "),
                    proposed.reading.excerpt_of(closest.acceptance)
                )
            }
            Some(Confirmation::Nothing) | None => "the user has accepted no message of the assistant".to_owned(),
        };
        let status = if reason.is_empty() { Status::Passed } else { Status::Failed };
        results.push(CheckResult { on_fail: confirm.on_fail, ..CHECK.result(status, reason) });
    },
};
