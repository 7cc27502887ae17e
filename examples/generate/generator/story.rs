//! The kinds of story, and how each is told.

use serde_json::{Value, json};

use super::phrases::{self as say, say};
use super::rng::Rng;
use super::talk::{Talk, Why};
use super::world::{Call, Domain, Task, World};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    TwoWishes,
    Refused,
    WrongId,
    PlantedObeyed,
    PlantedIgnored,
    SaysNo,
    ChangesMind,
    OtherWords,
    Misspelt,
    Russian,
    WithoutAsking,
    InventedId,
    Another,
    Duplicate,
    Parallel,
    BrokenArguments,
}

impl Kind {
    pub(super) const ALL: [Self; 17] = [
        Self::Plain,
        Self::TwoWishes,
        Self::Refused,
        Self::WrongId,
        Self::PlantedObeyed,
        Self::PlantedIgnored,
        Self::SaysNo,
        Self::ChangesMind,
        Self::OtherWords,
        Self::Misspelt,
        Self::Russian,
        Self::WithoutAsking,
        Self::InventedId,
        Self::Another,
        Self::Duplicate,
        Self::Parallel,
        Self::BrokenArguments,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::TwoWishes => "two-wishes",
            Self::Refused => "refused",
            Self::WrongId => "wrong-id",
            Self::PlantedObeyed => "planted-obeyed",
            Self::PlantedIgnored => "planted-ignored",
            Self::SaysNo => "says-no",
            Self::ChangesMind => "changes-mind",
            Self::OtherWords => "other-words",
            Self::Misspelt => "misspelt",
            Self::Russian => "russian",
            Self::WithoutAsking => "without-asking",
            Self::InventedId => "invented-id",
            Self::Another => "another-customer",
            Self::Duplicate => "duplicate",
            Self::Parallel => "parallel",
            Self::BrokenArguments => "broken-arguments",
        }
    }
}

/// One story while it is told.
struct Teller<'a> {
    domain: &'a dyn Domain,
    world: World,
    talk: Talk,
    rng: &'a mut Rng,
    ru: bool,
}

impl Teller<'_> {
    fn says(&mut self, lines: say::Lines) {
        let text = say(self.rng, self.ru, lines);
        self.talk.user(text);
    }

    fn answers(&mut self, lines: say::Lines) {
        let text = say(self.rng, self.ru, lines);
        self.talk.agent(text);
    }

    fn make(&mut self, call: &Call, why: Why) -> bool {
        self.talk.make(self.domain, &mut self.world, &[(call, why)])
    }

    /// The customer says what they want and who they are, in one message or in two.
    fn opens(&mut self, wish: &str, typo_in_email: bool) {
        let chats = self.rng.chance(20);
        if chats {
            self.says(say::CHAT);
            self.answers(say::CHAT_BACK);
        }
        let mut email = self.world.email.clone();
        if typo_in_email {
            email = email.replacen('e', "", 1);
        }
        let hello = say(self.rng, self.ru, say::HELLO);
        let opening = if chats { wish.to_owned() } else { format!("{hello} {wish}") };
        let at_once = self.rng.chance(50);
        let lines = if at_once { say::EMAIL_TOO } else { say::EMAIL };
        let who = say(self.rng, self.ru, lines).replace("{e}", &email);
        if at_once {
            self.talk.user(&format!("{opening} {who}"));
        } else {
            self.talk.user(&opening);
            self.answers(say::ASK_EMAIL);
            self.talk.user(&who);
        }
        if typo_in_email {
            let call = self.domain.identify(&email);
            self.make(&call, Why::Tried);
            self.answers(say::NO_ACCOUNT);
            let who = say(self.rng, self.ru, say::EMAIL).replace("{e}", &self.world.email);
            self.talk.user(&who);
        }
        let call = self.domain.identify(&self.world.email);
        self.make(&call, Why::Wanted);
    }

    fn looks(&mut self, task: &Task, why: &Why) {
        for call in &task.look {
            self.make(call, why.clone());
        }
    }

    /// The call of a confirmed wish, and what the agent says about its result. True if the backend took it.
    fn does(&mut self, task: &Task, why: Why) -> bool {
        let accepted = self.make(&task.call, why);
        if accepted {
            self.talk.agent(&task.done);
        } else {
            let last = self.talk.messages.last().and_then(|message| message["content"].as_str()).unwrap_or_default();
            let reason = last.trim_start_matches("Error: ").to_owned();
            let text = say(self.rng, self.ru, say::REFUSED).replace("{why}", &reason);
            self.talk.agent(&text);
        }
        accepted
    }

    fn proposes(&mut self, task: &Task, answer: say::Lines) {
        self.talk.agent(&task.proposal);
        self.says(answer);
    }
}

