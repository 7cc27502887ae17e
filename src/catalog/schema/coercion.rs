//! Lax coercion of one value to a declared type: only what can't be misread.

use std::borrow::Cow;
use std::fmt;

use crate::json::{Decimal, Number, Value};

/// A JSON Schema type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// A text.
    String,
    /// A list.
    Array,
    /// An object.
    Object,
}

impl Type {
    /// The type that a schema calls by this name.
    pub fn from_name(name: &str) -> Option<Type> {
        Some(match name {
            "null" => Type::Null,
            "boolean" => Type::Boolean,
            "integer" => Type::Integer,
            "number" => Type::Number,
            "string" => Type::String,
            "array" => Type::Array,
            "object" => Type::Object,
            _ => return None,
        })
    }

    /// The name that a schema calls it by.
    pub fn name(self) -> &'static str {
        match self {
            Type::Null => "null",
            Type::Boolean => "boolean",
            Type::Integer => "integer",
            Type::Number => "number",
            Type::String => "string",
            Type::Array => "array",
            Type::Object => "object",
        }
    }

    /// Whether the value has this type as it is. A whole number with a fraction (`2.0`) is a number, not yet an integer.
    pub(super) fn is_exactly(self, value: &Value<'_>) -> bool {
        match (self, value) {
            (Type::Integer, Value::Number(number)) => number.is_spelled_integer(),
            (Type::Null, Value::Null)
            | (Type::Boolean, Value::Bool(_))
            | (Type::Number, Value::Number(_))
            | (Type::String, Value::String(_))
            | (Type::Array, Value::Array(_))
            | (Type::Object, Value::Object(_)) => true,
            _ => false,
        }
    }
}

impl fmt::Display for Type {
    /// As a message says it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Null => "null",
            Type::Boolean => "true or false",
            Type::Integer => "a whole number",
            Type::Number => "a number",
            Type::String => "a text",
            Type::Array => "a list",
            Type::Object => "an object",
        })
    }
}

