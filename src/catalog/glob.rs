//! Names of tools with wildcards: `cancel_*`, `get_?`, `[a-c]_tool`, `[!a]*`.

/// A pattern over whole names: `*` is any text, `?` any character, `[abc]`, `[a-z]` and `[!abc]` one of a set.
/// A `[` that nothing closes is a plain character; a `]` right after the opening belongs to the set. Case counts.
///
/// ```
/// use dryguard::catalog::glob::Glob;
///
/// assert!(Glob::new("cancel_*").matches("cancel_order"));
/// assert!(!Glob::new("cancel_*").matches("please_cancel_order"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    text: String,
    /// Whether it has no wildcards.
    plain: bool,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Exactly(char),
    AnyText,
    AnyCharacter,
    Set { but: bool, ranges: Vec<(char, char)> },
}

impl Part {
    fn takes(&self, c: char) -> bool {
        match self {
            Part::Exactly(own) => *own == c,
            Part::AnyText => false,
            Part::AnyCharacter => true,
            Part::Set { but, ranges } => ranges.iter().any(|(low, high)| (*low..=*high).contains(&c)) != *but,
        }
    }
}

/// Whether a text has wildcards at all; one without is a plain name.
pub fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Whether a pattern (or a plain name) matches a whole name.
pub fn matches(pattern: &str, name: &str) -> bool {
    if is_pattern(pattern) { Glob::new(pattern).matches(name) } else { pattern == name }
}

impl Glob {
    /// Reads a pattern; every text is one.
    pub fn new(pattern: &str) -> Glob {
        let chars: Vec<char> = pattern.chars().collect();
        let mut parts = Vec::new();
        let mut rest = chars.as_slice();
        while let Some((first, after)) = rest.split_first() {
            let (part, after) = match first {
                '*' => (Part::AnyText, after),
                '?' => (Part::AnyCharacter, after),
                '[' => set(after).unwrap_or((Part::Exactly('['), after)),
                c => (Part::Exactly(*c), after),
            };
            // Two stars in a row match what one does.
            if part != Part::AnyText || parts.last() != Some(&Part::AnyText) {
                parts.push(part);
            }
            rest = after;
        }
        Glob { text: pattern.to_owned(), plain: !is_pattern(pattern), parts }
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the pattern matches the whole name; at most pattern × name steps, without recursion.
    pub fn matches(&self, name: &str) -> bool {
        if self.plain {
            return self.text == name;
        }
        let mut parts = self.parts.as_slice();
        let mut text = name.chars();
        // Where to go on when the text after the latest star didn't fit: that star takes one character more.
        let mut retry: Option<(&[Part], std::str::Chars<'_>)> = None;
        loop {
            match parts.split_first() {
                Some((Part::AnyText, after)) => {
                    parts = after;
                    retry = Some((after, text.clone()));
                    continue;
                }
                Some((part, after)) => {
                    let mut ahead = text.clone();
                    if ahead.next().is_some_and(|c| part.takes(c)) {
                        (parts, text) = (after, ahead);
                        continue;
                    }
                }
                None if text.as_str().is_empty() => return true,
                None => {}
            }
            let Some((after, start)) = retry.as_mut() else { return false };
            if start.next().is_none() {
                return false;
            }
            (parts, text) = (after, start.clone());
        }
    }
}

/// The set after a `[`, and what follows its `]`; nothing when it isn't closed.
fn set(chars: &[char]) -> Option<(Part, &[char])> {
    let (but, chars) = match chars.split_first() {
        Some(('!', rest)) => (true, rest),
        _ => (false, chars),
    };
    // A `]` in the first place is a member, so the closing one is looked for after it.
    let close = chars.iter().skip(1).position(|c| *c == ']')? + 1;
    let (members, rest) = chars.split_at_checked(close)?;
    let mut ranges = Vec::new();
    let mut left = members;
    loop {
        left = match left {
            [] => break,
            [low, '-', high, after @ ..] => {
                ranges.push((*low, *high));
                after
            }
            [one, after @ ..] => {
                ranges.push((*one, *one));
                after
            }
        };
    }
    Some((Part::Set { but, ranges }, rest.get(1..).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_pattern_matches_whole_names() {
        for (pattern, name, expected) in [
            ("cancel_order", "cancel_order", true),
            ("cancel_order", "cancel_orders", false),
            ("cancel_*", "cancel_", true),
            ("cancel_*", "xcancel_order", false),
            ("*_order", "get_order_details", false),
            ("*_order*", "get_order_details", true),
            ("get_?", "get_x", true),
            ("get_?", "get_", false),
            ("get_?", "get_é", true),
            ("[ab]_tool", "b_tool", true),
            ("[!ab]_tool", "b_tool", false),
            ("[a-c]x", "bx", true),
            ("[a-c]x", "dx", false),
            ("[]x]", "]", true),
            ("[!]]", "]", false),
            ("[abc", "[abc", true),
            ("[a-]", "-", true),
            ("", "", true),
            ("", "a", false),
            ("*", "", true),
            ("**", "anything", true),
            ("Get", "get", false),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxbyy", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn many_stars_take_no_exponential_time() {
        let pattern = "a*".repeat(200) + "b";
        assert!(!matches(&pattern, &"a".repeat(2000)));
    }

    proptest! {
        #[test]
        fn a_name_matches_itself_and_with_a_star_in_place_of_any_part(name in "[a-z_]{0,12}", from in 0usize..12, to in 0usize..12) {
            let (from, to) = (from.min(name.len()), to.min(name.len()).max(from.min(name.len())));
            prop_assert!(matches(&name, &name));
            let starred: String = name.chars().take(from).chain(['*']).chain(name.chars().skip(to)).collect();
            prop_assert!(matches(&starred, &name));
        }

        #[test]
        fn never_panics(pattern in "[\\[\\]!*?a-c-]{0,12}", name in "[\\[\\]!a-c-]{0,8}") {
            let _ = matches(&pattern, &name);
        }
    }
}
