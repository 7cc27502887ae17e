//! Number tokens in text, by locale, with their exact values.

use std::ops::Range;

use super::characters::{decimal_digit, is_word};
use super::matcher::Locale;
use crate::json::Decimal;

/// A number as a text writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberToken {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// Its value; none when nobody can say which of two it is (`1,500` without a locale).
    pub value: Option<Decimal>,
}

/// The number tokens of a text, from left to right. The text is one without format characters and with plain spaces
/// ([`super::normalize::Reading::plain`]); with `spaced`, thousands may be grouped by spaces too.
pub fn number_tokens(text: &str, locale: Option<Locale>, spaced: bool) -> impl Iterator<Item = NumberToken> {
    let style = Style::new(locale, spaced);
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at = next_digit(text, at)?;
            let Some(sign) = start(text, at) else {
                at = digits_end(text, at);
                continue;
            };
            match read(text, at, &style) {
                Some(reading) => {
                    let range = (if sign { at - 1 } else { at })..reading.end;
                    let value = reading.value(text, at, sign, &style);
                    at = reading.end;
                    return Some(NumberToken { range, value });
                }
                None => at = digits_end(text, at),
            }
        }
    })
}

/// The marks of a way to write numbers.
struct Style {
    thousands: &'static [u8],
    decimal: u8,
    /// Whether the same token may be two numbers, as nobody said which marks are meant.
    unsure: bool,
}

impl Style {
    fn new(locale: Option<Locale>, spaced: bool) -> Style {
        let (thousands, decimal): (&[u8], u8) = match locale {
            None | Some(Locale::En) => (b",' ", b'.'),
            Some(Locale::De) => (b".' ", b','),
            Some(Locale::Fr) => (b"' ", b','),
            Some(Locale::Ch) => (b"' ", b'.'),
        };
        let thousands = if spaced { thousands } else { thousands.strip_suffix(b" ").unwrap_or(thousands) };
        Style { thousands, decimal, unsure: locale.is_none() }
    }
}

/// One way to read a number from its first digit on, in offsets into the text.
#[derive(Clone, Copy)]
struct Reading {
    /// The end of the first run of digits.
    first: usize,
    /// How many groups of three follow it.
    groups: usize,
    /// Where the digits before the decimal mark end.
    whole: usize,
    /// Where it all ends.
    end: usize,
}

/// The longest reading that ends properly: as many groups as possible, with a fraction if there is one; plain digits
/// when no grouping does.
fn read(text: &str, from: usize, style: &Style) -> Option<Reading> {
    let first = digits_end(text, from);
    let mut best = finish(text, first, 0, first, style);
    if text.get(from..first)?.chars().count() > 3 {
        return best;
    }
    let (mut whole, mut groups) = (first, 0);
    while let Some(end) = group_end(text, whole, style) {
        whole = end;
        groups += 1;
        // Readings with fewer groups were looked at before, so the last proper one is the longest.
        best = finish(text, first, groups, whole, style).or(best);
    }
    best
}

fn group_end(text: &str, at: usize, style: &Style) -> Option<usize> {
    if !style.thousands.contains(text.as_bytes().get(at)?) {
        return None;
    }
    let mut rest = text.get(at + 1..)?.char_indices();
    for _ in 0..3 {
        decimal_digit(rest.next()?.1)?;
    }
    Some(at + 1 + rest.offset())
}

fn finish(text: &str, first: usize, groups: usize, whole: usize, style: &Style) -> Option<Reading> {
    if text.as_bytes().get(whole) == Some(&style.decimal) {
        let end = digits_end(text, whole + 1);
        if end > whole + 1 && ends_properly(text, end) {
            return Some(Reading { first, groups, whole, end });
        }
    }
    ends_properly(text, whole).then_some(Reading { first, groups, whole, end: whole })
}

fn ends_properly(text: &str, at: usize) -> bool {
    let mut rest = text.get(at..).unwrap_or_default().chars();
    match rest.next() {
        None => true,
        Some('.' | ',') => rest.next().and_then(decimal_digit).is_none(),
        Some(c) => !is_word(c) && !matches!(c, '%' | '‰' | '°'),
    }
}

impl Reading {
    fn value(&self, text: &str, from: usize, negative: bool, style: &Style) -> Option<Decimal> {
        if style.unsure && self.is_ambiguous(text, from, style) {
            return None;
        }
        let digits = |range: Range<usize>| {
            text.get(range).unwrap_or_default().chars().filter_map(|c| decimal_digit(c).map(|digit| b'0' + digit))
        };
        Some(Decimal::from_digits(negative, digits(from..self.whole), digits(self.whole..self.end), 0))
    }

