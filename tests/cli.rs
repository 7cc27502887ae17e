//! The command as a whole: what it writes where, and with which status it ends.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use serde_json::Value;

/// A folder with a catalog and recorded conversations, and the command run in it.
struct Bench {
    folder: tempfile::TempDir,
}

const CATALOG: &str = r#"
dryguard = 1
name = "shop"

[facts]
spent_today = "number"

[tools.get_order]
changes = false
schema = { type = "object", properties = { order_id = { type = "string" } }, required = ["order_id"] }

[tools.pay]
changes = true
ground = ["amount"]
schema = { type = "object", properties = { amount = { type = "number" } }, required = ["amount"] }

[[policies]]
name = "limit"
tools = ["pay"]
require = "amount <= 100.0"
reason = "More than 100 a day is too much."

[outcome]
refused = "result_text.startsWith('Error')"
"#;

/// A conversation in which an order is looked up and then so much is paid.
fn conversation(id: &str, amount: &str) -> String {
    let call = |name: &str, arguments: &str| {
        let function = serde_json::json!({"name": name, "arguments": arguments});
        serde_json::json!({"role": "assistant", "content": null, "tool_calls": [{"id": name, "type": "function", "function": function}]})
    };
    let amount_argument = format!("{{\"amount\": {amount}}}");
    let messages = serde_json::json!([
        {"role": "user", "content": format!("Please look at order W1 and pay {amount} for it.")},
        call("get_order", r#"{"order_id": "W1"}"#),
        {"role": "tool", "tool_call_id": "get_order", "content": "{\"total\": 12}"},
        call("pay", &amount_argument),
        {"role": "tool", "tool_call_id": "pay", "content": "paid"},
    ]);
    serde_json::json!({"id": id, "messages": messages, "success": true}).to_string()
}

impl Bench {
    fn new() -> Bench {
        let bench = Bench { folder: tempfile::tempdir().unwrap() };
        bench.write("shop.toml", CATALOG);
        bench
    }

    /// With a file of `count` conversations; every fifth pays too much.
    fn with_conversations(count: usize) -> Bench {
        let bench = Bench::new();
        let amount = |number: usize| if number % 5 == 4 { "150.50" } else { "50" };
        let lines: Vec<String> = (0..count).map(|number| conversation(&format!("c/{number}"), amount(number))).collect();
        bench.write("data.jsonl", &(lines.join("\n") + "\n"));
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("dryguard");
        command.current_dir(self.folder.path()).env_remove("NO_COLOR").args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Assert {
        self.command(arguments).assert()
    }

    /// The JSON on standard output of a run that ends so.
    fn json(&self, status: i32, arguments: &[&str]) -> Value {
        let assert = self.run(&[arguments, &["--format", "json"]].concat()).code(status);
        serde_json::from_slice(&assert.get_output().stdout).unwrap()
    }
}

fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

#[test]
fn a_run_says_what_the_catalog_would_have_done() {
    let bench = Bench::with_conversations(10);
    let summary = bench.json(0, &["replay", "data.jsonl", "-c", "shop.toml"]);
    assert_eq!(summary["denominator"]["conversations"], 10);
    assert_eq!(summary["denominator"]["proposals"], 20);
    assert_eq!(summary["outcomes"]["changing"], serde_json::json!({"allow": 8, "escalate": 0, "deny": 2}));
    assert_eq!(summary["outcomes"]["reading"], serde_json::json!({"allow": 10, "escalate": 0, "deny": 0}));
    assert_eq!(summary["checks"]["limit"]["failed"], 2);
    assert_eq!(summary["checks"]["limit"]["sole"]["honest"], 2);
    assert_eq!(summary["facts_never_given"], serde_json::json!(["spent_today"]));
    assert_eq!(summary["deviations"]["made_but_stopped"], 2);
    assert_eq!(summary["conversations"]["false_block"], 2);
}

#[test]
fn the_text_is_for_people_and_without_colour_in_a_file() {
    let bench = Bench::with_conversations(10);
    let run = bench.run(&["replay", "data.jsonl", "-c", "shop.toml"]).code(0);
    let text = stdout(&run);
    assert!(text.contains("20 proposed calls in 10 conversations"), "{text}");
    assert!(text.contains("1 fact was never given: `spent_today`"), "{text}");
    assert!(!text.contains('\u{1b}'));
    let coloured = bench.run(&["replay", "data.jsonl", "-c", "shop.toml", "--color", "always"]).code(0);
    assert!(stdout(&coloured).contains('\u{1b}'));
}

#[test]
fn the_bytes_are_the_same_whatever_the_number_of_jobs() {
    let bench = Bench::with_conversations(300);
    let mut outputs = Vec::new();
    for jobs in ["1", "2", "7"] {
        let run = bench
            .run(&[
                "replay",
                "data.jsonl",
                "-c",
                "shop.toml",
                "--jobs",
                jobs,
                "--out",
                "d.jsonl",
                "--report",
                "json=s.json",
                "--report",
                "text=s.txt",
            ])
            .code(0);
        bench.run(&["replay", "data.jsonl", "-c", "shop.toml", "--jobs", jobs, "--out", "d.csv"]).code(0);
        outputs.push([stdout(&run), bench.read("d.jsonl"), bench.read("s.json"), bench.read("s.txt"), bench.read("d.csv")]);
    }
    assert_eq!(outputs[0], outputs[1]);
    assert_eq!(outputs[0], outputs[2]);
    assert_eq!(outputs[0][1].lines().count(), 601);
    assert_eq!(outputs[0][0], outputs[0][3]);
}

#[test]
fn every_decision_is_a_line() {
    let bench = Bench::with_conversations(5);
    bench.run(&["replay", "data.jsonl", "-c", "shop.toml", "--out", "d.jsonl", "--quiet"]).code(0);
    let lines: Vec<Value> = bench.read("d.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["dryguard_decisions"], 1);
    assert_eq!(lines[0]["catalog"]["name"], "shop");
    let last = &lines[10];
    assert_eq!(last["id"], "c/4");
    assert_eq!(last["ref"], serde_json::json!([3, 0]));
    assert_eq!(last["outcome"], "deny");
    assert_eq!(last["failed"], serde_json::json!(["limit"]));
    assert_eq!(last["deviation"], "first");
    assert_eq!(last["class"], "honest");
    assert_eq!(last["accepted"], true);
    assert_eq!(last["evidence"][0]["quote"], "150.50");
    assert_eq!(last["evidence"][0]["role"], "user");
    assert!(bench.read("d.jsonl").contains("{\"amount\":150.50}"));
}

#[test]
fn a_record_that_cannot_be_read_is_named_and_counts() {
    let bench = Bench::with_conversations(4);
    bench.write("data.jsonl", &format!("{}{{\"messages\": [\n{}", bench.read("data.jsonl"), conversation("last", "1")));
    let run = bench.run(&["replay", "data.jsonl", "-c", "shop.toml"]).code(3);
    assert!(stderr(&run).contains("data.jsonl:5: "), "{}", stderr(&run));
    let summary = bench.json(3, &["replay", "data.jsonl", "-c", "shop.toml"]);
    assert_eq!(summary["denominator"]["rejected"]["count"], 1);
    assert_eq!(summary["denominator"]["rejected"]["listed"][0]["line"], 5);
    assert_eq!(summary["denominator"]["conversations"], 5);
    bench.run(&["replay", "data.jsonl", "-c", "shop.toml", "--allow-rejected", "1"]).code(0);
    bench.run(&["replay", "data.jsonl", "-c", "shop.toml", "--allow-rejected", "20%"]).code(0);
    bench.run(&["replay", "data.jsonl", "-c", "shop.toml", "--allow-rejected", "5%"]).code(3);
}

#[test]
fn nothing_is_silently_empty() {
    let bench = Bench::new();
    bench.write("none.jsonl", "");
    bench.write("talk.jsonl", "{\"messages\": [{\"role\": \"user\", \"content\": \"hello\"}]}\n");
    bench.run(&["replay", "none.jsonl", "-c", "shop.toml"]).code(3);
    bench.run(&["replay", "missing.jsonl", "-c", "shop.toml"]).code(3);
    bench.run(&["replay", "talk.jsonl", "-c", "shop.toml"]).code(4);
    bench.write("broken.jsonl", "{\"messages\": [{\"role\": \"user\", \"content\": \"hello\"}]}\n{\n");
    bench.run(&["replay", "broken.jsonl", "-c", "shop.toml"]).code(3);
    bench.run(&["replay", "broken.jsonl", "-c", "shop.toml", "--allow-rejected", "1"]).code(4);
    let error = bench.json(4, &["replay", "talk.jsonl", "-c", "shop.toml", "--out", "d.jsonl"]);
    assert_eq!(error["exit"], 4);
    assert!(error["error"].as_str().unwrap().contains("no tool call"));
    assert!(!bench.path("d.jsonl").exists());
}

#[test]
fn what_is_wrong_with_the_command_line_or_the_catalog_is_a_2() {
    let bench = Bench::with_conversations(1);
    bench.write("wrong.toml", "dryguard = 1\nnmae = \"x\"\n");
    let run = bench.run(&["replay", "data.jsonl", "-c", "wrong.toml"]).code(2);
    assert!(stderr(&run).contains("nmae"), "{}", stderr(&run));
    let error = bench.json(2, &["replay", "data.jsonl", "-c", "wrong.toml"]);
    assert!(error["error"].as_str().unwrap().contains("nmae"));
    bench.run(&["replay", "data.jsonl", "-c", "missing.toml"]).code(2);
    bench.run(&["replay", "data.jsonl", "-c", "shop.toml", "--out", "d.txt"]).code(2);
    bench.run(&["replay", "data.jsonl", "-c", "shop.toml", "--out", "none/d.csv"]).code(2);
    bench.run(&["replay", "data.jsonl", "-c", "shop.toml", "--report", "pdf=x"]).code(2);
    bench.run(&["replay", "data.jsonl", "-c", "shop.toml", "--out", "data.jsonl"]).code(2);
    for without_catalog in [&["--out", "d.jsonl"][..], &["--tools", "tools.json", "--out", "d.jsonl"]] {
        bench.write("tools.json", r#"[{"name": "pay"}]"#);
        let run = bench.run(&[&["replay", "data.jsonl"], without_catalog].concat()).code(2);
        assert!(stderr(&run).contains("add `-c CATALOG`"), "{}", stderr(&run));
    }
    bench.write("tools.json", "[]");
    let run = bench.run(&["replay", "data.jsonl", "--tools", "tools.json"]).code(2);
    assert!(stderr(&run).contains("it defines no tool"), "{}", stderr(&run));
    let run = bench.run(&["replay", "data.jsonl", "--tools", "shop.toml"]).code(2);
    assert!(stderr(&run).contains("a catalog goes with `replay -c`"), "{}", stderr(&run));
    bench.run(&["replay"]).code(2);
    let error = bench.json(2, &["replay"]);
    assert_eq!(error["exit"], 2);
    bench.run(&["--help"]).code(0);
    assert_eq!(bench.read("data.jsonl").lines().count(), 1);
}

#[test]
fn deny_warnings_minds_what_is_loud() {
    let bench = Bench::with_conversations(5);
    bench.run(&["replay", "data.jsonl", "-c", "shop.toml", "--deny-warnings"]).code(1);
    bench.write("shop.toml", &CATALOG.replace("[facts]\nspent_today = \"number\"\n", ""));
    bench.run(&["replay", "data.jsonl", "-c", "shop.toml", "--deny-warnings"]).code(0);
}

#[test]
fn strict_stops_at_the_first_record_that_cannot_be_read() {
    let bench = Bench::with_conversations(3);
    bench.write("data.jsonl", &format!("{}\nno JSON\n", bench.read("data.jsonl").trim_end()));
    let error = bench.json(3, &["replay", "data.jsonl", "-c", "shop.toml", "--strict", "--out", "d.jsonl"]);
    assert!(error["error"].as_str().unwrap().contains("data.jsonl:4"), "{error}");
    assert!(!bench.path("d.jsonl").exists(), "nothing is written");
}

#[test]
fn a_limit_counts_conversations() {
    let bench = Bench::with_conversations(50);
    let summary = bench.json(0, &["replay", "data.jsonl", "-c", "shop.toml", "--limit", "7"]);
    assert_eq!(summary["denominator"]["conversations"], 7);
    assert_eq!(summary["interrupted"], false);
}

#[test]
fn standard_input_is_a_dash() {
    let bench = Bench::with_conversations(3);
    let run = bench.command(&["replay", "-", "-c", "shop.toml"]).write_stdin(bench.read("data.jsonl")).assert().code(0);
    assert!(stdout(&run).contains("6 proposed calls in 3 conversations"));
}

#[test]
fn without_a_catalog_values_have_origins() {
    let bench = Bench::with_conversations(5);
    bench.write(
        "tools.json",
        r#"[{"type": "function", "function": {"name": "pay", "parameters": {"type": "object", "properties": {"amount": {"type": "integer"}}}}}]"#,
    );
    let summary = bench.json(0, &["replay", "data.jsonl", "--tools", "tools.json"]);
    let tools = &summary["provenance"]["tools"];
    assert_eq!(tools["pay"]["arguments"]["amount"]["user"], 5);
    assert_eq!(tools["pay"]["valid"], 4);
    assert_eq!(tools["pay"]["invalid"], 1);
    assert_eq!(tools["get_order"]["undefined"], 5);
    let run = bench.run(&["replay", "data.jsonl"]).code(0);
    assert!(stdout(&run).contains("get_order.order_id"));
}

/// A log of the requests that one conversation makes, each with its response.
fn request_log(id: &str) -> String {
    let call = serde_json::json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": id, "type": "function", "function": {"name": "pay", "arguments": "{\"amount\": 12}"}}]});
    let user = serde_json::json!({"role": "user", "content": format!("Pay 12 for {id}")});
    let result = serde_json::json!({"role": "tool", "tool_call_id": id, "content": "paid"});
    let pair = |messages: &[&Value], response: &Value| {
        let tools = [serde_json::json!({"type": "function", "function": {"name": "pay", "parameters": {
            "type": "object", "properties": {"amount": {"type": "integer"}}}}})];
        serde_json::json!({"request": {"model": "m", "messages": messages, "tools": tools},
            "response": {"choices": [{"message": response}]}})
        .to_string()
    };
    let done = serde_json::json!({"role": "assistant", "content": "It's paid."});
    format!("{}\n{}\n", pair(&[&user], &call), pair(&[&user, &call, &result], &done))
}

