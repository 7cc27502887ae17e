//! Reading files: layouts, compression, folders, and what goes wrong; real files where there are any
//! (`DRYGUARD_SHARED` or `../shared`).

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "helpers of tests say what they expect as tests do"
)]

use std::io::Write as _;
use std::path::{Path, PathBuf};

use dryguard::transcript::{Oddities, ReadOptions, Reader, Reading, Transcript};

/// What was read of some paths: a line for each record, in order.
fn read(paths: &[PathBuf], options: ReadOptions) -> Vec<String> {
    let mut reader = Reader::open(paths, options).unwrap();
    let mut lines = Vec::new();
    while let Some(batch) = reader.next_batch() {
        for record in batch.records() {
            lines.push(match batch.read(record) {
                Reading::Transcript(t) => format!("{}@{}.{} {}", t.id, t.place.record, t.place.line, t.messages.len()),
                Reading::NotRun { id, reason, .. } => format!("{id} not run: {reason}"),
                Reading::Rejected(rejected) => rejected.to_string(),
            });
        }
    }
    if let Some(total) = reader.total_bytes() {
        assert!(reader.bytes_read() <= total);
    }
    lines
}

/// As `read` for one file of this content, its folder cut from the output; the same whatever the sizes of batches.
fn read_file(name: &str, content: &[u8]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    std::fs::write(&file, content).unwrap();
    let prefix = format!("{}/", folder.path().display());
    let with = |batch_bytes| -> Vec<String> {
        let options = ReadOptions { batch_bytes, ..ReadOptions::default() };
        read(std::slice::from_ref(&file), options).iter().map(|line| line.replace(&prefix, "")).collect()
    };
    let lines = with(4 << 20);
    for batch_bytes in [1, 100_000] {
        assert_eq!(lines, with(batch_bytes), "batches of other sizes hold the same records");
    }
    lines
}

const A: &str = r#"{"id": "a", "messages": [{"role": "user", "content": "x"}]}"#;
const B: &str = r#"{"messages": [{"role": "user", "content": "y"}, {"role": "assistant", "content": "z"}]}"#;

#[test]
fn json_lines_have_one_record_a_line() {
    let content = format!("\u{feff}{A}\r\n\r\n  {B}  \n\n[[\"user\", \"x\"]]");
    assert_eq!(read_file("d.jsonl", content.as_bytes()), ["a@0.1 1", "d:1@1.3 2", "d:2@2.5 1"]);
}

#[test]
fn a_broken_line_is_rejected_alone() {
    let content = format!("{A}\n{{\"messages\": [\n{B}\nnot json\n{{\"text\": 1}}\n{A}\n");
    let lines = read_file("d.jsonl", content.as_bytes());
    assert_eq!(lines[0], "a@0.1 1");
    assert!(lines[1].starts_with("d.jsonl:2: no valid JSON: "), "{}", lines[1]);
    assert_eq!(lines[2], "d:2@2.3 2");
    assert!(lines[3].starts_with("d.jsonl:4: no valid JSON: "));
    assert!(lines[4].starts_with("d.jsonl:5: no conversation in this object: "));
    assert_eq!(lines[5], "a@5.6 1");
}

#[test]
fn a_first_line_that_is_cut_off_costs_no_other() {
    for cut in [
        "{\"messages\": [{\"role\": \"us",
        "{\"messages\": [{\"role\": \"user\"",
        "oops",
        "[{\"role\": \"user\", \"content\": \"cut",
    ] {
        let lines = read_file("d.jsonl", format!("{cut}\n{A}\n{B}\n").as_bytes());
        assert_eq!(lines.len(), 3, "{cut}: {lines:?}");
        assert!(lines[0].starts_with("d.jsonl:1: no valid JSON"), "{}", lines[0]);
        assert_eq!(lines[1..], ["a@1.2 1", "d:2@2.3 2"]);
    }
}

