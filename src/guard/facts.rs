//! What the application knows at each call: given by the record, or taken from the results recorded before it.
//!
//! Facts only change where a result arrives, so one walk over the transcript keeps them current: a proposal reads the state
//! that the results before it left behind.

use std::collections::BTreeMap;

use crate::catalog::expression::{Binding, Environment, Unevaluated, Val, Variable};
use crate::catalog::model::{Catalog, Fact, FactSource, FactType};
use crate::json::{self, Object, Value};
use crate::transcript::{Proposal, Transcript};

/// The facts at one moment of a transcript.
pub(crate) struct Facts<'t> {
    catalog: &'t Catalog,
    transcript: &'t Transcript<'t>,
    /// The values taken from results so far.
    taken: Vec<Option<Value<'static>>>,
    /// The current call's own facts.
    call: &'t Object<'t>,
    /// Results in the order of their messages: (message, proposal).
    results: Vec<(usize, usize)>,
    /// The results that were already read.
    read: usize,
    /// Expressions in error, by fact.
    errors: BTreeMap<usize, usize>,
    accepted: Vec<Option<bool>>,
}

impl<'t> Facts<'t> {
    /// The facts at the start of a transcript.
    pub(crate) fn new(catalog: &'t Catalog, transcript: &'t Transcript<'t>, accepted: Vec<Option<bool>>) -> Self {
        static NONE: std::sync::LazyLock<Object<'static>> = std::sync::LazyLock::new(Object::default);
        let any_from = catalog.facts.iter().any(|fact| !fact.from.is_empty());
        let mut results: Vec<(usize, usize)> = Vec::new();
        if any_from {
            results.extend(transcript.proposals.iter().enumerate().filter_map(|(i, p)| Some((p.result?, i))));
            results.sort_unstable();
        }
        let taken = catalog.facts.iter().map(|_| None).collect();
        Facts { catalog, transcript, taken, call: &NONE, results, read: 0, errors: BTreeMap::new(), accepted }
    }

    /// Whether the environment took the call of a proposal, by its number in the transcript.
    pub(crate) fn accepted(&self, proposal: usize) -> Option<bool> {
        self.accepted.get(proposal).copied().flatten()
    }

    /// Moves on to a proposal's context: reads the results that arrived before message `cut`.
    pub(crate) fn advance(&mut self, cut: usize, proposal: &'t Proposal<'t>) {
        while let Some((_, index)) = self.results.get(self.read).copied().filter(|(message, _)| *message < cut) {
            self.read += 1;
            if let Some(answered) = self.transcript.proposals.get(index) {
                let text = self.transcript.result_text(answered).unwrap_or_default();
                self.take(answered, text, self.accepted(index));
            }
        }
        self.call = &proposal.facts;
    }

    fn take(&mut self, proposal: &Proposal<'_>, text: &str, accepted: Option<bool>) {
        let mut result: Option<Value<'_>> = None;
        for (index, fact) in self.catalog.facts.iter().enumerate() {
            for source in fact.from.iter().filter(|source| source.is_told_by_result(&proposal.call.name, accepted)) {
                let parsed = result.get_or_insert_with(|| json::parse(text).unwrap_or_else(|_| Value::String(text.into())));
                let environment = ResultEnvironment { text, result: parsed, arguments: &proposal.call.arguments };
                let taken = take_one(source, &environment);
                let slot = self.taken.get_mut(index);
                match (taken, slot) {
                    (Ok((Some(key), value)), Some(slot)) => put(slot, key, value),
                    (Ok((None, value)), Some(slot)) => *slot = Some(value),
                    _ => *self.errors.entry(index).or_default() += 1,
                }
            }
        }
    }

