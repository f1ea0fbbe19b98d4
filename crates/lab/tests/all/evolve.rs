//! Tests of runs that evolve policies.

use crate::common::{self, TestKind, results, resume, resume_error, resume_error_after_edit, run_to_end, start};
use clearway_gp::CheckpointError;
use clearway_lab::evolve::{
    BoardSets, Coevolution, DirectSearch, Evaluator, EvaluatorData, PolicyRun, Run, RunContext, RunError, Settings,
    Starts, TestSet,
};
use clearway_lab::runs::{Folder, Preset, RunBudget};
use clearway_policy::training::{BoardJob, BoardLimits, TrainingBoard};
use clearway_rush::Metric;
use clearway_rush::formats::{self, Puzzle};
use clearway_rush::suites::Suite;
use clearway_search::Limits;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

impl TestKind for PolicyRun {
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

    fn generations_and_seed(settings: &mut Settings) -> (&mut u32, &mut u64) {
        (&mut settings.breeding.generations, &mut settings.breeding.evolution.seed)
    }

    fn set_tiny_budget(settings: &mut Settings, is_limited: bool) {
        settings.budget = is_limited.then_some(RunBudget::Nodes(1));
    }

    fn start(folder: Folder, settings: Settings, cancel: &Arc<AtomicBool>) -> Result<Run, RunError> {
        let board_sets = board_sets(&settings);
        Run::begin(folder, settings, &board_sets, &RunContext { cancel: Arc::clone(cancel), ..context(1) })
    }

    fn resume(
        folder: Folder,
        change: impl FnOnce(&mut Settings),
        cancel: &Arc<AtomicBool>,
    ) -> Result<(Run, Option<CheckpointError>), RunError> {
        Run::resume(folder, change, &RunContext { cancel: Arc::clone(cancel), ..context(2) })
    }

    fn step(run: &mut Run, threads: usize) -> bool {
        run.step(threads).unwrap().is_some()
    }

    fn write_champion(run: &Run, threads: usize) {
        let champion = run.champion(threads).unwrap();
        let tests = run.test(&champion, threads, &Limits::default(), |_| {});
        run.write(&champion, &tests).unwrap();
    }
}

fn quick() -> Settings {
    PolicyRun::quick()
}

fn uninterrupted(settings: &Settings, threads: usize) -> common::Results<PolicyRun> {
    common::uninterrupted::<PolicyRun>(settings, threads)
}

fn board_sets(settings: &Settings) -> BoardSets {
    let cards = Suite::find("cards").unwrap().puzzles();
    let tests = vec![TestSet { name: "few".to_owned(), boards: cards[8..10].to_vec() }];
    BoardSets::new(settings, cards[..8].to_vec(), Vec::new(), tests)
}

fn context(threads: usize) -> RunContext<'static> {
    RunContext { threads, memory: 1 << 30, cancel: Arc::default(), progress: &|_, _| {} }
}

#[test]
fn neither_threads_nor_interruptions_change_the_result() {
    let (champion, log) = common::check_determinism::<PolicyRun>(&quick(), 3);
    assert!(log[0].test_nodes_percent.is_some() && log[1].test_nodes_percent.is_none());
    assert!(champion.contains("about: Seed 5; 7 generations of 10 policies"), "{champion}");
    assert!(champion.contains("about: Test boards few: "), "{champion}");
}

#[test]
fn incomplete_files_are_recovered() {
    common::check_recovery::<PolicyRun>();
}

#[test]
fn a_cancelled_generation_leaves_the_run_unchanged() {
    let cancel = Arc::default();
    let (folder, run) = common::check_cancellation::<PolicyRun>(&cancel);
    assert!(run.champion(1).is_some() && run.best().is_some());
    drop(run);
    let resumed = PolicyRun::resume(Folder::at(&folder.path().join("run")), |_| {}, &cancel).map(|_| ());
    assert!(matches!(resumed, Err(RunError::Cancelled)));
}

#[test]
fn budgets_end_runs_and_can_be_changed() {
    common::check_budget::<PolicyRun>();
}

