//! Where a call's grounded values come from: an allowed message, only a tainted one, only a tool output, or nowhere.

use crate::catalog::model::{Tool, ToolValues};
use crate::transcript::Role;

use super::case::{Case, Sought};
use super::reading::{Quote, Reading};

/// Where one value was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// In a message of an allowed role.
    Allowed(Quote),
    /// In such messages, but only where instruction-like text makes them suspect (whether or not the tool minds).
    Injected(Quote),
    /// In no allowed message, but in a tool output, and the tool lets a person decide about that.
    ToolOutput(Quote),
    /// In no message that counts.
    Nowhere,
}

/// Where each grounded value of a call was found, in the order of the rules.
pub(crate) fn origins(case: &Case<'_>, tool: &Tool, reading: &Reading<'_>) -> Vec<Origin> {
    case.grounded.iter().map(|sought| origin(sought, tool, reading, case.cut)).collect()
}

fn origin(sought: &Sought<'_>, tool: &Tool, reading: &Reading<'_>, cut: usize) -> Origin {
    let user_from = tool.ground_last.map_or(0, |last| reading.last_user_messages(last, cut));
    let tainted = reading.tainted.as_ref().is_some_and(|quote| quote.message < cut);
    let (mut clean, mut suspect): (Option<&Quote>, Option<&Quote>) = (None, None);
    let earlier = |best: Option<&Quote>, quote: &Quote| best.is_none_or(|best| quote < best);
    for needle in &sought.needles {
        for role in tool.ground_from.iter() {
            let from = if role == Role::User { user_from } else { 0 };
            for near_instruction in [false, true] {
                let Some(quote) = reading.first(*needle, role, near_instruction, from, cut) else { continue };
                let is_suspect = near_instruction && tool.scan_user || tainted && role == Role::Tool;
                let best = if is_suspect { &mut suspect } else { &mut clean };
                if earlier(*best, quote) {
                    *best = Some(quote);
                }
            }
        }
    }
    if let Some(quote) = clean {
        return Origin::Allowed(quote.clone());
    }
    if let Some(quote) = suspect {
        return Origin::Injected(quote.clone());
    }
    if tool.tool_values == ToolValues::Escalate && !tool.ground_from.contains(Role::Tool) {
        let quotes = sought.needles.iter().filter_map(|needle| reading.first(*needle, Role::Tool, false, 0, cut));
        if let Some(quote) = quotes.min() {
            return Origin::ToolOutput(quote.clone());
        }
    }
    Origin::Nowhere
}
