//! The user accepted a message of the assistant that names the call's values.

use super::super::case::Sought;
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
        let (status, reason) = match proposed.confirmation {
            Some(Confirmation::Given(_)) => (Status::Passed, String::new()),
            Some(Confirmation::Incomplete { closest, lacking }) => {
                let lacking: Vec<&Sought<'_>> =
                    lacking.iter().filter_map(|index| proposed.case.confirmed.get(*index)).collect();
                CHECK.add_missing(results, proposed.catalog, &lacking, |lacking| {
                    let values: Vec<String> = lacking.iter().map(|sought| format!("`{}` = {}", sought.argument, sought.shown())).collect();
                    let accepted = proposed.reading.excerpt_of(closest.acceptance);
                    let values = values.join(", ");
                    format!("no message of the assistant that the user accepted names {values}; the closest, accepted with {accepted}, doesn't")
                });
                if let Some(result) = results.last_mut() {
                    result.on_fail = confirm.on_fail;
                }
                return;
            }
            Some(Confirmation::Nothing) | None => {
                (Status::Failed, "the user has accepted no message of the assistant".to_owned())
            }
        };
        results.push(CheckResult { on_fail: confirm.on_fail, ..CHECK.result(status, reason) });
    },
};
