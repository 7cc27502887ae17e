//! Reading the cases of a folder and comparing them, with the list of reasoned differences.

use std::collections::BTreeMap;
use std::path::PathBuf;

use dryguard::json::{self, Value};

/// Where the cases are, if they are there.
fn folder() -> PathBuf {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance");
    std::env::var_os("DRYGUARD_CONFORMANCE").map_or(beside, PathBuf::from)
}

/// The differences that are listed with a reason, by the case's id.
fn differences() -> BTreeMap<String, String> {
    let text = include_str!("differences.toml");
    let table: toml::Table = text.parse().expect("differences.toml is TOML");
    table.into_iter().map(|(id, reason)| (id, reason.as_str().expect("a reason is a text").to_owned())).collect()
}

/// Runs every case of a family, prints how many agree, and stops where one differs that isn't on the list.
pub(crate) fn run(family: &str, check: fn(&Value<'_>) -> Result<(), String>) {
    let file = folder().join(format!("{family}.jsonl"));
    let Ok(text) = std::fs::read_to_string(&file) else {
        println!("{family}: skipped, there is no {}", file.display());
        return;
    };
    let listed = differences();
    let (mut agree, mut all, mut reasoned, mut differing) = (0, 0, 0, Vec::new());
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        all += 1;
        let case = json::parse(line).expect("a case is JSON");
        let id = case.get("id").and_then(Value::as_str).unwrap_or("?").to_owned();
        match check(&case) {
            Ok(()) => agree += 1,
            Err(_) if listed.contains_key(&id) => reasoned += 1,
            Err(why) => differing.push(format!("{id}: {why}")),
        }
    }
    println!("{family}: {agree}/{all}{}", if reasoned > 0 { format!(" ({reasoned} listed)") } else { String::new() });
    assert!(all > 0, "{family} has no cases");
    let allowed = (all / 500).max(1);
    assert!(reasoned <= allowed, "{family}: {reasoned} listed differences, at most {allowed} may be");
    let more = differing.len().saturating_sub(10);
    differing.truncate(10);
    assert!(differing.is_empty(), "{family} differs\n  {}\n  … and {more} more", differing.join("\n  "));
}
