//! Tests of runs that evolve programs for tiles.

use crate::common::{self, TestKind, resume_error_after_edit, start};
use clearway_gp::CheckpointError;
use clearway_lab::runs::{Folder, Preset};
use clearway_lab::tiles::{ProgramEvolution, ProgramRun, ProgramSettings, RunError, summary};
use clearway_tiles::evolve::{Experiment, Learning};
use clearway_tiles::{Program, Puzzle, Size, exact::DistanceTable, moves};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

impl TestKind for ProgramRun {
    /// Boards of two columns and three rows, of which there are 360.
    fn quick() -> ProgramSettings {
        let mut settings = ProgramSettings::learning(Size::new(3, 2).unwrap());
        settings.set_population(24);
        let breeding = &mut settings.breeding;
        breeding.generations = 7;
        breeding.boards = 30;
        breeding.learning = Some(Learning { term: 3, exam: 100, ..breeding.learning.unwrap() });
        breeding.evolution.seed = 5;
        settings
    }

    fn generations_and_seed(settings: &mut ProgramSettings) -> (&mut u32, &mut u64) {
        (&mut settings.breeding.generations, &mut settings.breeding.evolution.seed)
    }

    fn set_tiny_budget(settings: &mut ProgramSettings, is_limited: bool) {
        settings.budget = is_limited.then_some(0.0);
    }

    fn start(
        folder: Folder,
        settings: ProgramSettings,
        cancel: &Arc<AtomicBool>,
    ) -> Result<ProgramEvolution, RunError> {
        ProgramEvolution::begin(folder, settings, Arc::clone(cancel))
    }

    fn resume(
        folder: Folder,
        change: impl FnOnce(&mut ProgramSettings),
        cancel: &Arc<AtomicBool>,
    ) -> Result<(ProgramEvolution, Option<CheckpointError>), RunError> {
        ProgramEvolution::resume(folder, change, Arc::clone(cancel))
    }

    fn step(run: &mut ProgramEvolution, threads: usize) -> bool {
        run.step(threads).unwrap().is_some()
    }

    fn write_champion(run: &ProgramEvolution, threads: usize) {
        let champion = run.champion(threads).unwrap();
        run.write(&champion, &run.test(&champion, threads)).unwrap();
    }
}

#[test]
fn neither_threads_nor_interruptions_change_the_result() {
    let mut paper = ProgramSettings::paper(Experiment::D);
    paper.set_population(30);
    paper.breeding.generations = 4;
    for settings in [ProgramRun::quick(), paper] {
        common::check_determinism::<ProgramRun>(&settings, 8);
    }
}

#[test]
fn incomplete_files_are_recovered() {
    common::check_recovery::<ProgramRun>();
}

#[test]
fn a_cancelled_generation_leaves_the_run_unchanged() {
    let (_folder, run) = common::check_cancellation::<ProgramRun>(&Arc::default());
    let best = run.best().unwrap();
    assert!(run.champion(1).is_none() && run.test(&best, 1).is_empty());
    run.write(&best, &[]).unwrap();
    assert!(std::fs::read_to_string(run.champion_file()).unwrap().contains("the run was not complete"));
}

#[test]
fn a_run_without_generations_has_no_champion() {
    let folder = TempDir::new().unwrap();
    let run = start::<ProgramRun>(&folder.path().join("run"), &ProgramRun::quick());
    assert!(run.best().is_none() && run.champion(1).is_none());
}

#[test]
fn budgets_end_runs_and_can_be_changed() {
    common::check_budget::<ProgramRun>();
}

#[test]
fn unusable_folders_are_rejected() {
    let changes = [("seed = 5", "seed = 6"), ("moves = 300", "moves = 301"), ("term = 3", "term = 4")];
    let folder = common::check_rejections::<ProgramRun>(&changes);
    let path = folder.path().join("run");
    let error = |file: &str, from: &str, to: &str| resume_error_after_edit::<ProgramRun>(&path, file, from, to);
    assert!(error("config.toml", "rows = 3", "rows = 9").contains("invalid rows 9"));
    assert!(error("config.toml", "preset = ", "reset = ").contains("reset"));
    assert!(error("checkpoint.json", "\"hard\"", "\"soft\"").contains("is damaged"));
}

#[test]
fn the_champion_describes_its_origin_and_its_results() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run");
    let mut run = start::<ProgramRun>(&path, &ProgramRun::quick());
    while !run.is_done() {
        let line = run.step(2).unwrap().unwrap();
        assert!(line.solved.unwrap() <= 30 && line.boards == Some(30), "{line:?}");
    }
    let champion = run.champion(2).unwrap();
    let tests = run.test(&champion, 2);
    run.write(&champion, &tests).unwrap();

    let [held_out, all] = &tests[..] else { panic!("{tests:?}") };
    assert_eq!((held_out.exam.boards, all.exam.boards), (1_000, 360));
    // An independent count over all boards gives the same results.
    let text = std::fs::read_to_string(run.champion_file()).unwrap();
    let program = Program::parse(&text).unwrap();
    assert_eq!(Program { about: String::new(), ..program.clone() }, champion.program);
    let exact = DistanceTable::new(&clearway_tiles::Board::ordered(Size::new(3, 2).unwrap())).unwrap();
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
    assert_eq!(about[0], format!("Evolved by clearway {}: clearway tiles evolve", env!("CARGO_PKG_VERSION")));
    assert_eq!(about[1], "Seed 5; 7 generations of 24 programs, evaluated on 30 boards of 2x3");
    assert!(about[2].starts_with("1,000 held-out boards: "), "{about:?}");
    let expected = format!(
        "All 360 boards: {solved} solved, mean length {:.2}, longest {longest}; optimal ",
        all.exam.mean_length()
    );
    assert!(about[3].starts_with(&expected), "{about:?}");

    let page = std::fs::read_to_string(run.folder().report()).unwrap();
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&page, options).unwrap();
    assert_eq!(document.descendants().filter(|node| node.has_tag_name("svg")).count(), 5);
    assert!(page.contains("All 360 boards") && page.contains("run: loop do") && page.contains("[breeding]"));
    assert_eq!(summary(&tests).rows.len(), 2);
}

#[test]
fn the_paper_s_preset_reports_the_training_result() {
    let folder = TempDir::new().unwrap();
    let mut settings = ProgramSettings::paper(Experiment::B);
    settings.set_population(20);
    settings.breeding.generations = 2;
    assert_eq!((settings.preset, settings.experiment), (Preset::Paper, Some(Experiment::B)));
    let mut run = start::<ProgramRun>(&folder.path().join("run"), &settings);
    let best = (0..2).map(|_| run.step(1).unwrap().unwrap().generation.best).next_back().unwrap();
    let training = run.champion(1).unwrap().training.unwrap();
    assert_eq!((training.boards, training.measure.to_bits()), (10, (-best).to_bits()));
}
