//! Full JSON Schema on the coerced arguments, and its errors in plain words.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::json::SerdeJson;
use jsonschema::paths::{Location, LocationSegment};
use jsonschema::{Draft, JsonType, PatternOptions, ValidationError, ValidationOptions, Validator};

use crate::json::{Object, Value, display};

use super::instance::Exact;
use super::reach::Reach;
use super::{Fault, SchemaError, Type};

/// How many faults are told; more help nobody.
const MAX_FAULTS: usize = 100;

/// How far into nested alternatives a message looks for the one that was meant.
const MAX_ALTERNATIVES: usize = 8;

/// The automaton of one pattern may take this much, in bytes.
const PATTERN_SIZE: usize = 1 << 20;

/// A longer value isn't repeated in a message.
const LONGEST_SHOWN: usize = 40;

const UNKNOWN: &str = "is not an argument of this tool";

/// The compiled schema.
#[derive(Debug)]
pub(super) struct Compiled {
    validator: Validator<Exact>,
    schema: Value<'static>,
}

/// Compiles a closed schema. Nothing is fetched: a reference to elsewhere is an error.
pub(super) fn compile(schema: Value<'static>) -> Result<Compiled, SchemaError> {
    let options = jsonschema::options_for::<Exact>().offline().with_draft(Draft::Draft202012).should_validate_formats(true);
    let options = options.with_pattern_options(patterns());
    let built = options.build(&schema.to_serde()).map_err(|error| {
        let reason = match error.kind() {
            ValidationErrorKind::Referencing(reference) => reference.to_string(),
            _ => error.to_string(),
        };
        SchemaError::Invalid { reason: shortened(&reason), pointer: error.instance_path().as_str().to_owned() }
    });
    Ok(Compiled { validator: built?, schema })
}

/// Whether the linear engine takes a pattern.
pub(super) fn takes_pattern(pattern: &str) -> bool {
    let options: ValidationOptions<'_, _, SerdeJson> = jsonschema::options().offline().with_pattern_options(patterns());
    options.build(&serde_json::json!({ "pattern": pattern })).is_ok()
}

fn patterns() -> PatternOptions<jsonschema::Regex> {
    PatternOptions::regex().size_limit(PATTERN_SIZE).dfa_size_limit(PATTERN_SIZE)
}

/// What is wrong with the arguments; nothing when they are valid.
pub(super) fn faults(compiled: &Compiled, arguments: &Value<'_>) -> Vec<Fault> {
    if compiled.validator.is_valid(arguments) {
        return Vec::new();
    }
    if !Reach::can_be_told(&compiled.schema, arguments) {
        let message = "break the schema, which is too intricate to tell where".to_owned();
        return vec![Fault { argument: String::new(), path: String::new(), message }];
    }
    let mut faults = Vec::new();
    for error in compiled.validator.iter_errors(arguments).take(MAX_FAULTS) {
        tell(&mut faults, error.instance_path(), &error, arguments, 0);
    }
    faults.dedup();
    faults
}

fn tell(faults: &mut Vec<Fault>, at: &Location, error: &ValidationError<'_>, arguments: &Value<'_>, depth: usize) {
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            faults.push(fault(at, Some(name), "is required".to_owned()));
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            for name in unexpected.iter().take(MAX_FAULTS) {
                faults.push(fault(at, Some(name), UNKNOWN.to_owned()));
            }
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            let is_of_other_type = |branch: &&Vec<ValidationError<'static>>| {
                branch
                    .iter()
                    .any(|inner| matches!(inner.kind(), ValidationErrorKind::Type { .. }) && inner.instance_path() == at)
            };
            let mut meant = context.iter().filter(|branch| !is_of_other_type(branch));
            match (meant.next(), meant.next()) {
                (Some(branch), None) if depth < MAX_ALTERNATIVES => {
                    for inner in branch {
                        tell(faults, inner.instance_path(), inner, arguments, depth + 1);
                    }
                }
                (None, _) => {
                    let mut kinds: Vec<Type> = Vec::new();
                    for kind in context.iter().flatten().flat_map(|inner| kinds_of(inner.kind())) {
                        if !kinds.contains(&kind) {
                            kinds.push(kind);
                        }
                    }
                    faults.push(fault(at, None, must_be(&kinds, at, arguments)));
                }
                _ => faults.push(fault(at, None, format!("fits none of the {} alternatives", context.len()))),
            }
        }
        ValidationErrorKind::FalseSchema if error.schema_path().as_str().ends_with("/additionalProperties") => {
            let object = found(at, arguments).and_then(Value::as_object);
            for (name, _) in object.into_iter().flat_map(Object::iter).take(MAX_FAULTS) {
                faults.push(fault(at, Some(name), UNKNOWN.to_owned()));
            }
        }
        kind => faults.push(fault(at, None, message(kind, at, arguments))),
    }
}

