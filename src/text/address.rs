//! Web addresses, compared as the resource they name.

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use super::characters::{is_format, is_word};

/// Longest host that is looked at, in bytes as written: a name of 253 letters in its longest spelling.
const MAX_HOST: usize = 1024;

/// A web address in the parts that say which resource it names.
///
/// ```
/// use dryguard::text::Address;
///
/// let address = Address::parse("https://WWW.Shop.example:443/a/?q=1").unwrap();
/// assert_eq!((address.host(), address.port(), address.path(), address.query()), ("shop.example", None, "/a", "q=1"));
/// assert_eq!(Address::parse("https://shop.example@evil.example"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Address<'a> {
    scheme: Option<Scheme>,
    host: Cow<'a, str>,
    port: Option<u16>,
    path: Cow<'a, str>,
    query: Cow<'a, str>,
    fragment: Cow<'a, str>,
}

/// The schemes of web addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// `http://`
    Http,
    /// `https://`
    Https,
}

/// How much of the path a written address must name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PathRule {
    /// All of it.
    Exact,
    /// Its beginning, up to a `/`.
    Prefix,
}

/// Whether the address `value` names the resource of the address `written` (a text's), without a downgrade of its scheme;
/// false where one of them is no plain web address.
pub fn same_url(value: &str, written: &str, path: PathRule) -> bool {
    match (Address::parse(value), Address::parse(written)) {
        (Some(value), Some(written)) => value.is_named_by(&written, path),
        _ => false,
    }
}

impl<'a> Address<'a> {
    /// Reads a plain web address, surrounding blanks aside; nothing where the text is none, or one that may be read as
    /// another than it looks like (userinfo, `..` segments, invisible characters, backslashes).
    pub fn parse(text: &'a str) -> Option<Address<'a>> {
        let text = text.trim();
        let is_misleading = |c: char| match c.is_ascii() {
            true => c <= ' ' || c == '\\' || c == '\u{7f}',
            false => c.is_whitespace() || c.is_control() || is_format(c),
        };
        if text.chars().any(is_misleading) {
            return None;
        }
        let (scheme, rest) = split_scheme(text);
        let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, path) = rest.split_at_checked(rest.find('/').unwrap_or(rest.len()))?;
        if path.split('/').any(is_dots) {
            return None;
        }
        let (host, port) = split_port(authority, scheme.is_some())?;
        Some(Address {
            scheme,
            host: read_host(host)?,
            port,
            path: path.trim_end_matches('/').into(),
            query: query.into(),
            fragment: fragment.into(),
        })
    }

    /// The scheme, if it's written.
    pub fn scheme(&self) -> Option<Scheme> {
        self.scheme
    }

    /// The host: lower case, in its ASCII form, without a leading `www.`; an IPv6 address without brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port, unless it is 80 or 443.
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// The path as written, without slashes at its end.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What follows the `?`, as written.
    pub fn query(&self) -> &str {
        &self.query
    }

    /// What follows the `#`, as written.
    pub fn fragment(&self) -> &str {
        &self.fragment
    }

    /// Whether the address `written` names this one.
    pub fn is_named_by(&self, written: &Address<'_>, path: PathRule) -> bool {
        let no_downgrade = match written.scheme {
            Some(Scheme::Https) => self.scheme == Some(Scheme::Https),
            Some(Scheme::Http) | None => true,
        };
        let continues = |rest: &str| rest.is_empty() || path == PathRule::Prefix && rest.starts_with('/');
        no_downgrade
            && (&self.host, self.port, &self.query, &self.fragment)
                == (&written.host, written.port, &written.query, &written.fragment)
            && self.path.strip_prefix(&*written.path).is_some_and(continues)
    }

    /// The same address without a borrow.
    pub fn into_owned(self) -> Address<'static> {
        let own = |part: Cow<'_, str>| Cow::Owned(part.into_owned());
        Address {
            scheme: self.scheme,
            host: own(self.host),
            port: self.port,
            path: own(self.path),
            query: own(self.query),
            fragment: own(self.fragment),
        }
    }
}

impl Scheme {
    /// The name before the `://`.
    pub fn as_str(self) -> &'static str {
        match self {
            Scheme::Http => "http",
            Scheme::Https => "https",
        }
    }
}

/// Any other scheme stays, and is no host then.
fn split_scheme(text: &str) -> (Option<Scheme>, &str) {
    for scheme in [Scheme::Https, Scheme::Http] {
        let name = scheme.as_str();
        if let Some((head, tail)) = text.split_at_checked(name.len())
            && head.eq_ignore_ascii_case(name)
            && let Some(rest) = tail.strip_prefix("://")
        {
            return (Some(scheme), rest);
        }
    }
    (None, text)
}

