//! The catalog's own rules, each under its own name: what the user asked for, then expressions.

use super::{Check, CheckResult, Outcome, Status};

pub(super) const CHECK: Check = Check {
    name: "policies",
    description: "The catalog's own rules hold, each reported under its own name.",
    explanation: "A rule is an expression over the call's arguments and the facts of its moment that must be true; `request` wants the \
                  user's own messages to ask for such an action. A rule that reads a fact nobody gave can't be evaluated, and \
                  the call then goes to a person.",
    on_fail: Outcome::Deny,
    run: |proposed, results| {
        let request = proposed.tool.request.as_ref().map(|request| {
            let asked = proposed.reading.asked_for(request, proposed.case.cut);
            let reason = if asked { String::new() } else { "the user's messages ask for no such action".to_owned() };
            CheckResult {
                check: request.name.clone(),
                status: if asked { Status::Passed } else { Status::Failed },
                on_fail: request.on_fail,
                reason,
                missing_facts: Vec::new(),
                gates: Vec::new(),
            }
        });
        for outcome in [Outcome::Deny, Outcome::Escalate] {
            results.extend(request.clone().filter(|request| request.on_fail == outcome));
            results.extend(proposed.case.policies.iter().filter(|policy| policy.on_fail == outcome).cloned());
        }
    },
};
