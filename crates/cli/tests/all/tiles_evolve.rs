//! `clearway tiles evolve`, and its programs in `clearway tiles solve --program`.

use crate::common::{self, Done, clearway};
use serde_json::json;
use std::path::Path;

/// Returns a short run on 3x2 boards, of which there are 360.
fn evolve(more: &[&str]) -> common::Run {
    clearway(&[&["tiles", "evolve", "--size", "3x2", "--population", "16"], more].concat())
}

/// Resumes a run.
fn resume(folder: &Path, more: &[&str]) -> Done {
    clearway(&[&["tiles", "evolve", "--resume", folder.to_str().unwrap()], more].concat()).done()
}

/// Returns the code of a program, without its description.
fn code(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with("about:")).collect()
}

#[test]
fn a_run_writes_a_folder_with_a_usable_champion() {
    let done = evolve(&["--generations", "12", "--seed", "3", "--threads", "1"]).done().code(0);
    let done = done.says("1,000 held-out boards ").says("All 360 boards ").says("run: loop do\nmeasure: ");
    let done = done.complains("evolving on 100 boards of 3x2; the run is saved in tiles-evolve-3");
    let done = done.complains("12 generations in ").complains("tiles-evolve-3/champion.program");
    assert_eq!(done.listing(), ["tiles-evolve-3"]);
    let champion = done.read("tiles-evolve-3/champion.program");
    let command = "clearway tiles evolve --size 3x2 --seed 3 --population 16 --generations 12";
    assert!(champion.starts_with(&format!("about: Evolved by clearway {}: {command}\n", env!("CARGO_PKG_VERSION"))));
    assert!(champion.contains("about: All 360 boards: "), "{champion}");
    assert!(done.read("tiles-evolve-3/config.toml").contains(&format!("command = \"{command}\"")));
    let report = done.read("tiles-evolve-3/report.html");
    assert!(report.contains(command) && report.contains("All 360 boards") && report.contains("<svg"));

    let again = evolve(&["--generations", "12", "--seed", "3", "--threads", "8", "--quiet"]).done().code(0).quietly();
    assert_eq!(again.stdout, done.stdout, "the same for any number of threads");
    assert_eq!(again.read("tiles-evolve-3/champion.program"), champion);

    // The reported results are those of the program.
    let solve = ["tiles", "solve", "--program", "champion.program", "--json", "-"];
    let (_, all) = champion.split_once("about: All 360 boards: ").unwrap();
    let claimed: usize = all.split_once(" solved").unwrap().0.parse().unwrap();
    let boards = clearway(&["tiles", "random", "--size", "3x2", "--count", "40"]).done().stdout;
    let answers = clearway(&solve).file("champion.program", &champion).stdin(boards).done();
    assert!(answers.code == 0 || claimed < 360, "{claimed}: {}", answers.stderr);
    for record in answers.records() {
        if record["status"] == "solved" {
            let (board, moves) = (record["board"].as_str().unwrap(), record["solution"].as_str().unwrap());
            clearway(&["tiles", "test", board, moves]).done().code(0);
        }
    }
}

#[test]
fn json_has_a_line_per_generation_and_one_for_the_result() {
    let done = evolve(&["--generations", "3", "--json", "--quiet", "--out", "run"]).done().code(0).quietly();
    let records = done.records();
    let numbers: Vec<_> = records[..3].iter().map(|record| record["generation"].as_u64()).collect();
    assert_eq!((numbers, records.len()), (vec![Some(0), Some(1), Some(2)], 4));
    assert_eq!(records[0]["boards"], 100);
    let end = &records[3];
    assert_eq!((&end["generations"], &end["interrupted"], &end["training"]), (&json!(3), &json!(false), &json!(null)));
    assert_eq!((&end["tests"][0]["boards"], &end["tests"][1]["name"]), (&json!(1000), &json!("all")));
    assert_eq!(end["tests"][1]["optimum"]["longest"], 21);
    assert_eq!(code(end["program"].as_str().unwrap()), code(&done.read("run/champion.program")));
}

#[test]
fn the_paper_preset_reports_the_remaining_measure() {
    for experiment in ["a", "b", "c", "d"] {
        let paper = ["tiles", "evolve", "--preset", "paper", "--experiment", experiment];
        let quick = ["--generations", "2", "--population", "20"];
        let done = clearway(&[&paper[..], &quick].concat()).done().code(0);
        let style = if "ab".contains(experiment) { "run: loop\n" } else { "run: once do\n" };
        let done = done
            .says("The 10 boards it was evolved on: ")
            .says("mean measure ")
            .says("1,000 held-out boards ")
            .says(style);
        assert!(done.read("tiles-evolve-0/config.toml").contains(&format!("experiment = \"{experiment}\"")));
    }
}

