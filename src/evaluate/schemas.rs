//! The schemas of recorded calls where no catalog gives them: a file of definitions, or each transcript's own.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::catalog::schema::{Definition, ToolSchema, definitions};
use crate::json::{Value, canonical};
use crate::transcript::{ToolCall, Transcript};

/// How many compiled schemas a worker remembers; recordings repeat a few.
const REMEMBERED: usize = 256;

/// A schema, or why it can't be read.
type Compiled = Result<ToolSchema, String>;

/// Where schemas come from.
#[derive(Debug, Default)]
pub struct Schemas {
    /// Those of a file, for every transcript; nothing: each transcript's own.
    declared: Option<BTreeMap<String, Compiled>>,
}

/// How a call fits its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fit {
    /// It fits.
    Valid,
    /// It doesn't; the first thing that is wrong.
    Invalid(String),
    /// Nobody gives a schema.
    Undefined,
    /// The schema can't be read, and why.
    Unreadable(String),
}

impl Schemas {
    /// Each transcript's own.
    pub fn recorded() -> Schemas {
        Schemas::default()
    }

    /// Those of these definitions.
    pub fn declared(tools: &[Definition]) -> Schemas {
        Schemas { declared: Some(tools.iter().map(|tool| (tool.name.clone(), compile(&tool.schema))).collect()) }
    }

    /// How each proposal of a transcript fits.
    pub fn fits(&self, transcript: &Transcript<'_>) -> Vec<Fit> {
        let calls = transcript.proposals.iter().map(|proposal| &proposal.call);
        if let Some(declared) = &self.declared {
            return calls.map(|call| fit(declared.get(call.name.as_ref()), call)).collect();
        }
        let recorded = transcript.tools.as_ref().and_then(|tools| definitions(tools).ok()).unwrap_or_default();
        let mut compiled: BTreeMap<&str, Rc<Compiled>> = BTreeMap::new();
        for tool in &recorded {
            if transcript.proposals.iter().any(|proposal| proposal.call.name == tool.name) {
                compiled.insert(&tool.name, remembered(&tool.schema));
            }
        }
        calls.map(|call| fit(compiled.get(call.name.as_ref()).map(Rc::as_ref), call)).collect()
    }
}

fn fit(schema: Option<&Compiled>, call: &ToolCall<'_>) -> Fit {
    let schema = match schema {
        None => return Fit::Undefined,
        Some(Err(why)) => return Fit::Unreadable(why.clone()),
        Some(Ok(schema)) => schema,
    };
    let checked = schema.check(&call.arguments);
    if let Some(fault) = checked.faults.first() {
        return Fit::Invalid(format!("{} {}", fault.path, fault.message).trim().to_owned());
    }
    match checked.invisible.first() {
        Some(path) => Fit::Invalid(format!("{path} holds a format character")),
        None => Fit::Valid,
    }
}

fn compile(schema: &Value<'_>) -> Compiled {
    ToolSchema::compile(schema).map_err(|error| error.to_string())
}

/// Compiles a schema, or takes it from those that this thread compiled lately.
fn remembered(schema: &Value<'_>) -> Rc<Compiled> {
    thread_local! {
        static LATELY: RefCell<BTreeMap<String, Rc<Compiled>>> = const { RefCell::new(BTreeMap::new()) };
    }
    let text = canonical(schema);
    LATELY.with_borrow_mut(|lately| {
        if let Some(compiled) = lately.get(&text) {
            return compiled.clone();
        }
        if lately.len() >= REMEMBERED {
            lately.clear();
        }
        let compiled = Rc::new(compile(schema));
        lately.insert(text, compiled.clone());
        compiled
    })
}
