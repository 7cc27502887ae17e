//! What a catalog file holds before anything is known to be right: values with their places, the same for TOML and JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use crate::json::{Number, Object, Value};

use super::diagnostic::{Diagnostic, Source, Span};

/// A value with its place.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// The value.
    pub(super) value: Kind,
    /// Where it's written.
    pub(super) span: Span,
    /// The keys that lead to it: `tools.cancel_order.ground`.
    pub(super) path: Arc<str>,
}

/// A value of any type that TOML or JSON knows.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    Null,
    Bool(bool),
    /// In JSON's spelling.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Table(Vec<Member>),
    /// What no option takes, by its name: dates, `nan`.
    Other(&'static str),
}

/// A key of a table with its value.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) key: String,
    pub(super) key_span: Span,
    pub(super) node: Node,
}

impl Node {
    /// The value's type, as messages call it.
    pub(super) fn kind(&self) -> &'static str {
        match &self.value {
            Kind::Null => "null",
            Kind::Bool(_) => "a boolean",
            Kind::Number(_) => "a number",
            Kind::Text(_) => "a text",
            Kind::List(_) => "a list",
            Kind::Table(_) => "a table",
            Kind::Other(name) => name,
        }
    }

    pub(super) fn members(&self) -> &[Member] {
        match &self.value {
            Kind::Table(members) => members,
            _ => &[],
        }
    }

    pub(super) fn items(&self) -> &[Node] {
        match &self.value {
            Kind::List(items) => items,
            _ => &[],
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn member(&self, key: &str) -> Option<&Member> {
        self.members().iter().find(|member| member.key == key)
    }

    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.member(key).map(|member| &member.node)
    }

    /// The last key that leads to it.
    pub(super) fn name(&self) -> &str {
        match self.path.strip_suffix('"') {
            Some(quoted) => quoted.rsplit_once(".\"").map_or(quoted, |(_, name)| name),
            None => self.path.rsplit('.').next().unwrap_or_default(),
        }
    }

    /// An error at this value.
    pub(super) fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(message).at(self.span.clone(), &self.path)
    }

    /// An error within this text: the range of the value is underlined where the literal holds it as it is, else all of it.
    pub(super) fn error_within(&self, range: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(message).at(Span { source: self.span.source.clone(), range: self.within(range) }, &self.path)
    }

    fn within(&self, range: Range<usize>) -> Range<usize> {
        let whole = self.span.range.clone();
        let (Some(text), Some(literal)) = (self.text(), self.span.source.text.get(whole.clone())) else { return whole };
        // A literal with escapes differs from its text: then no place in it is known.
        let opening = ["\"\"\"\n", "'''\n", "\"\"\"\r\n", "'''\r\n", "\"\"\"", "'''", "\"", "'"];
        let start = opening.iter().find_map(|quotes| {
            let inner = literal.strip_prefix(quotes)?;
            let closing = quotes.trim_end();
            (inner.strip_suffix(closing)? == text).then(|| whole.start + quotes.len())
        });
        match start {
            Some(start) => start + range.start.min(text.len())..start + range.end.min(text.len()),
            None => whole,
        }
    }

    /// The value as JSON.
    pub(super) fn to_json(&self) -> Value<'static> {
        match &self.value {
            Kind::Null | Kind::Other(_) => Value::Null,
            Kind::Bool(truth) => Value::Bool(*truth),
            Kind::Number(spelling) => Number::new(spelling.clone()).map_or(Value::Null, Value::Number),
            Kind::Text(text) => Value::String(text.clone().into()),
            Kind::List(items) => Value::Array(items.iter().map(Node::to_json).collect()),
            Kind::Table(members) => Value::Object(Object::from_members(
                members.iter().map(|member| (member.key.clone().into(), member.node.to_json())).collect(),
            )),
        }
    }

    /// The first value in it that JSON doesn't have.
    pub(super) fn no_json(&self) -> Option<&Node> {
        match &self.value {
            Kind::Other(_) => Some(self),
            Kind::List(items) => items.iter().find_map(Node::no_json),
            Kind::Table(members) => members.iter().find_map(|member| member.node.no_json()),
            _ => None,
        }
    }
}

impl Member {
    /// An error at the key.
    pub(super) fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(message).at(self.key_span.clone(), &self.node.path)
    }
}

/// The path of a key in the table at `path`.
pub(super) fn key_path(path: &str, key: &str) -> Arc<str> {
    let bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let mut out = path.to_owned();
    if !out.is_empty() {
        out.push('.');
    }
    let _ = if bare { write!(out, "{key}") } else { write!(out, "{key:?}") };
    out.into()
}

/// The path of an item in the list at `path`.
pub(super) fn item_path(path: &str, index: usize) -> Arc<str> {
    format!("{path}[{index}]").into()
}

/// Makes the members of a table: in the order they were written, a key that repeats an earlier one as an error.
pub(super) fn table(mut members: Vec<Member>, errors: &mut Vec<Diagnostic>) -> Kind {
    members.sort_by_key(|member| member.key_span.range.start);
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    members.retain(|member| match seen.get(&member.key) {
        Some(first) => {
            let error = member.error(format!("the key `{}` is given twice", member.key));
            errors.push(error.label("again here").related(first.clone(), "first here"));
            false
        }
        None => {
            seen.insert(member.key.clone(), member.key_span.clone());
            true
        }
    });
    Kind::Table(members)
}

/// A place in a file.
pub(super) fn span(source: &Arc<Source>, range: Range<usize>) -> Span {
    Span { source: source.clone(), range }
}
