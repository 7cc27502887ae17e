//! Format characters in arguments: invisible, so what a person approves may not be what is done.

use unicode_general_category::{GeneralCategory, get_general_category};

use crate::json::{MAX_DEPTH, Value};

use super::coercion::is_out_of_range;

/// What a look over all of the arguments finds, whatever the schema says.
#[derive(Default)]
pub(super) struct Found {
    /// Paths of texts and keys that hold a format character.
    pub invisible: Vec<String>,
    /// Numbers that nothing can hold: argument and path.
    pub out_of_range: Vec<(String, String)>,
    /// Whether it's nested deeper than can be read.
    pub too_deep: bool,
}

/// Looks through the arguments.
pub(super) fn look(arguments: &Value<'_>) -> Found {
    let mut found = Found::default();
    look_at(arguments, &mut Vec::new(), &mut found);
    found
}

enum Step<'v> {
    Key(&'v str),
    Index(usize),
}

fn look_at<'v>(value: &'v Value<'_>, path: &mut Vec<Step<'v>>, found: &mut Found) {
    if path.len() >= MAX_DEPTH {
        found.too_deep = true;
        return;
    }
    match value {
        Value::String(text) if is_invisible(text) => found.invisible.push(written(path)),
        Value::Number(number) if is_out_of_range(number.as_str()) => {
            found.out_of_range.push((written(path.get(..1).unwrap_or_default()), written(path)))
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(Step::Index(index));
                look_at(item, path, found);
                path.pop();
            }
        }
        Value::Object(object) => {
            for (key, value) in object.iter() {
                path.push(Step::Key(key));
                if is_invisible(key) {
                    found.invisible.push(written(path));
                }
                look_at(value, path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

fn is_invisible(text: &str) -> bool {
    !text.is_ascii() && text.chars().any(|c| get_general_category(c) == GeneralCategory::Format)
}

/// The path as messages have it, format characters written out so that they can be seen.
fn written(path: &[Step<'_>]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Step::Index(index) => text.push_str(&format!("[{index}]")),
            Step::Key(key) => {
                if !text.is_empty() {
                    text.push('.');
                }
                for c in key.chars() {
                    match get_general_category(c) {
                        GeneralCategory::Format => text.push_str(&format!("<U+{:04X}>", u32::from(c))),
                        _ => text.push(c),
                    }
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn texts_and_keys_with_format_characters_are_told_by_path() {
        let value = parse("{\"a\": \"x\u{200b}\", \"legs\": [{\"b\u{202e}\": 1}], \"ok\": \"naïve\u{2028}\"}").unwrap();
        assert_eq!(look(&value).invisible, ["a", "legs[0].b<U+202E>"]);
    }

    #[test]
    fn numbers_that_nothing_can_hold_are_told() {
        let value = parse("{\"a\": 1e400, \"b\": [1e300, -1E999], \"c\": 1e-999}").unwrap();
        let numbers = look(&value).out_of_range;
        assert_eq!(numbers, [("a", "a"), ("b", "b[1]")].map(|(argument, path)| (argument.to_owned(), path.to_owned())));
    }
}
