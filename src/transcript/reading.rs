//! Finding records in files: compression, folders, JSON Lines and the elements of arrays, in batches.
//!
//! A [`Reader`] finds where records begin and end, nothing more, and hands them out in batches of some megabytes; reading a
//! record (JSON, format, transcript) happens in [`Batch::read`], which any thread may call. Memory stays flat: a file is
//! never held, a record is held once.
//!
//! What goes wrong stays local. A line, or an element of an array, that is no record is rejected alone; where the array's
//! own structure is lost, or reading fails, the rest of that file is one rejection, and the next file follows.

mod batch;
mod current;
mod files;
mod layout;
mod members;
mod scan;
mod source;
mod split;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use batch::{Batch, RawRecord, Reading, Rejected};

use super::Format;
use current::Current;
use files::Input;

/// How files are read.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// The format of every record; nothing: each is recognised.
    pub format: Option<Format>,
    /// Longer records are skipped and rejected, in bytes.
    pub max_record: usize,
    /// How much text a batch aims at, in bytes; at least one record is in it.
    pub batch_bytes: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { format: None, max_record: 64 << 20, batch_bytes: 512 << 10 }
    }
}

/// Why reading can't begin.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A path can't be looked at.
    #[error("can't read `{}`: {error}", path.display())]
    Io {
        /// The path as it was named.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
    /// A folder without a file to read.
    #[error("`{}` holds no file that ends in .json, .jsonl or .ndjson (or these with .gz or .zst)", path.display())]
    EmptyFolder {
        /// The folder as it was named.
        path: PathBuf,
    },
    /// No path was given.
    #[error("nothing to read: name files or folders, or `-` for standard input")]
    NoPaths,
}

/// Reads files, one after the other, in batches of records.
///
/// ```no_run
/// use dryguard::transcript::{ReadOptions, Reader, Reading};
///
/// let mut reader = Reader::open(&["conversations.jsonl.gz".into()], ReadOptions::default())?;
/// while let Some(batch) = reader.next_batch() {
///     for record in batch.records() {
///         if let Reading::Transcript(transcript) = batch.read(record) {
///             assert!(transcript.proposals.len() < 1000);
///         }
///     }
/// }
/// # Ok::<(), dryguard::transcript::ReadError>(())
/// ```
pub struct Reader {
    inputs: std::vec::IntoIter<Input>,
    current: Option<Current>,
    options: ReadOptions,
    total: Option<u64>,
    read: Arc<AtomicU64>,
}

impl Reader {
    /// Looks at the paths: files as they are, folders with all the files of known endings in them, `-` for standard input.
    ///
    /// # Errors
    /// There's no path, one doesn't exist, or a folder has no file of a known ending.
    pub fn open(paths: &[PathBuf], options: ReadOptions) -> Result<Reader, ReadError> {
        let inputs = files::collect(paths)?;
        let total = inputs.iter().map(|input| input.bytes).sum();
        Ok(Reader { inputs: inputs.into_iter(), current: None, options, total, read: Arc::new(AtomicU64::new(0)) })
    }

    /// The size of all files as stored, in bytes; nothing when that isn't known (standard input).
    pub fn total_bytes(&self) -> Option<u64> {
        self.total
    }

    /// How much was read of the files as stored, in bytes.
    pub fn bytes_read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// The next batch, with one record at least; nothing when all files are read.
    pub fn next_batch(&mut self) -> Option<Batch> {
        let mut batch = Batch::new(self.options.format, self.options.batch_bytes);
        while !batch.is_full(self.options.batch_bytes) {
            let mut current = match self.current.take() {
                Some(current) => current,
                None => match self.inputs.next() {
                    Some(input) => Current::open(input, &self.read, &self.options),
                    None => break,
                },
            };
            if current.fill(&mut batch, &self.options) {
                self.current = Some(current);
                break;
            }
        }
        (!batch.records().is_empty()).then_some(batch)
    }
}

/// A file's name without folders, compression and format endings: `runs/retail.json.gz` is `retail`.
fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let mut stem = name.as_ref();
    for ending in files::COMPRESSIONS {
        stem = stem.strip_suffix(ending).unwrap_or(stem);
    }
    for ending in files::FORMATS {
        stem = stem.strip_suffix(ending).unwrap_or(stem);
    }
    stem.to_owned()
}

const _: fn() = || {
    fn send<T: Send>() {}
    fn sync<T: Sync>() {}
    send::<Reader>();
    send::<Batch>();
    sync::<Batch>();
};
