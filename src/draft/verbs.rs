//! Guessing from a tool's name whether it changes state.

const READS: &[&str] = &[
    "browse",
    "calc",
    "calculate",
    "check",
    "compare",
    "compute",
    "convert",
    "count",
    "describe",
    "estimate",
    "explain",
    "fetch",
    "filter",
    "find",
    "get",
    "has",
    "inspect",
    "is",
    "list",
    "load",
    "locate",
    "lookup",
    "look",
    "peek",
    "preview",
    "query",
    "quote",
    "read",
    "recall",
    "resolve",
    "retrieve",
    "scan",
    "search",
    "select",
    "show",
    "summarize",
    "think",
    "translate",
    "validate",
    "verify",
    "view",
];

const CHANGES: &[&str] = &[
    "accept",
    "activate",
    "add",
    "apply",
    "append",
    "approve",
    "archive",
    "assign",
    "authorize",
    "ban",
    "block",
    "book",
    "buy",
    "call",
    "cancel",
    "change",
    "charge",
    "clear",
    "close",
    "commit",
    "complete",
    "confirm",
    "connect",
    "copy",
    "create",
    "deactivate",
    "decline",
    "delete",
    "deploy",
    "deposit",
    "disable",
    "disconnect",
    "drop",
    "edit",
    "email",
    "enable",
    "enroll",
    "exchange",
    "execute",
    "forward",
    "grant",
    "insert",
    "install",
    "invite",
    "issue",
    "kill",
    "leave",
    "lock",
    "make",
    "merge",
    "modify",
    "move",
    "notify",
    "open",
    "order",
    "patch",
    "pay",
    "place",
    "post",
    "publish",
    "purchase",
    "push",
    "put",
    "refund",
    "register",
    "reject",
    "remove",
    "rename",
    "reply",
    "report",
    "reserve",
    "reset",
    "restart",
    "restore",
    "return",
    "revoke",
    "run",
    "save",
    "schedule",
    "send",
    "set",
    "share",
    "ship",
    "start",
    "stop",
    "submit",
    "subscribe",
    "suspend",
    "toggle",
    "transfer",
    "turn",
    "uninstall",
    "unlock",
    "unsubscribe",
    "update",
    "upgrade",
    "upload",
    "withdraw",
    "write",
];

/// What a name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guess<'n> {
    /// It only reads, by this word.
    Reads(&'n str),
    /// It changes state, by this word.
    Changes(&'n str),
    /// No word of it tells.
    Unknown,
}

/// Guesses by the first word of a name that is a verb of either kind; `_`, `-`, `.`, `/`, spaces and capitals part words.
pub fn guess(name: &str) -> Guess<'_> {
    for word in words(name) {
        let lower = word.to_ascii_lowercase();
        if READS.contains(&lower.as_str()) {
            return Guess::Reads(word);
        }
        if CHANGES.contains(&lower.as_str()) {
            return Guess::Changes(word);
        }
    }
    Guess::Unknown
}

fn words(name: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut from, mut small) = (0, false);
    for (at, c) in name.char_indices() {
        let parts = !c.is_ascii_alphanumeric();
        if parts || (small && c.is_ascii_uppercase()) {
            words.extend(name.get(from..at).filter(|word| !word.is_empty()));
            from = if parts { at + c.len_utf8() } else { at };
        }
        small = c.is_ascii_lowercase();
    }
    words.extend(name.get(from..).filter(|word| !word.is_empty()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_verb_tells() {
        assert_eq!(guess("get_order_details"), Guess::Reads("get"));
        assert_eq!(guess("cancelOrder"), Guess::Changes("cancel"));
        assert_eq!(guess("github.create-issue"), Guess::Changes("create"));
        assert_eq!(guess("order_list"), Guess::Changes("order"));
        assert_eq!(guess("Settings/Read"), Guess::Reads("Read"));
        assert_eq!(guess("frobnicate"), Guess::Unknown);
        assert_eq!(guess(""), Guess::Unknown);
    }
}
