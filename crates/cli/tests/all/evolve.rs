//! `clearway evolve`: run folders, interruptions and invalid options.

use crate::common::{self, Done, JAM01, UNSOLVABLE, clearway, timeless};
use std::path::Path;

/// Returns some of the forty cards as a suite; cards 1 to 6 are used for training, 7 and 8 for testing.
const BOARDS: &str = include_str!("../../../rush/suites/cards.tsv");

fn cards(range: std::ops::Range<usize>) -> String {
    let lines: Vec<&str> = BOARDS.lines().filter(|line| line.starts_with("JAM")).collect();
    lines[range].join("\n") + "\n"
}

/// Returns a short run.
pub fn evolve(more: &[&str]) -> common::Run {
    let quick = ["evolve", "--suite", "learn.tsv", "--test", "test.tsv", "--population", "8", "--sample", "3"];
    clearway(&[&quick[..], more].concat()).file("learn.tsv", cards(0..6)).file("test.tsv", cards(6..8))
}

#[test]
fn a_run_writes_a_folder_with_a_usable_champion() {
    let done = evolve(&["--generations", "4", "--seed", "3"]).done().code(0);
    let done = done.says("test.tsv: 2 boards").says("least squares").says("GP ").says("DEFAULT ");
    let done =
        done.complains("evolving on 6 boards; the run is saved in evolve-3").complains("evolve-3/champion.policy");
    assert_eq!(done.listing(), ["evolve-3", "learn.tsv", "test.tsv"]);
    let champion = done.read("evolve-3/champion.policy");
    let command =
        "clearway evolve --suite learn.tsv --test test.tsv --sample 3 --seed 3 --generations 4 --population 8";
    assert!(champion.starts_with(&format!("about: Evolved by clearway {}: {command}\n", env!("CARGO_PKG_VERSION"))));
    let config = done.read("evolve-3/config.toml");
    assert!(config.contains(&format!("command = \"{command}\"")), "{config}");
    let report = done.read("evolve-3/report.html");
    assert!(report.contains(command) && report.contains("least squares") && report.contains("<svg"));
    for plot in ["Diversity", "Heuristics in use", "Where time goes", "new sample of boards"] {
        assert!(report.contains(plot), "{plot}");
    }
    assert!(!champion.contains("0 >= 1"), "{champion}");
    clearway(&["solve", JAM01, "--policy", "champion.policy"]).file("champion.policy", &champion).done().code(0);

    let again = evolve(&["--config", "config.toml", "--quiet", "--threads", "1"]).file("config.toml", &config).done();
    let again = again.code(0).quietly();
    assert_eq!(timeless(&again.read("evolve-3/log.jsonl")), timeless(&done.read("evolve-3/log.jsonl")));
    let rules = |text: &str| text.lines().filter(|line| !line.starts_with("about:")).collect::<String>();
    assert_eq!(rules(&again.read("evolve-3/champion.policy")), rules(&champion));
}

#[test]
fn a_run_can_start_from_policies() {
    let ready = "about: mine\nsearch: greedy(policy)\nDEFAULT 3.1415*blockers\n";
    let from = ["--from", "mine.policy", "--generations", "1", "--quiet"];
    let done = evolve(&[&from[..], &["--out", "run"]].concat()).file("mine.policy", ready).done().code(0);
    let config = done.read("run/config.toml");
    assert!(config.contains("DEFAULT 3.1415*blockers") && config.contains("--from mine.policy"), "{config}");
    assert!(!config.contains("mine\n") && !config.contains("greedy"), "only the rules are used: {config}");
    assert!(done.read("run/checkpoint.json").contains("3.1415"), "it is in the initial population");
    let again = evolve(&["--config", "config.toml", "--quiet", "--out", "again"]).file("config.toml", &config).done();
    let rules = |text: &str| text.lines().filter(|line| !line.starts_with("about:")).collect::<String>();
    assert_eq!(rules(&again.code(0).read("again/champion.policy")), rules(&done.read("run/champion.policy")));
    evolve(&["--from", "no.policy"]).done().code(3).without_data().complains("no.policy");
}

