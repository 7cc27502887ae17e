//! Whether the user asked for an action of a kind.
//!
//! An intent is asked for when one of its words or phrases stands in the user's own words. Texts are read case-folded, in NFKC,
//! without format characters; the words are data, in English and Russian.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use super::acceptance::plain::plain;

mod phrases;
mod words;

pub use phrases::{Phrases, PhrasesError};
use words::{NOT_STEMS, PHRASES};

/// A kind of action that a user can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Intent {
    /// Book a room, a table, a seat.
    Reserve,
    /// Put something on a calendar, be reminded.
    Event,
    /// Open a web page.
    Visit,
    /// Move money, in either direction.
    Pay,
    /// Tell somebody something.
    Send,
    /// Remove or cancel something.
    Delete,
    /// Bring somebody into a group.
    Invite,
    /// Make something public.
    Post,
    /// Give somebody access.
    Share,
}

impl Intent {
    /// Every intent, in the order the documents list them.
    pub const ALL: [Self; 9] = [
        Self::Reserve,
        Self::Event,
        Self::Visit,
        Self::Pay,
        Self::Send,
        Self::Delete,
        Self::Invite,
        Self::Post,
        Self::Share,
    ];

    /// The name in a catalog.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reserve => "reserve",
            Self::Event => "event",
            Self::Visit => "visit",
            Self::Pay => "pay",
            Self::Send => "send",
            Self::Delete => "delete",
            Self::Invite => "invite",
            Self::Post => "post",
            Self::Share => "share",
        }
    }
}

impl fmt::Display for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that is no intent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown intent `{name}`; known are reserve, event, visit, pay, send, delete, invite, post and share")]
pub struct UnknownIntent {
    name: String,
}

impl FromStr for Intent {
    type Err = UnknownIntent;

    fn from_str(name: &str) -> Result<Self, UnknownIntent> {
        Self::ALL.into_iter().find(|i| i.as_str() == name).ok_or_else(|| UnknownIntent { name: name.to_owned() })
    }
}

/// A set of intents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IntentSet(u16);

impl IntentSet {
    /// Whether the intent is in the set.
    #[must_use]
    pub fn contains(self, intent: Intent) -> bool {
        self.0 & (1 << intent as u16) != 0
    }

    /// The set with those of another one added: what several messages ask for together.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The set with one more intent.
    #[must_use]
    pub fn with(self, intent: Intent) -> Self {
        Self(self.0 | (1 << intent as u16))
    }

    /// Whether nothing was asked for.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The intents in the set, in the order of [`Intent::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Intent> {
        Intent::ALL.into_iter().filter(move |i| self.contains(*i))
    }
}

/// Every intent that a user's text asks for, in one pass over it.
#[must_use]
pub fn asked(text: &str) -> IntentSet {
    let text = plain(text);
    let words: Vec<Word<'_>> = words(&text).collect();
    let mut set = IntentSet::default();
    if has_address(&text) {
        set = set.with(Intent::Visit);
    }
    for (at, first) in words.iter().enumerate() {
        let rest = words.get(at + 1..).unwrap_or_default();
        for phrase in INDEX.starting_with(first.text) {
            if !set.contains(phrase.intent) && follows(&phrase.rest, rest, phrase.loose) {
                set = set.with(phrase.intent);
            }
        }
    }
    set
}

fn has_address(text: &str) -> bool {
    text.contains("http://") || text.contains("https://") || text.contains("www.")
}

struct Word<'a> {
    text: &'a str,
    /// Whether exactly one space or hyphen stands between the word and the one before it.
    joined: bool,
    /// Whether nothing but blanks does.
    near: bool,
}

