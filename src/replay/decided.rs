//! What is kept of a transcript after deciding: owned, small, enough for every figure and every line of output.

use std::collections::BTreeMap;

use crate::catalog::model::Fact;
use crate::guard::{CheckResult, Decision, Judged, Verdicts};
use crate::transcript::{Attack, Proposal, Role, Transcript};

use super::code_points::CodePoints;
use super::facts_given::{facts_given, misspelt_facts};
use super::shape::Shape;

/// A conversation after deciding.
#[derive(Debug, Clone)]
pub struct Decided {
    /// Its identity and size.
    pub shape: Shape,
    /// Whether the conversation ended well, where somebody says so.
    pub success: Option<bool>,
    /// Its proposals, decided, in order.
    pub calls: Vec<DecidedCall>,
    /// The facts that it gives, by their numbers in the catalog.
    pub facts_given: Vec<usize>,
    /// How often a fact could not be taken from a result, by the fact's number in the catalog.
    pub fact_errors: BTreeMap<usize, usize>,
}

/// One proposal after deciding.
#[derive(Debug, Clone)]
pub struct DecidedCall {
    /// Its number in the transcript, from 0.
    pub ordinal: usize,
    /// Its context is the recorded messages before this index.
    pub at: usize,
    /// Which call of that message it is; nothing for a hypothetical one.
    pub index: Option<usize>,
    /// The tool's name as it was proposed.
    pub tool: String,
    /// Whether the tool changes state, where somebody says so.
    pub changes: Option<bool>,
    /// The guard's answer; its evidence is in `quotes`.
    pub decision: Decision,
    /// What the answer rests on.
    pub quotes: Vec<Quote>,
    /// Whether the call ran.
    pub made: bool,
    /// Whether the environment took it.
    pub accepted: Option<bool>,
    /// Where it stands to the first deviation.
    pub deviation: Deviation,
    /// What is known about it.
    pub known: Known,
}

/// The labels of a proposal, without what it changed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Known {
    /// Somebody says whether the call should go ahead.
    pub authorized: Option<bool>,
    /// Whether it has a partner in the reference solution.
    pub gold: Option<bool>,
    /// The planted instruction that asked for it.
    pub attack: Option<Attack>,
    /// The outcome that somebody expects.
    pub expect: Option<String>,
    /// An authorizer's recorded score.
    pub score: Option<f64>,
}

/// A piece of evidence with a place that survives the transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// The argument whose value is quoted, or `(proposal)` and `(accepted)`.
    pub argument: String,
    /// The recorded message's index.
    pub message: usize,
    /// Where the quote starts in that message's text of this role, in Unicode code points.
    pub start: usize,
    /// Where it ends, in Unicode code points.
    pub end: usize,
    /// Whose words these are.
    pub role: Role,
    /// The text there, as written.
    pub quote: String,
}

/// A proposal's place relative to the first one at which the guard and the record part.
///
/// The recorded conversation goes on whatever the guard says. Up to the first proposal where *made* differs from *allow*
/// the record is what would have happened; after it, it's what would have happened had history stayed.
/// A hypothetical proposal never is the first: the record doesn't go through it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Deviation {
    /// Guard and record agree so far.
    #[default]
    None,
    /// Here they part.
    First,
    /// They have parted before.
    After,
}

impl Deviation {
    /// The name in files; nothing while guard and record agree.
    pub fn as_str(self) -> Option<&'static str> {
        match self {
            Deviation::None => None,
            Deviation::First => Some("first"),
            Deviation::After => Some("after"),
        }
    }
}

impl Decided {
    /// Keeps what matters of a transcript and the guard's answers to its proposals; `facts` are the catalog's.
    pub fn new(facts: &[Fact], transcript: &Transcript<'_>, verdicts: Verdicts) -> Decided {
        let facts_given = facts_given(facts, transcript, &verdicts);
        let mut places = CodePoints::new(transcript);
        let mut parted = false;
        let calls = transcript
            .proposals
            .iter()
            .zip(verdicts.judged)
            .map(|(proposal, judged)| DecidedCall::new(proposal, judged, &mut parted, &mut places))
            .collect();
        let mut shape = Shape::of(transcript);
        shape.unknown_keys.extend(misspelt_facts(facts, transcript));
        Decided { shape, success: transcript.success, calls, facts_given, fact_errors: verdicts.fact_errors }
    }
}

impl DecidedCall {
    fn new(proposal: &Proposal<'_>, judged: Judged, parted: &mut bool, places: &mut CodePoints<'_>) -> DecidedCall {
        let mut decision = judged.decision;
        let evidence = std::mem::take(&mut decision.evidence);
        let parts_here = proposal.index.is_some() && proposal.made == decision.outcome.stops();
        let deviation = match (*parted, parts_here) {
            (true, _) => Deviation::After,
            (false, true) => Deviation::First,
            (false, false) => Deviation::None,
        };
        *parted |= parts_here;
        let labels = &proposal.labels;
        DecidedCall {
            ordinal: proposal.ordinal,
            at: proposal.at,
            index: proposal.index,
            tool: proposal.call.name.clone().into_owned(),
            changes: judged.changes,
            decision,
            quotes: evidence.into_iter().map(|evidence| places.quote(evidence)).collect(),
            made: proposal.made,
            accepted: judged.accepted,
            deviation,
            known: Known {
                authorized: labels.authorized,
                gold: labels.gold,
                attack: labels.attack.clone(),
                expect: labels.expect.clone(),
                score: labels.score,
            },
        }
    }

    /// The checks that stand between the call and *allow*: the failed ones in the order in which they are reported, then
    /// the unevaluated ones.
    pub fn stoppers(&self) -> impl Iterator<Item = &CheckResult> {
        self.decision.failed().chain(self.decision.unevaluated())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::example::{call, transcript_of};
    use crate::guard::Outcome;

    fn deviations(calls: &[(bool, Outcome)]) -> Vec<Deviation> {
        let calls: Vec<_> = calls.iter().map(|(made, outcome)| call("pay").made(*made).outcome(*outcome)).collect();
        transcript_of(calls).calls.iter().map(|call| call.deviation).collect()
    }

    #[test]
    fn a_call_that_was_made_and_is_stopped_is_the_first_deviation() {
        use Deviation::{After, First, None};
        assert_eq!(
            deviations(&[(true, Outcome::Allow), (true, Outcome::Deny), (true, Outcome::Allow), (true, Outcome::Deny)]),
            [None, First, After, After]
        );
    }

    #[test]
    fn a_call_that_was_not_made_and_is_allowed_is_one_too() {
        assert_eq!(deviations(&[(false, Outcome::Escalate), (false, Outcome::Allow)]), [Deviation::None, Deviation::First]);
    }

    #[test]
    fn a_hypothetical_call_is_no_deviation() {
        let decided = transcript_of(vec![
            call("pay").made(false).hypothetical(),
            call("pay").made(true).outcome(Outcome::Deny),
            call("pay").made(false).hypothetical(),
        ]);
        let marks: Vec<_> = decided.calls.iter().map(|call| call.deviation).collect();
        assert_eq!(marks, [Deviation::None, Deviation::First, Deviation::After]);
    }
}
