//! A JSON value that borrows from its text, and the parser that makes it.

use std::borrow::Cow;
use std::collections::HashMap;

use hifijson::token::{Expect, Lex as _};
use hifijson::{LexAlloc, SliceLexer};

use super::Decimal;

/// How deep arrays and objects may nest; deeper text is an error, so that hostile input can't exhaust the stack.
pub const MAX_DEPTH: usize = 128;

/// A JSON value, borrowing from the text it was read from where that's possible.
///
/// Equality is by meaning: numbers by their exact value, objects as maps (of a repeated key the last value counts).
///
/// ```
/// use dryguard::json;
///
/// let a = json::parse(r#"{"amount": 1500, "to": "Ann"}"#).unwrap();
/// let b = json::parse(r#"{"to": "Ann", "amount": 1.5e3}"#).unwrap();
/// assert_eq!(a, b);
/// ```
#[derive(Debug, Clone, Default)]
pub enum Value<'a> {
    /// `null`, and what is absent.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it was spelled.
    Number(Number<'a>),
    /// A text without its escapes.
    String(Cow<'a, str>),
    /// A list.
    Array(Vec<Value<'a>>),
    /// An object with its keys in the order they were written.
    Object(Object<'a>),
}

/// A JSON number with its spelling; equal to another when they name the same number.
#[derive(Debug, Clone)]
pub struct Number<'a>(Cow<'a, str>);

/// The members of a JSON object in the order they were written, repeated keys included.
#[derive(Debug, Clone, Default)]
pub struct Object<'a> {
    members: Vec<(Cow<'a, str>, Value<'a>)>,
    /// Where each key stands last, once an object that is changed has become large. (Boxed: values are many and small.)
    places: Option<Box<Places>>,
}

/// The place of each key among the members; only ever looked up.
#[derive(Debug, Clone)]
struct Places(HashMap<String, usize>);

/// From so many members on, an object that is changed keeps the places of its keys.
const LARGE: usize = 32;

/// Why a text is no JSON value, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason} at byte {offset}")]
pub struct ParseError {
    /// Offset into the text, in bytes, at which reading stopped.
    pub offset: usize,
    /// What was wrong there, in words.
    pub reason: String,
}

/// Reads a text that holds exactly one JSON value.
///
/// # Errors
/// The text is no JSON (RFC 8259), is nested deeper than [`MAX_DEPTH`], or goes on after the value.
pub fn parse(text: &str) -> Result<Value<'_>, ParseError> {
    parse_bytes(text.as_bytes())
}

/// Reads bytes that hold exactly one JSON value; texts in it must be valid UTF-8.
///
/// # Errors
/// As [`parse`].
pub fn parse_bytes(bytes: &[u8]) -> Result<Value<'_>, ParseError> {
    let (value, end) = parse_prefix(bytes)?;
    match bytes.get(end) {
        None => Ok(value),
        Some(_) => Err(ParseError { offset: end, reason: "text goes on after the JSON value".to_owned() }),
    }
}

/// Reads the first JSON value of `bytes`; also where the next thing that isn't blank starts (the length when there is none).
///
/// # Errors
/// No JSON value stands at the start, or it is nested deeper than [`MAX_DEPTH`].
pub fn parse_prefix(bytes: &[u8]) -> Result<(Value<'_>, usize), ParseError> {
    let mut lexer = SliceLexer::new(bytes);
    let fail = |lexer: &SliceLexer<'_>, reason: String| ParseError { offset: bytes.len() - lexer.as_slice().len(), reason };
    let parsed = match lexer.ws_peek() {
        Some(next) => read(MAX_DEPTH, next, &mut lexer),
        None => Err(Expect::Value.into()),
    };
    match parsed {
        Ok(value) => {
            lexer.eat_whitespace();
            Ok((value, bytes.len() - lexer.as_slice().len()))
        }
        Err(hifijson::Error::Depth) => Err(fail(&lexer, format!("nested deeper than {MAX_DEPTH} levels"))),
        Err(error) => Err(fail(&lexer, error.to_string())),
    }
}

