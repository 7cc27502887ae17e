//! The assistant's message in a provider's response: whole, or streamed in pieces.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::json::{Object, Value, parse};
use crate::transcript::content::take;

/// The message in a response, as the next request would repeat it; nothing when the response holds none (an error).
pub(super) fn message(response: Value<'_>) -> Option<Value<'_>> {
    match response {
        Value::Object(mut object) => match object.get("choices").and_then(Value::as_array) {
            Some(_) => choice(take(&mut object, "choices")),
            None if object.get("content").is_some() => {
                let content = take(&mut object, "content");
                Some(assistant(vec![("content".into(), content)]))
            }
            // Some logs keep the message, others the provider's answer with its status and headers.
            None => {
                let inner = ["message", "body"].iter().map(|key| take(&mut object, key)).find(|inner| !inner.is_null())?;
                message(read_text(inner))
            }
        },
        Value::Array(chunks) => streamed(chunks.iter()),
        Value::String(text) => events(&text).or_else(|| {
            let said = !text.trim().is_empty();
            said.then(|| assistant(vec![("content".into(), Value::String(text))]))
        }),
        _ => None,
    }
}

/// What a text says, where a log keeps a request or a response as JSON in a text.
pub(super) fn read_text(value: Value<'_>) -> Value<'_> {
    let parsed = match &value {
        Value::String(text) if text.trim_start().starts_with(['{', '[']) => parse(text).map(Value::into_owned).ok(),
        _ => None,
    };
    parsed.unwrap_or(value)
}

/// The first choice is the one that the conversation goes on from.
fn choice(choices: Value<'_>) -> Option<Value<'_>> {
    let Value::Array(choices) = choices else { return None };
    match choices.into_iter().next()? {
        Value::Object(mut choice) => Some(take(&mut choice, "message")).filter(|message| message.as_object().is_some()),
        _ => None,
    }
}

fn assistant<'a>(mut members: Vec<(Cow<'a, str>, Value<'a>)>) -> Value<'a> {
    members.insert(0, ("role".into(), Value::String("assistant".into())));
    Value::Object(Object::from_members(members))
}

/// Server-sent events: `data: {…}` lines.
fn events(text: &str) -> Option<Value<'static>> {
    let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
    let chunks: Vec<Value<'_>> = data.filter_map(|data| parse(data.trim()).ok()).collect();
    streamed(chunks.iter())
}

/// A message put together from the pieces of a stream.
#[derive(Default)]
struct Pieces {
    text: String,
    calls: BTreeMap<usize, Call>,
    any: bool,
}

#[derive(Default)]
struct Call {
    id: Option<String>,
    name: String,
    arguments: String,
}

fn streamed<'v>(chunks: impl Iterator<Item = &'v Value<'v>>) -> Option<Value<'static>> {
    let mut pieces = Pieces::default();
    for chunk in chunks {
        pieces.add(chunk);
    }
    pieces.any.then(|| pieces.into_message())
}

impl Pieces {
    fn add(&mut self, chunk: &Value<'_>) {
        if let Some(delta) = chunk.get("choices").and_then(Value::as_array).and_then(|c| c.first()?.get("delta")) {
            self.any = true;
            self.text(delta.get("content"));
            for call in delta.get("tool_calls").and_then(Value::as_array).unwrap_or_default() {
                let index = call.get("index").and_then(Value::as_usize).unwrap_or(self.calls.len());
                let function = call.get("function");
                let (name, arguments) = (function.and_then(|f| f.get("name")), function.and_then(|f| f.get("arguments")));
                self.call(index, call.get("id"), name, arguments);
            }
            return;
        }
        let index = chunk.get("index").and_then(Value::as_usize).unwrap_or_default();
        match chunk.get("type").and_then(Value::as_str) {
            Some("message_start") => self.any = true,
            Some("content_block_start") => {
                self.any = true;
                let Some(block) = chunk.get("content_block") else { return };
                if block.get("type").and_then(Value::as_str) == Some("tool_use") {
                    self.call(index, block.get("id"), block.get("name"), None);
                } else {
                    self.text(block.get("text"));
                }
            }
            Some("content_block_delta") => {
                let Some(delta) = chunk.get("delta") else { return };
                self.text(delta.get("text"));
                if delta.get("partial_json").is_some() {
                    self.call(index, None, None, delta.get("partial_json"));
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, piece: Option<&Value<'_>>) {
        self.text.push_str(piece.and_then(Value::as_str).unwrap_or_default());
    }

    fn call(&mut self, index: usize, id: Option<&Value<'_>>, name: Option<&Value<'_>>, arguments: Option<&Value<'_>>) {
        let text = |value: Option<&Value<'_>>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let call = self.calls.entry(index).or_default();
        call.id = id.and_then(Value::as_str).map(str::to_owned).or(call.id.take());
        call.name.push_str(&text(name));
        call.arguments.push_str(&text(arguments));
    }

    fn into_message(self) -> Value<'static> {
        let string = |text: String| Value::String(Cow::Owned(text));
        let call = |call: Call| {
            // A tool without arguments streams none.
            let arguments = if call.arguments.is_empty() { "{}".to_owned() } else { call.arguments };
            let mut members = vec![("name".into(), string(call.name)), ("arguments".into(), string(arguments))];
            members.extend(call.id.map(|id| ("id".into(), string(id))));
            Value::Object(Object::from_members(members))
        };
        let mut members = vec![("content".into(), string(self.text))];
        if !self.calls.is_empty() {
            members.push(("tool_calls".into(), Value::Array(self.calls.into_values().map(call).collect())));
        }
        assistant(members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::canonical;

    fn read(text: &str) -> Option<String> {
        message(read_text(parse(text).unwrap())).map(|message| canonical(&message))
    }

    #[test]
    fn a_completion_holds_the_message_of_its_first_choice() {
        let text = r#"{"choices": [{"message": {"role": "assistant", "content": "a"}}, {"message": {"role": "assistant", "content": "b"}}]}"#;
        assert_eq!(read(text).unwrap(), r#"{"content":"a","role":"assistant"}"#);
        assert_eq!(
            read(r#"{"status_code": 200, "body": {"choices": [{"message": {"role": "assistant"}}]}}"#).unwrap(),
            r#"{"role":"assistant"}"#
        );
    }

    #[test]
    fn the_answer_of_the_messages_interface_is_the_message() {
        let text = r#"{"type": "message", "role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f", "input": {}}]}"#;
        assert_eq!(
            read(text).unwrap(),
            r#"{"content":[{"id":"1","input":{},"name":"f","type":"tool_use"}],"role":"assistant"}"#
        );
    }

    #[test]
    fn a_text_is_what_was_said() {
        assert_eq!(read(r#""done""#).unwrap(), r#"{"content":"done","role":"assistant"}"#);
    }

    #[test]
    fn an_error_holds_no_message() {
        for text in [
            r#"{"error": {"message": "overloaded"}}"#,
            "null",
            "5",
            "[]",
            r#""""#,
            r#"{"input_tokens": 5}"#,
            r#"{"choices": []}"#,
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_stream_is_put_together_from_its_pieces() {
        let chunk = |delta: &str| format!(r#"data: {{"choices": [{{"index": 0, "delta": {delta}}}]}}"#);
        let lines = [
            chunk(r#"{"role": "assistant", "content": null}"#),
            chunk(r#"{"content": "Let me "}"#),
            chunk(r#"{"content": "look."}"#),
            chunk(r#"{"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "get_order", "arguments": ""}}]}"#),
            chunk(r#"{"tool_calls": [{"index": 1, "id": "c2", "function": {"name": "ping", "arguments": ""}}]}"#),
            chunk(r##"{"tool_calls": [{"index": 0, "function": {"arguments": "{\"order_id\": "}}]}"##),
            chunk(r##"{"tool_calls": [{"index": 0, "function": {"arguments": "\"#W1\"}"}}]}"##),
            "data: [DONE]".to_owned(),
        ];
        let text = Value::String(lines.join("\n\n").into());
        let expected = r##"{"content":"Let me look.","role":"assistant","tool_calls":[{"arguments":"{\"order_id\": \"#W1\"}","id":"c1","name":"get_order"},{"arguments":"{}","id":"c2","name":"ping"}]}"##;
        assert_eq!(message(text).map(|message| canonical(&message)).unwrap(), expected);
    }

    #[test]
    fn blocks_are_streamed_by_their_number() {
        let text = r#"[{"type": "message_start"}, {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "On it."}},
            {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {}}},
            {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{\"a\": 1}"}}]"#;
        let expected =
            r#"{"content":"On it.","role":"assistant","tool_calls":[{"arguments":"{\"a\": 1}","id":"t","name":"f"}]}"#;
        assert_eq!(read(text).unwrap(), expected);
    }
}
