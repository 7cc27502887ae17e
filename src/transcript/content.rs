//! The walk over recorded messages and their blocks: texts by role, and, where wanted, calls and answers in their order.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use crate::json::{Object, Value, display};

use super::call::{ToolCall, ToolCallRead};
use super::role::{Kind, carries_call_id, kind_of, role_named, written_by_framework};
use super::{Message, Role};

/// What the walk met, in the order of the recording.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    /// A call that the assistant made.
    Call(CallMet<'a>),
    /// A call that someone else made (a simulated user with tools): no proposal, but it has answers.
    Foreign(Option<Cow<'a, str>>),
    /// Something in the place of a call that has no usable name.
    Unreadable,
    /// A tool's answer.
    Answer(Answer<'a>),
    /// The user spoke.
    User,
}

/// A call as it was met.
#[derive(Debug)]
pub(crate) struct CallMet<'a> {
    /// The recorded message that makes it, and which of its calls it is (unreadable ones are counted too).
    pub recorded: usize,
    pub index: usize,
    /// The call, and what was odd about its arguments.
    pub read: ToolCallRead<'a>,
    /// The id that answers refer to.
    pub link: Option<Cow<'a, str>>,
}

/// An answer as it was met.
#[derive(Debug)]
pub(crate) struct Answer<'a> {
    /// The id of the call that it answers.
    pub link: Option<Cow<'a, str>>,
    /// Its own id, which some runners set to the call's.
    pub own_id: Option<Cow<'a, str>>,
    /// Where its text is: a message, and the bytes of it; nothing when it has no text.
    pub text: Option<(usize, Range<usize>)>,
    /// Whether the record says that the tool took the call.
    pub accepted: Option<bool>,
}

/// The walk's state and what it found.
pub(crate) struct Walk<'a> {
    pub messages: Vec<Message<'a>>,
    /// Calls and answers; nothing is noted when only texts are wanted.
    pub events: Vec<Event<'a>>,
    wants_events: bool,
    recorded: usize,
    /// The role of the run that the next text may join.
    run: Option<Role>,
    /// Calls met in this recorded message.
    calls: usize,
    /// Ids of its `tool_calls`: blocks of the content with such an id are the same calls.
    beside: HashSet<Cow<'a, str>>,
    /// Recorded messages with a text of which nobody knows whose it is, and the last of them.
    pub roleless: usize,
    last_roleless: Option<usize>,
}

impl<'a> Walk<'a> {
    pub(crate) fn reading_text_only() -> Self {
        Walk {
            messages: Vec::new(),
            events: Vec::new(),
            wants_events: false,
            recorded: 0,
            run: None,
            calls: 0,
            beside: HashSet::new(),
            roleless: 0,
            last_roleless: None,
        }
    }

    pub(crate) fn reading_calls() -> Self {
        Walk { wants_events: true, ..Walk::reading_text_only() }
    }

    /// Reads a whole conversation; how many messages were recorded.
    pub(crate) fn conversation(&mut self, context: Value<'a>) -> usize {
        match context {
            Value::String(text) => {
                self.say(Some(Role::User), text);
                1
            }
            Value::Array(items) => {
                let count = items.len();
                self.messages.reserve(count);
                for (recorded, item) in items.into_iter().enumerate() {
                    (self.recorded, self.run, self.calls) = (recorded, None, 0);
                    self.beside.clear();
                    self.message(item);
                }
                count
            }
            _ => 0,
        }
    }

    fn message(&mut self, message: Value<'a>) {
        match message {
            Value::Object(object) => self.object_message(object),
            Value::Array(pair) => {
                if let Ok([Value::String(role), content]) = <[Value<'a>; 2]>::try_from(pair) {
                    self.plain_message(role_named(&role), content);
                }
            }
            _ => {}
        }
    }

