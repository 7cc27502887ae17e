//! Logs of requests to a model with their responses: an object with `request` (or `body`) and `response`.
//!
//! The conversation is the request's `messages`, and after them the response's message, which makes the newest call.

use crate::json::{Object, Value};
use crate::transcript::content::take;
use crate::transcript::{Record, RecordError};

use super::{Parsed, object, reply};

/// Where a log keeps the request.
const REQUEST: [&str; 2] = ["request", "body"];

/// Whether an object is a request with its response.
pub(super) fn is_pair(object: &Object<'_>) -> bool {
    REQUEST.iter().any(|key| object.get(key).is_some_and(holds_messages))
}

/// A request has messages, itself, within its `body`, or in a text that is JSON (which is read later).
fn holds_messages(request: &Value<'_>) -> bool {
    match request {
        Value::Object(request) => request.get("messages").is_some() || request.get("body").is_some_and(holds_messages),
        Value::String(text) => text.trim_start().starts_with('{') && text.contains("\"messages\""),
        _ => false,
    }
}

pub(crate) fn parse(record: Value<'_>) -> Result<Parsed<'_>, RecordError> {
    let mut object = object(record)?;
    let request = REQUEST.iter().map(|key| take(&mut object, key)).find(holds_messages);
    let request = request.map(reply::read_text).unwrap_or_default();
    let mut request = match request {
        Value::Object(mut request) if request.get("messages").is_none() => {
            match reply::read_text(take(&mut request, "body")) {
                Value::Object(body) => body,
                other => return Err(no_object(&other)),
            }
        }
        Value::Object(request) => request,
        other => return Err(no_object(&other)),
    };
    let mut messages = match take(&mut request, "messages") {
        Value::Array(messages) => messages,
        other => return Err(RecordError::Field { field: "messages", expected: "a list of messages", found: other.kind() }),
    };
    let system = take(&mut request, "system");
    if !system.is_null() {
        let members = vec![("role".into(), Value::String("system".into())), ("content".into(), system)];
        messages.insert(0, Value::Object(Object::from_members(members)));
    }
    messages.extend(reply::message(reply::read_text(take(&mut object, "response"))));
    let tools = ["tools", "functions"].iter().map(|key| take(&mut request, key)).find(|tools| !tools.is_null());
    Ok(Parsed::Record(Box::new(Record {
        messages: Value::Array(messages),
        tools,
        is_log: true,
        may_repeat: true,
        ..Record::default()
    })))
}

fn no_object(found: &Value<'_>) -> RecordError {
    RecordError::Field { field: "request", expected: "an object with `messages`", found: found.kind() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{canonical, parse as json};

    fn messages(text: &str) -> String {
        let Ok(Parsed::Record(record)) = parse(json(text).unwrap()) else { panic!("a record") };
        canonical(&record.messages)
    }

    #[test]
    fn the_response_follows_the_requests_messages() {
        let pair = r#"{"uri": "https://example.org/v1/chat/completions",
            "request": {"model": "m", "messages": [{"role": "user", "content": "hi"}]},
            "response": {"choices": [{"message": {"role": "assistant", "content": "hello"}}]}}"#;
        let expected = r#"[{"content":"hi","role":"user"},{"content":"hello","role":"assistant"}]"#;
        assert_eq!(messages(pair), expected);
        let batch = r#"{"custom_id": "1", "body": {"messages": [{"role": "user", "content": "hi"}]},
            "response": {"status_code": 200, "body": {"choices": [{"message": {"role": "assistant", "content": "hello"}}]}}}"#;
        assert_eq!(messages(batch), expected);
        let texts = r#"{"request": "{\"messages\": [{\"role\": \"user\", \"content\": \"hi\"}]}",
            "response": "{\"choices\": [{\"message\": {\"role\": \"assistant\", \"content\": \"hello\"}}]}"}"#;
        assert_eq!(messages(texts), expected);
    }

    #[test]
    fn a_system_prompt_beside_the_messages_comes_first() {
        let pair = r#"{"request": {"system": "Be brief.", "messages": [{"role": "user", "content": "hi"}]}, "response": {"error": {}}}"#;
        assert_eq!(messages(pair), r#"[{"content":"Be brief.","role":"system"},{"content":"hi","role":"user"}]"#);
    }
}