#[test]
fn the_elements_of_an_array_are_records() {
    let compact = format!("[{A},{B},{A}]");
    assert_eq!(read_file("d.json", compact.as_bytes()), ["a@0.1 1", "d:1@1.1 2", "a@2.1 1"]);
    let spread = format!("\n[\n  {A},\n\n  {B}\n]\n\n");
    assert_eq!(read_file("d.json", spread.as_bytes()), ["a@0.3 1", "d:1@1.5 2"]);
    let lists = r#"[[{"role": "user", "content": "x"}], [["user", "y"]]]"#;
    assert_eq!(read_file("d.json", lists.as_bytes()), ["d:0@0.1 1", "d:1@1.1 1"]);
}

#[test]
fn a_broken_element_is_rejected_alone() {
    let lines = read_file("d.json", format!("[{A},\n{{\"messages\": oops}},\n5,\n{B}]").as_bytes());
    assert_eq!(lines[0], "a@0.1 1");
    assert!(lines[1].starts_with("d.json:2 (element 1): no valid JSON: "), "{}", lines[1]);
    assert!(lines[2].starts_with("d.json:3 (element 2): no conversation in this number"));
    assert_eq!(lines[3], "d:3@3.4 2");
}

#[test]
fn where_an_arrays_structure_is_lost_the_rest_is_one_rejection() {
    let rest = "; the rest of the file can't be read";
    for (tail, reason) in [
        ("{\"messages\": [}, 1]", "brackets don't match in this record"),
        ("{\"messages\": [1, 2", "the file ends inside this record (a bracket or quote isn't closed)"),
        ("{\"messages\": [\"", "the file ends inside this record (a bracket or quote isn't closed)"),
        (",", "an element of the array is missing"),
        ("", "the file ends before its array does"),
    ] {
        let lines = read_file("d.json", format!("[{A},\n{tail}").as_bytes());
        assert_eq!(lines[0], "a@0.1 1");
        assert_eq!(lines.len(), 2, "{tail}: {lines:?}");
        assert!(lines[1].contains(reason) && lines[1].ends_with(rest), "{tail}: {}", lines[1]);
    }
    let lines = read_file("d.json", format!("[{A} {B}]").as_bytes());
    assert_eq!(lines[1], format!("d.json:1 (element 1): there is no `,` between two elements of the array{rest}"));
    let lines = read_file("d.json", format!("[{A}]\n[{B}").as_bytes());
    assert_eq!(lines.len(), 2, "{lines:?}");
}

#[test]
fn records_are_found_the_same_in_lines_and_in_arrays() {
    // Longer than what is read at once, so that records, strings and escapes are cut anywhere.
    let records: Vec<String> =
        (0..4000).map(|n| A.replace("\"x\"", &format!("\"{}{{[\\\\\\\"]\"", "\\\"\\\\".repeat(n % 97)))).collect();
    let expected: Vec<String> = (0..records.len()).map(|n| format!("a@{n}.{} 1", n + 1)).collect();
    assert_eq!(read_file("d.jsonl", records.join("\n").as_bytes()), expected);
    assert_eq!(read_file("d.json", format!("[{}]", records.join(",\n")).as_bytes()), expected);
    let spread: Vec<String> = records.iter().map(|record| record.replace("\"id\"", "\n\"id\"")).collect();
    let lines: Vec<String> = (0..records.len()).map(|n| format!("a@{n}.{} 1", 2 * n + 1)).collect();
    assert_eq!(read_file("d.json", spread.join("\n").as_bytes()), lines);
}

#[test]
fn records_may_spread_over_lines() {
    let one = "{\n  \"id\": \"p\",\n  \"messages\": [\n    {\"role\": \"user\", \"content\": \"x\"}\n  ]\n}\n";
    assert_eq!(read_file("d.json", one.as_bytes()), ["p@0.1 1"]);
    assert_eq!(read_file("d.json", one.repeat(2).as_bytes()), ["p@0.1 1", "p@1.7 1"]);
    let list = "[\n{\"role\": \"user\", \"content\": \"x\"},\n{\"role\": \"assistant\", \"content\": \"y\"}\n]\n";
    assert_eq!(read_file("d.json", list.as_bytes()), ["d:0@0.1 2"]);
    let pairs = r#"[["user", "x"], ["assistant", "y"]]"#;
    assert_eq!(read_file("d.json", pairs.as_bytes()), ["d:0@0.1 2"]);
}