    /// A message of which nothing but role and content is known.
    fn plain_message(&mut self, role: Option<Role>, content: Value<'a>) {
        let (said, noted) = (self.messages.len(), self.events.len());
        self.content(role, content);
        if !self.wants_events {
            return;
        }
        if role == Some(Role::Tool) {
            self.answer_of_message(said, noted, None, None, None);
        } else {
            self.note_user(said);
        }
    }

    fn object_message(&mut self, mut object: Object<'a>) {
        let kind = kind_of(object.get("type"));
        let named = match object.get("role") {
            Some(Value::String(role)) if !role.is_empty() => role_named(role),
            None | Some(Value::Null | Value::String(_)) => object.get("type").and_then(Value::as_str).and_then(role_named),
            Some(_) => None,
        };
        let role = if kind == Kind::Output || carries_call_id(&object) { Some(Role::Tool) } else { named };
        let written = role == Some(Role::User)
            && ["additional_kwargs", "response_metadata", "metadata"]
                .iter()
                .any(|key| object.get(key).is_some_and(written_by_framework));
        if self.wants_events {
            self.calls_beside_content(role, kind, &object);
        }
        let (said, noted) = (self.messages.len(), self.events.len());
        let answer =
            (self.wants_events && role == Some(Role::Tool)).then(|| (link(&object), own_id(&object), accepted(&object)));
        let mut content = take(&mut object, "content");
        if content.is_null() && role == Some(Role::Tool) {
            content = take(&mut object, "output");
        }
        self.content(if written { Some(Role::Assistant) } else { role }, content);
        match answer {
            Some((link, own_id, accepted)) => self.answer_of_message(said, noted, link, own_id, accepted),
            None if self.wants_events => self.note_user(said),
            None => {}
        }
    }

    /// The calls that stand beside a message's content, or are the message.
    fn calls_beside_content(&mut self, role: Option<Role>, kind: Kind, object: &Object<'a>) {
        let itself = kind == Kind::Call && object.get("role").is_none_or(Value::is_null);
        if role != Some(Role::Assistant) && !itself {
            if let Some(Value::Array(calls)) = object.get("tool_calls") {
                self.events.extend(calls.iter().map(|call| Event::Foreign(call.as_object().and_then(link_of_call))));
            }
            return;
        }
        if kind == Kind::Call {
            self.call(object);
        }
        match object.get("tool_calls") {
            Some(Value::Array(calls)) if !calls.is_empty() => {
                for call in calls {
                    match call {
                        Value::Object(call) => {
                            self.beside.extend(link_of_call(call));
                            self.call(call);
                        }
                        _ => self.unreadable(),
                    }
                }
            }
            // Some frameworks write the older field beside the newer one: then it's the same call.
            _ => {
                if let Some(Value::Object(call)) = object.get("function_call") {
                    self.call(call);
                }
            }
        }
    }

    fn call(&mut self, object: &Object<'a>) {
        let link = link_of_call(object);
        match ToolCall::read(object) {
            Ok(read) => {
                self.events.push(Event::Call(CallMet { recorded: self.recorded, index: self.calls, read, link }));
                self.calls += 1;
            }
            Err(_) => self.unreadable(),
        }
    }

    fn unreadable(&mut self) {
        self.events.push(Event::Unreadable);
        self.calls += 1;
    }

    /// A tool message is one answer, unless blocks of it are answers.
    fn answer_of_message(
        &mut self,
        said: usize,
        noted: usize,
        link: Option<Cow<'a, str>>,
        own_id: Option<Cow<'a, str>>,
        accepted: Option<bool>,
    ) {
        let mut answered = false;
        for event in self.events.get_mut(noted..).unwrap_or_default() {
            if let Event::Answer(answer) = event {
                answered = true;
                if answer.link.is_none() {
                    answer.link = link.clone();
                }
                answer.accepted = answer.accepted.or(accepted);
            }
        }
        if answered {
            return;
        }
        let mut texts = self.messages.iter().enumerate().skip(said);
        let text = texts.find(|(_, m)| m.role == Role::Tool).map(|(index, m)| (index, 0..m.text.len()));
        self.events.push(Event::Answer(Answer { link, own_id, text, accepted }));
    }

