//! Patterns of the user's own, where the built-in intents don't say what they mean by asking.

use regex::{RegexSet, RegexSetBuilder};

use crate::words::acceptance::plain::folded;

/// The memory a compiled set of patterns may take, in bytes; a pattern beyond it is refused.
const SIZE_LIMIT: usize = 4 << 20;
/// How deeply a pattern's groups may nest.
const NEST_LIMIT: u32 = 50;

/// A compiled set of the user's own regular expressions. Matching takes time linear in the text.
#[derive(Debug, Clone)]
pub struct Phrases {
    set: RegexSet,
}

/// A pattern that can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PhrasesError {
    /// One pattern is no regular expression, or too large.
    #[error("phrase {number} `{pattern}` is no usable regular expression: {why}")]
    Pattern {
        /// Its place in the list, counted from 1.
        number: usize,
        /// The pattern as written.
        pattern: String,
        /// What the engine says about it, on one line.
        why: String,
    },
    /// Each pattern is fine, but together they are too large.
    #[error("the phrases are too large together ({why}); use fewer or shorter ones")]
    Together {
        /// What the engine says about it, on one line.
        why: String,
    },
}

impl Phrases {
    /// Compiles the patterns. They are read without regard to case and match anywhere in a text.
    ///
    /// # Errors
    ///
    /// Names the first pattern that is no regular expression or too large.
    pub fn new(patterns: &[String]) -> Result<Self, PhrasesError> {
        for (i, pattern) in patterns.iter().enumerate() {
            if let Err(error) = build(&[pattern]) {
                return Err(PhrasesError::Pattern { number: i + 1, pattern: pattern.clone(), why: one_line(&error) });
            }
        }
        let set = build(patterns).map_err(|error| PhrasesError::Together { why: one_line(&error) })?;
        Ok(Self { set })
    }

    /// Whether one of the patterns matches the text, read in NFKC, case-folded and without format characters.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        self.set.is_match(&folded(text))
    }
}

fn build<S: AsRef<str>>(patterns: &[S]) -> Result<RegexSet, regex::Error> {
    RegexSetBuilder::new(patterns).case_insensitive(true).size_limit(SIZE_LIMIT).nest_limit(NEST_LIMIT).build()
}

/// The last line of an error of the engine is the one that says what is wrong.
fn one_line(error: &regex::Error) -> String {
    let text = error.to_string();
    let line = text.lines().rfind(|l| !l.trim().is_empty()).unwrap_or_default().trim();
    line.strip_prefix("error: ").unwrap_or(line).trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrases(patterns: &[&str]) -> Result<Phrases, PhrasesError> {
        Phrases::new(&patterns.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_phrase_matches_anywhere_whatever_the_case() {
        let set = phrases(&[r"\blaunch\b", "Взлёт"]).unwrap();
        assert!(set.matches("please LAUNCH it"));
        assert!(set.matches("la\u{200b}unch"));
        assert!(set.matches("на взлёт"));
        assert!(!set.matches("launched"));
    }

    #[test]
    fn no_phrases_match_nothing() {
        assert!(!phrases(&[]).unwrap().matches("anything"));
    }

    #[test]
    fn the_bad_phrase_is_named() {
        let error = phrases(&["fine", "(open"]).unwrap_err();
        assert_eq!(error.to_string(), "phrase 2 `(open` is no usable regular expression: unclosed group");
    }

    #[test]
    fn a_phrase_that_would_take_too_much_memory_is_refused() {
        assert!(matches!(phrases(&[r"(?:\w{1000}){1000}"]), Err(PhrasesError::Pattern { number: 1, .. })));
    }
}
