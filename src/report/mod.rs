//! Output: one file a format, all over the values of [`crate::evaluate`] and [`crate::replay`].

use std::io::{self, Write};

use crate::evaluate::Summary;

pub mod decisions;
pub mod escape;
pub mod json;
pub mod json_line;
pub mod table;
pub mod text;
pub mod text_provenance;

/// A format of the report on a run.
#[derive(Debug)]
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it's for.
    pub about: &'static str,
    /// Writes the report.
    pub render: fn(&Summary, &mut dyn Write) -> io::Result<()>,
}

/// Every format of `--report`.
pub const FORMATS: &[Format] = &[
    Format {
        name: "text",
        about: "for people",
        render: |summary, out| text::render(summary, &mut text::Page::new(out, false)),
    },
    Format { name: "json", about: "every figure, for programs", render: json::render },
];

impl PartialEq for Format {
    fn eq(&self, other: &Format) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}
