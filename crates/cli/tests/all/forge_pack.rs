//! `clearway forge pack` and `clearway forge merge`.

use crate::common::{self, JAM01, UNSOLVABLE, clearway};
use serde_json::Value;

/// Returns a command for a small pack.
const SMALL: [&str; 12] = ["forge", "pack", "--size", "5", "--count", "6", "--from", "4", "--to", "9", "--seed", "7"];

fn small(more: &[&str]) -> common::Run {
    clearway(&[&SMALL, more].concat())
}

#[test]
fn a_printed_pack_is_valid_input() {
    let done = small(&["--quiet"]).done().code(0).quietly();
    let lines: Vec<&str> = done.stdout.lines().filter(|line| !line.starts_with('#')).collect();
    let moves: Vec<u32> = lines.iter().map(|line| line.split(' ').next().unwrap().parse().unwrap()).collect();
    assert_eq!(moves, [4, 5, 6, 7, 8, 9]);
    let solved = clearway(&["solve", "pack.txt", "--json"]).file("pack.txt", &done.stdout).done().code(0);
    let solved: Vec<u64> = solved.records().iter().map(|record| record["moves"].as_u64().unwrap()).collect();
    assert_eq!(solved, [4, 5, 6, 7, 8, 9]);
}

#[test]
fn puzzles_are_sorted_by_predicted_time() {
    let more = ["--count", "24", "--out", "a.jsonl", "--out", "a.txt", "--json"];
    let done = clearway(&[&SMALL[..4], &SMALL[6..], &more].concat()).done().code(0);
    let pack: Vec<Value> = done.read("a.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(pack.is_sorted_by(|a, b| a["human"]["seconds"].as_f64() <= b["human"]["seconds"].as_f64()));
    let moves: Vec<u64> = pack.iter().map(|puzzle| puzzle["moves"].as_u64().unwrap()).collect();
    // The lengths are those of the shortest and the longest puzzle, wherever they are.
    let summary = done.records().remove(0);
    assert_eq!(
        (summary["from"].as_u64(), summary["to"].as_u64()),
        (moves.iter().min().copied(), moves.iter().max().copied())
    );
    assert!(done.read("a.txt").starts_with("# 24 puzzles, 5x5, 4 to 9 moves, seed 7\n"));
}

#[test]
fn a_seed_gives_the_same_bytes_for_any_number_of_threads() {
    let [one, two] = ["1", "3"].map(|threads| small(&["--json", "--threads", threads]).done().code(0).stdout);
    assert_eq!(one, two);
    let record: Value = serde_json::from_str(one.lines().next().unwrap()).unwrap();
    for field in ["id", "board", "size", "exit", "moves", "steps", "states", "depth", "grade", "solution", "generator"]
    {
        assert!(!record[field].is_null(), "{field} is missing in {record}");
    }
    assert_eq!((&record["seed"], &record["version"]), (&7.into(), &env!("CARGO_PKG_VERSION").into()));
}

/// Returns the levels of the puzzles that are printed as JSON.
fn levels(done: &common::Done) -> Vec<String> {
    done.records().iter().map(|record| record["grade"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_pack_of_one_level_has_only_puzzles_of_that_level() {
    let done = clearway(&["forge", "pack", "--level", "intermediate", "--count", "4", "--seed", "7", "--json"]).done();
    let done = done.code(0).complains("4 puzzles (4 intermediate)");
    assert_eq!(levels(&done), ["intermediate"; 4]);
    let lengths: Vec<u64> = done.records().iter().map(|record| record["moves"].as_u64().unwrap()).collect();
    assert!(lengths.iter().all(|moves| (14..=27).contains(moves)), "{lengths:?}");
    let bounds = ["--from", "5", "--to", "8"];
    let done =
        clearway(&[&["forge", "pack", "--level", "beginner", "--count", "3", "--json"], &bounds[..]].concat()).done();
    let lengths: Vec<u64> = done.code(0).records().iter().map(|record| record["moves"].as_u64().unwrap()).collect();
    assert!(lengths.iter().all(|moves| (5..=8).contains(moves)), "{lengths:?}");
}

#[test]
fn quotas_set_the_number_of_puzzles_of_each_level() {
    let quotas = ["forge", "pack", "--quota", "intermediate=2", "--quota", "beginner=3", "--seed", "7"];
    let [one, three] =
        ["1", "3"].map(|threads| clearway(&[&quotas, &["--json", "--threads", threads][..]].concat()).done().code(0));
    assert_eq!(levels(&one), ["beginner", "beginner", "beginner", "intermediate", "intermediate"]);
    assert_eq!(one.stdout, three.stdout, "the threads do not matter");
    let done = clearway(&[&quotas[..], &["--out", "a.jsonl", "--json"]].concat()).done().code(0);
    assert_eq!(done.read("a.jsonl"), one.stdout);
    let summary = done.records().remove(0);
    assert_eq!((&summary["asked"], &summary["puzzles"], &summary["missing"]), (&5.into(), &5.into(), &Value::Null));
}

#[test]
fn levels_that_cannot_be_filled_are_named() {
    let impossible = ["forge", "pack", "--size", "4", "--from", "2", "--patience", "50", "--seed", "7"];
    let quotas = ["--quota", "beginner=2", "--quota", "expert=3", "--quota", "fiendish=1"];
    let done = clearway(&[&impossible[..], &quotas, &["--out", "a.jsonl", "--json"]].concat()).done().code(5);
    let done = done
        .complains("found only 2 of 6 puzzles (expert: 0 of 3, fiendish: 0 of 1): no new puzzle of these levels in 50 attempts")
        .complains("request fewer puzzles of these levels, another size or other lengths, or raise --patience");
    let summary = done.records().remove(0);
    assert_eq!(summary["missing"], serde_json::json!({ "expert": 3, "fiendish": 1 }));
    assert_eq!(done.read("a.jsonl").lines().count(), 2);
}

#[test]
fn invalid_levels_and_quotas_are_rejected() {
    let refused = |words: &[&str]| clearway(&[&["forge", "pack"], words].concat()).done().code(2);
    refused(&["--level", "easy"]).complains("beginner, intermediate, advanced, expert, fiendish");
    refused(&["--quota", "expert"]).complains("expected a level and a number, such as expert=10");
    refused(&["--quota", "easy=3"]).complains("expected one of beginner, intermediate, advanced, expert, fiendish");
    for number in ["0", "-1", "x", "1000001"] {
        refused(&["--quota", &format!("expert={number}")]).complains("the number must be from 1 to 1000000");
    }
    refused(&["--quota", "expert=1", "--quota", "expert=2"]).complains("more than one --quota for expert");
    refused(&["--quota", "expert=600000", "--quota", "beginner=600000"]).complains("at most 1000000 puzzles");
    refused(&["--quota", "expert=1", "--count", "5"]).complains("cannot be used with");
    refused(&["--quota", "expert=1", "--level", "expert"]).complains("cannot be used with");
    refused(&["--level", "beginner", "--from", "20"]).complains("--from 20 is greater than --to 16");
}

#[test]
fn the_extension_determines_the_format() {
    let files = ["a.jsonl", "a.txt", "a.csv", "a.html", "a.svg", "a.pdf"];
    let out: Vec<&str> = files.iter().flat_map(|file| ["--out", file]).collect();
    let done = small(&[out.as_slice(), &["--json", "--title", "Small ones"]].concat()).done().code(0);
    let mut expected = files.to_vec();
    expected.sort_unstable();
    assert_eq!(done.listing(), expected);
    let summary = done.records().remove(0);
    assert_eq!((&summary["puzzles"], &summary["limit"]), (&6.into(), &Value::Null));
    assert_eq!(summary["files"].as_array().unwrap().len(), 6);
    assert!(done.read("a.html").contains("<title>Small ones</title>"));
    assert!(done.read("a.txt").starts_with("# Small ones\n"));
}

#[test]
fn cards_are_printed_on_letter_and_in_black_and_white() {
    let files = ["--out", "a.pdf", "--out", "a.svg", "--paper", "letter"];
    let letter = small(&files).done().code(0);
    assert!(letter.read("a.svg").contains("width=\"612pt\""));
    let plain = small(&[&files[..], &["--black-and-white"]].concat()).done().code(0);
    assert_eq!(plain.read("a.svg"), letter.read("a.svg"));
    assert_ne!(plain.read_bytes("a.pdf"), letter.read_bytes("a.pdf"));
    small(&["--paper", "a3"]).done().code(2).complains("a4, letter");
    let german = small(&["--out", "a.html", "--language", "de"]).done().code(0);
    assert!(german.read("a.html").contains("<h2>Lösungen</h2>"));
    small(&["--language", "xx"]).done().code(2).complains("en, de, fr");
}

#[test]
fn characters_that_a_pdf_lacks_are_reported() {
    let done = small(&["--out", "a.pdf", "--quiet", "--title", "\u{c4}pfel \u{3bb}"]).done().code(0);
    done.complains("warning: a.pdf has ? for '\u{3bb}', which its fonts lack; .html has them");
    assert_eq!(small(&["--out", "a.pdf", "--quiet", "--title", "\u{c4}pfel"]).done().code(0).stderr, "");
}

#[test]
fn packs_of_all_formats_are_merged_without_duplicates() {
    let pack = small(&["--out", "a.jsonl", "--out", "b.txt", "--out", "c.csv"]).done().code(0);
    let merge = clearway(&["forge", "merge", "a.jsonl", "b.txt", "c.csv", "--out", "all.jsonl", "--json"]);
    let done = ["a.jsonl", "b.txt", "c.csv"].iter().fold(merge, |run, name| run.file(name, pack.read(name))).done();
    let done = done.code(0);
    let summary = done.records().remove(0);
    assert_eq!((&summary["puzzles"], &summary["boards"], &summary["duplicates"]), (&6.into(), &18.into(), &12.into()));
    assert_eq!(done.read("all.jsonl"), pack.read("a.jsonl"), "merging a pack with itself does not change it");
}

#[test]
fn boards_of_any_format_are_merged_and_graded() {
    let upside_down: String = (0..6).rev().map(|row| &JAM01[row * 6..row * 6 + 6]).collect();
    let boards = format!("{JAM01} first\n{upside_down} second\n{UNSOLVABLE}\n");
    let done = clearway(&["forge", "merge", "-", "--json"]).stdin(boards.clone()).done().code(0);
    let done = done.complains("stdin, line 3 is left out: the board is unsolvable").complains("1 duplicate");
    let records = done.records();
    assert_eq!((records.len(), &records[0]["moves"], &records[0]["generator"]), (1, &8.into(), &Value::Null));
    let done = clearway(&["forge", "merge", "-", "--json", "--hardest", "--quiet"]).stdin(boards).done().code(0);
    assert_eq!((&done.records()[0]["moves"], done.records().len()), (&9.into(), 1));
}

#[test]
fn boards_with_a_removable_vehicle_are_kept_without_minimal() {
    let boards = "..B.....B...AAB...................CC\n..B.....B...AAB.....................\n";
    let done = clearway(&["forge", "merge", "-", "--json"]).stdin(boards).done().code(0);
    let done = done.complains("1 board has a removable vehicle: kept");
    let minimal: Vec<bool> = done.records().iter().map(|record| record["minimal"].as_bool().unwrap()).collect();
    assert_eq!(minimal.iter().filter(|minimal| **minimal).count(), 1);
    let done = clearway(&["forge", "merge", "-", "--json", "--minimal"]).stdin(boards).done().code(0);
    assert_eq!(done.complains("left out").records().len(), 1);
}

#[test]
fn invalid_input_is_rejected_with_its_place() {
    clearway(&["forge", "merge", "none.txt"]).done().code(3).complains("cannot read none.txt").without_data();
    clearway(&["forge", "merge"]).done().code(2);
    let csv = "id,name,size,exit,board,vehicles,moves,steps,states,depth,grade,seconds,minimal,solution,generator,version,seed\n\
               nonsense\n";
    let run = || clearway(&["forge", "merge", "a.csv", "--keep-going"]).file("a.csv", csv);
    run().done().code(3).complains("a.csv:2");
    clearway(&["forge", "merge", "a.txt", "--out", "a.txt"]).file("a.txt", "AAB\n").done().code(3);
    clearway(&["forge", "merge", "-"]).stdin(UNSOLVABLE).done().code(4);
    clearway(&["forge", "merge", "-", "--node-limit", "5"]).stdin(JAM01).done().code(5).complains("node limit");
}

#[test]
fn impossible_packs_are_rejected_or_incomplete() {
    small(&["--out", "a.xyz"]).done().code(2).complains(".jsonl, .txt, .csv, .html, .svg, .pdf");
    clearway(&["forge", "pack", "--size", "3"]).done().code(2).complains("unsupported board size 3x3");
    clearway(&["forge", "pack", "--from", "9", "--to", "8"])
        .done()
        .code(2)
        .complains("--from 9 is greater than --to 8");
    clearway(&["forge", "pack", "--exit", "up"]).done().code(2);
    clearway(&["forge", "pack", "--walls", "19"]).done().code(2).complains("at most 18");
    small(&["--line", "5"]).done().code(2).complains("lines 0 to 4");
    small(&["--out", "nowhere/a.pdf"]).done().code(3).complains("nowhere");
    let long = ["forge", "pack", "--size", "4", "--from", "40", "--to", "50", "--patience", "20", "--out", "a.jsonl"];
    let done = clearway(&long).done().code(5).complains("found only 0 of 100 puzzles").complains("has");
    assert_eq!(done.read("a.jsonl"), "");
    let many =
        ["forge", "pack", "--size", "4", "--from", "3", "--to", "4", "--patience", "30", "--json", "--count", "500"];
    let done = clearway(&many).done().code(5);
    assert!((1..500).contains(&done.records().len()), "the puzzles found are printed");
    let many = ["forge", "pack", "--size", "5", "--count", "50000", "--time-limit", "20ms", "--json"];
    let done = clearway(&many).done().code(5);
    assert!(done.records().len() < 50_000, "the time limit applies to the whole pack");
}

#[cfg(target_os = "linux")]
#[test]
fn one_file_that_cannot_be_written_does_not_lose_the_others() {
    let done = small(&["--out", "full.txt", "--out", "a.jsonl"]);
    std::os::unix::fs::symlink("/dev/full", done.path("full.txt")).unwrap();
    let done = done.done().code(3).complains("full");
    assert_eq!(done.read("a.jsonl").lines().count(), 6);
}

#[cfg(unix)]
#[test]
fn an_interrupted_pack_is_written() {
    let many = ["forge", "pack", "--size", "5", "--count", "100000", "--from", "4", "--to", "12"];
    let (mut child, folder) = clearway(&[&many[..], &["--out", "a.jsonl", "--verbose"]].concat()).spawn();
    let done = common::interrupt_after_note(&mut child, || {});
    assert!(done.first.starts_with("1 puzzle after "), "{}", done.first);
    assert_eq!(done.code, Some(130), "{}", done.stderr);
    let pack = std::fs::read_to_string(folder.path().join("a.jsonl")).unwrap();
    assert!((1..100_000).contains(&pack.lines().count()));
    assert!(pack.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
}

#[test]
fn search_limits_leave_out_the_same_puzzles_for_any_number_of_threads() {
    let unlimited = small(&["--json"]).done().code(0).stdout;
    for limit in [["--memory", "60k"], ["--node-limit", "40"]] {
        let [one, four] = ["1", "4"].map(|threads| {
            small(&[&limit[..], &["--json", "--patience", "40", "--threads", threads]].concat()).done().stdout
        });
        assert_eq!(one, four, "{limit:?}");
        assert!(!one.is_empty() && one != unlimited, "{limit:?}");
    }
    small(&["--node-limit", "0"]).done().code(2).complains("--node-limit is 0");
    clearway(&["forge", "merge", "--suite", "walls", "--memory", "0"]).done().code(2).complains("--memory is 0");
}
