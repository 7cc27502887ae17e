//! A run's summary for a person at a terminal.

use std::io::{self, Write};

use crate::evaluate::notices::counted;
use crate::evaluate::summary::{CheckKind, CheckRow, Kinds, Outcomes, Stopped, Summary};
use crate::guard::checks::AGENDA_ALLOWS;

use super::escape::{shortened, visible};
use super::table::Rows;
use super::text_provenance;

/// How many rejected records are shown; all are in the JSON.
const SHOWN: usize = 5;

/// How many rows a table shows; all are in the JSON.
pub(super) const TABLE_ROWS: usize = 60;

/// Where the text goes, and whether in colour.
pub struct Page<'w> {
    out: &'w mut dyn Write,
    colour: bool,
}

impl<'w> Page<'w> {
    /// A page on `out`.
    pub fn new(out: &'w mut dyn Write, colour: bool) -> Page<'w> {
        Page { out, colour }
    }

    /// Writes a line as it is.
    pub(super) fn line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    /// Writes an empty line and a heading.
    pub(super) fn heading(&mut self, heading: &str) -> io::Result<()> {
        if self.colour { writeln!(self.out, "\n\u{1b}[1m{heading}\u{1b}[0m") } else { writeln!(self.out, "\n{heading}") }
    }

    /// Writes a line that must not be overlooked.
    fn loud(&mut self, line: &str) -> io::Result<()> {
        let line = visible(line);
        if self.colour { writeln!(self.out, "  \u{1b}[33m! {line}\u{1b}[0m") } else { writeln!(self.out, "  ! {line}") }
    }

    /// Writes a table under a heading, or nothing when it has no rows.
    pub(super) fn table(&mut self, heading: &str, rows: Rows) -> io::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        self.heading(heading)?;
        rows.lines().iter().try_for_each(|line| self.line(line))
    }
}

/// Writes the summary.
///
/// # Errors
/// Writing failed.
pub fn render(summary: &Summary, page: &mut Page<'_>) -> io::Result<()> {
    denominator(summary, page)?;
    if summary.catalog.is_some() {
        outcomes(summary, page)?;
        conversations(summary, page)?;
        tools(summary, page)?;
        checks(summary, page)?;
        refusals(summary, page)?;
        deviations(summary, page)?;
        expected(summary, page)?;
    }
    if let Some(provenance) = &summary.provenance {
        text_provenance::render(provenance, page)?;
    }
    let notices = summary.notices();
    if !notices.is_empty() {
        page.heading("Mind")?;
        notices.iter().try_for_each(|notice| page.loud(notice))?;
    }
    Ok(())
}

fn denominator(summary: &Summary, page: &mut Page<'_>) -> io::Result<()> {
    match &summary.catalog {
        Some(catalog) => {
            let fingerprint: String = catalog.fingerprint.chars().take(12).collect();
            page.line(&format!("catalog {} ({fingerprint})", shortened(&catalog.name, 60)))?;
        }
        None => page.line("no catalog: nothing is decided; schemas, and where the arguments' values come from")?,
    }
    let read = &summary.denominator;
    let proposals = counted(read.proposals, "proposed call", "proposed calls");
    page.line(&format!(
        "{proposals} in {} ({}), from {} in {}",
        counted(read.conversations, "conversation", "conversations"),
        counted(read.messages, "message", "messages"),
        counted(read.records, "record", "records"),
        counted(read.files, "file", "files"),
    ))?;
    let mut rows = Rows::new(&["", ""]);
    let made = read.made.to_string();
    rows.add("proposals that were made", [made]);
    for (count, what) in [
        (read.hypothetical, "proposals that somebody added to the record"),
        (read.without_proposals, "conversations without a proposal"),
        (read.without_tool_messages, "conversations without a tool's output"),
        (read.recurring_ids, "conversations with the id of an earlier one"),
        (read.merged, "records that another one repeats (merged)"),
        (read.not_run.count, "records of runs that crashed or never started"),
        (read.rejected.count, "records that could not be read"),
    ] {
        if count > 0 {
            rows.add(what, [count.to_string()]);
        }
    }
    for (count, what) in read.odd() {
        rows.add(&format!("odd: {what}"), [count.to_string()]);
    }
    rows.lines().iter().filter(|line| !line.is_empty()).try_for_each(|line| page.line(line))?;
    for record in read.rejected.listed.iter().take(SHOWN) {
        let reason = shortened(&record.reason, 200);
        page.line(&format!("    {}:{}: {reason}", visible(&record.file), record.line))?;
    }
    if read.rejected.count > SHOWN {
        page.line(&format!("    and {} more, listed with --format json", read.rejected.count - SHOWN))?;
    }
    Ok(())
}

fn cells(outcomes: Outcomes) -> [String; 4] {
    [outcomes.total(), outcomes.allow, outcomes.escalate, outcomes.deny].map(|count| count.to_string())
}