#[test]
fn validation_boards_select_the_champion() {
    let run = |more: &[&str]| evolve(&[&["--validate", "choice.tsv"], more].concat()).file("choice.tsv", cards(5..12));
    let done = run(&["--generations", "3", "--json", "--out", "run"]).done().code(0);
    let done = done.complains("3 boards left out because validation or test boards are similar: JAM07, JAM08, JAM06");
    let end = done.records().pop().unwrap();
    let boards = |what: &str| end[what]["boards"].as_u64();
    assert_eq!((boards("training"), boards("validation")), (Some(5), Some(5)));
    assert!(done.read("run/champion.policy").contains("about: Chosen on choice.tsv: "));
    assert!(done.read("run/config.toml").contains("validation = [\"choice.tsv\"]"));
    assert_eq!(done.read("run/boards/validation.tsv").lines().count(), 6, "a header and five boards");

    let refused = |boards: String| evolve(&["--validate", "choice.tsv"]).file("choice.tsv", boards).done().code(3);
    refused(cards(6..8)).without_data().complains("no validation boards left");
    refused(cards(0..6)).without_data().complains("all of them are test or validation boards");
    refused(UNSOLVABLE.to_owned()).without_data().complains("no validation boards (#1: ");
    evolve(&["--validate", "no.tsv"]).done().code(2).complains("unknown suite or file 'no.tsv'");
    evolve(&["--resume", "run", "--validate", "cards"]).done().code(2).complains("cannot be used with");
}

#[test]
fn json_has_a_line_per_generation_and_one_for_the_result() {
    let done = evolve(&["--generations", "3", "--json", "--quiet", "--out", "run"]).done().code(0).quietly();
    let records = done.records();
    let numbers: Vec<_> = records[..3].iter().map(|record| record["generation"].as_u64()).collect();
    assert_eq!(numbers, [Some(0), Some(1), Some(2)]);
    assert!(records[0]["test-nodes-percent"].is_f64());
    let end = &records[3];
    assert_eq!((records.len(), end["generations"].as_u64(), end["interrupted"].as_bool()), (4, Some(3), Some(false)));
    assert_eq!(
        (end["training"]["boards"].as_u64(), end["tests"][0]["columns"][0]["name"].as_str()),
        (Some(6), Some("None"))
    );
    assert_eq!(end["champion"].as_str(), Some("run/champion.policy"));
}

#[test]
fn boards_beyond_the_limits_are_used_if_no_other_is_left_or_an_option_asks_for_them() {
    // A board with few states that is too hard for the baseline: preparing it is fast.
    let mut suite = include_str!("../../../rush/suites/hard-8x8.tsv").lines();
    let hard = suite.find(|line| line.starts_with("E13")).unwrap().to_owned() + "\n";
    let run = |more: &[&str]| {
        let given = ["evolve", "--suite", "hard.tsv", "--test", "test.tsv", "--search", "wastar"];
        let small = ["--population", "4", "--sample", "2", "--generations", "2", "--out", "run"];
        let run = clearway(&[&given[..], &small, more].concat()).file("hard.tsv", &hard);
        run.file("learn.tsv", cards(0..2)).file("test.tsv", cards(6..8)).done().code(0)
    };
    let done = run(&["--node-limit", "60"]);
    let done =
        done.complains("every training board has more than 120000 states, or takes more than 1200000 nodes without");
    let done = done.complains("; searches end after 60 nodes").complains("evolving on 1 board;");
    assert!(!done.stderr.contains("directly"), "its states are prepared: {}", done.stderr);
    let config = done.read("run/config.toml");
    assert!(config.contains("[direct]\nnodes = 60\n") && !config.contains("metric"), "{config}");
    assert!(done.read("run/champion.policy").contains("of 2 solved"), "the champion is tested on them");
    // Beside other boards they are left out, unless an option asks for them.
    run(&["--suite", "learn.tsv"])
        .complains("evolving on 2 boards")
        .complains("1 board left out, the search without a heuristic");
    let done = run(&["--suite", "learn.tsv", "--direct", "--node-limit", "90", "--metric", "steps"]);
    let done = done.complains("evolving on 3 boards");
    let config = done.read("run/config.toml");
    assert!(config.contains("metric = \"steps\""));
    // JAM01 has 1,247 states, JAM02 22,139.
    let config = config.replace("largest = 120000", "largest = 10000");
    let run = clearway(&["evolve", "--config", "large.toml"]).file("large.toml", &config).file("hard.tsv", &hard);
    run.file("learn.tsv", cards(0..2))
        .file("test.tsv", cards(6..8))
        .done()
        .code(0)
        .complains("1 board searched directly, 2 boards with all states prepared; at most");
}

