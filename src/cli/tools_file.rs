//! `--tools`: a file of tool definitions.

use std::fmt::Display;
use std::fs;
use std::path::Path;

use crate::catalog::load::Format;
use crate::catalog::schema::{Definition, definitions};
use crate::json;

use super::failure::Failure;

/// Reads one.
///
/// # Errors
/// It can't be read, holds something else, or defines no tool.
pub fn read(path: &Path) -> Result<Vec<Definition>, Failure> {
    let wrong = |why: &dyn Display| Failure::Catalog(format!("`{}`: {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| wrong(&error))?;
    let tools = json::parse(&text).map_err(|error| {
        let instead = if Format::of(path) == Format::Toml { "; a catalog goes with `replay -c`" } else { "" };
        wrong(&format_args!("tool definitions are JSON, and this is not ({error}){instead}"))
    })?;
    let defined = definitions(&tools).map_err(|error| wrong(&error))?;
    if defined.is_empty() { Err(wrong(&"it defines no tool")) } else { Ok(defined) }
}
