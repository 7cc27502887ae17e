//! Our JSON values as the schema validator reads them: in place, numbers exact, nothing converted.

use std::borrow::Cow;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity};

use crate::json::{self, Number, Object, Value};

use super::coercion::is_integer;

/// Marks [`Value`] as what the validator runs on.
pub(super) struct Exact;

impl Json for Exact {
    type Node<'a> = &'a Value<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    // A look-up scans the members, so for large objects one pass over them is cheaper.
    const KEYS_PER_LOOKUP: usize = 4;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(Self::Node<'_>) -> T) -> T {
        f(&Value::String(Cow::Borrowed(string)))
    }
}

impl<'a> Node<'a, Exact> for &'a Value<'a> {
    type Object = &'a Object<'a>;
    type Array = &'a [Value<'a>];
    type Number = &'a Number<'a>;

    fn as_object(&self) -> Option<&'a Object<'a>> {
        Value::as_object(self)
    }

    fn as_array(&self) -> Option<&'a [Value<'a>]> {
        Value::as_array(self)
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        Value::as_str(self).map(Cow::Borrowed)
    }

    fn as_number(&self) -> Option<&'a Number<'a>> {
        match self {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        Value::as_bool(self)
    }

    fn is_null(&self) -> bool {
        Value::is_null(self)
    }

    fn json_type(&self) -> JsonType {
        match self {
            Value::Null => JsonType::Null,
            Value::Bool(_) => JsonType::Boolean,
            Value::Number(_) => JsonType::Number,
            Value::String(_) => JsonType::String,
            Value::Array(_) => JsonType::Array,
            Value::Object(_) => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &serde_json::Value) -> bool {
        equals(self, expected)
    }

    fn to_value(&self) -> Cow<'a, serde_json::Value> {
        Cow::Owned(self.to_serde())
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(std::ptr::from_ref::<Value<'a>>(self).addr()))
    }
}

impl<'a> jsonschema::json::Object<'a, Exact> for &'a Object<'a> {
    type Node = &'a Value<'a>;
    type MemberName = &'a str;
    type MembersIter = Box<dyn Iterator<Item = (&'a str, &'a Value<'a>)> + 'a>;

    fn len(&self) -> usize {
        Object::len(self)
    }

    fn get(&self, key: &String) -> Option<&'a Value<'a>> {
        Object::get(self, key)
    }

    fn members(&self) -> Self::MembersIter {
        Box::new(Object::iter(self))
    }
}

impl<'a> Array<'a, Exact> for &'a [Value<'a>] {
    type Node = &'a Value<'a>;
    type ElementsIter = std::slice::Iter<'a, Value<'a>>;

    fn len(&self) -> usize {
        <[Value<'a>]>::len(self)
    }

    fn elements(&self) -> Self::ElementsIter {
        self.iter()
    }

    fn is_unique(&self) -> bool {
        let mut texts: Vec<String> = self.iter().map(json::canonical).collect();
        texts.sort_unstable();
        texts.windows(2).all(|pair| pair.first() != pair.last())
    }
}

impl JsonNumber for &Number<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.as_str().parse().ok()
    }

    fn as_i64(&self) -> Option<i64> {
        self.as_str().parse().ok()
    }

    fn as_f64(&self) -> Option<f64> {
        self.as_str().parse().ok().filter(|float: &f64| float.is_finite())
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(Number::as_str(self))
    }

    fn to_number(&self) -> Cow<'_, serde_json::Number> {
        // Only for the text of the crate's own messages, which are not shown.
        Cow::Owned(serde_json::from_str(Number::as_str(self)).unwrap_or_else(|_| 0.into()))
    }

    fn is_integer(&self) -> bool {
        is_integer(self)
    }

    fn is_written_as_integer(&self) -> bool {
        self.is_spelled_integer()
    }
}

/// Equality with a value of the schema; numbers by value.
fn equals(value: &Value<'_>, expected: &serde_json::Value) -> bool {
    use serde_json::Value as Expected;
    match (value, expected) {
        (Value::Null, Expected::Null) => true,
        (Value::Bool(a), Expected::Bool(b)) => a == b,
        (Value::String(a), Expected::String(b)) => a == b,
        (Value::Number(a), Expected::Number(b)) => {
            // The schema's own numbers beyond 64 bits are floats by now, so they are compared as such.
            let large = b.as_f64().is_some_and(|float| float.abs() >= 9_223_372_036_854_775_808.0);
            if large {
                a.as_f64().map(f64::to_bits) == b.as_f64().map(f64::to_bits)
            } else {
                Number::new(b.to_string()).is_some_and(|b| *a == b)
            }
        }
        (Value::Array(a), Expected::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equals(a, b)),
        (Value::Object(a), Expected::Object(b)) => {
            a.len() == b.len() && b.iter().all(|(key, b)| a.get(key).is_some_and(|a| equals(a, b)))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn values_of_the_schema_are_equal_by_meaning() {
        for (ours, theirs, equal) in [
            ("1.0", "1", true),
            ("1e2", "100", true),
            ("9007199254740993", "9007199254740992", false),
            ("9007199254740993", "9007199254740993", true),
            ("0.10", "0.1", true),
            ("true", "1", false),
            ("{\"a\": [1, null]}", "{\"a\": [1.0, null]}", true),
            ("{\"a\": 1, \"b\": 2}", "{\"a\": 1}", false),
            ("123456789012345678901234567890", "123456789012345678901234567890", true),
        ] {
            assert_eq!(equals(&parse(ours).unwrap(), &serde_json::from_str(theirs).unwrap()), equal, "{ours} = {theirs}");
        }
    }

    #[test]
    fn items_are_unique_by_value() {
        let items = |text: &'static str| parse(text).unwrap();
        assert!(!Array::is_unique(&items("[1, 1.0]").as_array().unwrap()));
        assert!(Array::is_unique(&items("[1, \"1\", true, [1]]").as_array().unwrap()));
    }
}
