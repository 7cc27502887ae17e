//! The values that expressions work on: borrowed from the recorded JSON where they come from there.

use std::fmt;
use std::sync::Arc;

use super::error::Failure;
use super::meter::Meter;
use super::number::Exact;
use crate::json::{self, Number, Object, Value};

/// A value in an expression. Texts, lists and maps are borrowed from the JSON that they came from; only what an
/// expression itself makes is owned, and then shared.
#[derive(Debug, Clone, Default)]
pub enum Val<'v> {
    /// `null`, and an optional argument that a call leaves out.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, exact.
    Number(Exact),
    /// A text of the recording.
    Text(&'v str),
    /// A text that an expression made.
    Made(Arc<str>),
    /// A list of the recording.
    Array(&'v [Value<'v>]),
    /// A map of the recording; of a repeated key the last value counts.
    Object(&'v Object<'v>),
    /// A list that an expression made.
    List(Arc<[Val<'v>]>),
    /// A map that an expression made; keys are unique.
    Map(Arc<[(Arc<str>, Val<'v>)]>),
}

impl<'v> Val<'v> {
    /// A recorded JSON value, borrowed.
    pub fn json(value: &'v Value<'v>) -> Val<'v> {
        match value {
            Value::Null => Val::Null,
            Value::Bool(truth) => Val::Bool(*truth),
            Value::Number(number) => Val::Number(Exact::from_json(number)),
            Value::String(text) => Val::Text(text),
            Value::Array(items) => Val::Array(items),
            Value::Object(object) => Val::Object(object),
        }
    }

    /// A text, borrowed.
    pub fn text(text: &'v str) -> Val<'v> {
        Val::Text(text)
    }

    /// `null`.
    pub fn null() -> Val<'v> {
        Val::Null
    }

    /// The same value without a borrow, as constants are kept.
    pub fn owned(value: &Value<'_>) -> Val<'static> {
        match value {
            Value::Null => Val::Null,
            Value::Bool(truth) => Val::Bool(*truth),
            Value::Number(number) => Val::Number(Exact::from_json(number)),
            Value::String(text) => Val::Made(text.as_ref().into()),
            Value::Array(items) => Val::List(items.iter().map(Val::owned).collect()),
            Value::Object(object) => {
                Val::Map(object.sorted().into_iter().map(|(key, item)| (key.into(), Val::owned(item))).collect())
            }
        }
    }

    /// The value as JSON of its own, for facts that are taken from results.
    pub fn to_json(&self) -> Value<'static> {
        match self {
            Val::Null => Value::Null,
            Val::Bool(truth) => Value::Bool(*truth),
            Val::Number(number) => Number::new(number.to_string()).map_or(Value::Null, Value::Number),
            Val::Text(text) => Value::String((*text).to_owned().into()),
            Val::Made(text) => Value::String(text.as_ref().to_owned().into()),
            Val::Array(items) => Value::Array(items.iter().map(Value::to_static).collect()),
            Val::Object(object) => Value::Object(object.to_static()),
            Val::List(items) => Value::Array(items.iter().map(Val::to_json).collect()),
            Val::Map(members) => Value::Object(Object::from_members(
                members.iter().map(|(key, item)| (key.as_ref().to_owned().into(), item.to_json())).collect(),
            )),
        }
    }

    /// The truth value of a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Val::Bool(truth) => Some(*truth),
            _ => None,
        }
    }

    /// The text of a text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Val::Text(text) => Some(text),
            Val::Made(text) => Some(text),
            _ => None,
        }
    }

    /// The number of a number.
    pub fn as_number(&self) -> Option<&Exact> {
        match self {
            Val::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The items of a list.
    pub fn items(&self) -> Option<Items<'_, 'v>> {
        match self {
            Val::Array(items) => Some(Items::Recorded(items)),
            Val::List(items) => Some(Items::Made(items)),
            _ => None,
        }
    }

    /// The type's name with its article, as messages call it.
    pub fn kind(&self) -> &'static str {
        match self {
            Val::Null => "null",
            Val::Bool(_) => "a boolean",
            Val::Number(_) => "a number",
            Val::Text(_) | Val::Made(_) => "a text",
            Val::Array(_) | Val::List(_) => "a list",
            Val::Object(_) | Val::Map(_) => "a map",
        }
    }

    /// Whether this is a map, and so may have fields.
    pub(super) fn is_map(&self) -> bool {
        matches!(self, Val::Object(_) | Val::Map(_))
    }

    /// The value of a map's key; nothing also when this is no map.
    pub(super) fn field(&self, key: &str, meter: &Meter) -> Result<Option<Val<'v>>, Failure> {
        match self {
            Val::Object(object) => {
                meter.read(key)?;
                meter.scan(object.len())?;
                Ok(object.get(key).map(Val::json))
            }
            Val::Map(members) => {
                meter.scan(members.len())?;
                Ok(members.iter().find(|(name, _)| name.as_ref() == key).map(|(_, item)| item.clone()))
            }
            _ => Ok(None),
        }
    }

    /// The members of a map, sorted by key.
    fn members(&self) -> Option<Vec<(&str, Val<'v>)>> {
        match self {
            Val::Object(object) => Some(object.sorted().into_iter().map(|(key, item)| (key, Val::json(item))).collect()),
            Val::Map(members) => {
                let mut members: Vec<_> = members.iter().map(|(key, item)| (key.as_ref(), item.clone())).collect();
                members.sort_by(|a, b| a.0.cmp(b.0));
                Some(members)
            }
            _ => None,
        }
    }

    /// How many different keys a map has, in time that grows with what was written.
    pub(super) fn map_size(&self) -> Option<usize> {
        match self {
            Val::Object(object) => Some(object.sorted().len()),
            Val::Map(members) => Some(members.len()),
            _ => None,
        }
    }

    /// The keys of a map as texts; repeated ones once.
    pub(super) fn keys(&self) -> Option<Vec<Val<'v>>> {
        match self {
            Val::Object(object) => {
                let object: &'v Object<'v> = object;
                Some(object.sorted().into_iter().map(|(key, _)| Val::Text(key)).collect())
            }
            Val::Map(members) => Some(members.iter().map(|(key, _)| Val::Made(Arc::clone(key))).collect()),
            _ => None,
        }
    }

    /// Whether two values mean the same; values of different types don't.
    pub(super) fn equals(&self, other: &Val<'v>, meter: &Meter) -> Result<bool, Failure> {
        match (self, other) {
            (Val::Null, Val::Null) => Ok(true),
            (Val::Bool(a), Val::Bool(b)) => Ok(a == b),
            (Val::Number(a), Val::Number(b)) => {
                meter.bytes(a.weight() + b.weight())?;
                Ok(a == b)
            }
            _ => {
                if let (Some(a), Some(b)) = (self.as_text(), other.as_text()) {
                    if a.len() == b.len() {
                        meter.read(a)?;
                    }
                    return Ok(a == b);
                }
                if let (Some(a), Some(b)) = (self.items(), other.items()) {
                    return a.equals(&b, meter);
                }
                let (true, true) = (self.is_map(), other.is_map()) else { return Ok(false) };
                let (Some(a), Some(b)) = (self.members(), other.members()) else { return Ok(false) };
                for (key, item) in a.iter().chain(&b) {
                    meter.charge(1)?;
                    meter.bytes(key.len() + item.as_number().map_or(0, Exact::weight))?;
                }
                if a.len() != b.len() {
                    return Ok(false);
                }
                for ((a_key, a_item), (b_key, b_item)) in a.iter().zip(&b) {
                    if a_key != b_key || !a_item.equals(b_item, meter)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }
}

/// The items of a list, wherever they live.
#[derive(Debug, Clone, Copy)]
pub enum Items<'a, 'v> {
    /// Those of a recorded list.
    Recorded(&'v [Value<'v>]),
    /// Those of a list that an expression made.
    Made(&'a [Val<'v>]),
}

