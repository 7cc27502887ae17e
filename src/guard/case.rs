//! One proposal before any text is searched: its tool, its checked arguments, the values that must be found, and what the
//! facts of that moment say about it.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::catalog::expression::Unevaluated;
use crate::catalog::model::{Catalog, Schema, Tool, Undeclared};
use crate::catalog::schema::{self, Checked, Fault, ToolSchema};
use crate::json::{Object, Value};
use crate::text::search::Needle;
use crate::text::{Locale, Matcher};
use crate::transcript::Proposal;

use super::CheckResult;
use super::environment::{CallEnvironment, Shared};
use super::facts::Facts;
use super::rules;

/// A proposal, resolved against the catalog and the facts of its moment.
pub(crate) struct Case<'t> {
    pub(crate) proposal: &'t Proposal<'t>,
    /// How many messages are before it.
    pub(crate) cut: usize,
    /// The tool's rules; nothing when the catalog doesn't know it.
    pub(crate) tool: Option<&'t Tool>,
    /// The schema of its arguments, where there is one that can be read.
    pub(crate) schema: Option<&'t ToolSchema>,
    /// Why the tool's schema can't be read.
    pub(crate) unreadable: Option<&'t str>,
    /// The arguments after coercion, absent optional ones filled in.
    pub(crate) arguments: Value<'t>,
    /// How they break the schema.
    pub(crate) faults: Vec<Fault>,
    /// Where they hold format characters.
    pub(crate) invisible: Vec<String>,
    /// The values that must be in the conversation, in the order of the rules.
    pub(crate) grounded: Vec<Sought<'t>>,
    /// The values that an accepted proposal must name.
    pub(crate) confirmed: Vec<Sought<'t>>,
    /// The policies' results, deny ones first.
    pub(crate) policies: Vec<CheckResult>,
    /// The gates' result.
    pub(crate) gates: Option<CheckResult>,
}

/// A value that must be found in text.
#[derive(Debug)]
pub(crate) struct Sought<'t> {
    /// The argument (its path as the catalog writes it).
    pub(crate) argument: String,
    /// The value.
    pub(crate) value: Value<'t>,
    /// What names it: needles of the search. None at all: it can be found nowhere (a boolean, an object, a blank).
    pub(crate) needles: Vec<usize>,
    /// Why its `names` expression could not be evaluated: that it stands nowhere then says nothing.
    pub(crate) unnamed: Option<Unevaluated>,
}

impl Sought<'_> {
    /// The value as people read it.
    pub(crate) fn shown(&self) -> String {
        rules::show(&self.value)
    }
}

/// The needles of a whole transcript, each once.
#[derive(Default)]
pub(crate) struct Needles {
    ids: HashMap<Needle, usize>,
    list: Vec<Needle>,
}

impl Needles {
    /// The number of a needle.
    fn id(&mut self, needle: Needle) -> usize {
        if let Some(id) = self.ids.get(&needle) {
            return *id;
        }
        let id = self.list.len();
        self.list.push(needle.clone());
        self.ids.insert(needle, id);
        id
    }

    /// The needle that finds a value; nothing for what no text can name.
    pub(crate) fn value(&mut self, value: &Value<'_>, matcher: Matcher, locale: Option<Locale>) -> Option<usize> {
        match value {
            Value::String(text) if text.trim().is_empty() => None,
            Value::String(text) => Some(self.id(Needle::text(text, matcher, locale))),
            Value::Number(number) => Some(self.id(Needle::number(&number.exact(), matcher, locale))),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// The needles in the order of their numbers.
    pub(crate) fn into_list(self) -> Vec<Needle> {
        self.list
    }
}

/// The tool that a call names, in the catalog's eyes.
pub(crate) fn find_tool<'c>(catalog: &'c Catalog, recorded: &Recorded, name: &str) -> Option<&'c Tool> {
    if let Some(tool) = catalog.tools.get(name) {
        return Some(tool);
    }
    match catalog.undeclared {
        Undeclared::Deny => None,
        Undeclared::SchemaOnly => {
            catalog.definitions.get(name).or_else(|| recorded.schemas.contains_key(name).then_some(&catalog.defaults))
        }
    }
}

