//! What a schema says about the value itself: the sub-schemas that apply in place, references followed.

use crate::json::{Object, Value};

use super::SchemaError;

/// How many sub-schemas may apply to one value, references followed each time they occur. More is either a reference that
/// comes back to itself or a schema that doubles at each step; the validator would never be done with either.
const MAX_IN_PLACE: usize = 5_000;

/// How many such steps a whole schema may cost to prepare.
const MAX_STEPS: usize = 100_000;

/// Finds sub-schemas of one schema document, within a budget.
pub(super) struct Reach<'s, 'a> {
    root: &'s Value<'a>,
    steps: usize,
}

/// How a sub-schema takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// It always applies: the schema itself, `$ref`, `allOf`.
    Always,
    /// It may apply: `anyOf`, `oneOf`, `if`, `then`, `else`, `dependentSchemas`.
    Maybe,
    /// It applies the other way round: `not`.
    Negated,
}

/// One sub-schema that applies in place.
pub(super) struct InPlace<'s, 'a> {
    pub part: Part,
    pub object: &'s Object<'a>,
}

impl<'s, 'a> Reach<'s, 'a> {
    pub(super) fn new(root: &'s Value<'a>) -> Self {
        Reach { root, steps: 0 }
    }

    /// Counts work done on behalf of the schema.
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), SchemaError> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MAX_STEPS { Err(SchemaError::TooLarge) } else { Ok(()) }
    }

    /// The sub-schemas that apply to the same value as `schema`, itself first, each as often as it applies.
    pub(super) fn in_place(&mut self, schema: &'s Value<'a>) -> Result<Vec<InPlace<'s, 'a>>, SchemaError> {
        let mut found = Vec::new();
        let mut open = vec![(Part::Always, schema)];
        while let Some((part, schema)) = open.pop() {
            let Some(object) = schema.as_object() else { continue };
            self.spend(1)?;
            if found.len() >= MAX_IN_PLACE {
                return Err(SchemaError::Endless);
            }
            let from = open.len();
            for (keyword, value) in object.iter() {
                match keyword {
                    "$ref" => open.extend(self.target(value).map(|target| (part, target))),
                    "allOf" => open.extend(value.as_array().into_iter().flatten().map(|each| (part, each))),
                    "anyOf" | "oneOf" => {
                        open.extend(value.as_array().into_iter().flatten().map(|each| (part.max(Part::Maybe), each)));
                    }
                    "if" | "then" | "else" => open.push((part.max(Part::Maybe), value)),
                    "dependentSchemas" | "dependencies" => {
                        let each = value.as_object().into_iter().flat_map(Object::iter);
                        open.extend(each.map(|(_, each)| (part.max(Part::Maybe), each)));
                    }
                    "not" => open.push((Part::Negated, value)),
                    _ => {}
                }
            }
            // The stack gives back the last first; the order of declaration is kept.
            open.get_mut(from..).into_iter().for_each(<[_]>::reverse);
            found.push(InPlace { part, object });
        }
        Ok(found)
    }

    /// The sub-schemas that always apply.
    pub(super) fn always(&mut self, schema: &'s Value<'a>) -> Result<Vec<&'s Object<'a>>, SchemaError> {
        let parts = self.in_place(schema)?;
        Ok(parts.into_iter().filter(|each| each.part == Part::Always).map(|each| each.object).collect())
    }

    /// Whether all that a schema says about a value can be told in reasonable time: the validator says whether a value is
    /// valid at once, but its reasons may double at each level of a recursive schema.
    pub(super) fn can_be_told(schema: &'s Value<'a>, value: &Value<'_>) -> bool {
        Reach::new(schema).tell(schema, value).is_ok()
    }

    fn tell(&mut self, schema: &'s Value<'a>, value: &Value<'_>) -> Result<(), SchemaError> {
        if matches!(value, Value::Object(_) | Value::Array(_)) {
            for InPlace { object, .. } in self.in_place(schema)? {
                self.tell_members(object, value)?;
            }
        }
        Ok(())
    }

    fn tell_members(&mut self, schema: &'s Object<'a>, value: &Value<'_>) -> Result<(), SchemaError> {
        let properties = schema.get("properties").and_then(Value::as_object);
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        match value {
            Value::Object(object) => {
                let rest = ["additionalProperties", "unevaluatedProperties"].map(|keyword| schema.get(keyword));
                for (name, value) in object.iter() {
                    let declared = properties.and_then(|properties| properties.get(name));
                    let by_pattern = patterns.into_iter().flat_map(Object::iter).map(|(_, schema)| schema);
                    for schema in declared.into_iter().chain(by_pattern).chain(rest.into_iter().flatten()) {
                        self.tell(schema, value)?;
                    }
                }
            }
            Value::Array(items) => {
                let keywords = ["items", "prefixItems", "additionalItems", "unevaluatedItems", "contains"];
                for schema in keywords.iter().filter_map(|keyword| schema.get(keyword)) {
                    for (index, item) in items.iter().enumerate() {
                        match schema.as_array() {
                            Some(each) => each.get(index).map_or(Ok(()), |schema| self.tell(schema, item))?,
                            None => self.tell(schema, item)?,
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What a reference within the document names.
    pub(super) fn target(&self, reference: &Value<'_>) -> Option<&'s Value<'a>> {
        let pointer = reference.as_str()?.strip_prefix('#')?;
        let pointer = percent_decoded(pointer)?;
        let mut value = self.root;
        for segment in pointer.split('/').skip(1) {
            let segment = segment.replace("~1", "/").replace("~0", "~");
            value = match value {
                Value::Object(object) => object.get(&segment)?,
                Value::Array(items) => items.get(segment.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        // An anchor (`#name`) is no pointer.
        (pointer.is_empty() || pointer.starts_with('/')).then_some(value)
    }
}

impl Part {
    fn max(self, other: Part) -> Part {
        match (self, other) {
            (Part::Negated, _) | (_, Part::Negated) => Part::Negated,
            (Part::Maybe, _) | (_, Part::Maybe) => Part::Maybe,
            (Part::Always, Part::Always) => Part::Always,
        }
    }
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut parts = text.split('%');
    bytes.extend(parts.next()?.bytes());
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend(part.get(2..)?.bytes());
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn pointers_are_followed_with_their_escapes() {
        let root = parse(r#"{"$defs": {"a/b": {"title": "1"}, "ä": {"title": "2"}}, "allOf": [{"title": "3"}]}"#).unwrap();
        let reach = Reach::new(&root);
        let title = |reference: &str| reach.target(&Value::String(reference.into())).and_then(|found| found.get("title"));
        assert_eq!(title("#/$defs/a~1b").and_then(Value::as_str), Some("1"));
        assert_eq!(title("#/$defs/%C3%A4").and_then(Value::as_str), Some("2"));
        assert_eq!(title("#/allOf/0").and_then(Value::as_str), Some("3"));
        for none in ["#/$defs/c", "#anchor", "http://x.example/#/a", "#/allOf/7", "#/%zz", "#/%e2%82"] {
            assert!(reach.target(&Value::String(none.into())).is_none(), "{none}");
        }
    }

    #[test]
    fn a_reference_to_itself_and_one_that_doubles_are_errors() {
        let own = parse(r##"{"$ref": "#"}"##).unwrap();
        assert!(matches!(Reach::new(&own).in_place(&own), Err(SchemaError::Endless)));
        let mut text = r##"{"$ref": "#/$defs/0", "$defs": {"30": {}"##.to_owned();
        for i in 0..30 {
            let next = format!(r##"{{"$ref": "#/$defs/{}"}}"##, i + 1);
            text.push_str(&format!(r#", "{i}": {{"allOf": [{next}, {next}]}}"#));
        }
        text.push_str("}}");
        let doubling = parse(&text).unwrap();
        assert!(matches!(Reach::new(&doubling).in_place(&doubling), Err(SchemaError::Endless)));
    }
}