#[test]
fn a_file_without_records_says_so() {
    for content in ["", "\n \n", "[]", " [ ] \n", "\u{feff}", r#"{"tasks": [], "simulations": []}"#] {
        assert_eq!(read_file("d.json", content.as_bytes()), ["d.json:1: the file holds no records"], "{content:?}");
    }
}

#[test]
fn invalid_utf8_is_rejected_where_it_stands() {
    let content = [A.as_bytes(), b"\n{\"messages\": \"\xff\"}\n", A.as_bytes()].concat();
    let lines = read_file("d.jsonl", &content);
    assert_eq!((lines[0].as_str(), lines[2].as_str()), ("a@0.1 1", "a@2.3 1"));
    assert!(lines[1].starts_with("d.jsonl:2: no valid JSON: "), "{}", lines[1]);
}

#[test]
fn compression_is_known_by_the_first_bytes() {
    let text = format!("{A}\n{B}\n");
    let gz = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let expected = ["a@0.1 1", "d:1@1.2 2"];
    assert_eq!(read_file("d.jsonl", &gz(&text)), expected);
    let members = [gz(&text[..30]), gz(&text[30..])].concat();
    assert_eq!(read_file("d.jsonl.gz", &members), expected, "several members are one text");
    assert_eq!(read_file("d.jsonl.zst", &zstd::encode_all(text.as_bytes(), 1).unwrap()), expected);
    assert_eq!(read_file("d.jsonl.gz", text.as_bytes()), expected, "a name doesn't compress");
}

#[test]
fn a_file_that_breaks_off_keeps_what_came_before() {
    let text = format!("{A}\n{B}\n").repeat(3000);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(text.as_bytes()).unwrap();
    let whole = encoder.finish().unwrap();
    for cut in [whole.len() / 2, 1000] {
        let lines = read_file("d.jsonl.gz", &whole[..cut]);
        assert!(lines.len() > 5 && lines[0] == "a@0.1 1");
        assert!(lines.last().unwrap().contains("reading stopped, what follows is lost"), "{:?}", lines.last());
        assert_eq!(lines.iter().filter(|line| line.contains("lost")).count(), 1);
        assert_eq!(
            lines.iter().filter(|line| line.contains("JSON")).count(),
            0,
            "the line that was cut is no broken record"
        );
    }
    let mut compressed = zstd::encode_all(text.as_bytes(), 1).unwrap();
    compressed.truncate(compressed.len() - 4);
    assert!(read_file("d.jsonl.zst", &compressed).last().unwrap().contains("reading stopped"));
}

#[test]
fn records_that_are_too_long_are_skipped() {
    let long = A.replace("\"x\"", &format!("\"{}\"", "x\\\"".repeat(100_000)));
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [
        ("l.jsonl", format!("{A}\n{long}\n{B}\n")),
        ("e.json", format!("[{A},\n{long},\n{B}]")),
        ("v.json", format!("{}\n{}\n{B}", A.replace("\"id\"", "\n\"id\""), long.replace("\"id\"", "\n\"id\""))),
        ("end.jsonl", format!("{A}\n{B}\n{long}")),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, content).unwrap();
        for batch_bytes in [1, 1000, 4 << 20] {
            let options = ReadOptions { max_record: 1000, batch_bytes, ..ReadOptions::default() };
            let lines = read(std::slice::from_ref(&file), options);
            assert_eq!(lines.len(), 3, "{lines:?}");
            let rejected: Vec<&String> = lines.iter().filter(|line| line.contains("longer than 1000 bytes")).collect();
            assert_eq!(rejected.len(), 1, "{lines:?}");
            let line = match name {
                "v.json" | "end.jsonl" => 3,
                _ => 2,
            };
            assert!(rejected[0].contains(&format!("{name}:{line}")), "{}", rejected[0]);
            assert!(lines[0].starts_with("a@0.1"));
        }
    }
}

