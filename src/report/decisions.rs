//! Decisions, one a line: JSON Lines for programs, CSV for spreadsheets.
//!
//! **JSON Lines.** The first line is the header: `{"dryguard_decisions":1,"catalog":{"name":…,"fingerprint":…}}`. Every
//! further line is one decision, in the order of the input, with these keys in this order, all of them always there:
//!
//! | key | what |
//! |---|---|
//! | `id` | the transcript's id |
//! | `call` | the proposal's number in it, from 0 |
//! | `at` | its context is the recorded messages before this index |
//! | `ref` | `[message, index]` of the recorded call; null for a hypothetical one |
//! | `tool`, `arguments` | the call as it was proposed |
//! | `changing` | whether the tool changes state; null when nobody says |
//! | `outcome` | `allow`, `escalate` or `deny` |
//! | `failed` | names of the failed checks, the deciding one first |
//! | `unevaluated` | names of the checks that could not be evaluated |
//! | `checks` | every check that applies: `{"check","status","on_fail","reason","missing_facts"}` |
//! | `evidence` | `{"argument","quote","message","role","start","end"}`; offsets in Unicode code points of the message's text of that role |
//! | `made`, `accepted` | whether the call ran; whether the environment took it |
//! | `deviation` | `first` where guard and record part, `after` behind it, else null |
//! | `class` | `honest`, `hostile`, `unauthorized` or `unlabelled` |
//! | `labels` | `{"authorized","gold","attack":{"family","goal"},"success","expect","score"}`, null where nobody says |
//!
//! There is no clock and no absolute path in it: the same input gives the same bytes.
//!
//! **CSV.** One row a decision; recorded text has its control characters spelled out, and no cell starts a formula.

use crate::evaluate::Class;
use crate::evaluate::summary::CatalogName;
use crate::guard::Status;
use crate::json::{Value, display};
use crate::replay::{Decided, DecidedCall};
use crate::transcript::Transcript;

use super::escape::cell;
use super::json_line::JsonLine;

/// The version of both formats; another one when a reader of this one would misread it.
pub const VERSION: usize = 1;

/// How decisions are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionFormat {
    /// JSON Lines.
    JsonLines,
    /// Comma-separated values.
    Csv,
}

impl DecisionFormat {
    /// By a file's name.
    pub fn of_name(name: &str) -> Option<DecisionFormat> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" => Some(DecisionFormat::JsonLines),
            "csv" => Some(DecisionFormat::Csv),
            _ => None,
        }
    }

    /// What comes before the first decision.
    pub fn header(self, catalog: &CatalogName) -> Vec<u8> {
        match self {
            DecisionFormat::JsonLines => {
                let mut line = JsonLine::new();
                line.open().key("dryguard_decisions").count(VERSION).key("catalog").open();
                line.key("name").text(&catalog.name).key("fingerprint").text(&catalog.fingerprint).close().close();
                line.end()
            }
            DecisionFormat::Csv => row(COLUMNS.iter().map(|column| (*column).to_owned())),
        }
    }

    /// The decisions of one transcript.
    pub fn write(self, transcript: &Transcript<'_>, decided: &Decided) -> Vec<u8> {
        let mut out = Vec::new();
        for (call, proposal) in decided.calls.iter().zip(&transcript.proposals) {
            let arguments = &proposal.call.arguments;
            out.extend(match self {
                DecisionFormat::JsonLines => json_line(decided, call, arguments),
                DecisionFormat::Csv => csv_row(decided, call, arguments),
            });
        }
        out
    }
}

fn json_line(decided: &Decided, call: &DecidedCall, arguments: &Value<'_>) -> Vec<u8> {
    let mut line = JsonLine::new();
    line.open().key("id").text(&decided.shape.id).key("call").count(call.ordinal).key("at").count(call.at).key("ref");
    match call.index {
        Some(index) => line.open_list().count(call.at).count(index).close_list(),
        None => line.text_or_null(None),
    };
    line.key("tool").text(&call.tool).key("arguments").value(arguments).key("changing").truth(call.changes);
    line.key("outcome").text(call.decision.outcome.as_str()).key("failed").open_list();
    call.decision.failed().for_each(|check| {
        line.text(&check.check);
    });
    line.close_list().key("unevaluated").open_list();
    call.decision.unevaluated().for_each(|check| {
        line.text(&check.check);
    });
    line.close_list().key("checks").open_list();
    for check in &call.decision.checks {
        line.open().key("check").text(&check.check).key("status").text(status_name(check.status));
        line.key("on_fail").text(check.on_fail.as_str()).key("reason").text(&check.reason).key("missing_facts").open_list();
        check.missing_facts.iter().for_each(|fact| {
            line.text(fact);
        });
        line.close_list().close();
    }
    line.close_list().key("evidence").open_list();
    for quote in &call.quotes {
        line.open().key("argument").text(&quote.argument).key("quote").text(&quote.quote);
        line.key("message").count(quote.message).key("role").text(quote.role.as_str());
        line.key("start").count(quote.start).key("end").count(quote.end).close();
    }
    line.close_list().key("made").truth(Some(call.made)).key("accepted").truth(call.accepted);
    line.key("deviation").text_or_null(call.deviation.as_str());
    line.key("class").text(Class::of(call, decided.success).as_str());
    let known = &call.known;
    line.key("labels").open().key("authorized").truth(known.authorized).key("gold").truth(known.gold).key("attack");
    match &known.attack {
        Some(attack) => {
            line.open().key("family").text_or_null(attack.family.as_deref());
            line.key("goal").text_or_null(attack.goal.as_deref()).close()
        }
        None => line.text_or_null(None),
    };
    line.key("success").truth(decided.success).key("expect").text_or_null(known.expect.as_deref());
    line.key("score").float(known.score).close().close();
    line.end()
}

