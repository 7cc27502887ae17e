//! How long the check of one call's arguments takes.

#![expect(clippy::unwrap_used, reason = "a bench over fixed texts")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use dryguard::catalog::schema::ToolSchema;
use dryguard::json::parse;

const SCHEMA: &str = r#"{"type": "object", "properties": {
    "order_id": {"type": "string", "description": "Such as #W0000000."},
    "reason": {"type": "string", "enum": ["no longer needed", "ordered by mistake"]},
    "amount": {"type": "number", "minimum": 0},
    "items": {"type": "array", "items": {"type": "string"}},
    "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null}},
    "required": ["order_id", "reason", "amount", "items"]}"#;

fn check(c: &mut Criterion) {
    let schema = ToolSchema::compile(&parse(SCHEMA).unwrap()).unwrap();
    let mut group = c.benchmark_group("schema");
    for (name, arguments) in [
        (
            "valid",
            r##"{"order_id": "#W5442520", "reason": "no longer needed", "amount": 250.50, "items": ["1008292230", "4107812777"], "note": "by mail"}"##,
        ),
        (
            "coerced",
            r##"{"order_id": "#W5442520", "reason": "no longer needed", "amount": "250.50", "items": ["1008292230"]}"##,
        ),
        ("invalid", r##"{"order_id": "#W5442520", "reason": "because", "amount": -1, "items": [], "extra": 1}"##),
    ] {
        let arguments = parse(arguments).unwrap();
        group.bench_function(name, |b| b.iter(|| schema.check(black_box(&arguments))));
    }
    let parsed = parse(SCHEMA).unwrap();
    group.bench_function("compile", |b| b.iter(|| ToolSchema::compile(black_box(&parsed))));
    group.finish();
}

criterion_group!(benches, check);
criterion_main!(benches);