fn read<'a>(depth: usize, next: u8, lexer: &mut SliceLexer<'a>) -> Result<Value<'a>, hifijson::Error> {
    let depth = depth.checked_sub(1).ok_or(hifijson::Error::Depth)?;
    match next {
        b'a'..=b'z' => Ok(lexer.null_or_bool().ok_or(Expect::Value)?.map_or(Value::Null, Value::Bool)),
        b'0'..=b'9' | b'-' => {
            let (text, _) = hifijson::num::LexWrite::num_string(lexer).validated()?;
            Ok(Value::Number(Number(Cow::Borrowed(text))))
        }
        b'"' => Ok(Value::String(hifijson::str::LexAlloc::str_string(lexer.discarded())?)),
        b'[' => {
            let mut items = Vec::new();
            lexer.discarded().seq(b']', SliceLexer::ws_peek, |next, lexer| {
                items.push(read(depth, next, lexer)?);
                Ok::<_, hifijson::Error>(())
            })?;
            Ok(Value::Array(items))
        }
        b'{' => {
            let mut members = Vec::new();
            lexer.discarded().seq(b'}', SliceLexer::ws_peek, |next, lexer| {
                lexer.expect(|_| Some(next), b'"').ok_or(Expect::String)?;
                let key = hifijson::str::LexAlloc::str_string(lexer)?;
                lexer.expect(SliceLexer::ws_peek, b':').ok_or(Expect::Colon)?;
                let value = read(depth, lexer.ws_peek().ok_or(Expect::Value)?, lexer)?;
                members.push((key, value));
                Ok::<_, hifijson::Error>(())
            })?;
            Ok(Value::Object(Object::from_members(members)))
        }
        _ => Err(Expect::Value.into()),
    }
}

/// `read` is written against the slice lexer; this states what it relies on.
const _: fn() = || {
    fn lexes<L: LexAlloc>() {}
    lexes::<SliceLexer<'static>>();
};

impl<'a> Value<'a> {
    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value of a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(truth) => Some(*truth),
            _ => None,
        }
    }

    /// The members of an object.
    pub fn as_object(&self) -> Option<&Object<'a>> {
        match self {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The items of a list.
    pub fn as_array(&self) -> Option<&[Value<'a>]> {
        match self {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// A number that is a whole one and fits.
    pub fn as_usize(&self) -> Option<usize> {
        match self {
            Value::Number(number) => number.exact().to_i64().and_then(|n| usize::try_from(n).ok()),
            _ => None,
        }
    }

    /// The member of an object by its key.
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        self.as_object()?.get(key)
    }

    /// The member of an object by its key, unless it is `null`.
    pub fn get_some(&self, key: &str) -> Option<&Value<'a>> {
        self.get(key).filter(|value| !value.is_null())
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The JSON type's name, as messages call it.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "list",
            Value::Object(_) => "object",
        }
    }

    /// The same value without a borrow.
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Value::Null => Value::Null,
            Value::Bool(truth) => Value::Bool(truth),
            Value::Number(Number(text)) => Value::Number(Number(Cow::Owned(text.into_owned()))),
            Value::String(text) => Value::String(Cow::Owned(text.into_owned())),
            Value::Array(items) => Value::Array(items.into_iter().map(Value::into_owned).collect()),
            Value::Object(object) => Value::Object(Object::from_members(
                object.members.into_iter().map(|(key, value)| (Cow::Owned(key.into_owned()), value.into_owned())).collect(),
            )),
        }
    }

    /// A copy without a borrow.
    pub fn to_static(&self) -> Value<'static> {
        match self {
            Value::Null => Value::Null,
            Value::Bool(truth) => Value::Bool(*truth),
            Value::Number(Number(text)) => Value::Number(Number(Cow::Owned(text.as_ref().to_owned()))),
            Value::String(text) => Value::String(Cow::Owned(text.as_ref().to_owned())),
            Value::Array(items) => Value::Array(items.iter().map(Value::to_static).collect()),
            Value::Object(object) => Value::Object(object.to_static()),
        }
    }

    /// The value as `serde_json` holds it, for libraries that read that: integers beyond 64 bits become floats, of a
    /// repeated key the last value counts, a number out of a float's range becomes `null`.
    pub fn to_serde(&self) -> serde_json::Value {
        match self {
            Value::Null => serde_json::Value::Null,
            Value::Bool(truth) => serde_json::Value::Bool(*truth),
            Value::Number(number) => serde_json::from_str(number.as_str()).unwrap_or(serde_json::Value::Null),
            Value::String(text) => serde_json::Value::String(text.clone().into_owned()),
            Value::Array(items) => serde_json::Value::Array(items.iter().map(Value::to_serde).collect()),
            Value::Object(object) => {
                serde_json::Value::Object(object.iter().map(|(key, value)| (key.to_owned(), value.to_serde())).collect())
            }
        }
    }

    /// From a value that `serde_json` (or a TOML file) gave; numbers take their shortest spelling.
    pub fn from_serde(value: &serde_json::Value) -> Value<'static> {
        match value {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(truth) => Value::Bool(*truth),
            serde_json::Value::Number(number) => Value::Number(Number(Cow::Owned(number.to_string()))),
            serde_json::Value::String(text) => Value::String(Cow::Owned(text.clone())),
            serde_json::Value::Array(items) => Value::Array(items.iter().map(Value::from_serde).collect()),
            serde_json::Value::Object(members) => Value::Object(Object::from_members(
                members.iter().map(|(key, value)| (Cow::Owned(key.clone()), Value::from_serde(value))).collect(),
            )),
        }
    }
}

