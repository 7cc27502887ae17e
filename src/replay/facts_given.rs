//! Which of a catalog's facts a transcript gives: a fact that no transcript gives is a rule nobody can judge.

use crate::catalog::glob;
use crate::catalog::model::{Fact, FactOn, FactSource};
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
    fact.from.iter().flat_map(|source| answered().filter(|(p, j)| asks(source, p, j))).nth(errors).is_some()
}

fn asks(source: &FactSource, proposal: &Proposal<'_>, judged: &Judged) -> bool {
    let fits = match source.on {
        FactOn::Any => true,
        FactOn::Accepted => judged.accepted != Some(false),
        FactOn::Refused => judged.accepted == Some(false),
    };
    fits && source.tools.iter().any(|pattern| glob::matches(pattern, &proposal.call.name))
}
