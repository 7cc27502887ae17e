//! What rules would have stopped: every recorded call, decided once for each of them.

use std::collections::BTreeMap;

use crate::catalog::load::{self, CatalogErrors, Format};
use crate::evaluate::{Class, Clusters, Rate};
use crate::guard::{Guard, Outcome};
use crate::replay::Decided;
use crate::transcript::Transcript;

use super::rule::{Head, Rule, catalog_text};
use super::{Declared, Setting};

/// Guards to compare: one without any rule of its own, and as many as a tool has candidates.
///
/// Rules of different tools don't touch each other, so each guard tries one rule of every tool.
#[derive(Debug)]
pub struct Trial {
    base: Guard,
    /// Guard i has each tool's rule i.
    guards: Vec<Guard>,
    /// How many rules each tool tries.
    tried: BTreeMap<String, usize>,
}

/// What a rule, a tool's rules or a whole draft would have stopped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cost {
    /// Calls stopped, of those recorded.
    clusters: Clusters,
    /// Calls stopped.
    pub stopped: usize,
    /// Of these: honest ones, by their labels.
    pub honest: usize,
    /// Of these: calls that the environment refused.
    pub refused: usize,
}

/// What was found for one tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolCosts {
    /// Its recorded calls.
    pub calls: usize,
    /// Of these: honest ones, by their labels.
    pub honest: usize,
    /// What is stopped before any rule: mostly by the schema.
    pub base: Cost,
    /// What each candidate stops beyond that.
    pub rules: Vec<Cost>,
    /// How many calls are stopped by exactly these candidates.
    pub together: BTreeMap<Vec<usize>, usize>,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Costs {
    /// By tool.
    pub tools: BTreeMap<String, ToolCosts>,
    /// Everything that the guard without rules of its own stops, over all recorded calls.
    pub base: Cost,
    /// Recorded calls.
    pub calls: usize,
    /// Of these: honest ones, by their labels.
    pub honest: usize,
}

/// One conversation's share.
#[derive(Debug, Clone)]
pub struct Found {
    calls: Vec<FoundCall>,
}

#[derive(Debug, Clone)]
struct FoundCall {
    tool: String,
    honest: bool,
    refused: bool,
    base: bool,
    rules: Vec<usize>,
}

impl Trial {
    /// Guards for these candidates.
    ///
    /// # Errors
    /// A catalog made of them can't be read, which is a fault of ours or of a tool's name.
    pub fn new(
        head: &Head,
        tools: &[Declared],
        candidates: &BTreeMap<String, Vec<Rule>>,
        at: &Setting,
    ) -> Result<Trial, CatalogErrors> {
        let guard = |number: Option<usize>| {
            let rule = |tool: &Declared| candidates.get(&tool.name)?.get(number?);
            let sections: Vec<_> = tools.iter().map(|tool| (tool, rule(tool).into_iter().collect())).collect();
            let text = catalog_text(head, &sections);
            load::from_text(&text, "draft", Format::Toml, at.base.as_deref()).map(|loaded| Guard::new(loaded.catalog))
        };
        let most = candidates.values().map(Vec::len).max().unwrap_or(0);
        Ok(Trial {
            base: guard(None)?,
            guards: (0..most).map(|number| guard(Some(number))).collect::<Result<_, _>>()?,
            tried: candidates.iter().map(|(tool, rules)| (tool.clone(), rules.len())).collect(),
        })
    }

    /// A trial of one whole draft: what it stops is found as what is stopped before any rule.
    pub fn of_draft(guard: Guard) -> Trial {
        Trial { base: guard, guards: Vec::new(), tried: BTreeMap::new() }
    }

    /// Decides a conversation's recorded calls; calls that somebody added to the record are left aside.
    pub fn work(&self, transcript: &Transcript<'_>) -> Found {
        let decided = Decided::new(&self.base.catalog().facts, transcript, self.base.decide_all(transcript));
        let success = decided.success;
        let mut calls: Vec<(usize, FoundCall)> = Vec::new();
        for (place, call) in decided.calls.into_iter().enumerate() {
            if call.index.is_none() {
                continue;
            }
            let honest = Class::of(&call, success) == Class::Honest;
            let base = call.decision.outcome != Outcome::Allow;
            calls.push((
                place,
                FoundCall { honest, refused: call.accepted == Some(false), base, rules: Vec::new(), tool: call.tool },
            ));
        }
        for (number, guard) in self.guards.iter().enumerate() {
            let verdicts = guard.decide_all(transcript);
            for (place, call) in &mut calls {
                let tried = self.tried.get(&call.tool).is_some_and(|count| number < *count);
                let stopped = verdicts.judged.get(*place).is_some_and(|judged| judged.decision.outcome != Outcome::Allow);
                if tried && stopped && !call.base {
                    call.rules.push(number);
                }
            }
        }
        Found { calls: calls.into_iter().map(|(_, call)| call).collect() }
    }

    /// A place for what is found.
    pub fn costs(&self) -> Costs {
        let tools = self
            .tried
            .iter()
            .map(|(tool, count)| (tool.clone(), ToolCosts { rules: vec![Cost::default(); *count], ..ToolCosts::default() }));
        Costs { tools: tools.collect(), ..Costs::default() }
    }
}

impl Costs {
    /// Takes in what was found in the next conversation.
    pub fn add(&mut self, found: &Found) {
        let mut by_tool: BTreeMap<&str, Vec<&FoundCall>> = BTreeMap::new();
        for call in &found.calls {
            by_tool.entry(&call.tool).or_default().push(call);
        }
        self.calls += found.calls.len();
        self.honest += found.calls.iter().filter(|call| call.honest).count();
        self.base.add(found.calls.iter(), |call| call.base);
        for (tool, calls) in by_tool {
            let costs = self.tools.entry(tool.to_owned()).or_default();
            costs.calls += calls.len();
            costs.honest += calls.iter().filter(|call| call.honest).count();
            costs.base.add(calls.iter().copied(), |call| call.base);
            for (number, cost) in costs.rules.iter_mut().enumerate() {
                cost.add(calls.iter().copied(), |call| call.rules.contains(&number));
            }
            for call in calls.into_iter().filter(|call| !call.rules.is_empty()) {
                *costs.together.entry(call.rules.clone()).or_default() += 1;
            }
        }
    }
}

impl Cost {
    fn add<'f>(&mut self, calls: impl Iterator<Item = &'f FoundCall>, stops: impl Fn(&FoundCall) -> bool) {
        let (mut events, mut all) = (0, 0);
        for call in calls {
            all += 1;
            if stops(call) {
                events += 1;
                self.honest += usize::from(call.honest);
                self.refused += usize::from(call.refused);
            }
        }
        self.stopped += events;
        self.clusters.add(events, all);
    }

    /// The share of recorded calls that is stopped, with its interval.
    pub fn rate(&self) -> Rate {
        self.clusters.rate()
    }
}
