//! One file a wire format: what a record of it looks like. This file has the table of them.

mod dryguard;
mod reply;
mod request_log;
mod tau2_bench;
mod tau_bench;

use std::fmt;
use std::str::FromStr;

use crate::json::{Number, Object, Value};

use super::content::take;
use super::{Record, RecordError};

pub(crate) use tau2_bench::Tasks;

/// A wire format of recorded conversations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// An object with `messages` (and what DESIGN's transcripts have beside it), or a bare list of messages.
    Dryguard,
    /// A request to a model with its response: `request` and `response`.
    RequestLog,
    /// A result of τ-bench's runner: `traj`, `reward`, `info`.
    TauBench,
    /// A simulation of τ²-bench's runner; the file is an object with `simulations` and `tasks`.
    Tau2Bench,
}

/// A record of some format, or the reason why there's no conversation in it.
#[derive(Debug)]
pub(crate) enum Parsed<'a> {
    /// A conversation.
    Record(Box<Record<'a>>),
    /// The recording crashed before it began.
    NotRun {
        /// The record's identity, where it has one.
        id: Option<String>,
        /// Why, in the record's words.
        reason: String,
    },
}

/// What the file around a record says that the record doesn't.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings<'s> {
    /// The file's name without its folders and endings.
    pub stem: &'s str,
    /// The tasks of a τ²-bench file.
    pub tasks: Option<&'s Tasks>,
}

impl Format {
    /// Every format, in the order in which they are named to users.
    pub const ALL: [Format; 4] = [Format::Dryguard, Format::RequestLog, Format::TauBench, Format::Tau2Bench];

    /// The format's name, as `--input-format` takes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Dryguard => "dryguard",
            Format::RequestLog => "request-log",
            Format::TauBench => "tau-bench",
            Format::Tau2Bench => "tau2-bench",
        }
    }

    /// The format that a record is in, by its keys; nothing when it has none of the known ones.
    pub fn recognise(record: &Value<'_>) -> Option<Format> {
        match record {
            Value::Array(messages) if messages.first().is_none_or(is_message) => Some(Format::Dryguard),
            Value::Object(object) if request_log::is_pair(object) => Some(Format::RequestLog),
            Value::Object(object) if object.get("traj").is_some() => Some(Format::TauBench),
            Value::Object(object) if object.get("messages").is_some() => {
                let simulated = ["termination_reason", "reward_info"].iter().any(|key| object.get(key).is_some());
                Some(if simulated && object.get("task_id").is_some() { Format::Tau2Bench } else { Format::Dryguard })
            }
            _ => None,
        }
    }

    /// Takes a record apart.
    pub(crate) fn parse<'a>(self, record: Value<'a>, around: Surroundings<'_>) -> Result<Parsed<'a>, RecordError> {
        match self {
            Format::Dryguard => dryguard::parse(record),
            Format::RequestLog => request_log::parse(record),
            Format::TauBench => tau_bench::parse(record, around),
            Format::Tau2Bench => tau2_bench::parse(record, around),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A format's name that isn't known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no input format: use `dryguard`, `request-log`, `tau-bench` or `tau2-bench`")]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Format::ALL.into_iter().find(|format| format.as_str() == name).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// Whether something in a list is a message, so that the list is a conversation and not a list of records.
pub(crate) fn is_message(element: &Value<'_>) -> bool {
    match element {
        Value::Object(object) => {
            let has = |key: &str| object.get(key).is_some();
            (has("role") || has("type") || has("content")) && !has("messages") && !has("traj") && !has("request")
        }
        Value::Array(pair) => matches!(pair.as_slice(), [Value::String(_), _]),
        _ => false,
    }
}

/// The members of a record that must be an object.
fn object(record: Value<'_>) -> Result<Object<'_>, RecordError> {
    match record {
        Value::Object(object) => Ok(object),
        other => Err(RecordError::Field { field: "record", expected: "an object", found: other.kind() }),
    }
}

/// A text or number as a piece of an identity; nothing when it's neither, or empty.
fn name_of(value: &Value<'_>) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone().into_owned()),
        Value::Number(number) => Some(number.as_str().to_owned()),
        _ => None,
    }
}

/// `stem/task/trial`, as far as the record says them: how both τ-benches name a conversation.
fn task_identity(stem: &str, object: &mut Object<'_>) -> Option<String> {
    let task = name_of(&take(object, "task_id"))?;
    Some(match name_of(&take(object, "trial")) {
        Some(trial) => format!("{stem}/{task}/{trial}"),
        None => format!("{stem}/{task}"),
    })
}

/// Whether a reward is the full one; nothing when there is none.
fn full_reward(reward: Option<&Value<'_>>) -> Option<bool> {
    match reward {
        Some(Value::Number(reward)) => Some(*reward == Number::from(1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn recognised(text: &str) -> Option<Format> {
        Format::recognise(&parse(text).unwrap())
    }

    #[test]
    fn formats_are_recognised_by_their_keys() {
        assert_eq!(recognised(r#"{"messages": []}"#), Some(Format::Dryguard));
        assert_eq!(recognised(r#"[{"role": "user", "content": "x"}]"#), Some(Format::Dryguard));
        assert_eq!(recognised(r#"{"traj": [], "reward": 0}"#), Some(Format::TauBench));
        assert_eq!(
            recognised(r#"{"messages": [], "task_id": "1", "termination_reason": "user_stop"}"#),
            Some(Format::Tau2Bench)
        );
        assert_eq!(recognised(r#"{"text": "x"}"#), None);
        assert_eq!(recognised(r#"[{"messages": []}]"#), None);
        assert_eq!(recognised(r#"[["user", "x"]]"#), Some(Format::Dryguard));
        assert_eq!(recognised(r#"{"request": {"messages": []}, "response": null}"#), Some(Format::RequestLog));
        assert_eq!(recognised(r#"{"request": {"body": {"messages": []}}}"#), Some(Format::RequestLog));
        assert_eq!(recognised(r#"{"request": {"url": "x"}}"#), None);
        assert_eq!(recognised("5"), None);
    }

    #[test]
    fn names_are_read_back() {
        for format in Format::ALL {
            assert_eq!(format.as_str().parse(), Ok(format));
        }
        assert!("tau".parse::<Format>().unwrap_err().to_string().contains("`tau` is no input format"));
    }
}
