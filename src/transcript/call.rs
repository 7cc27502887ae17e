//! A proposed call in every recorded shape.

use std::borrow::Cow;

use crate::json::{Object, Value, parse, parse_prefix};

/// A proposed call: a tool's name and its arguments, as data.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall<'a> {
    /// The tool's name; never empty.
    pub name: Cow<'a, str>,
    /// The arguments: an object, or whatever stood in its place (which no schema accepts).
    pub arguments: Value<'a>,
    /// The id that the provider gave; keys nothing.
    pub id: Option<Cow<'a, str>>,
}

/// Why something is no call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// It isn't an object.
    #[error("a call must be an object with a `name` and `arguments`")]
    NoObject,
    /// No usable name: none, no text, or a blank one.
    #[error("the call names no tool: give it a `name` that is a text")]
    NoName,
}

/// What was odd about the arguments of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ArgumentOddities {
    /// They are text that isn't JSON: kept as text.
    pub not_json: bool,
    /// They are text with something after the first JSON value: kept as text.
    pub trailing: bool,
    /// A key is repeated in them, at any depth: the last value counts.
    pub duplicate_keys: bool,
}

/// A call with what was odd about its arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCallRead<'a> {
    /// The call.
    pub call: ToolCall<'a>,
    /// What was odd about its arguments.
    pub oddities: ArgumentOddities,
}

impl<'a> ToolCall<'a> {
    /// Reads a call of any recorded shape.
    ///
    /// ```
    /// use dryguard::json;
    /// use dryguard::transcript::ToolCall;
    ///
    /// let recorded = json::parse(r#"{"id": "c1", "type": "function", "function": {"name": "pay", "arguments": "{\"amount\": 5}"}}"#);
    /// let call = ToolCall::parse(&recorded.unwrap()).unwrap();
    /// assert_eq!(call.name, "pay");
    /// assert_eq!(call.arguments, json::parse(r#"{"amount": 5}"#).unwrap());
    /// ```
    ///
    /// # Errors
    /// The value is no object, or it names no tool.
    pub fn parse(value: &Value<'a>) -> Result<ToolCall<'a>, CallError> {
        Self::read(value.as_object().ok_or(CallError::NoObject)?).map(|read| read.call)
    }

    /// As [`ToolCall::parse`], with what was odd about the arguments.
    ///
    /// # Errors
    /// The object names no tool.
    pub fn read(object: &Object<'a>) -> Result<ToolCallRead<'a>, CallError> {
        // The name and the arguments may stand in a member of their own.
        let inner =
            ["function", "custom"].iter().find_map(|key| object.get(key).and_then(Value::as_object)).unwrap_or(object);
        let name = match inner.get("name") {
            Some(Value::String(name)) if !name.trim().is_empty() => name.clone(),
            _ => return Err(CallError::NoName),
        };
        let mut oddities = ArgumentOddities::default();
        let given =
            ["arguments", "args", "input", "parameters"].iter().filter_map(|key| inner.get(key)).find(|v| !v.is_null());
        let arguments = given.map(|given| arguments(given, &mut oddities)).unwrap_or_default();
        let arguments = if arguments.is_null() { Value::Object(Object::default()) } else { arguments };
        oddities.duplicate_keys = repeats_a_key(&arguments);
        let id = ["id", "call_id", "tool_call_id"].iter().find_map(|key| match object.get(key) {
            Some(Value::String(id)) => Some(id.clone()),
            _ => None,
        });
        Ok(ToolCallRead { call: ToolCall { name, arguments, id }, oddities })
    }
}

/// Arguments as data: text that holds exactly one JSON value is read, a blank one is nothing, any other stays text.
fn arguments<'a>(given: &Value<'a>, oddities: &mut ArgumentOddities) -> Value<'a> {
    let Value::String(text) = given else { return given.clone() };
    if text.trim().is_empty() {
        return Value::Null;
    }
    let read = match text {
        Cow::Borrowed(text) => parse(text),
        Cow::Owned(text) => parse(text).map(Value::into_owned),
    };
    read.unwrap_or_else(|_| {
        match parse_prefix(text.as_bytes()) {
            Ok(_) => oddities.trailing = true,
            Err(_) => oddities.not_json = true,
        }
        Value::String(text.clone())
    })
}

