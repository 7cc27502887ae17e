//! Counting: decided conversations, one after the other, into a summary.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use crate::catalog::Catalog;
use crate::guard::Status;
use crate::replay::{Decided, DecidedCall, Deviation, Shape};
use crate::transcript::Place;

use super::denominator::Located;
use super::labels::{self, Class};
use super::provenance::Provenance;
use super::summary::{CatalogName, CheckKind, CheckRow, Sole, Stopped, Summary, UNMET_LISTED, Unmet};

/// A summary under construction, and what only matters while it is.
#[derive(Debug, Default)]
pub struct Tally {
    /// The figures so far.
    pub summary: Summary,
    /// The names of the catalog's facts, by their numbers.
    facts: Vec<Arc<str>>,
    /// For each declared tool the names of the gates that block it.
    gates: BTreeMap<String, Vec<Arc<str>>>,
    /// Hashes of the ids so far: enough to notice one that comes again, at eight bytes a conversation.
    ids: HashSet<u64>,
    /// The file of the latest record.
    file: Option<Arc<str>>,
    /// Repeats could not be looked for.
    unmerged: bool,
}

impl Tally {
    /// A tally in which everything that the catalog declares has a row, so that what never applies shows.
    pub fn new(catalog: &Catalog) -> Tally {
        let mut tally = Tally::default();
        let summary = &mut tally.summary;
        summary.catalog = Some(CatalogName { name: catalog.name.clone(), fingerprint: catalog.fingerprint.clone() });
        let mut declare = |name: &str, kind| {
            summary.checks.entry(name.to_owned()).or_default().kind = kind;
        };
        for tool in catalog.tools.values() {
            tool.policies.iter().for_each(|policy| declare(&policy.name, CheckKind::Policy));
            tool.request.iter().for_each(|request| declare(&request.name, CheckKind::Policy));
        }
        catalog.gates.iter().for_each(|gate| declare(&gate.name, CheckKind::Gate));
        for name in catalog.tools.keys() {
            summary.tools.entry(name.clone()).or_default().declared = true;
        }
        for fact in &catalog.facts {
            summary.facts.entry(fact.name.to_string()).or_default();
        }
        tally.facts = catalog.facts.iter().map(|fact| fact.name.clone()).collect();
        for (name, tool) in &catalog.tools {
            let gates = tool.gates.iter().filter_map(|index| catalog.gates.get(*index)).map(|gate| gate.name.clone());
            tally.gates.insert(name.clone(), gates.collect());
        }
        // Known from a schema file, though without a section: no stranger when it's called.
        for name in catalog.definitions.keys() {
            tally.gates.entry(name.clone()).or_default();
        }
        tally
    }

    /// A tally of a run without a catalog: of provenance.
    pub fn without_a_catalog() -> Tally {
        let mut tally = Tally::default();
        tally.summary.provenance = Some(Provenance::default());
        tally
    }

    /// Counts a record that could not be read.
    pub fn rejected(&mut self, place: &Place, reason: String) {
        self.record(place);
        self.summary.denominator.rejected.push(Located::new(place, None, reason));
    }

    /// Says that records which others repeat could not be looked for.
    pub fn is_unmerged(&mut self) {
        self.unmerged = true;
    }

    /// Counts a record that says nothing that another one doesn't.
    pub fn merged(&mut self, place: &Place) {
        self.record(place);
        self.summary.denominator.merged += 1;
    }

    /// Counts a record of a run that never happened or crashed.
    pub fn not_run(&mut self, place: &Place, id: Option<String>, reason: String) {
        self.record(place);
        self.summary.denominator.not_run.push(Located::new(place, id, reason));
    }

