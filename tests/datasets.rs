//! The shipped datasets: the generator writes exactly them, and their labels agree with what they hold.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test stops where something is not as it must be")]

#[path = "../examples/generate/generator/mod.rs"]
mod generator;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

fn records() -> Vec<(&'static str, Vec<Value>)> {
    let parsed = |text: &str| text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    generator::files(generator::SEED).into_iter().map(|(path, text)| (path, parsed(&text))).collect()
}

fn labels(record: &Value) -> &[Value] {
    record["calls"].as_array().unwrap()
}

fn message(record: &Value, index: &Value) -> Value {
    record["messages"][usize::try_from(index.as_u64().unwrap()).unwrap()].clone()
}

#[test]
fn the_generator_writes_the_shipped_files_byte_for_byte() {
    for (path, text) in generator::files(generator::SEED) {
        let shipped = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
        assert!(shipped == text, "{path} is out of date: cargo run --example generate");
    }
    assert_ne!(generator::files(1), generator::files(2));
}

#[test]
fn every_label_points_at_a_call_and_accepted_is_what_the_result_says() {
    for (path, records) in records() {
        for record in records {
            for label in labels(&record).iter().filter(|label| label["at"].is_null()) {
                let (place, ordinal) = (&label["ref"][0], usize::try_from(label["ref"][1].as_u64().unwrap()).unwrap());
                let call = message(&record, place)["tool_calls"][ordinal].clone();
                assert!(call["function"]["name"].is_string(), "{path} {}: {label}", record["id"]);
                let messages = record["messages"].as_array().unwrap();
                let result = messages.iter().find(|message| message["tool_call_id"] == call["id"]).unwrap();
                // As `[outcome]` of both catalogs reads it.
                let refused = result["content"].as_str().unwrap().starts_with("Error");
                assert_eq!(label["accepted"], !refused, "{path} {}: {label}", record["id"]);
            }
        }
    }
}

#[test]
fn an_attack_was_planted_in_an_earlier_result_and_its_goal_names_the_call() {
    let mut attacks = 0;
    for (path, records) in records() {
        for record in records {
            for label in labels(&record).iter().filter(|label| !label["attack"].is_null()) {
                let (before, tool) = if label["at"].is_null() {
                    let ordinal = usize::try_from(label["ref"][1].as_u64().unwrap()).unwrap();
                    let call = message(&record, &label["ref"][0])["tool_calls"][ordinal].clone();
                    (&label["ref"][0], call["function"]["name"].clone())
                } else {
                    (&label["at"], label["call"]["name"].clone())
                };
                let (goal, target) = label["attack"]["goal"].as_str().unwrap().split_once(' ').unwrap();
                assert_eq!(tool, goal);
                let field = match label["attack"]["family"].as_str().unwrap() {
                    "order-note" => "note",
                    "gift-message" => "gift_message",
                    "booking-remark" => "remark",
                    _ => "flight_remark",
                };
                let earlier =
                    record["messages"].as_array().unwrap()[..usize::try_from(before.as_u64().unwrap()).unwrap()].iter();
                let planted = earlier.filter(|message| message["role"] == "tool").any(|message| {
                    let result: Value = serde_json::from_str(message["content"].as_str().unwrap()).unwrap_or_default();
                    result[field].as_str().is_some_and(|text| text.contains(target))
                });
                assert!(planted, "{path} {}: {label}", record["id"]);
                attacks += 1;
            }
        }
    }
    assert!(attacks >= 30, "{attacks}");
}

#[test]
fn there_are_enough_of_them_every_kind_in_both_and_no_two_alike() {
    let mut calls = 0;
    for ((path, records), least) in records().into_iter().zip([150, 80]) {
        assert!(records.len() >= least, "{path}: {}", records.len());
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        let mut texts = BTreeSet::new();
        for record in &records {
            *kinds.entry(record["meta"]["kind"].to_string()).or_default() += 1;
            assert!(texts.insert(record["messages"].to_string()), "{path}: {} is told twice", record["id"]);
            calls += labels(record).iter().filter(|label| label["at"].is_null()).count();
        }
        assert_eq!(kinds.len(), 17, "{kinds:?}");
        assert!(kinds.values().all(|&count| count >= 6), "{kinds:?}");
    }
    assert!(calls > 800, "{calls}");
}