#[test]
fn invalid_options_are_rejected() {
    for (more, complaint) in [
        (&["--preset", "best"][..], "possible values: default, paper"),
        (&["--experiment", "e"], "possible values: a, b, c, d"),
        (&["--experiment", "a"], "--experiment requires --preset paper"),
        (&["--size", "1x9"], "width and height from 2 to 5"),
        (&["--preset", "paper", "--size", "4x4"], "--size cannot be used with --preset paper"),
        (&["--generations", "0"], "0 is not in 1.."),
        (&["--population", "0"], "0 is not in 1.."),
        (&["--budget", "500M"], "invalid time '500M'"),
        (&["--time-limit", "1s"], "use --budget"),
        (&["--seed", "9223372036854775808"], "9223372036854775808"),
        (&["--resume", "run", "--seed", "2"], "cannot be used with"),
    ] {
        let done = clearway(&[&["tiles", "evolve"], more].concat()).done().code(2).without_data().complains(complaint);
        assert_eq!(done.listing(), [""; 0], "nothing is left behind");
    }
}

#[test]
fn a_run_is_never_overwritten() {
    evolve(&["--out", "."]).file("mine", "").done().code(3).complains("is not empty");
    let done = evolve(&["--generations", "1"]).file("tiles-evolve-0", "").done().code(0);
    assert_eq!(done.listing(), ["tiles-evolve-0", "tiles-evolve-0-2"]);
}

#[test]
fn a_damaged_run_is_detected() {
    let (mut child, home) = evolve(&["--generations", "3", "--out", "run", "--quiet"]).spawn();
    assert!(child.wait().unwrap().success());
    let run = home.path().join("run");
    let champion = std::fs::read(run.join("champion.program")).unwrap();
    // The champion of a finished run is tested again; the run can be extended but not shortened.
    resume(&run, &[])
        .code(0)
        .says("All 360 boards")
        .complains("resuming the run in ")
        .complains(" after 3 generations");
    let fewer = resume(&run, &["--generations", "2"]).code(2).without_data();
    fewer.complains("the run already has 3 generations").complains("--generations 3 or more");

    let newest = run.join("checkpoint.json");
    std::fs::write(&newest, "{").unwrap();
    resume(&run, &[]).code(0).complains("is damaged").complains("using the previous checkpoint");
    assert_eq!(std::fs::read(run.join("champion.program")).unwrap(), champion);

    std::fs::write(&newest, "{").unwrap();
    std::fs::write(run.join("checkpoint.previous.json"), "{").unwrap();
    resume(&run, &[]).code(3).without_data().complains("and the previous one").complains("start again");
    let config = std::fs::read_to_string(run.join("config.toml")).unwrap();
    std::fs::write(run.join("config.toml"), config.replacen(env!("CARGO_PKG_VERSION"), "0.0.1", 1)).unwrap();
    resume(&run, &[]).code(3).without_data().complains("started by clearway 0.0.1");
    std::fs::remove_file(run.join("config.toml")).unwrap();
    resume(&run, &[]).code(3).without_data().complains("does not hold a run");
    // A run of `clearway evolve` is not a run of tiles.
    std::fs::write(run.join("config.toml"), config.replace("preset = \"default\"", "starts = \"hardest\"")).unwrap();
    resume(&run, &[]).code(3).without_data().complains("starts");
}

/// Runs that are killed or interrupted.
#[cfg(unix)]
mod stopped {
    use super::*;
    use common::stopped_runs::EvolveCommand;

    const COMMAND: EvolveCommand =
        EvolveCommand { name: "clearway tiles evolve", champion: "champion.program", start: evolve, resume };

    #[test]
    fn a_kill_loses_at_most_the_last_generation() {
        COMMAND.survives_a_kill("30", 7);
    }

    #[test]
    fn ctrl_c_writes_the_current_champion_and_a_resume_hint() {
        let run = COMMAND.interrupted();
        assert!(run.champion.contains("about: The best of the last of these generations: the run was not complete"));
        let more = (run.generations + 2).to_string();
        resume(&run.folder, &["--generations", &more]).code(0).says("All 360 boards");
        run.home.close().unwrap();
    }
}

/// Solves with a program.
fn with_program(program: impl AsRef<[u8]>, more: &[&str]) -> Done {
    clearway(&[&["tiles", "solve", "--program", "p.program"], more].concat()).file("p.program", program).done()
}

