//! A proposed call in every recorded shape.

use std::borrow::Cow;

use crate::json::Value;

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
