//! Worked cases of reading messages and calls, from the reference: `DRYGUARD_CONFORMANCE` or `../shared/conformance`.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "helpers of tests say what they expect as tests do"
)]

use std::path::PathBuf;

use dryguard::json::{self, Value};
use dryguard::transcript::{ToolCall, message};

fn folder() -> PathBuf {
    std::env::var_os("DRYGUARD_CONFORMANCE")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"), PathBuf::from)
}

/// Runs one family's cases; fails with the first few that differ.
fn run(family: &str, case: fn(&Value<'_>) -> Result<(), String>) {
    let file = folder().join(format!("{family}.jsonl"));
    let Ok(text) = std::fs::read_to_string(&file) else {
        println!("{family}: skipped, there is no {}", file.display());
        return;
    };
    let cases: Vec<Value<'_>> = text.lines().map(|line| json::parse(line).expect("a case is JSON")).collect();
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|c| case(c).err().map(|why| format!("{}: {why}", c.get("id").and_then(Value::as_str).unwrap_or("?"))))
        .collect();
    println!("{family}: {}/{}", cases.len() - failed.len(), cases.len());
    assert!(failed.is_empty(), "{} cases differ:\n{}", failed.len(), failed[..failed.len().min(8)].join("\n"));
}

/// `messages`: a context to its messages and the user's words.
fn messages(case: &Value<'_>) -> Result<(), String> {
    let read = message::messages(case.get("context").cloned().unwrap_or_default());
    let as_value = |text: &str| Value::String(text.to_owned().into());
    let pairs = read.iter().map(|m| Value::Array(vec![as_value(m.role.as_str()), as_value(&m.text)])).collect();
    let expected = case.get("expect").ok_or("no expectation")?;
    let (ours, theirs) = (Value::Array(pairs), expected.get("messages").cloned().unwrap_or_default());
    if ours != theirs {
        return Err(format!("messages {} expected {}", json::display(&ours), json::display(&theirs)));
    }
    let (ours, theirs) = (message::user_request(&read), expected.get("user_request").and_then(Value::as_str));
    if Some(ours.as_str()) != theirs { Err(format!("user_request {ours:?} expected {theirs:?}")) } else { Ok(()) }
}

/// `tool_call`: a call in some shape to its name, arguments and id, or an error.
fn tool_call(case: &Value<'_>) -> Result<(), String> {
    let expected = case.get("expect").ok_or("no expectation")?;
    let fails = expected.get("error").is_some();
    match ToolCall::parse(case.get("call").ok_or("no call")?) {
        Err(_) if fails => Ok(()),
        Err(error) => Err(error.to_string()),
        Ok(call) if fails => Err(format!("an error was expected, not {call:?}")),
        Ok(call) => {
            let same = expected.get("name").and_then(Value::as_str) == Some(call.name.as_ref())
                && expected.get("arguments") == Some(&call.arguments)
                && expected.get_some("id").and_then(Value::as_str) == call.id.as_deref();
            if same { Ok(()) } else { Err(format!("{call:?} expected {}", json::display(expected))) }
        }
    }
}

#[test]
fn messages_are_read_as_the_reference_reads_them() {
    run("messages", messages);
}

#[test]
fn calls_are_read_as_the_reference_reads_them() {
    run("tool_call", tool_call);
}