#[test]
fn a_program_solves_a_board_or_fails() {
    let program = "about: one move\nrun: loop do\n(if (if u d) (if l r))\n";
    with_program(program, &["123450786"])
        .code(0)
        .quietly()
        .says("board                      moves        rounds")
        .says("\nd\n");
    with_program(program, &["123456780"]).code(0).says("already solved");
    with_program(program, &["867254301"]).code(5).quietly().says("the program does not solve the board");
    with_program(program, &["213456780"]).code(4).quietly().says("the board is unsolvable");
    with_program(program, &["123450786", "--goal", "123456078"]).code(0).says("\ndll\n");
    let several = with_program(program, &["123450786", "123456708", "867254301", "213456780"]).code(5);
    several.complains("4 boards: 2 solved, 1 unsolvable, 1 not solved; ");
    with_program(program, &["12345x786"]).code(3).complains("'x' is not a tile");

    let done = with_program(program, &["--json", "123450786", "867254301", "213456780"]).code(5).quietly();
    let fields = ["board", "status", "moves", "solution", "rounds", "seconds"];
    let records = done.records();
    for record in &records {
        assert_eq!(record.as_object().unwrap().len(), fields.len());
        assert!(fields.iter().all(|field| record.get(field).is_some()), "{record}");
    }
    assert_eq!(
        (&records[0]["moves"], &records[0]["solution"], &records[0]["rounds"]),
        (&json!(1), &json!("d"), &json!(1))
    );
    let statuses: Vec<_> = records.iter().map(|record| record["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["solved", "unsolved", "unsolvable"]);
    assert!(records[1]["moves"].is_null() && records[1]["solution"].is_null());
}

#[test]
fn endless_programs_are_stopped() {
    // A constant measure ends the loop at once, and one that rewards distance from the goal ends it soon.
    with_program("measure: 1\n(if u d)", &["867254301"]).code(5).says("the program does not solve the board");
    with_program("measure: (- 0 manhattan)\n(if (if u d) (if l r))", &["867254301"]).code(5);
    // Numbers that overflow have no other effect.
    let huge = format!("measure: {}manhattan{}\n(if u d)", "(* 1000000000 ".repeat(60), ")".repeat(60));
    with_program(huge, &["867254301"]).code(5).says("the program does not solve the board");
    // The maximum number of moves that a program file can express in one round.
    let doubled = (0..12).fold("uldlurdrulldrur".to_owned(), |part, _| format!("(and {part} {part})"));
    for run in ["once", "once do", "loop", "loop do"] {
        let program = format!("run: {run}\n(if {doubled} {doubled})");
        let done = with_program(&program, &["867254301", "--json"]).code(5);
        assert!(["limit", "unsolved"].contains(&done.records()[0]["status"].as_str().unwrap()), "{run}");
    }
    let stopped = with_program(format!("run: once\n(if {doubled} {doubled})"), &["867254301"]).code(5);
    stopped.says("the program exceeded --move-limit");
    with_program("(if (if u d) (if l r))", &["412053786", "--move-limit", "1", "--json"])
        .code(5)
        .says("\"status\":\"limit\"");
    with_program("(if u d)", &["867254301", "--move-limit", "0"]).code(2);
    with_program("(if u d)", &["867254301", "--time-limit", "1s"]).code(2).complains("use --move-limit");
    clearway(&["tiles", "solve", "867254301", "--move-limit", "9"]).done().code(2).complains("--program");
}

#[test]
fn an_invalid_program_is_rejected_with_its_place() {
    for (text, complaint, place) in [
        ("", "the program ends too early", "p.program:1:1"),
        ("run: twice\n(if u d)", "invalid run mode", "p.program:1:"),
        ("(if u\n    x)", "'x' is not a move", "p.program:2:5"),
        ("(if u d", "unclosed parenthesis", "p.program:1:1"),
        ("(if u d l)", "an if has two", "p.program:1:9"),
        ("(or u d)", "unknown function 'or'", "p.program:1:2"),
        ("(and u d)", "a program must start with (if ...)", "p.program:1:1"),
        ("(if u d) r", "unexpected 'r' after the end", "p.program:1:10"),
        ("measure: (+ manhattan)\n(if u d)", "invalid number ')'", "p.program:1:22"),
        ("measure: height\n(if u d)", "invalid number 'height'", "p.program:1:10"),
    ] {
        let done = with_program(text, &["867254301"]).code(3).without_data().complains(complaint);
        assert!(done.stderr.contains(place), "{place}: {}", done.stderr);
        assert!(done.stderr.contains("`-- here"), "a caret points at it: {}", done.stderr);
    }
    with_program([0xff, 0xfe, 0, 27, b'['], &["867254301"]).code(3).without_data();
    with_program("(if ".repeat(5_000), &["867254301"]).code(3).complains("more than 100 levels deep");
    with_program(format!("(if {} d)", "u".repeat(5_000)), &["867254301"]).code(3).without_data();
    with_program("# ".repeat(1 << 20), &["867254301"])
        .code(3)
        .complains("program too long; the maximum is 1048576 bytes");
    let none = clearway(&["tiles", "solve", "--program", "none.program", "867254301"]).done().code(3).without_data();
    none.complains("cannot read none.program").complains("champion.program of clearway tiles evolve");
}
