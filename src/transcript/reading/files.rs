//! Which files a list of paths means.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::ReadError;

/// Endings of compressed files.
pub(super) const COMPRESSIONS: [&str; 2] = [".gz", ".zst"];
/// Endings of files that are read from folders.
pub(super) const FORMATS: [&str; 3] = [".jsonl", ".ndjson", ".json"];

/// Something to read.
#[derive(Debug)]
pub(super) struct Input {
    /// Nothing is standard input.
    pub path: Option<PathBuf>,
    /// Its size as stored, where it's known.
    pub bytes: Option<u64>,
}

/// Every input that the paths mean: files in the order they were named, a folder's files sorted by name.
pub(super) fn collect(paths: &[PathBuf]) -> Result<Vec<Input>, ReadError> {
    if paths.is_empty() {
        return Err(ReadError::NoPaths);
    }
    let mut inputs = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            inputs.push(Input { path: None, bytes: None });
            continue;
        }
        let found = inputs.len();
        let metadata = fs::metadata(path).map_err(|error| ReadError::Io { path: path.clone(), error })?;
        if metadata.is_dir() {
            // Each real folder is read once, so links that lead back up do no harm.
            walk(path, &mut HashSet::new(), &mut inputs)?;
            if inputs.len() == found {
                return Err(ReadError::EmptyFolder { path: path.clone() });
            }
        } else {
            inputs.push(file(path.clone(), &metadata));
        }
    }
    Ok(inputs)
}

fn file(path: PathBuf, metadata: &fs::Metadata) -> Input {
    Input { path: Some(path), bytes: metadata.is_file().then_some(metadata.len()) }
}

fn walk(folder: &Path, seen: &mut HashSet<PathBuf>, inputs: &mut Vec<Input>) -> Result<(), ReadError> {
    let fail = |error| ReadError::Io { path: folder.to_owned(), error };
    if !seen.insert(folder.canonicalize().map_err(fail)?) {
        return Ok(());
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        entries.push(entry.map_err(fail)?.path());
    }
    entries.sort_unstable();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // A link that leads nowhere is no file.
        let Ok(metadata) = fs::metadata(&path) else { continue };
        if name.starts_with('.') {
            continue;
        }
        if metadata.is_dir() {
            walk(&path, seen, inputs)?;
        } else if metadata.is_file() && has_known_ending(&name) {
            inputs.push(file(path, &metadata));
        }
    }
    Ok(())
}

fn has_known_ending(name: &str) -> bool {
    let plain = COMPRESSIONS.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    FORMATS.iter().any(|ending| plain.ends_with(ending))
}
