//! A run's summary for programs: every figure, every name, and what follows from them.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CharEscape, Formatter, PrettyFormatter, Serializer};

use crate::evaluate::Summary;

use super::escape::is_unsafe;

/// The version of the format; another one when a reader of this one would misread it.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    dryguard_summary: u32,
    #[serde(flatten)]
    summary: &'a Summary,
    rules_never_applied: BTreeSet<&'a str>,
    tools_never_called: BTreeSet<&'a str>,
    tools_undeclared: BTreeSet<&'a str>,
    facts_never_given: BTreeSet<&'a str>,
    notices: Vec<String>,
}

/// Writes the summary as one JSON object over several lines.
///
/// # Errors
/// Writing failed.
pub fn render(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let document = Document {
        dryguard_summary: VERSION,
        summary,
        rules_never_applied: summary.rules_never_applied(),
        tools_never_called: summary.tools_never_called(),
        tools_undeclared: summary.tools_undeclared(),
        facts_never_given: summary.facts_never_given(),
        notices: summary.notices(),
    };
    write(&document, out)
}

/// Writes why there is no summary.
///
/// # Errors
/// Writing failed.
pub fn render_error(message: &str, exit: u8, out: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Document<'a> {
        error: &'a str,
        exit: u8,
    }
    write(&Document { error: message, exit }, out)
}

fn write(document: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(&mut *out, Harmless(PrettyFormatter::new()));
    document.serialize(&mut serializer)?;
    writeln!(out)
}

/// Indented, and with every character escaped that a terminal would obey.
struct Harmless(PrettyFormatter<'static>);

impl Formatter for Harmless {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| is_unsafe(*c)) {
            let (clean, tail) = rest.split_at(at);
            writer.write_all(clean.as_bytes())?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = tail.strip_prefix(c).unwrap_or_default();
        }
        writer.write_all(rest.as_bytes())
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, writer: &mut W, escape: CharEscape) -> io::Result<()> {
        self.0.write_char_escape(writer, escape)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::example::summary;

    fn json(summary: &Summary) -> String {
        let mut out = Vec::new();
        render(summary, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_run() {
        insta::assert_snapshot!(json(&summary()));
    }

    #[test]
    fn recorded_text_cannot_speak_to_the_terminal() {
        let mut summary = Summary::default();
        let name = "e\u{1b}\u{9b}\u{202e}é";
        summary.tools.insert(name.to_owned(), Default::default());
        let text = json(&summary);
        assert!(!text.chars().any(|c| c != '\n' && is_unsafe(c)));
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(read["tools"].get(name).is_some());
    }
}
