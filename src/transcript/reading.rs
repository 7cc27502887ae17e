//! Stub: JSON Lines only.
use super::formats::{Format, Parsed, Surroundings};
use super::{Place, Transcript, assemble::assemble};
use std::io::BufRead;
use std::path::PathBuf;
/// x
#[derive(Debug, Clone, Copy)]
pub struct ReadOptions { /// x
 pub format: Option<Format>, /// x
 pub max_record: usize, /// x
 pub batch_bytes: usize }
impl Default for ReadOptions { fn default() -> Self { ReadOptions { format: None, max_record: 64<<20, batch_bytes: 1<<20 } } }
/// x
pub struct Reader { files: Vec<PathBuf>, open: Option<(std::sync::Arc<str>, Box<dyn BufRead + Send>, usize)>, total: Option<u64>, read: u64, size: usize }
/// x
#[derive(Debug)]
pub struct Batch { records: Vec<RawRecord> }
/// x
#[derive(Debug)]
pub struct RawRecord { text: Vec<u8>, place: Place }
/// x
#[derive(Debug, thiserror::Error)]
#[error("`{0}`: {1}")]
pub struct ReadError(String, std::io::Error);
/// x
pub enum Reading<'a> { /// x
 Transcript(Box<Transcript<'a>>), /// x
 NotRun{ /// x
id: Option<String>, /// x
place: Place, /// x
reason: String}, /// x
 Rejected(Rejected) }
/// x
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub struct Rejected { /// x
pub place: Place, reason: String }
impl Reader { /// x
 pub fn open(paths: &[PathBuf], options: ReadOptions) -> Result<Reader, ReadError> {
    let mut files = Vec::new();
    let mut total = Some(0);
    for path in paths {
        if path.as_os_str() == "-" { files.push(path.clone()); total = None; continue; }
        let meta = std::fs::metadata(path).map_err(|e| ReadError(path.display().to_string(), e))?;
        if meta.is_dir() {
            let mut inside: Vec<_> = std::fs::read_dir(path).map_err(|e| ReadError(path.display().to_string(), e))?.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "jsonl")).collect();
            inside.sort();
            files.extend(inside);
        } else { files.push(path.clone()); total = total.map(|t| t + meta.len()); }
    }
    files.reverse();
    Ok(Reader { files, open: None, total, read: 0, size: options.batch_bytes })
 } /// x
 pub fn total_bytes(&self) -> Option<u64> { self.total } /// x
 pub fn bytes_read(&self) -> u64 { self.read } /// x
 pub fn next_batch(&mut self) -> Option<Batch> {
    let mut records = Vec::new();
    let mut size = 0;
    while size < self.size {
        if self.open.is_none() {
            let Some(path) = self.files.pop() else { break };
            let input: Box<dyn BufRead + Send> = if path.as_os_str() == "-" { Box::new(std::io::BufReader::new(std::io::stdin())) } else { Box::new(std::io::BufReader::with_capacity(1<<20, std::fs::File::open(&path).ok()?)) };
            self.open = Some((path.to_string_lossy().into(), input, 0));
        }
        let Some((name, input, line)) = &mut self.open else { break };
        let mut text = Vec::new();
        *line += 1;
        if input.read_until(b'\n', &mut text).unwrap_or(0) == 0 { self.open = None; continue; }
        size += text.len();
        records.push(RawRecord { text, place: Place { file: name.clone(), record: *line - 1, line: *line } });
    }
    self.read += size as u64;
    if records.is_empty() { None } else { Some(Batch { records }) } } }
impl Batch { /// x
 pub fn records(&self) -> &[RawRecord] { &self.records } /// x
 pub fn read<'b>(&'b self, record: &'b RawRecord) -> Reading<'b> {
    let place = record.place.clone();
    let value = match crate::json::parse_bytes(&record.text) { Ok(v) => v, Err(e) => return Reading::Rejected(Rejected { place, reason: e.to_string() }) };
    let Some(format) = Format::recognise(&value) else { return Reading::Rejected(Rejected { place, reason: "no known format".into() }) };
    match format.parse(value, Surroundings { stem: "x", tasks: None }) {
        Ok(Parsed::Record(r)) => match assemble(*r, place.clone(), || place.to_string()) { Ok(t) => Reading::Transcript(Box::new(t)), Err(e) => Reading::Rejected(Rejected { place, reason: e.to_string() }) },
        Ok(Parsed::NotRun { id, reason }) => Reading::NotRun { id, place, reason },
        Err(e) => Reading::Rejected(Rejected { place, reason: e.to_string() }),
    }
 } }
impl RawRecord { /// x
 pub fn place(&self) -> Place { self.place.clone() } }
