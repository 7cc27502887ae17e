//! A decision, rule by rule: the same conversation and call under a catalog that has one rule more than the schema.
//!
//! `cargo bench --bench guard`

#![expect(clippy::unwrap_used, reason = "a bench over fixed texts")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use dryguard::catalog::load::{self, Format};
use dryguard::guard::Guard;
use dryguard::json;
use dryguard::transcript::{Place, Record, Transcript, assemble};

const TOOL: &str = r#"
[tools.cancel_order]
schema = { type = "object", properties = { order_id = { type = "string" }, reason = { type = "string" } }, required = ["order_id"] }
"#;

/// What a rule adds to the tool, or after it.
const RULES: &[(&str, &str)] = &[
    ("schema alone", ""),
    ("arguments_grounded", "ground = { order_id = 'id' }\nground_from = ['user']"),
    ("arguments_from_user", "ground = ['order_id']\nground_from = ['user']\ntool_values = 'escalate'"),
    ("no_injected_arguments", "ground = ['order_id', 'reason']\nscan_user = true"),
    ("no_instructions_in_tool_outputs", "injections = 'any'"),
    ("not_made_before", "once = true"),
    ("user_confirmed", "confirm = { match = { order_id = 'id' } }"),
    ("request", "request = { intents = ['delete'] }"),
    ("policy", "[facts]\norders = 'list'\n[[policies]]\nname = 'owns'\nrequire = 'order_id in orders'"),
    (
        "policy over a fact from results",
        "[tools.get_order]\n[facts.status]\ntype = 'map'\nfrom = { tools = ['get_order'], key = 'result.id', value = 'result.status' }\n[[policies]]\nname = 'pending'\ntools = ['cancel_order']\nrequire = \"status[order_id] == 'pending'\"",
    ),
    ("gate", "[facts]\nknown = 'bool'\n[[gates]]\nname = 'first'\nblocks = ['cancel_*']\nrequire = 'known'"),
];

/// Twelve messages of a support conversation, about 2 KB, with a lookup and a cancellation.
fn conversation() -> String {
    let order = serde_json::json!({"id": "#W1001", "status": "pending", "items": (0..12).map(|i| serde_json::json!({"item": i, "name": "Desk lamp", "price": 49.5})).collect::<Vec<_>>()});
    let call = |id: &str, name: &str, arguments: serde_json::Value| serde_json::json!({"role": "assistant", "content": null, "tool_calls": [{"id": id, "type": "function", "function": {"name": name, "arguments": arguments.to_string()}}]});
    serde_json::json!([
        {"role": "system", "content": "You help the customers of a small shop. Ask before you change anything."},
        {"role": "user", "content": "Hi, I ordered two lamps and I no longer need them. The order is W1001, my name is Ann Miller."},
        {"role": "assistant", "content": "Thank you, Ann. Let me look the order up."},
        call("a", "get_order", serde_json::json!({"order_id": "#W1001"})),
        {"role": "tool", "tool_call_id": "a", "content": order.to_string()},
        {"role": "assistant", "content": "Order #W1001 is pending. Shall I cancel it, reason: no longer needed?"},
        {"role": "user", "content": "Yes, please go ahead."},
        call("b", "cancel_order", serde_json::json!({"order_id": "#W1001", "reason": "no longer needed"})),
        {"role": "tool", "tool_call_id": "b", "content": "cancelled"},
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": "Thanks!"},
    ])
    .to_string()
}

fn bench(criterion: &mut Criterion) {
    let text = conversation();
    let record = Record {
        messages: json::parse(&text).unwrap(),
        facts: json::parse(r##"{"orders": ["#W1000", "#W1001"], "known": true}"##).unwrap().as_object().cloned().unwrap(),
        ..Record::default()
    };
    let place = Place { file: "bench".into(), record: 0, line: 1 };
    let transcript: Transcript<'_> = assemble(record, place, || "bench:0".to_owned()).unwrap();
    let mut group = criterion.benchmark_group("decide a conversation of two calls");
    for (name, rule) in RULES {
        let loaded = load::from_text(&format!("{TOOL}{rule}\n"), "bench.toml", Format::Toml, None).unwrap();
        let guard = Guard::new(loaded.catalog);
        group.bench_function(*name, |bencher| bencher.iter(|| black_box(guard.decide_all(black_box(&transcript)))));
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
