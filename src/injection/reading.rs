//! A text made readable for the patterns, with the way back: every offset of what they read is one of the text as written.
//!
//! Two steps. [`Letters`] undoes tricks with letters over the whole text, and only where there is one to undo. [`Spaced`] makes
//! one line of one sentence: line breaks, runs of blanks and JSON escapes become single spaces.

use std::borrow::Cow;

use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use super::lookalikes::latin_for;

/// At most so many combining marks are read with their letter; hostile texts pile up more.
const MAX_MARKS: usize = 8;
/// At most so many bytes are read as one word when it is asked which script a word is in.
const MAX_WORD: usize = 100;

/// The text in NFKC, without format characters, with `\uXXXX` escapes read and look-alike letters in Latin words mapped.
/// Letters beyond ASCII are lower case; ASCII keeps its case, since capitals say something there.
pub(super) struct Letters<'a> {
    pub(super) text: Cow<'a, str>,
    /// Where the distance to the text as written changes: (offset here, offset there), ascending. Empty: the same text.
    steps: Vec<(usize, usize)>,
}

impl<'a> Letters<'a> {
    pub(super) fn read(written: &'a str) -> Self {
        if written.is_ascii() && !written.contains("\\u") {
            return Self { text: Cow::Borrowed(written), steps: Vec::new() };
        }
        let mut reader = LetterReader { out: String::with_capacity(written.len()), ..LetterReader::default() };
        let mut rest = written;
        while !rest.is_empty() {
            let at = written.len() - rest.len();
            let plain = plain_run(rest);
            let taken = if plain.is_empty() {
                let Some(cluster) = Cluster::first(rest) else { break };
                reader.push(&cluster, at);
                cluster.len
            } else {
                reader.push_plain(plain, at);
                plain.len()
            };
            rest = rest.get(taken..).unwrap_or_default();
        }
        reader.end_word();
        reader.step_to(written.len());
        Self { text: Cow::Owned(reader.out), steps: reader.steps }
    }

    /// The offset in the text as written of an offset here.
    pub(super) fn written(&self, offset: usize) -> usize {
        there(&self.steps, offset)
    }
}

/// The place in the text as written of an offset, by the steps between them.
fn there(steps: &[(usize, usize)], offset: usize) -> usize {
    match steps.partition_point(|(here, _)| *here <= offset).checked_sub(1).and_then(|i| steps.get(i)) {
        Some((here, there)) => there + (offset - here),
        None => offset,
    }
}

/// The ASCII at the start that nothing has to be done about: without the character that a combining mark may follow.
fn plain_run(text: &str) -> &str {
    let run = text.bytes().position(|b| !b.is_ascii() || b == b'\\').unwrap_or(text.len());
    let end = if run < text.len() && text.as_bytes().get(run) != Some(&b'\\') { run.saturating_sub(1) } else { run };
    text.get(..end).unwrap_or_default()
}

/// A character with its combining marks, or an escape for one.
struct Cluster {
    chars: [char; 1 + MAX_MARKS],
    count: usize,
    /// Its bytes in the text as written.
    len: usize,
}

impl Cluster {
    fn first(text: &str) -> Option<Self> {
        let (first, len) = escaped(text).or_else(|| text.chars().next().map(|c| (c, c.len_utf8())))?;
        let mut cluster = Self { chars: [first; 1 + MAX_MARKS], count: 1, len };
        for c in
            text.get(len..).unwrap_or_default().chars().take_while(|c| !c.is_ascii() && canonical_combining_class(*c) != 0)
        {
            if let Some(place) = cluster.chars.get_mut(cluster.count) {
                *place = c;
                cluster.count += 1;
            }
            cluster.len += c.len_utf8();
        }
        Some(cluster)
    }

    fn chars(&self) -> impl Iterator<Item = char> {
        self.chars.iter().copied().take(self.count)
    }
}

