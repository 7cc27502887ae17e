//! No tool output carries instructions at all, for tools that ask for that.

use crate::catalog::model::Injections;

use super::{Check, Outcome};

pub(super) const CHECK: Check = Check {
    name: "no_instructions_in_tool_outputs",
    description: "No tool output of the conversation carries instruction-like text.",
    explanation: "For tools with `injections = \"any\"`: their effect is large enough that any text in a tool output that addresses \
                  its reader sends the call to a person, wherever its values come from.",
    on_fail: Outcome::Escalate,
    run: |proposed, results| {
        if proposed.tool.injections != Injections::Any {
            return;
        }
        let tainted = proposed.reading.tainted.as_ref().filter(|quote| quote.message < proposed.case.cut);
        let reasons: Vec<String> = tainted
            .map(|quote| format!("a tool output carries instruction-like text: {}", proposed.reading.excerpt(quote)))
            .into_iter()
            .collect();
        CHECK.add(results, &reasons);
    },
};
