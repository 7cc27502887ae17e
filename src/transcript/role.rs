//! What the words `role`, `type` and `source` of recorded messages mean, as tables.

use std::borrow::Cow;

use crate::json::{Object, Value};

use super::Role;

/// Role names as recorded, in lower case, with the role they mean.
const ROLES: [(&str, Role); 11] = [
    ("user", Role::User),
    ("human", Role::User),
    ("assistant", Role::Assistant),
    ("ai", Role::Assistant),
    ("model", Role::Assistant),
    ("tool", Role::Tool),
    ("function", Role::Tool),
    ("function_call_output", Role::Tool),
    ("tool_result", Role::Tool),
    ("system", Role::System),
    ("developer", Role::System),
];

/// Ends of the types (in snake case) that name a tool output.
const OUTPUT_ENDS: [&str; 8] = [
    "tool_result",
    "call_output",
    "function_response",
    "function_result",
    "search_result",
    "tool_output",
    "tool_response",
    "tool_message",
];

/// Ends of the types (in snake case) that name a call.
const CALL_ENDS: [&str; 2] = ["tool_use", "tool_call"];

/// Pieces of a `source` that name text which a framework wrote in the user's place.
const WRITTEN_SOURCES: [&str; 7] = ["summar", "compact", "compress", "condens", "memory", "generated", "trimm"];

/// What a `type` says about a message or a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// There is no type, or it's no text.
    Untyped,
    /// Plain text.
    Text,
    /// A tool's output.
    Output,
    /// A call.
    Call,
    /// Anything else.
    Other,
}

/// The role that a recorded name means, in any letter case.
pub(crate) fn role_named(name: &str) -> Option<Role> {
    ROLES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, role)| *role)
}

/// What a `type` says.
pub(crate) fn kind_of(recorded: Option<&Value<'_>>) -> Kind {
    let Some(Value::String(text)) = recorded else { return Kind::Untyped };
    let name = snake_case(text);
    if name == "tool" || OUTPUT_ENDS.iter().any(|end| name.ends_with(end)) {
        Kind::Output
    } else if name == "function_call" || CALL_ENDS.iter().any(|end| name.ends_with(end)) {
        Kind::Call
    } else if name == "text" || name == "input_text" {
        Kind::Text
    } else {
        Kind::Other
    }
}

/// A type's name in snake case: `toolResult`, `ToolResult` and `TOOL-RESULT` are `tool_result`.
fn snake_case(name: &str) -> Cow<'_, str> {
    let name = name.trim();
    if name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_') {
        return Cow::Borrowed(name);
    }
    let mut snake = String::with_capacity(name.len() + 4);
    let mut before: Option<char> = None;
    let mut letters = name.chars().peekable();
    while let Some(c) = letters.next() {
        let word_starts = c.is_uppercase()
            && before.is_some_and(|b| {
                b.is_lowercase()
                    || b.is_numeric()
                    || b.is_uppercase() && letters.peek().is_some_and(|next| next.is_lowercase())
            });
        if word_starts {
            snake.push('_');
        }
        match c {
            '-' | '.' => snake.push('_'),
            c if c.is_whitespace() => snake.push('_'),
            c => snake.extend(c.to_lowercase()),
        }
        before = Some(c);
    }
    Cow::Owned(snake)
}

/// Whether these metadata say that a framework wrote the message in the user's place (a summary, a memory).
pub(crate) fn written_by_framework(metadata: &Value<'_>) -> bool {
    let Value::Object(metadata) = metadata else { return false };
    metadata.get("lc_source").is_some_and(says_something)
        || metadata.get("source").and_then(Value::as_str).is_some_and(|source| {
            let source = source.to_lowercase();
            WRITTEN_SOURCES.iter().any(|piece| source.contains(piece))
        })
}

/// Whether a value says anything at all: null, false, zero and what is empty don't.
fn says_something(value: &Value<'_>) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) => true,
        Value::Number(number) => *number != crate::json::Number::from(0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(object) => !object.is_empty(),
    }
}

/// Whether a message or block carries the id of a call that it answers; an empty text counts, null doesn't.
pub(crate) fn carries_call_id(object: &Object<'_>) -> bool {
    ["tool_call_id", "tool_use_id"].iter().any(|key| object.get(key).is_some_and(|id| !id.is_null()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str) -> Kind {
        kind_of(Some(&Value::String(Cow::Borrowed(name))))
    }

    #[test]
    fn types_are_compared_in_snake_case() {
        for name in
            ["toolResult", "TOOL-RESULT", "Tool.Result", "HTTPToolResult", "tool result", "ToolMessage", "tool", "Tool"]
        {
            assert_eq!(kind(name), Kind::Output, "{name}");
        }
        for name in ["mcp_tool_result", "computerCallOutput", "function_response", "web_search_tool_result", "search_result"]
        {
            assert_eq!(kind(name), Kind::Output, "{name}");
        }
        for name in ["tool_results", "toolresult", "document", "function", "output", "tool1Result"] {
            assert_eq!(kind(name), Kind::Other, "{name}");
        }
        for name in ["tool_use", "toolUse", "server_tool_use", "ToolCall", "FUNCTION-CALL", "custom_tool_call"] {
            assert_eq!(kind(name), Kind::Call, "{name}");
        }
        assert_eq!(kind("my_function_call"), Kind::Other);
        assert_eq!(kind("inputText"), Kind::Text);
        assert_eq!(kind_of(None), Kind::Untyped);
    }

    #[test]
    fn roles_are_read_in_any_case_and_no_other_way() {
        assert_eq!(role_named("Human"), Some(Role::User));
        assert_eq!(role_named("DEVELOPER"), Some(Role::System));
        assert_eq!(role_named("critic"), None);
        assert_eq!(role_named(" user"), None);
    }
}