    fn note_user(&mut self, said: usize) {
        if self.messages.iter().skip(said).any(|m| m.role == Role::User) {
            self.events.push(Event::User);
        }
    }

    fn content(&mut self, role: Option<Role>, content: Value<'a>) {
        match content {
            Value::String(text) => {
                self.say(role, text);
            }
            Value::Object(block) => self.block(role, block),
            Value::Array(blocks) => {
                for block in blocks {
                    match block {
                        Value::String(text) => {
                            self.say(role, text);
                        }
                        Value::Object(block) => self.block(role, block),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn block(&mut self, role: Option<Role>, mut block: Object<'a>) {
        let answers = carries_call_id(&block);
        let kind = match kind_of(block.get("type")) {
            Kind::Untyped if answers => Kind::Output,
            kind => kind,
        };
        match kind {
            Kind::Output => {
                let noted = self.wants_events.then(|| (link(&block), own_id(&block), accepted(&block)));
                let text =
                    ["content", "output", "text"].iter().map(|key| take(&mut block, key)).find(|value| !value.is_null());
                let span = self.say(Some(Role::Tool), text.map(text_or_json).unwrap_or_default());
                if let Some((link, own_id, accepted)) = noted {
                    self.events.push(Event::Answer(Answer { link, own_id, text: span, accepted }));
                }
            }
            Kind::Call => {
                if self.wants_events && role == Some(Role::Assistant) {
                    let repeats =
                        !self.beside.is_empty() && link_of_call(&block).is_some_and(|id| self.beside.contains(&id));
                    if !repeats {
                        self.call(&block);
                    }
                }
                self.say(Some(Role::Assistant), Cow::Owned(call_as_text(&block)));
            }
            _ if role == Some(Role::User) => {
                let is_text = match kind {
                    Kind::Text => block.get("text").is_some_and(|text| text.as_str().is_some()),
                    Kind::Untyped => {
                        block.get("content").is_none() && block.get("text").is_some_and(|text| text.as_str().is_some())
                    }
                    _ => false,
                };
                if is_text && !answers {
                    if let Value::String(text) = take(&mut block, "text") {
                        self.say(role, text);
                    }
                } else {
                    self.say(Some(Role::Tool), any_text(&mut block));
                }
            }
            _ => {
                if let Some(text) = block_text(&mut block) {
                    self.say(role, text);
                }
            }
        }
    }

    /// Adds a text to the run of its role, or starts one; where the text then is.
    fn say(&mut self, role: Option<Role>, text: Cow<'a, str>) -> Option<(usize, Range<usize>)> {
        if text.is_empty() {
            return None;
        }
        let Some(role) = role else {
            self.run = None;
            self.roleless += usize::from(self.last_roleless != Some(self.recorded));
            self.last_roleless = Some(self.recorded);
            return None;
        };
        let joins = self.run == Some(role);
        self.run = Some(role);
        match self.messages.last_mut() {
            Some(last) if joins => {
                let joined = last.text.to_mut();
                joined.push('\n');
                let start = joined.len();
                joined.push_str(&text);
                let end = joined.len();
                Some((self.messages.len() - 1, start..end))
            }
            _ => {
                let span = 0..text.len();
                self.messages.push(Message { role, text, recorded: self.recorded });
                Some((self.messages.len() - 1, span))
            }
        }
    }
}

/// Moves the value of a key out of an object; null when it isn't there.
pub(crate) fn take<'a>(object: &mut Object<'a>, key: &str) -> Value<'a> {
    let mut members = std::mem::take(object).into_members();
    let value = members.iter_mut().rev().find(|(name, _)| name == key).map(|(_, value)| std::mem::take(value));
    *object = Object::from_members(members);
    value.unwrap_or_default()
}

/// The text of a string or list; an object as JSON; nothing of anything else.
fn text_or_json(value: Value<'_>) -> Cow<'_, str> {
    match value {
        Value::Object(_) => Cow::Owned(display(&value)),
        value => text_of(value).unwrap_or_default(),
    }
}

/// The text of a string or of a list of texts and blocks; nothing when it's neither.
fn text_of(value: Value<'_>) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(text),
        Value::Array(items) => {
            let mut texts = items.into_iter().filter_map(|item| match item {
                Value::String(text) => Some(text),
                Value::Object(mut block) => block_text(&mut block),
                _ => None,
            });
            let mut joined = Cow::Borrowed("");
            for text in texts.by_ref().filter(|text| !text.is_empty()) {
                if joined.is_empty() {
                    joined = text;
                } else {
                    let all = joined.to_mut();
                    all.push('\n');
                    all.push_str(&text);
                }
            }
            Some(joined)
        }
        _ => None,
    }
}

/// The text of a block outside user messages: its `text`, else its `content`, if that is a string or a list.
fn block_text<'a>(block: &mut Object<'a>) -> Option<Cow<'a, str>> {
    text_of(take(block, "text")).or_else(|| text_of(take(block, "content")))
}

/// The text of a block that stands in a user message and isn't the user's: the first of its fields that has one, else the
/// first that is an object, as JSON.
fn any_text<'a>(block: &mut Object<'a>) -> Cow<'a, str> {
    let mut object = None;
    for key in ["text", "content", "output"] {
        match take(block, key) {
            value @ Value::Object(_) if object.is_none() => object = Some(value),
            value => match text_of(value) {
                Some(text) if !text.is_empty() => return text,
                _ => {}
            },
        }
    }
    object.map(|value| Cow::Owned(display(&value))).unwrap_or_default()
}

