//! A whole run: reading, deciding, writing and counting the shipped conversations, many times over with ids of their own.
//!
//! `cargo bench --bench replay`. The throughput is that of the input, in one and in two threads; `read` is the same file
//! read as JSON values, line by line, by the same crate, for comparison.

use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use criterion::{Criterion, Throughput};
use dryguard::catalog::load;
use dryguard::evaluate::Tally;
use dryguard::guard::Guard;
use dryguard::json;
use dryguard::replay::Decided;
use dryguard::replay::engine::{self, Item, Options, Sink};
use dryguard::report::decisions::DecisionFormat;
use dryguard::transcript::Transcript;
use dryguard::transcript::reading::{ReadOptions, Reader};

const COPIES: usize = 200;

struct Counting {
    tally: Tally,
    written: usize,
}

impl Sink<(Decided, Vec<u8>)> for Counting {
    type Error = std::convert::Infallible;

    fn item(&mut self, item: Item<(Decided, Vec<u8>)>) -> Result<(), Self::Error> {
        if let Item::Done((decided, lines)) = item {
            self.tally.decided(&decided);
            self.written += lines.len();
        }
        Ok(())
    }
}

fn replay(guard: &Guard, file: &Path, jobs: usize) -> Result<usize, Box<dyn Error>> {
    let reader = Reader::open(&[file.to_owned()], ReadOptions::default())?;
    let mut sink = Counting { tally: Tally::new(guard.catalog()), written: 0 };
    let work = |transcript: &Transcript<'_>| {
        let decided = Decided::new(&guard.catalog().facts, transcript, guard.decide_all(transcript));
        let lines = DecisionFormat::JsonLines.write(transcript, &decided);
        (decided, lines)
    };
    engine::run(reader, Options { jobs, ..Options::default() }, &AtomicBool::new(false), &work, &mut sink)?;
    assert_eq!(sink.tally.summary.denominator.rejected.count, 0);
    Ok(sink.tally.summary.denominator.proposals + sink.written)
}

fn bench(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let shipped = std::fs::read_to_string(root.join("datasets/retail/handwritten.jsonl"))?;
    let text: String =
        (0..COPIES).map(|copy| shipped.replace("\"id\": \"retail/", &format!("\"id\": \"retail-{copy}/"))).collect();
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("transcripts.jsonl");
    std::fs::write(&file, &text)?;
    let guard = Guard::new(load::load(&root.join("scenarios/retail/catalog.toml"))?.catalog);

    replay(&guard, &file, 1)?;

    let mut group = criterion.benchmark_group("replay");
    group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
    group.bench_function("read", |b| b.iter(|| text.lines().filter(|line| black_box(json::parse(line)).is_ok()).count()));
    for jobs in [1, 2] {
        group.bench_function(format!("jobs-{jobs}"), |b| b.iter(|| black_box(replay(&guard, &file, jobs)).is_ok()));
    }
    group.finish();
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = Criterion::default().configure_from_args();
    bench(&mut criterion)?;
    criterion.final_summary();
    Ok(())
}
