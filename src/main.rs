//! The door: reads the command line, runs the command, and ends with its status.

/// Replaying makes and drops many small values; see the feature in `Cargo.toml`.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use std::ffi::OsString;
use std::io::{self, Write};

use anyhow::Context;
use clap::Parser;
use dryguard::cli::{self, Cli, Exit};

fn main() -> Exit {
    match run(&std::env::args_os().collect::<Vec<_>>()) {
        Ok(exit) => exit,
        // Whoever read the output has seen enough.
        Err(error) if is_closed_pipe(&error) => Exit::Expected,
        Err(error) => {
            let _ = writeln!(io::stderr(), "dryguard: {error:#}");
            Exit::Usage
        }
    }
}

fn run(arguments: &[OsString]) -> anyhow::Result<Exit> {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return cli::refuse(&error, arguments).context("the answer could not be written"),
    };
    match cli::run(&cli) {
        Ok(exit) => Ok(exit),
        Err(failure) => {
            failure.tell(cli.common.format).context("the failure could not be told")?;
            Ok(failure.exit())
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(closed))
}
