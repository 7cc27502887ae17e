//! Which of a catalog's facts a transcript gives: a fact that no transcript gives is a rule nobody can judge.

use crate::catalog::model::{Fact, FactSource};
use crate::guard::{Judged, Verdicts};
use crate::transcript::{Proposal, Transcript};

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

/// Whether more results were asked for the fact than were in error.
fn some_result_gives(fact: &Fact, errors: usize, transcript: &Transcript<'_>, verdicts: &Verdicts) -> bool {
    let answered = || transcript.proposals.iter().zip(&verdicts.judged).filter(|(proposal, _)| proposal.result.is_some());
    let tells = |source: &FactSource, (proposal, judged): &(&Proposal<'_>, &Judged)| {
        source.is_told_by_result(&proposal.call.name, judged.accepted)
    };
    fact.from.iter().flat_map(|source| answered().filter(move |pair| tells(source, pair))).nth(errors).is_some()
}
