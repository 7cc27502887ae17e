//! Finding values in text: what is sought, and one pass over a text for all of it.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::address::{Address, PathRule, addresses};
use super::boundary::{is_glued, is_token, is_whole};
use super::characters::is_digit;
pub use super::matcher::{Locale, Matcher};
use super::normalize::Reading;
use super::number::number_tokens;
use crate::json::Decimal;

/// What is sought: a text or a number, how, and in which locale. Equal needles are found in the same places, so a
/// transcript's are collected once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Needle(Sought);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Sought {
    Text { value: String, matcher: Matcher },
    Number { value: Decimal, locale: Option<Locale>, spaced: bool },
}

impl Needle {
    /// A text. (The locale says how numbers are written, so it changes nothing here.)
    pub fn text(value: &str, matcher: Matcher, _locale: Option<Locale>) -> Needle {
        Needle(Sought::Text { value: value.to_owned(), matcher })
    }

    /// A number. (Of the matchers only `spaced` makes a difference here.)
    pub fn number(value: &Decimal, matcher: Matcher, locale: Option<Locale>) -> Needle {
        Needle(Sought::Number { value: value.clone(), locale, spaced: matcher == Matcher::Spaced })
    }
}

/// Where a needle stands in a text: byte ranges of the text as written, sorted, those nested in another left out.
///
/// ```
/// use dryguard::text::{Matcher, Needle, occurrences};
///
/// let needle = Needle::text("#W1", Matcher::Id, None);
/// assert_eq!(occurrences(&needle, "order w1, not W12"), [6..8]);
/// ```
pub fn occurrences(needle: &Needle, text: &str) -> Vec<Range<usize>> {
    Search::new(vec![needle.clone()]).find(text).into_iter().map(|(_, range)| range).collect()
}

/// Many needles, searched in one pass over each text.
#[derive(Debug)]
pub struct Search {
    plain: Option<Patterns>,
    folded: Option<Patterns>,
    numbers: Vec<Numbers>,
    addresses: HashMap<String, Vec<SoughtAddress>>,
}

const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<Search>();
};

/// Texts that are sought in the same reading of a text.
#[derive(Debug)]
struct Patterns {
    automaton: AhoCorasick,
    patterns: Vec<Pattern>,
}

/// One spelling of a text, and how it must stand.
#[derive(Debug, Clone, Copy)]
struct Pattern {
    needle: usize,
    matcher: Matcher,
    /// Whether it's digits only, which must not be glued either.
    digits: bool,
}

/// Numbers that are sought in the same way of writing them.
#[derive(Debug)]
struct Numbers {
    locale: Option<Locale>,
    spaced: bool,
    needles: HashMap<Decimal, Vec<usize>>,
}

#[derive(Debug)]
struct SoughtAddress {
    needle: usize,
    address: Address<'static>,
    path: PathRule,
}

impl Search {
    /// Prepares a search; a needle is named by its index. Needles without anything to find (blank texts, texts that are
    /// no address) are found nowhere.
    pub fn new(needles: Vec<Needle>) -> Search {
        let mut plain = PatternsBuilder::default();
        let mut folded = PatternsBuilder::default();
        let mut search = Search { plain: None, folded: None, numbers: Vec::new(), addresses: HashMap::new() };
        for (needle, Needle(sought)) in needles.into_iter().enumerate() {
            match sought {
                Sought::Number { value, locale, spaced } => search.add_number(needle, value, locale, spaced),
                Sought::Text { value, matcher } => match matcher {
                    Matcher::Token | Matcher::Spaced | Matcher::Whole | Matcher::Substring => {
                        plain.add(needle, matcher, Reading::plain(&value).text());
                    }
                    Matcher::NoCase => folded.add(needle, matcher, Reading::folded(&value).text()),
                    Matcher::Id => {
                        let reading = Reading::folded(&value);
                        folded.add(needle, matcher, reading.text());
                        if let Some(bare) = reading.text().strip_prefix('#') {
                            folded.add(needle, matcher, bare);
                        }
                    }
                    Matcher::Url => search.add_address(needle, &value, PathRule::Exact),
                    Matcher::UrlPrefix => search.add_address(needle, &value, PathRule::Prefix),
                },
            }
        }
        Search { plain: plain.build(), folded: folded.build(), ..search }
    }