/// The value converted to the first of these types that takes it; nothing when it has one of them already or none takes it.
pub(super) fn coerced(types: &[Type], value: &Value<'_>) -> Option<Value<'static>> {
    if types.iter().any(|kind| kind.is_exactly(value)) {
        return None;
    }
    types.iter().find_map(|kind| match kind {
        Type::Integer => to_integer(value),
        Type::Number => to_number(value),
        Type::Boolean => to_boolean(value),
        Type::Null | Type::String | Type::Array | Type::Object => None,
    })
}

/// Whether a number counts as an integer: spelled as one, or a whole float below 2⁶³.
///
/// A larger float was rounded when it was written, so which integer was meant is unknown.
pub(super) fn is_integer(number: &Number<'_>) -> bool {
    number.is_spelled_integer() || number.exact().to_i64().is_some()
}

fn to_integer(value: &Value<'_>) -> Option<Value<'static>> {
    match value {
        Value::Number(number) => number.exact().to_i64().map(|integer| Value::Number(integer.into())),
        Value::String(text) => {
            let text = text.trim();
            let (sign, digits) = match text.strip_prefix('-') {
                Some(digits) => ("-", digits),
                None => ("", text.strip_prefix('+').unwrap_or(text)),
            };
            let (digits, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
            if !are_digits(digits) || fraction.is_empty() || !fraction.bytes().all(|byte| byte == b'0') {
                return None;
            }
            let digits = digits.trim_start_matches('0');
            number(if digits.is_empty() { "0".to_owned() } else { format!("{sign}{digits}") })
        }
        _ => None,
    }
}

fn to_number(value: &Value<'_>) -> Option<Value<'static>> {
    let Value::String(text) = value else { return None };
    let text = text.trim();
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // `.5` and `5.` are read too; JSON wants a digit on both sides of the point.
    if whole.is_empty() && fraction.is_empty() || !(whole.is_empty() || are_digits(whole)) {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if fraction.is_empty() { "" } else { "." };
    let spelling = format!("{sign}{whole}{point}{fraction}{exponent}");
    if is_out_of_range(&spelling) {
        return None;
    }
    number(spelling)
}

fn to_boolean(value: &Value<'_>) -> Option<Value<'static>> {
    let truth = match value {
        Value::Number(number) => match number.exact() {
            zero if zero.is_zero() => false,
            one if one == Decimal::from_json("1")? => true,
            _ => return None,
        },
        Value::String(text) => {
            const TRUE: [&str; 6] = ["true", "yes", "on", "t", "y", "1"];
            const FALSE: [&str; 6] = ["false", "no", "off", "f", "n", "0"];
            let is_one_of = |words: [&str; 6]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
            match (is_one_of(TRUE), is_one_of(FALSE)) {
                (true, _) => true,
                (_, true) => false,
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(Value::Bool(truth))
}

/// Whether a number's spelling names more than a float can hold: nothing that reads it agrees on what it is.
pub(super) fn is_out_of_range(spelling: &str) -> bool {
    // Without an exponent it takes more than 300 digits to get there.
    (spelling.len() > 300 || spelling.contains(['e', 'E'])) && spelling.parse::<f64>().is_ok_and(f64::is_infinite)
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn number(spelling: String) -> Option<Value<'static>> {
    Number::new(Cow::Owned(spelling)).map(Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{display, parse};

    /// What `value` becomes as one of `types`; nothing when it stays as it is.
    fn becomes(types: &[Type], value: &str) -> Option<String> {
        coerced(types, &parse(value).unwrap()).map(|value| display(&value))
    }

    #[test]
    fn digits_with_sign_blanks_and_point_zero_are_integers() {
        for (text, integer) in [
            ("\"3\"", "3"),
            ("\"+3\"", "3"),
            ("\"-3\"", "-3"),
            ("\" 3.00 \"", "3"),
            ("\"\\u00a003\"", "3"),
            ("\"-0\"", "0"),
            ("2.0", "2"),
            ("1e3", "1000"),
            ("\"100000000000000000000\"", "100000000000000000000"),
            ("\"9223372036854775808.0\"", "9223372036854775808"),
        ] {
            assert_eq!(becomes(&[Type::Integer], text).as_deref(), Some(integer), "{text}");
        }
    }

    #[test]
    fn what_could_be_misread_is_no_integer() {
        for value in [
            "\"\"",
            "\"- 3\"",
            "\"3.\"",
            "\".0\"",
            "\"3.5\"",
            "\"1e3\"",
            "\"3,000\"",
            "\"0x1\"",
            "\"٣\"",
            "\"--3\"",
            "2.5",
            "1e19",
            "9223372036854775808.0",
            "true",
            "null",
            "[3]",
            "\"1_000\"",
        ] {
            assert_eq!(becomes(&[Type::Integer], value), None, "{value}");
        }
        assert_eq!(becomes(&[Type::Integer], "123456789012345678901234567890"), None, "one already");
    }

    #[test]
    fn numeric_texts_are_numbers_if_finite() {
        for (text, number) in [
            ("\" 2.5 \"", "2.5"),
            ("\"+3\"", "3"),
            ("\".5\"", "0.5"),
            ("\"5.\"", "5"),
            ("\"1E+5\"", "1E+5"),
            ("\"-007.10\"", "-7.10"),
        ] {
            assert_eq!(becomes(&[Type::Number], text).as_deref(), Some(number), "{text}");
        }
        for text in ["inf", "NaN", "1e400", "", ".", "e5", "1,5", "1 000", "0x1p3", "٣", "true", "1.2.3", "--1", "1_0"] {
            assert_eq!(becomes(&[Type::Number], &format!("{text:?}")), None, "{text}");
        }
        assert_eq!(becomes(&[Type::Number], "true"), None, "booleans are no numbers");
    }

    #[test]
    fn yes_and_no_and_one_and_zero_are_booleans() {
        for (value, truth) in [
            ("\"Yes\"", "true"),
            ("\"OFF\"", "false"),
            ("\"t\"", "true"),
            ("\"N\"", "false"),
            ("1", "true"),
            ("0.0", "false"),
        ] {
            assert_eq!(becomes(&[Type::Boolean], value).as_deref(), Some(truth), "{value}");
        }
        for value in ["\" true \"", "\"2\"", "2", "\"\"", "\"1.0\"", "null"] {
            assert_eq!(becomes(&[Type::Boolean], value), None, "{value}");
        }
    }

    #[test]
    fn nothing_becomes_a_text_a_list_or_null() {
        for value in ["1", "true", "\"[1]\"", "\"null\"", "\"\"", "{}"] {
            assert_eq!(becomes(&[Type::Array, Type::Object, Type::Null], value), None, "{value}");
        }
        assert_eq!(becomes(&[Type::String], "1"), None);
    }

    #[test]
    fn of_several_types_the_exact_one_wins_then_the_first_that_takes_it() {
        assert_eq!(becomes(&[Type::Integer, Type::String], "\"3\""), None);
        assert_eq!(becomes(&[Type::Integer, Type::Number], "3.0"), None);
        assert_eq!(becomes(&[Type::Integer, Type::Boolean], "\"1\"").as_deref(), Some("1"));
        assert_eq!(becomes(&[Type::Boolean, Type::Integer], "\"1\"").as_deref(), Some("true"));
        assert_eq!(becomes(&[Type::Integer, Type::Null], "2.0").as_deref(), Some("2"));
    }
}
