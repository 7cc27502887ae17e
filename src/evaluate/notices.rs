//! What nobody may overlook: whatever makes a run say less than it seems to.

use super::denominator::{Denominator, UnknownKeys};
use super::summary::Summary;

/// How many names a notice lists.
const NAMES: usize = 12;

impl Summary {
    /// The loud lines of a run: nothing is silently empty.
    pub fn notices(&self) -> Vec<String> {
        let mut notices = Vec::new();
        let mut say = |line: String| notices.push(line);
        if self.interrupted {
            say("the run was interrupted: these are the figures of a beginning of the input".to_owned());
        }
        let read = &self.denominator;
        if read.rejected.count > 0 {
            say(format!("{} could not be read", counted(read.rejected.count, "record", "records")));
        }
        if read.unmerged > 1 {
            let which = counted(read.unmerged, "record is a request", "records are requests");
            say(format!(
                "{which} to a model, and a pipe is read once: a conversation that later requests repeat is counted each time; \
                 name the files instead"
            ));
        }
        if read.recurring_ids > 0 {
            let which = counted(read.recurring_ids, "conversation has", "conversations have");
            say(format!("{which} the id of an earlier one: is something in the input twice?"));
        }
        if read.proposals > 0 && read.without_tool_messages == read.conversations {
            say("no conversation has a tool's output: values can only be found in the users' words".to_owned());
        }
        if !read.unknown_keys.is_empty() {
            let keys = counted(read.unknown_keys.len(), "key of the records means", "keys of the records mean");
            say(format!("{keys} nothing here: {}", unknown_keys(read)));
        }
        if self.expected.unmet > 0 {
            let calls = counted(self.expected.unmet, "call is", "calls are");
            say(format!("{calls} answered otherwise than expected"));
        }
        if let Some(provenance) = &self.provenance {
            let without: Vec<&str> =
                provenance.tools.iter().filter(|(_, row)| row.undefined > 0).map(|(name, _)| name.as_str()).collect();
            if !without.is_empty() {
                let tools = counted(without.len(), "called tool has no schema", "called tools have no schema");
                say(format!("{tools}, so arguments could not be checked: {}", named(&without)));
            }
        }
        if self.catalog.is_some() {
            self.notices_of_the_catalog(&mut say);
        }
        notices
    }

    fn notices_of_the_catalog(&self, say: &mut impl FnMut(String)) {
        let mut list = |names: Vec<&str>, one: &str, many: &str| {
            if !names.is_empty() {
                say(format!("{}: {}", counted(names.len(), one, many), named(&names)));
            }
        };
        list(self.rules_never_applied().into_iter().collect(), "rule applied to no call", "rules applied to no call");
        let never = self.checks.iter().filter(|(_, row)| row.applied > 0 && row.applied == row.unevaluated);
        list(
            never.map(|(name, _)| name.as_str()).collect(),
            "check could never be evaluated",
            "checks could never be evaluated",
        );
        list(self.facts_never_given().into_iter().collect(), "fact was never given", "facts were never given");
        let errors = self.facts_with_errors().map(|(name, _)| name).collect();
        list(errors, "fact could not be taken from some result", "facts could not be taken from some results");
        list(
            self.tools_undeclared().into_iter().collect(),
            "called tool is not in the catalog",
            "called tools are not in the catalog",
        );
        list(
            self.tools_never_called().into_iter().collect(),
            "declared tool was never called",
            "declared tools were never called",
        );
    }
}

impl Denominator {
    /// What was odd about the records, each with how it's read; only what occurs.
    pub fn odd(&self) -> Vec<(usize, &'static str)> {
        let odd = &self.oddities;
        [
            (odd.missing_ids, "calls without an id, matched to results in order"),
            (odd.recurring_ids, "calls with an earlier call's id"),
            (odd.arguments_not_json, "calls whose arguments are no JSON"),
            (odd.arguments_trailing, "calls with text after their arguments' JSON"),
            (odd.duplicate_keys, "calls that repeat an argument (the last counts)"),
            (odd.parallel_calls, "messages with more than one call"),
            (odd.results_without_call, "tool results that answer no call"),
            (odd.calls_without_result, "calls that no result answers (not made)"),
            (odd.unreadable_calls, "calls without a usable name (no proposals)"),
            (odd.unknown_roles, "messages of an unknown role (passed over)"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .collect()
    }
}

/// `1 record`, `2 records`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// `calls[].authorised` (3 times; `authorized`?)
fn unknown_keys(read: &Denominator) -> String {
    let one = |(path, row): (&String, &UnknownKeys)| {
        let times = counted(row.count, "time", "times");
        let meant = row.meant.as_ref().map(|meant| format!("; is `{meant}` meant?")).unwrap_or_default();
        format!("`{path}` ({times}{meant})")
    };
    let listed: Vec<String> = read.unknown_keys.iter().take(NAMES).map(one).collect();
    and_more(listed, read.unknown_keys.len())
}

fn named(names: &[&str]) -> String {
    let listed: Vec<String> = names.iter().take(NAMES).map(|name| format!("`{name}`")).collect();
    and_more(listed, names.len())
}

/// The listed ones, and how many of all aren't.
fn and_more(listed: Vec<String>, all: usize) -> String {
    match all.saturating_sub(listed.len()) {
        0 => listed.join(", "),
        more => format!("{} and {more} more", listed.join(", ")),
    }
}
