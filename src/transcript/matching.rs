//! Which answer belongs to which call.
//!
//! Ids of calls recur, are missing, or name nothing, in real files. The reading:
//!
//! - Calls that stand together form a *round*: a new one starts with the first call after an answer or after the user spoke.
//! - An answer with an id belongs to an unanswered earlier call with that id: of several, to the latest round's, there to
//!   the first.
//! - An answer with an id that no unanswered call has belongs to the round's first unanswered call without an id.
//! - An answer without an id belongs to the round's first unanswered call.
//! - Any other answer belongs to no call.
//!
//! So an answer never goes to a call whose id differs, and never to a call of an earlier round unless their ids say so: a
//! call that a runner dropped stays without an answer.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

/// Matches answers to calls in one pass over the recording; linear in both.
#[derive(Default)]
pub(crate) struct Matching<'a> {
    answered: Vec<bool>,
    has_id: Vec<bool>,
    /// The calls of an id not known to be answered, by round.
    by_id: HashMap<Cow<'a, str>, Vec<(usize, VecDeque<usize>)>>,
    round: usize,
    /// The round is over: the next call starts another.
    over: bool,
    /// The first call of this round that may be unanswered; and the first of those without an id.
    next: usize,
    next_without_id: usize,
}

impl<'a> Matching<'a> {
    /// A call; whether an earlier one has its id. Calls are numbered from 0 in this order.
    pub(crate) fn call(&mut self, id: Option<Cow<'a, str>>) -> bool {
        let number = self.answered.len();
        if self.over {
            (self.over, self.round) = (false, self.round + 1);
            (self.next, self.next_without_id) = (number, number);
        }
        self.answered.push(false);
        self.has_id.push(id.is_some());
        let Some(id) = id else { return false };
        let mut recurs = true;
        let rounds = self.by_id.entry(id).or_insert_with(|| {
            recurs = false;
            Vec::new()
        });
        match rounds.last_mut() {
            Some((round, calls)) if *round == self.round => calls.push_back(number),
            _ => rounds.push((self.round, VecDeque::from([number]))),
        }
        recurs
    }

    /// The user spoke: calls not answered by now aren't answered by answers without an id.
    pub(crate) fn user(&mut self) {
        self.over = true;
    }

    /// Whether a call has this id.
    pub(crate) fn knows(&self, id: &str) -> bool {
        self.by_id.contains_key(id)
    }

    /// An answer; the number of the call that it belongs to.
    pub(crate) fn answer(&mut self, id: Option<&str>) -> Option<usize> {
        let number = match id {
            Some(id) => self.by_its_id(id).or_else(|| self.without_id()),
            None => self.in_order(),
        };
        if let Some(answered) = number.and_then(|number| self.answered.get_mut(number)) {
            *answered = true;
        }
        self.over = true;
        number
    }

    fn by_its_id(&mut self, id: &str) -> Option<usize> {
        let rounds = self.by_id.get_mut(id)?;
        while let Some((_, calls)) = rounds.last_mut() {
            while let Some(number) = calls.pop_front() {
                if self.answered.get(number) == Some(&false) {
                    return Some(number);
                }
            }
            rounds.pop();
        }
        None
    }

    fn in_order(&mut self) -> Option<usize> {
        while self.answered.get(self.next) == Some(&true) {
            self.next += 1;
        }
        (self.next < self.answered.len()).then_some(self.next)
    }

    fn without_id(&mut self) -> Option<usize> {
        while self.answered.get(self.next_without_id) == Some(&true) || self.has_id.get(self.next_without_id) == Some(&true)
        {
            self.next_without_id += 1;
        }
        (self.next_without_id < self.answered.len()).then_some(self.next_without_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replays a recording: `c` a call, `cX` one with the id X, `a` and `aX` answers, `u` the user; which call each answers.
    fn answers(recording: &str) -> Vec<Option<usize>> {
        let mut matching = Matching::default();
        let mut answers = Vec::new();
        for step in recording.split(' ') {
            let id = step.get(1..).filter(|id| !id.is_empty());
            match step.chars().next() {
                Some('c') => {
                    matching.call(id.map(Cow::Borrowed));
                }
                Some('a') => answers.push(matching.answer(id)),
                _ => matching.user(),
            }
        }
        answers
    }

    #[test]
    fn ids_decide_in_whatever_order_answers_come() {
        assert_eq!(answers("cA cB aB aA"), [Some(1), Some(0)]);
        assert_eq!(answers("cA u cB aB aA"), [Some(1), Some(0)]);
    }

    #[test]
    fn a_recurring_id_means_the_latest_unanswered_call() {
        assert_eq!(answers("cA aA cA aA"), [Some(0), Some(1)]);
        assert_eq!(answers("cA u cA aA aA"), [Some(1), Some(0)]);
    }

    #[test]
    fn a_recurring_id_within_a_round_is_answered_in_order() {
        assert_eq!(answers("cA cA aA aA"), [Some(0), Some(1)]);
    }

    #[test]
    fn without_ids_answers_come_in_order() {
        assert_eq!(answers("c c a a"), [Some(0), Some(1)]);
        assert_eq!(answers("cA cB a a"), [Some(0), Some(1)]);
    }

    #[test]
    fn a_dropped_parallel_call_is_never_answered_by_a_later_answer() {
        assert_eq!(answers("c c a c a"), [Some(0), Some(2)]);
        assert_eq!(answers("cA cB aA cC aC"), [Some(0), Some(2)]);
        assert_eq!(answers("c u c a"), [Some(1)]);
    }

    #[test]
    fn an_answer_never_goes_to_a_call_whose_id_differs() {
        assert_eq!(answers("cA aB"), [None]);
        assert_eq!(answers("cA c aB"), [Some(1)]);
        assert_eq!(answers("cA aA aA"), [Some(0), None]);
        assert_eq!(answers("a cA"), [None]);
    }

    #[test]
    fn many_calls_of_one_id_take_linear_time() {
        let mut matching = Matching::default();
        for _ in 0..200_000 {
            matching.call(Some(Cow::Borrowed("x")));
        }
        assert_eq!((0..200_000).filter(|n| matching.answer(Some("x")) == Some(*n)).count(), 200_000);
    }
}
