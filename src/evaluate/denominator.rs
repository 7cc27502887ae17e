//! What was read, before anything is said about it: every record is accounted for.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::transcript::{Oddities, Place, UnknownKey};

/// How many rejected and how many unrun records are listed; further ones are only counted, so that memory stays flat.
pub const LISTED: usize = 10_000;

/// What a run's figures are shares of.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Denominator {
    /// Files that held a record.
    pub files: usize,
    /// Records: conversations, those merged, those rejected, and those not run.
    pub records: usize,
    /// Records that could not be read.
    pub rejected: Listed,
    /// Records that another one repeats and goes on, or, in a log of requests, that an earlier one equals: what they say is
    /// judged once.
    pub merged: usize,
    /// Conversations recorded as requests to a model where repeats could not be looked for, because the input can be read
    /// only once.
    pub unmerged: usize,
    /// Records of a run that crashed or never started: nothing to judge.
    pub not_run: Listed,
    /// Conversations.
    pub conversations: usize,
    /// Conversations whose id an earlier one has.
    pub recurring_ids: usize,
    /// Conversations without a proposal.
    pub without_proposals: usize,
    /// Conversations without a tool's output: provenance has nothing to go by there.
    pub without_tool_messages: usize,
    /// Recorded messages.
    pub messages: usize,
    /// Proposals, hypothetical ones included.
    pub proposals: usize,
    /// Proposals that somebody adds to the record: the agent didn't make them.
    pub hypothetical: usize,
    /// Proposals that ran.
    pub made: usize,
    /// What was odd about the records.
    pub oddities: Oddities,
    /// Keys of the records that mean nothing here, by their place.
    pub unknown_keys: BTreeMap<String, UnknownKeys>,
}

/// How many different unknown keys are kept apart; further ones are not counted, so that memory stays flat.
const UNKNOWN_KEYS: usize = 100;

/// A key that means nothing in its place.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct UnknownKeys {
    /// How often it occurs.
    pub count: usize,
    /// The known key that it's nearest to.
    pub meant: Option<String>,
}

/// Records that are no conversations, counted, the first of them with place and reason.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Listed {
    /// All of them.
    pub count: usize,
    /// The first ones, in the order of the input.
    pub listed: Vec<Located>,
}

/// A record that is no conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Located {
    /// The file as it was named.
    pub file: String,
    /// The line that the record starts at, from 1.
    pub line: usize,
    /// What the record calls itself, where it could be read.
    pub id: Option<String>,
    /// Why.
    pub reason: String,
}

impl Located {
    /// A record by its place.
    pub fn new(place: &Place, id: Option<String>, reason: String) -> Located {
        Located { file: place.file.to_string(), line: place.line, id, reason }
    }
}

impl Listed {
    /// Counts one, and lists it while there's room.
    pub fn push(&mut self, record: Located) {
        self.count += 1;
        if self.listed.len() < LISTED {
            self.listed.push(record);
        }
    }

    fn merge(&mut self, later: Listed) {
        self.count += later.count;
        self.listed.extend(later.listed);
        self.listed.truncate(LISTED);
    }
}

impl Denominator {
    /// Adds another part's counts.
    pub fn merge(&mut self, later: Denominator) {
        self.files += later.files;
        self.records += later.records;
        self.rejected.merge(later.rejected);
        self.not_run.merge(later.not_run);
        self.merged += later.merged;
        self.unmerged += later.unmerged;
        self.conversations += later.conversations;
        self.recurring_ids += later.recurring_ids;
        self.without_proposals += later.without_proposals;
        self.without_tool_messages += later.without_tool_messages;
        self.messages += later.messages;
        self.proposals += later.proposals;
        self.hypothetical += later.hypothetical;
        self.made += later.made;
        self.oddities.add(&later.oddities);
        for (path, theirs) in later.unknown_keys {
            self.unknown_key(&path, &theirs);
        }
    }

    /// Counts keys that mean nothing.
    pub fn unknown_keys(&mut self, keys: &[UnknownKey]) {
        for key in keys {
            self.unknown_key(&key.path, &UnknownKeys { count: 1, meant: key.meant.clone() });
        }
    }

    fn unknown_key(&mut self, path: &str, more: &UnknownKeys) {
        if let Some(row) = self.unknown_keys.get_mut(path) {
            row.count += more.count;
        } else if self.unknown_keys.len() < UNKNOWN_KEYS {
            self.unknown_keys.insert(path.to_owned(), more.clone());
        }
    }
}