impl<'a> Number<'a> {
    /// A number from its JSON spelling; nothing when `text` is no JSON number.
    pub fn new(text: impl Into<Cow<'a, str>>) -> Option<Number<'a>> {
        let text = text.into();
        let starts_right = text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        match parse(&text) {
            Ok(Value::Number(Number(spelling))) if starts_right && spelling.len() == text.len() => {}
            _ => return None,
        }
        Some(Number(text))
    }

    /// The spelling.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The number itself.
    pub fn exact(&self) -> Decimal {
        // INVARIANT: the spelling was validated when the number was made.
        Decimal::from_json(&self.0).unwrap_or_default()
    }

    /// Whether it's spelled as an integer: without a point and without an exponent.
    pub fn is_spelled_integer(&self) -> bool {
        !self.0.contains(['.', 'e', 'E'])
    }
}

impl From<i64> for Number<'static> {
    fn from(number: i64) -> Self {
        Number(Cow::Owned(number.to_string()))
    }
}

impl<'a> Object<'a> {
    /// An object of these members, in this order.
    pub fn from_members(members: Vec<(Cow<'a, str>, Value<'a>)>) -> Self {
        Object { members, places: None }
    }

    /// The value of a key; of a repeated one the last.
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        self.members.get(self.place(key)?).map(|(_, value)| value)
    }

    fn place(&self, key: &str) -> Option<usize> {
        match &self.places {
            Some(places) => places.0.get(key).copied(),
            None => self.members.iter().rposition(|(name, _)| name == key),
        }
    }

    /// The members in the order they were written, every occurrence of a repeated key.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &Value<'a>)> + ExactSizeIterator {
        self.members.iter().map(|(key, value)| (key.as_ref(), value))
    }

    /// The members themselves.
    pub fn into_members(self) -> Vec<(Cow<'a, str>, Value<'a>)> {
        self.members
    }

    /// Sets the value of a key: in place where the key is there, else as the last member.
    pub fn set(&mut self, key: impl Into<Cow<'a, str>>, value: Value<'a>) {
        let key = key.into();
        if self.places.is_none() && self.members.len() >= LARGE {
            let places = self.members.iter().enumerate().map(|(at, (key, _))| (key.clone().into_owned(), at));
            self.places = Some(Box::new(Places(places.collect())));
        }
        if let Some((_, old)) = self.place(&key).and_then(|at| self.members.get_mut(at)) {
            *old = value;
            return;
        }
        if let Some(places) = &mut self.places {
            places.0.insert(key.clone().into_owned(), self.members.len());
        }
        self.members.push((key, value));
    }

    /// A copy without a borrow.
    pub fn to_static(&self) -> Object<'static> {
        let copy = |(key, value): &(Cow<'a, str>, Value<'a>)| (Cow::Owned(key.as_ref().to_owned()), value.to_static());
        Object::from_members(self.members.iter().map(copy).collect())
    }

    /// How many members were written.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether no member was written.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The first key that was written more than once.
    pub fn duplicate_key(&self) -> Option<&str> {
        let mut keys: Vec<&str> = self.iter().map(|(key, _)| key).collect();
        keys.sort_unstable();
        keys.windows(2).find_map(|pair| match pair {
            [first, second] if first == second => Some(*first),
            _ => None,
        })
    }

    /// The members by key, sorted, of a repeated one the last.
    pub fn sorted(&self) -> Vec<(&str, &Value<'a>)> {
        let mut members: Vec<(&str, &Value<'a>)> = self.iter().collect();
        members.sort_by(|a, b| a.0.cmp(b.0));
        // The sort is stable: of equal keys the one written last is kept.
        let mut unique: Vec<(&str, &Value<'a>)> = Vec::with_capacity(members.len());
        for member in members {
            match unique.last_mut() {
                Some(last) if last.0 == member.0 => *last = member,
                _ => unique.push(member),
            }
        }
        unique
    }
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::String(a), Value::String(b)) => a == b,
            (Value::Array(a), Value::Array(b)) => a == b,
            (Value::Object(a), Value::Object(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value<'_> {}

impl PartialEq for Number<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.exact() == other.exact()
    }
}

impl Eq for Number<'_> {}

impl PartialEq for Object<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.sorted() == other.sorted()
    }
}

