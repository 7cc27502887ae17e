//! What a domain has to offer to the stories: a state, tools that run against it, and wishes of its customers.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::rng::Rng;

/// The state of one backend, as far as one conversation can touch it.
pub(super) struct World {
    pub(super) name: String,
    pub(super) email: String,
    pub(super) number: String,
    /// Credit of an airline's customer, in euros.
    pub(super) credit: i64,
    /// The customer's own orders or bookings: open, open, finished, gone.
    pub(super) mine: Vec<String>,
    /// One of somebody else.
    pub(super) other: String,
    pub(super) records: BTreeMap<String, Value>,
}

impl World {
    pub(super) fn new(name: String, email: String, number: String) -> Self {
        Self { name, email, number, credit: 0, mine: Vec::new(), other: String::new(), records: BTreeMap::new() }
    }

    pub(super) fn nth(&self, nth: usize) -> String {
        self.mine.get(nth).cloned().unwrap_or_default()
    }

    pub(super) fn record(&self, id: &str) -> Value {
        self.records.get(id).cloned().unwrap_or(Value::Null)
    }
}

#[derive(Clone)]
pub(super) struct Call {
    pub(super) tool: &'static str,
    pub(super) arguments: Value,
}

impl Call {
    pub(super) fn new(tool: &'static str, arguments: Value) -> Self {
        Self { tool, arguments }
    }

    /// A backend's answer to keys that a tool doesn't have.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), String> {
        let given = self.arguments.as_object().into_iter().flatten();
        given
            .map(|(key, _)| key)
            .find(|key| !known.contains(&key.as_str()))
            .map_or(Ok(()), |key| Err(format!("{} has no argument {key}", self.tool)))
    }

    /// As an agent writes it that does not keep to the schema.
    pub(super) fn broken(&self, way: usize) -> Self {
        let mut call = self.clone();
        match way % 3 {
            0 => call.arguments["urgent"] = json!(true),
            1 => call.arguments["note_to_staff"] = json!("customer is waiting"),
            _ => call.arguments["confirmed_by"] = json!("customer"),
        }
        call
    }
}

/// A wish and everything that is said about it.
pub(super) struct Task {
    pub(super) id: String,
    /// Holds `{id}`.
    pub(super) wish: String,
    /// The wish of somebody who doesn't know the number.
    pub(super) vague: String,
    /// Look-ups before the proposal.
    pub(super) look: Vec<Call>,
    pub(super) proposal: String,
    pub(super) call: Call,
    pub(super) done: String,
}

/// An instruction that somebody wrote into a record.
pub(super) struct Plant {
    pub(super) family: &'static str,
    pub(super) call: Call,
    pub(super) goal: String,
}

pub(super) trait Domain {
    fn name(&self) -> &'static str;
    fn system(&self) -> &'static str;
    fn world(&self, rng: &mut Rng) -> World;
    fn identify(&self, email: &str) -> Call;
    fn look(&self, id: &str) -> Call;
    fn invent(&self, rng: &mut Rng) -> String;
    fn run(&self, world: &mut World, call: &Call) -> Result<Value, String>;
    /// A wish that can be granted; `which` chooses, `second` takes the other open record.
    fn task(&self, world: &World, rng: &mut Rng, ru: bool, which: usize, second: bool) -> Task;
    /// A wish that the backend refuses.
    fn hopeless(&self, world: &World, rng: &mut Rng, ru: bool, which: usize) -> Task;
    /// A wish about somebody else's record.
    fn others(&self, world: &World, rng: &mut Rng, ru: bool) -> Task;
    /// Writes an instruction into the record with this number.
    fn plant(&self, world: &mut World, rng: &mut Rng, ru: bool, id: &str) -> Plant;
}

const FIRST: [&str; 24] = [
    "Mira", "Jonas", "Elif", "Tomas", "Hanna", "Piotr", "Sofia", "Lars", "Nadia", "Owen", "Irina", "Pavel", "Greta",
    "Marek", "Aino", "Luca", "Vera", "Denis", "Clara", "Emil", "Oksana", "Hugo", "Ines", "Rory",
];
const LAST: [&str; 24] = [
    "Halvorsen",
    "Petrov",
    "Kowal",
    "Brandt",
    "Okafor",
    "Lindgren",
    "Moreau",
    "Quinn",
    "Sorensen",
    "Vidal",
    "Orlova",
    "Kask",
    "Novak",
    "Ferris",
    "Aalto",
    "Rossi",
    "Weber",
    "Zeller",
    "Dunne",
    "Baker",
    "Smirnov",
    "Castell",
    "Meyer",
    "Tamm",
];

/// A name and the address that goes with it.
pub(super) fn person(rng: &mut Rng) -> (String, String) {
    let (first, last) = (rng.pick(&FIRST), rng.pick(&LAST));
    let email = match rng.below(3) {
        0 => format!("{first}.{last}@example.com"),
        1 => format!("{first}{}@example.org", 10 + rng.below(89)),
        _ => format!("{last}.{first}@example.net"),
    };
    (format!("{first} {last}"), email.to_lowercase())
}

/// One of the texts in the conversation's language.
pub(super) fn pair(rng: &mut Rng, ru: bool, en: &[&str], russian: &[&str]) -> String {
    rng.pick(if ru { russian } else { en }).to_owned()
}
