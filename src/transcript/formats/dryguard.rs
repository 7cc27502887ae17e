//! Our own format, which a plain log of chat requests is too: an object with `messages`, or a bare list of messages.

use crate::json::{Object, Value};
use crate::transcript::content::take;
use crate::transcript::{Record, RecordError, UnknownKey};

use super::{Parsed, name_of, object, reply};

const KEYS: [&str; 7] = ["id", "messages", "calls", "tools", "facts", "success", "meta"];

/// Keys of requests to a model, which a conversation's record doesn't have.
const REQUEST_KEYS: [&str; 4] = ["model", "temperature", "tool_choice", "max_tokens"];

/// A key this short is near to everything.
const SHORTEST: usize = 4;

pub(crate) fn parse(record: Value<'_>) -> Result<Parsed<'_>, RecordError> {
    if matches!(record, Value::Array(_)) {
        return Ok(Parsed::Record(Box::new(Record { messages: record, may_repeat: true, ..Record::default() })));
    }
    let mut object = object(record)?;
    // A log has keys of its own; only those that are probably ours, misspelt, are worth a word.
    let unknown_keys = UnknownKey::of(&object, "", &KEYS).filter(|key| key.meant.is_some() && key.path.len() >= SHORTEST);
    let unknown_keys = unknown_keys.collect();
    let id = match take(&mut object, "id") {
        Value::Null => None,
        id => Some(name_of(&id).ok_or(RecordError::Field {
            field: "id",
            expected: "a text that isn't empty",
            found: id.kind(),
        })?),
    };
    let facts = match take(&mut object, "facts") {
        Value::Null => Object::default(),
        Value::Object(facts) => facts,
        other => return Err(RecordError::Field { field: "facts", expected: "an object", found: other.kind() }),
    };
    let success = match take(&mut object, "success") {
        Value::Null => None,
        Value::Bool(success) => Some(success),
        other => return Err(RecordError::Field { field: "success", expected: "true or false", found: other.kind() }),
    };
    let mut messages = take(&mut object, "messages");
    // A log that keeps the request's keys and the response beside them.
    let response = ["response", "choices"].into_iter().find(|key| object.get(key).is_some_and(|value| !value.is_null()));
    if let (Value::Array(messages), Some(key)) = (&mut messages, response) {
        let response = take(&mut object, key);
        let response = if key == "choices" {
            Value::Object(Object::from_members(vec![("choices".into(), response)]))
        } else {
            reply::read_text(response)
        };
        messages.extend(reply::message(response));
    }
    let calls = take(&mut object, "calls");
    Ok(Parsed::Record(Box::new(Record {
        id,
        // Whatever somebody says about a conversation belongs to this record alone.
        may_repeat: calls.is_null() && facts.is_empty() && success.is_none(),
        is_log: REQUEST_KEYS.iter().any(|key| object.get(key).is_some()) || response.is_some(),
        facts,
        success,
        messages,
        calls,
        tools: Some(take(&mut object, "tools")).filter(|tools| !tools.is_null()),
        gold: None,
        unknown_keys,
        meta: Some(take(&mut object, "meta")).filter(|meta| !meta.is_null()),
    })))
}
