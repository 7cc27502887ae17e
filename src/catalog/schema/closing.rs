//! Rewrites a schema so that unknown keys are errors, and so that only patterns remain that match in linear time.
//!
//! Closing each object that has `properties` would break `allOf`, where every part sees the keys of the others. So an
//! object is closed once, where its value is reached, with the keys of all sub-schemas that apply in place.

use std::borrow::Cow;

use crate::json::{MAX_DEPTH, Object, Value};

use super::reach::{InPlace, Part, Reach};
use super::{SchemaError, validation};

/// How many patterns a schema may hold; each one costs memory for its automaton.
const MAX_PATTERNS: usize = 200;

/// How many members an object of a schema may have; look-ups go through them one by one.
const MAX_MEMBERS: usize = 2_000;

/// A schema ready for the validator.
pub(super) struct Closed {
    pub schema: Value<'static>,
    pub warnings: Vec<String>,
}

/// Rewrites the schema of a call's arguments; at its root unknown keys are errors even when it declares none.
pub(super) fn closed(root: &Value<'_>) -> Result<Closed, SchemaError> {
    let mut closer = Closer { reach: Reach::new(root), warnings: Vec::new(), patterns: 0 };
    must_be_small(&mut closer.reach, root, 0)?;
    let schema = closer.rewrite(root, &Place { pointer: "", role: Role::Root })?;
    Ok(Closed { schema, warnings: closer.warnings })
}

fn must_be_small(reach: &mut Reach<'_, '_>, value: &Value<'_>, depth: usize) -> Result<(), SchemaError> {
    if depth > MAX_DEPTH {
        return Err(SchemaError::TooDeep);
    }
    match value {
        Value::Object(object) if object.len() > MAX_MEMBERS => Err(SchemaError::TooLarge),
        Value::Object(object) => object.iter().try_for_each(|(_, value)| must_be_small(reach, value, depth + 1)),
        Value::Array(items) => items.iter().try_for_each(|value| must_be_small(reach, value, depth + 1)),
        _ => reach.spend(1),
    }
}

struct Closer<'s, 'a> {
    reach: Reach<'s, 'a>,
    warnings: Vec<String>,
    patterns: usize,
}

/// Where a sub-schema stands, and so who closes it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The arguments themselves.
    Root,
    /// A value is reached here.
    Value,
    /// It applies in place of another one, which is closed instead.
    Part,
    /// It only decides something (`if`, `not`, `contains`): nothing in it is closed, or it would decide otherwise.
    Condition,
}

struct Place<'p> {
    pointer: &'p str,
    role: Role,
}

impl Place<'_> {
    fn inner<'p>(&self, pointer: &'p str, role: Role) -> Place<'p> {
        let role = if self.role == Role::Condition { Role::Condition } else { role };
        Place { pointer, role }
    }
}

type Members = Vec<(Cow<'static, str>, Value<'static>)>;

impl<'s, 'a> Closer<'s, 'a> {
    fn rewrite(&mut self, schema: &'s Value<'a>, place: &Place<'_>) -> Result<Value<'static>, SchemaError> {
        let Some(object) = schema.as_object() else { return Ok(schema.to_static()) };
        let parts = self.reach.in_place(schema)?;
        let each_alone = place.role == Role::Value && is_choice(object);
        let mut members: Members = Vec::with_capacity(object.len() + 1);
        for (keyword, value) in object.iter() {
            let value = match keyword {
                "properties" | "$defs" | "definitions" | "dependentSchemas" | "patternProperties" => {
                    let role = if keyword.ends_with("roperties") { Role::Value } else { Role::Part };
                    self.rewrite_members(keyword, value, role, place)?
                }
                "items" | "prefixItems" | "additionalItems" | "additionalProperties" => {
                    self.rewrite_items(keyword, value, Role::Value, place)?
                }
                "anyOf" | "oneOf" if each_alone => self.rewrite_items(keyword, value, Role::Value, place)?,
                "anyOf" | "oneOf" | "allOf" | "then" | "else" => self.rewrite_items(keyword, value, Role::Part, place)?,
                "if" | "not" | "contains" | "propertyNames" => self.rewrite_items(keyword, value, Role::Condition, place)?,
                "pattern" if !self.takes_pattern(value, place.pointer)? => continue,
                _ => value.to_static(),
            };
            members.push((Cow::Owned(keyword.to_owned()), value));
        }
        if matches!(place.role, Role::Part | Role::Condition) || each_alone {
            return Ok(Value::Object(Object::from_members(members)));
        }
        self.close(members, &parts, place)
    }

    fn rewrite_members(
        &mut self,
        keyword: &str,
        value: &'s Value<'a>,
        role: Role,
        place: &Place<'_>,
    ) -> Result<Value<'static>, SchemaError> {
        let Some(object) = value.as_object() else { return Ok(value.to_static()) };
        let mut members: Members = Vec::with_capacity(object.len());
        for (name, schema) in object.iter() {
            let pointer = format!("{}/{keyword}/{}", place.pointer, escaped(name));
            if keyword == "patternProperties" && !self.takes_pattern(&Value::String(Cow::Borrowed(name)), &pointer)? {
                continue;
            }
            let schema = self.rewrite(schema, &place.inner(&pointer, role))?;
            members.push((Cow::Owned(name.to_owned()), schema));
        }
        Ok(Value::Object(Object::from_members(members)))
    }

