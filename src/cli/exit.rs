//! How the command ends: numbered once and for ever.

use std::process::{ExitCode, Termination};

/// The exit status. Where several apply, [`Exit::and`] keeps the first of 130, 2, 3, 4, 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: as expected; also when whoever read the output closed the pipe.
    Expected,
    /// 1: an expectation or a budget isn't met.
    NotMet,
    /// 2: the command line or the catalog is wrong, or an output can't be written.
    Usage,
    /// 3: input that couldn't be read, or none at all; said after the rest was worked through.
    Unreadable,
    /// 4: there's nothing to judge by.
    NotMeasurable,
    /// 130: interrupted (Ctrl-C).
    Interrupted,
}

impl Exit {
    /// The status's number.
    pub fn code(self) -> u8 {
        match self {
            Exit::Expected => 0,
            Exit::NotMet => 1,
            Exit::Usage => 2,
            Exit::Unreadable => 3,
            Exit::NotMeasurable => 4,
            Exit::Interrupted => 130,
        }
    }

    /// The one that counts, of two that apply.
    pub fn and(self, other: Exit) -> Exit {
        let order = [Exit::Interrupted, Exit::Usage, Exit::Unreadable, Exit::NotMeasurable, Exit::NotMet];
        order.into_iter().find(|exit| [self, other].contains(exit)).unwrap_or(Exit::Expected)
    }
}

impl Termination for Exit {
    fn report(self) -> ExitCode {
        ExitCode::from(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_applies_counts() {
        assert_eq!(Exit::NotMet.and(Exit::NotMeasurable), Exit::NotMeasurable);
        assert_eq!(Exit::NotMeasurable.and(Exit::Unreadable), Exit::Unreadable);
        assert_eq!(Exit::Expected.and(Exit::NotMet), Exit::NotMet);
        assert_eq!(Exit::Expected.and(Exit::Expected), Exit::Expected);
    }
}