    /// Whether `1,500` or `1.500`: the mark may separate thousands or a fraction.
    fn is_ambiguous(&self, text: &str, from: usize, style: &Style) -> bool {
        let count = |range: Range<usize>| text.get(range).unwrap_or_default().chars().count();
        let either = match self.groups {
            0 => count(self.whole..self.end) == 4,
            1 => self.end == self.whole && text.as_bytes().get(self.first) == Some(&b','),
            _ => false,
        };
        debug_assert!(style.decimal == b'.', "only the style of no locale is unsure");
        let leading = text.get(from..).unwrap_or_default().chars().next().and_then(decimal_digit);
        either && count(from..self.first) <= 3 && leading != Some(0)
    }
}

/// Whether a number may start at the digit at `at`, and if so, whether with a minus.
fn start(text: &str, at: usize) -> Option<bool> {
    let is_free = |c: Option<char>| c.is_none_or(|c| !is_word(c) && !matches!(c, '.' | ','));
    let mut before = text.get(..at)?.chars().rev();
    let previous = before.next();
    match is_free(previous) {
        true => Some(previous == Some('-') && is_free(before.next())),
        false => None,
    }
}

/// The first decimal digit at or after `from`.
fn next_digit(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        // In bytes as far as they are plain: most text has few digits.
        at += text.as_bytes().get(at..)?.iter().position(|b| b.is_ascii_digit() || !b.is_ascii())?;
        let c = text.get(at..)?.chars().next()?;
        if decimal_digit(c).is_some() {
            return Some(at);
        }
        at += c.len_utf8();
    }
}

/// The end of the run of decimal digits at `from`.
fn digits_end(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    text.len() - rest.trim_start_matches(|c| decimal_digit(c).is_some()).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str, locale: Option<Locale>, spaced: bool) -> Vec<String> {
        number_tokens(text, locale, spaced).map(|token| token.value.map_or("?".to_owned(), |v| v.to_string())).collect()
    }

    #[test]
    fn each_locale_reads_its_own_marks() {
        for (text, none, en, de, fr, ch) in [
            ("1,500", "?", "1500", "1.5", "1.5", ""),
            ("1.500", "?", "1.5", "1500", "", "1.5"),
            ("1'500", "1500", "1500", "1500", "1500", "1500"),
            ("1.500,5", "", "", "1500.5", "", ""),
            ("1,500.5", "1500.5", "1500.5", "", "", ""),
            ("0,500", "500", "500", "0.5", "0.5", ""),
            ("0.500", "0.5", "0.5", "500", "", "0.5"),
            ("-1,500,000", "-1500000", "-1500000", "", "", ""),
            ("1234,5", "", "", "1234.5", "1234.5", ""),
        ] {
            let locales = [None, Some(Locale::En), Some(Locale::De), Some(Locale::Fr), Some(Locale::Ch)];
            for (locale, expected) in locales.into_iter().zip([none, en, de, fr, ch]) {
                assert_eq!(values(text, locale, false).join(" "), expected, "{text} {locale:?}");
            }
        }
    }

    #[test]
    fn spaces_group_thousands_only_when_asked() {
        assert_eq!(values("1 500 000,5", Some(Locale::Fr), true), ["1500000.5"]);
        assert_eq!(values("1 500 000,5", Some(Locale::Fr), false), ["1", "500", "0.5"]);
        assert_eq!(values("1 500kg", None, true), ["1"]);
    }

    #[test]
    fn a_number_starts_and_ends_properly() {
        for (text, expected) in [
            ("5kg v5 5% 5‰ 5° 5², .5 x,5 _5", ""),
            ("5.5.5 1,0000 5.0.0 1e22", ""),
            ("(5) 5. 5, $5 +5 5' 5€", "5 5 5 5 5 5 5"),
            ("-5 --5 5-6 x-7 .-8", "-5 -5 5 6 7 8"),
            ("1'500.5x 1'50", "1 1 50"),
            ("007 0.10 -0", "7 0.1 0"),
            ("١٥ １５", "15 15"),
        ] {
            assert_eq!(values(text, None, false).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn integers_of_any_size_are_exact() {
        assert_eq!(values("12345678901234567890123", None, false), ["12345678901234567890123"]);
        assert_eq!(values("10,000,000,000,000,000,000,001", None, false), ["10000000000000000000001"]);
    }

    #[test]
    fn hostile_digits_take_linear_time() {
        for piece in ["1", "1,250", "'250", ",250", " 250", "1.5", "-", "1'250,250"] {
            let text = piece.repeat(1_000_000 / piece.len()) + "x";
            let began = std::time::Instant::now();
            number_tokens(&text, None, true).count();
            assert!(began.elapsed().as_secs() < 5, "{piece}");
        }
    }
}