fn outcomes(summary: &Summary, page: &mut Page<'_>) -> io::Result<()> {
    let mut rows = Rows::new(&["", "calls", "allow", "escalate", "deny"]);
    let mut kinds = |name: &str, kinds: &Kinds, always: bool| {
        if always || kinds.all().total() > 0 {
            rows.add(name, cells(kinds.all()));
        }
        for (kind, outcomes) in [
            ("  of tools that change state", kinds.changing),
            ("  of tools that only read", kinds.reading),
            ("  of tools of which nobody says", kinds.unknown),
        ] {
            if outcomes.total() > 0 {
                rows.add(kind, cells(outcomes));
            }
        }
    };
    kinds("all", &summary.outcomes, true);
    let labels = &summary.labels;
    let labelled = [("honest", &labels.honest), ("hostile", &labels.hostile), ("unauthorized", &labels.unauthorized)];
    let any = labelled.iter().any(|(_, kinds_of)| kinds_of.all().total() > 0);
    for (name, kinds_of) in labelled {
        kinds(name, kinds_of, false);
    }
    if any {
        kinds("unlabelled", &labels.unlabelled, false);
    }
    page.table("Outcomes", rows)?;
    if !any {
        page.line("  (no call is labelled honest, hostile or unauthorized: whether a stop is right can't be said)")?;
    }
    Ok(())
}

/// `3 (7.5%) of 40`; a share of nothing is said to be one, and none of many is never called 0%.
fn share(count: usize, of: usize) -> String {
    match (count, of) {
        (_, 0) => "none to judge by".to_owned(),
        (0, of) => format!("0 of {of}"),
        (count, of) => format!("{count} ({:.1}%) of {of}", 100.0 * count as f64 / of as f64),
    }
}

fn conversations(summary: &Summary, page: &mut Page<'_>) -> io::Result<()> {
    let of = &summary.conversations;
    let mut rows = Rows::new(&["", "conversations"]);
    for (what, count, all) in [
        ("of those with an honest call, one is stopped", of.false_block, of.with_honest),
        ("of those with an honest changing call, one is stopped", of.false_block_changing, of.with_honest_changing),
        ("of those with a hostile call, one is allowed", of.miss, of.with_hostile),
        ("of those with an unauthorized call, one is allowed", of.unauthorized_allowed, of.with_unauthorized),
        ("of those that ended well, a call made is stopped", of.successful_at_risk, of.successful),
    ] {
        if all > 0 {
            rows.add(what, [share(count, all)]);
        }
    }
    page.table("Conversations", rows)
}

fn tools(summary: &Summary, page: &mut Page<'_>) -> io::Result<()> {
    let mut called: Vec<_> = summary.tools.iter().filter(|(_, row)| row.calls.all().total() > 0).collect();
    called.sort_by_key(|(_, row)| std::cmp::Reverse(row.calls.all().total()));
    let mut rows = Rows::new(&["tool", "state", "calls", "allow", "escalate", "deny", "made", "refused"]);
    for (name, row) in called.iter().take(TABLE_ROWS) {
        let kinds = [("changes", row.calls.changing), ("reads", row.calls.reading), ("unknown", row.calls.unknown)];
        let kinds: Vec<&str> = kinds.iter().filter(|(_, of)| of.total() > 0).map(|(kind, _)| *kind).collect();
        let counts = cells(row.calls.all());
        let beside = [row.made.to_string(), row.refused.to_string()];
        rows.add(name, [kinds.join("/")].into_iter().chain(counts).chain(beside));
    }
    page.table("Tools", rows)?;
    more(called.len(), page)
}

fn more(rows: usize, page: &mut Page<'_>) -> io::Result<()> {
    match rows.saturating_sub(TABLE_ROWS) {
        0 => Ok(()),
        more => page.line(&format!("  and {more} more with --format json")),
    }
}

fn checks(summary: &Summary, page: &mut Page<'_>) -> io::Result<()> {
    let mut applied: Vec<(&String, &CheckRow)> =
        summary.checks.iter().filter(|(_, row)| row.applied + row.skipped > 0 && row.kind != CheckKind::Gate).collect();
    applied.sort_by_key(|(_, row)| std::cmp::Reverse(row.failed + row.unevaluated));
    let mut rows =
        Rows::new(&["check", "applied", "failed", "unevaluated", "skipped", "alone", "honest", "hostile", "unauthorized"]);
    let mut add = |name: &str, row: &CheckRow| {
        let counts = [row.applied, row.failed, row.unevaluated, row.skipped];
        let sole = [row.sole.total(), row.sole.honest, row.sole.hostile, row.sole.unauthorized];
        rows.add(name, counts.into_iter().chain(sole).map(|count| count.to_string()));
    };
    for (name, row) in applied.iter().take(TABLE_ROWS) {
        add(name, row);
        if *name == AGENDA_ALLOWS {
            let gates = summary.checks.iter().filter(|(_, row)| row.kind == CheckKind::Gate && row.applied > 0);
            gates.take(TABLE_ROWS).for_each(|(gate, row)| add(&format!("  gate {gate}"), row));
        }
    }
    page.table(
        "Checks (alone: calls that nothing else stopped, and of these the honest, hostile, unauthorized ones)",
        rows,
    )?;
    more(applied.len(), page)?;
    for (name, reason) in summary.first_unevaluated.iter().take(TABLE_ROWS) {
        page.line(&format!("  {} first could not be evaluated: {}", shortened(name, 48), shortened(reason, 160)))?;
    }
    for (checks, calls) in &summary.stopped_by {
        let checks = counted(*checks, "check stands", "checks stand");
        page.line(&format!("  {checks} in the way of {}", counted(*calls, "call", "calls")))?;
    }
    Ok(())
}