    fn add_number(&mut self, needle: usize, value: Decimal, locale: Option<Locale>, spaced: bool) {
        let at = match self.numbers.iter().position(|numbers| (numbers.locale, numbers.spaced) == (locale, spaced)) {
            Some(at) => at,
            None => {
                self.numbers.push(Numbers { locale, spaced, needles: HashMap::new() });
                self.numbers.len() - 1
            }
        };
        if let Some(numbers) = self.numbers.get_mut(at) {
            numbers.needles.entry(value).or_default().push(needle);
        }
    }

    fn add_address(&mut self, needle: usize, value: &str, path: PathRule) {
        if let Some(address) = Address::parse(value) {
            let address = address.into_owned();
            self.addresses.entry(address.host().to_owned()).or_default().push(SoughtAddress { needle, address, path });
        }
    }

    /// Every occurrence of every needle in a text, as the needle's index and byte ranges of the text as written; sorted by
    /// needle and position, those nested in another of the same needle left out.
    pub fn find(&self, text: &str) -> Vec<(usize, Range<usize>)> {
        let mut found = Vec::new();
        if self.plain.is_some() || !self.numbers.is_empty() || !self.addresses.is_empty() {
            let reading = Reading::plain(text);
            let mut add = |needle, range| found.push((needle, reading.written(range)));
            if let Some(patterns) = &self.plain {
                patterns.find(reading.text(), &mut add);
            }
            for numbers in &self.numbers {
                numbers.find(reading.text(), &mut add);
            }
            self.find_addresses(reading.text(), &mut add);
        }
        if let Some(patterns) = &self.folded {
            let reading = Reading::folded(text);
            patterns.find(reading.text(), &mut |needle, range| found.push((needle, reading.written(range))));
        }
        found.sort_unstable_by_key(|(needle, range)| (*needle, range.start, Reverse(range.end)));
        drop_nested(&mut found);
        found
    }

    fn find_addresses(&self, text: &str, add: &mut impl FnMut(usize, Range<usize>)) {
        if self.addresses.is_empty() {
            return;
        }
        for (range, written) in addresses(text) {
            for sought in self.addresses.get(written.host()).into_iter().flatten() {
                if sought.address.is_named_by(&written, sought.path) {
                    add(sought.needle, range.clone());
                }
            }
        }
    }
}

/// Sorted by needle, start and length, whatever ends no later than one before it is nested in that one.
fn drop_nested(found: &mut Vec<(usize, Range<usize>)>) {
    let mut last: Option<(usize, usize)> = None;
    found.retain(|(needle, range)| {
        let nested = last.is_some_and(|(same, end)| same == *needle && range.end <= end);
        if !nested {
            last = Some((*needle, range.end));
        }
        !nested
    });
}

#[derive(Default)]
struct PatternsBuilder {
    spellings: Vec<String>,
    patterns: Vec<Pattern>,
}

impl PatternsBuilder {
    fn add(&mut self, needle: usize, matcher: Matcher, spelling: &str) {
        if !spelling.trim().is_empty() {
            self.spellings.push(spelling.to_owned());
            self.patterns.push(Pattern { needle, matcher, digits: spelling.chars().all(is_digit) });
        }
    }

    fn build(self) -> Option<Patterns> {
        if self.patterns.is_empty() {
            return None;
        }
        // Built once for some texts of a few kilobytes: the automaton that is quickest to build serves best. It can only
        // fail for gigabytes of needles; those are then found nowhere, the safe way to fail.
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::NoncontiguousNFA))
            .prefilter(false)
            .build(&self.spellings)
            .ok()?;
        Some(Patterns { automaton, patterns: self.patterns })
    }
}

impl Patterns {
    fn find(&self, text: &str, add: &mut impl FnMut(usize, Range<usize>)) {
        for hit in self.automaton.find_overlapping_iter(text) {
            let Some(pattern) = self.patterns.get(hit.pattern().as_usize()) else { continue };
            if pattern.stands(text, hit.range()) {
                add(pattern.needle, hit.range());
            }
        }
    }
}

impl Pattern {
    fn stands(&self, text: &str, range: Range<usize>) -> bool {
        match self.matcher {
            Matcher::Substring => true,
            Matcher::Whole => is_whole(text, range),
            _ => is_token(text, range.clone(), self.matcher == Matcher::NoCase) && !(self.digits && is_glued(text, range)),
        }
    }
}

impl Numbers {
    fn find(&self, text: &str, add: &mut impl FnMut(usize, Range<usize>)) {
        for token in number_tokens(text, self.locale, self.spaced) {
            let needles = token.value.as_ref().and_then(|value| self.needles.get(value));
            if let Some(needles) = needles
                && !is_glued(text, token.range.clone())
            {
                needles.iter().for_each(|&needle| add(needle, token.range.clone()));
            }
        }
    }
}
