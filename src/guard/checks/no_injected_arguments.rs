//! No grounded value comes only from text that carries instructions.

use crate::catalog::model::Injections;

use super::super::provenance::Origin;
use super::{Check, Outcome};

pub(super) const CHECK: Check = Check {
    name: "no_injected_arguments",
    description: "No grounded value is found only where instruction-like text makes it suspect.",
    explanation: "Once a tool output carries text that addresses its reader (\"ignore …\", \"you must …\"), values that only tool \
                  outputs give may be what that text wants. A person decides. The recognition is a heuristic and the second \
                  line: let the user give what matters (`ground_from = [\"user\"]`).",
    on_fail: Outcome::Escalate,
    run: |proposed, results| {
        if proposed.tool.ground.is_empty() || proposed.tool.injections == Injections::Off {
            return;
        }
        if !proposed.case.readable() {
            return CHECK.skip(results);
        }
        let injected = proposed.case.grounded.iter().zip(proposed.origins).filter(|(_, o)| matches!(o, Origin::Injected(_)));
        let reasons: Vec<String> = injected
            .map(|(sought, _)| {
                format!("`{}` is {}, found only beside instruction-like text", sought.argument, sought.shown())
            })
            .collect();
        CHECK.add(results, &reasons);
    },
};
