//! Reads a JSON Lines file as JSON values and drops them: what a replay is measured against.
//!
//! `cargo run --release --example read_values -- FILE.jsonl [--serde] [--jobs N]`

/// The allocator of the command, or the comparison would measure allocators.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use std::fs::File;
use std::io::Read;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

/// How much is read at once, as a replay does.
const PIECE: usize = 4 << 20;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let file = arguments.first().ok_or_else(|| anyhow::anyhow!("usage: read_values FILE.jsonl [--serde] [--jobs N]"))?;
    let serde = arguments.iter().any(|flag| flag == "--serde");
    let jobs = arguments.iter().skip_while(|flag| *flag != "--jobs").nth(1).map_or(Ok(0), |n| n.parse())?;
    rayon::ThreadPoolBuilder::new().num_threads(jobs).build_global()?;

    let (send, receive) = std::sync::mpsc::sync_channel::<Vec<u8>>(2);
    let mut file = File::open(file)?;
    let reader = std::thread::spawn(move || -> std::io::Result<()> {
        let mut rest: Vec<u8> = Vec::new();
        loop {
            let mut piece = std::mem::take(&mut rest);
            let read = (&mut file).take(PIECE as u64).read_to_end(&mut piece)?;
            if read > 0 {
                let end = memchr::memrchr(b'\n', &piece).map_or(0, |at| at + 1);
                rest = piece.split_off(end);
            }
            if piece.is_empty() && read == 0 || send.send(piece).is_err() {
                return Ok(());
            }
        }
    });
    let read = AtomicUsize::new(0);
    for piece in receive {
        let lines: Vec<&[u8]> = piece.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
        lines.par_iter().for_each(|line| {
            let ok = match serde {
                true => serde_json::from_slice::<serde_json::Value>(line).is_ok(),
                false => dryguard::json::parse_bytes(line).is_ok(),
            };
            read.fetch_add(usize::from(ok), Ordering::Relaxed);
        });
    }
    reader.join().map_err(|_| anyhow::anyhow!("the reader stopped"))??;
    anyhow::ensure!(read.load(Ordering::Relaxed) > 0, "no line is JSON");
    Ok(())
}
