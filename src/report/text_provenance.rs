//! Where argument values come from, for a person at a terminal.

use std::cmp::Reverse;
use std::io;

use crate::evaluate::notices::counted;
use crate::evaluate::provenance::Provenance;

use super::escape::shortened;
use super::table::Rows;
use super::text::{Page, TABLE_ROWS};

/// How many passages are shown; more are in the JSON.
const PASSAGES: usize = 5;

/// Writes the part of a summary without a catalog.
///
/// # Errors
/// Writing failed.
pub(super) fn render(provenance: &Provenance, page: &mut Page<'_>) -> io::Result<()> {
    schemas(provenance, page)?;
    arguments(provenance, page)?;
    outputs(provenance, page)
}

fn schemas(provenance: &Provenance, page: &mut Page<'_>) -> io::Result<()> {
    let mut called: Vec<_> = provenance.tools.iter().collect();
    called.sort_by_key(|(_, tool)| Reverse(tool.calls));
    let mut rows = Rows::new(&["tool", "calls", "made", "valid", "invalid", "no schema", "unreadable schema"]);
    for (name, tool) in called.iter().take(TABLE_ROWS) {
        let counts = [tool.calls, tool.made, tool.valid, tool.invalid, tool.undefined, tool.unreadable];
        rows.add(name, counts.map(|count| count.to_string()));
    }
    page.table("Calls and their schemas", rows)?;
    more(called.len(), page)?;
    for (name, fault) in called.iter().filter_map(|(name, tool)| Some((name, tool.first_fault.as_ref()?))).take(TABLE_ROWS) {
        page.line(&format!("  {}: first: {}", shortened(name, 48), shortened(fault, 160)))?;
    }
    Ok(())
}

fn arguments(provenance: &Provenance, page: &mut Page<'_>) -> io::Result<()> {
    let all: Vec<_> = provenance
        .tools
        .iter()
        .flat_map(|(tool, row)| row.arguments.iter().map(move |(argument, counts)| (format!("{tool}.{argument}"), counts)))
        .collect();
    let mut rows = Rows::new(&["argument", "values", "user", "tool", "assistant, system", "nowhere", "tainted"]);
    for (name, row) in all.iter().take(TABLE_ROWS) {
        let counts = [row.values, row.user, row.tool, row.other, row.nowhere, row.tool_tainted];
        rows.add(name, counts.map(|count| count.to_string()));
    }
    page.table("Where argument values stand before the call (each counted once, from left to right)", rows)?;
    if !all.is_empty() {
        page.line("  tainted: of those in tool outputs, the ones after an output that addresses its reader")?;
    }
    more(all.len(), page)
}

fn outputs(provenance: &Provenance, page: &mut Page<'_>) -> io::Result<()> {
    page.heading("Tool outputs that address their reader")?;
    page.line(&format!(
        "  {} of {}, in {}",
        provenance.tainted_outputs,
        counted(provenance.tool_outputs, "tool output", "tool outputs"),
        counted(provenance.tainted_conversations, "conversation", "conversations"),
    ))?;
    let mut rows = Rows::new(&["pattern", "passages"]);
    for (pattern, passages) in provenance.patterns.iter().take(TABLE_ROWS) {
        rows.add(pattern, [passages.to_string()]);
    }
    if rows.is_empty() {
        return Ok(());
    }
    rows.lines().iter().try_for_each(|line| page.line(line))?;
    page.line("  the first of them:")?;
    for found in provenance.passages.iter().take(PASSAGES) {
        let (file, id) = (shortened(&found.file, 60), shortened(&found.id, 40));
        page.line(&format!("    {file}:{} ({id}), message {}: {}", found.line, found.message, found.pattern))?;
        page.line(&format!("      {}", shortened(&found.quote, 120)))?;
    }
    Ok(())
}

fn more(rows: usize, page: &mut Page<'_>) -> io::Result<()> {
    match rows.saturating_sub(TABLE_ROWS) {
        0 => Ok(()),
        more => page.line(&format!("  and {more} more with --format json")),
    }
}
