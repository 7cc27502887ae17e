//! A tool schema: reading definitions, lax coercion, then full JSON Schema.
//!
//! A schema is compiled once, in two ways: into *shapes* that know what coercion and defaults need, and into the validator
//! of the `jsonschema` crate, which reads our values in place. Both work on the schema *closed*, so that unknown keys are
//! errors.

mod closing;
mod coercion;
mod definitions;
mod instance;
mod invisible;
mod reach;
mod shape;
mod validation;

#[cfg(test)]
mod tests;

use crate::json::{Object, Value};

pub use coercion::Type;
pub use definitions::{Definition, DefinitionError, definitions};

/// A compiled argument schema: coercion, defaults, validation.
///
/// ```
/// use dryguard::catalog::schema::ToolSchema;
/// use dryguard::json::{display, parse, Value};
///
/// let schema = parse(r#"{"properties": {"count": {"type": "integer"}, "note": {"type": "string", "default": ""}}}"#).unwrap();
/// let schema = ToolSchema::compile(&schema).unwrap();
/// let checked = schema.check(&parse(r#"{"count": "3"}"#).unwrap());
/// assert!(checked.is_valid());
/// assert_eq!(display(&Value::Object(checked.arguments)), r#"{"count": 3, "note": ""}"#);
/// ```
#[derive(Debug)]
pub struct ToolSchema {
    arguments: Vec<Argument>,
    accepts_unknown: bool,
    warnings: Vec<String>,
    shapes: shape::Shapes,
    compiled: validation::Compiled,
}

/// One declared argument.
#[derive(Debug, Clone)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Whether a call must give it.
    pub required: bool,
    /// What an absent one counts as; `null` when there is none.
    pub default: Option<Value<'static>>,
    /// The types it may have, alternatives included, in declared order; empty for any.
    pub types: Vec<Type>,
    /// What the model is told about it.
    pub description: Option<String>,
    /// Its schema as declared; references in it point into the whole.
    pub schema: Value<'static>,
}

/// A call's arguments after coercion, and what is wrong with them.
#[derive(Debug, Clone)]
pub struct Checked<'a> {
    /// Coerced, absent optional ones filled in, in declared order and then the others; empty if they are no object.
    pub arguments: Object<'a>,
    /// What breaks the schema; empty for valid arguments, format characters aside.
    pub faults: Vec<Fault>,
    /// Paths of texts and keys that hold a format character (Unicode category Cf).
    pub invisible: Vec<String>,
}

impl Checked<'_> {
    /// Whether the call passes: no faults and no format characters.
    pub fn is_valid(&self) -> bool {
        self.faults.is_empty() && self.invisible.is_empty()
    }
}

/// One thing that is wrong with a call's arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The argument's name; empty when it's about the arguments as a whole.
    pub argument: String,
    /// Where in it, as `legs[0].day`.
    pub path: String,
    /// What is wrong there, in plain words, to be read after the path.
    pub message: String,
}

/// Why a schema can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// It's no JSON Schema, or refers to something that isn't there; nothing is ever fetched.
    #[error("the schema can't be read at `{pointer}`: {reason}", pointer = if .pointer.is_empty() { "/" } else { .pointer })]
    Invalid {
        /// What is wrong.
        reason: String,
        /// Where, as a JSON pointer.
        pointer: String,
    },
    /// The arguments of a call are an object; this schema describes something else.
    #[error("the schema of a call's arguments must be an object that describes an object, this is {found}")]
    NotOfObjects {
        /// What it is instead.
        found: String,
    },
    /// A reference comes back to itself, or to too many sub-schemas for one value.
    #[error(
        "the schema refers to itself without end, or to too many sub-schemas for one value; break the circle of `$ref`s"
    )]
    Endless,
    /// It is nested too deep.
    #[error("the schema is nested deeper than {} levels; use `$defs` and `$ref`", crate::json::MAX_DEPTH)]
    TooDeep,
    /// It is too large.
    #[error("the schema is too large to be prepared; split the tool or simplify its arguments")]
    TooLarge,
    /// It has too many patterns.
    #[error("the schema has more than {limit} patterns; leave out those that matter least")]
    TooManyPatterns {
        /// How many it may have.
        limit: usize,
    },
}

