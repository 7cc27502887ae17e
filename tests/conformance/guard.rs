//! Whole decisions, and the dry run of gates.

use dryguard::catalog::load::{self, Format};
use dryguard::guard::{Guard, MadeCalls, Outcome};
use dryguard::json::{self, Object, Value};
use dryguard::knowledge::gates::{Success, dry_run};
use dryguard::transcript::ToolCall;
use dryguard::transcript::message::messages;

fn guard(catalog: &Value<'_>) -> Result<Guard, String> {
    let text = json::canonical(catalog);
    let loaded = load::from_text(&text, "case.json", Format::Json, None).map_err(|errors| errors.to_string())?;
    Ok(Guard::new(loaded.catalog))
}

fn made(facts: &Value<'_>) -> MadeCalls<'static> {
    let Some(calls) = facts.get("calls_made").and_then(Value::as_array) else { return MadeCalls::Unknown };
    let parse = |call: &Value<'_>| {
        let (name, arguments) = call.as_str()?.split_once('(')?;
        let arguments = json::parse(arguments.strip_suffix(')')?).ok()?.into_owned();
        Some(ToolCall { name: name.to_owned().into(), arguments, id: None })
    };
    MadeCalls::Given(calls.iter().map(|call| parse(call).expect("a made call is `tool({…})`")).collect())
}

/// Outcome, failed checks in order, evidence, and whether it escalated for want of a fact.
pub(crate) fn decisions(case: &Value<'_>) -> Result<(), String> {
    let get = |key: &str| case.get(key).cloned().unwrap_or_default();
    let guard = guard(&get("catalog"))?;
    let facts = get("facts");
    let call = ToolCall::parse(&get("call")).map_err(|error| error.to_string())?;
    let given = facts.as_object().cloned().unwrap_or_default();
    let decision = guard.decide(messages(get("context")), call, given, &made(&facts));

    let text = |text: &str| Value::String(text.to_owned().into());
    let failed = Value::Array(decision.failed().map(|check| text(&check.check)).collect());
    let evidence =
        decision.evidence.iter().map(|e| Value::Array(vec![text(&e.argument), text(&e.quote), text(e.role.as_str())]));
    let evidence = Value::Array(evidence.collect());
    let unevaluated = decision.outcome == Outcome::Escalate && decision.failed().len() == 0;

    let expect = get("expect");
    let expected = |key: &str| expect.get(key).cloned().unwrap_or_default();
    let quoted = expected("evidence");
    let expected_evidence = quoted.as_array().unwrap_or_default().iter().map(|entry| {
        let entry = entry.as_array().unwrap_or_default();
        Value::Array([0, 1, 4].iter().map(|i| entry.get(*i).cloned().unwrap_or_default()).collect())
    });
    let expected_evidence = Value::Array(expected_evidence.collect());
    let mut different = Vec::new();
    let mut compare = |what: &str, ours: &Value<'_>, theirs: &Value<'_>| {
        if ours != theirs {
            different.push(format!("{what}: ours {}, expected {}", json::display(ours), json::display(theirs)));
        }
    };
    compare("outcome", &text(decision.outcome.as_str()), &expected("outcome"));
    compare("failed", &failed, &expected("failed"));
    compare("evidence", &evidence, &expected_evidence);
    compare("unevaluated", &Value::Bool(unevaluated), &expected("unevaluated"));
    if different.is_empty() { Ok(()) } else { Err(different.join("; ")) }
}

/// The counts of a dry run.
pub(crate) fn gates(case: &Value<'_>) -> Result<(), String> {
    let get = |key: &str| case.get(key).cloned().unwrap_or_default();
    let facts = [("authenticated", "bool"), ("items_listed", "int"), ("status", "string")]
        .map(|(name, kind)| (name.into(), Value::String(kind.into())));
    let catalog = Value::Object(Object::from_members(vec![
        ("facts".into(), Value::Object(Object::from_members(facts.to_vec()))),
        ("gates".into(), get("gates")),
    ]));
    let guard = guard(&catalog)?;
    let (records, nothing) = (get("records"), Object::default());
    let successes = records.as_array().unwrap_or_default().iter().map(|record| Success {
        action: record.get("action").and_then(Value::as_str).unwrap_or_default(),
        facts: record.get("facts").and_then(Value::as_object).unwrap_or(&nothing),
    });
    let run = dry_run(&guard.catalog().gates, &guard.catalog().facts, successes);

    let number = |n: usize| Value::from_serde(&serde_json::json!(n));
    let counts = run.gates.iter().map(|gate| {
        let members = vec![
            ("applies".into(), number(gate.applies)),
            ("would_block".into(), number(gate.would_block)),
            ("share".into(), Value::from_serde(&serde_json::json!(gate.share))),
            ("examples".into(), Value::Array(gate.examples.iter().map(|n| number(*n)).collect())),
        ];
        (gate.name.clone().into(), Value::Object(Object::from_members(members)))
    });
    let ours = Value::Object(Object::from_members(vec![
        ("records".into(), number(run.records)),
        ("blocked_any".into(), number(run.blocked_any)),
        ("gates".into(), Value::Object(Object::from_members(counts.collect()))),
    ]));
    match ours == get("expect") {
        true => Ok(()),
        false => Err(format!("ours {}, expected {}", json::display(&ours), json::display(&get("expect")))),
    }
}
