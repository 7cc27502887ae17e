//! A rule that a draft may hold, and how a catalog writes it.

use std::fmt::Write;

use crate::text::Matcher;

use super::Declared;

/// One option of one tool.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// The argument's value must stand in the conversation.
    Ground {
        /// The argument, or values within one.
        argument: String,
        /// How it must stand there.
        matcher: Matcher,
        /// In the user's words (which holds for all grounded arguments of the tool), not just anywhere but the model's.
        user: bool,
    },
    /// The same call isn't made twice.
    Once,
    /// The user said yes to a message that names the argument.
    Confirm {
        /// The argument; nothing: all.
        argument: Option<String>,
        /// How the message must name it.
        matcher: Matcher,
    },
}

impl Rule {
    /// The rule alone as a catalog writes it: `ground = { order_id = "id" }`.
    pub fn written(&self) -> String {
        options(&[self]).join(", ")
    }
}

/// The lines of a tool's section that state these rules.
pub fn options(rules: &[&Rule]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut ground = Vec::new();
    let mut from_user = false;
    for rule in rules {
        if let Rule::Ground { argument, matcher, user } = rule {
            ground.push(format!("{} = \"{matcher}\"", key(argument)));
            from_user |= user;
        }
    }
    if !ground.is_empty() {
        lines.push(format!("ground = {{ {} }}", ground.join(", ")));
    }
    if from_user {
        lines.push("ground_from = [\"user\"]".to_owned());
    }
    for rule in rules {
        match rule {
            Rule::Ground { .. } => {}
            Rule::Once => lines.push("once = true".to_owned()),
            Rule::Confirm { argument: None, .. } => lines.push("confirm = true".to_owned()),
            Rule::Confirm { argument: Some(argument), matcher } => lines.push(format!(
                "confirm = {{ arguments = [{}], match = {{ {} = \"{matcher}\" }} }}",
                quoted(argument),
                key(argument)
            )),
        }
    }
    lines
}

/// What a draft's catalog says before its tools.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// Where the tools' definitions are.
    pub schemas: Option<String>,
    /// How a result says that the environment refused the call.
    pub refused: Option<String>,
}

impl Head {
    /// Its lines.
    pub fn written(&self) -> String {
        let mut text = String::from("dryguard = 1\nname = \"draft\"\n");
        if let Some(schemas) = &self.schemas {
            let _ = writeln!(text, "schemas = {schemas}");
        }
        text.push_str("undeclared = \"deny\"\n");
        text
    }
}

/// A catalog with these tools and rules and nothing to read for people.
pub fn catalog_text(head: &Head, tools: &[(&Declared, Vec<&Rule>)]) -> String {
    let mut text = head.written();
    if let Some(refused) = &head.refused {
        let _ = writeln!(text, "outcome.refused = {}", quoted(refused));
    }
    for (tool, rules) in tools {
        let _ = writeln!(text, "[tools.{}]\nchanges = {}", key(&tool.name), tool.changes);
        if tool.open {
            text.push_str(OPEN);
            text.push('\n');
        }
        for line in options(rules) {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

/// A schema that takes any arguments.
pub const OPEN: &str = "schema = { type = \"object\", additionalProperties = true }";

/// A name as a TOML key.
pub fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { quoted(name) }
}

/// A text as a TOML string on one line, without anything that a terminal would obey.
pub fn quoted(text: &str) -> String {
    let mut written = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => written.extend(['\\', c]),
            c if crate::report::escape::is_unsafe(c) || c.is_control() => {
                let _ = write!(written, "\\U{:08X}", u32::from(c));
            }
            c => written.push(c),
        }
    }
    written + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_those_of_a_catalog() {
        let order = Rule::Ground { argument: "order_id".to_owned(), matcher: Matcher::Id, user: true };
        let flight = Rule::Ground { argument: "flights[].number".to_owned(), matcher: Matcher::NoCase, user: false };
        let yes = Rule::Confirm { argument: Some("order_id".to_owned()), matcher: Matcher::Id };
        assert_eq!(
            options(&[&order, &flight, &Rule::Once, &yes]),
            [
                "ground = { order_id = \"id\", \"flights[].number\" = \"nocase\" }",
                "ground_from = [\"user\"]",
                "once = true",
                "confirm = { arguments = [\"order_id\"], match = { order_id = \"id\" } }",
            ]
        );
    }

    #[test]
    fn names_of_any_kind_are_keys() {
        assert_eq!(key("get_order"), "get_order");
        assert_eq!(key("a.b"), "\"a.b\"");
        assert_eq!(key("a\"\n\u{1b}"), "\"a\\\"\\U0000000A\\U0000001B\"");
    }
}
