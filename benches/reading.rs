//! How fast recordings are read: finding records (lines, elements of an array), and reading them against plain JSON.

#![expect(clippy::expect_used, reason = "a benchmark stops when it can't be set up")]

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use dryguard::json;
use dryguard::transcript::{ReadOptions, Reader, Reading};

/// A conversation like those of a support agent: policy, turns, calls, results that are JSON in a string.
fn conversation(number: usize) -> String {
    let mut messages =
        vec![serde_json::json!({"role": "system", "content": "As a retail agent, you can help users. ".repeat(150)})];
    for turn in 0..12 {
        let order = format!("#W{:07}", number * 31 + turn);
        let result = serde_json::json!({
            "order_id": order, "status": "pending",
            "items": (0..6).map(|i| serde_json::json!({"item_id": format!("{}", 1_000_000 + i * turn), "price": format!("{i}99.5"),
                "options": {"color": "black", "size": "15-inch", "note": "naïve – “quoted”"}})).collect::<Vec<_>>(),
        });
        let arguments = serde_json::json!({"order_id": order, "reason": "no longer needed"}).to_string();
        messages.extend([
            serde_json::json!({"role": "user", "content": format!("Please look at my order {order}, I don't need it any more.")}),
            serde_json::json!({"role": "assistant", "content": null, "tool_calls": [
                {"id": format!("call_{number}_{turn}"), "type": "function", "function": {"name": "get_order_details", "arguments": arguments}}]}),
            serde_json::json!({"role": "tool", "tool_call_id": format!("call_{number}_{turn}"), "content": result.to_string()}),
            serde_json::json!({"role": "assistant", "content": "Here is what I found about the order. Shall I cancel it? ".repeat(4)}),
        ]);
    }
    serde_json::json!({"id": format!("c{number}"), "messages": messages}).to_string()
}

fn read_all(file: &PathBuf, wants_transcripts: bool) -> usize {
    let Ok(mut reader) = Reader::open(std::slice::from_ref(file), ReadOptions::default()) else { return 0 };
    let mut count = 0;
    while let Some(batch) = reader.next_batch() {
        for record in batch.records() {
            count += match wants_transcripts.then(|| batch.read(record)) {
                None => 1,
                Some(Reading::Transcript(transcript)) => black_box(transcript).proposals.len(),
                Some(_) => 0,
            };
        }
    }
    count
}

fn reading(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let records: Vec<String> = (0..2_500).map(conversation).collect();
    let text = records.join("\n");
    let (lines, array) = (folder.path().join("d.jsonl"), folder.path().join("d.json"));
    std::fs::write(&lines, &text).expect("room for the file");
    std::fs::write(&array, format!("[{}]", records.join(",\n"))).expect("room for the file");

    let mut group = criterion.benchmark_group("reading");
    group.sample_size(10).measurement_time(Duration::from_secs(6)).throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("find records: lines", |b| b.iter(|| read_all(&lines, false)));
    group.bench_function("find records: array", |b| b.iter(|| read_all(&array, false)));
    group.bench_function("transcripts: lines", |b| b.iter(|| read_all(&lines, true)));
    group.bench_function("transcripts: array", |b| b.iter(|| read_all(&array, true)));
    group.bench_function("values: ours", |b| {
        b.iter_batched(
            || (),
            |()| records.iter().filter(|r| black_box(json::parse(r)).is_ok()).count(),
            BatchSize::PerIteration,
        );
    });
    group.bench_function("values: serde_json", |b| {
        b.iter(|| records.iter().filter(|r| black_box(serde_json::from_str::<serde_json::Value>(r)).is_ok()).count());
    });
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
