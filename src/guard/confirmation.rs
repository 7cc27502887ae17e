//! Whether the user accepted a message of the assistant that names a call's values.

use crate::catalog::model::Confirm;

use super::case::{Case, Sought};
use super::reading::{Accepted, Reading};

/// How many of the latest accepted proposals are looked at to report the closest one when none names everything.
const CLOSEST_OF: usize = 32;

/// What was found of a confirmation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Confirmation {
    /// The latest accepted proposal that names everything.
    Given(Accepted),
    /// The user accepted something, but none of it names everything: the closest, and what it lacks (indices into the
    /// values sought).
    Incomplete { closest: Accepted, lacking: Vec<usize> },
    /// The user accepted nothing.
    Nothing,
}

/// Looks for an accepted proposal that names every value that a call's confirmation wants named.
pub(crate) fn confirmation(case: &Case<'_>, confirm: &Confirm, reading: &Reading<'_>) -> Confirmation {
    let from = confirm.last.map_or(0, |last| reading.last_user_messages(last, case.cut));
    let accepted = reading.accepted_between(from, case.cut);
    let Some(latest) = accepted.last() else { return Confirmation::Nothing };
    let lacking = |pair: &Accepted| lacking(&case.confirmed, pair, reading);
    if lacking(latest).is_empty() {
        return Confirmation::Given(*latest);
    }
    if let Some(pair) = complete(case, accepted, reading) {
        return Confirmation::Given(pair);
    }
    let recent = accepted.iter().rev().take(CLOSEST_OF).map(|pair| (pair, lacking(pair)));
    match recent.min_by_key(|(_, lacking)| lacking.len()) {
        Some((closest, lacking)) => Confirmation::Incomplete { closest: *closest, lacking },
        None => Confirmation::Nothing,
    }
}

/// The latest accepted pair that names everything. Only pairs that name the rarest value can: those are all that is looked
/// at, so a value said once costs one look however long the conversation is.
fn complete(case: &Case<'_>, accepted: &[Accepted], reading: &Reading<'_>) -> Option<Accepted> {
    let places = |sought: &Sought<'_>| {
        let count =
            |needle: &usize| reading.in_assistant(*needle, case.cut).len() + reading.in_user(*needle, case.cut).count();
        sought.needles.iter().map(count).sum::<usize>()
    };
    let rarest = case.confirmed.iter().min_by_key(|sought| places(sought))?;
    let mut pairs: Vec<Accepted> = Vec::new();
    for needle in &rarest.needles {
        let proposals = reading.in_assistant(*needle, case.cut).iter().map(|quote| quote.message);
        pairs.extend(proposals.filter_map(|message| pair_of(accepted, |pair| pair.proposal.cmp(&message))));
        let acceptances = reading.in_user(*needle, case.cut).map(|quote| quote.message);
        pairs.extend(acceptances.filter_map(|message| pair_of(accepted, |pair| pair.acceptance.cmp(&message))));
    }
    pairs.sort_unstable_by_key(|pair| pair.acceptance);
    pairs.dedup();
    pairs.into_iter().rev().find(|pair| lacking(&case.confirmed, pair, reading).is_empty())
}

fn pair_of(accepted: &[Accepted], order: impl Fn(&Accepted) -> std::cmp::Ordering) -> Option<Accepted> {
    accepted.binary_search_by(order).ok().and_then(|index| accepted.get(index)).copied()
}

/// The values that neither message of a pair names.
fn lacking(values: &[Sought<'_>], pair: &Accepted, reading: &Reading<'_>) -> Vec<usize> {
    let named = |sought: &Sought<'_>| {
        sought
            .needles
            .iter()
            .any(|needle| reading.stands_in(*needle, pair.proposal) || reading.stands_in(*needle, pair.acceptance))
    };
    values.iter().enumerate().filter(|(_, sought)| !named(sought)).map(|(index, _)| index).collect()
}
