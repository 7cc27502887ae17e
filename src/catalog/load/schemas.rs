//! `schemas`: the files that hold the tools' definitions, as chat requests and servers carry them.

use std::collections::BTreeMap;

use crate::catalog::schema::{Definition, definitions};
use crate::json;

use super::check::Problems;
use super::diagnostic::Diagnostic;
use super::merge::{read_source, relative};
use super::tree::{Kind, Node, span};

/// What `schemas` gives.
#[derive(Default)]
pub(super) struct Definitions {
    /// Whether each transcript's own definitions count too.
    pub(super) recorded: bool,
    /// The definitions by the tool's name.
    pub(super) by_name: BTreeMap<String, Definition>,
}

/// Reads every file that `schemas` names.
pub(super) fn read(node: Option<&Node>, problems: &mut Problems) -> Definitions {
    let mut read = Definitions::default();
    let Some(node) = node else { return read };
    let shapes = "a list of files with tool definitions, or `\"recorded\"`";
    match &node.value {
        Kind::Text(text) if text == "recorded" => read.recorded = true,
        Kind::List(items) => {
            for item in items {
                match problems.text(item) {
                    Some("recorded") => read.recorded = true,
                    Some(name) => file(item, name, &mut read, problems),
                    None => {}
                }
            }
        }
        Kind::Text(text) => problems.expected_help(node, shapes, format!("write `[{text:?}]`")),
        _ => problems.expected(node, shapes),
    }
    read
}

fn file(node: &Node, name: &str, read: &mut Definitions, problems: &mut Problems) {
    let Some(path) = relative(node, name, problems) else { return };
    let unreadable =
        |reason: String| node.error(format!("the definitions in `{name}` can't be read: {reason}")).label("named here");
    let source = match read_source(&path) {
        Ok(source) => source,
        Err(reason) => return problems.push(unreadable(reason)),
    };
    let value = match json::parse(&source.text) {
        Ok(value) => value,
        Err(error) => {
            let at = error.offset..error.offset + 1;
            let wrong = Diagnostic::error(format!("this is no JSON: {}", error.reason)).at(span(&source, at), "");
            return problems.push(wrong.related(node.span.clone(), "the catalog reads it here"));
        }
    };
    let found = match definitions(&value) {
        Ok(found) => found,
        Err(error) => return problems.push(unreadable(error.to_string())),
    };
    if found.is_empty() {
        problems.push(unreadable("it defines no tool".to_owned()).warning());
    }
    for definition in found {
        match read.by_name.get(&definition.name) {
            Some(other) if other.schema != definition.schema => {
                let error = node.error(format!("`{name}` defines `{}` once more", definition.name));
                problems.push(error.label("with another schema than before"));
            }
            _ => {
                read.by_name.insert(definition.name.clone(), definition);
            }
        }
    }
}
