//! Every grounded value stands in a message of a role that may give it.

use super::super::case::Sought;
use super::super::provenance::Origin;
use super::{Check, Outcome};

pub(super) const CHECK: Check = Check {
    name: "arguments_grounded",
    description: "Every value that must come from the conversation is in a message of a role that may give it.",
    explanation: "A value that no such message contains was made up, or comes from somewhere it must not come from, whatever \
                  that text says. Ask the user for the value, use it as it was written, or widen `ground_from` if the role \
                  may give it.",
    on_fail: Outcome::Deny,
    run: |proposed, results| {
        if proposed.tool.ground.is_empty() {
            return;
        }
        if !proposed.case.readable() {
            return CHECK.skip(results);
        }
        let roles: Vec<&str> = proposed.tool.ground_from.iter().map(|role| role.as_str()).collect();
        let origins = proposed.case.grounded.iter().zip(proposed.origins);
        let missing: Vec<_> = origins.filter(|(_, origin)| **origin == Origin::Nowhere).map(|(sought, _)| sought).collect();
        CHECK.add_missing(results, proposed.catalog, &missing, |missing| {
            let said = |sought: &&Sought<'_>| {
                format!("`{}` is {}, which no {} message contains", sought.argument, sought.shown(), roles.join(" or "))
            };
            missing.iter().map(said).collect::<Vec<_>>().join("; ")
        });
    },
};
