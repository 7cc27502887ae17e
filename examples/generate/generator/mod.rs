//! Tells stories of customers, agents and planted instructions, and writes them down with labels that the story knows.

#![expect(clippy::indexing_slicing, reason = "the generator indexes records that it has just made")]

mod airline;
mod phrases;
mod retail;
mod rng;
mod story;
mod talk;
mod world;

use rng::Rng;
use story::Kind;
use world::Domain;

/// The seed of the files that ship.
pub(crate) const SEED: u64 = 20_261_207;

/// The files and their texts. Each domain has its own stream of random numbers.
pub(crate) fn files(seed: u64) -> Vec<(&'static str, String)> {
    vec![
        ("datasets/retail/transcripts.jsonl", told(&retail::Shop, &mut Rng::new(seed), 11)),
        ("datasets/airline/transcripts.jsonl", told(&airline::Airline, &mut Rng::new(seed + 1), 6)),
    ]
}

fn told(domain: &dyn Domain, rng: &mut Rng, rounds: usize) -> String {
    let mut lines = String::new();
    for round in 0..rounds {
        for (place, &kind) in Kind::ALL.iter().enumerate() {
            let number = round * Kind::ALL.len() + place + 1;
            lines.push_str(&story::tell(domain, kind, number, round, rng).to_string());
            lines.push('\n');
        }
    }
    lines
}