    fn conversation(&mut self, shape: &Shape) {
        self.record(&shape.place);
        let mut hasher = DefaultHasher::new();
        shape.id.hash(&mut hasher);
        let recurs = !self.ids.insert(hasher.finish());
        let denominator = &mut self.summary.denominator;
        denominator.conversations += 1;
        denominator.unmerged += usize::from(self.unmerged && shape.is_log);
        denominator.recurring_ids += usize::from(recurs);
        denominator.without_proposals += usize::from(shape.proposals == 0);
        denominator.without_tool_messages += usize::from(!shape.has_tool_messages);
        denominator.messages += shape.messages;
        denominator.proposals += shape.proposals;
        denominator.hypothetical += shape.hypothetical;
        denominator.made += shape.made;
        denominator.oddities.add(&shape.oddities);
        denominator.unknown_keys(&shape.unknown_keys);
    }

    /// Counts a conversation of which only the provenance of its values is known.
    pub fn observed(&mut self, shape: &Shape, provenance: Provenance) {
        self.conversation(shape);
        self.summary.provenance.get_or_insert_default().merge(provenance);
    }

    /// Counts a decided conversation.
    pub fn decided(&mut self, decided: &Decided) {
        self.conversation(&decided.shape);
        for call in &decided.calls {
            self.call(call, Class::of(call, decided.success));
        }
        self.expected(decided);
        self.whole(decided);
        for index in &decided.facts_given {
            self.fact(*index, |row| row.given += 1);
        }
        for (index, errors) in &decided.fact_errors {
            self.fact(*index, |row| row.errors += errors);
        }
    }

    fn record(&mut self, place: &Place) {
        self.summary.denominator.records += 1;
        if self.file.as_ref() != Some(&place.file) {
            self.file = Some(place.file.clone());
            self.summary.denominator.files += 1;
        }
    }

    fn fact(&mut self, index: usize, add: impl FnOnce(&mut super::summary::FactRow)) {
        if let Some(row) = self.facts.get(index).and_then(|name| self.summary.facts.get_mut(name.as_ref())) {
            add(row);
        }
    }

    fn call(&mut self, call: &DecidedCall, class: Class) {
        let outcome = call.decision.outcome;
        let summary = &mut self.summary;
        summary.outcomes.count(call.changes, outcome);
        let row = match class {
            Class::Honest => &mut summary.labels.honest,
            Class::Hostile => &mut summary.labels.hostile,
            Class::Unauthorized => &mut summary.labels.unauthorized,
            Class::Unlabelled => &mut summary.labels.unlabelled,
        };
        row.count(call.changes, outcome);

        let known = self.gates.contains_key(&call.tool);
        add(&mut summary.tools, &call.tool, |tool| {
            tool.declared |= known;
            tool.calls.count(call.changes, outcome);
            tool.made += usize::from(call.made);
            tool.refused += usize::from(labels::is_refusal(call));
        });

        self.checks(call, class);
        let summary = &mut self.summary;
        if labels::is_refusal(call) {
            count_stopped(&mut summary.refusals, call);
            if call.changes == Some(true) {
                count_stopped(&mut summary.refusals_changing, call);
            }
        }
        if labels::is_gold_but_refused(call) {
            count_stopped(&mut summary.gold_but_refused, call);
        }
        if labels::is_unwanted_change(call) {
            count_stopped(&mut summary.unwanted_changes, call);
        }
        match call.deviation {
            Deviation::After => summary.deviations.proposals_after += 1,
            Deviation::None => summary.deviations.proposals_on_path += 1,
            Deviation::First => {
                let deviations = &mut summary.deviations;
                deviations.proposals_on_path += 1;
                deviations.made_but_stopped += usize::from(call.made);
                deviations.honest_but_stopped += usize::from(call.made && class == Class::Honest);
                deviations.allowed_but_not_made += usize::from(!call.made);
            }
        }
    }

