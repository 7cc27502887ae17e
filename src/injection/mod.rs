//! The instruction detector: passages of a text that address its reader instead of stating something.
//!
//! A heuristic, and the second line only: provenance is the first. The patterns are data ([`patterns`]); a text is searched in
//! one pass for the words that patterns need, and only sentences that hold one are read closely. Time is linear in the text.

mod lookalikes;
mod own;
mod patterns;
mod reading;
mod sentences;

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, MatchKind};
use regex::{Regex, RegexBuilder};

use own::{Own, Trusted};
use patterns::Pattern;
use reading::{Letters, Spaced};

/// What a passage does to its reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Pretends to be another speaker of the conversation.
    RoleTag,
    /// Cancels or replaces what the reader was told.
    Override,
    /// Orders the reader to act.
    Action,
    /// Orders something about the reader's answer.
    Answer,
}

impl Kind {
    /// The name in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RoleTag => "role tag",
            Self::Override => "override",
            Self::Action => "action",
            Self::Answer => "answer",
        }
    }
}

/// A passage that addresses the reader: from where the pattern matches to the end of that sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Its bytes in the text as written.
    pub range: Range<usize>,
    /// What it does.
    pub kind: Kind,
    /// The name of the pattern that found it.
    pub pattern: String,
}

/// What there is to say about a built-in pattern: for explanations, and for whoever wants to switch it off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PatternInfo {
    /// Its stable name.
    pub name: &'static str,
    /// What its passages do.
    pub kind: Kind,
    /// A text it finds.
    pub example: &'static str,
    /// A text near to that which it doesn't.
    pub near_miss: &'static str,
}

/// Every built-in pattern, in the order of the tables.
pub fn built_in() -> impl Iterator<Item = PatternInfo> {
    patterns::standard().map(|p| PatternInfo { name: p.name, kind: p.kind, example: p.example, near_miss: p.near_miss })
}

/// A detector that can't be built from its options.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DetectorError {
    /// A pattern to switch off doesn't exist.
    #[error("no detector pattern is named `{name}`{hint}")]
    Unknown {
        /// The name as written.
        name: String,
        /// The nearest known name, as an end of the sentence; empty without one.
        hint: String,
    },
    /// A pattern of the user's own can't be used.
    #[error("detector pattern `{name}` is no usable regular expression: {why}")]
    Pattern {
        /// Its name.
        name: String,
        /// What the engine says, on one line.
        why: String,
    },
    /// The detector can't be built for its size.
    #[error("the detector's patterns are too large together: {why}")]
    Size {
        /// What the engine says.
        why: String,
    },
}

/// Finds instructions in texts. Made once, used by all threads.
#[derive(Debug)]
pub struct Detector {
    /// None only in a detector that finds nothing.
    anchors: Option<AhoCorasick>,
    /// For each anchor, the patterns that need it, as a bit set.
    needed_by: Vec<u64>,
    rules: Vec<Rule>,
    own: Own,
    trusted: Trusted,
}

#[derive(Debug)]
struct Rule {
    pattern: &'static Pattern,
    /// Compiled when a text first holds an anchor of the pattern: few of them ever do, and a run shouldn't wait for all.
    regex: OnceLock<Option<Regex>>,
}

impl Rule {
    fn find<'t>(&self, sentence: &'t str) -> Option<regex::Match<'t>> {
        // The tests compile every pattern; should one fail here all the same, the others still work.
        let compiled = self.regex.get_or_init(|| compile(self.pattern.name, &patterns::expand(self.pattern.regex)).ok());
        compiled.as_ref()?.find(sentence)
    }
}

const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<Detector>();
};

/// The memory one compiled pattern may take, in bytes.
const SIZE_LIMIT: usize = 8 << 20;

