//! What the user adds to the detector: patterns of their own, and passages they trust.

use std::ops::Range;

use regex::Regex;

use super::reading::{Letters, Spaced};
use super::{DetectorError, Kind, Passage, compile, sentences};

/// The user's own patterns. They count as overrides, in a user's message too; they run over the whole text on one line, since nothing is known about their words.
#[derive(Debug, Default)]
pub(super) struct Own {
    patterns: Vec<(String, Regex)>,
}

impl Own {
    pub(super) fn new(patterns: &[(String, String)]) -> Result<Self, DetectorError> {
        let compiled = patterns.iter().map(|(name, regex)| Ok((name.clone(), compile(name, regex)?)));
        Ok(Self { patterns: compiled.collect::<Result<_, DetectorError>>()? })
    }

    pub(super) fn is_match(&self, letters: &Letters<'_>) -> bool {
        if self.patterns.is_empty() {
            return false;
        }
        let line = Spaced::read(&letters.text, 0);
        self.patterns.iter().any(|(_, regex)| regex.is_match(&line.text))
    }

    pub(super) fn passages(&self, letters: &Letters<'_>, found: &mut Vec<Passage>) {
        if self.patterns.is_empty() {
            return;
        }
        let line = Spaced::read(&letters.text, 0);
        for (name, regex) in &self.patterns {
            for at in regex.find_iter(&line.text) {
                let range = letters.written(line.place(at.start()))..letters.written(line.place(at.end()));
                found.push(Passage { range, kind: Kind::Override, pattern: name.clone() });
            }
        }
    }
}

/// Passages that are no instructions wherever they stand word for word, sentence by sentence.
#[derive(Debug, Default)]
pub(super) struct Trusted {
    sentences: Vec<String>,
}

impl Trusted {
    pub(super) fn new(passages: &[String]) -> Self {
        let sentences = passages.iter().flat_map(|passage| {
            let letters = Letters::read(passage);
            let lines: Vec<String> = sentences::all(&letters.text)
                .map(|range| Spaced::read(letters.text.get(range).unwrap_or_default(), 0).text.trim().to_owned())
                .filter(|sentence| !sentence.is_empty())
                .collect();
            lines
        });
        Self { sentences: sentences.collect() }
    }

    /// Whether what a pattern matched lies wholly in a trusted sentence. Words that an attacker puts around one stay visible.
    pub(super) fn covers(&self, sentence: &str, matched: Range<usize>) -> bool {
        self.sentences.iter().any(|trusted| {
            sentence.match_indices(trusted.as_str()).any(|(at, _)| at <= matched.start && matched.end <= at + trusted.len())
        })
    }
}