impl<'a, 'v> Items<'a, 'v> {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Items::Recorded(items) => items.len(),
            Items::Made(items) => items.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The item at a position, from 0.
    pub fn get(&self, index: usize) -> Option<Val<'v>> {
        match self {
            Items::Recorded(items) => items.get(index).map(Val::json),
            Items::Made(items) => items.get(index).cloned(),
        }
    }

    /// The items in order.
    pub fn iter(self) -> impl Iterator<Item = Val<'v>> + 'a
    where
        'v: 'a,
    {
        (0..self.len()).map_while(move |index| self.get(index))
    }

    fn equals(&self, other: &Items<'_, 'v>, meter: &Meter) -> Result<bool, Failure> {
        if self.len() != other.len() {
            return Ok(false);
        }
        for index in 0..self.len() {
            meter.charge(1)?;
            match (self.get(index), other.get(index)) {
                (Some(a), Some(b)) if a.equals(&b, meter)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Whether one of the items means the same as `wanted`.
    pub(super) fn contain(&self, wanted: &Val<'v>, meter: &Meter) -> Result<bool, Failure> {
        meter.scan(self.len())?;
        if let (Items::Recorded(items), Some(wanted)) = (self, wanted.as_text()) {
            return Ok(items.iter().any(|item| matches!(item, Value::String(text) if text == wanted)));
        }
        if let (Items::Made(items), Some(wanted)) = (self, wanted.as_text()) {
            return Ok(items.iter().any(|item| item.as_text() == Some(wanted)));
        }
        for index in 0..self.len() {
            if let Some(item) = self.get(index)
                && item.equals(wanted, meter)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl From<bool> for Val<'_> {
    fn from(truth: bool) -> Self {
        Val::Bool(truth)
    }
}

impl From<i64> for Val<'_> {
    fn from(number: i64) -> Self {
        Val::Number(number.into())
    }
}

impl From<Exact> for Val<'_> {
    fn from(number: Exact) -> Self {
        Val::Number(number)
    }
}

impl From<String> for Val<'_> {
    fn from(text: String) -> Self {
        Val::Made(text.into())
    }
}

impl<'v> From<Vec<Val<'v>>> for Val<'v> {
    fn from(items: Vec<Val<'v>>) -> Self {
        Val::List(items.into())
    }
}