#[test]
fn a_growing_conversation_is_counted_once() {
    let bench = Bench::new();
    fs::create_dir(bench.path("logs")).unwrap();
    bench.write("logs/monday.jsonl", &(request_log("A1") + &request_log("A2")));
    // Sent once more the next day.
    bench.write("logs/tuesday.jsonl", &request_log("A2"));
    bench.write(
        "tools.json",
        r#"[{"name": "pay", "parameters": {"type": "object", "properties": {"amount": {"type": "string"}}}}]"#,
    );
    for jobs in ["1", "2"] {
        let summary = bench.json(0, &["replay", "logs", "--tools", "tools.json", "--jobs", jobs]);
        let denominator = &summary["denominator"];
        assert_eq!((&denominator["records"], &denominator["merged"]), (&Value::from(6), &Value::from(4)));
        assert_eq!((&denominator["conversations"], &denominator["proposals"]), (&Value::from(2), &Value::from(2)));
        // The definitions that the user names count, not the recorded ones.
        assert_eq!(summary["provenance"]["tools"]["pay"]["invalid"], 2);
        let summary = bench.json(0, &["replay", "logs", "--jobs", jobs]);
        assert_eq!(summary["provenance"]["tools"]["pay"]["valid"], 2);
    }
    let run = bench.run(&["replay", "logs", "-c", "shop.toml", "--out", "d.jsonl"]).code(0);
    assert!(stdout(&run).contains("records that another one repeats (merged)  4"));
    assert_eq!(bench.read("d.jsonl").lines().count(), 1 + 2);
}