/// The host and the port, if it's one that matters. Userinfo is never split off, so it makes no valid host. An empty port
/// is none, unless what ends in its colon reads as a scheme.
fn split_port(authority: &str, web: bool) -> Option<(&str, Option<u16>)> {
    let after_brackets = authority.rfind(']').unwrap_or(0);
    let colon = authority.get(after_brackets..)?.rfind(':').map(|at| after_brackets + at);
    let Some((host, port)) = colon.and_then(|at| authority.split_at_checked(at)) else { return Some((authority, None)) };
    let digits = port.strip_prefix(':')?;
    if digits.is_empty() && (web || !is_scheme(host)) {
        return Some((host, None));
    }
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // `parse` takes any number of leading zeros, but stops at an overflow.
    let port: u16 = digits.parse().ok()?;
    Some((host, (port != 80 && port != 443).then_some(port)))
}

fn is_scheme(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-'))
}

fn read_host(host: &str) -> Option<Cow<'_, str>> {
    if let Some(inner) = host.strip_prefix('[') {
        let address: Ipv6Addr = inner.strip_suffix(']')?.parse().ok()?;
        return Some(Cow::Owned(address.to_string()));
    }
    let host = host.trim_end_matches('.');
    if host.len() > MAX_HOST {
        return None;
    }
    let name: Cow<'_, str> = match host.is_ascii() {
        true if host.bytes().any(|b| b.is_ascii_uppercase()) => Cow::Owned(host.to_ascii_lowercase()),
        true => Cow::Borrowed(host),
        false => Cow::Owned(idna::domain_to_ascii(host).ok()?),
    };
    if !is_name(&name) {
        return None;
    }
    // Without `www.` it must still be a name: an IP address would be another host.
    match name.strip_prefix("www.") {
        Some(rest) if rest.contains('.') && rest.parse::<Ipv4Addr>().is_err() => Some(Cow::Owned(rest.to_owned())),
        _ => Some(name),
    }
}

/// Whether `host` is a DNS name of two labels or more, or `localhost`.
fn is_name(host: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    host.len() <= 253 && (host.contains('.') || host == "localhost") && host.split('.').all(is_label)
}

/// Whether a path segment is `.` or `..`, also percent-encoded.
fn is_dots(segment: &str) -> bool {
    let mut rest = segment;
    for _ in 0..2 {
        let dot = rest.strip_prefix('.').or_else(|| rest.strip_prefix("%2e")).or_else(|| rest.strip_prefix("%2E"));
        rest = dot.unwrap_or(rest);
    }
    rest.is_empty() && !segment.is_empty()
}

/// The web addresses of a text and where they stand, in bytes. The text is one without format characters and with plain
/// spaces ([`super::normalize::Reading::plain`]).
pub fn addresses(text: &str) -> impl Iterator<Item = (Range<usize>, Address<'_>)> {
    let mut next = 0;
    text.split_inclusive(ends_address).filter_map(move |piece| {
        let start = next;
        next += piece.len();
        let run = piece.trim_end_matches(|c| ends_address(c) || matches!(c, '.' | ':' | '!' | '?'));
        let (skipped, address) = candidate(run)?;
        Some((start + skipped..start + run.len(), address))
    })
}

fn ends_address(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '"' | '\'' | '`' | '<' | '>' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '\\' | '^' | ',' | ';')
}

/// An address in a run of characters, and the length of the label before it.
fn candidate(run: &str) -> Option<(usize, Address<'_>)> {
    // Nearly every word of a text: no dot, so no host.
    let is_local = |bytes: &[u8]| bytes.eq_ignore_ascii_case(b"localhost");
    if !run.bytes().any(|b| b == b'.' || !b.is_ascii()) && !run.as_bytes().windows(9).any(is_local) {
        return None;
    }
    if let Some(address) = Address::parse(run) {
        return Some((0, address));
    }
    let skipped = label_end(run)?;
    Some((skipped, Address::parse(run.get(skipped..)?)?))
}