/// A call in the content as text: `name(arguments)`.
fn call_as_text(block: &Object<'_>) -> String {
    let name = block.get("name").and_then(Value::as_str).unwrap_or_default();
    let arguments = ["input", "arguments", "args"].iter().filter_map(|key| block.get(key)).find(|value| !value.is_null());
    match arguments {
        None => format!("{name}({{}})"),
        Some(Value::String(text)) => format!("{name}({text})"),
        Some(value) => format!("{name}({})", display(value)),
    }
}

/// The first of these keys that holds a text which isn't empty.
fn id_in<'a>(object: &Object<'a>, keys: &[&str]) -> Option<Cow<'a, str>> {
    keys.iter().find_map(|key| match object.get(key) {
        Some(Value::String(id)) if !id.is_empty() => Some(id.clone()),
        Some(Value::Number(id)) => Some(Cow::Owned(id.as_str().to_owned())),
        _ => None,
    })
}

/// The id of the call that a message or block answers.
fn link<'a>(object: &Object<'a>) -> Option<Cow<'a, str>> {
    id_in(object, &["tool_call_id", "tool_use_id", "call_id"])
}

fn own_id<'a>(object: &Object<'a>) -> Option<Cow<'a, str>> {
    id_in(object, &["id"])
}

/// The id that answers to a call refer to: items of a response have an `id` of their own beside the `call_id`.
fn link_of_call<'a>(object: &Object<'a>) -> Option<Cow<'a, str>> {
    id_in(object, &["call_id", "tool_call_id", "id"])
}

/// Whether a result says of itself that the tool took the call; text is left to the catalog's `[outcome]`.
fn accepted(object: &Object<'_>) -> Option<bool> {
    for key in ["error", "is_error"] {
        if let Some(Value::Bool(error)) = object.get(key) {
            return Some(!error);
        }
    }
    match object.get("status").and_then(Value::as_str) {
        Some("error") => Some(false),
        _ => None,
    }
}