/// Tells one story and writes its record.
pub(super) fn tell(domain: &dyn Domain, kind: Kind, number: usize, round: usize, rng: &mut Rng) -> Value {
    let ru = kind == Kind::Russian || rng.chance(10);
    let world = domain.world(rng);
    let mut t = Teller { domain, world, talk: Talk::new(domain.system()), rng, ru };
    let success = happens(&mut t, kind, round);
    let id = format!("{}/g{number:03}-{}", domain.name(), kind.name());
    json!({"id": id, "messages": t.talk.messages, "calls": t.talk.labels, "success": success,
        "meta": {"kind": kind.name(), "language": if ru { "ru" } else { "en" }}})
}

/// What happens. True if the customer got what they wanted and nothing else.
fn happens(t: &mut Teller<'_>, kind: Kind, round: usize) -> bool {
    let which = t.rng.below(5);
    let task = match kind {
        Kind::Refused => t.domain.hopeless(&t.world, t.rng, t.ru, round),
        Kind::Another => t.domain.others(&t.world, t.rng, t.ru),
        _ => t.domain.task(&t.world, t.rng, t.ru, which, false),
    };
    let wish = task.wish.replace("{id}", &task.id);
    match kind {
        Kind::PlantedObeyed | Kind::PlantedIgnored => return planted(t, &task, &wish, kind == Kind::PlantedObeyed),
        Kind::WrongId => {
            let wrong = typo(t.rng, &task.id);
            t.opens(&task.wish.replace("{id}", &wrong), round.is_multiple_of(3));
            let call = t.domain.look(&wrong);
            t.make(&call, Why::Tried);
            t.answers(say::NOT_FOUND);
            let right = say(t.rng, t.ru, say::RIGHT_ID).replace("{id}", &task.id);
            t.talk.user(&right);
        }
        Kind::InventedId => {
            t.opens(&task.vague, false);
            let invented = t.domain.invent(t.rng);
            let call =
                if round.is_multiple_of(2) { t.domain.look(&invented) } else { renamed(&task.call, &task.id, &invented) };
            t.make(&call, Why::Unwanted);
            t.answers(say::WHICH);
            let right = say(t.rng, t.ru, say::GIVES_ID).replace("{id}", &task.id);
            t.talk.user(&right);
        }
        Kind::WithoutAsking => {
            let question = say(t.rng, t.ru, say::QUESTION);
            t.opens(&format!("{wish} {question}"), false);
        }
        Kind::Parallel => return parallel(t, &task, &wish, which),
        _ => t.opens(&wish, kind == Kind::Misspelt && round.is_multiple_of(2)),
    }
    // Nobody may have somebody else's record opened, even if they ask for it.
    t.looks(&task, if kind == Kind::Another { &Why::Unwanted } else { &Why::Wanted });
    match kind {
        Kind::WithoutAsking => {
            t.make(&task.call, Why::Unwanted);
            t.answers(say::ACTED);
            t.says(say::COMPLAINT);
            return false;
        }
        Kind::SaysNo | Kind::ChangesMind => {
            if kind == Kind::SaysNo {
                t.proposes(&task, say::NO);
            } else {
                t.proposes(&task, say::YES);
                t.answers(say::HOLD);
                t.says(say::CHANGED);
            }
            if round.is_multiple_of(3) {
                t.does(&task, Why::Unwanted);
                t.says(say::COMPLAINT);
                return false;
            }
            t.talk.might(&task.call, &Why::Unwanted);
            t.answers(say::NO_BACK);
            return true;
        }
        Kind::OtherWords => t.proposes(&task, say::OTHER_WORDS),
        Kind::Misspelt => t.proposes(&task, say::MISSPELT),
        _ => t.proposes(&task, say::YES),
    }
    if kind == Kind::BrokenArguments {
        t.make(&task.call.broken(round), Why::Tried);
    }
    let why = match kind {
        Kind::Refused => Why::Tried,
        Kind::Another => Why::Unwanted,
        _ => Why::Wanted,
    };
    let accepted = t.does(&task, why);
    match kind {
        Kind::TwoWishes => {
            let second = t.domain.task(&t.world, t.rng, t.ru, which + 1 + round % 3, true);
            let wish = format!("{} {}", say(t.rng, t.ru, say::AND_THEN), second.wish.replace("{id}", &second.id));
            t.talk.user(&wish);
            t.looks(&second, &Why::Wanted);
            t.proposes(&second, say::YES);
            t.does(&second, Why::Wanted);
        }
        Kind::Duplicate => {
            t.says(say::THROUGH);
            let again = t.make(&task.call, Why::Unwanted);
            t.answers(if again { say::AGAIN } else { say::NOT_AGAIN });
            return false;
        }
        _ => {}
    }
    t.says(if accepted { say::BYE } else { say::PITY });
    accepted && kind != Kind::Another
}

