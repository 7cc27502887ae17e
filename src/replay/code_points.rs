//! Places of quotes for readers in any language: recorded messages by index, offsets in Unicode code points.

use crate::guard::Evidence;
use crate::transcript::Transcript;

use super::decided::Quote;

/// How many bytes lie between two remembered positions.
const STRIDE: usize = 1024;

/// Turns byte offsets in a transcript's messages into code points, each message counted through once at most.
#[derive(Debug)]
pub struct CodePoints<'t> {
    transcript: &'t Transcript<'t>,
    /// Per message the code points before each `STRIDE`-th byte; nothing until asked, and for ASCII.
    counted: Vec<Option<Counted>>,
}

#[derive(Debug)]
enum Counted {
    Ascii,
    Before(Vec<usize>),
}

impl<'t> CodePoints<'t> {
    /// For the messages of `transcript`.
    pub fn new(transcript: &'t Transcript<'t>) -> Self {
        CodePoints { transcript, counted: Vec::new() }
    }

    /// A piece of evidence with its place in code points.
    pub fn quote(&mut self, evidence: Evidence) -> Quote {
        let recorded = self.transcript.messages.get(evidence.message).map_or(0, |message| message.recorded);
        Quote {
            message: recorded,
            start: self.offset(evidence.message, evidence.range.start),
            end: self.offset(evidence.message, evidence.range.end),
            argument: evidence.argument,
            role: evidence.role,
            quote: evidence.quote,
        }
    }

    fn offset(&mut self, message: usize, byte: usize) -> usize {
        let Some(text) = self.transcript.messages.get(message).map(|message| message.text.as_bytes()) else { return byte };
        if self.counted.len() <= message {
            self.counted.resize_with(message + 1, || None);
        }
        let Some(slot) = self.counted.get_mut(message) else { return byte };
        match slot.get_or_insert_with(|| count(text)) {
            Counted::Ascii => byte,
            Counted::Before(before) => {
                let block = byte / STRIDE;
                let rest = text.get(block * STRIDE..byte).unwrap_or_default();
                before.get(block).copied().unwrap_or(0) + starts(rest)
            }
        }
    }
}

fn count(text: &[u8]) -> Counted {
    if text.is_ascii() {
        return Counted::Ascii;
    }
    let mut before = Vec::with_capacity(text.len() / STRIDE + 2);
    let mut total = 0;
    before.push(total);
    for block in text.chunks(STRIDE) {
        total += starts(block);
        before.push(total);
    }
    Counted::Before(before)
}

/// How many characters start in these bytes of UTF-8.
fn starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte & 0b1100_0000) != 0b1000_0000).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::example::transcript_with_text;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn offsets_are_those_that_counting_gives(text in "[aü東🚀]{0,3000}", cut in any::<prop::sample::Index>()) {
            let transcript = transcript_with_text(&text);
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let byte = places[cut.index(places.len())];
            prop_assert_eq!(CodePoints::new(&transcript).offset(0, byte), text.get(..byte).unwrap().chars().count());
        }
    }
}
