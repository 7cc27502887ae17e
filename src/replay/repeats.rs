//! Logs of a growing conversation: which records another one repeats and goes on.
//!
//! A log of requests to a model holds a conversation many times, each time a little longer. Judged one by one its calls
//! would be counted as often as they were sent; so only the longest record of a conversation is judged, and the others are
//! counted as merged (docs/adr/0006).
//!
//! What is compared is what was said: roles, texts and calls, in order; ids, models and settings are not. A record is
//! merged when all that it says is the beginning of what another one says, or, in a log of requests, when it says the same
//! as an earlier record. Its calls are therefore all judged, in the same context.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::sync::atomic::AtomicBool;

use sha2::{Digest as _, Sha256};

use crate::json::canonical;
use crate::transcript::reading::{Reader, Reading};
use crate::transcript::{Place, Role, Transcript};

use super::engine::{self, Failed, Item, Options, Sink};

/// How much of the input is looked at for signs of a growing conversation, in bytes of text.
const SAMPLE: usize = 8 << 20;

/// A hash of all that was said up to a point. Whoever could make two beginnings collide could hide a call: so it's a
/// cryptographic one, cut to 128 bits.
type Link = [u8; 16];

/// Which records say nothing that another one doesn't.
#[derive(Debug, Default)]
pub struct Repeats {
    /// Beginnings after which some record goes on.
    continued: HashSet<Link>,
    /// Where a whole conversation of a log is first recorded.
    first: HashMap<Link, Place>,
}

impl Repeats {
    /// Looks through the data that `open` opens for records that others repeat. Nothing where the data shows no sign of a
    /// growing conversation in its first megabytes: then it isn't read to the end.
    ///
    /// `progress` hears how many bytes are done with.
    ///
    /// # Errors
    /// The data can't be opened, or threads could not be started.
    pub fn find<E: From<Failed<Infallible>>>(
        open: impl Fn() -> Result<Reader, E>,
        jobs: usize,
        stop: &AtomicBool,
        progress: impl FnMut(u64),
    ) -> Result<Option<Repeats>, E> {
        if !Repeats::in_beginning(open()?) {
            return Ok(None);
        }
        let mut finding = Finding { repeats: Repeats::default(), progress };
        engine::run(open()?, Options { jobs, ..Options::default() }, stop, &Said::of, &mut finding)?;
        Ok(Some(finding.repeats))
    }

    /// Whether the beginning of the data has a request in it, or a record that repeats another.
    fn in_beginning(mut reader: Reader) -> bool {
        let mut repeats = Repeats::default();
        let mut wholes = Vec::new();
        let mut left = SAMPLE;
        while let Some(batch) = reader.next_batch() {
            for record in batch.records() {
                let Reading::Transcript(transcript) = batch.read(record) else { continue };
                if transcript.is_log {
                    return true;
                }
                if let Some(said) = Said::of(&transcript) {
                    wholes.extend(said.links.last().copied());
                    repeats.add(said);
                }
            }
            left = left.saturating_sub(batch.text_bytes());
            if left == 0 {
                break;
            }
        }
        wholes.iter().any(|whole| repeats.continued.contains(whole))
    }

    /// Whether another record says all that this one does.
    pub fn contain(&self, transcript: &Transcript<'_>) -> bool {
        let Some(Said { links, place, is_log }) = Said::of(transcript) else { return false };
        let Some(whole) = links.last() else { return false };
        self.continued.contains(whole) || is_log && self.first.get(whole).is_some_and(|first| *first != place)
    }

    fn add(&mut self, said: Said) {
        let Some((whole, beginnings)) = said.links.split_last() else { return };
        self.continued.extend(beginnings);
        if said.is_log {
            self.first.entry(*whole).or_insert(said.place);
        }
    }
}

struct Finding<P> {
    repeats: Repeats,
    progress: P,
}

impl<P: FnMut(u64)> Sink<Option<Said>> for Finding<P> {
    type Error = Infallible;

