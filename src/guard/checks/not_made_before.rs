//! The same call was not made before.

use super::{Check, Outcome, Repeated, Status};

pub(super) const CHECK: Check = Check {
    name: "not_made_before",
    description: "The same call was not already made in this conversation.",
    explanation: "For tools with `once`: a second refund of one order, a payment made twice. Calls that failed don't count, they may \
                  be tried again. `once = { ignore = [\u{2026}], match = {\u{2026}} }` says which arguments make calls the same.",
    on_fail: Outcome::Escalate,
    run: |proposed, results| {
        if proposed.tool.once.is_none() {
            return;
        }
        if !proposed.case.readable() {
            return CHECK.skip(results);
        }
        match proposed.repeated {
            Some(Repeated::Yes(Some(ordinal))) => {
                CHECK.add(results, &[format!("the same call was already made (call {ordinal})")])
            }
            Some(Repeated::Yes(None)) => CHECK.add(results, &["the same call was already made".to_owned()]),
            Some(Repeated::Unknown) => {
                results.push(CHECK.result(Status::Unevaluated, "nobody says which calls were made before".to_owned()));
            }
            Some(Repeated::No) | None => CHECK.add(results, &[]),
        }
    },
};
