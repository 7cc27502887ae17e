//! Cutting text into records, by the layout of the file.

use memchr::memchr;

use super::scan::{ValueScan, skip_blank};

/// How the records of a file lie in it.
#[derive(Debug)]
pub(super) enum Splitter {
    /// One a line.
    Lines,
    /// The elements of an array; the scan of the one at hand, and what may come before the next.
    Elements { scan: Option<ValueScan>, before: Before },
    /// One JSON value after the other, each over as many lines as it likes.
    Values { scan: Option<ValueScan> },
    /// Behind the end of the array: nothing more may come.
    Over,
}

/// What the splitter has seen last between the elements of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// `[` or `,`.
    Separator,
    /// An element.
    Element,
}

/// What the splitter found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A record from `start` to `end`; the search goes on at `next`.
    Record { start: usize, end: usize, next: usize },
    /// All is searched; from `keep` on a record has begun and isn't finished.
    More { keep: usize },
    /// The array ended before this position.
    End { next: usize },
    /// Where records begin and end can't be told any more, from here on.
    Lost { at: usize, reason: &'static str },
}

impl Splitter {
    pub(super) fn elements() -> Self {
        Splitter::Elements { scan: None, before: Before::Separator }
    }

    /// Whether the records are elements of an array, so that their number is a help.
    pub(super) fn counts_elements(&self) -> bool {
        matches!(self, Splitter::Elements { .. })
    }

    /// The next record in `bytes`. The unfinished one begins at `keep` and was searched up to `from`.
    pub(super) fn next(&mut self, bytes: &[u8], keep: usize, from: usize) -> Found {
        match self {
            Splitter::Lines => next_line(bytes, keep, from),
            Splitter::Over => match skip_blank(bytes, from) {
                Some(at) => Found::Lost { at, reason: "text goes on after the end of the array" },
                None => Found::More { keep: bytes.len() },
            },
            Splitter::Elements { scan, before } => {
                let (mut keep, mut from) = (keep, from);
                while scan.is_none() {
                    let Some(at) = skip_blank(bytes, from) else { return Found::More { keep: bytes.len() } };
                    match (bytes.get(at), *before) {
                        (Some(b']'), _) => return Found::End { next: at + 1 },
                        (Some(b','), Before::Element) => (*before, from) = (Before::Separator, at + 1),
                        (_, Before::Element) => {
                            return Found::Lost { at, reason: "there is no `,` between two elements of the array" };
                        }
                        (Some(b',' | b':' | b'}'), _) => {
                            return Found::Lost { at, reason: "an element of the array is missing" };
                        }
                        _ => (*scan, keep, from) = (Some(ValueScan::default()), at, at),
                    }
                }
                let found = end_of_value(scan, bytes, keep, from);
                if matches!(found, Found::Record { .. }) {
                    *before = Before::Element;
                }
                found
            }
            Splitter::Values { scan } => {
                let (mut keep, mut from) = (keep, from);
                if scan.is_none() {
                    let Some(at) = skip_blank(bytes, from) else { return Found::More { keep: bytes.len() } };
                    if matches!(bytes.get(at), Some(b',' | b':' | b']' | b'}')) {
                        return Found::Lost { at, reason: "no JSON value begins here" };
                    }
                    (*scan, keep, from) = (Some(ValueScan::default()), at, at);
                }
                end_of_value(scan, bytes, keep, from)
            }
        }
    }

    /// What is left of a file that has ended: an unfinished record begins at `keep`.
    pub(super) fn finish(&mut self, bytes: &[u8], keep: usize) -> Found {
        let end = bytes.len();
        match self {
            Splitter::Lines => match next_line(bytes, keep, keep) {
                Found::More { keep } => match trimmed(bytes, keep, end) {
                    Some((start, stop)) => Found::Record { start, end: stop, next: end },
                    None => Found::End { next: end },
                },
                found => found,
            },
            Splitter::Over => Found::End { next: end },
            Splitter::Elements { scan: None, .. } => Found::Lost { at: keep, reason: "the file ends before its array does" },
            Splitter::Values { scan: None } => Found::End { next: end },
            Splitter::Values { scan: Some(scan) } if scan.is_scalar() => Found::Record { start: keep, end, next: end },
            Splitter::Elements { .. } | Splitter::Values { .. } => {
                Found::Lost { at: keep, reason: "the file ends inside this record (a bracket or quote isn't closed)" }
            }
        }
    }
}

fn end_of_value(scan: &mut Option<ValueScan>, bytes: &[u8], keep: usize, from: usize) -> Found {
    let Some(walk) = scan else { return Found::More { keep } };
    let Some(end) = walk.advance(bytes.get(from..).unwrap_or_default()) else { return Found::More { keep } };
    let mismatched = walk.is_mismatched();
    *scan = None;
    if mismatched {
        return Found::Lost { at: keep, reason: "brackets don't match in this record" };
    }
    Found::Record { start: keep, end: from + end, next: from + end }
}

/// The next line that isn't blank.
fn next_line(bytes: &[u8], keep: usize, from: usize) -> Found {
    let (mut keep, mut from) = (keep, from);
    loop {
        let Some(length) = memchr(b'\n', bytes.get(from..).unwrap_or_default()) else { return Found::More { keep } };
        let end = from + length;
        if let Some((start, stop)) = trimmed(bytes, keep, end) {
            return Found::Record { start, end: stop, next: end + 1 };
        }
        (keep, from) = (end + 1, end + 1);
    }
}

/// A range without the blanks at its ends; nothing when it's blank.
fn trimmed(bytes: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let text = bytes.get(start..end)?;
    let first = text.iter().position(|b| !b.is_ascii_whitespace())?;
    let last = text.iter().rposition(|b| !b.is_ascii_whitespace())?;
    Some((start + first, start + last + 1))
}