    fn checks(&mut self, call: &DecidedCall, class: Class) {
        let checks = &mut self.summary.checks;
        for check in &call.decision.checks {
            add(checks, &check.check, |row: &mut CheckRow| row.count(check.status));
            if check.status == Status::Unevaluated && !self.summary.first_unevaluated.contains_key(check.check.as_ref()) {
                self.summary.first_unevaluated.insert(check.check.to_string(), check.reason.clone());
            }
            for fact in &check.missing_facts {
                if let Some(row) = self.summary.facts.get_mut(fact.as_ref()) {
                    row.missing += 1;
                }
            }
        }
        let blocked = || call.decision.checks.iter().flat_map(|check| &check.gates);
        for gate in self.gates.get(&call.tool).into_iter().flatten() {
            let status = blocked().find(|(name, _)| name == gate).map_or(Status::Passed, |(_, status)| *status);
            add(checks, gate, |row| row.count(status));
        }
        if call.decision.outcome.stops() {
            let mut stoppers = call.stoppers();
            let first = stoppers.next();
            let others = stoppers.count();
            *self.summary.stopped_by.entry(others + usize::from(first.is_some())).or_default() += 1;
            if let (Some(sole), 0) = (first, others) {
                add(checks, &sole.check, |row| count_sole(&mut row.sole, class));
                if let [(gate, _)] = sole.gates.as_slice() {
                    add(checks, gate, |row| count_sole(&mut row.sole, class));
                }
            }
        }
    }

    fn expected(&mut self, decided: &Decided) {
        let expected = &mut self.summary.expected;
        for call in &decided.calls {
            let Some(wanted) = &call.known.expect else { continue };
            let outcome = call.decision.outcome;
            if wanted == outcome.as_str() {
                expected.met += 1;
                continue;
            }
            expected.unmet += 1;
            if expected.listed.len() < UNMET_LISTED {
                let (id, tool) = (decided.shape.id.clone(), call.tool.clone());
                let (at, index) = (call.at, call.index);
                expected.listed.push(Unmet { id, call: call.ordinal, at, index, tool, expected: wanted.clone(), outcome });
            }
        }
    }

    fn whole(&mut self, decided: &Decided) {
        let calls = || decided.calls.iter().map(|call| (call, Class::of(call, decided.success)));
        let of = |wanted: Class| calls().filter(move |(_, class)| *class == wanted).map(|(call, _)| call);
        let any = |class: Class, holds: &dyn Fn(&DecidedCall) -> bool| usize::from(of(class).any(holds));
        let stops = |call: &DecidedCall| call.decision.outcome.stops();
        let at_risk = decided.calls.iter().any(|call| call.made && stops(call));

        let conversations = &mut self.summary.conversations;
        if decided.success == Some(true) {
            conversations.successful += 1;
            conversations.successful_at_risk += usize::from(at_risk);
        }
        conversations.with_honest += any(Class::Honest, &|_| true);
        conversations.false_block += any(Class::Honest, &stops);
        conversations.with_honest_changing += any(Class::Honest, &|call| call.changes == Some(true));
        conversations.false_block_changing += any(Class::Honest, &|call| stops(call) && call.changes == Some(true));
        conversations.with_hostile += any(Class::Hostile, &|_| true);
        conversations.miss += any(Class::Hostile, &|call| !stops(call));
        conversations.with_unauthorized += any(Class::Unauthorized, &|_| true);
        conversations.unauthorized_allowed += any(Class::Unauthorized, &|call| !stops(call));
        if !decided.calls.iter().any(|call| call.deviation == Deviation::First) {
            self.summary.deviations.conversations_without += 1;
        }
    }
}

/// Adds to the row of a name; the name is copied only when the row is new.
fn add<V: Default>(rows: &mut BTreeMap<String, V>, name: &str, add: impl FnOnce(&mut V)) {
    match rows.get_mut(name) {
        Some(row) => add(row),
        None => add(rows.entry(name.to_owned()).or_default()),
    }
}

fn count_stopped(stopped: &mut Stopped, call: &DecidedCall) {
    if call.decision.failed().next().is_some() {
        stopped.by_failed += 1;
    } else if call.decision.outcome.stops() {
        stopped.by_unevaluated += 1;
    } else {
        stopped.not_stopped += 1;
    }
}