#[test]
fn unusable_folders_are_rejected() {
    let changes = [("seed = 5", "seed = 6"), ("rules = 3", "rules = 4"), ("longest = ", "longest = 1")];
    let folder = common::check_rejections::<PolicyRun>(&changes);
    let path = folder.path().join("run");
    let error = |from: &str, to: &str| resume_error_after_edit::<PolicyRun>(&path, "config.toml", from, to);
    assert!(error("starts = ", "stars = ").contains("stars"));
    assert!(error("sample = 3", "sample = 0").contains("invalid sample 0"));
    std::fs::write(path.join("boards/training.tsv"), "nonsense").unwrap();
    assert!(resume_error::<PolicyRun>(&path).contains("at least 4 fields"));
}

/// Settings and boards of a run with validation boards.
fn with_validation() -> (Settings, BoardSets) {
    let settings = Settings { validation: vec!["others".to_owned()], ..quick() };
    let cards = Suite::find("cards").unwrap().puzzles();
    let board_sets = BoardSets { validation: cards[20..26].to_vec(), ..board_sets(&settings) };
    (settings, board_sets)
}

#[test]
fn the_champion_is_chosen_on_validation_boards() {
    let (settings, board_sets) = with_validation();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let mut run = Run::begin(Folder::at(&path), settings, &board_sets, &context(1)).unwrap();
    run_to_end(&mut run, 2);
    let champion = run.champion(1).unwrap();
    let (text, log) = results(&run, 2);
    let validation = champion.validation.unwrap();
    assert_eq!((validation.boards, champion.training.unwrap().boards), (6, 8));
    assert!(text.contains("about: Chosen on others: "), "{text}");
    // The validation boards affect the choice of the champion, not the evolution, and they are stored in the folder.
    assert_eq!(log, uninterrupted(&quick(), 1).1);
    drop(run);
    assert_eq!(results(&resume::<PolicyRun>(&path).0, 2), (text, log));
    std::fs::remove_file(path.join("boards/validation.tsv")).unwrap();
    assert!(matches!(Run::resume(Folder::at(&path), |_| {}, &context(1)), Err(RunError::Folder(_))));
}

#[test]
fn remote_evaluation_gives_the_same_result() {
    let mut settings = quick();
    settings.breeding.evolution.islands = 2;
    settings.coevolution = Some(Coevolution { epoch: 2, boards: 2, share: 0.5, changes: 12, nodes: 20_000 });
    let folder = TempDir::new().unwrap();
    let mut run = start::<PolicyRun>(&folder.path().join("run"), &settings);
    // The data is sent as text.
    let data = |run: &Run| -> EvaluatorData {
        serde_json::from_str(&serde_json::to_string(&run.evaluator_data().unwrap()).unwrap()).unwrap()
    };
    let mut evaluator = Evaluator::new(data(&run), &context(1)).unwrap();
    let mut bred = Vec::new();
    while !run.is_done() {
        let proposal = run.propose(1).unwrap().unwrap();
        bred.push(run.bred_boards());
        evaluator.update(&data(&run)).unwrap();
        // An evaluator that is created later gives the same result.
        let late = Evaluator::new(data(&run), &context(1)).unwrap();
        let memory = serde_json::from_str(&serde_json::to_string(proposal.memory()).unwrap()).unwrap();
        let genomes: Vec<_> = proposal.distinct().into_iter().cloned().collect();
        let (some, others) = genomes.split_at(genomes.len() / 2);
        let fitnesses = [evaluator.evaluate(&memory, some).unwrap(), late.evaluate(&memory, others).unwrap()].concat();
        run.accept(proposal, fitnesses).unwrap();
    }
    assert!(bred[0] == 0 && *bred.last().unwrap() > 0, "the number of bred boards: {bred:?}");
    assert_eq!(results(&run, 2), uninterrupted(&settings, 2));
    let memory = run.propose(1).unwrap().unwrap().memory().clone();
    let other = start::<PolicyRun>(&folder.path().join("other"), &quick());
    let evaluator = Evaluator::new(other.evaluator_data().unwrap(), &context(1)).unwrap();
    assert!(matches!(evaluator.evaluate(&memory, &[]), Err(RunError::FolderMismatch { .. })), "memory of another run");
}

