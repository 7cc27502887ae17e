//! `dryguard replay`: recorded conversations through a catalog's guard.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::catalog::load;
use crate::evaluate::denominator::Located;
use crate::evaluate::notices::counted;
use crate::evaluate::provenance::Provenance;
use crate::evaluate::schemas::Schemas;
use crate::evaluate::summary::CatalogName;
use crate::evaluate::{Summary, Tally};
use crate::guard::Guard;
use crate::replay::engine::{self, Ended, Item, Options, Sink};
use crate::replay::{Decided, Repeats, Shape};
use crate::report::decisions::DecisionFormat;
use crate::report::escape::{shortened, visible};
use crate::report::{json as json_report, text};
use crate::transcript::Transcript;
use crate::transcript::formats::Format as InputFormat;
use crate::transcript::reading::{ReadOptions, Reader};

use super::exit::Exit;
use super::failure::Failure;
use super::options::{Allowance, Common, Format, ReportTo, allowance, report_to, size};
use super::outputs::{Output, apart};
use super::{interrupt, progress, tools_file};

/// How many rejected records are named on standard error.
const NAMED: usize = 10;

const EXAMPLES: &str = "\
Examples:
  dryguard replay logs/ -c retail.toml
  dryguard replay calls.jsonl.zst -c retail.toml --out decisions.jsonl --report json=summary.json
  zcat logs.jsonl.gz | dryguard replay - -c retail.toml --format json
  dryguard replay calls.jsonl --tools tools.json     (before there is a catalog)";

/// Runs recorded conversations through a catalog's guard.
///
/// Says what the catalog would have stopped, tool by tool and check by check, over how much. Without a catalog it says
/// whether the calls fit their schemas, and for each argument where its values come from.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReplayArgs {
    /// Recorded conversations: files (JSON Lines, JSON; .gz, .zst), folders, or `-` for standard input.
    #[arg(required = true)]
    pub data: Vec<PathBuf>,
    /// The rules: a TOML or JSON file.
    #[arg(long, short)]
    pub catalog: Option<PathBuf>,
    /// Tool definitions to check calls against where there's no catalog; else the records' own.
    #[arg(long, value_name = "FILE", conflicts_with = "catalog")]
    pub tools: Option<PathBuf>,
    /// The records' format, found out by itself where nothing is said: `dryguard` (chat logs, too), `request-log`, `tau-bench`,
    /// `tau2-bench`.
    #[arg(long, value_name = "FORMAT")]
    pub input_format: Option<InputFormat>,
    /// Writes every decision, one a line: `.jsonl` or `.csv`.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Writes a report; may be given several times.
    #[arg(long, value_name = "FORMAT=PATH", value_parser = report_to)]
    pub report: Vec<ReportTo>,
    /// How many threads work; the output doesn't depend on it. [default: one a processor]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Stops after so many conversations.
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Stops at the first record that can't be read, with status 3; nothing is written.
    #[arg(long, conflicts_with = "allow_rejected")]
    pub strict: bool,

    /// Exits with 1 when there's anything to mind: a warning of the catalog, a rule that never applied, a fact never given,
    /// an unknown tool …
    #[arg(long)]
    pub deny_warnings: bool,
    /// How many records may be unreadable: a number or a percentage.
    #[arg(long, value_name = "N|P%", default_value = "0", value_parser = allowance)]
    pub allow_rejected: Allowance,
    /// The largest record that is read.
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = size)]
    pub max_record: usize,
}