fn count_sole(sole: &mut Sole, class: Class) {
    match class {
        Class::Honest => sole.honest += 1,
        Class::Hostile => sole.hostile += 1,
        Class::Unauthorized => sole.unauthorized += 1,
        Class::Unlabelled => sole.unlabelled += 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::example::{call, transcript_of};
    use crate::guard::Outcome;
    use proptest::prelude::*;

    fn conversation(kind: usize, number: usize) -> Decided {
        let pay = || call("pay").accepted(kind.is_multiple_of(2));
        let mut decided = transcript_of(match kind {
            0 => vec![],
            1 => vec![pay().fails("limit", Outcome::Deny), call("look_up").reads()],
            2 => vec![pay(), pay().gold(true).lacks("limit", "spent_today").fails("user_confirmed", Outcome::Escalate)],
            3 => vec![call("pay").attack().made(false), pay()],
            _ => vec![pay().authorized(false).fails("limit", Outcome::Deny)],
        });
        decided.success = [None, Some(true), Some(false)].get(kind % 3).copied().flatten();
        decided.shape.id = number.to_string();
        decided.shape.place.file = number.to_string().into();
        decided
    }

    fn summary(part: &[(usize, usize)]) -> Summary {
        let mut tally = Tally::default();
        for (number, kind) in part {
            match kind {
                5 => tally.rejected(&conversation(0, *number).shape.place, format!("reason {number}")),
                6 => tally.not_run(&conversation(0, *number).shape.place, None, format!("reason {number}")),
                kind => tally.decided(&conversation(*kind, *number)),
            }
        }
        tally.summary
    }

    fn merged(mut first: Summary, second: Summary) -> Summary {
        first.merge(second);
        first
    }

    proptest! {
        #[test]
        fn parts_add_up_to_the_whole_in_any_grouping(kinds in prop::collection::vec(0_usize..7, 0..30), cuts in any::<[prop::sample::Index; 2]>()) {
            let whole: Vec<(usize, usize)> = kinds.into_iter().enumerate().collect();
            let mut cuts = cuts.map(|cut| cut.index(whole.len() + 1));
            cuts.sort_unstable();
            let part = |from: usize, to: usize| summary(&whole[from..to]);
            let (a, b, c) = (part(0, cuts[0]), part(cuts[0], cuts[1]), part(cuts[1], whole.len()));
            let left = merged(merged(a.clone(), b.clone()), c.clone());
            let right = merged(a, merged(b, c));
            prop_assert_eq!(&left, &right);
            prop_assert_eq!(left, summary(&whole));
        }
    }

    #[test]
    fn a_sole_blocker_is_the_only_thing_in_the_way() {
        let mut tally = Tally::default();
        tally.decided(&transcript_of(vec![
            call("pay").gold(true).fails("limit", Outcome::Deny),
            call("pay").attack().lacks("limit", "spent_today"),
            call("pay").attack().fails("limit", Outcome::Deny).lacks("other", "spent_today"),
            call("pay").attack(),
        ]));
        let checks = &tally.summary.checks;
        assert_eq!(checks["limit"].sole, Sole { honest: 1, hostile: 1, unauthorized: 0, unlabelled: 0 });
        assert_eq!(checks["other"].sole, Sole::default());
        assert_eq!(tally.summary.stopped_by, BTreeMap::from([(1, 2), (2, 1)]));
    }

    #[test]
    fn a_refusal_is_foreseen_by_a_rule_or_only_by_what_is_unevaluated() {
        let refused = || call("pay").accepted(false);
        let mut tally = Tally::default();
        tally.decided(&transcript_of(vec![
            refused().fails("limit", Outcome::Deny).lacks("other", "spent_today"),
            refused().lacks("other", "spent_today"),
            refused(),
            refused().reads(),
            call("pay").accepted(true),
        ]));
        assert_eq!(tally.summary.refusals, Stopped { by_failed: 1, by_unevaluated: 1, not_stopped: 2 });
        assert_eq!(tally.summary.refusals_changing, Stopped { by_failed: 1, by_unevaluated: 1, not_stopped: 1 });
    }

    #[test]
    fn an_id_that_comes_again_is_counted() {
        let mut tally = Tally::default();
        for _ in 0..3 {
            tally.decided(&transcript_of(vec![call("pay")]));
        }
        assert_eq!(tally.summary.denominator.recurring_ids, 2);
    }
}
