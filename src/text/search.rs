//! Finding values in text: one matcher's rule for a value and a text, and one pass for many values.

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

impl Matcher {
    /// stub
    pub const ALL: &'static [Matcher] = &[
        Matcher::Token,
        Matcher::NoCase,
        Matcher::Id,
        Matcher::Whole,
        Matcher::Spaced,
        Matcher::Substring,
        Matcher::Url,
        Matcher::UrlPrefix,
    ];
    /// stub
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
    /// stub
    pub const ALL: &'static [Locale] = &[Locale::En, Locale::De, Locale::Fr, Locale::Ch];
    /// stub
    pub fn as_str(self) -> &'static str {
        match self {
            Locale::En => "en",
            Locale::De => "de",
            Locale::Fr => "fr",
            Locale::Ch => "ch",
        }
    }
}