impl Detector {
    /// The detector with every built-in pattern and nothing else.
    #[must_use]
    pub fn standard() -> &'static Self {
        static STANDARD: LazyLock<Detector> =
            LazyLock::new(|| Detector::with_options(&[], &[], &[]).unwrap_or_else(|_| Detector::none()));
        &STANDARD
    }

    /// A detector without the patterns named in `off`, with the user's `own` (name, regular expression), and with `trusted`
    /// passages that are no instructions wherever they stand word for word.
    ///
    /// # Errors
    ///
    /// Names the option that can't be used: an unknown pattern, or an expression that is none.
    pub fn with_options(off: &[String], own: &[(String, String)], trusted: &[String]) -> Result<Self, DetectorError> {
        for name in off {
            if !patterns::standard().any(|p| p.name == name) {
                return Err(DetectorError::Unknown { name: name.clone(), hint: nearest(name) });
            }
        }
        let used: Vec<&'static Pattern> = patterns::standard().filter(|p| !off.iter().any(|name| name == p.name)).collect();
        let mut rules = Vec::with_capacity(used.len());
        let (mut words, mut needed_by): (Vec<&str>, Vec<u64>) = (Vec::new(), Vec::new());
        for (i, pattern) in used.iter().enumerate() {
            rules.push(Rule { pattern, regex: OnceLock::new() });
            for anchor in pattern.anchors {
                let at = words.iter().position(|w| w == anchor).unwrap_or_else(|| {
                    words.push(anchor);
                    needed_by.push(0);
                    words.len() - 1
                });
                if let Some(bits) = needed_by.get_mut(at) {
                    *bits |= 1 << i;
                }
            }
        }
        Ok(Self { anchors: Some(automaton(&words)?), needed_by, rules, own: Own::new(own)?, trusted: Trusted::new(trusted) })
    }

    /// A detector that finds nothing.
    fn none() -> Self {
        Self { anchors: None, needed_by: Vec::new(), rules: Vec::new(), own: Own::default(), trusted: Trusted::default() }
    }

    /// Every passage of the text that addresses its reader, by position; of each sentence the first of each kind.
    #[must_use]
    pub fn passages(&self, text: &str) -> Vec<Passage> {
        let letters = Letters::read(text);
        let mut found = Vec::new();
        self.each_sentence(&letters.text, |range, needed| {
            let sentence = Spaced::read(letters.text.get(range.clone()).unwrap_or_default(), range.start);
            let mut kinds: Vec<Passage> = Vec::new();
            for (i, rule) in self.rules.iter().enumerate() {
                if needed & (1 << i) == 0 {
                    continue;
                }
                let Some(at) = rule.find(&sentence.text) else { continue };
                let Pattern { name, kind, .. } = *rule.pattern;
                if self.trusted.covers(&sentence.text, at.range()) {
                    continue;
                }
                let start = sentence.place(at.start() + leading_marks(at.as_str()));
                let end = range.start + letters.text.get(range.clone()).unwrap_or_default().trim_end().len();
                let range = letters.written(start)..letters.written(end);
                match kinds.iter_mut().find(|p| p.kind == kind) {
                    Some(same) if same.range.start <= range.start => {}
                    Some(same) => *same = Passage { range, kind, pattern: name.to_owned() },
                    None => kinds.push(Passage { range, kind, pattern: name.to_owned() }),
                }
            }
            found.append(&mut kinds);
            true
        });
        self.own.passages(&letters, &mut found);
        found.sort_by_key(|p| (p.range.start, p.range.end, p.kind));
        found.dedup();
        found
    }

    /// Whether the text holds a passage that addresses its reader.
    #[must_use]
    pub fn is_tainted(&self, text: &str) -> bool {
        let letters = Letters::read(text);
        let mut tainted = false;
        self.each_sentence(&letters.text, |range, needed| {
            let sentence = Spaced::read(letters.text.get(range.clone()).unwrap_or_default(), range.start);
            tainted = self.rules.iter().enumerate().any(|(i, rule)| {
                needed & (1 << i) != 0
                    && rule.find(&sentence.text).is_some_and(|at| !self.trusted.covers(&sentence.text, at.range()))
            });
            !tainted
        });
        tainted || self.own.is_match(&letters)
    }

    /// The overrides and role tags of a user's own message: there, orders to act are the user's right.
    #[must_use]
    pub fn override_or_role_tag(&self, text: &str) -> Vec<Range<usize>> {
        let strong = |p: &Passage| matches!(p.kind, Kind::Override | Kind::RoleTag);
        self.passages(text).into_iter().filter(strong).map(|p| p.range).collect()
    }

    /// Visits every sentence that holds an anchor, with the patterns to try on it, until the visitor says enough.
    fn each_sentence(&self, text: &str, mut visit: impl FnMut(Range<usize>, u64) -> bool) {
        // The sentence at hand, how far its anchors may reach, and the patterns they ask for.
        let mut current: Option<(Range<usize>, usize, u64)> = None;
        let mut floor = 0;
        for hit in self.anchors.iter().flat_map(|anchors| anchors.find_overlapping_iter(text)) {
            if !at_word(text.as_bytes(), hit.start(), hit.end()) {
                continue;
            }
            let bits = self.needed_by.get(hit.pattern().as_usize()).copied().unwrap_or_default();
            match &mut current {
                Some((_, limit, needed)) if hit.end() <= *limit => *needed |= bits,
                _ => {
                    if let Some((range, _, needed)) = current.take()
                        && !visit(range, needed)
                    {
                        return;
                    }
                    let (range, cut) = sentences::around(text, hit.start(), floor.min(hit.start()));
                    // What stands near a cut is read again with the next part, together with what is before it.
                    let limit = if cut { range.end.saturating_sub(sentences::OVERLAP) } else { range.end };
                    floor = if cut { limit.saturating_sub(sentences::OVERLAP) } else { limit };
                    current = Some((range, limit.max(hit.end()), bits));
                }
            }
        }
        if let Some((range, _, needed)) = current {
            visit(range, needed);
        }
    }
}

