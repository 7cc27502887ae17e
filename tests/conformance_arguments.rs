//! Runs the worked cases of the reference: family `arguments`.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test says how many cases agree, and stops on a broken one")]

use std::path::PathBuf;

use dryguard::catalog::schema::ToolSchema;
use dryguard::json::{self, Value};

/// A schema and arguments → valid and the coerced arguments; or the arguments at fault, and whether format characters are
/// among the reasons.
fn arguments(case: &Value<'_>) -> Result<(), String> {
    let field = |key: &str| case.get(key).ok_or_else(|| format!("no `{key}`"));
    let schema = ToolSchema::compile(field("schema")?).map_err(|error| error.to_string())?;
    let checked = schema.check(field("arguments")?);
    let expect = field("expect")?;
    if expect.get("valid").and_then(Value::as_bool) == Some(true) {
        if !checked.is_valid() {
            return Err(format!("should be valid: {:?} {:?}", checked.faults, checked.invisible));
        }
        let found = Value::Object(checked.arguments);
        return match expect.get("arguments") {
            Some(expected) if *expected == found => Ok(()),
            _ => Err(format!("coerced to {}", json::display(&found))),
        };
    }
    if checked.is_valid() {
        return Err("should be invalid".to_owned());
    }
    let mut at_fault: Vec<&str> = checked.faults.iter().map(|fault| fault.argument.as_str()).collect();
    at_fault.sort_unstable();
    at_fault.dedup();
    let expected: Vec<&str> = expect
        .get("arguments_at_fault")
        .and_then(Value::as_array)
        .unwrap_or_default()
        .iter()
        .filter_map(Value::as_str)
        .map(|name| if name == "the arguments are not a JSON object" { "" } else { name })
        .collect();
    if at_fault != expected {
        return Err(format!("at fault: {:?}", checked.faults));
    }
    let invisible = expect.get("invisible").and_then(Value::as_bool);
    if invisible == Some(checked.invisible.is_empty()) {
        return Err(format!("invisible: {:?}", checked.invisible));
    }
    Ok(())
}

/// Runs a family's cases, prints how many agree, and fails with the first few that don't.
fn run(family: &str, check: impl Fn(&Value<'_>) -> Result<(), String>) {
    let folder = std::env::var_os("DRYGUARD_CONFORMANCE")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"), PathBuf::from);
    let Ok(text) = std::fs::read_to_string(folder.join(format!("{family}.jsonl"))) else {
        println!("{family}: skipped, no cases in {}", folder.display());
        return;
    };
    let mut differing = Vec::new();
    let mut total = 0;
    for line in text.lines() {
        let case = json::parse(line).unwrap();
        total += 1;
        if let Err(reason) = check(&case) {
            differing.push(format!("{reason}\n    {line}"));
        }
    }
    println!("{family}: {}/{total}", total - differing.len());
    assert!(
        differing.is_empty(),
        "{} differ:\n{}",
        differing.len(),
        differing.iter().take(5).cloned().collect::<Vec<_>>().join("\n")
    );
}

#[test]
fn arguments_agree() {
    run("arguments", arguments);
}