#[test]
fn a_long_record_that_ends_where_a_chunk_ends_costs_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("d.jsonl");
    // Reading takes 64 KiB at once at least: the line's end falls around that edge.
    for length in (65_500..65_560).chain(131_000..131_100) {
        std::fs::write(&file, format!("{A}\n{}\n{B}\n", "x".repeat(length))).unwrap();
        let options = ReadOptions { max_record: 1000, batch_bytes: 1, ..ReadOptions::default() };
        let lines = read(std::slice::from_ref(&file), options);
        assert_eq!((lines.len(), lines[0].as_str(), lines[2].as_str()), (3, "a@0.1 1", "d:2@2.3 2"), "{length}: {lines:?}");
        assert!(lines[1].contains("d.jsonl:2: the record is longer"), "{}", lines[1]);
    }
}

#[test]
fn many_short_records_make_many_batches() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("d.jsonl");
    std::fs::write(&file, "1\n".repeat(100_000)).unwrap();
    let mut reader = Reader::open(&[file], ReadOptions::default()).unwrap();
    let mut sizes = Vec::new();
    while let Some(batch) = reader.next_batch() {
        sizes.push(batch.records().len());
    }
    assert_eq!((sizes.len(), sizes.iter().sum::<usize>()), (4, 100_000));
}

#[test]
fn folders_are_read_in_order_and_links_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(at("sub/deeper")).unwrap();
    for name in ["b.jsonl", "a.json", "notes.txt", ".hidden.json", "sub/c.ndjson", "sub/deeper/d.json"] {
        std::fs::write(at(name), A).unwrap();
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path(), at("sub/loop")).unwrap();
        std::os::unix::fs::symlink(at("nowhere"), at("gone.json")).unwrap();
    }
    let mut reader = Reader::open(&[folder.path().to_owned()], ReadOptions::default()).unwrap();
    let mut files = Vec::new();
    while let Some(batch) = reader.next_batch() {
        files.extend(batch.records().iter().map(|record| record.place().file.to_string()));
    }
    let expected = ["a.json", "b.jsonl", "sub/c.ndjson", "sub/deeper/d.json"].map(|name| at(name).display().to_string());
    assert_eq!(files, expected);
    assert_eq!(reader.bytes_read(), 4 * A.len() as u64);
    assert_eq!(reader.total_bytes(), Some(4 * A.len() as u64));
}

#[test]
fn what_cannot_be_opened_is_an_error_at_once() {
    let open = |path: &Path| Reader::open(&[path.to_owned()], ReadOptions::default()).err().map(|error| error.to_string());
    let folder = tempfile::tempdir().unwrap();
    assert!(open(&folder.path().join("none.json")).unwrap().contains("can't read `"));
    assert!(open(folder.path()).unwrap().contains("holds no file that ends in"));
    assert!(Reader::open(&[], ReadOptions::default()).is_err());
}

#[test]
fn tau2_tasks_are_found_wherever_they_stand() {
    let tasks = r#""tasks": [{"id": "7", "evaluation_criteria": {"actions": [{"name": "f", "arguments": {"a": 1}}]}}]"#;
    let simulations = r#""simulations": [{"task_id": "7", "trial": 0, "reward_info": {"reward": 1.0}, "messages": [
        {"role": "assistant", "tool_calls": [{"id": "c", "name": "f", "arguments": {"a": 1}}]}]}]"#;
    for content in [format!("{{{tasks}, {simulations}}}"), format!("{{\n{simulations},\n{tasks}\n}}\n")] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("run.json");
        std::fs::write(&file, content).unwrap();
        let mut reader = Reader::open(&[file], ReadOptions::default()).unwrap();
        let batch = reader.next_batch().unwrap();
        let Reading::Transcript(transcript) = batch.read(&batch.records()[0]) else { panic!("a transcript") };
        assert_eq!((transcript.id.as_str(), transcript.success), ("run/7/0", Some(true)));
        assert_eq!(transcript.proposals[0].labels.gold, Some(true));
        assert!(reader.next_batch().is_none());
    }
}

