//! `catalog init`: drafts a catalog from recorded calls.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;

use crate::catalog::load;
use crate::draft::rule::{Head, quoted};
use crate::draft::{self, Costs, Rule, Setting, Survey, Trial, declare, write};
use crate::evaluate::notices::counted;
use crate::evaluate::schemas::Schemas;
use crate::guard::Guard;
use crate::replay::Repeats;
use crate::replay::engine::{self, Ended, Item, Options, Sink};
use crate::report::escape::{shortened, visible};
use crate::transcript::Transcript;
use crate::transcript::formats::Format as InputFormat;
use crate::transcript::reading::{ReadOptions, Reader};

use super::exit::Exit;
use super::failure::Failure;
use super::options::{Common, Format, share};
use super::outputs::{Output, apart};
use super::{interrupt, progress, tools_file};

/// Drafts a catalog from recorded calls.
///
/// Guesses which tools change state, and writes for each tool the rules that the record supports, each with what it would
/// have stopped: where argument values must stand, whose yes is needed, what is not done twice. What would have stopped too
/// much is listed as a comment. The record is read several times, so it can't come from standard input.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// Recorded conversations: files (JSON Lines, JSON; .gz, .zst) or folders.
    #[arg(required = true)]
    pub data: Vec<PathBuf>,
    /// The tools' definitions (OpenAI, Anthropic or MCP); else the records' own.
    #[arg(long, value_name = "FILE")]
    pub tools: Option<PathBuf>,
    /// The largest share of a tool's recorded calls that its rules may stop.
    #[arg(long, value_name = "P%", default_value = "2%", value_parser = share)]
    pub max_cost: f64,
    /// Where the draft goes. [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The records' format, found out by itself where nothing is said.
    #[arg(long, value_name = "FORMAT")]
    pub input_format: Option<InputFormat>,
    /// How many threads work; the output doesn't depend on it. [default: one a processor]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Stops after so many conversations.
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

/// Runs it.
///
/// # Errors
/// It could not do its work.
pub fn run(args: &InitArgs, common: &Common) -> Result<Exit, Failure> {
    if common.format == Format::Json {
        return Err(Failure::Usage("a draft is a catalog in TOML: leave `--format json` out".to_owned()));
    }
    if args.data.iter().any(|path| path.as_os_str() == "-") {
        return Err(Failure::Usage("the record is read several times: give a file instead of `-`".to_owned()));
    }
    let outputs: Vec<&Path> = args.out.iter().map(PathBuf::as_path).collect();
    apart(&args.data, &outputs)?;
    let record = Record { args, common };
    let defined = args.tools.as_deref().map(tools_file::read).transpose()?;
    let schemas = defined.as_deref().map_or_else(Schemas::recorded, Schemas::declared);

    let mut survey = Survey::default();
    let unreadable = record.each(&|transcript| Survey::of(transcript, &schemas), |part| survey.merge(part))?;
    if survey.provenance.tools.is_empty() {
        let conversations = counted(survey.conversations, "conversation", "conversations");
        let message = format!("no tool call is proposed in {conversations}: there's nothing to draft from");
        return Err(if unreadable > 0 { Failure::Unreadable(message) } else { Failure::NotMeasurable(message) });
    }
    let setting = Setting { max_cost: args.max_cost, base: Some(PathBuf::from(".")) };
    let refused = survey.refused().map(|(expression, _)| expression);
    let for_trial = |schemas: Option<String>| Head { schemas, refused: refused.clone() };
    let recorded = || (survey.with_tools > 0).then(|| "\"recorded\"".to_owned());
    let file = |path: &Path| Some(format!("[{}]", quoted(&path.to_string_lossy())));
    let head = for_trial(args.tools.as_deref().map_or_else(recorded, file));

    let mut tools = declare(&defined.unwrap_or_default(), &survey, args.tools.is_some() || survey.with_tools == 0);
    let candidates: BTreeMap<String, Vec<Rule>> =
        tools.iter().map(|tool| (tool.name.clone(), draft::candidates(tool, &survey))).collect();
    let costs = record.measure(&Trial::new(&head, &tools, &candidates, &setting).map_err(broken)?)?;
    for tool in &mut tools {
        let dear = costs
            .tools
            .get(&tool.name)
            .is_some_and(|costs| costs.base.stopped as f64 > setting.max_cost * costs.calls as f64);
        tool.open |= dear;
    }
    // A schema that stops too much is opened, and then the rules see calls that they didn't see before.
    let costs = match tools.iter().any(|tool| tool.open && tool.schema) {
        true => {
            let opened = record.measure(&Trial::new(&head, &tools, &candidates, &setting).map_err(broken)?)?;
            keep_schema_costs(opened, &costs)
        }
        false => costs,
    };
    let chosen: Vec<_> = tools
        .into_iter()
        .map(|tool| {
            let rules = candidates.get(&tool.name).cloned().unwrap_or_default();
            let nothing = draft::measure::ToolCosts::default();
            let measured = costs.tools.get(&tool.name).unwrap_or(&nothing);
            let measured = if tool.open {
                draft::measure::ToolCosts { base: Default::default(), ..measured.clone() }
            } else {
                measured.clone()
            };
            let chosen = match measured.calls {
                0 => draft::Chosen::default(),
                _ => draft::choose(&rules, &measured, &setting),
            };
            (tool, rules, chosen)
        })
        .collect();
    let sections: Vec<_> = chosen
        .iter()
        .map(|(tool, rules, chosen)| (tool, chosen.kept.iter().filter_map(|number| rules.get(*number)).collect()))
        .collect();
    let text = draft::catalog_text(&head, &sections);
    let loaded = load::from_text(&text, "draft", load::Format::Toml, setting.base.as_deref()).map_err(broken)?;
    let whole = record.measure(&Trial::of_draft(Guard::new(loaded.catalog)))?;

    let head = match (&args.tools, &args.out) {
        (Some(tools), Some(out)) => for_trial(file(&relative(tools, out))),
        _ => head,
    };
    let written = write::write(&write::Draft {
        head: &head,
        tools: &chosen,
        survey: &survey,
        costs: &costs,
        whole: &whole,
        setting: &setting,
    });
    match &args.out {
        Some(path) => {
            let mut out = Output::create(path)?;
            out.write(written.as_bytes())?;
            out.finish()?;
        }
        None => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(written.as_bytes())?;
            stdout.flush()?;
        }
    }
    if !common.quiet {
        let rules: usize = chosen.iter().map(|(_, _, chosen)| chosen.kept.len()).sum();
        let name = args.out.as_ref().map_or_else(|| "DRAFT".to_owned(), |path| path.display().to_string());
        note(&format!(
            "drafted {} for {}; as a whole the draft {}\nnext: read it, then `dryguard replay DATA -c {name}`",
            counted(rules, "rule", "rules"),
            counted(chosen.len(), "tool", "tools"),
            write::cost(&whole.base, whole.honest),
        ))?;
    }
    Ok(if unreadable > 0 { Exit::Unreadable } else { Exit::Expected })
}

