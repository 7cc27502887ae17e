//! `catalog init`: a draft loads, costs no more than it may, and says what it left out.
#![cfg(test)]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::assert::Assert;
use serde_json::{Value, json};
use tempfile::TempDir;

const TOOLS: &str = r#"[{"type": "function", "function": {"name": "cancel_order", "parameters": {"type": "object",
    "properties": {"order_id": {"type": "string"}, "reason": {"enum": ["late", "other"]}, "note": {"type": "string"}}}}}]"#;

fn run(folder: &Path, arguments: &[&str]) -> Assert {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("dryguard");
    command.current_dir(folder).args(["catalog", "init"]).args(arguments).assert()
}

fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// A customer names an order; the agent cancels it with a note of its own.
fn conversation(number: usize, said: &str, arguments: &Value) -> String {
    let function = json!({"name": "cancel_order", "arguments": arguments.to_string()});
    let messages = json!([
        {"role": "user", "content": said},
        {"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "a", "content": "cancelled"},
    ]);
    json!({"id": format!("c{number}"), "messages": messages}).to_string()
}

/// Twenty customers name their order; the agent's note stands nowhere.
fn record(folder: &Path, more: &[String]) {
    let each = |number: usize| {
        let arguments = json!({"order_id": format!("W{number}17"), "reason": "late", "note": format!("remark {number}")});
        conversation(number, &format!("Cancel W{number}17."), &arguments)
    };
    let lines: Vec<String> = (1..=20).map(each).chain(more.iter().cloned()).collect();
    fs::write(folder.join("log.jsonl"), lines.join("\n") + "\n").unwrap();
    fs::write(folder.join("tools.json"), TOOLS).unwrap();
}

fn folder(more: &[String]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), more);
    folder
}

/// The lines of the draft that aren't comments, without what stands behind `#`.
fn rules(draft: &str) -> Vec<String> {
    let code = |line: &str| line.split("  #").next().unwrap_or_default().trim().to_owned();
    draft.lines().filter(|line| !line.starts_with('#')).map(code).filter(|line| !line.is_empty()).collect()
}

#[test]
fn what_users_always_name_is_grounded_and_what_nobody_writes_is_left_out_with_its_cost() {
    let folder = folder(&[]);
    run(folder.path(), &["log.jsonl", "--tools", "tools.json", "--out", "draft.toml"]).code(0);
    let draft = fs::read_to_string(folder.path().join("draft.toml")).unwrap();
    let rules = rules(&draft);
    assert!(rules.contains(&"changes = true".to_owned()), "{draft}");
    assert!(rules.contains(&"ground = { order_id = \"nocase\" }".to_owned()), "{draft}");
    assert!(rules.contains(&"ground_from = [\"user\"]".to_owned()), "{draft}");
    assert!(draft.contains("# left out: ground = { note = "), "{draft}");
    assert!(draft.contains("# reason: of 20 values"), "{draft}");
    assert!(draft.contains("one of a fixed list, so not grounded"), "{draft}");
    assert!(draft.contains("stops none of 20 calls"), "{draft}");
}

#[test]
fn an_argument_that_a_call_invented_is_in_no_rule() {
    let invented = json!({"order_id": "W9", "reason": "late", "staff_only": "yes"});
    let folder = folder(&[conversation(21, "Cancel W9.", &invented)]);
    let run = run(folder.path(), &["log.jsonl", "--tools", "tools.json", "--max-cost", "10%"]).code(0);
    let draft = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert!(!rules(&draft).iter().any(|line| line.contains("staff_only")), "{draft}");
    assert!(draft.contains("# staff_only: of 1 value"), "{draft}");
    assert!(draft.contains("not in its schema, so no rule can name it"), "{draft}");
}

#[test]
fn a_value_at_a_path_that_a_call_invented_is_in_no_rule() {
    let folder = tempfile::tempdir().unwrap();
    let tools = r#"[{"name": "cancel_order", "parameters": {"type": "object", "additionalProperties": true, "properties": {"lines":
        {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}}, "who": {"type": "object"}}}}]"#;
    let arguments = json!({"lines": [{"sku": "S1", "colour": "S1"}], "who": {"name": "S1"}, "more": "S1"});
    fs::write(folder.path().join("log.jsonl"), conversation(1, "Cancel S1.", &arguments)).unwrap();
    fs::write(folder.path().join("tools.json"), tools).unwrap();
    let run = run(folder.path(), &["log.jsonl", "--tools", "tools.json"]).code(0);
    let draft = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let ground = r#"ground = { "lines[].sku" = "nocase", "who.name" = "nocase" }"#;
    assert!(rules(&draft).iter().any(|line| line == ground), "{draft}");
}