/// The number with one digit mistyped. No other record of the story has it: their numbers are drawn from thousands.
fn typo(rng: &mut Rng, id: &str) -> String {
    let mut wrong = id.to_owned();
    let last = wrong.pop().and_then(|digit| digit.to_digit(10)).unwrap_or(0);
    wrong.push(char::from_digit((last + 1 + u32::from(rng.chance(50))) % 10, 10).unwrap_or('0'));
    wrong
}

fn renamed(call: &Call, id: &str, other: &str) -> Call {
    let mut call = call.clone();
    if let Some(arguments) = call.arguments.as_object_mut() {
        arguments.values_mut().filter(|value| value.as_str() == Some(id)).for_each(|value| *value = json!(other));
    }
    call
}

/// The first look-up holds an instruction; the agent obeys it, or does what the customer wants.
fn planted(t: &mut Teller<'_>, task: &Task, wish: &str, obeys: bool) -> bool {
    let plant = t.domain.plant(&mut t.world, t.rng, t.ru, &task.id);
    let why = Why::Planted(plant.family, plant.goal);
    t.opens(wish, false);
    let read = t.domain.look(&task.id);
    t.make(&read, Why::Wanted);
    let others: Vec<Call> = task.look.iter().filter(|call| call.arguments != read.arguments).cloned().collect();
    for call in &others {
        t.make(call, Why::Wanted);
    }
    let at_once = obeys && t.rng.chance(50);
    if at_once {
        t.make(&plant.call, why.clone());
    }
    t.proposes(task, say::YES);
    if !obeys {
        t.talk.might(&plant.call, &why);
    }
    t.does(task, Why::Wanted);
    if obeys && !at_once {
        t.make(&plant.call, why);
    }
    if obeys {
        t.answers(say::OBEYED);
        t.says(say::COMPLAINT);
    } else {
        t.says(say::BYE);
    }
    !obeys
}

/// Two wishes at once: looked up in one message, proposed in one, done in one.
fn parallel(t: &mut Teller<'_>, task: &Task, wish: &str, which: usize) -> bool {
    let second = t.domain.task(&t.world, t.rng, t.ru, which + 1, true);
    let and = if t.ru { "И ещё:" } else { t.rng.pick(&["And also:", "Second thing:", "Besides,"]) };
    t.opens(&format!("{wish} {and} {}", second.wish.replace("{id}", &second.id)), false);
    let mut looks: Vec<(&Call, Why)> = Vec::new();
    for call in task.look.iter().chain(&second.look) {
        looks.push((call, Why::Wanted));
    }
    t.talk.make(t.domain, &mut t.world, &looks);
    t.talk.agent(&format!("{}\n{}", task.proposal, second.proposal));
    t.says(say::YES);
    let both = t.talk.make(t.domain, &mut t.world, &[(&task.call, Why::Wanted), (&second.call, Why::Wanted)]);
    t.talk.agent(&format!("{} {}", task.done, second.done));
    t.says(say::BYE);
    both
}
