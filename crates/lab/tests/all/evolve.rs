//! Runs of evolution: whatever interrupts them, they come to the same.

use crate::common::came_to;
use clearway_gp::CheckpointError;
use clearway_lab::evolve::{
    Brief, Coevolution, Judge, LoggedGeneration, Material, Means, Run, RunError, Settings, TestSet,
};
use clearway_lab::runs::{Budget, Folder, FolderError, Preset};
use clearway_policy::training::{BoardJob, BoardLimits, TrainingBoard};
use clearway_rush::formats::{self, Puzzle};
use clearway_rush::suites::Suite;
use clearway_search::Limits;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

/// Settings of a run that is over at once.
fn quick() -> Settings {
    let mut settings = Settings::new(Preset::Default, (6, 6), None);
    settings.test = vec!["few".to_owned()];
    settings.breeding.generations = 7;
    settings.breeding.sample = 3;
    settings.breeding.resample = 2;
    settings.breeding.evolution.population = 10;
    settings.breeding.evolution.seed = 5;
    settings
}

fn material(settings: &Settings) -> Material {
    let cards = Suite::find("cards").unwrap().puzzles();
    let tests = vec![TestSet { name: "few".to_owned(), boards: cards[8..10].to_vec() }];
    Material::new(settings, cards[..8].to_vec(), Vec::new(), tests)
}

fn means(threads: usize) -> Means<'static> {
    Means { threads, memory: 1 << 30, cancel: Arc::default(), progress: &|_, _| {} }
}

fn begin(folder: &Path, settings: &Settings) -> Run {
    Run::begin(Folder::at(folder), settings.clone(), material(settings), &means(1)).unwrap()
}

fn resume(folder: &Path) -> (Run, Option<CheckpointError>) {
    Run::resume(Folder::at(folder), |_| {}, &means(2)).unwrap()
}

/// What a run comes to: its champion and its log, but for the times.
fn end(run: &Run) -> (String, Vec<LoggedGeneration>) {
    let champion = run.champion(2).unwrap();
    let tests = run.test(&champion, 2, &Limits::default(), |_| {});
    run.write(&champion, &tests).unwrap();
    came_to(run.folder(), &run.champion_file())
}

fn whole(settings: &Settings, threads: usize) -> (String, Vec<LoggedGeneration>) {
    let folder = TempDir::new().unwrap();
    let mut run = begin(&folder.path().join("run"), settings);
    while !run.is_done() {
        run.step(threads).unwrap().unwrap();
    }
    end(&run)
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
    end(&run)
}

#[test]
fn neither_threads_nor_interruptions_change_anything() {
    let settings = quick();
    let one = whole(&settings, 1);
    assert_eq!(one.1.len(), 7);
    assert!(one.1[0].test_nodes_percent.is_some() && one.1[1].test_nodes_percent.is_none());
    assert!(one.0.contains("about: Seed 5; 7 generations of 10 policies"), "{}", one.0);
    assert!(one.0.contains("about: Test boards few: "), "{}", one.0);
    assert_eq!(whole(&settings, 3), one);
    assert_eq!(in_pieces(&settings), one);
    let mut other = settings;
    other.breeding.evolution.seed = 6;
    assert_ne!(whole(&other, 1).1, one.1);
}

/// The settings and boards of a run whose champion is chosen on boards of its own.
fn validated() -> (Settings, Material) {
    let settings = Settings { validation: vec!["others".to_owned()], ..quick() };
    let cards = Suite::find("cards").unwrap().puzzles();
    let material = Material { validation: cards[20..26].to_vec(), ..material(&settings) };
    (settings, material)
}

#[test]
fn the_champion_may_be_chosen_on_boards_of_its_own() {
    let (settings, material) = validated();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let mut run = Run::begin(Folder::at(&path), settings, material, &means(1)).unwrap();
    while !run.is_done() {
        run.step(2).unwrap().unwrap();
    }
    let champion = run.champion(1).unwrap();
    let (text, log) = end(&run);
    let chosen = champion.validation.unwrap();
    assert_eq!((chosen.boards, champion.training.unwrap().boards), (6, 8));
    assert!(text.contains("about: Chosen on others: "), "{text}");
    // The boards change the choice, not the breeding; and they are in the folder.
    assert_eq!(log, whole(&quick(), 1).1);
    drop(run);
    assert_eq!(end(&resume(&path).0), (text, log));
    std::fs::remove_file(path.join("boards/validation.tsv")).unwrap();
    assert!(matches!(Run::resume(Folder::at(&path), |_| {}, &means(1)), Err(RunError::Folder(_))));
}