#[test]
fn a_log_on_standard_input_cannot_be_merged_and_says_so() {
    let bench = Bench::new();
    let run = bench.command(&["replay", "-", "-c", "shop.toml"]).write_stdin(request_log("A1")).assert().code(0);
    assert!(stdout(&run).contains("from 2 records"));
    assert!(stdout(&run).contains("read once"), "{}", stdout(&run));
}

#[test]
fn real_request_logs_are_grouped_into_their_conversations() {
    let shared = std::env::var_os("DRYGUARD_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    for (format, requests) in [("openai-chat", 30), ("anthropic-messages", 24)] {
        let folder = shared.join("data/formats").join(format);
        if !folder.is_dir() {
            println!("skipped: there is no {}", folder.display());
            continue;
        }
        let bench = Bench::new();
        let mut records = 0;
        for file in fs::read_dir(folder).unwrap() {
            let file = file.unwrap().path();
            let summary = bench.json(0, &["replay", file.to_str().unwrap()]);
            assert_eq!(
                summary["denominator"]["conversations"],
                1,
                "a file is a test of one conversation: {}",
                file.display()
            );
            records += summary["denominator"]["records"].as_u64().unwrap();
        }
        assert_eq!(records, requests);
    }
}

#[test]
fn recorded_text_does_not_speak_to_the_terminal() {
    let bench = Bench::new();
    let evil = conversation("evil \u{1b}]0;owned\u{7}", "5").replace("get_order", "get\\u001b[2Jorder");
    bench.write("data.jsonl", &(evil + "\n{\"id\": \"\u{9b}31m\", \n"));
    for format in ["text", "json"] {
        let run = bench.run(&["replay", "data.jsonl", "-c", "shop.toml", "--format", format, "--out", "d.jsonl"]);
        let all = stdout(&run) + &stderr(&run) + &bench.read("d.jsonl");
        assert!(!all.chars().any(|c| c.is_control() && c != '\n'), "{all:?}");
    }
}