/// Settings of a run in steps, in which some boards are searched directly, also from states on their plans.
fn with_direct_searches() -> Settings {
    let mut settings = quick();
    settings.metric = Metric::Steps;
    settings.starts = Starts::Both;
    settings.largest = 2_000;
    settings.direct = Some(DirectSearch { nodes: 300 });
    settings.breeding.generations = 3;
    settings
}

#[test]
fn neither_threads_nor_interruptions_nor_memory_change_a_run_with_direct_searches() {
    let settings = with_direct_searches();
    let (champion, log) = common::check_determinism::<PolicyRun>(&settings, 3);
    assert!(champion.contains("evaluated on 16 boards"), "{champion}");
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let little = RunContext { memory: 970_000_000, ..context(2) };
    let mut run = Run::begin(Folder::at(&path), settings.clone(), &board_sets(&settings), &little).unwrap();
    let estimate = run.cost_estimate(2).unwrap();
    assert!((1..16).contains(&estimate.boards), "arenas and direct searches together: {estimate:?}");
    assert_eq!(estimate.boards + estimate.prepared, 16);
    assert!(estimate.memory < 970_000_000 && estimate.nodes <= 10 * 3 * 300_000, "{estimate:?}");
    run_to_end(&mut run, 2);
    assert_eq!(results(&run, 2), (champion, log));
    let none = start::<PolicyRun>(&folder.path().join("none"), &quick());
    assert_eq!(none.cost_estimate(1), None);
}

#[test]
fn remote_evaluation_of_direct_searches_gives_the_same_result() {
    let settings = with_direct_searches();
    let folder = TempDir::new().unwrap();
    let mut run = start::<PolicyRun>(&folder.path().join("run"), &settings);
    let evaluator = Evaluator::new(run.evaluator_data().unwrap(), &context(1)).unwrap();
    while !run.is_done() {
        let proposal = run.propose(1).unwrap().unwrap();
        let genomes: Vec<_> = proposal.distinct().into_iter().cloned().collect();
        let fitnesses = evaluator.evaluate(proposal.memory(), &genomes).unwrap();
        run.accept(proposal, fitnesses).unwrap();
    }
    assert_eq!(results(&run, 1), uninterrupted(&settings, 1));
}

#[test]
fn interruptions_do_not_change_coevolution() {
    let mut settings = quick();
    settings.coevolution = Some(Coevolution { epoch: 1, boards: 2, share: 0.5, changes: 12, nodes: 20_000 });
    let expected = uninterrupted(&settings, 2);
    assert_eq!(common::interrupted::<PolicyRun>(&settings), expected);
    assert_ne!(expected.1, uninterrupted(&quick(), 2).1, "other boards change the run");

    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let mut run = start::<PolicyRun>(&path, &settings);
    let file = path.join("boards.tsv");
    for generation in 0..7 {
        run.step(1).unwrap().unwrap();
        // Epochs end when the sample changes: after 2, 4 and 6 generations.
        assert_eq!(file.exists(), generation >= 2, "{generation}");
    }
    let bred = std::fs::read_to_string(&file).unwrap();
    let reader = formats::Reader::new(bred.as_bytes(), formats::ReadOptions::default());
    let bred: Vec<Puzzle> = reader.map(Result::unwrap).collect();
    assert!((2..=6).contains(&bred.len()), "{}", bred.len());
    let held_out: Vec<Puzzle> = board_sets(&settings).tests.swap_remove(0).boards;
    for puzzle in &bred {
        assert!(puzzle.name.as_ref().unwrap().starts_with("epoch "));
        let answer =
            clearway_rush::Solver::new().solve(&puzzle.board, clearway_rush::Metric::Moves, &Limits::default());
        assert_eq!(puzzle.moves, answer.solution.map(|solution| formats::KnownLength::Exactly(solution.moves())));
        assert!(held_out.iter().all(|held_out| held_out.board != puzzle.board));
    }
}

/// Memory of prepared boards in bytes.
fn board_bytes(settings: &Settings, boards: &[Puzzle]) -> usize {
    let job = |puzzle: &Puzzle| BoardJob::new(String::new(), puzzle.board.clone(), 0.0);
    let prepare = |puzzle| TrainingBoard::new(&job(puzzle), settings.breeding.terminals, &BoardLimits::default());
    boards.iter().map(|puzzle| prepare(puzzle).unwrap().memory_usage()).sum()
}

