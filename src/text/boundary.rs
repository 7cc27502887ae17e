//! Whether a place in a text stands on its own: not inside a word, joined to one, or glued to digits.

use std::ops::Range;

use super::characters::{is_alphanumeric, is_digit, is_letter, is_word};

/// Characters that join what stands on their two sides into one: `e-mail`, `x.org`, `12:30`, `a/b`.
fn is_joiner(c: char) -> bool {
    matches!(c, '.' | '@' | '-' | '/' | ':' | '_')
}

/// What stands before and after a range of a text, and the range's own first and last character.
struct Sides<'a> {
    before: &'a str,
    inside: &'a str,
    after: &'a str,
}

fn sides(text: &str, range: Range<usize>) -> Option<Sides<'_>> {
    let inside = text.get(range.clone())?;
    Some(Sides { before: text.get(..range.start)?, inside, after: text.get(range.end..)? })
}

/// Whether a value stands here as a token: not inside a longer word, nor joined to one. With `slash`, a `/` between two
/// plain words doesn't join them.
pub(super) fn is_token(text: &str, range: Range<usize>, slash: bool) -> bool {
    let (start, end) = (range.start, range.end);
    let Some(Sides { before, inside, after }) = sides(text, range) else { return false };
    let (mut left, mut right) = (before.chars().rev(), after.chars());
    let (previous, next) = (left.next(), right.next());
    let inside_word =
        |edge: Option<char>, neighbour: Option<char>| neighbour.is_some_and(is_word) && edge.is_some_and(is_word);
    if inside_word(inside.chars().next(), previous) || inside_word(inside.chars().next_back(), next) {
        return false;
    }
    let joins = |joiner: Option<char>, beyond: Option<char>, at: Option<usize>| {
        joiner.is_some_and(is_joiner)
            && beyond.is_some_and(is_word)
            && !(slash && joiner == Some('/') && at.is_some_and(|at| separates(text, at)))
    };
    !joins(previous, left.next(), start.checked_sub(1)) && !joins(next, right.next(), Some(end))
}

/// Whether the `/` at `at` stands between two words of letters that are all of their whitespace-delimited token, quotes,
/// brackets and marks around it aside: `personal/address`, but neither `docs/address.txt` nor `home/address/x`.
fn separates(text: &str, at: usize) -> bool {
    let Some(Sides { before, after, .. }) = sides(text, at..at + 1) else { return false };
    let left = before.trim_end_matches(|c| c == '-' || is_letter(c));
    let right = after.trim_start_matches(|c| c == '-' || is_letter(c));
    let words = [before.get(left.len()..), after.get(..after.len() - right.len())];
    let is_words = |words: Option<&str>| words.is_some_and(|words| words.split('-').all(|word| !word.is_empty()));
    let left = left.trim_end_matches(is_around);
    let right = right.strip_prefix('.').unwrap_or(right).trim_start_matches(is_around);
    words.into_iter().all(is_words)
        && left.chars().next_back().is_none_or(char::is_whitespace)
        && right.chars().next().is_none_or(char::is_whitespace)
}

fn is_around(c: char) -> bool {
    is_quote(c) || is_bracket(c) || is_mark(c)
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`')
}

fn is_bracket(c: char) -> bool {
    matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>')
}

fn is_mark(c: char) -> bool {
    matches!(c, ',' | ';' | ':' | '!' | '?')
}

/// Whether a value stands here delimited on both sides.
pub(super) fn is_whole(text: &str, range: Range<usize>) -> bool {
    let Some(Sides { before, after, .. }) = sides(text, range) else { return false };
    let delimits = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || is_around(c));
    let mut right = after.chars();
    let next = right.next();
    let ends_sentence = next == Some('.') && right.next().is_none_or(char::is_whitespace);
    delimits(before.chars().next_back()) && (delimits(next) || ends_sentence)
}

/// Whether a number (or a string of digits) is a part of something longer: joined to a letter or number (`INV-250`,
/// `12:30`), or a space away from something with digits (`DE89 3704 0044`).
pub(super) fn is_glued(text: &str, range: Range<usize>) -> bool {
    let Some(Sides { before, after, .. }) = sides(text, range) else { return false };
    glues(before.chars().rev()) || glues(after.chars())
}

fn glues(mut outwards: impl Iterator<Item = char>) -> bool {
    match outwards.next() {
        Some(' ') => outwards.take_while(|&c| is_alphanumeric(c)).any(is_digit),
        Some(c) => is_joiner(c) && outwards.next().is_some_and(is_alphanumeric),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the part of `text` between `‹` and `›` passes.
    fn at(check: impl Fn(&str, Range<usize>) -> bool, marked: &str) -> bool {
        let (start, end) = (marked.find('\u{2039}').unwrap(), marked.find('\u{203a}').unwrap());
        let text = marked.replace(['\u{2039}', '\u{203a}'], "");
        check(&text, start..end - '\u{2039}'.len_utf8())
    }

    #[test]
    fn a_token_is_neither_inside_a_word_nor_joined_to_one() {
        let token = |marked| at(|text, range| is_token(text, range, false), marked);
        for yes in ["‹W1›", "(‹W1›)", "‹W1›.", "-‹W1›-", "‹W1›--x", "x‹#W1›", "‹a-›b", "‹-›", "‹a›\u{301}", "x ‹W1›, y"]
        {
            assert!(token(yes), "{yes}");
        }
        for no in ["x‹W1›", "‹W1›_", "x-‹W1›", "‹W1›.x", "x-‹#W1›", "‹a›²", "я‹a›", "_.‹W1›", "‹bob›@x", "a/‹b›"]
        {
            assert!(!token(no), "{no}");
        }
    }

    #[test]
    fn a_slash_separates_two_plain_words_only() {
        let token = |marked| at(|text, range| is_token(text, range, true), marked);
        for yes in [
            "personal/‹address›",
            "‹oak›/cedar.",
            "(\"‹oak›/cedar\")",
            "see new ‹york›/boston, too",
            "well-known/‹address›",
            "я/‹a›",
        ] {
            assert!(token(yes), "{yes}");
        }
        for no in [
            "home/‹address›/x",
            "docs/‹address›.txt",
            "x.org/‹cedar›",
            "/home/‹a›",
            "a1/‹b›",
            "a--b/‹c›",
            "*a/‹b›*",
            "well-‹known›/address",
            "(a/‹b›).",
        ] {
            assert!(!token(no), "{no}");
        }
    }

    #[test]
    fn whole_values_are_delimited() {
        for yes in ["‹W1›", "(‹W1›)", ",‹W1›:", "<‹W1›>", "a\n‹W1›. b", "‹W1›.", "`‹a b›`"] {
            assert!(at(is_whole, yes), "{yes}");
        }
        for no in [".‹W1›", "‹W1›.\"", "‹W1›...", "#‹W1›", "‹W1›/", "–‹W1›", "x‹W1›"] {
            assert!(!at(is_whole, no), "{no}");
        }
    }

    #[test]
    fn digits_beside_digits_are_glued() {
        for yes in ["INV-‹250›", "‹12›:30", "DE89 ‹3704›", "‹3704› 0044", "‹5› a6", "‹5› ²", "‹5›@x"]
        {
            assert!(at(is_glued, yes), "{yes}");
        }
        for no in ["‹250›", "‹5›  6", "‹5›\n6", "‹5› a_6", "‹5› #6", "x: ‹5›", "‹5›-", "‹5› ½", "_:‹5›"]
        {
            assert!(!at(is_glued, no), "{no}");
        }
    }
}
