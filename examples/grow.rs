//! Makes a large file of transcripts from a τ-bench result file, for measuring: copies with distinct ids, each with one value
//! (the customer's id) changed throughout.
//!
//! `cargo run --release --example grow -- RESULTS.json[.gz] MEGABYTES OUT.jsonl [--array]`

use std::fs::File;
use std::io::{BufWriter, Read, Write};

use flate2::read::MultiGzDecoder;
use serde_json::{Value, json};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, megabytes, out, rest @ ..] = arguments.as_slice() else {
        anyhow::bail!("usage: grow RESULTS.json[.gz] MEGABYTES OUT.jsonl [--array]");
    };
    let array = rest.iter().any(|flag| flag == "--array");
    let size = megabytes.parse::<usize>()? * 1_000_000;

    let mut text = Vec::new();
    let file = File::open(input)?;
    if input.ends_with(".gz") {
        MultiGzDecoder::new(file).read_to_end(&mut text)?
    } else {
        { file }.read_to_end(&mut text)?
    };
    let results: Vec<Value> = serde_json::from_slice(&text)?;
    let records: Vec<(String, String)> = results
        .iter()
        .filter_map(|result| {
            let user = result.pointer("/info/task/user_id")?.as_str()?.to_owned();
            Some((user, serde_json::to_string(&json!({"id": "CONVERSATION", "messages": result.get("traj")?})).ok()?))
        })
        .collect();
    anyhow::ensure!(!records.is_empty(), "no result has a customer's id");

    let mut out = BufWriter::new(File::create(out)?);
    let (mut written, mut copy) = (0, 0);
    if array {
        out.write_all(b"[\n")?;
    }
    'all: loop {
        for (ordinal, (user, record)) in records.iter().enumerate() {
            let line = record
                .replacen("CONVERSATION", &format!("copy-{copy}/{ordinal}"), 1)
                .replace(user, &format!("{user}_{copy}"));
            if array && written > 0 {
                out.write_all(b",\n")?;
            }
            out.write_all(line.as_bytes())?;
            if !array {
                out.write_all(b"\n")?;
            }
            written += line.len() + 1;
            if written >= size {
                break 'all;
            }
        }
        copy += 1;
    }
    if array {
        out.write_all(b"\n]\n")?;
    }
    out.flush()?;
    Ok(())
}
