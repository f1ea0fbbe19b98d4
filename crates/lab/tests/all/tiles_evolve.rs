//! Runs that breed programs for tiles: whatever interrupts them, they come to the same.

use crate::common::came_to;
use clearway_gp::CheckpointError;
use clearway_lab::runs::{Folder, FolderError, Preset};
use clearway_lab::tiles::{LoggedGeneration, Run, RunError, Settings, summary};
use clearway_tiles::evolve::{Experiment, Learning};
use clearway_tiles::{Program, Puzzle, Size, exact::Exact, moves};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

/// Settings of a run that is over at once: boards of two columns and three rows, of which there are 360.
fn quick() -> Settings {
    let mut settings = Settings::learning(Size::new(3, 2).unwrap());
    settings.set_population(24);
    let breeding = &mut settings.breeding;
    breeding.generations = 7;
    breeding.boards = 30;
    breeding.learning = Some(Learning { term: 3, exam: 100, ..breeding.learning.unwrap() });
    breeding.evolution.seed = 5;
    settings
}

fn begin(folder: &Path, settings: &Settings) -> Run {
    Run::begin(Folder::at(folder), settings.clone(), Arc::default()).unwrap()
}

fn resume(folder: &Path) -> (Run, Option<CheckpointError>) {
    Run::resume(Folder::at(folder), |_| {}, Arc::default()).unwrap()
}

/// What a run comes to: its champion and its log, but for the times.
fn end(run: &Run, threads: usize) -> (String, Vec<LoggedGeneration>) {
    let champion = run.champion(threads).unwrap();
    run.write(&champion, &run.test(&champion, threads)).unwrap();
    came_to(run.folder(), &run.champion_file())
}

fn whole(settings: &Settings, threads: usize) -> (String, Vec<LoggedGeneration>) {
    let folder = TempDir::new().unwrap();
    let mut run = begin(&folder.path().join("run"), settings);
    while !run.is_done() {
        run.step(threads).unwrap().unwrap();
    }
    end(&run, threads)
}

/// Ends the process after every generation, as it were.
fn in_pieces(settings: &Settings) -> (String, Vec<LoggedGeneration>) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let mut run = begin(&path, settings);
    while !run.is_done() {
        run.step(1).unwrap().unwrap();
        drop(run);
        run = resume(&path).0;
    }
    end(&run, 1)
}

#[test]
fn neither_threads_nor_interruptions_change_anything() {
    let mut paper = Settings::paper(Experiment::D);
    paper.set_population(30);
    paper.breeding.generations = 4;
    for settings in [quick(), paper] {
        let one = whole(&settings, 1);
        assert_eq!(one.1.len(), settings.breeding.generations as usize);
        assert_eq!(whole(&settings, 8), one);
        assert_eq!(in_pieces(&settings), one);
        let mut other = settings;
        other.breeding.evolution.seed = 6;
        assert_ne!(whole(&other, 1).1, one.1);
    }
}

#[test]
fn the_champion_says_where_it_comes_from_and_what_it_does() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let mut run = begin(&path, &quick());
    while !run.is_done() {
        let line = run.step(2).unwrap().unwrap();
        assert!(line.solved.unwrap() <= 30 && line.boards == Some(30), "{line:?}");
    }
    let champion = run.champion(2).unwrap();
    let tests = run.test(&champion, 2);
    run.write(&champion, &tests).unwrap();

    let [held_out, all] = &tests[..] else { panic!("{tests:?}") };
    assert_eq!((held_out.exam.boards, all.exam.boards), (1_000, 360));
    // What is said of all boards is true of them, counted anew.
    let text = std::fs::read_to_string(run.champion_file()).unwrap();
    let program = Program::parse(&text).unwrap();
    assert_eq!(Program { about: String::new(), ..program.clone() }, champion.program);
    let exact = Exact::new(&clearway_tiles::Board::ordered(Size::new(3, 2).unwrap())).unwrap();
    let (mut solved, mut length, mut longest, mut optimal) = (0, 0, 0, 0);
    for board in exact.boards() {
        let solution = program.run(&Puzzle::new(board).unwrap(), 10_000).direct();
        optimal += usize::from(exact.distance(&board).unwrap());
        if moves::replay(&board, &solution).as_ref() == Ok(exact.goal()) {
            solved += 1;
            length += solution.len();
            longest = longest.max(solution.len());
        }
    }
    assert_eq!((all.exam.solved, all.exam.moves, all.exam.longest), (solved, length, longest));
    let optimum = all.optimum.unwrap();
    assert_eq!((optimum.mean.to_bits(), optimum.longest), ((optimal as f64 / 360.0).to_bits(), 21));

    let about: Vec<&str> = program.about.lines().collect();
    assert_eq!(about[0], format!("Bred by clearway {}: clearway tiles evolve", env!("CARGO_PKG_VERSION")));
    assert_eq!(about[1], "Seed 5; 7 generations of 24 programs, judged on 30 boards of 2x3");
    assert!(about[2].starts_with("1,000 held-out boards: "), "{about:?}");
    let said = format!(
        "All 360 boards: {solved} solved, mean length {:.2}, longest {longest}; optimal ",
        all.exam.mean_length()
    );
    assert!(about[3].starts_with(&said), "{about:?}");

    let page = std::fs::read_to_string(run.folder().report()).unwrap();
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&page, options).unwrap();
    assert_eq!(document.descendants().filter(|node| node.has_tag_name("svg")).count(), 5);
    assert!(page.contains("All 360 boards") && page.contains("run: loop do") && page.contains("[breeding]"));
    assert_eq!(summary(&tests).rows.len(), 2);
}