    fn item(&mut self, item: Item<Option<Said>>) -> Result<(), Infallible> {
        if let Item::Done(Some(said)) = item {
            self.repeats.add(said);
        }
        Ok(())
    }

    fn progress(&mut self, bytes: u64) {
        (self.progress)(bytes);
    }
}

/// All that a record says.
struct Said {
    /// After each text and each call: the hash of all so far.
    links: Vec<Link>,
    is_log: bool,
    place: Place,
}

impl Said {
    /// Of a record that another one may repeat.
    fn of(transcript: &Transcript<'_>) -> Option<Said> {
        if !transcript.may_repeat {
            return None;
        }
        let mut chain = Chain::default();
        let mut calls = transcript.proposals.iter().peekable();
        let mut messages = transcript.messages.iter().peekable();
        loop {
            // A message's texts come before its calls, whether or not they were recorded as one message.
            let before = calls.peek().map_or(usize::MAX, |call| call.at);
            if let Some(message) = messages.next_if(|message| message.recorded <= before) {
                chain.text(message.role, &message.text);
            } else if let Some(proposal) = calls.next() {
                chain.call(&proposal.call.name, &canonical(&proposal.call.arguments));
            } else {
                break;
            }
        }
        Some(Said { links: chain.links, is_log: transcript.is_log, place: transcript.place.clone() })
    }
}

#[derive(Default)]
struct Chain {
    links: Vec<Link>,
}

impl Chain {
    fn text(&mut self, role: Role, text: &str) {
        let said = if role == Role::Assistant { without_thoughts(text) } else { text };
        if !said.is_empty() {
            self.add(role.as_str(), &[said]);
        }
    }

    fn call(&mut self, name: &str, arguments: &str) {
        self.add("call", &[name, arguments]);
    }

    /// Lengths keep the parts apart.
    fn add(&mut self, kind: &str, parts: &[&str]) {
        let mut hash = Sha256::new();
        hash.update(self.links.last().copied().unwrap_or_default());
        for part in [&[kind], parts].concat() {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let mut link = Link::default();
        link.iter_mut().zip(hash.finalize()).for_each(|(to, from)| *to = from);
        self.links.push(link);
    }
}

/// What an assistant said, without the thoughts that some clients write before it when they repeat the conversation.
fn without_thoughts(text: &str) -> &str {
    let thoughts = text.trim_start().strip_prefix("<think>").and_then(|rest| rest.split_once("</think>"));
    thoughts.map_or(text, |(_, said)| said).trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::reading::ReadOptions;

    /// The numbers of the records that are merged.
    fn merged(records: &[&str]) -> Vec<usize> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("log.jsonl");
        std::fs::write(&file, records.join("\n")).unwrap();
        let open =
            || Ok::<_, Failed<Infallible>>(Reader::open(std::slice::from_ref(&file), ReadOptions::default()).unwrap());
        let repeats = Repeats::find(open, 2, &AtomicBool::new(false), |_| {}).unwrap().unwrap_or_default();
        let mut reader = open().unwrap();
        let mut merged = Vec::new();
        while let Some(batch) = reader.next_batch() {
            for record in batch.records() {
                if let Reading::Transcript(transcript) = batch.read(record)
                    && repeats.contain(&transcript)
                {
                    merged.push(record.place().record);
                }
            }
        }
        merged
    }

    const USER: &str = r#"{"role": "user", "content": "Cancel W1"}"#;
    const CALL: &str = r#"{"role": "assistant", "content": null, "tool_calls": [{"id": "1", "function": {"name": "cancel", "arguments": "{\"id\": \"W1\", \"now\": true}"}}]}"#;
    const RESULT: &str = r#"{"role": "tool", "tool_call_id": "1", "content": "done"}"#;

