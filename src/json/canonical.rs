//! JSON written one way only, for hashes and for calls as text.

use std::fmt::Write as _;

use super::Value;

/// The canonical JSON text: RFC 8785 (keys sorted by UTF-16 code units, no blanks), save that numbers are never rounded
/// to a float: equal values have equal texts, different ones different texts.
pub fn canonical(value: &Value<'_>) -> String {
    let mut out = String::new();
    write(&mut out, value, Style::CANONICAL);
    out
}

/// JSON as people read it in a line: `, ` and `: ` between, keys in their own order, numbers as they were spelled.
pub fn display(value: &Value<'_>) -> String {
    let mut out = String::new();
    write(&mut out, value, Style { spaced: true, sorted: false, exact: false });
    out
}

/// As [`display`] with sorted keys: the arguments of a call as text.
pub fn display_sorted(value: &Value<'_>) -> String {
    let mut out = String::new();
    write(&mut out, value, Style { spaced: true, sorted: true, exact: false });
    out
}

#[derive(Clone, Copy)]
struct Style {
    spaced: bool,
    sorted: bool,
    exact: bool,
}

impl Style {
    const CANONICAL: Style = Style { spaced: false, sorted: true, exact: true };
}

fn write(out: &mut String, value: &Value<'_>, style: Style) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Number(number) if style.exact => {
            let _ = write!(out, "{}", number.exact());
        }
        Value::Number(number) => out.push_str(number.as_str()),
        Value::String(text) => quote(out, text),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                separate(out, i, style);
                write(out, item, style);
            }
            out.push(']');
        }
        Value::Object(object) => {
            out.push('{');
            let mut members = if style.sorted { object.sorted() } else { object.iter().collect() };
            if style.exact {
                members.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16()));
            }
            for (i, (key, item)) in members.into_iter().enumerate() {
                separate(out, i, style);
                quote(out, key);
                out.push_str(if style.spaced { ": " } else { ":" });
                write(out, item, style);
            }
            out.push('}');
        }
    }
}

fn separate(out: &mut String, index: usize, style: Style) {
    if index > 0 {
        out.push_str(if style.spaced { ", " } else { "," });
    }
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;
    use proptest::prelude::*;

    #[test]
    fn keys_are_sorted_by_utf16_and_numbers_are_exact() {
        let value =
            parse(r#"{"b": 1.50, "a": [1e2, "x\n"], "\uFB33": 1, "\uD83D\uDE00": 2, "n": 9007199254740993}"#).unwrap();
        // U+1F600 is a surrogate pair in UTF-16 and so sorts before U+FB33, unlike by code point.
        assert_eq!(
            canonical(&value),
            "{\"a\":[100,\"x\\n\"],\"b\":1.5,\"n\":9007199254740993,\"\u{1F600}\":2,\"\u{FB33}\":1}"
        );
    }

    #[test]
    fn a_line_for_people_keeps_spelling_and_letters() {
        let value = parse(r#"{"to": "Анна", "amount": 250.00}"#).unwrap();
        assert_eq!(display(&value), r#"{"to": "Анна", "amount": 250.00}"#);
        assert_eq!(display_sorted(&value), r#"{"amount": 250.00, "to": "Анна"}"#);
    }

    proptest! {
        #[test]
        fn the_canonical_text_reads_back(text in any::<String>(), n in any::<f64>().prop_filter("finite", |x| x.is_finite())) {
            let value = Value::from_serde(&serde_json::json!({text.as_str(): [text, n]}));
            let canonical_text = canonical(&value);
            prop_assert_eq!(&parse(&canonical_text).unwrap(), &value);
            prop_assert_eq!(canonical(&parse(&canonical_text).unwrap()), canonical_text);
        }
    }
}
