//! A message cut into words, each with the phrases that begin at it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::words::{PHRASES, Says};

/// A word of a message.
pub(super) struct Token<'a> {
    pub(super) word: &'a str,
    /// Whether a comma, dash, bracket or the like stands before it (a sentence starts a clause too).
    pub(super) starts_clause: bool,
    pub(super) starts_sentence: bool,
    /// Whether it starts a clause inside a sentence, or a text or line, without a blank before it.
    pub(super) leads: bool,
    /// The meanings of the phrases that begin here, as a bit set over [`Says`].
    says: u16,
    /// How many words the longest yes that begins here takes.
    yes_words: usize,
    /// The same of the longest weak yes.
    weak_words: usize,
}

impl<'a> Token<'a> {
    fn new(word: &'a str, starts_clause: bool, starts_sentence: bool, leads: bool) -> Self {
        Token { word, starts_clause, starts_sentence, leads, says: 0, yes_words: 0, weak_words: 0 }
    }
}

impl Token<'_> {
    /// Whether a phrase of this meaning begins at the word.
    pub(super) fn says(&self, what: Says) -> bool {
        self.says & (1 << what as u16) != 0
    }

    /// How many words the longest yes that begins here takes.
    pub(super) fn yes_words(&self) -> usize {
        self.yes_words
    }

    /// How many words the longest weak yes that begins here takes.
    pub(super) fn weak_words(&self) -> usize {
        self.weak_words
    }
}

/// A sentence: its words, and whether it ends with a question mark.
pub(super) struct Span {
    pub(super) tokens: Range<usize>,
    pub(super) asks: bool,
}

/// A message: its words and its sentences.
pub(super) struct Message<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) spans: Vec<Span>,
    /// Whether a question mark stands anywhere.
    pub(super) asks: bool,
    /// Whether it holds marks that make it more than words (addresses, amounts): then it is no bare "ok".
    pub(super) has_marks: bool,
}

impl<'a> Message<'a> {
    /// Cuts a text (as [`super::plain::plain`] gives it) into sentences and words.
    pub(super) fn read(text: &'a str) -> Self {
        let mut message = Message { tokens: Vec::new(), spans: Vec::new(), asks: false, has_marks: false };
        let (mut first, mut starts_sentence, mut starts_clause) = (0, true, true);
        let (mut leads, mut marked) = (true, false);
        for piece in pieces(text) {
            match piece {
                Piece::Word(_) | Piece::Opaque => {
                    let word = if let Piece::Word(word) = piece { word } else { "" };
                    message.has_marks |= word.is_empty();
                    message.tokens.push(Token::new(word, starts_clause, starts_sentence, leads));
                    (starts_sentence, starts_clause, leads) = (false, false, false);
                }
                Piece::Blank => leads &= !starts_sentence || marked,
                Piece::Clause => (starts_clause, leads, marked) = (true, true, true),
                Piece::End { asks } => {
                    message.asks |= asks;
                    let end = message.tokens.len();
                    if end > first {
                        message.spans.push(Span { tokens: first..end, asks });
                    } else if let Some(last) = message.spans.last_mut() {
                        last.asks |= asks; // "really?!"
                    }
                    (first, starts_sentence, starts_clause, leads, marked) = (end, true, true, true, false);
                }
            }
        }
        if message.tokens.len() > first {
            message.spans.push(Span { tokens: first..message.tokens.len(), asks: false });
        }
        message.mark_phrases();
        message
    }

    fn mark_phrases(&mut self) {
        let words: Vec<(&str, bool)> = self.tokens.iter().map(|t| (t.word, t.starts_sentence)).collect();
        for (at, token) in self.tokens.iter_mut().enumerate() {
            for phrase in INDEX.get(token.word).into_iter().flatten() {
                let mut following = words.iter().skip(at + 1);
                let fits = phrase.rest.iter().all(|slot| {
                    following.next().is_some_and(|(word, starts_sentence)| !starts_sentence && slot.contains(word))
                });
                if fits {
                    token.says |= 1 << phrase.says as u16;
                    let words = 1 + phrase.rest.len();
                    match phrase.says {
                        Says::Weak => token.weak_words = token.weak_words.max(words),
                        Says::Yes | Says::YesAtStart => token.yes_words = token.yes_words.max(words),
                        _ => {}
                    }
                }
            }
        }
    }
}

/// A phrase without its first word: the alternatives of each further one.
struct Phrase {
    says: Says,
    rest: Vec<Vec<&'static str>>,
}

/// The phrases by first word; only ever looked up.
static INDEX: LazyLock<HashMap<&'static str, Vec<Phrase>>> = LazyLock::new(|| {
    let mut index: HashMap<&'static str, Vec<Phrase>> = HashMap::new();
    for (says, phrase) in PHRASES {
        let mut slots = phrase.split(' ').map(|slot| slot.split('|').collect::<Vec<_>>());
        let firsts = slots.next().unwrap_or_default();
        let rest: Vec<Vec<&str>> = slots.collect();
        for first in firsts {
            index.entry(first).or_default().push(Phrase { says: *says, rest: rest.clone() });
        }
    }
    index
});

enum Piece<'a> {
    Word(&'a str),
    /// An address or another thing that isn't words: nothing in it is an answer.
    Opaque,
    Blank,
    Clause,
    End {
        asks: bool,
    },
}

/// The text's pieces in order.
fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    text.split_inclusive(char::is_whitespace).flat_map(|chunk| {
        let words = chunk.trim_end_matches(char::is_whitespace);
        let after = match chunk.get(words.len()..) {
            Some("\n") => Some(Piece::End { asks: false }),
            Some("") | None => None,
            Some(_) => Some(Piece::Blank),
        };
        chunk_pieces(words).chain(after)
    })
}

/// The pieces of a chunk without whitespace.
fn chunk_pieces(chunk: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = chunk;
    let mut after_digit = false;
    std::iter::from_fn(move || {
        let c = rest.chars().next()?;
        if rest.len() == chunk.len() && is_address(chunk) {
            // The marks that end a sentence still do after an address.
            let end = rest.trim_end_matches(['.', '!', '?', ';', ',', ')', '"', '\'']).len();
            rest = rest.get(end..).unwrap_or_default();
            return Some(Piece::Opaque);
        }
        let word_len = word_len(rest);
        if word_len > 0 {
            let (word, tail) = rest.split_at_checked(word_len).unwrap_or((rest, ""));
            rest = tail;
            after_digit = word.ends_with(|c: char| c.is_ascii_digit());
            return Some(Piece::Word(word));
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        let number_goes_on = after_digit && rest.starts_with(|c: char| c.is_ascii_digit());
        Some(match c {
            '.' if number_goes_on => Piece::Clause,
            '?' => Piece::End { asks: true },
            '.' | '!' | ';' | '…' => Piece::End { asks: false },
            _ => Piece::Clause,
        })
    })
}

/// Whether a chunk is an address (mail or web), not words.
fn is_address(chunk: &str) -> bool {
    chunk.contains('@') || chunk.contains("://") || chunk.starts_with("www.")
}

/// The length in bytes of the word at the start: letters and digits, with apostrophes inside.
fn word_len(text: &str) -> usize {
    let mut end = 0;
    for (i, c) in text.char_indices() {
        if c.is_alphanumeric() || c == '_' {
            end = i + c.len_utf8();
        } else if c != '\'' || end == 0 || end != i {
            break;
        }
    }
    end
}
