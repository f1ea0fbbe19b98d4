//! The program as a whole: help, usage errors, suites, bench, completions and manual pages.

use crate::common::{JAM01, clearway};

const COMMANDS: [&str; 9] = ["solve", "show", "verify", "prove", "convert", "suites", "bench", "completions", "man"];

#[test]
fn without_arguments_the_short_help_is_printed() {
    let done = clearway(&[]).done().code(0).quietly().says("Examples:");
    for command in COMMANDS {
        assert!(done.stdout.contains(&format!("\n  {command} ")), "{command}");
    }
    assert!(done.stdout.lines().count() <= 47);
}

#[test]
fn every_command_has_help_with_examples() {
    for command in COMMANDS {
        let done = clearway(&[command, "--help"]).done().code(0).quietly().says("Examples:\n  ");
        assert!(done.stdout.contains(&format!("clearway {command}")), "{command}");
    }
    clearway(&["--help"]).done().code(0).says("Exit codes:").says("130  interrupted");
    clearway(&["--version"]).done().code(0).says(concat!("clearway ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn an_invalid_command_line_is_exit_code_2_with_advice() {
    clearway(&["sovle"]).done().code(2).complains("similar").complains("'solve'");
    clearway(&["solve", "--suite", "card"]).done().code(2).complains("'cards'").complains("traffic-jam");
    clearway(&["suites", "nothing"])
        .done()
        .code(2)
        .complains("cards, it3105, traffic-jam, course, walls, servais, vandijk, sample-8x8, hard-8x8, train-8x8, hard-moves-200, hard-steps-200, catalogue-sample");
    clearway(&["solve", "--format", "lines", JAM01]).done().code(2).complains("'line'");
    clearway(&["solve", "--size", "1x1", JAM01]).done().code(2).complains("expected a width and a height from 2 to 16");
    clearway(&["solve", "--exit", "up", JAM01]).done().code(2).complains("expected right, left, top or bottom");
    clearway(&["solve", "--time-limit", "soon", JAM01]).done().code(2).complains("500ms, 10s, 2m or 1h");
    clearway(&["solve", "--memory", "much", JAM01]).done().code(2).complains("300M or 2G");
    clearway(&["solve", "--threads", "0", JAM01]).done().code(2);
    clearway(&["solve", "-q", "-v", JAM01]).done().code(2).complains("cannot be used with");
}

#[test]
fn suites_are_listed_and_printed() {
    let done = clearway(&["suites"]).done().code(0).quietly().says("cards                 40  ");
    assert_eq!(done.stdout.lines().count(), 24);
    let records = clearway(&["suites", "--json"]).done().code(0).records();
    let counts: Vec<_> = records.iter().map(|record| record["boards"].as_u64().unwrap()).collect();
    assert_eq!(counts, [40, 6, 3, 7, 20, 1, 7, 8, 18, 100, 200, 200, 459, 200, 60, 60, 30, 30, 60, 6, 30, 30, 30]);
    clearway(&["suites", "cards"]).done().code(0).says(&format!("\nJAM01\t6x6\tright\t{JAM01}\t8\t16\n"));
    let records = clearway(&["suites", "cards", "--json"]).done().code(0).records();
    assert_eq!((records.len(), &records[39]["name"]), (40, &"JAM40".into()));
}

#[test]
fn a_printed_suite_is_valid_input() {
    let text = clearway(&["suites", "course"]).done().stdout;
    let read = clearway(&["convert", "-", "--to", "line"]).stdin(text).done().code(0);
    assert_eq!(read.stdout, clearway(&["convert", "--suite", "course", "--to", "line"]).done().stdout);
}

#[test]
fn the_signature_is_the_same_in_every_run() {
    let run =
        |args: &[&str]| clearway(&[&["bench", "--json"], args].concat()).done().code(0).quietly().records().remove(0);
    let first = run(&[]);
    assert!(first["signature"].as_u64().unwrap() > 0);
    assert!(first["nodes_per_second"].as_f64().unwrap() > 0.0);
    assert_eq!((&first["threads"], &first["boards"]), (&1.into(), &148.into()));
    // Bench ignores the limits of the command line.
    let other = run(&["--threads", "3", "--node-limit", "1", "--memory", "1k"]);
    let signatures = |record: &serde_json::Value| {
        let all = record["algorithms"].as_array().unwrap().iter();
        all.map(|one| (one["algorithm"].clone(), one["solved"].clone(), one["signature"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(signatures(&other), signatures(&first));
    assert!(signatures(&first).len() > 12);
    for field in ["signature", "generated", "boards"] {
        assert_eq!(other[field], first[field], "{field}");
    }
    let signature = format!("signature         {}\n", first["signature"]);
    clearway(&["bench"]).done().code(0).says(&signature).says("nodes per second  ");
}

#[test]
fn the_signature_is_the_stored_one() {
    const STORED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/signature.tsv");
    let now = clearway(&["bench", "--signature"]).done().code(0).quietly().stdout;
    let stored = std::fs::read_to_string(STORED).unwrap();
    let changed: Vec<String> = diff(&stored, &now);
    assert!(
        changed.is_empty(),
        "a search behaves differently:\n{}\nIf that is intended: cargo run --release -- bench --signature > benches/signature.tsv",
        changed.join("\n")
    );
    clearway(&["bench", "--signature", "--json"]).done().code(2).complains("cannot be used with");
}

/// Returns the lines that are in only one of two texts.
fn diff(before: &str, after: &str) -> Vec<String> {
    let gone = before.lines().filter(|line| !after.lines().any(|other| other == *line)).map(|line| format!("- {line}"));
    let new = after.lines().filter(|line| !before.lines().any(|other| other == *line)).map(|line| format!("+ {line}"));
    gone.chain(new).collect()
}

#[test]
fn every_shell_has_a_completion_script() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        clearway(&["completions", shell]).done().code(0).quietly().says("keep-going");
    }
    clearway(&["completions", "cmd"]).done().code(2).complains("bash");
}

#[test]
fn manual_pages_are_printed_and_written() {
    clearway(&["man"]).done().code(0).says(".TH clearway 1");
    let done = clearway(&["man", "--out", "pages"]).done().code(0).quietly().without_data();
    assert!(done.read("pages/clearway.1").contains(".TH clearway 1"));
    for command in COMMANDS {
        let page = done.read(&format!("pages/clearway-{command}.1"));
        assert!(page.contains(&format!(".TH clearway-{command} 1")), "{page}");
    }
}