/// Whether an anchor stands where a word begins; a very short one must be the whole word ("me" in "name" is none).
fn at_word(bytes: &[u8], start: usize, end: usize) -> bool {
    let letter = |at: Option<usize>| at.and_then(|i| bytes.get(i)).is_some_and(u8::is_ascii_alphanumeric);
    // In "\\nIgnore" the letter before belongs to an escape.
    let escape = start.checked_sub(2).and_then(|i| bytes.get(i)) == Some(&b'\\');
    // A mark ("<|") begins anywhere.
    if !letter(Some(start)) {
        return true;
    }
    let begins = escape || !letter(start.checked_sub(1));
    begins && (end - start > 3 || !letter(Some(end)))
}

/// The blanks and marks that a pattern may match before its first word.
fn leading_marks(matched: &str) -> usize {
    matched.len() - matched.trim_start_matches([' ', ':', '.', '!', '?', ';', '>', '"', '\'', ',', ')', ']', '|', '-']).len()
}

fn automaton(words: &[&str]) -> Result<AhoCorasick, DetectorError> {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .kind(Some(aho_corasick::AhoCorasickKind::DFA))
        .build(words)
        .map_err(|error| DetectorError::Size { why: error.to_string() })
}

fn compile(name: &str, regex: &str) -> Result<Regex, DetectorError> {
    RegexBuilder::new(regex).case_insensitive(true).size_limit(SIZE_LIMIT).dfa_size_limit(SIZE_LIMIT).build().map_err(
        |error| {
            let text = error.to_string();
            let line = text.lines().rfind(|l| !l.trim().is_empty()).unwrap_or_default().trim();
            DetectorError::Pattern { name: name.to_owned(), why: line.strip_prefix("error: ").unwrap_or(line).to_owned() }
        },
    )
}

fn nearest(name: &str) -> String {
    let best = crate::text::nearest(name, patterns::standard().map(|pattern| pattern.name));
    best.map_or_else(String::new, |known| format!("; did you mean `{known}`?"))
}

#[cfg(test)]
mod tests;
