//! `clearway convert`: every format, streams, directories and atomic files.

use crate::common::{JAM01, clearway};

/// Returns the optimal lengths that a text gives for its boards.
fn lengths(text: &str, format: &str) -> Vec<serde_json::Value> {
    let done = clearway(&["solve", "-", "--json", "--format", format, "--size", "6x6"]).stdin(text).done().code(0);
    done.records().iter().map(|record| record["moves"].clone()).collect()
}

#[test]
fn every_input_format_round_trips() {
    for (suite, formats) in [
        ("it3105", &["line", "grid", "van-dijk", "it3105", "course", "json", "tsv"][..]),
        ("traffic-jam", &["line", "traffic-jam", "json", "tsv"]),
    ] {
        let original = lengths(&clearway(&["suites", suite]).done().code(0).stdout, "tsv");
        assert!(original.len() >= 3);
        for format in formats {
            let written = clearway(&["convert", "--suite", suite, "--to", format]).done().code(0).quietly().stdout;
            assert_eq!(lengths(&written, format), original, "{format}:\n{written}");
        }
    }
}

#[test]
fn stdin_is_the_default_input() {
    clearway(&["convert", "--to", "grid"]).stdin(JAM01).done().code(0).quietly().says("BB...C\nD..E.C\n");
}

#[test]
fn json_is_short_for_to_json() {
    let short = clearway(&["convert", "--json", JAM01]).done().code(0);
    let long = clearway(&["convert", "--to", "json", JAM01]).done().code(0);
    assert_eq!(short.stdout, long.stdout);
    assert_eq!(short.records().len(), 1);
    clearway(&["convert", JAM01]).done().code(2).complains("--to <FORMAT>");
}

#[test]
fn pictures_and_planning_problems_are_written() {
    clearway(&["convert", JAM01, "--to", "svg"]).done().code(0).says("<svg ");
    clearway(&["convert", JAM01, JAM01, "--to", "ansi"]).done().code(0).says("#2\n┏");
    clearway(&["convert", JAM01, "--to", "pddl"]).done().code(0).says("(define (problem");
    clearway(&["convert", "--to", "pddl-domain"]).done().code(0).says("(define (domain");
}

#[test]
fn several_boards_in_a_single_board_format_need_a_directory() {
    clearway(&["convert", "--suite", "cards", "--to", "svg"])
        .done()
        .code(2)
        .without_data()
        .complains("pass a directory to --out");
    let done = clearway(&["convert", "--suite", "traffic-jam", "--to", "pddl", "--out", "new/folder/"])
        .done()
        .code(0)
        .quietly();
    assert!(done.read("new/folder/domain.pddl").contains("(define (domain"));
    for name in ["A", "B", "C"] {
        assert!(done.read(&format!("new/folder/{name}.pddl")).contains("(define (problem"));
    }
}

#[test]
fn a_file_appears_complete_or_not_at_all() {
    let good = format!("{JAM01}\n");
    let done =
        clearway(&["convert", "in.txt", "--to", "json", "--out", "out.json"]).file("in.txt", &good).done().code(0);
    assert_eq!(done.listing(), ["in.txt", "out.json"]);
    assert!(done.without_data().read("out.json").contains("vehicles"));

    let bad = format!("{JAM01}\n{JAM01}x\n");
    let run = clearway(&["convert", "in.txt", "--to", "json", "--out", "out.json"])
        .file("in.txt", &bad)
        .file("out.json", "old");
    let done = run.done().code(3).complains("line 2");
    assert_eq!(done.listing(), ["in.txt", "out.json"], "no temporary file is left");
    assert_eq!(done.read("out.json"), "old");
    clearway(&["convert", JAM01, "--to", "line", "--out", "no/such/folder/out.txt"])
        .done()
        .code(3)
        .complains("cannot write no/such");
}

#[cfg(unix)]
#[test]
fn a_new_file_has_default_permissions_and_a_link_is_kept() {
    use std::os::unix::fs::PermissionsExt;
    let run = clearway(&["convert", JAM01, "--to", "line", "--out", "link.txt"]).file("real.txt", "old");
    let (real, link, other) = (run.path("real.txt"), run.path("link.txt"), run.path("other.txt"));
    std::os::unix::fs::symlink(&real, &link).unwrap();
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
    let done = run.done().code(0);
    assert!(done.read("real.txt").contains(JAM01));
    assert!(link.is_symlink());
    assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    let usual = std::fs::File::create(&other).unwrap().metadata().unwrap().permissions().mode();
    let run = clearway(&["convert", JAM01, "--to", "line", "--out", "new.txt"]);
    let path = run.path("new.txt");
    let _done = run.done().code(0);
    assert_eq!(path.metadata().unwrap().permissions().mode(), usual);
    clearway(&["convert", JAM01, "--to", "line", "--out", "/dev/null"]).done().code(0);
    assert!(!std::path::Path::new("/dev/null").is_file(), "a device is written to, not replaced");
}

#[test]
fn a_board_that_a_format_cannot_express_is_rejected() {
    let walls = "4x2:AA.x....";
    clearway(&["convert", walls, "--to", "it3105"]).done().code(3).complains("cannot hold this board");
    let done = clearway(&["convert", JAM01, walls, JAM01, "--to", "it3105", "--keep-going"])
        .done()
        .code(3)
        .complains("cannot hold");
    assert_eq!(done.stdout.split("\n\n").count(), 2, "{}", done.stdout);
}