#[test]
fn real_benchmark_conversations_are_read() {
    let shared = std::env::var_os("DRYGUARD_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    for (name, conversations) in [
        ("agentdojo/clean.jsonl.gz", 56),
        ("agentdojo/injected.jsonl.gz", 2816),
        ("injecagent/conversations.jsonl.gz", 1064),
    ] {
        let file = shared.join("data").join(name);
        if !file.is_file() {
            println!("skipped: there is no {}", file.display());
            continue;
        }
        let lines = read(&[file], ReadOptions::default());
        assert_eq!(lines.len(), conversations);
        assert!(lines.iter().all(|line| line.contains('@')), "no rejections");
    }
}

struct Counts {
    transcripts: usize,
    not_run: usize,
    rejected: usize,
    calls: usize,
    made: usize,
    gold: usize,
    oddities: Oddities,
}

fn count(file: &Path) -> Counts {
    let mut reader = Reader::open(&[file.to_owned()], ReadOptions::default()).unwrap();
    let mut counts =
        Counts { transcripts: 0, not_run: 0, rejected: 0, calls: 0, made: 0, gold: 0, oddities: Oddities::default() };
    while let Some(batch) = reader.next_batch() {
        for record in batch.records() {
            match batch.read(record) {
                Reading::Transcript(transcript) => {
                    check(&transcript);
                    counts.transcripts += 1;
                    counts.calls += transcript.proposals.len();
                    counts.made += transcript.proposals.iter().filter(|p| p.made).count();
                    counts.gold += transcript.proposals.iter().filter(|p| p.labels.gold == Some(true)).count();
                    counts.oddities.add(&transcript.oddities);
                }
                Reading::NotRun { .. } => counts.not_run += 1,
                Reading::Rejected(rejected) => {
                    println!("{rejected}");
                    counts.rejected += 1;
                }
            }
        }
    }
    assert_eq!(reader.bytes_read(), std::fs::metadata(file).unwrap().len());
    counts
}

/// What holds for every transcript of these files.
fn check(transcript: &Transcript<'_>) {
    assert!(transcript.success.is_some() && transcript.gold.is_some(), "{}", transcript.id);
    for (ordinal, proposal) in transcript.proposals.iter().enumerate() {
        assert_eq!(proposal.ordinal, ordinal);
        if let Some(result) = proposal.result {
            assert!(transcript.messages[result].recorded > proposal.at, "an answer comes after its call");
        }
    }
}

#[test]
fn real_files_hold_what_their_note_counts() {
    let shared = std::env::var_os("DRYGUARD_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let folder = shared.join("data/tau-bench");
    if !folder.is_dir() {
        println!("skipped: there is no {}", folder.display());
        return;
    }
    // File, conversations, of these not run, calls, calls whose id an earlier one has.
    for (name, conversations, not_run, calls, recurring) in [
        ("airline-gpt-4o-trials-0-1.json.gz", 100, 0, 572, 38),
        ("retail-gpt-4o.json.gz", 115, 0, 940, 0),
        ("retail-gpt-4.1.json.gz", 115, 1, 915, 0),
        ("tau2-retail-gpt-4.1.json.gz", 40, 0, 299, 0),
        ("tau2-airline-gpt-4.1.json.gz", 20, 0, 148, 0),
    ] {
        let counts = count(&folder.join(name));
        println!(
            "{name}: {} transcripts, {} calls, {} made, {} gold; {:?}",
            counts.transcripts, counts.calls, counts.made, counts.gold, counts.oddities
        );
        assert_eq!(counts.rejected, 0, "{name}");
        assert_eq!((counts.transcripts + counts.not_run, counts.not_run), (conversations, not_run), "{name}");
        assert_eq!((counts.calls, counts.made), (calls, calls), "{name}");
        assert_eq!(counts.oddities.recurring_ids, recurring, "{name}");
        assert_eq!(counts.oddities.results_without_call, 0, "{name}");
        assert!(counts.gold > 0 && counts.gold < counts.calls, "{name}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]

    #[test]
    fn any_bytes_are_read_to_some_end(
        content in "(\\[|\\{|\\]|\\}|,|:|\"|\\\\|\n| |5|null|\"messages\": \\[|\"simulations\": \\[|\"role\"|\"user\"|\"tool_calls\"|\"content\"|\"traj\"){0,60}",
    ) {
        proptest::prop_assert!(!read_file("d.json", content.as_bytes()).is_empty(), "nothing is silently empty");
    }
}
