//! The file being read: from chunks of bytes to records with their places.

use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use memchr::memchr_iter;

use crate::json::parse_bytes;
use crate::transcript::formats::Tasks;
use crate::transcript::{Format, Place};

use super::batch::{Batch, Body, FileFacts, RawRecord};
use super::files::Input;
use super::layout::{Beginning, survey};
use super::members::{Members, Step};
use super::source::{self, Source};
use super::split::{Found, Splitter};
use super::{ReadOptions, stem};

/// How much of a file is looked at first, in bytes; also the least that is read at once.
const CHUNK: usize = 64 << 10;

/// A file being read.
pub(super) struct Current {
    name: Arc<str>,
    facts: Arc<FileFacts>,
    source: Source,
    splitter: Splitter,
    /// Bytes that were read and belong to no batch yet: they begin with the unfinished record.
    carry: Vec<u8>,
    /// How many of them were searched.
    searched: usize,
    /// The unfinished record is too long: its bytes are dropped as they come, after this many.
    dropped: Option<Dropped>,
    /// The number of the next record, and the line (from 1) at which `carry` begins.
    record: usize,
    line: usize,
    /// All was read; why no more could be.
    ended: bool,
    failure: Option<String>,
}

/// A record that is too long, while its end is looked for.
struct Dropped {
    line: usize,
}

impl Current {
    /// Opens a file and looks at its beginning. What fails is a rejection in the file's place.
    pub(super) fn open(input: Input, read: &Arc<AtomicU64>, options: &ReadOptions) -> Current {
        let path = input.path.as_deref();
        let mut current = Current {
            name: path.map_or("-".into(), |path| path.to_string_lossy().into()),
            facts: Arc::new(FileFacts { stem: path.map_or("-".to_owned(), stem), ..FileFacts::default() }),
            source: Box::new(io::empty()),
            splitter: Splitter::Lines,
            carry: Vec::new(),
            searched: 0,
            dropped: None,
            record: 0,
            line: 1,
            ended: false,
            failure: None,
        };
        if let Err(error) = current.begin(path, read, options) {
            current.failure = Some(error.to_string());
            current.ended = true;
        }
        current
    }

    fn begin(&mut self, path: Option<&Path>, read: &Arc<AtomicU64>, options: &ReadOptions) -> io::Result<()> {
        self.source = source::open(path, read)?;
        let limit = options.max_record.saturating_add(CHUNK);
        let mut start = Start { source: &mut self.source, bytes: Vec::new(), ended: false, failure: None, limit };
        let opening = survey(&mut start);
        (self.carry, self.ended, self.failure) = (start.bytes, start.ended, start.failure);
        self.splitter = opening.splitter;
        if let Some(tasks) = opening.simulations {
            let tasks = match tasks {
                Some(tasks) => Some(tasks),
                None => self.tasks_behind(path, options),
            };
            let tasks = tasks.and_then(|tasks| parse_bytes(&tasks).ok().map(|tasks| Tasks::read(&tasks)));
            let stem = self.facts.stem.clone();
            self.facts = Arc::new(FileFacts { stem, tasks, format: Some(Format::Tau2Bench) });
        }
        let behind = self.carry.split_off(opening.from);
        self.line += lines(&self.carry);
        self.carry = behind;
        Ok(())
    }

