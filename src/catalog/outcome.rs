//! The guard's three answers: what a rule's failure means, and what a decision comes to.

use std::fmt;

/// The guard's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The call may go ahead.
    Allow,
    /// A person decides.
    Escalate,
    /// The call is refused.
    Deny,
}

impl Outcome {
    /// Anything but allow stops a call.
    pub fn stops(self) -> bool {
        self != Outcome::Allow
    }

    /// The outcome's name in files and output.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Allow => "allow",
            Outcome::Escalate => "escalate",
            Outcome::Deny => "deny",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
