//! The command: one file a subcommand, each with its arguments and its run; no logic.

pub mod catalog;
pub mod exit;
pub mod failure;
pub mod init;
pub mod interrupt;
pub mod options;
pub mod outputs;
pub mod progress;
pub mod replay;
pub mod tools_file;

use std::ffi::OsString;
use std::io;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use catalog::{ShowError, Validity};
pub use exit::Exit;
pub use failure::Failure;
use options::{Common, Format};

/// Dry-runs a guard over recorded tool calls of LLM agents.
///
/// Nothing is executed and nothing is connected to: recorded conversations go through a guard (allow, deny or escalate), and
/// the result says what its catalog of rules would have stopped and what it would have broken.
#[derive(Debug, Parser)]
#[command(name = "dryguard", version, max_term_width = 100, arg_required_else_help = true, after_help = STATUSES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Options of every command.
    #[command(flatten)]
    pub common: Common,
}

const STATUSES: &str = "\
Exit status:
  0    as expected (a closed pipe, too)
  1    an expectation isn't met (a record's `expect`; `--deny-warnings`)
  2    the command line or the catalog is wrong, or an output can't be written
  3    input that couldn't be read (said after the rest was worked through)
  4    nothing to judge by
  130  interrupted
The first of 2, 3, 4, 1 that applies.";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Runs recorded conversations through a catalog's guard.
    Replay(Box<replay::ReplayArgs>),
    /// Checks and shows catalogs.
    #[command(subcommand)]
    Catalog(CatalogCommand),
}

/// What to do with a catalog.
#[derive(Debug, Subcommand)]
pub enum CatalogCommand {
    /// Checks a catalog: every mistake with its place, and what a replay can't show.
    #[command(
        after_help = "Examples:\n  dryguard catalog check retail.toml\n  dryguard catalog check retail.toml --deny-warnings"
    )]
    Check(catalog::CheckArgs),
    /// Shows what each tool's checks are.
    #[command(after_help = "Examples:\n  dryguard catalog show retail.toml cancel_order\n  \
        dryguard catalog show retail.toml --definitions --with-reasons > tools.json")]
    Show(catalog::ShowArgs),
    /// Drafts a catalog from recorded calls, each rule with what it would have stopped.
    #[command(after_help = "Examples:\n  dryguard catalog init logs/ --tools tools.json --out catalog.toml\n  \
        dryguard catalog init calls.jsonl.zst --tools tools.json --max-cost 0% > catalog.toml")]
    Init(Box<init::InitArgs>),
}

/// Runs the command.
///
/// # Errors
/// It could not do its work.
pub fn run(cli: &Cli) -> Result<Exit, Failure> {
    match &cli.command {
        Command::Replay(args) => replay::run(args, &cli.common),
        Command::Catalog(command) => run_catalog(command, &cli.common),
    }
}

fn run_catalog(command: &CatalogCommand, common: &Common) -> Result<Exit, Failure> {
    let mut stdout = io::stdout().lock();
    let style = catalog::Style { json: common.format == Format::Json, colour: common.color.on_stdout() };
    match command {
        CatalogCommand::Check(args) => {
            let validity = catalog::check(args, style, &mut stdout)?;
            Ok(match validity {
                Validity { usable: false, .. } => Exit::Usage,
                Validity { doubtful: true, .. } if args.deny_warnings => Exit::NotMet,
                _ => Exit::Expected,
            })
        }
        CatalogCommand::Show(args) => match catalog::show(args, style, &mut stdout) {
            Ok(()) => Ok(Exit::Expected),
            Err(ShowError::Catalog(errors)) => Err(Failure::Catalog(errors.render(false))),
            Err(ShowError::Output(error)) => Err(Failure::Stdout(error)),
            Err(error @ ShowError::UnknownTool { .. }) => Err(Failure::Usage(error.to_string())),
        },
        CatalogCommand::Init(args) => init::run(args, common),
    }
}

/// Answers a command line that can't be understood, or that asks for help.
///
/// # Errors
/// The answer could not be written.
pub fn refuse(error: &clap::Error, arguments: &[OsString]) -> io::Result<Exit> {
    let asks = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    let json = arguments.iter().any(|argument| argument == "--format=json")
        || arguments.windows(2).any(|pair| matches!(pair, [option, value] if option == "--format" && value == "json"));
    if json && !asks {
        let text = error.render().to_string();
        let message = text.strip_prefix("error: ").unwrap_or(&text);
        failure::tell(message, Exit::Usage, Format::Json)?;
        return Ok(Exit::Usage);
    }
    error.print()?;
    Ok(if asks { Exit::Expected } else { Exit::Usage })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
