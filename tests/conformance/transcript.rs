//! Messages and calls of every shape.

use dryguard::json::{self, Value};
use dryguard::transcript::{ToolCall, message};

/// `messages`: a context to its messages and the user's words.
pub(crate) fn messages(case: &Value<'_>) -> Result<(), String> {
    let read = message::messages(case.get("context").cloned().unwrap_or_default());
    let as_value = |text: &str| Value::String(text.to_owned().into());
    let pairs = read.iter().map(|m| Value::Array(vec![as_value(m.role.as_str()), as_value(&m.text)])).collect();
    let expected = case.get("expect").ok_or("no expectation")?;
    let (ours, theirs) = (Value::Array(pairs), expected.get("messages").cloned().unwrap_or_default());
    if ours != theirs {
        return Err(format!("messages {} expected {}", json::display(&ours), json::display(&theirs)));
    }
    let (ours, theirs) = (message::user_request(&read), expected.get("user_request").and_then(Value::as_str));
    if Some(ours.as_str()) != theirs { Err(format!("user_request {ours:?} expected {theirs:?}")) } else { Ok(()) }
}

/// `tool_call`: a call in some shape to its name, arguments and id, or an error.
pub(crate) fn tool_call(case: &Value<'_>) -> Result<(), String> {
    let expected = case.get("expect").ok_or("no expectation")?;
    let fails = expected.get("error").is_some();
    match ToolCall::parse(case.get("call").ok_or("no call")?) {
        Err(_) if fails => Ok(()),
        Err(error) => Err(error.to_string()),
        Ok(call) if fails => Err(format!("an error was expected, not {call:?}")),
        Ok(call) => {
            let same = expected.get("name").and_then(Value::as_str) == Some(call.name.as_ref())
                && expected.get("arguments") == Some(&call.arguments)
                && expected.get_some("id").and_then(Value::as_str) == call.id.as_deref();
            if same { Ok(()) } else { Err(format!("{call:?} expected {}", json::display(expected))) }
        }
    }
}