/// A `\uXXXX` escape (with any number of backslashes, as nested JSON has them) at the start, and its length.
fn escaped(text: &str) -> Option<(char, usize)> {
    let backslashes = text.bytes().take_while(|b| *b == b'\\').take(8).count();
    let (unit, len) = code_unit(text, backslashes)?;
    if !(0xd800..0xdc00).contains(&unit) {
        return Some((char::from_u32(unit)?, len));
    }
    let tail = text.get(len..)?;
    let (low, more) = code_unit(tail, tail.bytes().take_while(|b| *b == b'\\').take(8).count())?;
    let low = low.checked_sub(0xdc00).filter(|l| *l < 0x400)?;
    Some((char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + low)?, len + more))
}

fn code_unit(text: &str, backslashes: usize) -> Option<(u32, usize)> {
    let digits =
        text.get(backslashes..)?.strip_prefix('u')?.get(..4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
    (backslashes > 0).then_some((u32::from_str_radix(digits, 16).ok()?, backslashes + 5))
}

#[derive(Default)]
struct LetterReader {
    out: String,
    steps: Vec<(usize, usize)>,
    /// Where the word at hand begins in `out`.
    word: usize,
    /// Whether that word holds an ASCII letter, and a letter that looks like one.
    latin: bool,
    lookalike: bool,
}

impl LetterReader {
    /// Takes ASCII as it is.
    fn push_plain(&mut self, run: &str, at: usize) {
        self.step_to(at);
        let letters = |part: &str| part.bytes().any(|b| b.is_ascii_alphabetic());
        if let Some(end) = run.bytes().position(|b| !b.is_ascii_alphanumeric()) {
            self.latin |= letters(run.get(..end).unwrap_or_default());
            self.out.push_str(run.get(..end).unwrap_or_default());
            self.end_word();
            self.step_to(at + end);
            self.out.push_str(run.get(end..).unwrap_or_default());
            let tail = run.bytes().rev().take_while(u8::is_ascii_alphanumeric).count();
            self.word = self.out.len() - tail;
            self.latin = letters(run.get(run.len() - tail..).unwrap_or_default());
        } else {
            self.latin |= letters(run);
            self.out.push_str(run);
        }
    }

    fn push(&mut self, cluster: &Cluster, at: usize) {
        match (cluster.count, cluster.chars) {
            (1, [c, ..]) if is_nfkc_quick(std::iter::once(c)) == IsNormalized::Yes => self.push_char(c, at),
            _ => cluster.chars().filter(|c| !is_format(*c)).nfkc().for_each(|c| self.push_char(c, at)),
        }
    }

    fn push_char(&mut self, c: char, at: usize) {
        if is_format(c) {
            return;
        }
        for c in if c.is_ascii() { Lower::Same(Some(c)) } else { Lower::Mapped(c.to_lowercase()) } {
            if !c.is_alphanumeric() {
                self.end_word();
            }
            self.latin |= c.is_ascii_alphabetic();
            self.lookalike |= latin_for(c).is_some();
            self.step_to(at);
            self.out.push(c);
            // A word without end would be read again as a whole; a cut one only keeps some mixed letters.
            if !c.is_alphanumeric() || self.out.len() - self.word > MAX_WORD {
                self.end_word();
            }
        }
    }

    /// Ends the word at hand: look-alike letters are mapped if it is otherwise Latin, so that Russian words stay as they are.
    fn end_word(&mut self) {
        if self.latin && self.lookalike {
            let steps = self.steps.split_off(self.steps.partition_point(|(here, _)| *here < self.word));
            let before = self.steps.last().copied();
            let known: Vec<(usize, usize)> = before.into_iter().chain(steps).collect();
            let word = self.out.split_off(self.word);
            for (i, c) in word.char_indices() {
                self.step_to(there(&known, self.word + i));
                self.out.push(latin_for(c).unwrap_or(c));
            }
        }
        (self.word, self.latin, self.lookalike) = (self.out.len(), false, false);
    }

    /// Notes that what comes next stands at this place of the text as written.
    fn step_to(&mut self, at: usize) {
        let here = self.out.len();
        if self.steps.last().map_or(here, |(h, t)| t + (here - h)) != at {
            self.steps.push((here, at));
        }
    }
}

/// The lower case of a character: itself for ASCII.
enum Lower {
    Same(Option<char>),
    Mapped(std::char::ToLowercase),
}

impl Iterator for Lower {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        match self {
            Self::Same(c) => c.take(),
            Self::Mapped(chars) => chars.next(),
        }
    }
}