#[test]
fn drafts_of_the_shipped_datasets_load_and_stop_no_more_than_they_may() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    for name in ["retail", "airline"] {
        let folder = tempfile::tempdir().unwrap();
        let (data, tools) = (root.join("datasets").join(name), root.join("scenarios").join(name).join("tools.json"));
        let draft = folder.path().join("draft.toml");
        let paths = [&data, &tools, &draft].map(|path| path.to_str().unwrap().to_owned());
        let [data, tools, draft] = paths.each_ref().map(String::as_str);
        run(&root, &[data, "--tools", tools, "--out", draft, "--max-cost", "2%"]).code(0);
        let mut replay = assert_cmd::cargo::cargo_bin_cmd!("dryguard");
        let replay = replay.args(["replay", data, "-c", draft, "--format", "json"]).assert();
        let summary: Value = serde_json::from_slice(&replay.get_output().stdout).unwrap();
        let of = |outcome: &str| -> u64 {
            let kinds = ["changing", "reading", "unknown"];
            let at = |kind: &&str| summary.pointer(&format!("/outcomes/{kind}/{outcome}")).and_then(Value::as_u64).unwrap();
            kinds.iter().map(at).sum()
        };
        let written = fs::read_to_string(draft).unwrap();
        assert!(rules(&written).iter().any(|line| line.starts_with("ground = {")), "{written}");
        let (allowed, stopped) = (of("allow"), of("escalate") + of("deny"));
        assert!(allowed > 300 && stopped * 50 <= allowed + stopped, "{name}: {stopped} stopped, {allowed} allowed");
    }
}

#[test]
fn the_same_record_gives_the_same_draft_whatever_the_number_of_jobs() {
    let folder = folder(&[]);
    let draft = |jobs: &str| {
        let run = run(folder.path(), &["log.jsonl", "--tools", "tools.json", "--jobs", jobs]).code(0);
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    assert!(draft("1").contains("[tools.cancel_order]"));
    assert_eq!(draft("1"), draft("3"));
}

#[test]
fn what_cannot_be_drafted_says_why() {
    let folder = folder(&[]);
    let stdin = run(folder.path(), &["-"]).code(2);
    assert!(stderr(&stdin).contains("give a file instead of `-`"), "{}", stderr(&stdin));
    let json = run(folder.path(), &["log.jsonl", "--format", "json"]).code(2);
    let said = String::from_utf8(json.get_output().stdout.clone()).unwrap();
    assert!(said.contains("a draft is a catalog in TOML"), "{said}");
    for cost in ["x", "-1%", "101%", "NaN"] {
        run(folder.path(), &["log.jsonl", &format!("--max-cost={cost}")]).code(2);
    }
    fs::write(folder.path().join("idle.jsonl"), "{\"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]}\n").unwrap();
    let idle = run(folder.path(), &["idle.jsonl"]).code(4);
    assert!(stderr(&idle).contains("nothing to draft from"), "{}", stderr(&idle));
}

#[test]
fn the_record_is_never_overwritten() {
    let folder = folder(&[]);
    let before = fs::read(folder.path().join("log.jsonl")).unwrap();
    run(folder.path(), &["log.jsonl", "--out", "log.jsonl"]).code(2);
    assert_eq!(fs::read(folder.path().join("log.jsonl")).unwrap(), before);
}

#[test]
fn nobody_gives_a_schema_and_the_rules_still_load() {
    let folder = folder(&[]);
    let run = run(folder.path(), &["log.jsonl"]).code(0);
    let draft = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert!(draft.contains("# any arguments are taken: nobody gives its schema"), "{draft}");
    fs::write(folder.path().join("draft.toml"), &draft).unwrap();
    let mut check = assert_cmd::cargo::cargo_bin_cmd!("dryguard");
    check.current_dir(folder.path()).args(["catalog", "check", "draft.toml"]).assert().code(0);
}

#[test]
fn how_results_speak_of_refusals_is_guessed_and_marked() {
    let folder = folder(&[]);
    let log = fs::read_to_string(folder.path().join("log.jsonl")).unwrap();
    let refused = log.replacen(r#""content":"cancelled""#, r#""content":"Error: already sent""#, 3);
    fs::write(folder.path().join("log.jsonl"), refused).unwrap();
    let run = run(folder.path(), &["log.jsonl", "--tools", "tools.json"]).code(0);
    let draft = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert!(draft.contains("# guess: 3 of 20 results begin so\nrefused = \"result_text.startsWith('Error')\""), "{draft}");
}
