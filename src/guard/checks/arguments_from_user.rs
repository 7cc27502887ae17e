//! A value that only the user may give isn't one that only a tool output gives.

use crate::catalog::model::ToolValues;

use super::super::provenance::Origin;
use super::{Check, Outcome};
use crate::transcript::Role;

pub(super) const CHECK: Check = Check {
    name: "arguments_from_user",
    description: "No value that tool outputs may not give is found in tool outputs alone.",
    explanation: "With `tool_values = \"escalate\"` a value that is in a tool output, but in no message that may give it, goes to \
                  a person instead of being denied. It is never allowed on its own.",
    on_fail: Outcome::Escalate,
    run: |proposed, results| {
        let tool = proposed.tool;
        if tool.ground.is_empty() || tool.tool_values != ToolValues::Escalate || tool.ground_from.contains(Role::Tool) {
            return;
        }
        if !proposed.case.readable() {
            return CHECK.skip(results);
        }
        let from_tools =
            proposed.case.grounded.iter().zip(proposed.origins).filter(|(_, o)| matches!(o, Origin::ToolOutput(_)));
        let reasons: Vec<String> = from_tools
            .map(|(sought, _)| format!("`{}` is {}, which only a tool output contains", sought.argument, sought.shown()))
            .collect();
        CHECK.add(results, &reasons);
    },
};
