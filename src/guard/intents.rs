//! STUB.
/// stub
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Intent {
    /// stub
    Reserve,
    /// stub
    Delete,
    /// stub
    Pay,
    /// stub
    Send,
    /// stub
    Visit,
}
impl Intent {
    /// stub
    pub const ALL: &'static [Intent] = &[Intent::Reserve, Intent::Delete, Intent::Pay, Intent::Send, Intent::Visit];
    /// stub
    pub fn as_str(self) -> &'static str {
        match self {
            Intent::Reserve => "reserve",
            Intent::Delete => "delete",
            Intent::Pay => "pay",
            Intent::Send => "send",
            Intent::Visit => "visit",
        }
    }
}
impl std::str::FromStr for Intent {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        Intent::ALL.iter().copied().find(|i| i.as_str() == s).ok_or_else(|| s.to_owned())
    }
}
/// stub
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IntentSet(u16);
impl IntentSet {
    /// stub
    pub fn with(self, intent: Intent) -> Self {
        IntentSet(self.0 | 1 << (intent as u16))
    }
    /// stub
    pub fn contains(self, intent: Intent) -> bool {
        self.0 & (1 << (intent as u16)) != 0
    }
    /// stub
    pub fn iter(self) -> impl Iterator<Item = Intent> {
        Intent::ALL.iter().copied().filter(move |i| self.contains(*i))
    }
}
/// stub
#[derive(Debug)]
pub struct Phrases(Vec<regex::Regex>);
impl Phrases {
    /// stub
    pub fn new(phrases: &[String]) -> Result<Phrases, regex::Error> {
        phrases.iter().map(|p| regex::Regex::new(p)).collect::<Result<Vec<_>, _>>().map(Phrases)
    }
}