impl Eq for Object<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_keep_their_spelling_and_compare_exactly() {
        let value = parse("[1250.50, 1E400, 123456789012345678901234567890]").unwrap();
        let spelled: Vec<&str> = value
            .as_array()
            .unwrap()
            .iter()
            .map(|v| match v {
                Value::Number(n) => n.as_str(),
                _ => "",
            })
            .collect();
        assert_eq!(spelled, ["1250.50", "1E400", "123456789012345678901234567890"]);
        assert_eq!(parse("1250.50"), parse("1250.5"));
        assert_ne!(parse("123456789012345678901234567890"), parse("123456789012345678901234567891"));
    }

    #[test]
    fn a_repeated_key_is_noticed_and_its_last_value_counts() {
        let value = parse(r#"{"a": 1, "b": 2, "a": 3}"#).unwrap();
        let object = value.as_object().unwrap();
        assert_eq!(object.duplicate_key(), Some("a"));
        assert_eq!(value.get("a"), Some(&parse("3").unwrap()));
        assert_eq!(value, parse(r#"{"b": 2, "a": 3}"#).unwrap());
    }

    #[test]
    fn setting_a_key_keeps_its_place_in_small_and_large_objects() {
        let mut object = parse(r#"{"k0": 0, "k1": 1, "k0": 2}"#).unwrap().as_object().cloned().unwrap();
        for round in 0..2 {
            for n in 0..100 {
                object.set(format!("k{n}"), Value::Number(Number::from(n + round)));
            }
        }
        assert_eq!(object.len(), 101, "the repeated key stays, every other one is there once");
        assert_eq!(object.get("k0"), Some(&parse("1").unwrap()));
        assert_eq!(object.get("k99"), Some(&parse("100").unwrap()));
        assert_eq!(object.get("k100"), None);
    }

    #[test]
    fn a_value_is_no_larger_than_its_parts() {
        assert_eq!((size_of::<Value<'_>>(), size_of::<Object<'_>>()), (32, 32));
    }

    #[test]
    fn text_is_borrowed_unless_it_has_escapes() {
        let value = parse(r#"["plain", "esc\naped"]"#).unwrap();
        let [Value::String(plain), Value::String(escaped)] = value.as_array().unwrap() else { panic!("two texts") };
        assert!(matches!(plain, Cow::Borrowed("plain")));
        assert_eq!(escaped, "esc\naped");
    }

    #[test]
    fn errors_tell_where() {
        assert_eq!(parse("{\"a\": }").unwrap_err().offset, 6);
        assert_eq!(parse("{} x").unwrap_err().offset, 3);
        assert!(parse("").is_err());
        assert!(parse("[1,]").is_err());
        assert!(parse("nul").is_err());
        assert!(parse("-").is_err());
        assert!(parse("\"\u{1}\"").is_err(), "a bare control character is no JSON");
        assert!(parse(r#""\ud800""#).is_err(), "a lone surrogate is no text");
        assert!(parse_bytes(b"\"\xff\"").is_err(), "invalid UTF-8 is no text");
    }

    #[test]
    fn deep_nesting_is_an_error_not_a_crash() {
        let deep = "[".repeat(100_000);
        assert!(parse(&deep).unwrap_err().reason.contains("128"));
        let within = format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
        assert!(parse(&within).is_ok());
    }

    #[test]
    fn the_first_value_of_several_can_be_read_alone() {
        let (value, next) = parse_prefix(br#" {"a": 1}  {"b": 2}"#).unwrap();
        assert_eq!(value, parse(r#"{"a": 1}"#).unwrap());
        assert_eq!(next, 11);
    }

    #[test]
    fn a_number_is_made_from_a_json_spelling_only() {
        assert!(Number::new("12.5e3").is_some());
        for bad in ["", " 1", "1 ", "+1", ".5", "5.", "0x1", "1_000", "NaN", "null", "01"] {
            assert!(Number::new(bad).is_none(), "{bad:?}");
        }
    }

    fn any_json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(serde_json::Value::from),
            any::<i64>().prop_map(serde_json::Value::from),
            any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(serde_json::Value::from),
            any::<String>().prop_map(serde_json::Value::from),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::from),
                prop::collection::vec((any::<String>(), inner), 0..6)
                    .prop_map(|pairs| serde_json::Value::Object(pairs.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn reads_what_serde_json_writes(value in any_json()) {
            let text = value.to_string();
            prop_assert_eq!(parse(&text).unwrap().to_serde(), value);
        }

        #[test]
        fn accepts_what_serde_json_accepts(text in "[\\[\\]{}:,\"\\\\0-9eE.+ntrufalse -]{0,12}") {
            // The one difference: a number out of a float's range is a number here.
            if let Err(ours) = parse(&text) {
                prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_err(), "{}: {}", text, ours);
            } else if let Err(theirs) = serde_json::from_str::<serde_json::Value>(&text) {
                prop_assert!(theirs.to_string().contains("out of range"), "{}: {}", text, theirs);
            }
        }

        #[test]
        fn never_panics(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = parse_bytes(&bytes);
        }
    }
}
