//! Where a JSON value ends, found without reading it: brackets counted, strings skipped.
//!
//! The scan only finds boundaries, so it's fast and never wrong about valid JSON; what is between the boundaries is
//! checked by the parser.

use memchr::memchr;

/// A scan over one value, which may come in pieces.
#[derive(Debug, Clone, Default)]
pub(super) struct ValueScan {
    state: State,
    depth: usize,
    /// The byte that opened the value.
    opened: u8,
    /// Whether an odd number of backslashes ends what was scanned of a string.
    escaping: bool,
    /// The value was closed by the other kind of bracket.
    mismatched: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Start,
    Scalar,
    Between,
    InString,
}

impl ValueScan {
    /// Scans the next piece, the first of which starts with the value's first byte; where the value ends in it.
    pub(super) fn advance(&mut self, bytes: &[u8]) -> Option<usize> {
        if self.state == State::Start {
            self.opened = *bytes.first()?;
            self.state = if matches!(self.opened, b'{' | b'[' | b'"') { State::Between } else { State::Scalar };
        }
        if self.state == State::Scalar {
            return bytes
                .iter()
                .position(|b| matches!(b, b',' | b']' | b'}' | b'[' | b'{' | b'"') || b.is_ascii_whitespace());
        }
        let mut at = 0;
        loop {
            let rest = bytes.get(at..)?;
            if self.state == State::InString {
                at += self.string_end(rest)?;
                self.state = State::Between;
                if self.depth == 0 {
                    return Some(at);
                }
                continue;
            }
            let next = rest.iter().position(|b| matches!(b, b'"' | b'{' | b'}' | b'[' | b']'))?;
            at += next + 1;
            match rest.get(next) {
                Some(b'"') => (self.state, self.escaping) = (State::InString, false),
                Some(b'{' | b'[') => self.depth += 1,
                closing => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        self.mismatched = (closing == Some(&b'}')) != (self.opened == b'{');
                        return Some(at);
                    }
                }
            }
        }
    }

    /// Where a string ends whose rest begins here. Each backslash is looked at once.
    fn string_end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut from = 0;
        loop {
            let rest = bytes.get(from..).unwrap_or_default();
            let quote = memchr(b'"', rest);
            let before = rest.get(..quote.unwrap_or(rest.len())).unwrap_or_default();
            let backslashes = before.iter().rev().take_while(|b| **b == b'\\').count();
            // A run of backslashes may have begun in the piece before.
            let escaping = (backslashes % 2 == 1) != (self.escaping && backslashes == before.len());
            match quote {
                Some(quote) => {
                    from += quote + 1;
                    self.escaping = false;
                    if !escaping {
                        return Some(from);
                    }
                }
                None => {
                    self.escaping = escaping;
                    return None;
                }
            }
        }
    }

    /// Whether the value is a number or word, which only ends where something else begins.
    pub(super) fn is_scalar(&self) -> bool {
        self.state == State::Scalar
    }

    /// Whether the scan stands inside a string.
    pub(super) fn in_string(&self) -> bool {
        self.state == State::InString
    }

    /// Whether `[` was closed by `}` or `{` by `]`.
    pub(super) fn is_mismatched(&self) -> bool {
        self.mismatched
    }
}

/// The first position from `from` on that isn't blank.
pub(super) fn skip_blank(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.iter().position(|b| !b.is_ascii_whitespace()).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn end(text: &str) -> Option<usize> {
        ValueScan::default().advance(text.as_bytes())
    }

    #[test]
    fn a_value_ends_where_its_bracket_closes() {
        assert_eq!(end(r#"{"a": [1, "}"]} x"#), Some(15));
        assert_eq!(end(r#""a\"b" x"#), Some(6));
        assert_eq!(end(r#"["\\"] x"#), Some(6));
        assert_eq!(end("12, 3"), Some(2));
        assert_eq!(end(r#"{"a": ["#), None);
        assert_eq!(end(r#""abc\""#), None);
    }

    #[test]
    fn a_bracket_of_the_other_kind_is_noticed() {
        let mut scan = ValueScan::default();
        assert_eq!(scan.advance(b"{\"a\": 1]"), Some(8));
        assert!(scan.is_mismatched());
    }

    #[test]
    fn runs_of_backslashes_take_linear_time() {
        let text = format!("\"{}\"", "\\\\".repeat(1_000_000));
        assert_eq!(end(&text), Some(text.len()));
        let quotes = format!("\"{}\"", "\\\"".repeat(1_000_000));
        assert_eq!(end(&quotes), Some(quotes.len()));
    }

    proptest! {
        #[test]
        fn pieces_are_scanned_like_the_whole(text in "[\\[{]([\\[\\]{}\"\\\\,a ]|\\\\\\\\){0,30}", cut in 0usize..30, cut2 in 0usize..30) {
            let whole = end(&text);
            let bytes = text.as_bytes();
            let (cut, cut2) = (cut.min(bytes.len()), cut2.min(bytes.len()));
            let mut scan = ValueScan::default();
            let mut found = None;
            for (from, to) in [(0, cut.min(cut2)), (cut.min(cut2), cut.max(cut2)), (cut.max(cut2), bytes.len())] {
                if found.is_none() && from < to {
                    found = scan.advance(&bytes[from..to]).map(|at| from + at);
                }
            }
            prop_assert_eq!(found, whole);
        }

        #[test]
        fn valid_json_ends_where_the_parser_says(value in prop::collection::vec(any::<String>(), 0..5)) {
            let text = format!("{} tail", serde_json::to_string(&value).unwrap());
            prop_assert_eq!(end(&text), Some(text.len() - 5));
        }
    }
}