#[test]
fn a_run_that_is_judged_elsewhere_comes_to_the_same() {
    let mut settings = quick();
    settings.breeding.evolution.islands = 2;
    settings.coevolution = Some(Coevolution { epoch: 2, boards: 2, share: 0.5, changes: 12, nodes: 20_000 });
    let folder = TempDir::new().unwrap();
    let mut run = begin(&folder.path().join("run"), &settings);
    // What travels is text.
    let brief =
        |run: &Run| -> Brief { serde_json::from_str(&serde_json::to_string(&run.brief().unwrap()).unwrap()).unwrap() };
    let mut judge = Judge::new(brief(&run), &means(1)).unwrap();
    let mut bred = Vec::new();
    while !run.is_done() {
        let proposal = run.propose(1).unwrap().unwrap();
        bred.push(run.bred());
        judge.update(&brief(&run)).unwrap();
        // Whoever comes later knows as much.
        let late = Judge::new(brief(&run), &means(1)).unwrap();
        let memory = serde_json::from_str(&serde_json::to_string(proposal.memory()).unwrap()).unwrap();
        let genomes: Vec<_> = proposal.different().into_iter().cloned().collect();
        let (some, others) = genomes.split_at(genomes.len() / 2);
        let judgements = [judge.judge(&memory, some).unwrap(), late.judge(&memory, others).unwrap()].concat();
        run.accept(proposal, judgements).unwrap();
    }
    assert!(bred[0] == 0 && *bred.last().unwrap() > 0, "boards were bred: {bred:?}");
    assert_eq!(end(&run), whole(&settings, 2));
    let other = begin(&folder.path().join("other"), &quick());
    let mut strange = run;
    let memory = strange.propose(1).unwrap().unwrap().memory().clone();
    let strange = Judge::new(other.brief().unwrap(), &means(1)).unwrap().judge(&memory, &[]);
    assert!(matches!(strange, Err(RunError::Changed(_))), "a judge of another run refuses");
}

#[test]
fn boards_evolve_the_same_however_often_it_is_interrupted() {
    let mut settings = quick();
    settings.coevolution = Some(Coevolution { epoch: 1, boards: 2, share: 0.5, changes: 12, nodes: 20_000 });
    let one = whole(&settings, 2);
    assert_eq!(in_pieces(&settings), one);
    assert_ne!(one.1, whole(&quick(), 2).1, "other boards, another run");

    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let mut run = begin(&path, &settings);
    let file = path.join("boards.tsv");
    for generation in 0..7 {
        run.step(1).unwrap().unwrap();
        // Epochs end where samples do: after 2, 4 and 6 generations.
        assert_eq!(file.exists(), generation >= 2, "{generation}");
    }
    let bred = std::fs::read_to_string(&file).unwrap();
    let reader = formats::Reader::new(bred.as_bytes(), formats::ReadOptions::default());
    let bred: Vec<Puzzle> = reader.map(Result::unwrap).collect();
    assert!((2..=6).contains(&bred.len()), "{}", bred.len());
    let held_out: Vec<Puzzle> = material(&settings).tests.swap_remove(0).boards;
    for puzzle in &bred {
        assert!(puzzle.name.as_ref().unwrap().starts_with("epoch "));
        let answer =
            clearway_rush::Solver::new().solve(&puzzle.board, clearway_rush::Metric::Moves, &Limits::default());
        assert_eq!(puzzle.moves, answer.solution.map(|solution| formats::Known::Exactly(solution.moves())));
        assert!(held_out.iter().all(|held_out| held_out.board != puzzle.board));
    }
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
    // Ended between the log and the checkpoint.
    let log = path.join("log.jsonl");
    let line = std::fs::read_to_string(&log).unwrap().lines().last().unwrap().to_owned();
    let unfinished = std::fs::read_to_string(&log).unwrap() + &line + "\n{\"genera";
    std::fs::write(&log, unfinished).unwrap();
    assert_eq!(resume(&path).0.generations().len(), 4);
    assert_eq!(std::fs::read_to_string(&log).unwrap().lines().count(), 4);

    let newest = path.join("checkpoint.json");
    let half = std::fs::read(&newest).unwrap();
    std::fs::write(&newest, &half[..half.len() / 2]).unwrap();
    let (mut run, fault) = resume(&path);
    assert!(matches!(fault, Some(CheckpointError::Broken { .. })), "{fault:?}");
    assert_eq!(run.generations().len(), 3);
    while !run.is_done() {
        run.step(1).unwrap().unwrap();
    }
    assert_eq!(end(&run), expected);
}

