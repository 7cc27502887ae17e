//! A batch: text with the places of the records in it, and the reading of one record.

use std::fmt;
use std::sync::Arc;

use crate::json::parse_bytes;
use crate::transcript::formats::{Parsed, Surroundings, Tasks};
use crate::transcript::{Format, Place, Transcript, assemble};

/// How many records a batch holds at most: what is kept about a record can be more than its text.
const MOST_RECORDS: usize = 32 << 10;

/// Some records in the order of their files, with the text they are in.
#[derive(Debug)]
pub struct Batch {
    pub(super) bytes: Vec<u8>,
    pub(super) records: Vec<RawRecord>,
    format: Option<Format>,
}

/// A record that was found and not yet read.
#[derive(Debug)]
pub struct RawRecord {
    pub(super) place: Place,
    pub(super) element: Option<usize>,
    pub(super) body: Body,
}

#[derive(Debug)]
pub(super) enum Body {
    /// Its text's place in the batch, and the file that it's from.
    Text { start: usize, end: usize, file: Arc<FileFacts> },
    /// Finding it failed.
    Rejected(String),
}

/// What a file says about all of its records.
#[derive(Debug, Default)]
pub(super) struct FileFacts {
    pub stem: String,
    pub tasks: Option<Tasks>,
    /// The format that the file's layout gives away.
    pub format: Option<Format>,
}

/// What a record turned out to be.
#[derive(Debug)]
pub enum Reading<'a> {
    /// A conversation.
    Transcript(Box<Transcript<'a>>),
    /// A recording that crashed before it began: counted, never judged.
    NotRun {
        /// The record's identity.
        id: String,
        /// Where it was read from.
        place: Place,
        /// Why, in the record's words.
        reason: String,
    },
    /// No conversation.
    Rejected(Rejected),
}

/// A record, or the rest of a file, that can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// Where it stands.
    pub place: Place,
    /// Which element of its array it is, from 0.
    pub element: Option<usize>,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.element {
            Some(element) => write!(f, "{} (element {element}): {}", self.place, self.reason),
            None => write!(f, "{}: {}", self.place, self.reason),
        }
    }
}

impl RawRecord {
    /// Where the record stands.
    pub fn place(&self) -> &Place {
        &self.place
    }

    fn rejected(&self, reason: String) -> Reading<'static> {
        Reading::Rejected(Rejected { place: self.place.clone(), element: self.element, reason })
    }
}

impl Batch {
    pub(super) fn new(format: Option<Format>, capacity: usize) -> Self {
        Batch { bytes: Vec::with_capacity(capacity), records: Vec::new(), format }
    }

    /// Whether the batch has the size that's aimed at.
    pub(super) fn is_full(&self, batch_bytes: usize) -> bool {
        self.bytes.len() >= batch_bytes && !self.records.is_empty() || self.has_enough_records()
    }

    /// Whether the batch has as many records as it may have, however short they are.
    pub(super) fn has_enough_records(&self) -> bool {
        self.records.len() >= MOST_RECORDS
    }

    /// How much text the batch holds, in bytes.
    pub fn text_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The records in the order of their files.
    pub fn records(&self) -> &[RawRecord] {
        &self.records
    }

    /// Reads a record of this batch. Batches can be shared: read records in parallel.
    pub fn read<'a>(&'a self, record: &RawRecord) -> Reading<'a> {
        let (text, file) = match &record.body {
            Body::Rejected(reason) => return record.rejected(reason.clone()),
            Body::Text { start, end, file } => (self.bytes.get(*start..*end).unwrap_or_default(), file),
        };
        let value = match parse_bytes(text) {
            Ok(value) => value,
            Err(error) => return record.rejected(format!("no valid JSON: {error} of the record")),
        };
        let Some(format) = self.format.or(file.format).or_else(|| Format::recognise(&value)) else {
            return record.rejected(format!(
                "no conversation in this {}: a record is an object with `messages` (or `request` and `response`, or `traj`), or a \
                 list of messages",
                value.kind()
            ));
        };
        let name = || format!("{}:{}", file.stem, record.place.record);
        let around = Surroundings { stem: &file.stem, tasks: file.tasks.as_ref() };
        let read = format.parse(value, around).and_then(|parsed| match parsed {
            Parsed::Record(parts) => {
                let transcript = assemble(*parts, record.place.clone(), name)?;
                Ok(Reading::Transcript(Box::new(transcript)))
            }
            Parsed::NotRun { id, reason } => {
                Ok(Reading::NotRun { id: id.unwrap_or_else(name), place: record.place.clone(), reason })
            }
        });
        read.unwrap_or_else(|error| record.rejected(error.to_string()))
    }
}
