//! The matchers and locales a catalog can name.

use std::fmt;
use std::str::FromStr;

/// How a string value must stand in the text that names it (numbers are found as number tokens whatever the matcher).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Matcher {
    /// Not inside a longer word, nor joined to one.
    #[default]
    Token,
    /// As `token`, without regard to case and typography.
    NoCase,
    /// As `nocase`; a leading `#` may be missing in the text.
    Id,
    /// Delimited on both sides.
    Whole,
    /// As `token`; numbers may group their thousands with spaces.
    Spaced,
    /// Anywhere.
    Substring,
    /// A web address that names the same resource.
    Url,
    /// As `url`; the path may continue the written one.
    UrlPrefix,
}

/// How numbers are written: which mark separates thousands and which the fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Locale {
    /// `1,500.5`
    En,
    /// `1.500,5`
    De,
    /// `1 500,5`
    Fr,
    /// `1'500.5`
    Ch,
}

/// A name that is none of a catalog's matchers or locales.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is no {kind}; use one of {known}")]
pub struct UnknownName {
    name: String,
    kind: &'static str,
    known: String,
}

impl Matcher {
    /// Every matcher, in the order the documentation lists them.
    pub const ALL: [Matcher; 8] = [
        Matcher::Token,
        Matcher::NoCase,
        Matcher::Id,
        Matcher::Whole,
        Matcher::Spaced,
        Matcher::Substring,
        Matcher::Url,
        Matcher::UrlPrefix,
    ];

    /// The name a catalog uses.
    pub fn as_str(self) -> &'static str {
        match self {
            Matcher::Token => "token",
            Matcher::NoCase => "nocase",
            Matcher::Id => "id",
            Matcher::Whole => "whole",
            Matcher::Spaced => "spaced",
            Matcher::Substring => "substring",
            Matcher::Url => "url",
            Matcher::UrlPrefix => "url_prefix",
        }
    }
}

impl Locale {
    /// Every locale, in the order the documentation lists them.
    pub const ALL: [Locale; 4] = [Locale::En, Locale::De, Locale::Fr, Locale::Ch];

    /// The name a catalog uses.
    pub fn as_str(self) -> &'static str {
        match self {
            Locale::En => "en",
            Locale::De => "de",
            Locale::Fr => "fr",
            Locale::Ch => "ch",
        }
    }
}

impl fmt::Display for Matcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Locale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Matcher {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        by_name(name, "matcher", &Matcher::ALL, Matcher::as_str)
    }
}

impl FromStr for Locale {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        by_name(name, "locale", &Locale::ALL, Locale::as_str)
    }
}

fn by_name<T: Copy>(name: &str, kind: &'static str, all: &[T], as_str: fn(T) -> &'static str) -> Result<T, UnknownName> {
    all.iter().copied().find(|&one| as_str(one) == name).ok_or_else(|| {
        let known: Vec<String> = all.iter().map(|&one| format!("`{}`", as_str(one))).collect();
        UnknownName { name: name.to_owned(), kind, known: known.join(", ") }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for matcher in Matcher::ALL {
            assert_eq!(matcher.as_str().parse(), Ok(matcher));
        }
        for locale in Locale::ALL {
            assert_eq!(locale.as_str().parse(), Ok(locale));
        }
    }

    #[test]
    fn an_unknown_name_is_told_what_there_is() {
        assert_eq!("EN".parse::<Locale>().unwrap_err().to_string(), "`EN` is no locale; use one of `en`, `de`, `fr`, `ch`");
    }
}