#[test]
fn a_generation_that_is_cancelled_never_was() {
    let folder = TempDir::new().unwrap();
    let settings = quick();
    let cancel = Arc::new(AtomicBool::new(false));
    let means = Means { cancel: Arc::clone(&cancel), ..means(1) };
    let path = folder.path().join("run");
    let mut run = Run::begin(Folder::at(&path), settings.clone(), material(&settings), &means).unwrap();
    run.step(1).unwrap().unwrap();
    cancel.store(true, Ordering::Relaxed);
    assert_eq!(run.step(1).unwrap(), None);
    assert_eq!((run.generations().len(), run.is_done()), (1, false));
    assert!(run.champion(1).is_some() && run.best().is_some());
    drop(run);
    assert!(matches!(Run::resume(Folder::at(&path), |_| {}, &means).map(|_| ()), Err(RunError::Cancelled)));
}

#[test]
fn budgets_end_runs_and_more_may_be_asked_for() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let mut settings = quick();
    settings.budget = Some(Budget::Nodes(1));
    let mut run = begin(&path, &settings);
    assert!(!run.is_done(), "there is no champion without a generation");
    run.step(1).unwrap();
    assert!(run.is_done());
    drop(run);
    let more = |settings: &mut Settings| {
        settings.budget = None;
        settings.breeding.generations = 2;
    };
    let (mut run, _) = Run::resume(Folder::at(&path), more, &means(1)).unwrap();
    assert!(!run.is_done());
    run.step(1).unwrap();
    assert!(run.is_done());
    drop(run);
    assert_eq!(resume(&path).0.settings().breeding.generations, 2);
}

#[test]
fn what_is_no_run_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let refused = |path: &Path| match Run::resume(Folder::at(path), |_| {}, &means(1)) {
        Ok(_) => panic!("it was not refused"),
        Err(error) => error.to_string(),
    };
    assert!(refused(&path).contains("holds no run"));
    let mut run = begin(&path, &quick());
    run.step(1).unwrap();
    drop(run);
    let again = Run::begin(Folder::at(&path), quick(), material(&quick()), &means(1)).map(|_| ());
    assert!(matches!(again, Err(RunError::Folder(FolderError::IsRun(_)))));
    let into = Run::begin(Folder::at(folder.path()), quick(), material(&quick()), &means(1)).map(|_| ());
    assert!(matches!(into, Err(RunError::Folder(FolderError::NotEmpty(_)))));

    let config = path.join("config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        std::fs::write(&config, text.replace(from, to)).unwrap();
        refused(&path)
    };
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        with(&format!("version = \"{version}\""), "version = \"99.0.0\"\nnew = 1").contains("begun by clearway 99.0.0")
    );
    for (from, to) in [("seed = 5", "seed = 6"), ("rules = 3", "rules = 4"), ("longest = ", "longest = 1")] {
        assert!(with(from, to).contains("begun with another configuration"), "{to}");
    }
    assert!(with("starts = ", "stars = ").contains("stars"));
    assert!(with("sample = 3", "sample = 0").contains("sample is 0"));
    std::fs::write(&config, &text).unwrap();
    std::fs::write(path.join("boards/training.tsv"), "nonsense").unwrap();
    assert!(refused(&path).contains("at least 4 fields"));
}

