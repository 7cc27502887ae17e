//! A share of calls with its interval. Calls of one conversation aren't independent, so the sample counts for less than it
//! has calls.

use std::collections::BTreeMap;

use serde::Serialize;
use statrs::distribution::{Beta, ContinuousCDF, StudentsT};

/// The error rate of an interval, both sides together.
const ALPHA: f64 = 0.05;

/// So many conversations with an event, and without one, are needed before the jackknife alone is trusted.
const ENOUGH: f64 = 20.0;

/// Calls counted by conversation.
///
/// Only how many conversations look alike is kept, so that it stays small however many there are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clusters {
    /// How many conversations have so many events in so many calls.
    alike: BTreeMap<(usize, usize), usize>,
}

/// A share of calls.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rate {
    /// Calls with the event.
    pub events: usize,
    /// Calls.
    pub of: usize,
    /// The interval's lower end (95%, two-sided), from 0 to 1.
    pub low: f64,
    /// The interval's upper end, from 0 to 1.
    pub high: f64,
}

impl Clusters {
    /// Counts a conversation; one without calls counts for nothing.
    pub fn add(&mut self, events: usize, calls: usize) {
        if calls > 0 {
            *self.alike.entry((events.min(calls), calls)).or_default() += 1;
        }
    }

    /// The share with its interval: Clopper–Pearson at the effective sample size, from the delete-one-conversation
    /// jackknife (Korn & Graubard 1998, Survey Methodology 24; degrees of freedom and the rule for few events are ours).
    /// Without a call: nothing is known, 0 to 1.
    pub fn rate(&self) -> Rate {
        let (mut events, mut of) = (0, 0);
        for ((x, n), times) in &self.alike {
            events += x * times;
            of += n * times;
        }
        if of == 0 {
            return Rate { events, of, low: 0.0, high: 1.0 };
        }
        let (share, size) = (events as f64 / of as f64, self.effective_size(events, of));
        let (low, high) = clopper_pearson(share * size, size);
        Rate { events, of, low, high }
    }

    /// As how many independent calls these count; at least 1 or their number, at most their number.
    fn effective_size(&self, events: usize, of: usize) -> f64 {
        let (x, n) = (events as f64, of as f64);
        let (mut conversations, mut with, mut without, mut squares) = (0.0, 0.0, 0.0, 0.0);
        for ((events, calls), times) in &self.alike {
            let times = *times as f64;
            conversations += times;
            with += if *events > 0 { times } else { 0.0 };
            without += if events < calls { times } else { 0.0 };
            squares += times * (*calls as f64).powi(2);
        }
        let kish = n * n / squares;
        if conversations < 2.0 || events == 0 || events == of {
            return kish;
        }
        let share = x / n;
        let left_out = |events: usize, calls: usize| (x - events as f64) / (n - calls as f64);
        let mean = self.alike.iter().map(|((e, c), times)| left_out(*e, *c) * *times as f64).sum::<f64>() / conversations;
        let spread: f64 = self.alike.iter().map(|((e, c), times)| (left_out(*e, *c) - mean).powi(2) * *times as f64).sum();
        let variance = spread * (conversations - 1.0) / conversations;
        let ratio = student(n - 1.0) / student((kish - 1.0).max(1.0));
        let size = if variance > 0.0 { (share * (1.0 - share) / variance * ratio.powi(2)).min(n) } else { n };
        let few = with.min(without);
        if few >= ENOUGH {
            return size;
        }
        1.0 / (few / ENOUGH / size + (1.0 - few / ENOUGH) / size.min(kish))
    }
}

impl Rate {
    /// The share itself; 0 where there's no call.
    pub fn share(&self) -> f64 {
        if self.of == 0 { 0.0 } else { self.events as f64 / self.of as f64 }
    }
}

/// The two-sided interval by quantiles of the beta distribution, for counts that needn't be whole.
fn clopper_pearson(x: f64, n: f64) -> (f64, f64) {
    let quantile = |a: f64, b: f64, p: f64| Beta::new(a, b).map_or(f64::NAN, |beta| beta.inverse_cdf(p).clamp(0.0, 1.0));
    let low = if x <= 0.0 { 0.0 } else { quantile(x, n - x + 1.0, ALPHA / 2.0) };
    let high = if x >= n { 1.0 } else { quantile(x + 1.0, n - x, 1.0 - ALPHA / 2.0) };
    (if low.is_nan() { 0.0 } else { low }, if high.is_nan() { 1.0 } else { high })
}

/// Student's t at 1 − α/2.
fn student(freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom.max(1.0)).map_or(f64::NAN, |t| t.inverse_cdf(1.0 - ALPHA / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(conversations: &[(usize, usize)]) -> Rate {
        let mut clusters = Clusters::default();
        conversations.iter().for_each(|(events, calls)| clusters.add(*events, *calls));
        clusters.rate()
    }

    fn close(actual: f64, expected: f64) {
        assert!((actual - expected).abs() < 5e-4, "{actual} is not {expected}");
    }

    #[test]
    fn none_of_thirty_is_up_to_a_tenth() {
        let rate = of(&[(0, 1); 30]);
        assert_eq!((rate.events, rate.of, rate.low), (0, 30, 0.0));
        // 1 − 0.025^(1/30)
        close(rate.high, 0.1157);
    }

    #[test]
    fn one_call_a_conversation_is_clopper_pearson() {
        let mut conversations = vec![(1, 1); 25];
        conversations.extend([(0, 1); 75]);
        let rate = of(&conversations);
        // The interval of 25 in 100, from tables: 0.169 to 0.347. The jackknife divides by 99, so it is a little wider.
        assert!((0.167..=0.169).contains(&rate.low) && (0.346..=0.349).contains(&rate.high), "{rate:?}");
    }

    #[test]
    fn calls_that_go_together_count_as_one() {
        let mut conversations = vec![(10, 10); 25];
        conversations.extend([(0, 10); 75]);
        let rate = of(&conversations);
        assert!(rate.low <= 0.170 && rate.high >= 0.346, "{rate:?}");
    }

    #[test]
    fn nothing_is_known_of_no_call() {
        let rate = of(&[(0, 0)]);
        assert_eq!((rate.events, rate.of, rate.low, rate.high), (0, 0, 0.0, 1.0));
    }

    #[test]
    fn one_conversation_counts_once() {
        // Effective size 1: CP(0, 1) = (0, 0.975).
        close(of(&[(0, 50)]).high, 0.975);
    }
}
