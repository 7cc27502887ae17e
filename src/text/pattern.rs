//! Texts that are sought, all in one automaton over the text; how each must stand is looked at after a hit.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::boundary::{is_glued, is_token, is_whole};
use super::characters::is_digit;
use super::matcher::Matcher;
use super::normalize::Reading;

/// Every sought text's patterns, searched at once.
#[derive(Debug)]
pub(super) struct Texts {
    automaton: AhoCorasick,
    patterns: Vec<Pattern>,
    /// Whether the automaton runs over the folded text, as some pattern disregards case. The others' hits are then
    /// compared with the plain text: one pass costs less than two.
    folded: bool,
}

/// One spelling of a needle, and how it must stand.
#[derive(Debug)]
pub(super) struct Pattern {
    needle: usize,
    matcher: Matcher,
    /// As it must be read: folded for the matchers that disregard case, else plain.
    spelling: String,
    /// Whether it's digits only, which must not be glued either.
    digits: bool,
}

impl Pattern {
    /// Adds the spellings of a needle that is sought as a text; a blank one is sought nowhere.
    pub(super) fn add(patterns: &mut Vec<Pattern>, needle: usize, value: &str, matcher: Matcher) {
        let reading = if is_folded(matcher) { Reading::folded(value) } else { Reading::plain(value) };
        let bare = reading.text().strip_prefix('#').filter(|_| matcher == Matcher::Id);
        for spelling in [Some(reading.text()), bare].into_iter().flatten() {
            if !spelling.trim().is_empty() {
                let digits = spelling.chars().all(is_digit);
                patterns.push(Pattern { needle, matcher, spelling: spelling.to_owned(), digits });
            }
        }
    }

    fn stands(&self, text: &str, range: Range<usize>) -> bool {
        match self.matcher {
            Matcher::Substring => true,
            Matcher::Whole => is_whole(text, range),
            _ => is_token(text, range.clone(), self.matcher == Matcher::NoCase) && !(self.digits && is_glued(text, range)),
        }
    }
}

fn is_folded(matcher: Matcher) -> bool {
    matches!(matcher, Matcher::NoCase | Matcher::Id)
}

impl Texts {
    pub(super) fn new(patterns: Vec<Pattern>) -> Option<Texts> {
        if patterns.is_empty() {
            return None;
        }
        let folded = patterns.iter().any(|pattern| is_folded(pattern.matcher));
        let mut builder = AhoCorasick::builder();
        // Made anew for each conversation: few dense states, or building would cost more than searching.
        builder.match_kind(MatchKind::Standard).kind(Some(AhoCorasickKind::ContiguousNFA)).prefilter(false).dense_depth(1);
        // It can only fail for gigabytes of needles; those are then found nowhere, the safe way to fail.
        let automaton = match folded {
            true => builder.build(patterns.iter().map(|pattern| Reading::folded(&pattern.spelling).text().to_owned())),
            false => builder.build(patterns.iter().map(|pattern| &pattern.spelling)),
        };
        Some(Texts { automaton: automaton.ok()?, patterns, folded })
    }

    /// Calls `add` with the needle and its range in `plain`, a text without format characters and with plain spaces, for
    /// each place where one stands as its matcher asks.
    pub(super) fn find(&self, plain: &str, add: &mut impl FnMut(usize, Range<usize>)) {
        // What is folded is the plain text, so its `written` ranges are ranges of that.
        let reading = if self.folded { Reading::folded(plain) } else { Reading::plain(plain) };
        for hit in self.automaton.find_overlapping_iter(reading.text()) {
            let Some(pattern) = self.patterns.get(hit.pattern().as_usize()) else { continue };
            let in_plain = || reading.written(hit.range());
            if is_folded(pattern.matcher) {
                if pattern.stands(reading.text(), hit.range()) {
                    add(pattern.needle, in_plain());
                }
            } else {
                let range = in_plain();
                if plain.get(range.clone()) == Some(pattern.spelling.as_str()) && pattern.stands(plain, range.clone()) {
                    add(pattern.needle, range);
                }
            }
        }
    }
}