#[test]
fn the_paper_preset_holds_out_test_boards() {
    let paper = ["evolve", "--preset", "paper", "--suite", "learn.tsv", "--generations", "2", "--population", "6"];
    let done = clearway(&paper).file("learn.tsv", cards(0..6)).done().code(0).says("held-out: 3 boards");
    let config = done.read("evolve-0/config.toml");
    assert!(config.contains("objective = \"saved\"") && config.contains("terminals = \"paper\""), "{config}");
    assert_eq!(done.read("evolve-0/boards/training.tsv").lines().count(), 4, "a header and three boards");
}

#[test]
fn every_search_and_objective_works() {
    for (search, objective) in [
        ("ida-order", "saved"),
        ("ida-prune", "time"),
        ("ida-both", "nodes"),
        ("wastar", "nodes"),
        ("greedy", "nodes"),
        ("wastar(policy, weight=2.5)", "nodes"),
    ] {
        let options = ["--search", search, "--objective", objective, "--shortcut", "yes", "--starts", "both"];
        let done = evolve(&[&options[..], &["--generations", "2", "--terminals", "paper"]].concat()).done().code(0);
        done.says("GP ").complains("evolving on 12 boards");
    }
}

#[test]
fn invalid_options_are_rejected() {
    for (more, complaint) in [
        (&["--preset", "best"][..], "possible values: default, paper"),
        (&["--group", "2"], "cannot be used with"),
        (&["--rules", "65"], "65 is not in 0..=64"),
        (&["--size", "8,20"], "invalid sizes '8,20'; expected different sizes from 6 to 16"),
        (&["--islands", "9"], "cannot be divided into 9 islands"),
        (&["--search", "greedy", "--weight", "3"], "greedy has no option 'weight'; it is an option of wastar"),
        (&["--search", "bfs"], "bfs takes no heuristic"),
        (&["--depth", "1"], "invalid depth 1; expected 2 to"),
        (&["--longest", "0.5"], "invalid ratio '0.5'; expected 0 (no limit) or a number from 1 to 1000000"),
        (&["--budget", "soon"], "invalid time 'soon'"),
        (&["--longest", "far"], "invalid ratio 'far'; expected 0 (no limit) or a number from 1 to 1000000"),
        (&["--search", "wastar", "--weight", "far"], "invalid weight 'far'; expected a number from 0"),
        (&["--time-limit", "1s"], "use --budget"),
        (&["--node-limit", "0"], "--node-limit is 0"),
        (&["--seed", "9223372036854775808"], "9223372036854775808"),
        (&["--resume", "run", "--seed", "2"], "cannot be used with"),
        (&["--from", "hand", "--rules", "1"], "a policy with at most 1 rules"),
    ] {
        let done = evolve(more).done().code(2).without_data().complains(complaint);
        assert_eq!(done.listing(), ["learn.tsv", "test.tsv"], "nothing is left behind");
    }
    evolve(&["--longest", "0", "--generations", "1"]).done().code(0).says("GP ");
    clearway(&["evolve", "--group", "2"]).done().code(2).complains("--group requires --preset paper");
    clearway(&["evolve", "--suite", "trian-6x6"]).done().code(2).complains("train-6x6");
    clearway(&["evolve", "--config", "c.toml"])
        .file("c.toml", "seed = 1")
        .done()
        .code(3)
        .complains("invalid settings in c.toml");
}

#[test]
fn unusable_training_boards_are_an_error() {
    let on = |text: &str| clearway(&["evolve", "--suite", "b.txt", "--generations", "1"]).file("b.txt", text).done();
    on("").code(3).without_data();
    on("nonsense!").code(3).without_data();
    on(UNSOLVABLE).code(3).without_data().complains("no training boards (#1: the board has no solution)");
    let same = ["evolve", "--suite", "cards", "--test", "cards"];
    clearway(&same).done().code(3).complains("all of them are test boards");
    let text = format!("{UNSOLVABLE}\n{JAM01}\n");
    let one = ["evolve", "--suite", "b.txt", "--test", "t.tsv", "--generations", "1", "--population", "8"];
    let done = clearway(&one).file("b.txt", text).file("t.tsv", cards(6..7)).done().code(0);
    done.complains("1 board left out, the board has no solution: #1");
    let overlapping = ["evolve", "--suite", "b.tsv", "--test", "t.tsv", "--generations", "1", "--population", "8"];
    let done = clearway(&overlapping).file("b.tsv", cards(0..3)).file("t.tsv", cards(2..4)).done().code(0);
    done.complains("1 board left out because test boards are similar: JAM03").complains("evolving on 2 boards");
}

