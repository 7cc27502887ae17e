//! Whether a message of the user accepts what the assistant proposed.
//!
//! A message accepts when it says yes explicitly and nothing in it takes the yes back; a mixture of yes and no is no yes.
//! The words are data ([`words`]); here is only how they combine: message, sentences, clauses, words, in one pass each.

pub(crate) mod plain;
mod tokens;
mod words;

use tokens::{Message, Token};
use words::{BEFORE_DO_IT, HARMLESS_NO, Says};

/// How many words before a yes may turn it around.
const NEGATION_REACH: usize = 3;

/// Whether the text is an explicit acceptance, in English or Russian.
///
/// Strict where unsure: a false "yes" would let a call go ahead that nobody confirmed.
#[must_use]
pub fn accepts(text: &str) -> bool {
    let plain = plain::plain(text);
    let message = Message::read(&plain);
    if message.opens_with_no() || message.is_withdrawn() {
        return false;
    }
    if message.is_weak_yes() {
        return true;
    }
    message.sentences().find_map(Sentence::answer).unwrap_or(false)
}

/// One sentence of a message.
struct Sentence<'m, 'a> {
    tokens: &'m [Token<'a>],
    asks: bool,
}

impl Sentence<'_, '_> {
    /// Some when the sentence holds a yes that isn't negated: whether it stands without reservation.
    fn answer(self) -> Option<bool> {
        if self.asks && (self.tokens.len() == 1 || self.tokens.first().is_some_and(|t| t.says(Says::Asks))) {
            return None;
        }
        self.says_yes().then(|| !self.tokens.iter().any(|t| t.says(Says::Reserve)))
    }

    /// Whether a yes is said that isn't negated. A phrase is judged as a whole, where it begins.
    fn says_yes(&self) -> bool {
        let mut at = 0;
        while let Some(token) = self.tokens.get(at) {
            let before = at.checked_sub(1).and_then(|i| self.tokens.get(i));
            let bidden = before.is_some_and(|b| BEFORE_DO_IT.contains(&b.word));
            if token.says(Says::Yes) || (token.says(Says::YesAtStart) && (bidden || token.leads)) {
                // "please do that" begins at "please".
                let begins = if bidden && !token.says(Says::Yes) { at - 1 } else { at };
                if !self.is_negated(begins) {
                    return true;
                }
                at += token.yes_words().max(1);
            } else {
                at += 1;
            }
        }
        false
    }

    fn is_negated(&self, at: usize) -> bool {
        self.tokens.iter().take(at).rev().take(NEGATION_REACH).any(|t| t.says(Says::Not))
    }
}

impl<'a> Message<'a> {
    fn sentences(&self) -> impl Iterator<Item = Sentence<'_, 'a>> {
        self.spans.iter().filter_map(|s| Some(Sentence { tokens: self.tokens.get(s.tokens.clone())?, asks: s.asks }))
    }

    /// Whether the first thing said, fillers aside, refuses.
    fn opens_with_no(&self) -> bool {
        let first = self.tokens.iter().position(|t| !t.says(Says::Filler));
        first.is_some_and(|i| {
            self.tokens.get(i).is_some_and(|t| {
                t.says(Says::Stop) || t.says(Says::WithdrawAtStart) || (t.says(Says::No) && !self.harmless(i))
            })
        })
    }

    /// Whether anything, anywhere, takes a yes back.
    fn is_withdrawn(&self) -> bool {
        self.tokens.iter().enumerate().any(|(i, token)| {
            let before = i.checked_sub(1).and_then(|j| self.tokens.get(j));
            let after = self.tokens.get(i + 1);
            // "Hmm, no" and "yes no" open with a no as much as "no" does.
            let opens = token.starts_clause || before.is_none_or(|b| b.says(Says::Filler));
            let after_yes = before.is_some_and(|b| b.says(Says::Yes));
            token.says(Says::Withdraw)
                || (token.says(Says::WithdrawAtStart) && (opens || after_yes))
                || (token.says(Says::No) && (opens || after_yes) && !self.harmless(i))
                || (token.says(Says::Stop) && (token.starts_sentence || (opens && after.is_none_or(|a| a.starts_clause))))
        })
    }

    /// Whether the word at `at` is a `no` that refuses nothing ("no problem").
    fn harmless(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| t.word == "no")
            && self.tokens.get(at + 1).is_some_and(|next| !next.starts_clause && HARMLESS_NO.contains(&next.word))
    }

    /// Whether the whole message is a weak yes, a leading filler and trailing courtesies aside.
    fn is_weak_yes(&self) -> bool {
        if self.asks || self.has_marks {
            return false;
        }
        let mut rest = self.tokens.iter().skip_while(|t| t.says(Says::Filler));
        let mut said = false;
        while let Some(token) = rest.next() {
            if token.says(Says::Weak) {
                said = true;
                for _ in 1..token.weak_words() {
                    rest.next();
                }
            } else if !(said && token.says(Says::Courtesy)) {
                return false;
            }
        }
        said
    }
}

#[cfg(test)]
mod tests;
