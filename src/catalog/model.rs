//! A catalog once it is valid: everything compiled, every name resolved, nothing left to be wrong.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::catalog::outcome::Outcome;
use crate::injection::Detector;
use crate::json::Value;
use crate::text::{Locale, Matcher};
use crate::transcript::Role;
use crate::words::intents::IntentSet;

use super::expression::Expression;
use super::glob::Glob;
use super::schema::ToolSchema;

/// The rules under test.
#[derive(Debug)]
pub struct Catalog {
    /// What it calls itself.
    pub name: String,
    /// How the failed checks make an outcome.
    pub combine: Combine,
    /// What happens to calls of tools without a section.
    pub undeclared: Undeclared,
    /// Whether schemas also come from each transcript's own `tools`.
    pub recorded_schemas: bool,
    /// The declared tools by name.
    pub tools: BTreeMap<String, Tool>,
    /// Definitions from schema files of tools without a section.
    pub definitions: BTreeMap<String, Tool>,
    /// What the application may know; `Variable::Fact(i)` is the i-th of these.
    pub facts: Vec<Fact>,
    /// The names of computed values; `Variable::Computed(i)` is the i-th of these.
    pub computed: Vec<Arc<str>>,
    /// The written gates, in order.
    pub gates: Vec<Gate>,
    /// Says of a result whether the environment refused the call.
    pub refused: Option<Expression>,
    /// The instruction detector with the catalog's own patterns.
    pub detector: DetectorChoice,
    /// SHA-256 over the catalog's canonical form with its schemas, in hex: equal catalogs have equal ones.
    pub fingerprint: String,
    /// Every option's defaults, for tools that no section declares.
    pub defaults: Tool,
}

/// Which detector a catalog uses.
#[derive(Debug)]
pub enum DetectorChoice {
    /// The built-in patterns as they are.
    Standard,
    /// With the catalog's changes.
    Own(Box<Detector>),
}

impl DetectorChoice {
    /// The detector.
    pub fn get(&self) -> &Detector {
        match self {
            DetectorChoice::Standard => Detector::standard(),
            DetectorChoice::Own(detector) => detector,
        }
    }
}

/// How the failed checks make an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Combine {
    /// The strictest of the failed checks' outcomes.
    #[default]
    Strictest,
    /// That of the first failed check in the guard's order.
    First,
}

/// What happens to calls of tools without a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Undeclared {
    /// `known_tool` denies them.
    #[default]
    Deny,
    /// Their schema is all that is checked.
    SchemaOnly,
}

/// One tool and the checks of its calls.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it says of itself.
    pub description: Option<String>,
    /// The schema of its arguments.
    pub schema: Schema,
    /// That schema as it was declared, for tool lists.
    pub parameters: Option<Arc<Value<'static>>>,
    /// Whether it changes state; nothing when nobody says.
    pub changes: Option<bool>,
    /// The arguments whose values must be in the conversation.
    pub ground: Vec<Ground>,
    /// The roles whose messages they may be in.
    pub ground_from: Roles,
    /// Only the user's last so many messages ground a value, of the user's ones.
    pub ground_last: Option<usize>,
    /// What instruction-like text in tool outputs does.
    pub injections: Injections,
    /// Whether a value that the user wrote only next to such text counts as injected too.
    pub scan_user: bool,
    /// What a value that is only in tool outputs means for an argument that those may not ground.
    pub tool_values: ToolValues,
    /// How numbers are written.
    pub locale: Option<Locale>,
    /// The same call must not be made twice.
    pub once: Option<Once>,
    /// The user must have accepted the call.
    pub confirm: Option<Confirm>,
    /// The user must have asked for such an action.
    pub request: Option<Request>,
    /// The declared policies that check its calls, in their order (`request` goes before them).
    pub policies: Vec<Policy>,
    /// The computed values its policies may read, by their index in the catalog's `computed`.
    pub computed: Vec<(usize, Arc<Expression>)>,
    /// The gates that block it, by their index in the catalog's `gates`.
    pub gates: Vec<usize>,
    /// Whether the authorizer is asked.
    pub authorize: Option<bool>,
}

