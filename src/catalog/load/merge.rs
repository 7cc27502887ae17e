//! `extends`: a catalog laid over the one it extends, which gives one tree as if it had been written in one file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::check::Problems;
use super::diagnostic::{Diagnostic, Source};
use super::tree::{Kind, Member, Node};
use super::{Format, read_json, read_toml};

/// The keys of a catalog, and whether (and how) its own value goes over the one that it extends.
const KEYS: [(&str, Merge); 18] = [
    ("dryguard", Merge::Drop),
    ("name", Merge::Replace),
    ("extends", Merge::Drop),
    ("combine", Merge::Replace),
    ("schemas", Merge::Append),
    ("undeclared", Merge::Replace),
    ("defaults", Merge::ByKey),
    ("constants", Merge::ByKey),
    ("facts", Merge::ByKey),
    ("tools", Merge::ByKeyOfKey),
    ("policies", Merge::ByName),
    ("computed", Merge::ByName),
    ("gates", Merge::ByName),
    ("outcome", Merge::ByKey),
    ("detector", Merge::Detector),
    ("action_model", Merge::Later),
    ("authorizer", Merge::Later),
    ("conditions", Merge::Later),
];

/// The format that this version reads.
const VERSION: usize = 1;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Merge {
    /// Says something about the file, not about the catalog.
    Drop,
    /// The own value counts.
    Replace,
    /// The own items come after the extended ones.
    Append,
    /// Keys are added; the own value of a key that both have counts.
    ByKey,
    /// As `ByKey`, for the tables that the keys lead to.
    ByKeyOfKey,
    /// Items are added; an own one replaces the one of the same name, in its place.
    ByName,
    /// `patterns` by name, else as `ByKey`.
    Detector,
    /// Not supported yet.
    Later,
}

/// Reads a file and what it extends, as one tree without `dryguard` and `extends`.
pub(super) fn read(source: &Arc<Source>, format: Format, above: &[PathBuf], problems: &mut Problems) -> Option<Node> {
    let mut root = match format {
        Format::Toml => read_toml::read(source, problems.list())?,
        Format::Json => read_json::read(source, problems.list())?,
    };
    take_later_sections(&mut root, problems);
    let known: Vec<&str> = KEYS.iter().filter(|(_, how)| *how != Merge::Later).map(|(key, _)| *key).collect();
    problems.table(&root, "a catalog", &known)?;
    check_version(&root, problems);
    for key in ["policies", "computed", "gates"] {
        check_names(&root, key, problems);
    }
    let base = root.get("extends").and_then(|node| extended(node, above, problems));
    Some(match base {
        Some(base) => over(base, root),
        None => over(Node { value: Kind::Table(Vec::new()), ..root.clone() }, root),
    })
}

/// Sections that a later version brings are no misspelt keys.
fn take_later_sections(root: &mut Node, problems: &mut Problems) {
    let Kind::Table(members) = &mut root.value else { return };
    members.retain(|member| {
        let later = KEYS.iter().any(|(key, how)| *key == member.key && *how == Merge::Later);
        if later {
            let error = member.error(format!("`{}` is not supported yet", member.key));
            problems.push(error.label("this version doesn't read it"));
        }
        !later
    });
}

fn check_version(root: &Node, problems: &mut Problems) {
    let Some(node) = root.get("dryguard") else { return };
    match problems.count(node) {
        Some(version) if version > VERSION => {
            let error = node.error(format!("this catalog is written for format version {version}"));
            problems.push(error.label(format!("this program reads version {VERSION}")).help("use a newer program"));
        }
        _ => {}
    }
}

/// Two policies (computed values, gates) of one file can't have one name.
fn check_names(root: &Node, key: &str, problems: &mut Problems) {
    let Some(list) = root.get(key) else { return };
    let mut seen: Vec<&Node> = Vec::new();
    for node in list.items().iter().filter_map(|item| item.get("name")) {
        if let Some(first) = seen.iter().find(|other| other.text().is_some() && other.text() == node.text()) {
            let error = node.error(format!("the name `{}` is given twice in `{key}`", node.text().unwrap_or_default()));
            problems.push(error.label("again here").related(first.span.clone(), "first here"));
        }
        seen.push(node);
    }
}

