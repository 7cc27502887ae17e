//! Which of a catalog's facts a transcript gives: a fact that no transcript gives is a rule nobody can judge.

use std::collections::BTreeSet;

use crate::catalog::model::{Fact, FactSource};
use crate::guard::{Judged, Verdicts};
use crate::transcript::{Proposal, Transcript, UnknownKey};

/// The numbers of the facts that the record gives, some result gives, or their default does.
pub fn facts_given(facts: &[Fact], transcript: &Transcript<'_>, verdicts: &Verdicts) -> Vec<usize> {
    let gives = |index: usize, fact: &Fact| {
        fact.default.is_some()
            || transcript.facts.get(&fact.name).is_some()
            || transcript.proposals.iter().any(|proposal| proposal.facts.get(&fact.name).is_some())
            || some_result_gives(fact, verdicts.fact_errors.get(&index).copied().unwrap_or(0), transcript, verdicts)
    };
    facts.iter().enumerate().filter(|(index, fact)| gives(*index, fact)).map(|(index, _)| index).collect()
}

/// The recorded facts that the catalog doesn't declare, where one that only records can give, and this one doesn't, has
/// nearly that name. Others are no mistake: an application may record more than a catalog reads.
pub fn misspelt_facts(facts: &[Fact], transcript: &Transcript<'_>) -> Vec<UnknownKey> {
    let calls = transcript.proposals.iter().map(|proposal| &proposal.facts);
    let recorded: BTreeSet<&str> =
        std::iter::once(&transcript.facts).chain(calls).flat_map(|facts| facts.iter().map(|(name, _)| name)).collect();
    let names = || facts.iter().filter(|fact| fact.from.is_empty()).map(|fact| fact.name.as_ref());
    let missing: Vec<&str> = names().filter(|name| !recorded.contains(name)).collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let declared: BTreeSet<&str> = facts.iter().map(|fact| fact.name.as_ref()).collect();
    let undeclared = recorded.difference(&declared);
    undeclared.filter_map(|name| UnknownKey::misspelt(name, "facts.", missing.iter().copied())).collect()
}

/// Whether more results were asked for the fact than were in error.
fn some_result_gives(fact: &Fact, errors: usize, transcript: &Transcript<'_>, verdicts: &Verdicts) -> bool {
    let answered = || transcript.proposals.iter().zip(&verdicts.judged).filter(|(proposal, _)| proposal.result.is_some());
    let tells = |source: &FactSource, (proposal, judged): &(&Proposal<'_>, &Judged)| {
        source.is_told_by_result(&proposal.call.name, judged.accepted)
    };
    fact.from.iter().flat_map(|source| answered().filter(move |pair| tells(source, pair))).nth(errors).is_some()
}
