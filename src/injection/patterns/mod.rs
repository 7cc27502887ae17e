//! The patterns, as data: what addresses the reader of a text, by kind and language.
//!
//! A pattern is a regular expression over one sentence on one line (single spaces, plain quotes), without regard to case.
//! `{name}` in it stands for a fragment of [`FRAGMENTS`], `{..6}` for up to six words of any kind. Regular expressions of the
//! `regex` crate match in linear time whatever the text.

mod english;
mod orders;
mod russian;

use super::Kind;

/// One pattern with the words that must be there before it is tried, and what it must and must not match.
#[derive(Debug)]
pub(super) struct Pattern {
    /// Its stable name, in kebab case: for reports, and to switch it off.
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// Lower-case beginnings of words (whole words up to three letters); a sentence without any of them can't match.
    pub(super) anchors: &'static [&'static str],
    pub(super) regex: &'static str,
    /// A text that must match.
    pub(super) example: &'static str,
    /// A text near to it that must not.
    pub(super) near_miss: &'static str,
}

/// Every pattern, role tags and overrides first.
pub(super) fn standard() -> impl Iterator<Item = &'static Pattern> {
    english::PATTERNS.iter().chain(orders::PATTERNS).chain(russian::PATTERNS)
}

/// Parts that patterns share.
const FRAGMENTS: &[(&str, &str)] = &[
    // where an order can begin: a sentence, a clause, a quoted text
    (
        "{start}",
        r#"(?:^|[:.!?;>"'(\[\]|,)-] ?|\b(?:please|kindly|and|then|also|now|first|immediately|must|to|do|finally|next),? )"#,
    ),
    (
        "{send}",
        "(?:send|forward|e-?mail|share|transmit|mail|upload|submit|deliver|transfer|wire|pay|deposit|relay|leak|post|text)",
    ),
    (
        "{get}",
        "(?:get|retrieve|fetch|find|search|list|download|access|collect|extract|gather|generate|obtain|export|read|copy|look up|check|use|view|record|capture|take|locate|pull|compile|grab)",
    ),
    (
        "{act}",
        "(?:send|forward|e-?mail|share|transmit|upload|submit|transfer|wire|pay|deposit|post|delete|remove|erase|wipe|cancel|purchase|buy|order|book|reserve|schedule|create|generate|grant|revoke|unlock|open|change|update|modify|edit|reset|set|add|invite|install|download|execute|run|invoke|use|publish|retrieve|fetch|get|find|search|list|provide|collect|gather|access|export|copy|sell|withdraw|redirect|initiate|guide|turn|disable|enable|block|register|move|save|look up)",
    ),
    ("{to}", r#"(?:to|with|into|through|at|via|using)"#),
    // somewhere outside: an address, an account, a page
    (
        "{outside}",
        r#"(?:[^ ]*[^ @]@[^ @]|[^ ]*https?://|[^ ]*www\.|['"(]?[a-z]{2}[0-9]{8,}|(?:the |bank |this )?account\b|(?:my|this|the following) (?:[a-z-]+ )?(?:e-?mail|address|account|number|friend))"#,
    ),
    ("{answer}", "(?:answers?|responses?|repl(?:y|ies)|outputs?|messages?|summary|conclusion)"),
    (
        "{rules}",
        "(?:[a-z]*nstructions?|prompts?|rules?|guidelines?|directions?|directives?|commands?|orders|context|programming|constraints?|polic(?:y|ies)|restrictions?|messages?|tasks?|conversations?)",
    ),
    (
        "{machine}",
        "(?:ai|a\\.i\\.|gpt|gpt-[0-9a-z.]+|chatgpt|claude|gemini|llama|llms?|chatbot|bot|agent|assistant|language model|ai model|ai assistant|ai agent)",
    ),
];

/// The regular expression of a pattern with its fragments in place.
pub(super) fn expand(regex: &str) -> String {
    let mut text = regex.to_owned();
    for (name, fragment) in FRAGMENTS {
        text = text.replace(name, fragment);
    }
    while let Some((before, after)) = text.split_once("{..") {
        let Some((most, after)) = after.split_once('}') else { break };
        text = format!("{before}(?:[^ ]+ ){{0,{most}}}?{after}");
    }
    text
}
