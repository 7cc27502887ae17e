//! `catalog check` and `catalog show`: their arguments, and what they write.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::catalog::describe::{self, Summary, ToolDescription};
use crate::catalog::load::{self, CatalogErrors, Diagnostic};
use crate::json;

/// `catalog check`: validates a catalog and says what to know before a replay.
#[derive(Debug, Clone, Args)]
pub struct CheckArgs {
    /// The catalog (TOML, or JSON by its name).
    pub catalog: PathBuf,
    /// Exits with 1 when there's anything to warn of.
    #[arg(long)]
    pub deny_warnings: bool,
}

/// What a check came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Validity {
    /// The catalog can be used.
    pub usable: bool,
    /// Something is doubtful about it.
    pub doubtful: bool,
}

/// `catalog show`: what each tool's checks are.
#[derive(Debug, Clone, Args)]
pub struct ShowArgs {
    /// The catalog (TOML, or JSON by its name).
    pub catalog: PathBuf,
    /// Only these tools.
    pub tools: Vec<String>,
    /// The tool list for a model instead: function-calling definitions as JSON.
    #[arg(long)]
    pub definitions: bool,
    /// With `--definitions`: each description also says what the guard asks of a call.
    #[arg(long, requires = "definitions")]
    pub with_reasons: bool,
}

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// For programs.
    pub json: bool,
    /// With colour, where it's for people.
    pub colour: bool,
}

/// Why a catalog can't be shown.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// It has errors.
    #[error(transparent)]
    Catalog(#[from] CatalogErrors),
    /// It declares no tool of that name.
    #[error("the catalog has no tool `{name}`; its tools are {tools}")]
    UnknownTool {
        /// The name.
        name: String,
        /// The names there are.
        tools: String,
    },
    /// The output can't be written.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// What `catalog check` writes for programs.
#[derive(serde::Serialize)]
struct Checked<'c> {
    valid: bool,
    summary: Option<Summary>,
    diagnostics: &'c [Diagnostic],
}

/// Validates a catalog, and shows what is wrong or doubtful.
///
/// # Errors
/// The output can't be written.
pub fn check(args: &CheckArgs, style: Style, out: &mut dyn Write) -> io::Result<Validity> {
    let loaded = load::load(&args.catalog);
    let (summary, diagnostics) = match &loaded {
        Ok(loaded) => (Some(describe::summary(&loaded.catalog)), loaded.warnings.as_slice()),
        Err(errors) => (None, errors.diagnostics()),
    };
    let valid = summary.is_some();
    let validity = Validity { usable: valid, doubtful: !diagnostics.is_empty() };
    if style.json {
        serde_json::to_writer_pretty(&mut *out, &Checked { valid, summary, diagnostics })?;
        writeln!(out)?;
        return Ok(validity);
    }
    for diagnostic in diagnostics {
        writeln!(out, "{}\n", diagnostic.render(style.colour))?;
    }
    match summary {
        Some(summary) => write!(out, "{}", summary.render())?,
        None => {
            let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == load::Severity::Error).count();
            let word = if errors == 1 { "error" } else { "errors" };
            writeln!(out, "{errors} {word}: this catalog can't be used")?;
        }
    }
    Ok(validity)
}

/// Shows what a catalog says of its tools.
///
/// # Errors
/// The catalog has errors or lacks a tool that was asked for, or the output can't be written.
pub fn show(args: &ShowArgs, style: Style, out: &mut dyn Write) -> Result<(), ShowError> {
    let catalog = load::load(&args.catalog)?.catalog;
    let described = describe::tools(&catalog);
    let asked = |name: &str| args.tools.is_empty() || args.tools.iter().any(|tool| tool == name);
    if let Some(unknown) = args.tools.iter().find(|name| !described.iter().any(|tool| tool.name == **name)) {
        let names: Vec<&str> = described.iter().map(|tool| tool.name.as_str()).collect();
        return Err(ShowError::UnknownTool { name: unknown.clone(), tools: names.join(", ") });
    }
    if args.definitions {
        let definitions = describe::definitions(&catalog, args.with_reasons);
        let name = |definition: &json::Value<'_>| {
            definition.get("function").and_then(|f| f.get("name")).and_then(|name| name.as_str().map(asked)).unwrap_or(true)
        };
        let lines =
            definitions.as_array().unwrap_or_default().iter().filter(|definition| name(definition)).map(json::display);
        let lines: Vec<String> = lines.collect();
        // One line a tool, and together one JSON list.
        writeln!(out, "[{}]", lines.join(",\n "))?;
        return Ok(());
    }
    let shown: Vec<ToolDescription> = described.into_iter().filter(|tool| asked(&tool.name)).collect();
    if style.json {
        serde_json::to_writer_pretty(&mut *out, &shown).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", describe::render(&shown))?;
    }
    Ok(())
}
