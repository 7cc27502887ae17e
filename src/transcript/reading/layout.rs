//! How a file is laid out, told from its beginning.
//!
//! - an object with `simulations`: the elements of that array are the records (τ²-bench);
//! - an array whose first element is no message: its elements are the records;
//! - else, values one after the other: JSON Lines when the first line holds a whole value (or is broken in the middle),
//!   values over several lines otherwise. A list of messages is such a value.

use memchr::memchr;

use crate::json::parse_bytes;
use crate::transcript::formats::is_message;

use super::members::{Members, Step};
use super::scan::{ValueScan, skip_blank};
use super::split::Splitter;

/// How a file begins.
#[derive(Debug)]
pub(super) struct Opening {
    pub splitter: Splitter,
    /// Where in the bytes read so far the splitter starts.
    pub from: usize,
    /// The file is an object with `simulations`; the text of its `tasks`, if it stood before them.
    pub simulations: Option<Option<Vec<u8>>>,
}

/// The beginning of a file, which can be made longer.
pub(super) trait Beginning {
    /// What was read.
    fn bytes(&self) -> &[u8];
    /// Reads more; whether there was more, and more may be read.
    fn more(&mut self) -> bool;
}

/// Looks at the beginning of a file, as far as it needs.
pub(super) fn survey(text: &mut impl Beginning) -> Opening {
    while text.bytes().len() < 3 && text.more() {}
    let start = if text.bytes().starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let lines = Opening { splitter: Splitter::Lines, from: start, simulations: None };
    let Some(first) = next_token(text, start) else { return lines };
    if !matches!(text.bytes().get(first), Some(b'[' | b'{')) {
        return lines;
    }
    match first_line(text.bytes(), first) {
        FirstLine::Broken => lines,
        // The usual case is told from its first line, save that one line may hold a whole array or object of records.
        FirstLine::Record if !is_alone(text, first) => lines,
        _ => around_records(text, start, first),
    }
}

/// A file that begins with a bracket: are its records inside?
fn around_records(text: &mut impl Beginning, start: usize, first: usize) -> Opening {
    let opening = |splitter, from| Opening { splitter, from, simulations: None };
    if text.bytes().get(first) == Some(&b'{') {
        let mut walk = Members::until_simulations();
        let mut from = first;
        loop {
            match walk.feed(text.bytes().get(from..).unwrap_or_default()) {
                Step::Simulations(at) => {
                    let simulations = Some(walk.tasks.take());
                    return Opening { simulations, ..opening(Splitter::elements(), from + at + 1) };
                }
                Step::More => {}
                Step::End | Step::Broken => break,
            }
            from = text.bytes().len();
            if !text.more() {
                break;
            }
        }
        return sequence(text.bytes(), start, first);
    }
    let Some(inner) = next_token(text, first + 1) else { return sequence(text.bytes(), start, first) };
    if text.bytes().get(inner) == Some(&b']') {
        // `[]` alone is an array without records; with more behind it, it's a conversation without messages.
        return match next_token(text, inner + 1) {
            None => opening(Splitter::elements(), first + 1),
            Some(_) => sequence(text.bytes(), start, first),
        };
    }
    let mut scan = ValueScan::default();
    let mut from = inner;
    let end = loop {
        match scan.advance(text.bytes().get(from..).unwrap_or_default()) {
            Some(end) => break Some(from + end),
            None => from = text.bytes().len(),
        }
        if !text.more() {
            break None;
        }
    };
    let element = end.and_then(|end| text.bytes().get(inner..end)).and_then(|element| parse_bytes(element).ok());
    if element.as_ref().is_some_and(is_message) {
        return sequence(text.bytes(), start, first);
    }
    opening(Splitter::elements(), first + 1)
}

/// Values one after the other: one a line, or over several lines.
fn sequence(bytes: &[u8], start: usize, first: usize) -> Opening {
    let splitter = match first_line(bytes, first) {
        FirstLine::Record | FirstLine::Broken => Splitter::Lines,
        FirstLine::Open => Splitter::Values { scan: None },
        FirstLine::Unseen => Splitter::Lines,
    };
    Opening { splitter, from: start, simulations: None }
}

/// What the first line of a file holds.
enum FirstLine {
    /// A value that ends in it.
    Record,
    /// A value that goes on in the next line.
    Open,
    /// A value that was cut off: the next line begins another.
    Broken,
    /// Its end was not read yet.
    Unseen,
}

fn first_line(bytes: &[u8], first: usize) -> FirstLine {
    let rest = bytes.get(first..).unwrap_or_default();
    let Some(length) = memchr(b'\n', rest) else { return FirstLine::Unseen };
    let line = rest.get(..length).unwrap_or_default();
    let mut scan = ValueScan::default();
    if scan.advance(line).is_some() || scan.is_scalar() {
        return FirstLine::Record;
    }
    // No line break stands inside a string of valid JSON.
    if scan.in_string() {
        return FirstLine::Broken;
    }
    let last = line.iter().rev().find(|b| !b.is_ascii_whitespace());
    let next = rest.get(length..).unwrap_or_default().iter().find(|b| !b.is_ascii_whitespace());
    match (last, next) {
        (Some(b'[' | b'{' | b',' | b':'), _) => FirstLine::Open,
        (_, Some(b'[' | b'{')) => FirstLine::Broken,
        _ => FirstLine::Open,
    }
}

/// Whether the first line is the only one that isn't blank.
fn is_alone(text: &mut impl Beginning, first: usize) -> bool {
    let line = memchr(b'\n', text.bytes().get(first..).unwrap_or_default());
    line.is_none_or(|length| next_token(text, first + length).is_none())
}

/// The next position that isn't blank, reading on if need be.
fn next_token(text: &mut impl Beginning, from: usize) -> Option<usize> {
    let mut from = from;
    loop {
        if let Some(at) = skip_blank(text.bytes(), from) {
            return Some(at);
        }
        from = text.bytes().len().max(from);
        if !text.more() {
            return None;
        }
    }
}
