//! A walk over the members of one big object, in pieces, that reads none of them: for files that are an object around
//! `simulations` and `tasks`.

use super::scan::{ValueScan, skip_blank};

/// Longer `tasks` aren't kept, in bytes: their reference solutions are then unknown.
const LONGEST_TASKS: usize = 256 << 20;

/// Where the walk stands.
#[derive(Debug)]
enum State {
    Open,
    BeforeKey,
    Key(ValueScan),
    BeforeColon,
    BeforeValue,
    Value(ValueScan),
}

/// What a piece led to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The piece is used up.
    More,
    /// The value of `simulations` is an array that starts at this position of the piece.
    Simulations(usize),
    /// The object ended.
    End,
    /// This is no object.
    Broken,
}

/// The walk.
#[derive(Debug)]
pub(super) struct Members {
    state: State,
    key: Vec<u8>,
    /// The text of `tasks`, once the walk has passed it.
    pub tasks: Option<Vec<u8>>,
    capture: Option<Vec<u8>>,
    stops_at_simulations: bool,
}

impl Members {
    /// A walk that stops where `simulations` begins.
    pub(super) fn until_simulations() -> Self {
        Members { state: State::Open, key: Vec::new(), tasks: None, capture: None, stops_at_simulations: true }
    }

    /// A walk that looks for `tasks` only.
    pub(super) fn to_tasks() -> Self {
        Members { stops_at_simulations: false, ..Members::until_simulations() }
    }

    /// Walks over the next piece.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Step {
        let mut at = 0;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            match &mut self.state {
                State::Key(scan) => {
                    let end = scan.advance(rest);
                    self.key
                        .extend(rest.iter().take(end.unwrap_or(rest.len())).take(32_usize.saturating_sub(self.key.len())));
                    let Some(end) = end else { return Step::More };
                    at += end;
                    self.state = State::BeforeColon;
                }
                State::Value(scan) => {
                    let end = scan.advance(rest);
                    if let Some(capture) = &mut self.capture {
                        capture.extend_from_slice(rest.get(..end.unwrap_or(rest.len())).unwrap_or_default());
                        if capture.len() > LONGEST_TASKS {
                            self.capture = None;
                        }
                    }
                    let Some(end) = end else { return Step::More };
                    at += end;
                    self.tasks = self.capture.take().or(self.tasks.take());
                    self.state = State::BeforeKey;
                }
                state => {
                    let Some(next) = skip_blank(bytes, at) else { return Step::More };
                    let byte = bytes.get(next).copied().unwrap_or_default();
                    at = next + 1;
                    *state = match (&state, byte) {
                        (State::Open, b'{') => State::BeforeKey,
                        (State::BeforeKey, b',') => State::BeforeKey,
                        (State::BeforeKey, b'}') => return Step::End,
                        (State::BeforeKey, b'"') => {
                            at = next;
                            self.key.clear();
                            State::Key(ValueScan::default())
                        }
                        (State::BeforeColon, b':') => State::BeforeValue,
                        (State::BeforeValue, _) => {
                            if self.key == b"\"simulations\"" && byte == b'[' && self.stops_at_simulations {
                                return Step::Simulations(next);
                            }
                            at = next;
                            self.capture = (self.key == b"\"tasks\"").then(Vec::new);
                            State::Value(ValueScan::default())
                        }
                        _ => return Step::Broken,
                    };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_walk_stops_at_simulations_and_keeps_tasks() {
        let text = br#" {"info": {"simulations": [1]}, "tasks": [{"id": "}"}] , "simulations": [{}]}"#;
        for size in [1, 3, 1000] {
            let mut walk = Members::until_simulations();
            let mut found = None;
            for (i, piece) in text.chunks(size).enumerate() {
                if let Step::Simulations(at) = walk.feed(piece) {
                    found = Some(i * size + at);
                    break;
                }
            }
            assert_eq!(found.and_then(|at| text.get(at..)), Some(&b"[{}]}"[..]));
            assert_eq!(walk.tasks.as_deref(), Some(&br#"[{"id": "}"}]"#[..]));
        }
    }

    #[test]
    fn tasks_are_found_behind_simulations() {
        let mut walk = Members::to_tasks();
        assert_eq!(walk.feed(br#"{"simulations": [{"tasks": 1}], "tasks": [2]}"#), Step::End);
        assert_eq!(walk.tasks.as_deref(), Some(&b"[2]"[..]));
    }

    #[test]
    fn what_is_no_object_is_broken() {
        assert_eq!(Members::until_simulations().feed(b"[1]"), Step::Broken);
        assert_eq!(Members::until_simulations().feed(b"{1: 2}"), Step::Broken);
        assert_eq!(Members::until_simulations().feed(b"{} x"), Step::End);
    }
}
