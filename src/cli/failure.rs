//! Why a command could not do its work, told in the format that was asked for.

use std::convert::Infallible;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::replay::engine::Failed;
use crate::report::json;

use super::exit::Exit;
use super::options::Format;

/// Why a command ended early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command line asks for something that can't be.
    #[error("{0}")]
    Usage(String),
    /// The catalog (or a file of tool definitions) is not valid; the text says where.
    #[error("{0}")]
    Catalog(String),
    /// An output can't be written.
    #[error("`{}` can't be written: {source}", path.display())]
    Output {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Standard output can't be written.
    #[error("standard output can't be written: {0}")]
    Stdout(#[from] io::Error),
    /// The input can't be read, or holds nothing.
    #[error("{0}")]
    Unreadable(String),
    /// There's nothing to judge by.
    #[error("{0}")]
    NotMeasurable(String),
    /// Ctrl-C, in a command whose result is all or nothing.
    #[error("interrupted; nothing was written")]
    Interrupted,
}

impl From<Failed<Failure>> for Failure {
    fn from(failed: Failed<Failure>) -> Self {
        match failed {
            Failed::Sink(failure) => failure,
            other => Failure::Usage(other.to_string()),
        }
    }
}

impl From<Failed<Infallible>> for Failure {
    fn from(failed: Failed<Infallible>) -> Self {
        Failure::Usage(failed.to_string())
    }
}

impl Failure {
    /// The exit status.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Stdout(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Expected,
            Failure::Usage(_) | Failure::Catalog(_) | Failure::Output { .. } | Failure::Stdout(_) => Exit::Usage,
            Failure::Unreadable(_) => Exit::Unreadable,
            Failure::NotMeasurable(_) => Exit::NotMeasurable,
            Failure::Interrupted => Exit::Interrupted,
        }
    }

    /// Says why: on standard error for people, as a JSON object on standard output for programs.
    ///
    /// # Errors
    /// Neither could be written.
    pub fn tell(&self, format: Format) -> io::Result<()> {
        if self.exit() == Exit::Expected {
            return Ok(());
        }
        tell(&self.to_string(), self.exit(), format)
    }
}

/// Says why a command ended early.
///
/// # Errors
/// It could not be written.
pub fn tell(message: &str, exit: Exit, format: Format) -> io::Result<()> {
    match format {
        Format::Text => writeln!(io::stderr().lock(), "dryguard: {}", message.trim_end()),
        Format::Json => json::render_error(message.trim_end(), exit.code(), &mut io::stdout().lock()),
    }
}