/// Runs it.
///
/// # Errors
/// It could not do its work.
pub fn run(args: &ReplayArgs, common: &Common) -> Result<Exit, Failure> {
    let decisions = decision_format(args)?;
    let reports: Vec<&Path> = args.report.iter().map(|report| report.path.as_path()).collect();
    apart(&args.data, &[reports, args.out.iter().map(PathBuf::as_path).collect()].concat())?;
    let (judge, warnings) = Judge::new(args, decisions)?;
    if !common.quiet {
        warnings.iter().try_for_each(|warning| note(warning))?;
    }
    let read_options = ReadOptions { format: args.input_format, max_record: args.max_record, ..ReadOptions::default() };
    let open = || Reader::open(&args.data, read_options.clone()).map_err(|error| Failure::Unreadable(error.to_string()));
    let reader = open()?;
    let mut out = args.out.as_deref().map(Output::create).transpose()?;
    let reports = args.report.iter().map(|report| Ok((report, Output::create(&report.path)?)));
    let reports = reports.collect::<Result<Vec<_>, Failure>>()?;
    if let (Some(out), Judge::Guard { decisions: Some(format), name, .. }) = (&mut out, &judge) {
        out.write(&format.header(name))?;
    }

    let jobs = args.jobs.map_or(0, usize::from);
    let bar = progress::bar(reader.total_bytes(), common.quiet);
    let mut tally = judge.tally();
    let repeats = match reader.total_bytes() {
        Some(_) => Repeats::find(open, jobs, interrupt::listen(), |bytes| bar.set_position(bytes))?,
        None => {
            tally.is_unmerged();
            None
        }
    };
    let options = Options { jobs, limit: args.limit, repeats: repeats.as_ref() };
    let mut taking = Taking { tally, out: out.as_mut(), bar: &bar, strict: args.strict };
    let ended = engine::run(reader, options, interrupt::listen(), &|transcript| judge.work(transcript), &mut taking);
    bar.finish_and_clear();
    let mut summary = taking.tally.summary;
    let ended = ended?;
    summary.interrupted = ended == Ended::Interrupted;
    if !common.quiet {
        name_rejected(&summary)?;
    }
    if !summary.interrupted {
        judgeable(args, &summary)?;
    }
    finish(out, reports, &summary)?;
    show(&summary, common)?;
    Ok(status(args, &summary, !warnings.is_empty()))
}

fn decision_format(args: &ReplayArgs) -> Result<Option<DecisionFormat>, Failure> {
    let Some(path) = &args.out else { return Ok(None) };
    if args.catalog.is_none() {
        return Err(Failure::Usage(
            "`--out` writes decisions, and without a catalog there are none: add `-c CATALOG`".to_owned(),
        ));
    }
    let format = DecisionFormat::of_name(&path.to_string_lossy());
    let wrong = || Failure::Usage(format!("`--out {}`: name it `.jsonl` or `.csv`, that says the format", path.display()));
    format.map(Some).ok_or_else(wrong)
}

/// What is done with each conversation.
enum Judge {
    Guard { guard: Box<Guard>, decisions: Option<DecisionFormat>, name: CatalogName },
    Schemas(Schemas),
}

/// What came of a conversation.
enum Worked {
    Decided { decided: Box<Decided>, lines: Vec<u8> },
    Observed { shape: Shape, provenance: Box<Provenance> },
}

impl Judge {
    fn new(args: &ReplayArgs, decisions: Option<DecisionFormat>) -> Result<(Judge, Vec<String>), Failure> {
        if let Some(path) = &args.catalog {
            let loaded = load::load(path).map_err(|errors| Failure::Catalog(errors.render(false)))?;
            let warnings = loaded.warnings.iter().map(|warning| warning.render(false)).collect();
            let catalog = &loaded.catalog;
            let name = CatalogName { name: catalog.name.clone(), fingerprint: catalog.fingerprint.clone() };
            return Ok((Judge::Guard { guard: Box::new(Guard::new(loaded.catalog)), decisions, name }, warnings));
        }
        let Some(path) = &args.tools else { return Ok((Judge::Schemas(Schemas::recorded()), Vec::new())) };
        Ok((Judge::Schemas(Schemas::declared(&tools_file::read(path)?)), Vec::new()))
    }

    fn tally(&self) -> Tally {
        match self {
            Judge::Guard { guard, .. } => Tally::new(guard.catalog()),
            Judge::Schemas(_) => Tally::without_a_catalog(),
        }
    }

    fn work(&self, transcript: &Transcript<'_>) -> Worked {
        match self {
            Judge::Guard { guard, decisions, .. } => {
                let verdicts = guard.decide_all(transcript);
                let decided = Box::new(Decided::new(&guard.catalog().facts, transcript, verdicts));
                let lines = decisions.map(|format| format.write(transcript, &decided)).unwrap_or_default();
                Worked::Decided { decided, lines }
            }
            Judge::Schemas(schemas) => {
                let provenance = Box::new(Provenance::of(transcript, schemas));
                Worked::Observed { shape: Shape::of(transcript), provenance }
            }
        }
    }
}

/// Takes in what the workers made of the records.
struct Taking<'a> {
    tally: Tally,
    out: Option<&'a mut Output>,
    bar: &'a indicatif::ProgressBar,
    /// A record that can't be read ends the run.
    strict: bool,
}

