//! What several commands ask for, and how it's written on a command line.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Options of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// How results are written to standard output.
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Colour: on a terminal, always or never (NO_COLOR is heeded).
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
    /// No progress bar and no notes on standard error; errors stay.
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// When colour is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Whether standard output is written in colour.
    pub fn on_stdout(self) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                !unwanted && std::io::stdout().is_terminal()
            }
        }
    }
}

/// How many records may be rejected before that's a failure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Allowance {
    /// So many.
    Count(usize),
    /// So many of a hundred.
    Percent(f64),
}

impl Allowance {
    /// Whether so many of so many records are within it.
    pub fn covers(self, rejected: usize, records: usize) -> bool {
        match self {
            Allowance::Count(most) => rejected <= most,
            Allowance::Percent(most) => rejected as f64 * 100.0 <= most * records as f64,
        }
    }
}

/// `N` or `P%`.
pub fn allowance(text: &str) -> Result<Allowance, String> {
    let wrong = || format!("`{text}` is neither a number of records nor a percentage: write `10` or `0.5%`");
    match text.strip_suffix('%') {
        Some(percent) => {
            let percent: f64 = percent.trim().parse().map_err(|_| wrong())?;
            if (0.0..=100.0).contains(&percent) { Ok(Allowance::Percent(percent)) } else { Err(wrong()) }
        }
        None => text.parse().map(Allowance::Count).map_err(|_| wrong()),
    }
}

/// A share as `P%`, from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    let wrong = || format!("`{text}` is no percentage: write `2%`");
    let percent: f64 = text.strip_suffix('%').unwrap_or_default().trim().parse().map_err(|_| wrong())?;
    if (0.0..=100.0).contains(&percent) { Ok(percent / 100.0) } else { Err(wrong()) }
}

/// A size in bytes: `4096`, `64k`, `16M`, `2G` (1024s).
pub fn size(text: &str) -> Result<usize, String> {
    let wrong = || format!("`{text}` is no size: write bytes, or a number with `k`, `M` or `G`");
    let trimmed = text.trim().trim_end_matches(['b', 'B']).trim_end_matches('i');
    let (number, unit) = match trimmed.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (trimmed.get(..at), 1 << 10),
        Some((at, 'm' | 'M')) => (trimmed.get(..at), 1 << 20),
        Some((at, 'g' | 'G')) => (trimmed.get(..at), 1 << 30),
        _ => (Some(trimmed), 1),
    };
    let number: usize = number.unwrap_or_default().trim().parse().map_err(|_| wrong())?;
    number.checked_mul(unit).filter(|size| *size > 0).ok_or_else(wrong)
}

/// One `FORMAT=PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportTo {
    /// Which format.
    pub format: &'static crate::report::Format,
    /// Where to.
    pub path: PathBuf,
}

/// `FORMAT=PATH`, where the format is one of [`crate::report::FORMATS`].
pub fn report_to(text: &str) -> Result<ReportTo, String> {
    let known = || crate::report::FORMATS.iter().map(|format| format.name).collect::<Vec<_>>().join(", ");
    let (name, path) =
        text.split_once('=').filter(|(_, path)| !path.is_empty()).ok_or("write FORMAT=PATH, as in `json=summary.json`")?;
    let format = crate::report::FORMATS.iter().find(|format| format.name == name);
    let format = format.ok_or_else(|| format!("there is no report format `{name}`; there are {}", known()))?;
    if path == "-" {
        return Err(format!("a report goes into a file; `--format {name}` writes it to standard output"));
    }
    Ok(ReportTo { format, path: PathBuf::from(path) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_counted_in_1024s() {
        assert_eq!(size("4096"), Ok(4096));
        assert_eq!(size("64k"), Ok(65536));
        assert_eq!(size("16MiB"), Ok(16 << 20));
        assert_eq!(size("2 GB"), Ok(2 << 30));
        for wrong in ["", "0", "-1", "1.5M", "MB", "99999999999G", "16é"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_allowance_is_a_number_or_a_share() {
        assert_eq!(allowance("10"), Ok(Allowance::Count(10)));
        assert_eq!(allowance("0.5%"), Ok(Allowance::Percent(0.5)));
        for wrong in ["", "-1", "101%", "NaN%", "few"] {
            assert!(allowance(wrong).is_err(), "{wrong}");
        }
        assert!(Allowance::Percent(1.0).covers(1, 100));
        assert!(!Allowance::Percent(1.0).covers(2, 100));
        assert!(Allowance::Percent(0.0).covers(0, 0));
        assert!(!Allowance::Count(0).covers(1, 1000));
    }

    #[test]
    fn a_report_names_its_format_and_its_file() {
        assert_eq!(report_to("json=a=b.json").unwrap().path, PathBuf::from("a=b.json"));
        assert!(report_to("pdf=x").unwrap_err().contains("text, json"));
        assert!(report_to("json").is_err());
        assert!(report_to("json=").is_err());
        assert!(report_to("json=-").unwrap_err().contains("--format json"));
    }
}
