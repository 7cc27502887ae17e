//! Where a sentence begins and ends around a place, in prose, JSON, tables and YAML alike.

use std::ops::Range;

/// How far a sentence may reach back from the word that made us look, in bytes.
const BACK: usize = 400;
/// How far it may reach forward.
const FORWARD: usize = 800;
/// How much of a sentence that was cut is read again with the next part, so that no cut hides a passage.
pub(super) const OVERLAP: usize = 250;

/// The sentence around a place, not before `floor`; the flag says that its end was cut for length.
pub(super) fn around(text: &str, at: usize, floor: usize) -> (Range<usize>, bool) {
    let bytes = text.as_bytes();
    let lowest = floor.max(at.saturating_sub(BACK));
    let start = (lowest + 1..=at).rev().find(|i| ends_before(bytes, *i)).unwrap_or(lowest);
    let highest = bytes.len().min(at + FORWARD);
    match (at + 1..highest).find(|i| ends_before(bytes, *i)) {
        Some(end) => (boundary_back(text, start)..boundary_back(text, end), false),
        None => (boundary_back(text, start)..boundary_back(text, highest), highest < bytes.len()),
    }
}

fn boundary_back(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0)
}

/// Whether a sentence ends just before the byte at `at`.
fn ends_before(bytes: &[u8], at: usize) -> bool {
    let byte = |i: usize| bytes.get(i).copied().unwrap_or(b' ');
    let last = |n: usize| at.checked_sub(n).map_or(b' ', byte);
    let next = byte(at);
    match last(1) {
        b'.' | b'!' | b'?' => match next {
            b' ' | b'\n' | b'\r' | b'\t' | b'\\' | b'<' | b')' => true,
            // A quoted sentence inside a sentence: `the text 'How are you?' to`.
            b'"' | b'\'' => !(byte(at + 1) == b' ' && byte(at + 2).is_ascii_lowercase()),
            _ => false,
        },
        b'\n' => opens_block(bytes, at),
        // An escaped line break counts as one when another or a list item follows.
        b'n' if last(2) == b'\\' => (next == b'\\' && byte(at + 1) == b'n') || opens_block(bytes, at),
        // The end of a string of JSON or of a Python literal.
        b'"' | b'\'' => matches!(next, b',' | b':' | b'}' | b']') && last(2) != b'\\',
        _ => false,
    }
}

/// Whether the line at `at` begins something new: it is empty, a list item, a heading, a table row, a tag or a YAML key.
fn opens_block(bytes: &[u8], at: usize) -> bool {
    let line = bytes.get(at..bytes.len().min(at + 40)).unwrap_or_default();
    let line = line.trim_ascii_start_spaces();
    match line.first() {
        None | Some(b'\n' | b'\r' | b'-' | b'*' | b'#' | b'|' | b'<' | b'`') => true,
        Some(_) => {
            let key = line.iter().take_while(|b| b.is_ascii_lowercase() || **b == b'_').count();
            key > 0 && line.get(key) == Some(&b':') && line.get(key + 1) == Some(&b' ')
        }
    }
}

trait TrimSpaces {
    fn trim_ascii_start_spaces(&self) -> &[u8];
}

impl TrimSpaces for [u8] {
    fn trim_ascii_start_spaces(&self) -> &[u8] {
        let blanks = self.iter().take_while(|b| **b == b' ' || **b == b'\t').count();
        self.get(blanks..).unwrap_or_default()
    }
}

/// Every sentence of a text, in order.
pub(super) fn all(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        if start >= text.len() {
            return None;
        }
        let bytes = text.as_bytes();
        let end =
            (start + 1..text.len()).find(|i| text.is_char_boundary(*i) && ends_before(bytes, *i)).unwrap_or(text.len());
        let sentence = start..end;
        start = end;
        Some(sentence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at<'a>(text: &'a str, word: &str) -> &'a str {
        text.get(around(text, text.find(word).unwrap(), 0).0).unwrap().trim()
    }

    #[test]
    fn a_sentence_ends_at_its_mark_not_inside_an_address() {
        assert_eq!(at("One. Mail x@y.org now. Two.", "now"), "Mail x@y.org now.");
    }

    #[test]
    fn a_sentence_goes_on_over_a_line_break_but_not_into_a_list() {
        assert_eq!(at("send\nit on\n- next", "it"), "send\nit on");
        assert_eq!(at(r"send\nit on\n\nnext", "it"), r"send\nit on\n");
    }

    #[test]
    fn a_string_of_json_ends_a_sentence() {
        assert_eq!(at(r#"{"a": "one", "b": "two"}"#, "one"), r#": "one""#);
    }

    #[test]
    fn a_quoted_sentence_does_not_end_the_one_around_it() {
        assert_eq!(at("Mail 'How are you?' to Bob. Two.", "to"), "Mail 'How are you?' to Bob.");
    }

    #[test]
    fn a_very_long_sentence_is_cut() {
        let text = "word ".repeat(1000);
        let (range, cut) = around(&text, 2500, 0);
        assert!(cut && range.len() <= BACK + FORWARD);
    }
}
