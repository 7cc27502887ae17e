//! Finding values in text, and web addresses.

use dryguard::json::Value;
use dryguard::text::{Address, Locale, Matcher, Needle, PathRule, occurrences as find, same_url as same_address};

/// A value in a text: where it stands, in code points.
pub(crate) fn occurrences(case: &Value<'_>) -> Result<(), String> {
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
    let found = find(&needle, text).into_iter().map(|range| code_points(text, range.start, range.end));
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

/// The parts of a web address, or that it is none.
pub(crate) fn url_parts(case: &Value<'_>) -> Result<(), String> {
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

/// Whether two addresses name the same resource.
pub(crate) fn same_url(case: &Value<'_>) -> Result<(), String> {
    let path = match string(case, "path")? {
        "exact" => PathRule::Exact,
        "prefix" => PathRule::Prefix,
        other => return Err(format!("unknown path rule `{other}`")),
    };
    let found = same_address(string(case, "value")?, string(case, "written")?, path);
    same(Some(found), case.get("expect").and_then(Value::as_bool))
}

fn string<'a>(case: &'a Value<'_>, key: &str) -> Result<&'a str, String> {
    case.get(key).and_then(Value::as_str).ok_or_else(|| format!("no text `{key}`"))
}

fn same<T: PartialEq + std::fmt::Debug>(found: T, expected: T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("found {found:?}, expected {expected:?}")) }
}