fn message(kind: &ValidationErrorKind, at: &Location, arguments: &Value<'_>) -> String {
    use ValidationErrorKind as Kind;
    match kind {
        Kind::Type { .. } => must_be(&kinds_of(kind), at, arguments),
        Kind::Enum { options } => {
            let options: Vec<String> = options
                .as_array()
                .into_iter()
                .flatten()
                .take(20)
                .map(|each| format!("`{}`", shortened(&plain(each))))
                .collect();
            format!("must be one of {}{}", options.join(", "), instead(at, arguments))
        }
        Kind::Constant { expected_value } => {
            format!("must be `{}`{}", shortened(&plain(expected_value)), instead(at, arguments))
        }
        Kind::Minimum { limit } => format!("must be at least {limit}{}", instead(at, arguments)),
        Kind::Maximum { limit } => format!("must be at most {limit}{}", instead(at, arguments)),
        Kind::ExclusiveMinimum { limit } => format!("must be more than {limit}{}", instead(at, arguments)),
        Kind::ExclusiveMaximum { limit } => format!("must be less than {limit}{}", instead(at, arguments)),
        Kind::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}{}", instead(at, arguments)),
        Kind::MinLength { limit } => format!("must have at least {limit} characters{}", instead(at, arguments)),
        Kind::MaxLength { limit } => format!("must have at most {limit} characters{}", instead(at, arguments)),
        Kind::Pattern { pattern } => format!("must match `{}`{}", shortened(pattern), instead(at, arguments)),
        Kind::Format { format } => format!("must be a valid {format}{}", instead(at, arguments)),
        Kind::MinItems { limit } => format!("must have at least {limit} items"),
        Kind::AdditionalItems { limit } => format!("must have at most {limit} items"),
        Kind::MaxItems { limit } => format!("must have at most {limit} items"),
        Kind::UniqueItems => "must not hold the same item twice".to_owned(),
        Kind::Contains => "must hold an item of the kind that is asked for".to_owned(),
        Kind::UnevaluatedItems { .. } => "holds items that are not allowed".to_owned(),
        Kind::MinProperties { limit } => format!("must have at least {limit} keys"),
        Kind::MaxProperties { limit } => format!("must have at most {limit} keys"),
        Kind::PropertyNames { .. } => "has a key that is not allowed".to_owned(),
        Kind::OneOfMultipleValid { .. } => "fits more than one of the alternatives, of which only one may fit".to_owned(),
        Kind::Not { .. } => "is what the schema excludes".to_owned(),
        Kind::FalseSchema => "is not allowed here".to_owned(),
        other => format!("breaks `{}`", other.keyword()),
    }
}

fn kinds_of(kind: &ValidationErrorKind) -> Vec<Type> {
    let named = |kind: JsonType| Type::from_name(kind.as_str());
    match kind {
        ValidationErrorKind::Type { kind: TypeKind::Single(kind) } => named(*kind).into_iter().collect(),
        ValidationErrorKind::Type { kind: TypeKind::Multiple(kinds) } => kinds.iter().filter_map(named).collect(),
        _ => Vec::new(),
    }
}

fn must_be(kinds: &[Type], at: &Location, arguments: &Value<'_>) -> String {
    let kinds: Vec<String> = kinds.iter().map(Type::to_string).collect();
    format!("must be {}{}", kinds.join(" or "), instead(at, arguments))
}

fn found<'v, 'a>(at: &Location, arguments: &'v Value<'a>) -> Option<&'v Value<'a>> {
    at.segments().try_fold(arguments, |value, segment| match (value, segment) {
        (Value::Object(object), LocationSegment::Property(name)) => object.get(&name),
        (Value::Object(object), LocationSegment::Index(index)) => object.get(&index.to_string()),
        (Value::Array(items), LocationSegment::Index(index)) => items.get(index),
        _ => None,
    })
}

/// The value that was given, if it's short enough to show.
fn instead(at: &Location, arguments: &Value<'_>) -> String {
    match found(at, arguments) {
        Some(Value::Object(_)) => ", not an object".to_owned(),
        Some(Value::Array(_)) => ", not a list".to_owned(),
        Some(Value::String(text)) if text.chars().nth(LONGEST_SHOWN).is_some() => String::new(),
        Some(value) => Some(display(value))
            .filter(|text| text.len() <= 4 * LONGEST_SHOWN)
            .map_or(String::new(), |text| format!(", not `{text}`")),
        None => String::new(),
    }
}

fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn fault(at: &Location, member: Option<&str>, message: String) -> Fault {
    let mut path = String::new();
    let mut argument = None;
    for segment in at.segments() {
        match segment {
            // The arguments themselves are an object, so what looks like an index there is a key.
            LocationSegment::Index(index) if argument.is_some() => path.push_str(&format!("[{index}]")),
            LocationSegment::Index(index) => step(&mut path, &mut argument, &index.to_string()),
            LocationSegment::Property(name) => step(&mut path, &mut argument, &name),
        }
    }
    if let Some(name) = member {
        step(&mut path, &mut argument, name);
    }
    Fault { argument: argument.unwrap_or_default(), path, message }
}

fn step(path: &mut String, argument: &mut Option<String>, name: &str) {
    if argument.is_none() {
        *argument = Some(name.to_owned());
    } else {
        path.push('.');
    }
    path.push_str(name);
}