    /// A fact's value: the call's own, else the record's, else the latest taken from a result, else the default.
    pub(crate) fn get<'v>(&'v self, index: usize) -> Binding<'v> {
        let Some(fact) = self.catalog.facts.get(index) else { return Binding::NotGiven };
        let given = self.call.get(&fact.name).or_else(|| self.transcript.facts.get(&fact.name));
        let value = given.or_else(|| self.taken.get(index).and_then(Option::as_ref)).or(fact.default.as_ref());
        match value {
            None => Binding::NotGiven,
            Some(value) if fits(fact, value) => Binding::Given(Val::json(value)),
            Some(value) => Binding::Unevaluated(Unevaluated {
                missing_facts: Vec::new(),
                reason: format!(
                    "the fact `{}` is declared {}, but is a {} here",
                    fact.name,
                    fact.kind.as_str(),
                    value.kind()
                ),
            }),
        }
    }

    /// How often a fact's expressions were in error, by the fact's number.
    pub(crate) fn into_errors(self) -> BTreeMap<usize, usize> {
        self.errors
    }
}

fn take_one(
    source: &FactSource,
    environment: &ResultEnvironment<'_>,
) -> Result<(Option<String>, Value<'static>), Unevaluated> {
    let value = source.value.evaluate(&environment)?.to_json();
    let Some(key) = &source.key else { return Ok((None, value)) };
    match key.evaluate(&environment)?.to_json() {
        Value::String(key) => Ok((Some(key.into_owned()), value)),
        Value::Number(number) => Ok((Some(number.exact().to_string()), value)),
        other => Err(Unevaluated { missing_facts: Vec::new(), reason: format!("a key is a text, not a {}", other.kind()) }),
    }
}

/// Sets one entry of a map fact, in place: a map is never copied for a call.
fn put(slot: &mut Option<Value<'static>>, key: String, value: Value<'static>) {
    match slot {
        Some(Value::Object(object)) => object.set(key, value),
        _ => *slot = Some(Value::Object(Object::from_members(vec![(key.into(), value)]))),
    }
}

fn fits(fact: &Fact, value: &Value<'_>) -> bool {
    match (fact.kind, value) {
        (FactType::Any, _)
        | (FactType::Bool, Value::Bool(_))
        | (FactType::Number, Value::Number(_))
        | (FactType::String, Value::String(_))
        | (FactType::List, Value::Array(_))
        | (FactType::Map, Value::Object(_)) => true,
        (FactType::Int, Value::Number(number)) => number.exact().is_whole(),
        _ => false,
    }
}

/// What an expression over a recorded result reads.
pub(crate) struct ResultEnvironment<'v> {
    pub(crate) text: &'v str,
    pub(crate) result: &'v Value<'v>,
    pub(crate) arguments: &'v Value<'v>,
}

impl<'v> Environment<'v> for &'v ResultEnvironment<'v> {
    fn get(&self, variable: &Variable) -> Binding<'v> {
        match variable {
            Variable::ResultText => Binding::Given(Val::text(self.text)),
            Variable::Result => Binding::Given(Val::json(self.result)),
            Variable::Args => Binding::Given(Val::json(self.arguments)),
            _ => Binding::NotGiven,
        }
    }
}

/// For each proposal, whether the environment took it: as the record says, else as `[outcome]` reads its result.
pub(crate) fn accepted(catalog: &Catalog, transcript: &Transcript<'_>) -> Vec<Option<bool>> {
    let read = |proposal: &Proposal<'_>| {
        if let Some(accepted) = proposal.labels.accepted {
            return Some(accepted);
        }
        let refused = catalog.refused.as_ref()?;
        let text = transcript.result_text(proposal)?;
        let reads_result = refused.reads().contains(&Variable::Result);
        let result = match reads_result {
            true => json::parse(text).unwrap_or_else(|_| Value::String(text.into())),
            false => Value::Null,
        };
        let environment = ResultEnvironment { text, result: &result, arguments: &proposal.call.arguments };
        match refused.evaluate(&&environment) {
            Ok(value) => value.as_bool().map(|refused| !refused),
            Err(_) => None,
        }
    };
    transcript.proposals.iter().map(read).collect()
}