#[test]
fn a_run_is_never_overwritten() {
    let done = evolve(&["--generations", "1", "--out", "."]).done().code(3).complains("is not empty");
    assert_eq!(done.listing(), ["learn.tsv", "test.tsv"]);
    let run = evolve(&["--generations", "1"]).file("evolve-0", "");
    assert_eq!(run.done().code(0).listing(), ["evolve-0", "evolve-0-2", "learn.tsv", "test.tsv"]);
}

/// Resumes a run.
fn resume(folder: &Path, more: &[&str]) -> Done {
    let folder = folder.to_str().unwrap();
    clearway(&[&["evolve", "--resume", folder], more].concat()).done()
}

#[test]
fn a_damaged_run_is_detected() {
    let (mut child, home) = evolve(&["--generations", "3", "--out", "run", "--quiet"]).spawn();
    assert!(child.wait().unwrap().success());
    let run = home.path().join("run");
    let champion = std::fs::read(run.join("champion.policy")).unwrap();
    // The champion of a finished run is tested again.
    resume(&run, &[]).code(0).says("GP ").complains("resuming the run in ").complains(" after 3 generations");
    assert_eq!(std::fs::read(run.join("champion.policy")).unwrap(), champion);

    let newest = run.join("checkpoint.json");
    std::fs::write(&newest, "{").unwrap();
    resume(&run, &[])
        .code(0)
        .complains("is damaged")
        .complains("using the previous checkpoint")
        .complains("after 2 generations");
    assert_eq!(std::fs::read(run.join("champion.policy")).unwrap(), champion);

    std::fs::write(&newest, "{").unwrap();
    std::fs::write(run.join("checkpoint.previous.json"), "{").unwrap();
    resume(&run, &[]).code(3).without_data().complains("and the previous one").complains("start again");
    let config = std::fs::read_to_string(run.join("config.toml")).unwrap();
    let older = config.replacen(env!("CARGO_PKG_VERSION"), "0.0.1", 1);
    std::fs::write(run.join("config.toml"), older).unwrap();
    resume(&run, &[]).code(3).without_data().complains("started by clearway 0.0.1").complains("--config");
    std::fs::remove_file(run.join("config.toml")).unwrap();
    resume(&run, &[]).code(3).without_data().complains("does not hold a run");
}

#[test]
fn a_run_cannot_be_resumed_with_fewer_generations() {
    let (mut child, home) = evolve(&["--generations", "3", "--out", "run", "--quiet"]).spawn();
    assert!(child.wait().unwrap().success());
    let run = home.path().join("run");
    let read = |name: &str| std::fs::read_to_string(run.join(name)).unwrap();
    let before = ["config.toml", "log.jsonl", "champion.policy"].map(read);
    let done = resume(&run, &["--generations", "2"]).code(2).without_data();
    done.complains("the run already has 3 generations; 2 are too few").complains("--generations 3 or more");
    assert_eq!(["config.toml", "log.jsonl", "champion.policy"].map(read), before);
    // The run already has all its generations: only the result is printed again.
    resume(&run, &["--generations", "3"]).code(0).says("GP ").complains("3 generations in");
    assert_eq!(["config.toml", "log.jsonl", "champion.policy"].map(read), before);
}

/// Runs that are killed or interrupted.
#[cfg(unix)]
mod stopped {
    use super::*;
    use common::stopped_runs::EvolveCommand;

    const COMMAND: EvolveCommand =
        EvolveCommand { name: "clearway evolve", champion: "champion.policy", start: evolve, resume };

    #[test]
    fn a_kill_loses_at_most_the_last_generation() {
        COMMAND.survives_a_kill("60", 9);
    }

    #[test]
    fn ctrl_c_writes_the_current_champion_and_a_resume_hint() {
        let run = COMMAND.interrupted();
        assert!(run.champion.contains("DEFAULT "));
        let more = (run.generations + 2).to_string();
        resume(&run.folder, &["--generations", &more]).code(0).says("GP ");
        run.home.close().unwrap();
    }
}
