//! Which calls are the same, for tools that must not make one twice.

use std::collections::HashMap;

use crate::catalog::model::Once;
use crate::json::{self, Object, Value};
use crate::text::Matcher;
use crate::text::address::Address;
use crate::text::normalize::Reading;

/// The calls made so far, by what makes calls the same.
#[derive(Default)]
pub(crate) struct Made {
    /// Calls of earlier messages that did not fail.
    settled: HashMap<String, usize>,
    /// Calls of the message at hand: the later of parallel ones knows that the earlier was made, not how it ended.
    pending: HashMap<String, (usize, bool)>,
    /// That message.
    at: usize,
}

impl Made {
    /// Notes a call that was made; the first of equal ones is kept.
    pub(crate) fn note(&mut self, key: String, at: usize, ordinal: usize, failed: bool) {
        self.settle(at);
        self.pending.entry(key).or_insert((ordinal, failed));
    }

    /// The number of the first such call known at message `at`; nothing when there's none.
    pub(crate) fn find(&mut self, key: &str, at: usize) -> Option<Option<usize>> {
        self.settle(at);
        let parallel = self.pending.get(key).map(|(ordinal, _)| *ordinal);
        self.settled.get(key).copied().or(parallel).map(Some)
    }

    fn settle(&mut self, at: usize) {
        if at != self.at {
            let ended = std::mem::take(&mut self.pending);
            let lasting = ended.into_iter().filter(|(key, (_, failed))| !failed && !self.settled.contains_key(key));
            let lasting: Vec<(String, usize)> = lasting.map(|(key, (ordinal, _))| (key, ordinal)).collect();
            self.settled.extend(lasting);
            self.at = at;
        }
    }
}

/// What makes calls of a tool the same: the name and the arguments, numbers by value; without the ignored ones, those with
/// a matcher as it reads them.
pub(crate) fn key(tool: &str, once: &Once, arguments: &Object<'_>) -> String {
    let kept = arguments.sorted().into_iter().filter(|(name, _)| !once.ignore.iter().any(|ignored| ignored == name));
    let read = kept.map(|(name, value)| {
        let value = match once.matchers.get(name) {
            Some(matcher) => as_read_by(*matcher, value),
            None => value.clone(),
        };
        (name.to_owned().into(), value)
    });
    format!("{tool}({})", json::canonical(&Value::Object(Object::from_members(read.collect()))))
}

/// A value in the form in which a matcher no longer tells it from those it takes for the same.
fn as_read_by<'a>(matcher: Matcher, value: &Value<'a>) -> Value<'a> {
    match value {
        Value::Array(items) => Value::Array(items.iter().map(|item| as_read_by(matcher, item)).collect()),
        Value::String(text) => match matcher {
            Matcher::NoCase => Value::String(folded(text).into()),
            Matcher::Id => Value::String(folded(text).trim_start_matches('#').to_owned().into()),
            Matcher::Url | Matcher::UrlPrefix => match Address::parse(text) {
                Some(address) => Value::String(format!("{address:?}").into()),
                None => value.clone(),
            },
            Matcher::Token | Matcher::Whole | Matcher::Spaced | Matcher::Substring => value.clone(),
        },
        other => other.clone(),
    }
}

fn folded(text: &str) -> String {
    Reading::folded(text).text().to_owned()
}