/// The tree of the file that `extends` names.
fn extended(node: &Node, above: &[PathBuf], problems: &mut Problems) -> Option<Node> {
    let name = problems.text(node)?;
    let path = relative(node, name, problems)?;
    let identity = path.canonicalize().unwrap_or_else(|_| path.clone());
    if above.contains(&identity) {
        problems.push(node.error(format!("`{name}` extends this catalog in turn")).label("a circle"));
        return None;
    }
    match read_source(&path) {
        Ok(source) => {
            let above: Vec<PathBuf> = above.iter().cloned().chain([identity]).collect();
            read(&source, Format::of(&path), &above, problems)
        }
        Err(reason) => {
            problems.push(node.error(format!("the catalog `{name}` can't be read: {reason}")).label("extended here"));
            None
        }
    }
}

/// The path of a file that a catalog names, which is relative to the catalog's folder.
pub(super) fn relative(node: &Node, name: &str, problems: &mut Problems) -> Option<PathBuf> {
    let folder = node.span.source.folder.as_ref();
    if folder.is_none() && Path::new(name).is_relative() {
        problems.push(node.error(format!("`{name}` is relative to the catalog's folder, and this catalog is in none")));
        return None;
    }
    Some(folder.map_or_else(|| PathBuf::from(name), |folder| folder.join(name)))
}

/// Reads a file for showing places in it.
pub(super) fn read_source(path: &Path) -> Result<Arc<Source>, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes)
        .map_err(|error| format!("it's not in UTF-8 from byte {} on", error.utf8_error().valid_up_to()))?;
    // An editor may have put a byte order mark first; it's no part of the text.
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    let folder = path.parent().map(Path::to_path_buf);
    Ok(Arc::new(Source { name: path.display().to_string(), text, folder }))
}

/// The own tree over the one that it extends.
fn over(base: Node, own: Node) -> Node {
    let Node { value, span, path } = own;
    let (Kind::Table(mut merged), Kind::Table(own)) = (base.value, value) else {
        return Node { value: Kind::Table(Vec::new()), span, path };
    };
    for member in own {
        let how = KEYS.iter().find(|(key, _)| *key == member.key).map_or(Merge::Later, |(_, how)| *how);
        if !matches!(how, Merge::Drop | Merge::Later) {
            put(&mut merged, member, how);
        }
    }
    Node { value: Kind::Table(merged), span, path }
}

fn put(members: &mut Vec<Member>, own: Member, how: Merge) {
    let Some(base) = members.iter_mut().find(|member| member.key == own.key) else {
        members.push(own);
        return;
    };
    match (&mut base.node.value, own.node.value, how) {
        (Kind::List(items), Kind::List(own), Merge::Append) => items.extend(own),
        (Kind::List(items), Kind::List(own), Merge::ByName) => {
            for item in own {
                let name = item.get("name").and_then(Node::text);
                match items.iter_mut().find(|other| name.is_some() && other.get("name").and_then(Node::text) == name) {
                    Some(other) => *other = item,
                    None => items.push(item),
                }
            }
        }
        (Kind::Table(inner), Kind::Table(own), Merge::ByKey | Merge::ByKeyOfKey | Merge::Detector) => {
            for member in own {
                let how = match how {
                    Merge::ByKeyOfKey => Merge::ByKey,
                    Merge::Detector if member.key == "patterns" => Merge::ByName,
                    _ => Merge::Replace,
                };
                put(inner, member, how);
            }
        }
        (_, value, _) => {
            let node = Node { value, span: own.node.span, path: own.node.path };
            *base = Member { key: own.key, key_span: own.key_span, node };
        }
    }
}

/// An error about a file as a whole.
pub(super) fn unreadable(path: &Path, reason: &str) -> Diagnostic {
    Diagnostic::error(format!("the catalog `{}` can't be read: {reason}", path.display()))
}