/// The end of a label glued to the front, as in `Link:good.com` or `url=good.com`.
fn label_end(run: &str) -> Option<usize> {
    let mut rest = run.strip_prefix(|c: char| c.is_ascii_alphabetic())?;
    for _ in 0..19 {
        rest = rest.strip_prefix(|c| c == '-' || is_word(c)).unwrap_or(rest);
    }
    Some(run.len() - rest.strip_prefix([':', '='])?.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn host(text: &str) -> Option<String> {
        Address::parse(text).map(|address| address.host().to_owned())
    }

    #[test]
    fn hosts_compare_by_their_ascii_name() {
        for (text, expected) in [
            ("https://WWW.Good.com./A/", "good.com"),
            ("ПРИМЕР.рф/a", "xn--e1afmkfd.xn--p1ai"),
            ("www.com", "www.com"),
            ("www.localhost", "www.localhost"),
            ("www.1.2.3.4", "www.1.2.3.4"),
            ("localhost:3000/x", "localhost"),
            ("http://[0:0::1]:8080", "::1"),
            ("192.168.0.1", "192.168.0.1"),
            ("good。com", "good.com"),
        ] {
            assert_eq!(host(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_may_mislead_is_no_address() {
        for text in [
            "",
            " ",
            "good",
            "//good.com",
            "ftp://good.com",
            "javascript:alert(1)",
            "mailto:a@b.c",
            "https://good.com@evil.com",
            "https://u:p@good.com",
            "good.com\\evil",
            "good.com/../x",
            "good.com/%2e%2E/x",
            "good.com/a b",
            "go\u{200b}od.com",
            "good.com/\u{0}",
            "https:/good.com",
            "https:good.com",
            "good.com:",
            "good.com:80x",
            "good.com:65536",
            "a_b.com",
            "-bad.com",
            "good..com",
            "::1",
            "http://[::1]x",
            "http://[good.com]",
            "good%2ecom",
        ] {
            assert_eq!(host(text), None, "{text:?}");
        }
    }

    #[test]
    fn ports_paths_and_the_rest() {
        let parts = |text| {
            let address = Address::parse(text).unwrap();
            (address.port(), address.path().to_owned(), address.query().to_owned(), address.fragment().to_owned())
        };
        let of =
            |port, path: &str, query: &str, fragment: &str| (port, path.to_owned(), query.to_owned(), fragment.to_owned());
        assert_eq!(parts("good.com:0443//a//?x?y#z#w"), of(None, "//a", "x?y", "z#w"));
        assert_eq!(parts("http://good.com:/a"), of(None, "/a", "", ""));
        assert_eq!(
            parts("https://good.com:8443/..a/...?u=http://x/../y"),
            of(Some(8443), "/..a/...", "u=http://x/../y", "")
        );
        assert_eq!(parts("good.com?#"), of(None, "", "", ""));
    }

    #[test]
    fn a_written_address_is_never_downgraded() {
        for (value, written, exact, prefix) in [
            ("https://good.com", "good.com/", true, true),
            ("good.com", "https://good.com", false, false),
            ("http://good.com", "https://good.com", false, false),
            ("https://good.com", "http://good.com", true, true),
            ("good.com", "http://good.com", true, true),
            ("good.com/docs/a", "good.com/docs", false, true),
            ("good.com/docsevil", "good.com/docs", false, false),
            ("good.com/docs", "good.com/docs/a", false, false),
            ("good.com/docs?x", "good.com/docs", false, false),
            ("good.com.evil.com", "good.com", false, false),
            ("not an address", "not an address", false, false),
        ] {
            assert_eq!(same_url(value, written, PathRule::Exact), exact, "{value} {written}");
            assert_eq!(same_url(value, written, PathRule::Prefix), prefix, "{value} {written}");
        }
    }

    #[test]
    fn addresses_are_found_in_text() {
        let found =
            |text| addresses(text).map(|(range, _)| text.get(range).unwrap().to_owned()).collect::<Vec<_>>().join(" ");
        assert_eq!(found("see (https://good.com/a), or good.com:8080!?"), "https://good.com/a good.com:8080");
        assert_eq!(found("Link:good.com href=\"b.c\" a.b=c.d mail a@b.c"), "good.com b.c");
        assert_eq!(found("localhost LOCALHOST:80 url=localhost:3000/x."), "localhost LOCALHOST:80 localhost:3000/x");
        assert_eq!(found("e.g. v1.5, a-very-long-label-that-is-none:good.com"), "e.g v1.5");
    }

    proptest! {
        #[test]
        fn parsing_never_fails_and_candidates_are_slices(text in "[a.:/?#=@%2eE\\[\\]\\-é \u{200b}]{0,24}|\\PC{0,24}") {
            let _ = Address::parse(&text);
            for (range, address) in addresses(&text) {
                prop_assert_eq!(Address::parse(text.get(range).unwrap()), Some(address));
            }
        }
    }
}
