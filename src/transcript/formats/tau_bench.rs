//! Result files as τ-bench's runner writes them: an array of `{task_id, trial, reward, traj, info}`.
//!
//! The conversation is `traj`; the reference solution `info.task.actions` (with `kwargs`); it ended well when `reward` is 1.
//! A record whose run crashed has an `info.error` and no messages: it was not run.

use crate::json::{Object, Value};
use crate::transcript::content::take;
use crate::transcript::{Record, RecordError, ToolCall};

use super::{Parsed, Surroundings, full_reward, object, task_identity};

pub(crate) fn parse<'a>(record: Value<'a>, around: Surroundings<'_>) -> Result<Parsed<'a>, RecordError> {
    let mut object = object(record)?;
    let id = task_identity(around.stem, &mut object);
    let messages = match take(&mut object, "traj") {
        messages @ Value::Array(_) => messages,
        other => return Err(RecordError::Field { field: "traj", expected: "a list of messages", found: other.kind() }),
    };
    let info = object.get("info");
    let error = info.and_then(|info| info.get_some("error"));
    if let (Some(error), Some([])) = (error, messages.as_array()) {
        return Ok(Parsed::NotRun { id, reason: error.as_str().unwrap_or("the run ended with an error").to_owned() });
    }
    let actions = info.and_then(|info| info.get("task")).and_then(|task| task.get("actions")).and_then(Value::as_array);
    Ok(Parsed::Record(Box::new(Record {
        id,
        success: full_reward(object.get("reward")),
        gold: actions.map(|actions| actions.iter().filter_map(action).collect()),
        messages,
        ..Record::default()
    })))
}

/// An action of the reference solution as a call.
fn action<'a>(action: &Value<'a>) -> Option<ToolCall<'a>> {
    let object = action.as_object()?;
    match object.get("kwargs") {
        Some(arguments) => {
            let name = object.get("name")?.clone();
            let members = vec![("name".into(), name), ("arguments".into(), arguments.clone())];
            ToolCall::parse(&Value::Object(Object::from_members(members))).ok()
        }
        None => ToolCall::parse(action).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse as json;

    fn read(text: &str) -> Result<Parsed<'_>, RecordError> {
        parse(json(text).unwrap(), Surroundings { stem: "retail", tasks: None })
    }

    #[test]
    fn a_result_is_a_record_with_reference_and_success() {
        let text = r#"{"task_id": 17, "trial": 0, "reward": 1.0, "traj": [{"role": "user", "content": "x"}],
                       "info": {"task": {"actions": [{"name": "f", "kwargs": {"a": 1}}]}}}"#;
        let Ok(Parsed::Record(record)) = read(text) else { panic!("a record") };
        assert_eq!(record.id.as_deref(), Some("retail/17/0"));
        assert_eq!(record.success, Some(true));
        let gold = record.gold.unwrap();
        assert_eq!((gold[0].name.as_ref(), &gold[0].arguments), ("f", &json(r#"{"a": 1}"#).unwrap()));
    }

    #[test]
    fn a_crashed_run_is_not_run() {
        let crashed = r#"{"task_id": 1, "trial": 2, "reward": 0.0, "traj": [], "info": {"error": "connection lost"}}"#;
        let Ok(Parsed::NotRun { id, reason }) = read(crashed) else { panic!("not run") };
        assert_eq!((id.as_deref(), reason.as_str()), (Some("retail/1/2"), "connection lost"));
        let late = r#"{"task_id": 1, "reward": 0.5, "traj": [["user", "x"]], "info": {"error": "late"}}"#;
        let Ok(Parsed::Record(record)) = read(late) else { panic!("a record") };
        assert_eq!((record.id.as_deref(), record.success), (Some("retail/1"), Some(false)));
        assert!(read(r#"{"task_id": 1}"#).is_err());
    }
}