impl Tool {
    /// A tool of which nothing but the name is known, every option at its default.
    pub fn plain(name: &str) -> Tool {
        Tool {
            name: name.to_owned(),
            description: None,
            schema: Schema::None,
            parameters: None,
            changes: None,
            ground: Vec::new(),
            ground_from: Roles::DEFAULT,
            ground_last: None,
            injections: Injections::default(),
            scan_user: false,
            tool_values: ToolValues::default(),
            locale: None,
            once: None,
            confirm: None,
            request: None,
            policies: Vec::new(),
            computed: Vec::new(),
            gates: Vec::new(),
            authorize: None,
        }
    }
}

/// Where the schema of a tool's arguments comes from.
#[derive(Debug, Clone)]
pub enum Schema {
    /// It was read.
    Ready(Arc<ToolSchema>),
    /// It could not be read, and why: every call escalates.
    Unreadable(String),
    /// Each transcript's own definitions give it.
    Recorded,
    /// Nobody gives one: any arguments are taken.
    None,
}

/// A grounded argument.
#[derive(Debug, Clone)]
pub struct Ground {
    /// Which argument.
    pub path: ArgumentPath,
    /// How its value must stand in the text.
    pub matcher: Matcher,
    /// The texts that count as naming the value, beside the value itself: an expression → list of texts, which reads the
    /// value (of a list each item) as `value`.
    pub names: Option<Arc<Expression>>,
}

/// An argument, or values within one: `flights[].flight_number`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArgumentPath {
    /// As it was written.
    pub text: Arc<str>,
    /// The argument's name and the steps into it.
    pub steps: Vec<Step>,
}

/// One step into an argument.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// The member of an object.
    Key(String),
    /// Every item of a list.
    Items,
}

impl ArgumentPath {
    /// The values a path leads to, in order; a list at its end item by item.
    pub fn values<'v, 'a>(&self, arguments: &'v crate::json::Object<'a>) -> Vec<&'v Value<'a>> {
        let Some((Step::Key(name), steps)) = self.steps.split_first() else { return Vec::new() };
        let mut found: Vec<&Value<'a>> = arguments.get(name).into_iter().collect();
        for step in steps {
            found = found
                .into_iter()
                .flat_map(|value| match step {
                    Step::Key(key) => value.get(key).into_iter().collect::<Vec<_>>(),
                    Step::Items => value.as_array().unwrap_or_default().iter().collect(),
                })
                .collect();
        }
        found
    }

    /// The top-level argument's name.
    pub fn argument(&self) -> &str {
        match self.steps.first() {
            Some(Step::Key(name)) => name,
            _ => &self.text,
        }
    }
}

/// A set of roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Roles(u8);

impl Roles {
    /// The user's messages, tool outputs and system messages: where values may come from unless a tool says otherwise.
    pub const DEFAULT: Roles = Roles(0b1101);

    /// These roles.
    pub fn of(roles: &[Role]) -> Roles {
        Roles(roles.iter().fold(0, |set, role| set | Roles::bit(*role)))
    }

    /// These and those.
    pub fn union(self, other: Roles) -> Roles {
        Roles(self.0 | other.0)
    }

    /// Whether a role is in it.
    pub fn contains(self, role: Role) -> bool {
        self.0 & Roles::bit(role) != 0
    }

    /// The roles in it, in the order user, assistant, tool, system.
    pub fn iter(self) -> impl Iterator<Item = Role> {
        [Role::User, Role::Assistant, Role::Tool, Role::System].into_iter().filter(move |role| self.contains(*role))
    }

    fn bit(role: Role) -> u8 {
        match role {
            Role::User => 0b0001,
            Role::Assistant => 0b0010,
            Role::Tool => 0b0100,
            Role::System => 0b1000,
        }
    }
}

/// What instruction-like text in tool outputs does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Injections {
    /// A grounded value found only in tool outputs escalates.
    #[default]
    Grounded,
    /// That, and any such text in a tool output escalates.
    Any,
    /// Nothing.
    Off,
}

/// What a value that is only in tool outputs means for an argument that those may not ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ToolValues {
    /// It is missing like any other.
    #[default]
    Deny,
    /// A person decides.
    Escalate,
}

/// The same call must not be made twice.
#[derive(Debug, Clone, Default)]
pub struct Once {
    /// Top-level arguments that don't count.
    pub ignore: Vec<String>,
    /// Arguments compared as a matcher reads them (`id`: `#W1` is `W1`) instead of exactly.
    pub matchers: BTreeMap<String, Matcher>,
}

