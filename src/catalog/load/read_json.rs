//! JSON as a tree with places.

use std::sync::Arc;

use hifijson::token::{Expect, Lex as _};
use hifijson::{LexAlloc, SliceLexer};

use crate::json::MAX_DEPTH;

use super::diagnostic::{Diagnostic, Source};
use super::tree::{Kind, Member, Node, item_path, key_path, span, table};

/// Reads a file's text; nothing when it is no JSON.
pub(super) fn read(source: &Arc<Source>, errors: &mut Vec<Diagnostic>) -> Option<Node> {
    let mut reader = Reader { source, length: source.text.len(), errors };
    let mut lexer = SliceLexer::new(source.text.as_bytes());
    let read = match lexer.ws_peek() {
        Some(next) => reader.node(&mut lexer, next, "".into(), MAX_DEPTH),
        None => Err(Expect::Value.into()),
    };
    let read = read.and_then(|node| match lexer.ws_peek() {
        None => Ok(node),
        Some(_) => Err(Expect::Eof.into()),
    });
    match read {
        Ok(node) => Some(node),
        Err(error) => {
            let at = reader.at(&lexer);
            let reason = match error {
                hifijson::Error::Depth => format!("nested deeper than {MAX_DEPTH} levels"),
                other => other.to_string(),
            };
            let error = Diagnostic::error(format!("this is no JSON: {reason}"));
            errors.push(error.at(span(source, at..at + 1), ""));
            None
        }
    }
}

struct Reader<'s, 'e> {
    source: &'s Arc<Source>,
    length: usize,
    errors: &'e mut Vec<Diagnostic>,
}

impl Reader<'_, '_> {
    fn at(&self, lexer: &SliceLexer<'_>) -> usize {
        self.length - lexer.as_slice().len()
    }

    fn node(&mut self, lexer: &mut SliceLexer<'_>, next: u8, path: Arc<str>, depth: usize) -> Result<Node, hifijson::Error> {
        let depth = depth.checked_sub(1).ok_or(hifijson::Error::Depth)?;
        let start = self.at(lexer);
        let value = match next {
            b'a'..=b'z' => lexer.null_or_bool().ok_or(Expect::Value)?.map_or(Kind::Null, Kind::Bool),
            b'0'..=b'9' | b'-' => {
                let (text, _) = hifijson::num::LexWrite::num_string(lexer).validated()?;
                Kind::Number(text.to_owned())
            }
            b'"' => Kind::Text(hifijson::str::LexAlloc::str_string(lexer.discarded())?.into_owned()),
            b'[' => {
                let mut items = Vec::new();
                lexer.discarded().seq(b']', SliceLexer::ws_peek, |next, lexer| {
                    let item = self.node(lexer, next, item_path(&path, items.len()), depth)?;
                    items.push(item);
                    Ok::<_, hifijson::Error>(())
                })?;
                Kind::List(items)
            }
            b'{' => {
                let mut members = Vec::new();
                lexer.discarded().seq(b'}', SliceLexer::ws_peek, |next, lexer| {
                    let key_start = self.at(lexer);
                    lexer.expect(|_| Some(next), b'"').ok_or(Expect::String)?;
                    let key = hifijson::str::LexAlloc::str_string(lexer)?.into_owned();
                    let key_span = span(self.source, key_start..self.at(lexer));
                    lexer.expect(SliceLexer::ws_peek, b':').ok_or(Expect::Colon)?;
                    let next = lexer.ws_peek().ok_or(Expect::Value)?;
                    let node = self.node(lexer, next, key_path(&path, &key), depth)?;
                    members.push(Member { key, key_span, node });
                    Ok::<_, hifijson::Error>(())
                })?;
                table(members, self.errors)
            }
            _ => return Err(Expect::Value.into()),
        };
        Ok(Node { value, span: span(self.source, start..self.at(lexer)), path })
    }
}

/// The reader is written against the slice lexer; this states what it relies on.
const _: fn() = || {
    fn lexes<L: LexAlloc>() {}
    lexes::<SliceLexer<'static>>();
};