/// The words of a text: letters, digits and `_`.
fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (gap, tail) = rest.split_at_checked(rest.find(is_word_char)?)?;
        let (text, after) = tail.split_at_checked(tail.find(|c| !is_word_char(c)).unwrap_or(tail.len()))?;
        rest = after;
        Some(Word { text, joined: matches!(gap, " " | "-" | "\n" | "\t"), near: gap.trim_start().is_empty() })
    })
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What may stand at a place of a phrase.
#[derive(Clone)]
enum Slot {
    OneOf(Vec<&'static str>),
    /// One word or more of any kind, up to so many.
    Words(usize),
}

struct Phrase {
    intent: Intent,
    /// Whether any blanks may stand between its words.
    loose: bool,
    rest: Vec<Slot>,
}

/// Whether the words continue a phrase. A phrase has few slots, so the depth is theirs.
fn follows(rest: &[Slot], words: &[Word<'_>], loose: bool) -> bool {
    let Some((slot, rest)) = rest.split_first() else { return true };
    let joins = |word: &Word<'_>| if loose { word.near } else { word.joined };
    match slot {
        Slot::OneOf(options) => words.split_first().is_some_and(|(word, tail)| {
            joins(word) && options.iter().any(|option| fits(option, word.text)) && follows(rest, tail, loose)
        }),
        Slot::Words(most) => (1..=*most)
            .take_while(|n| words.get(n - 1).is_some_and(joins))
            .any(|n| words.get(n..).is_some_and(|tail| follows(rest, tail, loose))),
    }
}

fn fits(option: &str, word: &str) -> bool {
    match option.strip_suffix('*') {
        Some(stem) => word.starts_with(stem),
        None => word == option,
    }
}

/// The phrases by first word; whole words and stems apart. Only ever looked up.
#[derive(Default)]
struct Index {
    words: HashMap<&'static str, Vec<Phrase>>,
    stems: HashMap<&'static str, Vec<Phrase>>,
    longest_stem: usize,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index::default();
    for (intent, phrase) in PHRASES {
        let (loose, phrase) = phrase.strip_prefix("~ ").map_or((false, *phrase), |p| (true, p));
        let mut slots = phrase.split(' ');
        let firsts = slots.next().unwrap_or_default();
        let rest: Vec<Slot> = slots.map(slot).collect();
        for first in firsts.split('|') {
            let phrase = Phrase { intent: *intent, loose, rest: rest.clone() };
            match first.strip_suffix('*') {
                Some(stem) => {
                    index.longest_stem = index.longest_stem.max(stem.chars().count());
                    index.stems.entry(stem).or_default().push(phrase);
                }
                None => index.words.entry(first).or_default().push(phrase),
            }
        }
    }
    index
});

fn slot(text: &'static str) -> Slot {
    match text.strip_prefix("..").and_then(|n| n.parse().ok()) {
        Some(most) => Slot::Words(most),
        None => Slot::OneOf(text.split('|').collect()),
    }
}

impl Index {
    fn starting_with<'i>(&'i self, word: &str) -> impl Iterator<Item = &'i Phrase> {
        let whole = self.words.get(word).into_iter().flatten();
        // Only Russian words have stems here: ASCII words need no look-up by their beginnings.
        let stems = if word.is_ascii() || NOT_STEMS.contains(&word) { 0 } else { self.longest_stem };
        let beginnings = word.char_indices().map(|(i, c)| i + c.len_utf8()).take(stems);
        whole.chain(beginnings.filter_map(|end| self.stems.get(word.get(..end)?)).flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&'static str> {
        asked(text).iter().map(Intent::as_str).collect()
    }

    #[test]
    fn every_intent_has_english_and_russian_words() {
        for (text, intent) in [
            ("Please book a room for two", "reserve"),
            ("забронируй столик", "reserve"),
            ("remind me tomorrow", "event"),
            ("запланируй созвон", "event"),
            ("visit the museum's home", "visit"),
            ("зайди туда", "visit"),
            ("top up my card", "pay"),
            ("оплати счёт", "pay"),
            ("reach out to Ann", "send"),
            ("напиши ему", "send"),
            ("clean up the folder", "delete"),
            ("удали файл", "delete"),
            ("invite Ann", "invite"),
            ("пригласи Анну", "invite"),
            ("publish it", "post"),
            ("опубликуй пост", "post"),
            ("give Ann access", "share"),
            ("поделись этим", "share"),
        ] {
            assert_eq!(names(text), [intent], "{text}");
        }
    }

    #[test]
    fn a_word_inside_a_longer_word_asks_for_nothing() {
        for text in
            ["bookkeeping", "a notebook", "the payee", "mailbox", "postpone", "linked", "deposition", "visitor", "tellurium"]
        {
            assert_eq!(names(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn an_address_asks_for_a_visit() {
        assert_eq!(names("https://x.org/a"), ["visit"]);
        assert_eq!(names("www.x.org"), ["visit"]);
        assert_eq!(names("x.org"), [""; 0]);
    }

    #[test]
    fn one_text_may_ask_for_several_things() {
        assert_eq!(names("send money to Bob and delete the file"), ["pay", "send", "delete"]);
    }

    #[test]
    fn case_width_and_invisible_characters_do_not_matter() {
        assert_eq!(names("ＤＥＬＥＴＥ it"), ["delete"]);
        assert_eq!(names("de\u{200b}lete it"), ["delete"]);
        assert_eq!(names("УДАЛИ файл"), ["delete"]);
    }

    #[test]
    fn a_stem_does_not_take_in_words_that_say_something_else() {
        assert_eq!(names("у меня не удалось"), [""; 0]);
    }

    #[test]
    fn sets_unite() {
        let both = asked("pay").union(asked("delete"));
        assert!(both.contains(Intent::Pay) && both.contains(Intent::Delete) && !both.contains(Intent::Post));
        assert!(asked("hello").is_empty());
    }

    #[test]
    fn an_unknown_intent_is_named() {
        assert_eq!("delete".parse(), Ok(Intent::Delete));
        assert!("Delete".parse::<Intent>().unwrap_err().to_string().contains("`Delete`"));
    }

    #[test]
    fn long_texts_take_linear_time() {
        let text = "let add give a b c ".repeat(50_000);
        assert!(asked(&text).is_empty());
    }
}
