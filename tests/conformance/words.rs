//! What a user's words mean: a yes, and a request.

use dryguard::json::Value;
use dryguard::words::acceptance;
use dryguard::words::intents::{Intent, asked};

fn text<'a>(case: &'a Value<'_>) -> Result<&'a str, String> {
    case.get("text").and_then(Value::as_str).ok_or_else(|| "no text".to_owned())
}

/// Whether a message accepts.
pub(crate) fn accepts(case: &Value<'_>) -> Result<(), String> {
    let text = text(case)?;
    let (ours, expected) = (acceptance::accepts(text), case.get("expect").and_then(Value::as_bool));
    if Some(ours) == expected { Ok(()) } else { Err(format!("`{text}`: {ours}, expected {expected:?}")) }
}

/// Which actions a message asks for.
pub(crate) fn intents(case: &Value<'_>) -> Result<(), String> {
    let text = text(case)?;
    let ours = asked(text);
    for intent in Intent::ALL {
        let expected = case.get("expect").and_then(|expect| expect.get(intent.as_str())).and_then(Value::as_bool);
        if Some(ours.contains(intent)) != expected {
            return Err(format!("`{text}`: {} is {}, expected {expected:?}", intent.as_str(), ours.contains(intent)));
        }
    }
    Ok(())
}