fn refusals(summary: &Summary, page: &mut Page<'_>) -> io::Result<()> {
    let mut rows = Rows::new(&["", "calls", "stopped by a rule", "only by what is unevaluated", "allowed"]);
    let mut add = |name: &str, stopped: &Stopped| {
        if stopped.total() > 0 {
            let counts = [stopped.total(), stopped.by_failed, stopped.by_unevaluated, stopped.not_stopped];
            rows.add(name, counts.map(|count| count.to_string()));
        }
    };
    add("refused by the environment", &summary.refusals);
    add("  of tools that change state", &summary.refusals_changing);
    add("refused though in the reference solution", &summary.gold_but_refused);
    add("changes not in the reference solution", &summary.unwanted_changes);
    page.table("Refusals and unwanted changes", rows)
}

fn deviations(summary: &Summary, page: &mut Page<'_>) -> io::Result<()> {
    let of = &summary.deviations;
    let first = of.made_but_stopped + of.allowed_but_not_made;
    page.heading("Where guard and record part")?;
    let all = first + of.conversations_without;
    page.line(&format!("  in {} {}", share(first, all), if all == 1 { "conversation" } else { "conversations" }))?;
    if of.made_but_stopped > 0 {
        let honest = counted(of.honest_but_stopped, "honest one", "honest ones");
        page.line(&format!("  {} first at a call that was made and is stopped ({honest})", of.made_but_stopped))?;
    }
    if of.allowed_but_not_made > 0 {
        page.line(&format!("  {} first at a call that was not made and is allowed", of.allowed_but_not_made))?;
    }
    let before = counted(of.proposals_on_path, "proposal", "proposals");
    page.line(&format!("  {before} up to there; {} after it, judged as if history had stayed", of.proposals_after))
}

fn expected(summary: &Summary, page: &mut Page<'_>) -> io::Result<()> {
    let of = &summary.expected;
    if of.met + of.unmet == 0 {
        return Ok(());
    }
    page.heading("Expectations")?;
    let all = of.met + of.unmet;
    page.line(&format!("  met by {} {}", share(of.met, all), if all == 1 { "call" } else { "calls" }))?;
    for unmet in of.listed.iter().take(SHOWN) {
        let (id, tool) = (shortened(&unmet.id, 60), shortened(&unmet.tool, 60));
        let expected = shortened(&unmet.expected, 20);
        let place = match unmet.index {
            Some(index) => format!("[{}, {index}]", unmet.at),
            None => format!("hypothetical at {}", unmet.at),
        };
        page.line(&format!("    {id}, call {} {place}, {tool}: {}, expected {expected}", unmet.call, unmet.outcome))?;
    }
    match of.unmet.saturating_sub(SHOWN) {
        0 => Ok(()),
        more => page.line(&format!("    and {more} more with --format json")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::example::{summary, summary_without_a_catalog};

    fn text(summary: &Summary) -> String {
        let mut out = Vec::new();
        render(summary, &mut Page::new(&mut out, false)).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_run() {
        insta::assert_snapshot!(text(&summary()));
    }

    #[test]
    fn a_run_without_a_catalog() {
        insta::assert_snapshot!(text(&summary_without_a_catalog()));
    }

    #[test]
    fn a_run_over_nothing_divides_by_nothing() {
        insta::assert_snapshot!(text(&Summary::default()));
    }

    #[test]
    fn a_share_of_nothing_is_no_share() {
        assert_eq!(share(0, 0), "none to judge by");
        assert_eq!(share(0, 12), "0 of 12");
        assert_eq!(share(3, 40), "3 (7.5%) of 40");
    }

    #[test]
    fn recorded_text_cannot_speak_to_the_terminal() {
        let mut summary = summary();
        let row = summary.tools.values().copied().next().unwrap();
        summary.tools.insert("evil\u{1b}[2J\u{202e}".to_owned(), row);
        let text = text(&summary);
        assert!(text.contains("evil\\u{1b}[2J\\u{202e}"));
        assert!(!text.chars().any(|c| c != '\n' && super::super::escape::is_unsafe(c)));
    }
}
