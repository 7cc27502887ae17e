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

use cases::Family;

/// Each family: the file's name and how a case of it is checked.
const FAMILIES: &[Family] = &[
    Family { name: "occurrences", check: text::occurrences },
    Family { name: "url_parts", check: text::url_parts },
    Family { name: "same_url", check: text::same_url },
    Family { name: "messages", check: transcript::messages },
    Family { name: "tool_call", check: transcript::tool_call },
    Family { name: "accepts", check: words::accepts },
    Family { name: "intents", check: words::intents },
    Family { name: "arguments", check: arguments::arguments },
    Family { name: "decisions", check: guard::decisions },
    Family { name: "gates", check: guard::gates },
];

#[test]
fn the_worked_cases_agree() {
    cases::run(FAMILIES);
}
