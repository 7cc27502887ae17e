//! Written gates over recorded successes: what each would have blocked of what worked.

use crate::catalog::expression::{Binding, Environment, Truth, Val, Variable};
use crate::catalog::model::{Fact, Gate};
use crate::json::Object;

/// How many examples a gate's dry run keeps.
const EXAMPLES: usize = 3;

/// A recorded success: a call that worked, with the facts of its moment.
#[derive(Debug, Clone, Copy)]
pub struct Success<'r> {
    /// The tool that was called.
    pub action: &'r str,
    /// The facts, by name.
    pub facts: &'r Object<'r>,
}

/// What gates would have done to recorded successes.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct DryRun {
    /// How many records were read.
    pub records: usize,
    /// How many of them at least one gate would have blocked.
    pub blocked_any: usize,
    /// One entry a gate, in the gates' order.
    pub gates: Vec<GateDryRun>,
}

/// What one gate would have done.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct GateDryRun {
    /// The gate's name.
    pub name: String,
    /// How many records call a tool that it blocks.
    pub applies: usize,
    /// How many of those it would have blocked: it was closed.
    pub would_block: usize,
    /// How many of those it could not be evaluated for: neither blocked nor let through.
    pub unevaluated: usize,
    /// `would_block` of `applies`; 0 when it never applies.
    pub share: f64,
    /// The first records (by their number) that it would have blocked.
    pub examples: Vec<usize>,
}

/// Runs gates over recorded successes; an override doesn't count, since the question is what the gate itself does.
pub fn dry_run<'r>(gates: &[Gate], facts: &[Fact], records: impl IntoIterator<Item = Success<'r>>) -> DryRun {
    let mut run = DryRun { records: 0, blocked_any: 0, gates: gates.iter().map(GateDryRun::new).collect() };
    for (number, record) in records.into_iter().enumerate() {
        run.records += 1;
        let environment = FactEnvironment { facts, given: record.facts };
        let mut blocked = false;
        for (gate, counts) in gates.iter().zip(&mut run.gates) {
            if gate.blocks(record.action) {
                counts.applies += 1;
                match gate.require.holds(&environment) {
                    Truth::Holds => {}
                    Truth::Unevaluated(_) => counts.unevaluated += 1,
                    Truth::Fails => {
                        blocked = true;
                        counts.would_block += 1;
                        if counts.examples.len() < EXAMPLES {
                            counts.examples.push(number);
                        }
                    }
                }
            }
        }
        run.blocked_any += usize::from(blocked);
    }
    for counts in &mut run.gates {
        counts.share = if counts.applies == 0 { 0.0 } else { counts.would_block as f64 / counts.applies as f64 };
    }
    run
}

impl GateDryRun {
    fn new(gate: &Gate) -> GateDryRun {
        GateDryRun {
            name: gate.name.to_string(),
            applies: 0,
            would_block: 0,
            unevaluated: 0,
            share: 0.0,
            examples: Vec::new(),
        }
    }
}

struct FactEnvironment<'r> {
    facts: &'r [Fact],
    given: &'r Object<'r>,
}

impl<'r> Environment<'r> for FactEnvironment<'r> {
    fn get(&self, variable: &Variable) -> Binding<'r> {
        let Variable::Fact(index) = variable else { return Binding::NotGiven };
        let Some(fact) = self.facts.get(*index) else { return Binding::NotGiven };
        match self.given.get(&fact.name).or(fact.default.as_ref()) {
            Some(value) => Binding::Given(Val::json(value)),
            None => Binding::NotGiven,
        }
    }
}
