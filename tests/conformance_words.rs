//! Worked cases of the word rules: confirmation and intents.

#![expect(clippy::expect_used, clippy::indexing_slicing, clippy::print_stdout, reason = "a test that prints its figures")]

use std::path::PathBuf;

use dryguard::guard::acceptance::accepts;
use dryguard::guard::intents::{Intent, asked};
use serde_json::Value;

fn folder() -> Option<PathBuf> {
    let path = std::env::var_os("DRYGUARD_CONFORMANCE")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"), PathBuf::from);
    path.is_dir().then_some(path)
}

fn text(case: &Value) -> Result<&str, String> {
    case["text"].as_str().ok_or_else(|| "no text".to_owned())
}

fn family_accepts(case: &Value) -> Result<(), String> {
    let text = text(case)?;
    let (got, expected) = (accepts(text), case["expect"] == true);
    if got == expected { Ok(()) } else { Err(format!("`{text}`: {got}, expected {expected}")) }
}

fn family_intents(case: &Value) -> Result<(), String> {
    let text = text(case)?;
    let got = asked(text);
    for intent in Intent::ALL {
        let expected = case["expect"][intent.as_str()] == true;
        if got.contains(intent) != expected {
            return Err(format!("`{text}`: {} is {}, expected {expected}", intent.as_str(), !expected));
        }
    }
    Ok(())
}

/// Runs every case of a family; fails when one differs, naming the first few.
fn run(name: &str, check: fn(&Value) -> Result<(), String>) {
    let Some(folder) = folder() else {
        println!("{name}: skipped (no conformance folder)");
        return;
    };
    let Ok(lines) = std::fs::read_to_string(folder.join(format!("{name}.jsonl"))) else {
        println!("{name}: skipped (no such file)");
        return;
    };
    let (mut total, mut wrong) = (0, Vec::new());
    for line in lines.lines().filter(|l| !l.is_empty()) {
        let case: Value = serde_json::from_str(line).expect("a case is JSON");
        total += 1;
        if let Err(why) = check(&case) {
            wrong.push(format!("{}: {why}", case["id"].as_str().unwrap_or("?")));
        }
    }
    println!("{name}: {}/{total}", total - wrong.len());
    let shown = std::env::var("DRYGUARD_SHOW").ok().and_then(|n| n.parse().ok()).unwrap_or(10);
    assert!(
        wrong.is_empty(),
        "{} of {total} differ:\n{}",
        wrong.len(),
        wrong.iter().take(shown).cloned().collect::<Vec<_>>().join("\n")
    );
}

#[test]
fn accepts_conforms() {
    run("accepts", family_accepts);
}

#[test]
fn intents_conform() {
    run("intents", family_intents);
}
