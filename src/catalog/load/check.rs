//! The questions that every part of a catalog is read with: is this key known, is this value of the right type.

use crate::text::nearest;

use super::diagnostic::{Diagnostic, Severity};
use super::tree::{Kind, Member, Node};

/// What was found to be wrong so far.
#[derive(Debug, Default)]
pub(super) struct Problems(Vec<Diagnostic>);

impl Problems {
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        // A default that is wrong for every tool, or a policy for each of its tools, is one mistake.
        let same = |other: &&Diagnostic| {
            let at = |d: &Diagnostic| d.span.as_ref().map(|span| (span.source.name.clone(), span.range.clone()));
            other.message == diagnostic.message && at(other) == at(&diagnostic)
        };
        if !self.0.iter().rev().take(64).any(|other| same(&other)) {
            self.0.push(diagnostic);
        }
    }

    pub(super) fn any_error(&self) -> bool {
        self.0.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    pub(super) fn list(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.0
    }

    /// All of them (of very many the first), in the order of the files and of the places in them.
    pub(super) fn sorted(mut self) -> Vec<Diagnostic> {
        const MOST: usize = 100;
        self.0.sort_by_cached_key(|d| (d.file().to_owned(), d.span.as_ref().map_or(0, |span| span.range.start)));
        let more = self.0.len().saturating_sub(MOST);
        if more > 0 {
            let any_error = self.any_error();
            self.0.truncate(MOST);
            let rest = Diagnostic::error(format!("and {more} more"));
            self.0.push(if any_error { rest } else { rest.warning() });
        }
        self.0
    }

    /// The value has the wrong type (or is none of the values that are allowed).
    pub(super) fn expected(&mut self, node: &Node, expected: &str) {
        self.push(self.wrong(node, expected));
    }

    /// As `expected`, with something to do about it.
    pub(super) fn expected_help(&mut self, node: &Node, expected: &str, help: String) {
        self.push(self.wrong(node, expected).help(help));
    }

    fn wrong(&self, node: &Node, expected: &str) -> Diagnostic {
        node.error(format!("`{}` takes {expected}, not {}", node.name(), node.kind()))
            .label(format!("this is {}", node.kind()))
    }

    /// A table, with only keys that are known; `what` it is, for messages (`a policy`).
    pub(super) fn table<'n>(&mut self, node: &'n Node, what: &str, known: &[&str]) -> Option<&'n [Member]> {
        let Kind::Table(members) = &node.value else {
            self.push(node.error(format!("{what} is a table, not {}", node.kind())));
            return None;
        };
        for member in members.iter().filter(|member| !known.contains(&member.key.as_str())) {
            let near = nearest(&member.key, known.iter().copied());
            let error = member.error(format!("{what} has no key `{}`", member.key)).label("unknown key");
            let list = format!("its keys are {}", listed(known.iter().copied()));
            self.push(error.help(near.map_or(list, |near| format!("the nearest known key is `{near}`"))));
        }
        Some(members)
    }

    /// The value of a key that must be there.
    pub(super) fn required<'n>(&mut self, node: &'n Node, what: &str, key: &str) -> Option<&'n Node> {
        let found = node.get(key);
        if found.is_none() && matches!(node.value, Kind::Table(_)) {
            self.push(node.error(format!("{what} needs a `{key}`")).label(format!("`{key}` is missing")));
        }
        found
    }

    /// A text that isn't blank.
    pub(super) fn text<'n>(&mut self, node: &'n Node) -> Option<&'n str> {
        match node.text() {
            Some(text) if text.trim().is_empty() => {
                self.push(node.error(format!("`{}` is blank", node.name())));
                None
            }
            Some(text) => Some(text),
            None => {
                self.expected(node, "a text");
                None
            }
        }
    }

    /// A list of texts, each with its place.
    pub(super) fn texts<'n>(&mut self, node: &'n Node, expected: &str) -> Vec<(&'n Node, &'n str)> {
        match &node.value {
            Kind::List(items) => items.iter().filter_map(|item| Some((item, self.text(item)?))).collect(),
            Kind::Text(text) => {
                self.expected_help(node, expected, format!("write `[{text:?}]`"));
                Vec::new()
            }
            _ => {
                self.expected(node, expected);
                Vec::new()
            }
        }
    }

    /// true or false.
    pub(super) fn boolean(&mut self, node: &Node) -> Option<bool> {
        if let Kind::Bool(truth) = node.value {
            return Some(truth);
        }
        self.expected(node, "true or false");
        None
    }

    /// A whole number from 1.
    pub(super) fn count(&mut self, node: &Node) -> Option<usize> {
        let count = node.to_json().as_usize().filter(|n| *n > 0);
        match (&node.value, count) {
            (Kind::Number(_), None) => {
                self.push(node.error(format!("`{}` takes a whole number from 1", node.name())));
            }
            (_, None) => self.expected(node, "a whole number from 1"),
            _ => {}
        }
        count
    }

    /// One of a few names, as a message calls them (`a matcher`).
    pub(super) fn one_of<T: Copy>(&mut self, node: &Node, what: &str, values: &[(&str, T)]) -> Option<T> {
        let names = || values.iter().map(|(name, _)| *name);
        let Some(text) = node.text() else {
            self.expected(node, &format!("{what} ({})", listed_with("or", names())));
            return None;
        };
        let found = values.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        if found.is_none() {
            let error = node.error(format!("`{text}` is not {what}"));
            let near = nearest(text, names()).map(|near| format!("did you mean `{near}`? it can be "));
            self.push(error.help(format!(
                "{}{}",
                near.unwrap_or_else(|| "it can be ".to_owned()),
                listed_with("or", names())
            )));
        }
        found
    }
}

/// `a`, `b` and `c`; of many the first ones.
pub(super) fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    listed_with("and", names)
}

/// As `listed`, with another word before the last one.
fn listed_with<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> String {
    const MOST: usize = 30;
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => "none".to_owned(),
        Some((last, [])) => last.clone(),
        Some(_) if names.len() > MOST => {
            let first: Vec<&str> = names.iter().take(MOST).map(String::as_str).collect();
            format!("{} and {} more", first.join(", "), names.len() - MOST)
        }
        Some((last, rest)) => format!("{} {word} {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_as_in_a_sentence() {
        assert_eq!(listed(["a"].into_iter()), "`a`");
        assert_eq!(listed(["a", "b", "c"].into_iter()), "`a`, `b` and `c`");
    }
}
