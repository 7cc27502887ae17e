//! `[detector]`: patterns of one's own, built-in ones off, trusted passages.

use crate::catalog::model::DetectorChoice;
use crate::injection::Detector;

use super::check::Problems;
use super::tree::{Kind, Node};

/// Reads the section; each part is tried alone first, so that the wrong one is underlined.
pub(super) fn read(node: Option<&Node>, problems: &mut Problems) -> DetectorChoice {
    let Some(node) = node else { return DetectorChoice::Standard };
    if problems.table(node, "`detector`", &["patterns", "off", "trusted"]).is_none() {
        return DetectorChoice::Standard;
    }
    let mut own = Vec::new();
    if let Some(list) = node.get("patterns") {
        if !matches!(list.value, Kind::List(_)) {
            problems.expected_help(list, "a list of tables", "write `[[detector.patterns]]` above each".to_owned());
        }
        own = list.items().iter().filter_map(|item| pattern(item, problems)).collect();
    }
    let mut off = Vec::new();
    for (item, name) in node.get("off").map(|list| problems.texts(list, "a list of patterns' names")).unwrap_or_default() {
        let names = [name.to_owned()];
        match Detector::with_options(&names, &own, &[]) {
            Ok(_) => off.extend(names),
            Err(error) => problems.push(item.error(error.to_string())),
        }
    }
    let trusted = node.get("trusted").map(|list| problems.texts(list, "a list of texts")).unwrap_or_default();
    let trusted: Vec<String> = trusted.into_iter().map(|(_, text)| text.to_owned()).collect();
    match Detector::with_options(&off, &own, &trusted) {
        Ok(detector) => DetectorChoice::Own(Box::new(detector)),
        Err(error) => {
            problems.push(node.error(error.to_string()));
            DetectorChoice::Standard
        }
    }
}

fn pattern(node: &Node, problems: &mut Problems) -> Option<(String, String)> {
    const WHAT: &str = "a pattern";
    problems.table(node, WHAT, &["name", "regex"])?;
    let name = problems.required(node, WHAT, "name").and_then(|name| problems.text(name));
    let regex_node = problems.required(node, WHAT, "regex")?;
    let regex = problems.text(regex_node);
    let pattern = (name?.to_owned(), regex?.to_owned());
    match Detector::with_options(&[], std::slice::from_ref(&pattern), &[]) {
        Ok(_) => Some(pattern),
        Err(error) => {
            problems.push(regex_node.error(error.to_string()));
            None
        }
    }
}
