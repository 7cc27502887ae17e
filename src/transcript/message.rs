//! Messages in every recorded shape, read as the guard does: whose words are whose.

use std::borrow::Cow;
use std::fmt;

use crate::json::Value;

use super::content::Walk;

/// Whose words a message holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The user's own words.
    User,
    /// The agent's.
    Assistant,
    /// A tool's output.
    Tool,
    /// The application's instructions.
    System,
}

impl Role {
    /// The role's name in catalogs and output.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
            Role::System => "system",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A run of one role's text within one recorded message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message<'a> {
    /// Whose words these are.
    pub role: Role,
    /// The text; never empty.
    pub text: Cow<'a, str>,
    /// The index of the recorded message it comes from.
    pub recorded: usize,
}

/// The messages of a recorded conversation: a text (one user message) or a list of messages of any shape.
///
/// Texts are moved out of `context`, never copied, save where blocks are joined. What can't be read is skipped.
///
/// ```
/// use dryguard::json;
/// use dryguard::transcript::{Role, message};
///
/// let context = json::parse(r#"[{"role": "human", "content": [{"type": "text", "text": "Cancel #W1"}]}]"#).unwrap();
/// let messages = message::messages(context);
/// assert_eq!((messages[0].role, messages[0].text.as_ref()), (Role::User, "Cancel #W1"));
/// ```
pub fn messages(context: Value<'_>) -> Vec<Message<'_>> {
    let mut walk = Walk::reading_text_only();
    walk.conversation(context);
    walk.messages
}

/// The user's own texts, joined by newlines.
pub fn user_request(messages: &[Message<'_>]) -> String {
    let texts: Vec<&str> = messages.iter().filter(|m| m.role == Role::User).map(|m| m.text.as_ref()).collect();
    texts.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn read(context: &str) -> Vec<(Role, String)> {
        messages(parse(context).unwrap()).into_iter().map(|m| (m.role, m.text.into_owned())).collect()
    }

    fn one(role: Role, text: &str) -> Vec<(Role, String)> {
        vec![(role, text.to_owned())]
    }

    #[test]
    fn a_text_is_one_user_message_and_an_empty_one_none() {
        assert_eq!(read(r#""hello""#), one(Role::User, "hello"));
        assert_eq!(read(r#""""#), []);
        assert_eq!(read(r#"{"role": "user", "content": "x"}"#), []);
        assert_eq!(read("null"), []);
    }

    #[test]
    fn a_message_may_be_a_pair_or_have_its_role_in_its_type() {
        assert_eq!(read(r#"[["HUMAN", "x"]]"#), one(Role::User, "x"));
        assert_eq!(read(r#"[["user", "x", "y"], ["user"], [5, "x"]]"#), []);
        assert_eq!(read(r#"[{"type": "ai", "content": "x"}]"#), one(Role::Assistant, "x"));
        assert_eq!(read(r#"[{"type": "message", "role": "user", "content": "x"}]"#), one(Role::User, "x"));
        assert_eq!(read(r#"[{"role": "zz", "type": "user", "content": "x"}]"#), []);
    }

    #[test]
    fn a_message_that_answers_a_call_is_a_tool_output_whatever_its_role() {
        assert_eq!(read(r#"[{"role": "user", "content": "x", "tool_call_id": "c"}]"#), one(Role::Tool, "x"));
        assert_eq!(read(r#"[{"role": "user", "content": "x", "tool_use_id": ""}]"#), one(Role::Tool, "x"));
        assert_eq!(read(r#"[{"role": "user", "content": "x", "tool_call_id": null}]"#), one(Role::User, "x"));
        assert_eq!(read(r#"[{"role": "user", "type": "toolMessage", "content": "x"}]"#), one(Role::Tool, "x"));
        assert_eq!(read(r#"[{"type": "function_call_output", "output": "x"}]"#), one(Role::Tool, "x"));
        assert_eq!(read(r#"[{"role": "tool", "content": null, "output": "x"}]"#), one(Role::Tool, "x"));
    }

    #[test]
    fn only_text_blocks_of_a_user_message_are_the_users_words() {
        let block = |block: &str| read(&format!(r#"[{{"role": "user", "content": [{block}]}}]"#));
        assert_eq!(block(r#""x""#), one(Role::User, "x"));
        assert_eq!(block(r#"{"type": "input_text", "text": "x"}"#), one(Role::User, "x"));
        assert_eq!(block(r#"{"text": "x"}"#), one(Role::User, "x"));
        assert_eq!(block(r#"{"text": "x", "content": null}"#), one(Role::Tool, "x"));
        assert_eq!(block(r#"{"type": "text", "text": "x", "tool_use_id": "q"}"#), one(Role::Tool, "x"));
        assert_eq!(block(r#"{"type": "image", "text": "x"}"#), one(Role::Tool, "x"));
        assert_eq!(block(r#"{"type": "text", "text": {"a": "é"}}"#), one(Role::Tool, r#"{"a": "é"}"#));
        assert_eq!(block(r#"{"type": "document", "text": "", "content": ["a", {"text": "b"}]}"#), one(Role::Tool, "a\nb"));
        assert_eq!(block(r#"["x", "y"], 5, null"#), []);
    }

    #[test]
    fn a_call_in_the_content_is_the_assistants_as_text() {
        let block = |block: &str| read(&format!(r#"[{{"role": "user", "content": {block}}}]"#));
        assert_eq!(
            block(r#"{"type": "toolUse", "name": "f", "input": {"b": 1, "a": "é"}}"#),
            one(Role::Assistant, r#"f({"b": 1, "a": "é"})"#)
        );
        assert_eq!(
            block(r#"{"type": "function_call", "name": "f", "arguments": "{\"a\": 1}"}"#),
            one(Role::Assistant, r#"f({"a": 1})"#)
        );
        assert_eq!(block(r#"{"type": "tool_use", "name": "f"}"#), one(Role::Assistant, "f({})"));
    }

    #[test]
    fn what_a_framework_wrote_in_the_users_place_is_the_assistants() {
        let message = |more: &str| read(&format!(r#"[{{"role": "user", "content": "x", {more}}}]"#));
        assert_eq!(message(r#""additional_kwargs": {"lc_source": "summarization"}"#), one(Role::Assistant, "x"));
        assert_eq!(message(r#""metadata": {"source": "Memory"}"#), one(Role::Assistant, "x"));
        assert_eq!(message(r#""metadata": {"source": "user", "lc_source": ""}"#), one(Role::User, "x"));
        assert_eq!(message(r#""tool_call_id": "1", "metadata": {"source": "summary"}"#), one(Role::Tool, "x"));
    }

    #[test]
    fn blocks_of_one_role_are_joined_within_a_message_and_messages_are_not() {
        let text = r#"[{"role": "user", "content": ["a", {"type": "image"}, "", "b", {"type": "tool_result", "content": "r"}, "c"]},
                       {"role": "user", "content": "d"}]"#;
        let expected = [(Role::User, "a\nb"), (Role::Tool, "r"), (Role::User, "c"), (Role::User, "d")];
        assert_eq!(read(text), expected.map(|(role, text)| (role, text.to_owned())));
        let recorded: Vec<usize> = messages(parse(text).unwrap()).iter().map(|m| m.recorded).collect();
        assert_eq!(recorded, [0, 0, 0, 1]);
    }

    #[test]
    fn skipped_text_ends_a_run() {
        let text = r#"[{"role": "critic", "content": [{"type": "tool_result", "content": "a"}, "x", {"type": "tool_result", "content": "b"}]}]"#;
        assert_eq!(read(text), [(Role::Tool, "a".to_owned()), (Role::Tool, "b".to_owned())]);
    }

    #[test]
    fn plain_texts_are_borrowed_from_the_input() {
        let text =
            r#"[{"role": "user", "content": "hello"}, {"role": "tool", "content": [{"type": "text", "text": "world"}]}]"#;
        for message in messages(parse(text).unwrap()) {
            assert!(matches!(message.text, Cow::Borrowed(_)));
        }
    }

    #[test]
    fn the_users_request_is_the_users_words_alone() {
        let text = r#"[["user", "a"], ["assistant", "b"], ["tool", "c"], ["user", "d"]]"#;
        assert_eq!(user_request(&messages(parse(text).unwrap())), "a\nd");
    }
}