    /// The `tasks` that stand behind the simulations: a file is read twice for them, other input is kept in memory.
    /// A second reading that fails leaves the reference solutions unknown.
    fn tasks_behind(&mut self, path: Option<&Path>, options: &ReadOptions) -> Option<Vec<u8>> {
        let mut again: Source = match path {
            Some(path) if path.is_file() => source::open(Some(path), &Arc::new(AtomicU64::new(0))).ok()?,
            _ => {
                let mut rest = Vec::new();
                if let Err(error) = self.source.read_to_end(&mut rest) {
                    self.failure = Some(error.to_string());
                }
                let all = [self.carry.as_slice(), rest.as_slice()].concat();
                self.source = Box::new(Cursor::new(rest));
                Box::new(Cursor::new(all))
            }
        };
        let mut walk = Members::to_tasks();
        let mut chunk = Vec::new();
        let mut at_start = true;
        loop {
            chunk.clear();
            let read = again.by_ref().take(options.batch_bytes.max(CHUNK) as u64).read_to_end(&mut chunk);
            let text = if at_start { chunk.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&chunk) } else { &chunk };
            if walk.feed(text) != Step::More || walk.tasks.is_some() || read.is_err() || chunk.is_empty() {
                return walk.tasks;
            }
            at_start = false;
        }
    }

    /// Reads on until the batch is full or the file ends; whether the batch is full and the file has more.
    pub(super) fn fill(&mut self, batch: &mut Batch, options: &ReadOptions) -> bool {
        let mut keep = batch.bytes.len();
        let mut from = keep + self.searched;
        // Lines are counted up to here.
        let mut counted = keep;
        batch.bytes.append(&mut self.carry);
        loop {
            match self.splitter.next(&batch.bytes, keep, from) {
                Found::Record { start, end, next } => {
                    self.line += lines_in(batch, counted, start);
                    self.found(batch, options, start, end);
                    (keep, from, counted) = (next, next, start);
                    if batch.has_enough_records() {
                        break;
                    }
                    continue;
                }
                Found::End { next } => {
                    // Behind the simulations come other members of the file's object, which may be anything.
                    if self.facts.format == Some(Format::Tau2Bench) {
                        self.finish(batch);
                        return false;
                    }
                    (keep, from) = (next, next);
                    self.splitter = Splitter::Over;
                    continue;
                }
                Found::Lost { at, reason } => {
                    self.line += lines_in(batch, counted, at);
                    self.lost(batch, reason);
                    return false;
                }
                Found::More { keep: unfinished } => keep = unfinished,
            }
            // The splitter has searched all that was read.
            from = batch.bytes.len();
            if self.dropped.is_some() || from - keep > options.max_record {
                let line = self.line + lines_in(batch, counted, keep);
                self.line += lines_in(batch, counted, from);
                self.dropped.get_or_insert(Dropped { line });
                batch.bytes.truncate(keep);
                // Something must stand for it, or its end would look like that of a blank line.
                batch.bytes.push(b'.');
                (from, counted) = (keep + 1, keep);
            }
            if self.ended {
                return self.end(batch, options, keep, counted);
            }
            if batch.is_full(options.batch_bytes) {
                break;
            }
            let wanted = options.batch_bytes.saturating_sub(batch.bytes.len()).max(CHUNK);
            match self.source.by_ref().take(wanted as u64).read_to_end(&mut batch.bytes) {
                Ok(count) => self.ended = count < wanted,
                Err(error) => (self.ended, self.failure) = (true, Some(error.to_string())),
            }
        }
        self.line += lines_in(batch, counted, keep);
        self.searched = from - keep;
        self.carry = batch.bytes.split_off(keep);
        true
    }

    /// The file has ended, with an unfinished record from `keep` on.
    fn end(&mut self, batch: &mut Batch, options: &ReadOptions, keep: usize, counted: usize) -> bool {
        if self.failure.is_none() {
            match self.splitter.finish(&batch.bytes, keep) {
                Found::Record { start, end, .. } => {
                    self.line += lines_in(batch, counted, start);
                    self.found(batch, options, start, end);
                }
                Found::Lost { at, reason } => {
                    self.line += lines_in(batch, counted, at);
                    self.lost(batch, reason);
                    return false;
                }
                Found::End { .. } | Found::More { .. } => {}
            }
        } else {
            self.line += lines_in(batch, counted, keep);
        }
        self.finish(batch);
        false
    }

    /// The last words on a file: why reading it stopped, or that it holds nothing.
    fn finish(&mut self, batch: &mut Batch) {
        // What is said here is about the file, not about an element.
        self.splitter = Splitter::Over;
        if let Some(failure) = self.failure.take() {
            self.reject(batch, self.line, format!("reading stopped, what follows is lost: {failure}"));
        } else if self.record == 0 {
            self.reject(batch, 1, "the file holds no records".to_owned());
        }
    }

    fn found(&mut self, batch: &mut Batch, options: &ReadOptions, start: usize, end: usize) {
        let dropped = self.dropped.take();
        if dropped.is_some() || end - start > options.max_record {
            let line = dropped.map_or(self.line, |dropped| dropped.line);
            self.reject(batch, line, format!("the record is longer than {} bytes (`--max-record`)", options.max_record));
            return;
        }
        let body = Body::Text { start, end, file: Arc::clone(&self.facts) };
        self.push(batch, self.line, body);
    }

    fn lost(&mut self, batch: &mut Batch, reason: &str) {
        let line = self.dropped.take().map_or(self.line, |dropped| dropped.line);
        self.reject(batch, line, format!("{reason}; the rest of the file can't be read"));
    }

    fn reject(&mut self, batch: &mut Batch, line: usize, reason: String) {
        self.push(batch, line, Body::Rejected(reason));
    }

    fn push(&mut self, batch: &mut Batch, line: usize, body: Body) {
        let place = Place { file: Arc::clone(&self.name), record: self.record, line };
        let element = self.splitter.counts_elements().then_some(self.record);
        batch.records.push(RawRecord { place, element, body });
        self.record += 1;
    }
}

/// The beginning of a file while its layout is looked for.
struct Start<'s> {
    source: &'s mut Source,
    bytes: Vec<u8>,
    ended: bool,
    failure: Option<String>,
    limit: usize,
}

impl Beginning for Start<'_> {
    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn more(&mut self) -> bool {
        let before = self.bytes.len();
        if self.ended || before > self.limit {
            return false;
        }
        // Each look at more takes as much again, so that looking stays linear.
        let wanted = before.clamp(CHUNK, 16 << 20);
        match self.source.by_ref().take(wanted as u64).read_to_end(&mut self.bytes) {
            Ok(count) => self.ended = count < wanted,
            Err(error) => (self.ended, self.failure) = (true, Some(error.to_string())),
        }
        self.bytes.len() > before
    }
}

fn lines(bytes: &[u8]) -> usize {
    memchr_iter(b'\n', bytes).count()
}

fn lines_in(batch: &Batch, from: usize, to: usize) -> usize {
    batch.bytes.get(from..to).map_or(0, lines)
}