#[test]
fn who_closes_the_pipe_has_seen_enough() {
    let bench = Bench::with_conversations(50);
    let program = assert_cmd::cargo::cargo_bin!("dryguard");
    let mut child = std::process::Command::new(program)
        .current_dir(bench.folder.path())
        .args(["replay", "data.jsonl", "-c", "shop.toml", "--format", "json"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_well() {
    use std::io::Write;
    let bench = Bench::with_conversations(3);
    bench.write("d.jsonl", "old");
    let program = assert_cmd::cargo::cargo_bin!("dryguard");
    let mut child = std::process::Command::new(program)
        .current_dir(bench.folder.path())
        .args(["replay", "-", "-c", "shop.toml", "--format", "json", "--out", "d.jsonl"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // A pipe on which nothing comes any more.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(bench.read("data.jsonl").as_bytes()).unwrap();
    stdin.flush().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["interrupted"], true);
    assert_eq!(bench.read("d.jsonl"), "old");
    assert!(bench.read("d.jsonl.partial").starts_with("{\"dryguard_decisions\":1"));
    drop(stdin);
}

#[test]
fn the_catalog_command_checks_and_shows() {
    let bench = Bench::new();
    bench.run(&["catalog", "check", "shop.toml"]).code(0);
    let run = bench.run(&["catalog", "show", "shop.toml", "pay"]).code(0);
    assert!(stdout(&run).contains("limit"));
    bench.run(&["catalog", "show", "shop.toml", "none"]).code(2);
    bench.write("wrong.toml", "dryguard = 1\nnmae = \"x\"\n");
    bench.run(&["catalog", "check", "wrong.toml"]).code(2);
}

#[test]
fn an_outcome_that_nobody_expected_is_status_1() {
    let bench = Bench::new();
    let expecting = |outcome: &str| {
        let mut record: Value = serde_json::from_str(&conversation("c/1", "50")).unwrap();
        record["calls"] = serde_json::json!([{"ref": [3, 0], "expect": outcome}]);
        record.to_string() + "\n"
    };
    bench.write("data.jsonl", &expecting("allow"));
    assert_eq!(bench.json(0, &["replay", "data.jsonl", "-c", "shop.toml"])["expected"]["met"], 1);
    bench.write("data.jsonl", &expecting("deny"));
    assert_eq!(bench.json(1, &["replay", "data.jsonl", "-c", "shop.toml"])["expected"]["unmet"], 1);
}

#[test]
fn a_misspelt_key_of_a_record_is_said() {
    let bench = Bench::new();
    let mut record: Value = serde_json::from_str(&conversation("c/1", "50")).unwrap();
    record["sucess"] = true.into();
    record["model"] = "m-1".into();
    record["calls"] = serde_json::json!([{"ref": [3, 0], "authorised": true, "note": "seen"}]);
    bench.write("data.jsonl", &(record.to_string() + "\n"));
    let summary = bench.json(0, &["replay", "data.jsonl", "-c", "shop.toml"]);
    let expected = serde_json::json!({
        "calls[].authorised": {"count": 1, "meant": "authorized"},
        "sucess": {"count": 1, "meant": "success"},
    });
    assert_eq!(summary["denominator"]["unknown_keys"], expected);
    let text = stdout(&bench.run(&["replay", "data.jsonl", "-c", "shop.toml"]));
    let line = "2 keys of the records mean nothing here: `calls[].authorised` (1 time; is `authorized` meant?), `sucess` (1 time; is `success` meant?)";
    assert!(text.contains(line), "{text}");
}

#[test]
fn a_misspelt_fact_is_said() {
    let bench = Bench::new();
    let mut record: Value = serde_json::from_str(&conversation("c/1", "50")).unwrap();
    record["facts"] = serde_json::json!({"spend_today": 10, "colour_of_the_office": "green"});
    bench.write("data.jsonl", &(record.to_string() + "\n"));
    let text = stdout(&bench.run(&["replay", "data.jsonl", "-c", "shop.toml"]));
    let line = "1 key of the records means nothing here: `facts.spend_today` (1 time; is `spent_today` meant?)";
    assert!(text.contains(line), "{text}");
}

#[test]
fn a_tool_without_a_schema_is_said() {
    let bench = Bench::with_conversations(1);
    bench.write("tools.json", r#"[{"name": "other"}]"#);
    let text = stdout(&bench.run(&["replay", "data.jsonl", "--tools", "tools.json"]));
    assert!(text.contains("2 called tools have no schema, so arguments could not be checked: `get_order`, `pay`"), "{text}");
}

#[test]
fn a_doubtful_catalog_can_be_refused() {
    let bench = Bench::new();
    bench.write("empty.toml", "name = 'empty'\n");
    bench.run(&["catalog", "check", "empty.toml"]).code(0);
    bench.run(&["catalog", "check", "empty.toml", "--deny-warnings"]).code(1);
    bench.run(&["catalog", "check", "shop.toml", "--deny-warnings"]).code(0);
}

#[test]
fn the_shipped_conversations_are_judged_as_their_author_expects() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let run = assert_cmd::cargo::cargo_bin_cmd!("dryguard")
        .current_dir(root)
        .args(["replay", "datasets/retail", "-c", "scenarios/retail/catalog.toml", "--format", "json"])
        .assert()
        .code(0);
    let summary: Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(summary["denominator"]["conversations"], 201);
    assert_eq!(summary["expected"]["met"], 24);
    assert_eq!(summary["expected"]["unmet"], 0, "{:#}", summary["expected"]);
}
