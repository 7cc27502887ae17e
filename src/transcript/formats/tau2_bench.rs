//! Result files as τ²-bench's runner writes them: an object with `simulations` and `tasks`.
//!
//! A record is one simulation; its reference solution is its task's `evaluation_criteria.actions` that the assistant is to
//! make; it ended well when `reward_info.reward` is 1. A simulated user may have tools of its own: neither its calls nor
//! their results are part of what the agent sees, so both are left out (their places in the recording stay). A tool
//! message says in `error` whether the tool took the call.

use std::collections::HashMap;

use crate::json::Value;
use crate::transcript::content::take;
use crate::transcript::{Record, RecordError, ToolCall};

use super::{Parsed, Surroundings, full_reward, name_of, object, task_identity};

/// The reference solutions of a file's tasks, by the task's id.
#[derive(Debug, Default)]
pub(crate) struct Tasks(HashMap<String, Vec<ToolCall<'static>>>);

impl Tasks {
    /// Reads the value of `tasks`; tasks that can't be read, or that have no reference solution, are left out.
    pub(crate) fn read(tasks: &Value<'_>) -> Tasks {
        let mut solutions = HashMap::new();
        for task in tasks.as_array().unwrap_or_default() {
            let actions = task.get("evaluation_criteria").and_then(|criteria| criteria.get("actions"));
            if let (Some(id), Some(Value::Array(actions))) = (task.get("id").and_then(name_of), actions) {
                let the_agents = |action: &&Value<'_>| {
                    action.get_some("requestor").and_then(Value::as_str).is_none_or(|requestor| requestor == "assistant")
                };
                let calls = actions.iter().filter(the_agents).filter_map(|action| ToolCall::parse(action).ok());
                solutions.insert(id, calls.map(owned).collect());
            }
        }
        Tasks(solutions)
    }
}

fn owned(call: ToolCall<'_>) -> ToolCall<'static> {
    ToolCall {
        name: call.name.into_owned().into(),
        arguments: call.arguments.into_owned(),
        id: call.id.map(|id| id.into_owned().into()),
    }
}

pub(crate) fn parse<'a>(record: Value<'a>, around: Surroundings<'_>) -> Result<Parsed<'a>, RecordError> {
    let mut object = object(record)?;
    let task = object.get("task_id").and_then(name_of);
    let id = task_identity(around.stem, &mut object);
    let mut messages = take(&mut object, "messages");
    let reason = object.get("termination_reason").and_then(Value::as_str).unwrap_or_default();
    let crashed = reason.contains("error");
    match &mut messages {
        Value::Null if crashed => return Ok(Parsed::NotRun { id, reason: reason.to_owned() }),
        Value::Array(messages) if messages.is_empty() && crashed => {
            return Ok(Parsed::NotRun { id, reason: reason.to_owned() });
        }
        Value::Array(messages) => messages.iter_mut().filter(|message| is_for_the_user(message)).for_each(|message| {
            *message = Value::Null;
        }),
        _ => {}
    }
    let gold = task.and_then(|task| around.tasks?.0.get(&task)).cloned();
    Ok(Parsed::Record(Box::new(Record {
        id,
        messages,
        success: full_reward(object.get("reward_info").and_then(|info| info.get("reward"))),
        gold,
        ..Record::default()
    })))
}

/// Whether a message is the result of a call that the simulated user made.
fn is_for_the_user(message: &Value<'_>) -> bool {
    message.get("role").and_then(Value::as_str) == Some("tool")
        && message.get("requestor").and_then(Value::as_str) == Some("user")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse as json;
    use crate::transcript::{Place, assemble};

    const TASKS: &str = r#"[{"id": "7", "evaluation_criteria": {"actions": [
        {"requestor": "assistant", "name": "f", "arguments": {"a": 1}},
        {"requestor": "user", "name": "toggle", "arguments": {}}]}},
        {"id": "8", "evaluation_criteria": null}]"#;

    #[test]
    fn a_simulated_users_calls_and_results_are_not_the_agents() {
        let tasks = Tasks::read(&json(TASKS).unwrap());
        let text = r#"{"task_id": "7", "trial": 1, "termination_reason": "user_stop", "reward_info": {"reward": 0.0}, "messages": [
            {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "name": "f", "arguments": {"a": 1.0}, "requestor": "assistant"}]},
            {"role": "tool", "id": "c", "content": "no", "requestor": "assistant", "error": true},
            {"role": "user", "content": null, "tool_calls": [{"id": "u", "name": "toggle", "arguments": {}, "requestor": "user"}]},
            {"role": "tool", "id": "u", "content": "toggled", "requestor": "user", "error": false}]}"#;
        let Ok(Parsed::Record(record)) = parse(json(text).unwrap(), Surroundings { stem: "t", tasks: Some(&tasks) }) else {
            panic!("a record")
        };
        let place = Place { file: "t.json".into(), record: 0, line: 1 };
        let transcript = assemble(*record, place, String::new).unwrap();
        assert_eq!(transcript.id, "t/7/1");
        assert_eq!(transcript.success, Some(false));
        assert_eq!(transcript.gold.as_ref().unwrap().len(), 1);
        assert_eq!(transcript.proposals.len(), 1);
        let proposal = &transcript.proposals[0];
        assert_eq!((proposal.made, proposal.labels.accepted, proposal.labels.gold), (true, Some(false), Some(true)));
        assert_eq!(transcript.result_text(proposal), Some("no"));
        assert_eq!((transcript.messages.len(), transcript.recorded_messages), (1, 4));
        assert_eq!(transcript.oddities.results_without_call, 0);
    }

    #[test]
    fn a_simulation_that_crashed_before_it_began_is_not_run() {
        let parsed = |text| parse(json(text).unwrap(), Surroundings { stem: "t", tasks: None });
        let crashed = r#"{"task_id": "1", "trial": 0, "messages": [], "termination_reason": "agent_error"}"#;
        assert!(matches!(parsed(crashed), Ok(Parsed::NotRun { .. })));
        let stopped = r#"{"task_id": "1", "messages": [["user", "x"]], "termination_reason": "agent_error"}"#;
        assert!(matches!(parsed(stopped), Ok(Parsed::Record(_))));
    }
}