    fn rewrite_items(
        &mut self,
        keyword: &str,
        value: &'s Value<'a>,
        role: Role,
        place: &Place<'_>,
    ) -> Result<Value<'static>, SchemaError> {
        let pointer = format!("{}/{keyword}", place.pointer);
        let Some(items) = value.as_array() else { return self.rewrite(value, &place.inner(&pointer, role)) };
        let mut rewritten = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            rewritten.push(self.rewrite(item, &place.inner(&format!("{pointer}/{index}"), role))?);
        }
        Ok(Value::Array(rewritten))
    }

    /// Whether the linear engine takes a pattern; if not, that is said and the pattern is left out.
    fn takes_pattern(&mut self, pattern: &Value<'_>, pointer: &str) -> Result<bool, SchemaError> {
        let Some(text) = pattern.as_str() else { return Ok(true) };
        self.patterns += 1;
        if self.patterns > MAX_PATTERNS {
            return Err(SchemaError::TooManyPatterns { limit: MAX_PATTERNS });
        }
        let taken = validation::takes_pattern(text);
        if !taken {
            let start: String = text.chars().take(60).collect();
            self.warnings.push(format!(
                "the pattern `{start}` at `{}` isn't checked: it can't be matched in linear time (no look-around, no \
                 back-references, no huge repetitions), or it is no regular expression",
                if pointer.is_empty() { "/" } else { pointer }
            ));
        }
        Ok(taken)
    }

    fn close(
        &mut self,
        mut members: Members,
        parts: &[InPlace<'s, 'a>],
        place: &Place<'_>,
    ) -> Result<Value<'static>, SchemaError> {
        let parts = || parts.iter().filter(|each| each.part != Part::Negated).map(|each| each.object);
        let declares = parts().any(|part| part.get("properties").is_some());
        let says_itself = accepts_unknown(parts()).is_some();
        if says_itself || !declares && place.role != Role::Root {
            return Ok(Value::Object(Object::from_members(members)));
        }
        if let Some(reference) = parts().find_map(|part| self.unfollowed(part)) {
            self.warnings.push(format!("unknown keys at `{}` aren't noticed: `{reference}` isn't a pointer", place.pointer));
            return Ok(Value::Object(Object::from_members(members)));
        }
        if parts().nth(1).is_some() {
            for keyword in ["properties", "patternProperties"] {
                let names = parts().filter_map(|part| part.get(keyword)?.as_object()).flat_map(Object::iter);
                let names: Vec<&str> = names.map(|(name, _)| name).collect();
                self.reach.spend(names.len())?;
                members = with_names(members, keyword, names);
            }
        }
        if let Some(at) = members.iter().position(|(name, _)| name == "$ref") {
            // Until draft 7 what stands beside a `$ref` is ignored.
            let reference = Value::Object(Object::from_members(vec![members.remove(at)]));
            match members.iter_mut().find(|(name, _)| name == "allOf") {
                Some((_, Value::Array(all))) => all.push(reference),
                _ => members.push((Cow::Borrowed("allOf"), Value::Array(vec![reference]))),
            }
        }
        members.push((Cow::Borrowed("additionalProperties"), Value::Bool(false)));
        Ok(Value::Object(Object::from_members(members)))
    }

    /// A reference of this schema that only the validator can resolve.
    fn unfollowed(&self, part: &'s Object<'a>) -> Option<&'s str> {
        let reference = part.get("$ref").filter(|reference| self.reach.target(reference).is_none());
        reference.or_else(|| part.get("$dynamicRef")).or_else(|| part.get("$recursiveRef")).and_then(Value::as_str)
    }
}

/// The `$comment` of a property that another sub-schema declares; it says nothing more (and draft 4 knows no `true`).
const ELSEWHERE: &str = "declared by a sub-schema";

/// Whether a property is only there because another sub-schema declares it.
pub(super) fn is_declared_elsewhere(schema: &Value<'_>) -> bool {
    schema.get("$comment").and_then(Value::as_str) == Some(ELSEWHERE)
}

/// What the sub-schemas say about unknown keys, if they say anything.
pub(super) fn accepts_unknown<'s, 'a: 's>(parts: impl Iterator<Item = &'s Object<'a>>) -> Option<bool> {
    let said = parts.flat_map(|part| [part.get("additionalProperties"), part.get("unevaluatedProperties")]).flatten();
    said.map(|value| value.as_bool() != Some(false)).reduce(|a, b| a || b)
}

/// Whether a schema only chooses between others: then each of them is closed on its own.
fn is_choice(schema: &Object<'_>) -> bool {
    let is_there = |keyword: &&str| schema.get(keyword).is_some();
    let others = [
        "$ref",
        "allOf",
        "properties",
        "patternProperties",
        "additionalProperties",
        "unevaluatedProperties",
        "if",
        "dependentSchemas",
    ];
    ["anyOf", "oneOf"].iter().filter(|keyword| is_there(keyword)).count() == 1 && !others.iter().any(is_there)
}

/// Adds names that are declared elsewhere, without saying anything about their values.
fn with_names(mut members: Members, keyword: &'static str, names: Vec<&str>) -> Members {
    if names.is_empty() {
        return members;
    }
    let own = members.iter().position(|(name, _)| name == keyword);
    let mut declared = match own.map(|at| members.remove(at)) {
        Some((_, Value::Object(object))) => object.into_members(),
        _ => Vec::new(),
    };
    let mut known: std::collections::HashSet<String> = declared.iter().map(|(name, _)| name.clone().into_owned()).collect();
    for name in names {
        if known.insert(name.to_owned()) {
            let elsewhere = (Cow::Borrowed("$comment"), Value::String(Cow::Borrowed(ELSEWHERE)));
            declared.push((Cow::Owned(name.to_owned()), Value::Object(Object::from_members(vec![elsewhere]))));
        }
    }
    members.push((Cow::Borrowed(keyword), Value::Object(Object::from_members(declared))));
    members
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