/// Whether an object in the value, at any depth, repeats a key. Depth is limited by the parser.
fn repeats_a_key(value: &Value<'_>) -> bool {
    match value {
        Value::Array(items) => items.iter().any(repeats_a_key),
        Value::Object(object) => has_duplicates(object) || object.iter().any(|(_, value)| repeats_a_key(value)),
        _ => false,
    }
}

fn has_duplicates(object: &Object<'_>) -> bool {
    // Most objects are small: comparing pairs then beats sorting.
    if object.len() > 16 {
        return object.duplicate_key().is_some();
    }
    object.iter().enumerate().any(|(i, (key, _))| object.iter().take(i).any(|(earlier, _)| earlier == key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ToolCallRead<'_>, CallError> {
        let value = parse(text).unwrap();
        ToolCall::read(value.as_object().ok_or(CallError::NoObject)?)
    }

    fn arguments_of(text: &str) -> Value<'_> {
        read(text).unwrap().call.arguments
    }

    #[test]
    fn every_shape_is_read() {
        let expected = parse(r#"{"a": 1}"#).unwrap();
        for (shape, id) in [
            (r#"{"name": "f", "arguments": {"a": 1}}"#, None),
            (r#"{"name": "f", "args": {"a": 1}, "id": "x"}"#, Some("x")),
            (r#"{"name": "f", "parameters": {"a": 1}}"#, None),
            (r#"{"type": "tool_use", "id": "x", "name": "f", "input": {"a": 1}}"#, Some("x")),
            (r#"{"id": "x", "type": "function", "function": {"name": "f", "arguments": "{\"a\": 1}"}}"#, Some("x")),
            (r#"{"type": "function_call", "call_id": "x", "name": "f", "arguments": "{\"a\": 1}"}"#, Some("x")),
            (r#"{"name": "f", "arguments": {"a": 1}, "tool_call_id": "x"}"#, Some("x")),
        ] {
            let call = read(shape).unwrap().call;
            assert_eq!((call.name.as_ref(), call.id.as_deref()), ("f", id), "{shape}");
            assert_eq!(call.arguments, expected, "{shape}");
        }
    }

    #[test]
    fn nothing_and_blank_text_are_no_arguments() {
        let empty = parse("{}").unwrap();
        for given in ["null", r#""""#, r#""  ""#, r#""null""#] {
            assert_eq!(read(&format!(r#"{{"name": "f", "arguments": {given}}}"#)).unwrap().call.arguments, empty, "{given}");
        }
        assert_eq!(arguments_of(r#"{"name": "f"}"#), empty);
    }

    #[test]
    fn text_that_is_no_json_stays_text_and_is_counted() {
        let odd = |text: &str| read(text).unwrap().oddities;
        assert!(odd(r#"{"name": "f", "arguments": "{\"a\": NaN}"}"#).not_json);
        assert!(odd(r#"{"name": "f", "arguments": "{\"a\": 1}{\"a\": 2}"}"#).trailing);
        assert_eq!(
            arguments_of(r#"{"name": "f", "arguments": "{\"a\": 1}{\"a\": 2}"}"#),
            Value::String(Cow::Borrowed(r#"{"a": 1}{"a": 2}"#))
        );
        assert_eq!(odd(r#"{"name": "f", "arguments": "[1]"}"#), ArgumentOddities::default());
    }

    #[test]
    fn a_repeated_key_is_noticed_at_any_depth() {
        assert!(read(r#"{"name": "f", "arguments": {"a": [{"b": 1, "b": 2}]}}"#).unwrap().oddities.duplicate_keys);
        assert!(!read(r#"{"name": "f", "arguments": {"a": [{"b": 1}, {"b": 2}]}}"#).unwrap().oddities.duplicate_keys);
    }

    #[test]
    fn no_usable_name_is_an_error() {
        for text in [r#"{"name": ""}"#, r#"{"name": 3}"#, r#"{"function": "f"}"#, r#"{"arguments": {}}"#] {
            assert_eq!(read(text), Err(CallError::NoName), "{text}");
        }
        assert_eq!(ToolCall::parse(&Value::Null), Err(CallError::NoObject));
    }
}
