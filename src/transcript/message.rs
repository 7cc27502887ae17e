//! Messages in every recorded shape, read as the guard does: whose words are whose.

use std::borrow::Cow;
use std::fmt;

use crate::json::Value;

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
pub fn messages(_context: Value<'_>) -> Vec<Message<'_>> {
    Vec::new()
}