impl ToolSchema {
    /// Compiles the schema of a tool's arguments: JSON Schema 2020-12, or the draft its `$schema` names.
    ///
    /// # Errors
    /// It's no JSON Schema of an object, refers to what isn't in it, or is too large or too deep to be checked safely.
    pub fn compile(schema: &Value<'_>) -> Result<ToolSchema, SchemaError> {
        must_be_of_objects(schema)?;
        let closed = closing::closed(schema)?;
        let (arguments, accepts_unknown) = shape::arguments(schema)?;
        let shapes = shape::Shapes::of(&closed.schema)?;
        let compiled = validation::compile(closed.schema)?;
        Ok(ToolSchema { arguments, accepts_unknown, warnings: closed.warnings, shapes, compiled })
    }

    /// The declared arguments, in order.
    pub fn arguments(&self) -> &[Argument] {
        &self.arguments
    }

    /// A declared argument by its name.
    pub fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().find(|argument| argument.name == name)
    }

    /// Whether arguments that aren't declared are accepted (`additionalProperties`).
    pub fn accepts_unknown(&self) -> bool {
        self.accepts_unknown
    }

    /// Whether it says which arguments there are; one that takes anything and names nothing doesn't.
    pub fn names_arguments(&self) -> bool {
        !self.accepts_unknown || !self.arguments.is_empty()
    }

    /// What of the schema is not checked, and why.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Coerces, validates and completes a call's arguments.
    pub fn check<'a>(&self, arguments: &Value<'a>) -> Checked<'a> {
        let (mut checked, out_of_range) = look_at(arguments);
        if !checked.faults.is_empty() {
            return checked;
        }
        let coerced = self.shapes.coerce(Value::Object(std::mem::take(&mut checked.arguments)));
        checked.faults = validation::faults(&self.compiled, &coerced);
        let out_of_range = out_of_range.into_iter().map(|(argument, path)| Fault {
            argument,
            path,
            message: "is a number out of range".to_owned(),
        });
        checked.faults.extend(out_of_range);
        if let Value::Object(object) = self.shapes.fill(coerced) {
            checked.arguments = object;
        }
        checked
    }
}

/// What can be said of a call's arguments without a schema: they are an object that isn't nested too deep, and where they hold
/// format characters.
pub fn check_without_schema<'a>(arguments: &Value<'a>) -> Checked<'a> {
    look_at(arguments).0
}

/// The arguments as they are with what no schema is needed to see, and the paths of numbers out of range.
fn look_at<'a>(arguments: &Value<'a>) -> (Checked<'a>, Vec<(String, String)>) {
    let found = invisible::look(arguments);
    let mut checked = Checked { arguments: Object::default(), faults: Vec::new(), invisible: found.invisible };
    let fault = match arguments {
        _ if found.too_deep => Some("the arguments are nested too deep"),
        Value::Object(object) => {
            checked.arguments = object.clone();
            None
        }
        _ => Some("the arguments are not a JSON object"),
    };
    checked.faults.extend(fault.map(|message| Fault {
        argument: String::new(),
        path: String::new(),
        message: message.to_owned(),
    }));
    (checked, found.out_of_range)
}

fn must_be_of_objects(schema: &Value<'_>) -> Result<(), SchemaError> {
    let found = match schema {
        Value::Object(object) => {
            let kinds = object.get("type").map(|kinds| kinds.as_array().unwrap_or(std::slice::from_ref(kinds)));
            match kinds {
                Some(kinds) if !kinds.iter().any(|kind| kind.as_str() == Some("object")) => {
                    format!("of type `{}`", kinds.first().and_then(Value::as_str).unwrap_or_default())
                }
                _ => return Ok(()),
            }
        }
        other => format!("a {}", other.kind()),
    };
    Err(SchemaError::NotOfObjects { found })
}

const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<ToolSchema>();
};