impl Sink<Worked> for Taking<'_> {
    type Error = Failure;

    fn item(&mut self, item: Item<Worked>) -> Result<(), Failure> {
        match item {
            Item::Done(Worked::Decided { decided, lines }) => {
                self.tally.decided(&decided);
                self.out.as_mut().map_or(Ok(()), |out| out.write(&lines))
            }
            Item::Done(Worked::Observed { shape, provenance }) => {
                self.tally.observed(&shape, *provenance);
                Ok(())
            }
            Item::Merged(place) => {
                self.tally.merged(&place);
                Ok(())
            }
            Item::NotRun { id, place, reason } => {
                self.tally.not_run(&place, id, reason);
                Ok(())
            }
            Item::Rejected { place, reason } if self.strict => {
                let reason = shortened(&reason, 300);
                Err(Failure::Unreadable(format!("{place}: {reason} (stopped there: `--strict`)")))
            }
            Item::Rejected { place, reason } => {
                self.tally.rejected(&place, reason);
                Ok(())
            }
        }
    }

    fn progress(&mut self, bytes: u64) {
        self.bar.set_position(bytes);
    }
}

/// The whole ones take their names; of an interrupted run the decisions stay beside theirs, and reports say it themselves.
fn finish(out: Option<Output>, reports: Vec<(&ReportTo, Output)>, summary: &Summary) -> Result<(), Failure> {
    for (report, mut output) in reports {
        output.write_with(|out| (report.format.render)(summary, out))?;
        output.finish()?;
    }
    match out {
        Some(out) if summary.interrupted => {
            let left = out.leave()?;
            note(&format!("interrupted: the decisions so far are in `{}`", left.display()))
        }
        Some(out) => out.finish(),
        None => Ok(()),
    }
}

fn show(summary: &Summary, common: &Common) -> Result<(), Failure> {
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    match common.format {
        Format::Text => text::render(summary, &mut text::Page::new(&mut stdout, common.color.on_stdout()))?,
        Format::Json => json_report::render(summary, &mut stdout)?,
    }
    stdout.flush()?;
    Ok(())
}

/// Nothing is silently empty.
fn judgeable(args: &ReplayArgs, summary: &Summary) -> Result<(), Failure> {
    let read = &summary.denominator;
    let said = |record: &Located| format!("{}:{}: {}", record.file, record.line, shortened(&record.reason, 200));
    if read.records == 0 {
        return Err(Failure::Unreadable("the input holds no record".to_owned()));
    }
    // What could not be read might have been judged: the status says so, unless it was allowed for.
    let failure = match args.allow_rejected.covers(read.rejected.count, read.records) {
        true => Failure::NotMeasurable,
        false => Failure::Unreadable,
    };
    if read.conversations == 0 {
        let first = read.rejected.listed.first().or(read.not_run.listed.first()).map(said).unwrap_or_default();
        let message = match read.records {
            1 => format!("the only record is no conversation that ran: {first}"),
            many => format!("none of {many} records is a conversation that ran; the first: {first}"),
        };
        return Err(failure(message));
    }
    if read.proposals == 0 {
        let conversations = counted(read.conversations, "conversation", "conversations");
        let message = format!("no tool call is proposed in {conversations}: there's nothing to judge");
        return Err(failure(message));
    }
    Ok(())
}

fn status(args: &ReplayArgs, summary: &Summary, warned: bool) -> Exit {
    let read = &summary.denominator;
    let mind = warned || !summary.notices().is_empty();
    [
        (summary.interrupted, Exit::Interrupted),
        (!args.allow_rejected.covers(read.rejected.count, read.records), Exit::Unreadable),
        (summary.expected.unmet > 0 || (args.deny_warnings && mind), Exit::NotMet),
    ]
    .into_iter()
    .filter(|(applies, _)| *applies)
    .fold(Exit::Expected, |exit, (_, other)| exit.and(other))
}

fn name_rejected(summary: &Summary) -> Result<(), Failure> {
    let rejected = &summary.denominator.rejected;
    for record in rejected.listed.iter().take(NAMED) {
        note(&format!("{}:{}: {}", visible(&record.file), record.line, shortened(&record.reason, 300)))?;
    }
    match rejected.count.saturating_sub(NAMED) {
        0 => Ok(()),
        more => note(&format!("and {more} more records that could not be read (all with --format json)")),
    }
}

/// A line on standard error. Nobody reading it is no reason to stop.
fn note(line: &str) -> Result<(), Failure> {
    match writeln!(io::stderr().lock(), "{}", line.trim_end()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