#[test]
fn the_paper_s_preset_tells_what_is_left() {
    let folder = TempDir::new().unwrap();
    let mut settings = Settings::paper(Experiment::B);
    settings.set_population(20);
    settings.breeding.generations = 2;
    assert_eq!((settings.preset, settings.experiment), (Preset::Paper, Some(Experiment::B)));
    let mut run = begin(&folder.path().join("run"), &settings);
    let best = (0..2).map(|_| run.step(1).unwrap().unwrap().generation.best).next_back().unwrap();
    let training = run.champion(1).unwrap().training.unwrap();
    assert_eq!((training.boards, training.measure.to_bits()), (10, (-best).to_bits()));
}

#[test]
fn what_was_not_complete_is_made_again() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let expected = whole(&quick(), 1);
    drop(begin(&path, &quick()));
    // Ended before the first generation: there is no checkpoint yet.
    let mut run = resume(&path).0;
    assert_eq!(run.generations().len(), 0);
    for _ in 0..4 {
        run.step(1).unwrap().unwrap();
    }
    drop(run);
    let newest = path.join("checkpoint.json");
    let half = std::fs::read(&newest).unwrap();
    std::fs::write(&newest, &half[..half.len() / 2]).unwrap();
    let (mut run, fault) = resume(&path);
    assert!(matches!(fault, Some(CheckpointError::Broken { .. })), "{fault:?}");
    assert_eq!(run.generations().len(), 3);
    while !run.is_done() {
        run.step(1).unwrap().unwrap();
    }
    assert_eq!(end(&run, 1), expected);
}

#[test]
fn a_generation_that_is_cancelled_never_was() {
    let folder = TempDir::new().unwrap();
    let cancel = Arc::new(AtomicBool::new(false));
    let mut run = Run::begin(Folder::at(&folder.path().join("run")), quick(), Arc::clone(&cancel)).unwrap();
    assert!(run.best().is_none() && run.champion(1).is_none());
    run.step(1).unwrap().unwrap();
    cancel.store(true, Ordering::Relaxed);
    assert_eq!(run.step(1).unwrap(), None);
    assert_eq!((run.generations().len(), run.is_done()), (1, false));
    let best = run.best().unwrap();
    assert!(run.champion(1).is_none() && run.test(&best, 1).is_empty());
    run.write(&best, &[]).unwrap();
    assert!(std::fs::read_to_string(run.champion_file()).unwrap().contains("the run was not complete"));
}

#[test]
fn budgets_end_runs_and_more_may_be_asked_for() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let mut run = begin(&path, &Settings { budget: Some(0.0), ..quick() });
    assert!(!run.is_done(), "there is no champion without a generation");
    run.step(1).unwrap();
    assert!(run.is_done());
    drop(run);
    let more = |settings: &mut Settings| {
        settings.budget = None;
        settings.breeding.generations = 2;
    };
    let (mut run, _) = Run::resume(Folder::at(&path), more, Arc::default()).unwrap();
    assert!(!run.is_done());
    run.step(1).unwrap();
    assert!(run.is_done());
    drop(run);
    let fewer = Run::resume(Folder::at(&path), |settings| settings.breeding.generations = 1, Arc::default());
    assert!(matches!(fewer.map(|_| ()), Err(RunError::Fewer(_))));
}

#[test]
fn what_is_no_run_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let refused = |path: &Path| match Run::resume(Folder::at(path), |_| {}, Arc::default()) {
        Ok(_) => panic!("it was not refused"),
        Err(error) => error.to_string(),
    };
    assert!(refused(&path).contains("holds no run"));
    let mut run = begin(&path, &quick());
    run.step(1).unwrap();
    drop(run);
    let again = Run::begin(Folder::at(&path), quick(), Arc::default()).map(|_| ());
    assert!(matches!(again, Err(RunError::Folder(FolderError::IsRun(_)))));
    let into = Run::begin(Folder::at(folder.path()), quick(), Arc::default()).map(|_| ());
    assert!(matches!(into, Err(RunError::Folder(FolderError::NotEmpty(_)))));

    let config = path.join("config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        std::fs::write(&config, text.replace(from, to)).unwrap();
        refused(&path)
    };
    let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(with(&version, "version = \"99.0.0\"\nnew = 1").contains("begun by clearway 99.0.0"));
    for (from, to) in [("seed = 5", "seed = 6"), ("moves = 300", "moves = 301"), ("term = 3", "term = 4")] {
        assert!(with(from, to).contains("begun with another configuration"), "{to}");
    }
    assert!(with("rows = 3", "rows = 9").contains("rows is 9"));
    assert!(with("preset = ", "reset = ").contains("reset"));
    // A checkpoint that something was changed in.
    std::fs::write(&config, &text).unwrap();
    let checkpoint = path.join("checkpoint.json");
    let other = std::fs::read_to_string(&checkpoint).unwrap().replace("\"hard\"", "\"soft\"");
    std::fs::write(&checkpoint, other).unwrap();
    assert!(refused(&path).contains("is broken"));
}