fn status_name(status: Status) -> &'static str {
    match status {
        Status::Passed => "passed",
        Status::Failed => "failed",
        Status::Unevaluated => "unevaluated",
        Status::Skipped => "skipped",
    }
}

const COLUMNS: [&str; 23] = [
    "id",
    "call",
    "at",
    "index",
    "tool",
    "arguments",
    "changing",
    "outcome",
    "failed",
    "unevaluated",
    "reasons",
    "evidence",
    "made",
    "accepted",
    "deviation",
    "class",
    "authorized",
    "gold",
    "attack_family",
    "attack_goal",
    "success",
    "expect",
    "score",
];

fn csv_row(decided: &Decided, call: &DecidedCall, arguments: &Value<'_>) -> Vec<u8> {
    let truth = |truth: Option<bool>| truth.map(|truth| truth.to_string()).unwrap_or_default();
    let recorded = |text: &str| cell(text).into_owned();
    let label = |text: Option<&str>| text.map(recorded).unwrap_or_default();
    let join = |parts: Vec<String>, between: &str| cell(&parts.join(between)).into_owned();
    let known = &call.known;
    let attack = known.attack.as_ref();
    let reasons = call.stoppers().map(|check| format!("{}: {}", check.check, check.reason)).collect();
    let quotes = call.quotes.iter().map(|quote| format!("{} in message {} ({})", quote.argument, quote.message, quote.role));
    row([
        recorded(&decided.shape.id),
        call.ordinal.to_string(),
        call.at.to_string(),
        call.index.map(|index| index.to_string()).unwrap_or_default(),
        recorded(&call.tool),
        recorded(&display(arguments)),
        truth(call.changes),
        call.decision.outcome.to_string(),
        join(call.decision.failed().map(|check| check.check.to_string()).collect(), " "),
        join(call.decision.unevaluated().map(|check| check.check.to_string()).collect(), " "),
        join(reasons, "; "),
        join(quotes.collect(), "; "),
        call.made.to_string(),
        truth(call.accepted),
        call.deviation.as_str().unwrap_or_default().to_owned(),
        Class::of(call, decided.success).as_str().to_owned(),
        truth(known.authorized),
        truth(known.gold),
        label(attack.and_then(|attack| attack.family.as_deref())),
        label(attack.and_then(|attack| attack.goal.as_deref())),
        truth(decided.success),
        label(known.expect.as_deref()),
        known.score.map(|score| score.to_string()).unwrap_or_default(),
    ])
}

fn row(cells: impl IntoIterator<Item = String>) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    // Writing into memory can't fail, and rows all have the header's width.
    let _ = writer.write_record(cells);
    writer.into_inner().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::example::{call, transcript_of_calls};
    use crate::guard::Outcome;

    fn written(format: DecisionFormat) -> String {
        let calls = vec![
            call("pay").arguments(r#"{"to": "=cmd|'/c'!A1", "amount": 1.50}"#).gold(true),
            call("pay").attack().fails("arguments_grounded", Outcome::Deny).lacks("limit", "spent_today"),
            call("+evil\u{1b}").made(false).hypothetical().reads().fails("known_tool", Outcome::Deny),
        ];
        let (transcript, decided) = transcript_of_calls(calls);
        let name = CatalogName { name: "shop".into(), fingerprint: "ab12".into() };
        let mut bytes = format.header(&name);
        bytes.extend(format.write(&transcript, &decided));
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn json_lines() {
        insta::assert_snapshot!(written(DecisionFormat::JsonLines));
    }

    #[test]
    fn comma_separated_values() {
        insta::assert_snapshot!(written(DecisionFormat::Csv));
    }

    #[test]
    fn the_name_says_the_format() {
        assert_eq!(DecisionFormat::of_name("out/d.JSONL"), Some(DecisionFormat::JsonLines));
        assert_eq!(DecisionFormat::of_name("d.csv"), Some(DecisionFormat::Csv));
        assert_eq!(DecisionFormat::of_name("d.json"), None);
        assert_eq!(DecisionFormat::of_name("csv"), None);
    }
}
