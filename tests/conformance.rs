//! Worked cases from the reference system, family by family.
//!
//! Reads every family in the folder `$DRYGUARD_CONFORMANCE` (else `../shared/conformance` beside the project), prints one line
//! a family and fails where a case differs that isn't on the list of reasoned differences
//! (`tests/conformance/differences.toml`). Families of later work are passed over until it is there.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::string_slice,
    reason = "a test stops where something is not as it must be"
)]

#[path = "conformance/arguments.rs"]
mod arguments;
#[path = "conformance/cases.rs"]
mod cases;
#[path = "conformance/guard.rs"]
mod guard;
#[path = "conformance/text.rs"]
mod text;
#[path = "conformance/transcript.rs"]
mod transcript;
#[path = "conformance/words.rs"]
mod words;

#[test]
fn occurrences() {
    cases::run("occurrences", text::occurrences);
}

#[test]
fn url_parts() {
    cases::run("url_parts", text::url_parts);
}

#[test]
fn same_url() {
    cases::run("same_url", text::same_url);
}

#[test]
fn messages() {
    cases::run("messages", transcript::messages);
}

#[test]
fn tool_call() {
    cases::run("tool_call", transcript::tool_call);
}

#[test]
fn accepts() {
    cases::run("accepts", words::accepts);
}

#[test]
fn intents() {
    cases::run("intents", words::intents);
}

#[test]
fn arguments() {
    cases::run("arguments", arguments::arguments);
}

#[test]
fn decisions() {
    cases::run("decisions", guard::decisions);
}

#[test]
fn gates() {
    cases::run("gates", guard::gates);
}