/// Returns a memory limit with which the boards of a run do not fit, and one less than a hundredth above it with which they do.
fn min_memory(path: &Path, start: impl Fn(usize) -> Result<(), RunError>) -> (usize, usize) {
    let (mut too_little, mut enough) = (0, 1 << 28);
    while enough - too_little > enough / 128 {
        let memory = usize::midpoint(too_little, enough);
        match start(memory) {
            Ok(()) => {
                enough = memory;
                std::fs::remove_dir_all(path).unwrap();
            }
            Err(RunError::OutOfMemory(limit)) if limit == memory => too_little = memory,
            Err(other) => panic!("{other}"),
        }
    }
    (too_little, enough)
}

#[test]
fn all_boards_together_respect_the_memory_limit() {
    let mut settings = quick();
    settings.coevolution = Some(Coevolution { epoch: 1, boards: 2, share: 0.5, changes: 12, nodes: 20_000 });
    let board_sets = board_sets(&settings);
    let all = board_bytes(&settings, &board_sets.training) + board_bytes(&settings, &board_sets.tests[0].boards);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let start = |memory: usize, threads: usize| {
        Run::begin(Folder::at(&path), settings.clone(), &board_sets, &RunContext { memory, ..context(threads) })
    };
    // Three quarters must hold all boards, and the rest a search of the largest.
    let (too_little, min) = min_memory(&path, |memory| start(memory, 1).map(|_| ()));
    assert!(min - min / 4 >= all, "{min} for {all}");
    for threads in [1, 8] {
        let started = start(too_little, threads).map(|_| ());
        assert!(matches!(started, Err(RunError::OutOfMemory(limit)) if limit == too_little));
        assert!(!path.exists());
    }
    // Validation boards count as well.
    let (validated, sets) = with_validation();
    let all_validated = all + board_bytes(&validated, &sets.validation);
    let other = folder.path().join("validated");
    let (_, min_validated) = min_memory(&other, |memory| {
        let context = RunContext { memory, ..context(2) };
        Run::begin(Folder::at(&other), validated.clone(), &sets, &context).map(|_| ())
    });
    assert!(min_validated - min_validated / 4 >= all_validated, "{min_validated} for {all_validated}");
    // Bred boards may not fit. With more memory, the run is resumed with the same result.
    let mut run = start(min, 8).unwrap();
    let error = std::iter::repeat_with(|| run.step(2).map(|_| ())).take(7).find_map(Result::err);
    assert!(
        error.as_ref().is_none_or(|error| matches!(error, RunError::OutOfMemory(limit) if *limit == min)),
        "{error:?}"
    );
    drop(run);
    let mut run = resume::<PolicyRun>(&path).0;
    run_to_end(&mut run, 2);
    assert_eq!(results(&run, 2), uninterrupted(&settings, 1));
}

#[test]
fn unusable_training_boards_are_named() {
    let folder = TempDir::new().unwrap();
    let unsolvable = formats::read_one("4x3:...BAA.B....", None).unwrap();
    let puzzles = vec![Puzzle { name: Some("stuck".to_owned()), ..unsolvable }];
    let tests = board_sets(&quick()).tests;
    let bad = BoardSets { training: puzzles.clone(), tests: tests.clone(), ..BoardSets::default() };
    let path = folder.path().join("run");
    let started = Run::begin(Folder::at(&path), quick(), &bad, &context(1)).map(|_| ());
    assert_eq!(started.unwrap_err().to_string(), "no training boards (stuck: the board has no solution)");
    assert!(!path.exists());
    let mixed = [puzzles, board_sets(&quick()).training].concat();
    let mixed = BoardSets { training: mixed, tests, ..BoardSets::default() };
    let small = RunContext { memory: 1000, ..context(1) };
    let started = Run::begin(Folder::at(&path), quick(), &mixed, &small).map(|_| ());
    assert!(matches!(started, Err(RunError::OutOfMemory(1000))));
    let run = Run::begin(Folder::at(&path), quick(), &mixed, &context(1)).unwrap();
    assert_eq!((run.left_out().len(), run.training_boards()), (1, 8));
}
