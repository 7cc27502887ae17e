//! TOML as a tree with places.

use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use crate::json::MAX_DEPTH;

use super::diagnostic::{Diagnostic, Source};
use super::tree::{Kind, Member, Node, item_path, key_path, span, table};

/// Reads a file's text; nothing when it is no TOML.
pub(super) fn read(source: &Arc<Source>, errors: &mut Vec<Diagnostic>) -> Option<Node> {
    let (root, syntax) = DeTable::parse_recoverable(&source.text);
    if !syntax.is_empty() {
        // One slip (a quote left out) makes the parser stumble over the rest: only the first place helps.
        let first = syntax.iter().min_by_key(|error| error.span().map_or(0, |span| span.start));
        if let Some(first) = first {
            let at = first.span().unwrap_or(0..0);
            let error = Diagnostic::error(format!("this is no TOML: {}", first.message()));
            errors.push(error.at(span(source, at), ""));
        }
        return None;
    }
    let at = root.span();
    let value = members(source, root.into_inner(), "", 0, errors);
    Some(Node { value, span: span(source, at), path: "".into() })
}

fn members(source: &Arc<Source>, members: DeTable<'_>, path: &str, depth: usize, errors: &mut Vec<Diagnostic>) -> Kind {
    let read = members.into_iter().map(|(key, value)| {
        let at = key.span();
        let key = key.into_inner().into_owned();
        let path = key_path(path, &key);
        let node = node(source, value, path, depth + 1, errors);
        Member { key, key_span: span(source, at), node }
    });
    let read = read.collect();
    table(read, errors)
}

fn node(
    source: &Arc<Source>,
    value: toml::Spanned<DeValue<'_>>,
    path: Arc<str>,
    depth: usize,
    errors: &mut Vec<Diagnostic>,
) -> Node {
    let at = span(source, value.span());
    // The parser itself stops at 80 levels of each kind of nesting, which can still multiply.
    if depth > MAX_DEPTH {
        errors.push(Diagnostic::error(format!("nested deeper than {MAX_DEPTH} levels")).at(at.clone(), &path));
        return Node { value: Kind::Null, span: at, path };
    }
    let value = match value.into_inner() {
        DeValue::String(text) => Kind::Text(text.into_owned()),
        DeValue::Boolean(truth) => Kind::Bool(truth),
        DeValue::Integer(number) => match number.radix() {
            10 => Kind::Number(spelling(number.as_str())),
            radix => match i128::from_str_radix(number.as_str(), radix) {
                Ok(number) => Kind::Number(number.to_string()),
                Err(_) => Kind::Other("a number that is too large"),
            },
        },
        DeValue::Float(number) if number.as_str().ends_with(['f', 'n']) => Kind::Other("a number that isn't finite"),
        DeValue::Float(number) => Kind::Number(spelling(number.as_str())),
        DeValue::Datetime(_) => Kind::Other("a date"),
        DeValue::Array(items) => Kind::List(
            items
                .into_iter()
                .enumerate()
                .map(|(i, item)| node(source, item, item_path(&path, i), depth + 1, errors))
                .collect(),
        ),
        DeValue::Table(inner) => members(source, inner, &path, depth, errors),
    };
    Node { value, span: at, path }
}

/// A TOML number as JSON spells it: without underscores and a plus sign.
fn spelling(number: &str) -> String {
    number.strip_prefix('+').unwrap_or(number).replace('_', "")
}
