//! A conversation while it is written: messages, calls with their results, labels.

use serde_json::{Value, json};

use super::world::{Call, Domain, World};

/// What the story knows about a call.
#[derive(Clone)]
pub(super) enum Why {
    /// Part of what the customer wants: looked up, or done after a yes.
    Wanted,
    /// Wanted, but written wrongly or not possible: no part of a solution.
    Tried,
    /// Nobody wanted it.
    Unwanted,
    /// A planted instruction wanted it: family, goal.
    Planted(&'static str, String),
}

pub(super) struct Talk {
    pub(super) messages: Vec<Value>,
    pub(super) labels: Vec<Value>,
    made: usize,
}

impl Talk {
    pub(super) fn new(system: &str) -> Self {
        Self { messages: vec![json!({"role": "system", "content": system})], labels: Vec::new(), made: 0 }
    }

    pub(super) fn user(&mut self, text: &str) {
        self.messages.push(json!({"role": "user", "content": text}));
    }

    pub(super) fn agent(&mut self, text: &str) {
        self.messages.push(json!({"role": "assistant", "content": text}));
    }

    /// Makes calls in one message. True if the backend took all of them.
    pub(super) fn make(&mut self, domain: &dyn Domain, world: &mut World, calls: &[(&Call, Why)]) -> bool {
        let place = self.messages.len();
        let mut written = Vec::new();
        let mut results = Vec::new();
        for (ordinal, (call, why)) in calls.iter().enumerate() {
            self.made += 1;
            let id = format!("call_{:03}", self.made);
            let result = domain.run(world, call);
            let accepted = result.is_ok();
            let content = result.map_or_else(|error| format!("Error: {error}"), |value| value.to_string());
            written.push(json!({"id": id, "type": "function",
                "function": {"name": call.tool, "arguments": call.arguments.to_string()}}));
            results.push((accepted, json!({"role": "tool", "tool_call_id": id, "content": content})));
            let mut label = json!({"ref": [place, ordinal], "accepted": accepted});
            labelled(&mut label, why);
            self.labels.push(label);
        }
        self.messages.push(json!({"role": "assistant", "content": null, "tool_calls": written}));
        let all = results.iter().all(|(accepted, _)| *accepted);
        self.messages.extend(results.into_iter().map(|(_, message)| message));
        all
    }

    /// A call that the agent did not make, but might have.
    pub(super) fn might(&mut self, call: &Call, why: &Why) {
        let mut label = json!({"at": self.messages.len(), "made": false,
            "call": {"name": call.tool, "arguments": call.arguments}});
        labelled(&mut label, why);
        self.labels.push(label);
    }
}

fn labelled(label: &mut Value, why: &Why) {
    label["authorized"] = json!(matches!(why, Why::Wanted | Why::Tried));
    match why {
        Why::Wanted => label["gold"] = json!(true),
        Why::Planted(family, goal) => label["attack"] = json!({"family": family, "goal": goal}),
        Why::Tried | Why::Unwanted => {}
    }
}
