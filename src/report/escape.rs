//! Recorded text made harmless for whatever shows it: a terminal, a spreadsheet, a JSON viewer.
//!
//! Recorded text is hostile: it may hold sequences that move a terminal's cursor, marks that reverse the reading order,
//! letters that nobody sees, or a formula. Nothing of that is dropped; it's written so that one sees it.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_general_category::{GeneralCategory, get_general_category};

/// Whether a character must not reach a terminal as it is: controls, line separators, and format characters save the
/// joiners that scripts and emoji need.
pub fn is_unsafe(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    match get_general_category(c) {
        GeneralCategory::Control | GeneralCategory::LineSeparator | GeneralCategory::ParagraphSeparator => true,
        GeneralCategory::Format => !matches!(c, '\u{200C}' | '\u{200D}'),
        _ => false,
    }
}

/// The text with every unsafe character spelled out, on one line: `\n`, `\t`, `\u{1b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_unsafe(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// [`visible`], cut after `limit` characters with a `…` in place of the rest.
pub fn shortened(text: &str, limit: usize) -> String {
    let mut cut = text.char_indices().skip(limit);
    match cut.next().and_then(|(at, _)| text.get(..at)) {
        Some(head) => format!("{}…", visible(head)),
        None => visible(text).into_owned(),
    }
}

/// A cell that no spreadsheet takes for a formula: one that starts like one gets a `'` before it.
pub fn cell(text: &str) -> Cow<'_, str> {
    let text = visible(text);
    match text.trim_start().chars().next() {
        Some('=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠') => Cow::Owned(format!("'{text}")),
        _ => text,
    }
}

/// Appends a JSON string; beside what JSON asks for, characters that a terminal would obey are escaped too.
pub fn json_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let mut clean = 0;
    let bytes = text.as_bytes();
    for (at, c) in text.char_indices() {
        if !matches!(c, '"' | '\\') && !is_unsafe(c) {
            continue;
        }
        out.extend_from_slice(bytes.get(clean..at).unwrap_or_default());
        clean = at + c.len_utf8();
        match c {
            '"' => out.extend_from_slice(b"\\\""),
            '\\' => out.extend_from_slice(b"\\\\"),
            '\n' => out.extend_from_slice(b"\\n"),
            '\r' => out.extend_from_slice(b"\\r"),
            '\t' => out.extend_from_slice(b"\\t"),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
                }
            }
        }
    }
    out.extend_from_slice(bytes.get(clean..).unwrap_or_default());
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_terminal_is_told_nothing() {
        assert_eq!(visible("ok\u{1b}[2J"), "ok\\u{1b}[2J");
        assert_eq!(visible("a\r\nb\tc"), "a\\r\\nb\\tc");
        assert_eq!(visible("\u{9b}31m \u{202e}gnp \u{e0041}"), "\\u{9b}31m \\u{202e}gnp \\u{e0041}");
    }

    #[test]
    fn ordinary_text_stays_as_it_is() {
        for text in ["Прага, 東京", "👩\u{200d}🚀", "naïve – “quoted”", ""] {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(shortened("äöüß", 3), "äöü…");
        assert_eq!(shortened("äöü", 3), "äöü");
    }

    #[test]
    fn a_formula_is_no_formula() {
        assert_eq!(cell("=HYPERLINK(\"http://x\")"), "'=HYPERLINK(\"http://x\")");
        assert_eq!(cell(" +1"), "' +1");
        assert_eq!(cell("\t=1"), "\\t=1");
        assert_eq!(cell("a=b"), "a=b");
    }

    proptest! {
        #[test]
        fn a_json_string_reads_back_and_is_safe_to_print(text in any::<String>()) {
            let mut out = Vec::new();
            json_string(&mut out, &text);
            let written = String::from_utf8(out).unwrap();
            prop_assert!(!written.chars().any(is_unsafe));
            prop_assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
        }
    }
}
