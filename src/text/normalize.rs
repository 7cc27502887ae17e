//! Text without format characters, with plain spaces, and the way back to the text as written.

use std::borrow::Cow;
use std::ops::Range;

use unicode_general_category::{GeneralCategory, get_general_category};

/// A text as matchers read it, and where each part of it stands in the text as written.
///
/// Borrowed and without a map wherever the text reads as it is written, which is nearly always.
///
/// ```
/// use dryguard::text::normalize::Reading;
///
/// let reading = Reading::plain("New\u{a0}Yo\u{ad}rk!");
/// assert_eq!(reading.text(), "New York!");
/// assert_eq!(reading.written(4..8), 5..11);
/// ```
#[derive(Debug, Clone)]
pub struct Reading<'a> {
    text: Cow<'a, str>,
    steps: Vec<Step>,
}

/// A place from which on offsets differ from those before: characters were left out before it, or one changed its length.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// Offset into the text as read.
    read: usize,
    /// Where what is read before this place ends in the text as written.
    ended: usize,
    /// Where what is read from this place starts in the text as written.
    starts: usize,
}

impl<'a> Reading<'a> {
    /// Without format characters (Cf), every Unicode space (Zs) a plain one.
    pub fn plain(text: &'a str) -> Reading<'a> {
        match text.is_ascii() {
            true => Reading { text: Cow::Borrowed(text), steps: Vec::new() },
            false => Reading::read(text, |c| if c.is_ascii() { Some(c) } else { plain(c, get_general_category(c)) }),
        }
    }

    /// As [`Reading::plain`], for comparing without regard to case and typography: lower-cased one character for one
    /// (those whose lower case is several stay), typographic dashes and quotes as `-`, `'` and `"`.
    pub fn folded(text: &'a str) -> Reading<'a> {
        match text.is_ascii() {
            true if text.bytes().any(|b| b.is_ascii_uppercase()) => {
                Reading { text: Cow::Owned(text.to_ascii_lowercase()), steps: Vec::new() }
            }
            true => Reading { text: Cow::Borrowed(text), steps: Vec::new() },
            false => Reading::read(text, fold),
        }
    }

    fn read(text: &'a str, change: impl Fn(char) -> Option<char>) -> Reading<'a> {
        let Some((same, _)) = text.char_indices().find(|&(_, c)| change(c) != Some(c)) else {
            return Reading { text: Cow::Borrowed(text), steps: Vec::new() };
        };
        let (head, tail) = text.split_at_checked(same).unwrap_or((text, ""));
        let mut out = String::with_capacity(text.len());
        out.push_str(head);
        let mut steps = Vec::new();
        // Where the last character that was read ends, and whether offsets after it go on as before.
        let (mut ended, mut aligned) = (same, true);
        for (i, c) in tail.char_indices() {
            let starts = same + i;
            let Some(read) = change(c) else {
                aligned = false;
                continue;
            };
            if !aligned {
                steps.push(Step { read: out.len(), ended, starts });
            }
            out.push(read);
            ended = starts + c.len_utf8();
            aligned = read.len_utf8() == c.len_utf8();
        }
        if !aligned {
            steps.push(Step { read: out.len(), ended, starts: text.len() });
        }
        Reading { text: Cow::Owned(out), steps }
    }

    /// The text as it's read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of the text as written that a range of the text as read stands for, without format characters at its
    /// ends. The range must lie on character boundaries.
    pub fn written(&self, range: Range<usize>) -> Range<usize> {
        if self.steps.is_empty() {
            return range;
        }
        let start = self.start(range.start);
        let end = match self.steps.binary_search_by_key(&range.end, |step| step.read).ok().and_then(|i| self.steps.get(i)) {
            Some(step) if !range.is_empty() => step.ended,
            _ => self.start(range.end),
        };
        start..end
    }

    fn start(&self, read: usize) -> usize {
        let after = self.steps.partition_point(|step| step.read <= read);
        match after.checked_sub(1).and_then(|i| self.steps.get(i)) {
            Some(step) => step.starts + (read - step.read),
            None => read,
        }
    }
}

fn plain(c: char, category: GeneralCategory) -> Option<char> {
    match category {
        GeneralCategory::Format => None,
        GeneralCategory::SpaceSeparator => Some(' '),
        _ => Some(c),
    }
}

fn fold(c: char) -> Option<char> {
    if c.is_ascii() {
        return Some(c.to_ascii_lowercase());
    }
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE63}' | '\u{FF0D}' => return Some('-'),
        '\u{2018}'..='\u{201B}' | '\u{2032}' => return Some('\''),
        '\u{201C}'..='\u{201F}' | '\u{2033}' => return Some('"'),
        _ => {}
    }
    let c = plain(c, get_general_category(c))?;
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) => Some(one),
        _ => Some(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::characters::is_format;
    use proptest::prelude::*;

    #[test]
    fn what_reads_as_written_is_borrowed() {
        for text in ["", "plain text", "Анна, 李雷"] {
            let reading = Reading::plain(text);
            assert!(matches!(reading.text, Cow::Borrowed(_)) && reading.steps.is_empty());
            assert_eq!(reading.written(0..text.len()), 0..text.len());
        }
        assert!(matches!(Reading::folded("lower").text, Cow::Borrowed(_)));
    }

    #[test]
    fn format_characters_are_left_out_and_spaces_plain() {
        let reading = Reading::plain("\u{200b}a\u{200b}b\u{3000}c\u{ad}");
        assert_eq!(reading.text(), "ab c");
        assert_eq!(reading.written(0..1), 3..4);
        assert_eq!(reading.written(0..2), 3..8);
        assert_eq!(reading.written(2..3), 8..11);
        assert_eq!(reading.written(3..4), 11..12);
        assert_eq!(reading.written(0..4), 3..12);
    }

    #[test]
    fn folding_is_one_character_for_one() {
        for (text, folded) in [
            ("O\u{2019}Brien \u{2013} \u{201c}X\u{201d}", "o'brien - \"x\""),
            ("\u{212a}m İ Straẞe ΣΑΣ", "km İ straße σασ"),
            ("\u{2032}\u{2033}\u{2212}\u{fe63}\u{ff0d}\u{201e}\u{201a}", "'\"---\"'"),
        ] {
            assert_eq!(Reading::folded(text).text(), folded);
        }
        let reading = Reading::folded("\u{212a}\u{200b}\u{212a}");
        assert_eq!((reading.written(0..1), reading.written(1..2), reading.written(0..2)), (0..3, 6..9, 0..9));
    }

    proptest! {
        #[test]
        fn every_character_is_found_where_it_was_written(text in "[aÄ \u{a0}\u{3000}\u{200b}\u{ad}\u{212a}\u{2014}İ李]{0,12}") {
            for reading in [Reading::plain(&text), Reading::folded(&text)] {
                let kept: Vec<(usize, char)> = text.char_indices().filter(|&(_, c)| !is_format(c)).collect();
                let read: Vec<(usize, char)> = reading.text().char_indices().collect();
                prop_assert_eq!(kept.len(), read.len());
                for (i, &(at, c)) in read.iter().enumerate() {
                    let (from, written) = kept[i];
                    prop_assert_eq!(reading.written(at..at + c.len_utf8()), from..from + written.len_utf8());
                    for (j, &(to, d)) in read.iter().enumerate().skip(i) {
                        let (end, last) = kept[j];
                        prop_assert_eq!(reading.written(at..to + d.len_utf8()), from..end + last.len_utf8());
                    }
                }
            }
        }
    }
}
