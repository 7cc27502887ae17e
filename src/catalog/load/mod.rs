//! Reading a catalog: a tree with places first, then made valid, every mistake with its place.
//!
//! A file is read into a [`tree`] of values (the same for TOML and JSON), laid over what it [extends](merge), and then made
//! valid part by part. What is wrong is collected, so that one run shows all of it.

mod check;
mod detector;
mod diagnostic;
mod facts;
mod fingerprint;
mod lint;
mod merge;
mod names;
mod options;
mod read_json;
mod read_toml;
mod rules;
mod schemas;
mod spread;
mod tools;
mod tree;
mod types;

use std::path::Path;
use std::sync::Arc;

pub use diagnostic::{CatalogErrors, Diagnostic, Severity, Source, Span};

use super::Catalog;
use super::model::{Combine, Tool, Undeclared};
use check::Problems;
use names::Names;
use tree::Node;

/// How a catalog file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// TOML, the format to write by hand.
    Toml,
    /// JSON with the same keys.
    Json,
}

impl Format {
    /// The format of a file by its name: `.json` is JSON, anything else TOML.
    pub fn of(path: &Path) -> Format {
        match path.extension() {
            Some(extension) if extension.eq_ignore_ascii_case("json") => Format::Json,
            _ => Format::Toml,
        }
    }
}

/// A catalog that can be used, and what is doubtful about it.
#[derive(Debug)]
pub struct Loaded {
    /// The catalog.
    pub catalog: Catalog,
    /// Doubts, in the order of their places.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a catalog file with the files that it names.
///
/// # Errors
/// A file can't be read, or something in it is wrong: all that was found.
pub fn load(path: &Path) -> Result<Loaded, CatalogErrors> {
    match merge::read_source(path) {
        Ok(source) => {
            let identity = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
            read(&source, Format::of(path), &[identity])
        }
        Err(reason) => Err(CatalogErrors::new(vec![merge::unreadable(path, &reason)])),
    }
}

/// Reads a catalog's text. `name` stands for it in messages; files that it names are relative to `base`.
///
/// # Errors
/// As [`load`]; also when the catalog names a relative file and there is no `base`.
pub fn from_text(text: &str, name: &str, format: Format, base: Option<&Path>) -> Result<Loaded, CatalogErrors> {
    let source = Source { name: name.to_owned(), text: text.to_owned(), folder: base.map(Path::to_path_buf) };
    read(&Arc::new(source), format, &[])
}

fn read(source: &Arc<Source>, format: Format, above: &[std::path::PathBuf]) -> Result<Loaded, CatalogErrors> {
    let mut problems = Problems::default();
    let catalog = merge::read(source, format, above, &mut problems).map(|root| validate(&root, source, &mut problems));
    match catalog {
        Some(catalog) if !problems.any_error() => Ok(Loaded { catalog, warnings: problems.sorted() }),
        _ => Err(CatalogErrors::new(problems.sorted())),
    }
}

const COMBINE: [(&str, Combine); 2] = [("strictest", Combine::Strictest), ("first", Combine::First)];

const UNDECLARED: [(&str, Undeclared); 2] = [("deny", Undeclared::Deny), ("schema-only", Undeclared::SchemaOnly)];

/// Makes a catalog of a tree; usable only if no error was found.
fn validate(root: &Node, source: &Source, problems: &mut Problems) -> Catalog {
    let name = root.get("name").and_then(|node| problems.text(node)).map(str::to_owned);
    let combine = root.get("combine").and_then(|node| problems.one_of(node, "a way to combine checks", &COMBINE));
    let undeclared =
        root.get("undeclared").and_then(|node| problems.one_of(node, "a way to treat undeclared tools", &UNDECLARED));
    let definitions = schemas::read(root.get("schemas"), problems);
    let mut names = Names::default();
    names.read_constants(root.get("constants"), problems);
    let facts = facts::read(root.get("facts"), &mut names, problems);
    let computed = rules::declare_computed(root, &mut names, problems);
    let mut drafts = tools::read(root, &definitions, &names, problems);
    names.without_section = tools::undeclared(&definitions, &drafts).into_iter().map(|tool| tool.name).collect();
    rules::read_computed(&computed, &mut drafts, &names, problems);
    rules::read_policies(root, &mut drafts, &names, problems);
    let gates = rules::read_gates(root, &mut drafts, &names, problems);
    let catalog = Catalog {
        name: name.unwrap_or_else(|| stem(&source.name)),
        combine: combine.unwrap_or_default(),
        undeclared: undeclared.unwrap_or_default(),
        recorded_schemas: definitions.recorded,
        definitions: tools::undeclared(&definitions, &drafts).into_iter().map(|tool| (tool.name.clone(), tool)).collect(),
        facts,
        computed: names.computed.iter().map(|name| name.as_str().into()).collect(),
        gates,
        refused: refused(root, &names, problems),
        detector: detector::read(root.get("detector"), problems),
        fingerprint: fingerprint::of(root, &definitions),
        defaults: Tool::plain(""),
        tools: drafts.into_iter().map(|draft| (draft.tool.name.clone(), draft.tool)).collect(),
    };
    if !problems.any_error() {
        lint::check(&catalog, root, problems);
        types::check(&catalog, root, problems);
    }
    catalog
}

/// `[outcome]`: how a recorded result says that the environment refused the call.
fn refused(root: &Node, names: &Names, problems: &mut Problems) -> Option<super::expression::Expression> {
    let node = root.get("outcome")?;
    problems.table(node, "`outcome`", &["refused"])?;
    let source = problems.required(node, "`outcome`", "refused")?;
    names::compile(source, &names.result_scope(), problems).map(|compiled| compiled.as_ref().clone())
}

/// What a catalog without a `name` is called: its file's name without the extension.
fn stem(file: &str) -> String {
    Path::new(file).file_stem().map_or_else(|| file.to_owned(), |stem| stem.to_string_lossy().into_owned())
}