/// The bytes that boards take when they are made ready.
fn bytes(settings: &Settings, boards: &[Puzzle]) -> usize {
    let job =
        |puzzle: &Puzzle| BoardJob { name: String::new(), board: puzzle.board.clone(), difficulty: 0.0, start: None };
    let ready = |puzzle| TrainingBoard::new(&job(puzzle), settings.breeding.terminals, &BoardLimits::default());
    boards.iter().map(|puzzle| ready(puzzle).unwrap().arena.bytes()).sum()
}

/// The least memory with which a run begins in a folder; with less, its boards do not fit.
fn least_memory(path: &Path, begin: impl Fn(usize) -> Result<(), RunError>) -> usize {
    let (mut refused, mut enough) = (0, 1 << 28);
    while enough - refused > 1 {
        let memory = usize::midpoint(refused, enough);
        match begin(memory) {
            Ok(()) => {
                enough = memory;
                std::fs::remove_dir_all(path).unwrap();
            }
            Err(RunError::Memory(most)) if most == memory => refused = memory,
            Err(other) => panic!("{other}"),
        }
    }
    enough
}

#[test]
fn all_boards_together_keep_to_the_memory() {
    let mut settings = quick();
    settings.coevolution = Some(Coevolution { epoch: 1, boards: 2, share: 0.5, changes: 12, nodes: 20_000 });
    let material = material(&settings);
    let all = bytes(&settings, &material.training) + bytes(&settings, &material.tests[0].boards);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let begin = |memory: usize, threads: usize| {
        Run::begin(Folder::at(&path), settings.clone(), material.clone(), &Means { memory, ..means(threads) })
    };
    // Three quarters must hold all boards, and the rest a search of the largest.
    let least = least_memory(&path, |memory| begin(memory, 1).map(|_| ()));
    assert!(least - least / 4 >= all, "{least} for {all}");
    for threads in [1, 8] {
        let begun = begin(least - 1, threads).map(|_| ());
        assert!(matches!(begun, Err(RunError::Memory(most)) if most == least - 1));
        assert!(!path.exists());
    }
    // The boards that the champion is chosen on count as well.
    let (validated, choice) = validated();
    let most = all + bytes(&validated, &choice.validation);
    let chosen = folder.path().join("validated");
    let least_validated = least_memory(&chosen, |memory| {
        let means = Means { memory, ..means(2) };
        Run::begin(Folder::at(&chosen), validated.clone(), choice.clone(), &means).map(|_| ())
    });
    assert!(least_validated - least_validated / 4 >= most, "{least_validated} for {most}");
    // Boards that are bred may not fit; with more memory the run goes on as if nothing had been.
    let mut run = begin(least, 8).unwrap();
    let ended = std::iter::repeat_with(|| run.step(2).map(|_| ())).take(7).find_map(Result::err);
    assert!(ended.as_ref().is_none_or(|end| matches!(end, RunError::Memory(most) if *most == least)), "{ended:?}");
    drop(run);
    let mut run = resume(&path).0;
    while !run.is_done() {
        run.step(2).unwrap().unwrap();
    }
    assert_eq!(end(&run), whole(&settings, 1));
}

#[test]
fn boards_that_teach_nothing_are_named() {
    let folder = TempDir::new().unwrap();
    let unsolvable = formats::read_one("4x3:...BAA.B....", None).unwrap();
    let puzzles = vec![Puzzle { name: Some("stuck".to_owned()), ..unsolvable }];
    let tests = material(&quick()).tests;
    let bad = Material { training: puzzles.clone(), tests: tests.clone(), ..Material::default() };
    let path = folder.path().join("run");
    let begun = Run::begin(Folder::at(&path), quick(), bad, &means(1)).map(|_| ());
    assert_eq!(begun.unwrap_err().to_string(), "there is no board to learn from (stuck: the board has no solution)");
    assert!(!path.exists());
    let mixed = [puzzles, material(&quick()).training].concat();
    let mixed = Material { training: mixed, tests, ..Material::default() };
    let few = Means { memory: 1000, ..means(1) };
    let begun = Run::begin(Folder::at(&path), quick(), mixed.clone(), &few).map(|_| ());
    assert!(matches!(begun, Err(RunError::Memory(1000))));
    let run = Run::begin(Folder::at(&path), quick(), mixed, &means(1)).unwrap();
    assert_eq!((run.left_out().len(), run.training_boards()), (1, 8));
}
