//! The worked cases of finding values in text, run against this crate.

use std::path::PathBuf;

use dryguard::json::{self, Value};
use dryguard::text::{Address, Locale, Matcher, Needle, PathRule, occurrences, same_url};

type Check = fn(&Value<'_>) -> Result<(), String>;

#[test]
fn occurrences_agree() {
    run("occurrences", occurrences_case);
}

#[test]
fn url_parts_agree() {
    run("url_parts", url_parts_case);
}

#[test]
fn same_url_agrees() {
    run("same_url", same_url_case);
}

/// Runs every case of a family; a missing folder skips it.
fn run(family: &str, check: Check) {
    let folder = std::env::var_os("DRYGUARD_CONFORMANCE")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"), PathBuf::from);
    let Ok(text) = std::fs::read_to_string(folder.join(format!("{family}.jsonl"))) else {
        println!("{family}: skipped, no cases at {}", folder.display());
        return;
    };
    let (mut cases, mut differ) = (0, Vec::new());
    for line in text.lines() {
        cases += 1;
        let result = json::parse(line).map_err(|error| error.to_string()).and_then(|case| check(&case));
        differ.extend(result.err().map(|why| format!("{line}\n    {why}")));
    }
    println!("{family}: {}/{cases}", cases - differ.len());
    assert!(cases > 0, "{family} has no cases");
    let first: Vec<&str> = differ.iter().take(10).map(String::as_str).collect();
    assert!(differ.is_empty(), "{} of {cases} cases differ, the first:\n{}", differ.len(), first.join("\n"));
}

fn occurrences_case(case: &Value<'_>) -> Result<(), String> {
    let text = string(case, "text")?;
    let matcher: Matcher = string(case, "matcher")?.parse().map_err(|error| format!("{error}"))?;
    let locale: Option<Locale> = match case.get_some("locale").and_then(Value::as_str) {
        Some(name) => Some(name.parse().map_err(|error| format!("{error}"))?),
        None => None,
    };
    let needle = match case.get("value") {
        Some(Value::String(value)) => Needle::text(value, matcher, locale),
        Some(Value::Number(value)) => Needle::number(&value.exact(), matcher, locale),
        other => return Err(format!("a value that is neither text nor number: {other:?}")),
    };
    let found = occurrences(&needle, text).into_iter().map(|range| code_points(text, range.start, range.end));
    let expected = case.get("expect").and_then(Value::as_array).unwrap_or_default();
    let expected = expected.iter().filter_map(|pair| match pair.as_array()? {
        [start, end] => Some((start.as_usize()?, end.as_usize()?)),
        _ => None,
    });
    same(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>())
}

fn code_points(text: &str, start: usize, end: usize) -> (usize, usize) {
    (text[..start].chars().count(), text[..end].chars().count())
}

fn url_parts_case(case: &Value<'_>) -> Result<(), String> {
    let address = Address::parse(string(case, "url")?);
    let found = address.as_ref().map(|address| {
        (
            Some(address.host()),
            address.port().map(usize::from),
            Some(address.path()),
            Some(address.query()),
            Some(address.fragment()),
            address.scheme().map(|scheme| scheme.as_str()),
        )
    });
    let expected = case.get_some("expect").map(|parts| {
        let part = |name| parts.get(name).and_then(Value::as_str);
        let port = parts.get("port").and_then(Value::as_usize);
        (part("host"), port, part("path"), part("query"), part("fragment"), part("scheme"))
    });
    same(found, expected)
}

fn same_url_case(case: &Value<'_>) -> Result<(), String> {
    let path = match string(case, "path")? {
        "exact" => PathRule::Exact,
        "prefix" => PathRule::Prefix,
        other => return Err(format!("unknown path rule `{other}`")),
    };
    let found = same_url(string(case, "value")?, string(case, "written")?, path);
    same(Some(found), case.get("expect").and_then(Value::as_bool))
}

fn string<'a>(case: &'a Value<'_>, key: &str) -> Result<&'a str, String> {
    case.get(key).and_then(Value::as_str).ok_or_else(|| format!("no text `{key}`"))
}

fn same<T: PartialEq + std::fmt::Debug>(found: T, expected: T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("found {found:?}, expected {expected:?}")) }
}