/// What the schemas stopped before they were opened.
fn keep_schema_costs(mut opened: Costs, before: &Costs) -> Costs {
    for (name, costs) in &mut opened.tools {
        if let Some(before) = before.tools.get(name) {
            costs.base = before.base.clone();
        }
    }
    opened
}

fn broken(errors: load::CatalogErrors) -> Failure {
    Failure::Catalog(format!("no catalog can be made for these tools:\n{}", errors.render(false)))
}

/// A file's path as a file in another folder names it, where both are below the working folder; else as it is.
fn relative(file: &Path, from: &Path) -> PathBuf {
    let plain = |path: &Path| path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let folder = from.parent().unwrap_or(Path::new(""));
    if file.is_absolute() || folder.as_os_str().is_empty() {
        return file.to_owned();
    }
    if plain(file) && plain(folder) {
        let up: PathBuf = folder.components().map(|_| "..").collect();
        return file.strip_prefix(folder).map_or_else(|_| up.join(file), Path::to_owned);
    }
    fs::canonicalize(file).unwrap_or_else(|_| file.to_owned())
}

/// The record, to be read as often as is needed.
struct Record<'a> {
    args: &'a InitArgs,
    common: &'a Common,
}

impl Record<'_> {
    fn measure(&self, trial: &Trial) -> Result<Costs, Failure> {
        let mut costs = trial.costs();
        self.each(&|transcript| trial.work(transcript), |found| costs.add(&found))?;
        Ok(costs)
    }

    /// Works on each conversation, in the order of the input; says how many records could not be read.
    fn each<T: Send>(&self, work: &(impl Fn(&Transcript<'_>) -> T + Sync), take: impl FnMut(T)) -> Result<usize, Failure> {
        let args = self.args;
        let read_options = ReadOptions { format: args.input_format, ..ReadOptions::default() };
        let open = || Reader::open(&args.data, read_options.clone()).map_err(|error| Failure::Unreadable(error.to_string()));
        let reader = open()?;
        let jobs = args.jobs.map_or(0, usize::from);
        let bar = progress::bar(reader.total_bytes(), self.common.quiet);
        let repeats = Repeats::find(open, jobs, interrupt::listen(), |bytes| bar.set_position(bytes))?;
        let options = Options { jobs, limit: args.limit, repeats: repeats.as_ref() };
        let mut taking = Taking { take, bar: &bar, unreadable: 0, first: None };
        let ended = engine::run(reader, options, interrupt::listen(), work, &mut taking);
        bar.finish_and_clear();
        let (unreadable, first) = (taking.unreadable, taking.first);
        if ended? == Ended::Interrupted || interrupt::listen().load(Ordering::Relaxed) {
            return Err(Failure::Interrupted);
        }
        if let Some(first) = first
            && !self.common.quiet
        {
            note(&format!("{unreadable} unreadable, the first: {first}"))?;
        }
        Ok(unreadable)
    }
}

struct Taking<'a, F> {
    take: F,
    bar: &'a indicatif::ProgressBar,
    unreadable: usize,
    first: Option<String>,
}

impl<T, F: FnMut(T)> Sink<T> for Taking<'_, F> {
    type Error = Failure;

    fn item(&mut self, item: Item<T>) -> Result<(), Failure> {
        match item {
            Item::Done(done) => (self.take)(done),
            Item::Rejected { place, reason } => {
                self.unreadable += 1;
                self.first.get_or_insert_with(|| format!("{}: {}", visible(&place.to_string()), shortened(&reason, 300)));
            }
            Item::Merged(_) | Item::NotRun { .. } => {}
        }
        Ok(())
    }

    fn progress(&mut self, bytes: u64) {
        self.bar.set_position(bytes);
    }
}

/// A line on standard error. Nobody reading it is no reason to stop.
fn note(line: &str) -> Result<(), Failure> {
    match writeln!(io::stderr().lock(), "{}", line.trim_end()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