    fn chat(messages: &[&str]) -> String {
        format!(r#"{{"messages": [{}]}}"#, messages.join(", "))
    }

    fn request(messages: &[&str]) -> String {
        format!(r#"{{"model": "m", "messages": [{}]}}"#, messages.join(", "))
    }

    #[test]
    fn a_record_that_another_repeats_and_goes_on_is_merged_wherever_it_stands() {
        let (short, longer, long) = (chat(&[USER]), chat(&[USER, CALL]), chat(&[USER, CALL, RESULT]));
        assert_eq!(merged(&[&short, &longer, &long]), [0, 1]);
        assert_eq!(merged(&[&long, &short, &longer]), [1, 2]);
    }

    #[test]
    fn a_response_is_what_the_next_request_repeats() {
        let first = format!(r#"{{"request": {}, "response": {{"choices": [{{"message": {CALL}}}]}}}}"#, request(&[USER]));
        let call = r#"{"role": "assistant", "content": "", "tool_calls": [{"id": "other", "function": {"name": "cancel", "arguments": "{\"now\":true,\"id\":\"W1\"}"}}]}"#;
        let second = format!(r#"{{"request": {}}}"#, request(&[USER, call, &RESULT.replace('1', "other")]));
        assert_eq!(merged(&[&first, &second]), [0]);
    }

    #[test]
    fn thoughts_that_a_client_repeats_are_not_something_said() {
        let first = format!(r#"{{"request": {}, "response": {{"choices": [{{"message": {CALL}}}]}}}}"#, request(&[USER]));
        let thought = CALL.replace("null", r#""<think>\nThey want W1 gone.\n</think>""#);
        assert_eq!(merged(&[&first, &request(&[USER, &thought, RESULT])]), [0]);
        let said = CALL.replace("null", r#""<think>Hm.</think> On it.""#);
        assert!(merged(&[&first, &request(&[USER, &said, RESULT])]).is_empty());
    }

    #[test]
    fn equal_conversations_are_two_unless_they_are_requests_sent_again() {
        let (talk, asked) = (chat(&[USER, CALL]), request(&[USER, CALL]));
        assert!(merged(&[&talk, &talk]).is_empty());
        assert_eq!(merged(&[&asked, &asked, &asked]), [1, 2]);
    }

    #[test]
    fn conversations_that_part_are_two() {
        let other = CALL.replace("W1", "W2");
        assert!(merged(&[&request(&[USER, CALL]), &request(&[USER, &other])]).is_empty());
        let system = r#"{"role": "system", "content": "The user is Ann."}"#;
        assert!(merged(&[&request(&[USER]), &request(&[system, USER, CALL])]).is_empty());
        let assistant = USER.replace("\"user\"", "\"assistant\"");
        assert!(merged(&[&request(&[USER]), &request(&[&assistant, CALL])]).is_empty());
    }

    #[test]
    fn a_record_about_which_something_is_said_stays() {
        let said = r#"{"messages": [{"role": "user", "content": "Cancel W1"}], "success": true}"#;
        assert_eq!(merged(&[said, &chat(&[USER, CALL]), &chat(&[USER, CALL, RESULT])]), [1]);
        let traj = format!(r#"{{"traj": [{USER}], "reward": 0}}"#);
        assert!(merged(&[&traj, &request(&[USER, CALL])]).is_empty());
    }

    #[test]
    fn a_file_named_twice_is_counted_twice() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("log.jsonl");
        std::fs::write(&file, request(&[USER, CALL])).unwrap();
        let open =
            || Ok::<_, Failed<Infallible>>(Reader::open(&[file.clone(), file.clone()], ReadOptions::default()).unwrap());
        let repeats = Repeats::find(open, 1, &AtomicBool::new(false), |_| {}).unwrap().unwrap();
        let mut reader = open().unwrap();
        let batch = reader.next_batch().unwrap();
        let contains = |record| matches!(batch.read(record), Reading::Transcript(t) if repeats.contain(&t));
        assert!(!batch.records().iter().any(contains));
    }
}