/// A transcript's own tool definitions, compiled where a call needs them.
#[derive(Default)]
pub(crate) struct Recorded {
    pub(crate) schemas: HashMap<String, RecordedTool>,
}

/// A definition that a transcript carries.
pub(crate) struct RecordedTool {
    pub(crate) schema: Result<ToolSchema, String>,
    pub(crate) changes: Option<bool>,
}

impl<'t> Case<'t> {
    /// Resolves a proposal. `facts` stands at the proposal's context.
    pub(crate) fn new(
        catalog: &'t Catalog,
        recorded: &'t Recorded,
        proposal: &'t Proposal<'t>,
        cut: usize,
        facts: &Facts<'t>,
        shared: Shared<'t>,
        needles: &mut Needles,
    ) -> Case<'t> {
        let tool = find_tool(catalog, recorded, &proposal.call.name);
        let mut case = Case {
            proposal,
            cut,
            tool,
            schema: None,
            unreadable: None,
            arguments: Value::Null,
            faults: Vec::new(),
            invisible: Vec::new(),
            grounded: Vec::new(),
            confirmed: Vec::new(),
            policies: Vec::new(),
            gates: None,
        };
        let Some(tool) = tool else { return case };
        case.check_arguments(tool, recorded);
        let environment = CallEnvironment::new(&case, facts, shared);
        let readable = case.readable();
        let sought = if readable { rules::sought(tool, &environment, needles) } else { Default::default() };
        let policies = rules::policies(tool, catalog, &environment, readable);
        let gates = rules::gates(tool, catalog, &environment);
        (case.grounded, case.confirmed) = (sought.grounded, sought.confirmed);
        (case.policies, case.gates) = (policies, gates);
        case
    }

    fn check_arguments(&mut self, tool: &'t Tool, recorded: &'t Recorded) {
        let proposed = &self.proposal.call.arguments;
        let from_record = || recorded.schemas.get(self.proposal.call.name.as_ref()).map(|tool| &tool.schema);
        let declared = match &tool.schema {
            Schema::Ready(schema) => Ok(Some(schema.as_ref())),
            Schema::Unreadable(reason) => Err(reason.as_str()),
            Schema::Recorded | Schema::None => match from_record() {
                Some(Ok(schema)) => Ok(Some(schema)),
                Some(Err(reason)) => Err(reason.as_str()),
                None => Ok(None),
            },
        };
        self.unreadable = declared.err();
        self.schema = declared.ok().flatten();
        let checked = match self.schema {
            Some(schema) => schema.check(proposed),
            None => schema::check_without_schema(proposed),
        };
        let Checked { arguments, faults, invisible } = checked;
        self.arguments = Value::Object(arguments);
        self.faults = faults;
        self.invisible = invisible;
    }

    /// Whether the arguments can be read: they don't break the schema (format characters alone don't).
    pub(crate) fn readable(&self) -> bool {
        self.faults.is_empty()
    }

    /// An argument's default.
    pub(crate) fn default_of(&self, argument: &str) -> Option<&'t Value<'static>> {
        self.schema.and_then(|schema| schema.argument(argument)).and_then(|argument| argument.default.as_ref())
    }

    /// The arguments after coercion.
    pub(crate) fn object(&self) -> &Object<'t> {
        static NONE: LazyLock<Object<'static>> = LazyLock::new(Object::default);
        self.arguments.as_object().unwrap_or(&NONE)
    }
}

/// Whether a value at a path of an argument is one that nothing needs to name: null, an empty list, the default `""`.
pub(crate) fn needs_nothing(value: &Value<'_>, default: Option<&Value<'_>>) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::String(text) => text.is_empty() && default == Some(value),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
    }
}