/// The user must have accepted the call.
#[derive(Debug, Clone)]
pub struct Confirm {
    /// The arguments that the proposal must name; nothing: every text, number, or list of them.
    pub arguments: Option<Vec<ArgumentPath>>,
    /// How a value is named, by argument; `nocase` where nothing is said.
    pub matchers: BTreeMap<String, Matcher>,
    /// The texts that count as naming an argument's value, by argument: an expression → list of texts, as for `ground`.
    pub names: BTreeMap<String, Arc<Expression>>,
    /// Only the user's last so many messages can accept.
    pub last: Option<usize>,
    /// What a missing confirmation means.
    pub on_fail: Outcome,
}

/// The user must have asked for an action of this kind.
#[derive(Debug, Clone)]
pub struct Request {
    /// The policy's name, `user_asked_to_…`.
    pub name: Arc<str>,
    /// Any of these kinds.
    pub intents: IntentSet,
    /// Or any of these phrases.
    pub phrases: Option<Arc<crate::words::intents::Phrases>>,
    /// What it means when the user did not.
    pub on_fail: Outcome,
}

/// A rule over a call: an expression that must be true.
#[derive(Debug, Clone)]
pub struct Policy {
    /// Its name: the check's name in decisions.
    pub name: Arc<str>,
    /// What must be true.
    pub require: Arc<Expression>,
    /// Why, for whoever is refused.
    pub reason: Arc<str>,
    /// What it means when it's false.
    pub on_fail: Outcome,
}

/// A written rule that blocks tools while a condition over facts is false.
#[derive(Debug, Clone)]
pub struct Gate {
    /// Its name.
    pub name: Arc<str>,
    /// The tools it blocks: names or globs.
    pub blocks: Vec<Glob>,
    /// The condition.
    pub require: Arc<Expression>,
    /// Why, for whoever is refused.
    pub reason: Arc<str>,
    /// Lets calls through although it's closed, recorded by name and reason.
    pub override_: Option<Override>,
}

impl Gate {
    /// Whether it blocks a tool while it is closed.
    pub fn blocks(&self, tool: &str) -> bool {
        self.blocks.iter().any(|glob| glob.matches(tool))
    }
}

/// An override of a gate.
#[derive(Debug, Clone)]
pub struct Override {
    /// Who lets it through.
    pub by: String,
    /// Why.
    pub reason: String,
}

/// Something the application knows at a call.
#[derive(Debug, Clone)]
pub struct Fact {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub kind: FactType,
    /// How it's taken from recorded results; nothing: each record gives it, or it is not given.
    pub from: Vec<FactSource>,
    /// Its value before anything says otherwise.
    pub default: Option<Value<'static>>,
}

/// A fact's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FactType {
    /// true or false.
    Bool,
    /// A whole number.
    Int,
    /// A number.
    Number,
    /// A text.
    String,
    /// A list.
    List,
    /// An object.
    Map,
    /// Whatever it is.
    #[default]
    Any,
}

impl FactType {
    /// The type's name in catalogs.
    pub fn as_str(self) -> &'static str {
        match self {
            FactType::Bool => "bool",
            FactType::Int => "int",
            FactType::Number => "number",
            FactType::String => "string",
            FactType::List => "list",
            FactType::Map => "map",
            FactType::Any => "any",
        }
    }
}

/// How a fact is taken from recorded results.
#[derive(Debug, Clone)]
pub struct FactSource {
    /// The tools whose results tell: names or globs.
    pub tools: Vec<Glob>,
    /// Which results.
    pub on: FactOn,
    /// For maps: the key of the entry that a result gives.
    pub key: Option<Arc<Expression>>,
    /// The value.
    pub value: Arc<Expression>,
}

impl FactSource {
    /// Whether a tool's results may tell.
    pub fn is_told_by(&self, tool: &str) -> bool {
        self.tools.iter().any(|glob| glob.matches(tool))
    }

    /// Whether the result of a call tells, by its tool and by whether the environment took it. A call of which nobody
    /// says counts as taken.
    pub fn is_told_by_result(&self, tool: &str, accepted: Option<bool>) -> bool {
        let asked = match self.on {
            FactOn::Any => true,
            FactOn::Accepted => accepted != Some(false),
            FactOn::Refused => accepted == Some(false),
        };
        asked && self.is_told_by(tool)
    }
}

/// Which results a fact is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FactOn {
    /// Those of calls that the environment took.
    #[default]
    Accepted,
    /// Those that it refused.
    Refused,
    /// All.
    Any,
}
