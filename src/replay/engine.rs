//! The engine: batches of records through a pool of workers, results in the order of the input.
//!
//! A thread reads ahead, a pool works on a few batches at a time (so that no worker waits for the last record of a batch),
//! and the caller's thread takes in their results in order; channels of a few batches between them keep memory flat.
//! Workers share nothing that they write, and results arrive in the order of the input, so the output is the same whatever
//! the number of workers.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use rayon::ThreadPool;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::transcript::reading::{Batch, RawRecord, Reader, Reading};
use crate::transcript::{Place, Transcript};

use super::Repeats;

/// Batches that are read ahead of the one in work.
const READ_AHEAD: usize = 2;

/// Batches whose results the caller's thread has not begun to take in.
const IN_WORK: usize = 1;

/// How often a thread that waits looks whether the run was interrupted.
const LOOK: Duration = Duration::from_millis(50);

/// A worker's stack: recorded values nest, and expressions over them do.
const STACK: usize = 8 << 20;

/// How a run goes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options<'r> {
    /// How many workers; 0: as many as there are processors.
    pub jobs: usize,
    /// Stop after so many conversations.
    pub limit: Option<usize>,
    /// Records that aren't worked on because another one says all that they say.
    pub repeats: Option<&'r Repeats>,
}

/// What became of one record.
#[derive(Debug)]
pub enum Item<T> {
    /// A conversation, worked on.
    Done(T),
    /// A record of a run that crashed or never started.
    NotRun {
        /// What the record calls itself.
        id: Option<String>,
        /// Where it was read from.
        place: Place,
        /// Why there's nothing to judge.
        reason: String,
    },
    /// A record that another one repeats and goes on, or that says what an earlier one does.
    Merged(Place),
    /// A record that could not be read.
    Rejected {
        /// Where it was read from.
        place: Place,
        /// Why.
        reason: String,
    },
}

/// Takes in results, on the caller's thread.
pub trait Sink<T> {
    /// Why it can't go on.
    type Error;

    /// Takes the next record's result.
    ///
    /// # Errors
    /// Ends the run: its output can't be written.
    fn item(&mut self, item: Item<T>) -> Result<(), Self::Error>;

    /// Hears after each batch how many bytes of input are done with, in all.
    fn progress(&mut self, _bytes: u64) {}
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The input did, or the limit was reached.
    Complete,
    /// Somebody asked for it; what was handed to the sink is a beginning of the input.
    Interrupted,
}

/// Why a run ended before its input.
#[derive(Debug, thiserror::Error)]
pub enum Failed<E> {
    /// The threads could not be started.
    #[error("the workers could not be started: {0}")]
    Workers(String),
    /// The reading thread could not be started.
    #[error("the reading thread could not be started: {0}")]
    Thread(#[from] io::Error),
    /// The sink could not go on.
    #[error(transparent)]
    Sink(E),
}

/// Works on every conversation of `reader` in parallel and hands the results to `sink` in the order of the input.
///
/// When `stop` is set the batches in work are finished and handed over, then the run ends. A conversation in which `work`
/// panics becomes a rejected record that says so; the run goes on.
///
/// # Errors
/// Threads could not be started, or the sink failed.
pub fn run<T, W, S>(
    reader: Reader,
    options: Options<'_>,
    stop: &AtomicBool,
    work: &W,
    sink: &mut S,
) -> Result<Ended, Failed<S::Error>>
where
    T: Send,
    W: Fn(&Transcript<'_>) -> T + Sync,
    S: Sink<T>,
{
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs)
        .stack_size(STACK)
        .thread_name(|index| format!("worker {index}"))
        .build()
        .map_err(|error| Failed::Workers(error.to_string()))?;
    let batches = read_ahead(reader)?;
    // Ends the working thread: interrupted, limit reached, or the sink failed.
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (send, results) = sync_channel(IN_WORK);
        let worker = std::thread::Builder::new().name("batches".to_owned());
        let ended = worker.spawn_scoped(scope, || {
            let one = |batch: &Batch, record: &RawRecord| one(batch, record, options.repeats, work);
            work_through(&pool, batches, send, &one, &[stop, &enough])
        })?;
        let taken = take_in(&results, options.limit, sink);
        enough.store(true, Ordering::Relaxed);
        drop(results);
        let ended = ended.join().unwrap_or(Ended::Interrupted);
        // Reaching the limit is no interruption, whatever else happened.
        Ok(if taken? { Ended::Complete } else { ended })
    })
}

/// A batch and how many bytes were read with it.
struct Read {
    batch: Batch,
    bytes: u64,
}

/// Reads ahead on a thread of its own. It isn't waited for: it may be blocked by a pipe on which nothing comes any more.
fn read_ahead(mut reader: Reader) -> io::Result<Receiver<Read>> {
    let (send, receive) = sync_channel(READ_AHEAD);
    std::thread::Builder::new().name("reader".to_owned()).spawn(move || {
        while let Some(batch) = reader.next_batch() {
            let bytes = reader.bytes_read();
            if send.send(Read { batch, bytes }).is_err() {
                return;
            }
        }
    })?;
    Ok(receive)
}

/// What became of a batch's records, and how many bytes were read with it.
type Results<T> = (Vec<Item<T>>, u64);