/// As JSON for people: recorded values as they were spelled.
impl fmt::Display for Val<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Val::Number(number) => write!(f, "{number}"),
            Val::Null => f.write_str("null"),
            Val::Bool(truth) => write!(f, "{truth}"),
            other => f.write_str(&json::display(&other.to_json())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equal(a: &str, b: &str) -> bool {
        let (a, b) = (json::parse(a).unwrap(), json::parse(b).unwrap());
        let meter = Meter::new();
        let borrowed = Val::json(&a).equals(&Val::json(&b), &meter).unwrap();
        assert_eq!(Val::owned(&a).equals(&Val::owned(&b), &meter).unwrap(), borrowed, "owned values compare alike");
        assert_eq!(Val::owned(&a).equals(&Val::json(&b), &meter).unwrap(), borrowed, "mixed values compare alike");
        borrowed
    }

    #[test]
    fn equality_is_by_meaning() {
        assert!(equal(r#"{"a": 1, "b": [2.0]}"#, r#"{"b": [2], "a": 1e0}"#));
        assert!(equal(r#"{"a": 1, "a": 2}"#, r#"{"a": 2}"#));
        assert!(!equal(r#"{"a": 1, "a": 2}"#, r#"{"a": 1}"#));
        assert!(!equal(r#""1""#, "1"));
        assert!(!equal("null", "false"));
        assert!(!equal("[1]", "[1, 2]"));
    }

    #[test]
    fn goes_to_json_and_back() {
        for text in [r#"{"a": [1.5, "x", null, true]}"#, "12345678901234567890123", "1e400", "\"é\"", "[]"] {
            let value = json::parse(text).unwrap();
            assert_eq!(Val::json(&value).to_json(), value);
            assert_eq!(Val::owned(&value).to_json(), value);
        }
    }
}
