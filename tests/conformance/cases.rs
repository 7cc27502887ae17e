//! Reading the cases of a folder and comparing them, with the list of reasoned differences.

use std::collections::BTreeMap;
use std::path::PathBuf;

use dryguard::json::{self, Value};

/// One family of cases: a file of them, and what a case expects.
pub(crate) struct Family {
    /// The file's name without its ending.
    pub(crate) name: &'static str,
    /// Says what differs, if anything does.
    pub(crate) check: fn(&Value<'_>) -> Result<(), String>,
}

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

/// Runs every family whose file is in the folder.
pub(crate) fn run(families: &[Family]) {
    let folder = folder();
    let listed = differences();
    let mut failed = Vec::new();
    for family in families {
        let file = folder.join(format!("{}.jsonl", family.name));
        let Ok(text) = std::fs::read_to_string(&file) else {
            println!("{}: skipped, there is no {}", family.name, file.display());
            continue;
        };
        let (mut agree, mut all, mut reasoned, mut shown) = (0, 0, 0, Vec::new());
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            all += 1;
            let case = json::parse(line).expect("a case is JSON");
            let id = case.get("id").and_then(Value::as_str).unwrap_or("?").to_owned();
            match (family.check)(&case) {
                Ok(()) => agree += 1,
                Err(_) if listed.contains_key(&id) => reasoned += 1,
                Err(why) => shown.push(format!("{id}: {why}")),
            }
        }
        println!(
            "{}: {agree}/{all}{}",
            family.name,
            if reasoned > 0 { format!(" ({reasoned} listed)") } else { String::new() }
        );
        let allowed = (all / 500).max(1);
        if reasoned > allowed {
            failed.push(format!("{}: {reasoned} listed differences, at most {allowed} may be", family.name));
        }
        if !shown.is_empty() {
            let rest = shown.len().saturating_sub(10);
            shown.truncate(10);
            failed.push(format!("{}:\n  {}\n  … and {rest} more", family.name, shown.join("\n  ")));
        }
    }
    assert!(failed.is_empty(), "cases differ\n{}", failed.join("\n"));
}