/// Starts work on the batches in order; sends for each, in the same order, where its results will come.
fn work_through<T: Send, O: Fn(&Batch, &RawRecord) -> Item<T> + Sync>(
    pool: &ThreadPool,
    batches: Receiver<Read>,
    results: SyncSender<Receiver<Results<T>>>,
    one: &O,
    stops: &[&AtomicBool],
) -> Ended {
    pool.in_place_scope(|scope| {
        loop {
            if stops.iter().any(|stop| stop.load(Ordering::Relaxed)) {
                return Ended::Interrupted;
            }
            let Read { batch, bytes } = match batches.recv_timeout(LOOK) {
                Ok(read) => read,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ended::Complete,
            };
            let (send, receive) = sync_channel(1);
            if results.send(receive).is_err() {
                return Ended::Interrupted;
            }
            scope.spawn(move |_| {
                let items = batch.records().par_iter().map(|record| one(&batch, record)).collect();
                // Nobody listens any more when the sink has failed.
                let _ = send.send((items, bytes));
            });
        }
    })
}

fn one<T, W>(batch: &Batch, record: &RawRecord, repeats: Option<&Repeats>, work: &W) -> Item<T>
where
    W: Fn(&Transcript<'_>) -> T,
{
    let read = catch_unwind(AssertUnwindSafe(|| match batch.read(record) {
        Reading::Transcript(transcript) if repeats.is_some_and(|repeats| repeats.contain(&transcript)) => {
            Item::Merged(transcript.place)
        }
        Reading::Transcript(transcript) => Item::Done(work(&transcript)),
        Reading::NotRun { id, place, reason } => Item::NotRun { id: Some(id), place, reason },
        Reading::Rejected(rejected) => {
            let reason = match rejected.element {
                Some(element) => format!("element {element}: {}", rejected.reason),
                None => rejected.reason,
            };
            Item::Rejected { place: rejected.place, reason }
        }
    }));
    read.unwrap_or_else(|panic| Item::Rejected { place: record.place().clone(), reason: bug(panic.as_ref()) })
}

fn bug(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("a bug in dryguard, please report it with this record: {}", words.unwrap_or("a panic without words"))
}

/// Hands results to the sink until there are no more or the limit is reached; says whether it was reached.
fn take_in<T, S: Sink<T>>(
    results: &Receiver<Receiver<Results<T>>>,
    limit: Option<usize>,
    sink: &mut S,
) -> Result<bool, Failed<S::Error>> {
    let mut left = limit;
    while let Ok((items, bytes)) = results.recv().and_then(|batch| batch.recv()) {
        for item in items {
            if left == Some(0) {
                return Ok(true);
            }
            if let (Item::Done(_), Some(left)) = (&item, left.as_mut()) {
                *left -= 1;
            }
            sink.item(item).map_err(Failed::Sink)?;
        }
        sink.progress(bytes);
    }
    Ok(left == Some(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::reading::ReadOptions;
    use std::convert::Infallible;

    struct Collecting(Vec<String>);

    impl Sink<String> for Collecting {
        type Error = Infallible;

        fn item(&mut self, item: Item<String>) -> Result<(), Infallible> {
            self.0.push(match item {
                Item::Done(id) => id,
                Item::NotRun { .. } => "not run".to_owned(),
                Item::Merged(place) => format!("merged {}", place.record),
                Item::Rejected { place, reason } => format!("line {}: {reason}", place.line),
            });
            Ok(())
        }
    }

    fn ids(count: usize, options: Options, stop: bool) -> (Ended, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("data.jsonl");
        let record =
            |number| format!("{{\"id\": \"{number}\", \"messages\": [{{\"role\": \"user\", \"content\": \"hi\"}}]}}\n");
        std::fs::write(&file, (0..count).map(record).collect::<String>()).unwrap();
        let reader = Reader::open(&[file], ReadOptions { batch_bytes: 300, ..ReadOptions::default() }).unwrap();
        let work = |transcript: &Transcript<'_>| {
            assert_ne!(transcript.id, "5", "five is too much");
            transcript.id.clone()
        };
        let mut sink = Collecting(Vec::new());
        let ended = run(reader, options, &AtomicBool::new(stop), &work, &mut sink).unwrap();
        (ended, sink.0)
    }

    #[test]
    fn results_come_in_the_order_of_the_input_and_a_panic_loses_one_record() {
        let (ended, ids) = ids(40, Options { jobs: 4, ..Options::default() }, false);
        assert_eq!(ended, Ended::Complete);
        assert_eq!(ids.len(), 40);
        for (number, id) in ids.iter().enumerate() {
            if number == 5 {
                assert!(id.starts_with("line 6: a bug in dryguard") && id.contains("five is too much"), "{id}");
            } else {
                assert_eq!(*id, number.to_string());
            }
        }
    }

    #[test]
    fn a_limit_counts_what_was_worked_on_and_is_no_interruption() {
        let (ended, ids) = ids(40, Options { jobs: 2, limit: Some(7), ..Options::default() }, false);
        assert_eq!(ended, Ended::Complete);
        assert_eq!(ids.len(), 8);
        assert_eq!(ids.last().map(String::as_str), Some("7"));
    }

    #[test]
    fn a_stop_before_the_start_is_an_interruption() {
        assert_eq!(ids(40, Options::default(), true).0, Ended::Interrupted);
    }
}
