//! Texts that are sought, all at once; how each must stand is looked at after a hit.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use memchr::memmem::Finder;

use super::boundary::{is_glued, is_token, is_whole};
use super::characters::is_digit;
use super::matcher::Matcher;
use super::normalize::Reading;

/// Every sought text's patterns, searched at once.
#[derive(Debug)]
pub(super) struct Texts {
    finder: Spellings,
    patterns: Vec<Pattern>,
    /// Whether the search runs over the folded text, as some pattern disregards case. The others' hits are then
    /// compared with the plain text: one pass costs less than two.
    folded: bool,
}

/// How the spellings are searched: a conversation's search is made anew, so a short one must not pay for an automaton.
#[derive(Debug)]
enum Spellings {
    /// A few short ones: each by itself.
    Few(Vec<Finder<'static>>),
    /// All in one automaton.
    Many(AhoCorasick),
}

/// How many spellings are searched each by itself (an automaton costs about 20 µs to make, and is slower on a text).
const FEW: usize = 64;

/// How long these may be, in bytes: a text that repeats one is compared with it at each byte.
const SHORT: usize = 64;

impl Spellings {
    /// It can only fail for gigabytes of needles; those are then found nowhere, the safe way to fail.
    fn new(spellings: &[String]) -> Option<Spellings> {
        if spellings.len() <= FEW && spellings.iter().all(|spelling| spelling.len() <= SHORT) {
            let finder = |spelling: &String| Finder::new(spelling.as_str()).into_owned();
            return Some(Spellings::Few(spellings.iter().map(finder).collect()));
        }
        let mut builder = AhoCorasick::builder();
        // Few dense states, or making it would cost more than searching.
        builder.match_kind(MatchKind::Standard).kind(Some(AhoCorasickKind::ContiguousNFA)).prefilter(false).dense_depth(1);
        builder.build(spellings).ok().map(Spellings::Many)
    }

    /// Calls `hit` with the number of the spelling and its place, for every occurrence, overlapping ones too.
    fn find(&self, text: &str, mut hit: impl FnMut(usize, Range<usize>)) {
        match self {
            Spellings::Many(automaton) => {
                automaton.find_overlapping_iter(text).for_each(|found| hit(found.pattern().as_usize(), found.range()));
            }
            Spellings::Few(finders) => {
                for (number, finder) in finders.iter().enumerate() {
                    let mut from = 0;
                    while let Some(at) = text.as_bytes().get(from..).and_then(|rest| finder.find(rest)) {
                        let start = from + at;
                        hit(number, start..start + finder.needle().len());
                        from = start + 1;
                    }
                }
            }
        }
    }
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
        let spelling = |pattern: &Pattern| match folded && !is_folded(pattern.matcher) {
            true => Reading::folded(&pattern.spelling).text().to_owned(),
            false => pattern.spelling.clone(),
        };
        let spellings: Vec<String> = patterns.iter().map(spelling).collect();
        Some(Texts { finder: Spellings::new(&spellings)?, patterns, folded })
    }

    /// Calls `add` with the needle and its range in `plain`, a text without format characters and with plain spaces, for
    /// each place where one stands as its matcher asks.
    pub(super) fn find(&self, plain: &str, add: &mut impl FnMut(usize, Range<usize>)) {
        // What is folded is the plain text, so its `written` ranges are ranges of that.
        let reading = if self.folded { Reading::folded(plain) } else { Reading::plain(plain) };
        self.finder.find(reading.text(), |number, hit| {
            let Some(pattern) = self.patterns.get(number) else { return };
            let in_plain = || reading.written(hit.clone());
            if is_folded(pattern.matcher) {
                if pattern.stands(reading.text(), hit.clone()) {
                    add(pattern.needle, in_plain());
                }
            } else {
                let range = in_plain();
                if plain.get(range.clone()) == Some(pattern.spelling.as_str()) && pattern.stands(plain, range.clone()) {
                    add(pattern.needle, range);
                }
            }
        });
    }
}
