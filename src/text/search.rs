//! Finding values in text: what is sought, and one pass over a text for all of it.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::address::{Address, PathRule, addresses};
use super::boundary::is_glued;
pub use super::matcher::{Locale, Matcher};
use super::normalize::Reading;
use super::number::number_tokens;
use super::pattern::{Pattern, Texts};
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
    texts: Option<Texts>,
    numbers: Vec<Numbers>,
    addresses: HashMap<String, Vec<SoughtAddress>>,
}

const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<Search>();
};

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
        let mut patterns = Vec::new();
        let mut search = Search { texts: None, numbers: Vec::new(), addresses: HashMap::new() };
        for (needle, Needle(sought)) in needles.into_iter().enumerate() {
            match sought {
                Sought::Number { value, locale, spaced } => search.add_number(needle, value, locale, spaced),
                Sought::Text { value, matcher: Matcher::Url } => search.add_address(needle, &value, PathRule::Exact),
                Sought::Text { value, matcher: Matcher::UrlPrefix } => search.add_address(needle, &value, PathRule::Prefix),
                Sought::Text { value, matcher } => Pattern::add(&mut patterns, needle, &value, matcher),
            }
        }
        Search { texts: Texts::new(patterns), ..search }
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
        let plain = Reading::plain(text);
        let mut found = Vec::new();
        let mut add = |needle, range| found.push((needle, plain.written(range)));
        if let Some(texts) = &self.texts {
            texts.find(plain.text(), &mut add);
        }
        for numbers in &self.numbers {
            numbers.find(plain.text(), &mut add);
        }
        if !self.addresses.is_empty() {
            self.find_addresses(plain.text(), &mut add);
        }
        found.sort_unstable_by_key(|(needle, range)| (*needle, range.start, Reverse(range.end)));
        drop_nested(&mut found);
        found
    }

    fn find_addresses(&self, text: &str, add: &mut impl FnMut(usize, Range<usize>)) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::{Duration, Instant};

    fn found(value: &str, matcher: Matcher, text: &str) -> Vec<String> {
        let ranges = occurrences(&Needle::text(value, matcher, None), text);
        ranges.into_iter().map(|range| text.get(range).unwrap().to_owned()).collect()
    }

    fn number(value: &str) -> Needle {
        Needle::number(&Decimal::from_json(value).unwrap(), Matcher::Token, None)
    }

    #[test]
    fn each_matcher_has_its_rule() {
        for (matcher, value, text, expected) in [
            (Matcher::Token, "a a", "a a a", vec!["a a", "a a"]),
            (Matcher::Token, "W1", "w1 W12 xW1 W1.", vec!["W1"]),
            (Matcher::NoCase, "O'Brien", "o’brien O\u{ad}'BRIEN", vec!["o’brien", "O\u{ad}'BRIEN"]),
            (Matcher::Id, "#W1", "#w1 w1 #W12", vec!["#w1", "w1"]),
            (Matcher::Id, "#W1", "x-#W1", vec!["W1"]),
            (Matcher::Whole, "bob@x.org", "<bob@x.org>, not bob@x.org.uk", vec!["bob@x.org"]),
            (Matcher::Substring, "aa", "aaa", vec!["aa", "aa"]),
            (Matcher::Url, "https://good.com", "see good.com. and good.com/a", vec!["good.com"]),
            (Matcher::UrlPrefix, "http://good.com/a", "Link:good.com", vec!["good.com"]),
        ] {
            assert_eq!(found(value, matcher, text), expected, "{value} {matcher}");
        }
    }

    #[test]
    fn the_value_is_read_as_the_text_is() {
        assert_eq!(found("New\u{a0}Yo\u{200b}rk", Matcher::Token, "in New York"), ["New York"]);
        assert_eq!(found("–A", Matcher::NoCase, "-a"), ["-a"]);
    }

    #[test]
    fn blank_values_are_found_nowhere() {
        for matcher in Matcher::ALL {
            for value in ["", " ", "\u{200b}", "\u{a0}\u{3000}", "\n\t"] {
                assert_eq!(found(value, matcher, "a \u{200b} \u{a0}\n\t b"), Vec::<String>::new());
            }
        }
        assert_eq!(found("#", Matcher::Id, "a # b"), ["#"]);
    }

    #[test]
    fn glued_numbers_are_not_found() {
        let alone = occurrences(&number("250"), "INV-250, DE89 250 0044, 250.");
        assert_eq!(alone.iter().map(|range| (range.start, range.end)).collect::<Vec<_>>(), [(24, 27)]);
        assert_eq!(found("3704", Matcher::Token, "DE89 3704 0044"), Vec::<String>::new());
    }

    #[test]
    fn what_makes_no_difference_makes_no_other_needle() {
        let one = Decimal::from(1);
        assert_eq!(Needle::number(&one, Matcher::Token, None), Needle::number(&one, Matcher::Id, None));
        assert_ne!(Needle::number(&one, Matcher::Token, None), Needle::number(&one, Matcher::Spaced, None));
        assert_eq!(Needle::text("a", Matcher::Id, Some(Locale::De)), Needle::text("a", Matcher::Id, None));
    }

    #[test]
    fn hostile_texts_take_linear_time() {
        let needles = [
            Needle::text("a", Matcher::Token, None),
            Needle::text("a", Matcher::NoCase, None),
            Needle::text("a/a", Matcher::NoCase, None),
            Needle::text("#1", Matcher::Id, None),
            Needle::text("a", Matcher::Substring, None),
            Needle::text("aaaaaaaaaaaaaaaab", Matcher::Token, None),
            Needle::text("a.a", Matcher::Url, None),
            number("1"),
            number("-1.5"),
        ];
        let search = Search::new(needles.to_vec());
        for piece in [
            "a",
            "a ",
            "a/",
            "a-",
            "1 ",
            "1,250",
            "'250,250",
            "a.a ",
            "a.",
            "a:",
            "\u{200b}a",
            "\u{a0}",
            "((a/a",
            "%2e/",
            "é.",
        ] {
            let text = piece.repeat(200_000 / piece.len());
            let began = Instant::now();
            search.find(&text);
            assert!(began.elapsed() < Duration::from_secs(20), "{piece} took {:?}", began.elapsed());
        }
    }

    fn any_needle() -> impl Strategy<Value = Needle> {
        let text = prop_oneof!["[abW1#./ -]{1,4}", "[aéЯ \u{a0}\u{200b}’–12:_]{1,4}", "(https://)?a\\.b(/[ab]){0,2}"];
        let matcher = prop::sample::select(Matcher::ALL.to_vec());
        let locale = prop::option::of(prop::sample::select(Locale::ALL.to_vec()));
        prop_oneof![
            (text, matcher.clone()).prop_map(|(value, matcher)| Needle::text(&value, matcher, None)),
            ((-20..2000_i64), matcher, locale).prop_map(|(value, matcher, locale)| Needle::number(
                &Decimal::from(value),
                matcher,
                locale
            )),
        ]
    }

    fn any_text() -> impl Strategy<Value = String> {
        prop_oneof!["([abW1#./ :-]{0,6}|[aéЯ \u{a0}\u{200b}’–12_,']{0,6}|a\\.b/a |1,500 ){0,4}", "\\PC{0,16}",]
    }

    proptest! {
        #[test]
        fn ranges_are_sorted_slices_that_are_not_nested(needle in any_needle(), text in any_text()) {
            let ranges = occurrences(&needle, &text);
            for range in &ranges {
                prop_assert!(text.get(range.clone()).is_some_and(|quote| !quote.is_empty()), "{range:?}");
            }
            for pair in ranges.windows(2) {
                prop_assert!(pair[0].start < pair[1].start && pair[0].end < pair[1].end);
            }
        }

        #[test]
        fn needles_are_found_among_very_many_where_they_are_among_few(
            needles in prop::collection::vec(any_needle(), 0..12), text in any_text()
        ) {
            // So many that they are searched in another way.
            let others = (0..100).map(|n| Needle::text(&format!("other{n}"), Matcher::NoCase, None));
            let all: Vec<Needle> = needles.iter().cloned().chain(others).collect();
            prop_assert_eq!(Search::new(all).find(&text), Search::new(needles).find(&text));
        }

        #[test]
        fn many_needles_are_found_where_each_alone_is(needles in prop::collection::vec(any_needle(), 0..12), text in any_text()) {
            let alone: Vec<(usize, Range<usize>)> = needles
                .iter()
                .enumerate()
                .flat_map(|(i, needle)| occurrences(needle, &text).into_iter().map(move |range| (i, range)))
                .collect();
            prop_assert_eq!(Search::new(needles).find(&text), alone);
        }

        #[test]
        fn invisible_characters_change_no_offset(needle in any_needle(), text in any_text(), every in 1..4_usize) {
            let hidden = |c: char| super::super::characters::is_format(c);
            let clean: String = text.chars().filter(|&c| !hidden(c)).collect();
            let mut padded = String::new();
            // Where each byte of the clean text starts and ends in the padded one.
            let mut places = vec![];
            for (i, c) in clean.chars().enumerate() {
                if i % every == 0 {
                    padded.push_str("\u{200b}\u{2060}");
                }
                places.extend((0..c.len_utf8()).map(|byte| padded.len() + byte));
                padded.push(c);
            }
            let expected: Vec<Range<usize>> = occurrences(&needle, &clean)
                .into_iter()
                .map(|range| places[range.start]..places[range.end - 1] + 1)
                .collect();
            prop_assert_eq!(occurrences(&needle, &padded), expected);
        }
    }
}