fn is_format(c: char) -> bool {
    !c.is_ascii() && get_general_category(c) == GeneralCategory::Format
}

/// A sentence on one line: single spaces, plain quotes, no emphasis marks, JSON escapes read.
#[derive(Default)]
pub(super) struct Spaced {
    pub(super) text: String,
    /// For each byte of `text`, its offset in what was read; one more for the end.
    places: Vec<usize>,
}

impl Spaced {
    /// Reads a part of a text that begins there at `base`.
    pub(super) fn read(part: &str, base: usize) -> Self {
        let mut spaced = Self { text: String::with_capacity(part.len()), places: Vec::with_capacity(part.len() + 1) };
        let mut chars = part.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let c = match c {
                '\\' => {
                    while chars.next_if(|(_, c)| *c == '\\').is_some() {}
                    match chars.next_if(|(_, c)| matches!(c, 'n' | 'r' | 't' | '"' | '\'' | '/' | '\n')) {
                        Some((_, quote @ ('"' | '\'' | '/'))) => quote,
                        Some(_) => ' ',
                        None => '\\',
                    }
                }
                '*' => continue,
                '\u{2018}'..='\u{201b}' => '\'',
                '\u{201c}'..='\u{201f}' => '"',
                c if c.is_whitespace() => ' ',
                c => c,
            };
            if c == ' ' && (spaced.text.is_empty() || spaced.text.ends_with(' ')) {
                continue;
            }
            spaced.text.push(c);
            spaced.places.resize(spaced.text.len(), base + at);
        }
        spaced.places.push(base + part.len());
        spaced
    }

    /// The offset in what was read of an offset here.
    pub(super) fn place(&self, offset: usize) -> usize {
        self.places.get(offset).or(self.places.last()).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn letters(text: &str) -> String {
        Letters::read(text).text.into_owned()
    }

    #[test]
    fn tricks_with_letters_are_undone() {
        assert_eq!(letters("Ig\u{200b}nore"), "Ignore");
        assert_eq!(letters("ｉｇｎｏｒｅ"), "ignore");
        assert_eq!(letters(r"\u0069gnore"), "ignore");
        assert_eq!(letters(r"\\u0069gnore"), "ignore");
        assert_eq!(letters("іgnоrе"), "ignore"); // three Cyrillic letters
        assert_eq!(letters("Игнорируй всё"), "игнорируй всё");
        assert_eq!(letters(r"\u041f\u0440"), "пр");
        assert_eq!(letters(r"a\ud83d\ude00b"), "a😀b");
        assert_eq!(letters(r"\ud83d"), r"\ud83d");
    }

    #[test]
    fn offsets_lead_back_to_the_text_as_written() {
        for (written, part) in
            [("é ig\u{200b}nore x", "nore"), ("іgnоrе all", "all"), (r"\u041f\u0440 all", "all"), ("ﬁ ignоre x", "x")]
        {
            let read = Letters::read(written);
            let here = read.text.find(part).unwrap();
            assert_eq!(read.written(here), written.find(part).unwrap(), "{written}");
        }
    }

    #[test]
    fn a_sentence_is_read_on_one_line() {
        let spaced = Spaced::read("a  b\\nc\n\t d \\\"e\\\" **f**", 10);
        assert_eq!(spaced.text, "a b c d \"e\" f");
        assert_eq!(spaced.place(2), 13);
        assert_eq!(spaced.place(spaced.text.len()), 10 + 23);
    }

    proptest! {
        #[test]
        fn offsets_stay_inside_the_text_and_ascend(written in "[aіоbx ﬁé\u{200b}\u{301}\\\\u041f🄰İ]{0,30}") {
            let read = Letters::read(&written);
            let ends: Vec<usize> = (0..=read.text.len()).filter(|i| read.text.is_char_boundary(*i)).map(|i| read.written(i)).collect();
            prop_assert!(ends.is_sorted(), "{ends:?}");
            prop_assert!(ends.iter().all(|e| *e <= written.len()));
        }
    }
}
