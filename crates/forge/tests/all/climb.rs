//! Climbing: the boards found have the reported fitness, and depend on the seed alone.

use clearway_forge::climb::{
    Budget, Climb, ClimbCheckpointError, ClimbOptions, FitnessMeasure, Peak, StopReason, WrapError,
};
use clearway_forge::minimal::removable;
use clearway_forge::{Shape, climb};
use clearway_rush::formats::{self, KnownLength, Puzzle};
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, Orientation, Portfolio, Side, Solver};
use clearway_search::Limits;
use clearway_util::seal::{seal, unseal};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn shape(side: u8, exit: Side, walls: u8) -> Shape {
    Shape::new(side, side, exit, None, walls).unwrap()
}

/// Options for a quick run, with several rounds, kicks and ascents within a few hundred evaluations.
fn quick(shape: Shape) -> ClimbOptions {
    ClimbOptions {
        lanes: 3,
        population: 4,
        round: 20,
        patience: 60,
        kicks: 1,
        largest: 5_000,
        seed: 3,
        ..ClimbOptions::new(shape)
    }
}

fn evaluations(most: u64) -> Budget {
    Budget { evaluations: Some(most), ..Budget::default() }
}

fn climbed(options: ClimbOptions, most: u64, threads: usize) -> Vec<Peak> {
    let mut climb = Climb::new(options);
    assert_eq!(climb.run(&evaluations(most), threads, |_| {}), StopReason::Evaluations);
    assert_eq!(climb.progress().evaluations, most);
    climb.peaks()
}

#[test]
fn peaks_have_the_reported_fitness_and_are_minimal() {
    let mut solver = Solver::new();
    for (exit, walls) in [(Side::Right, 0), (Side::Left, 0), (Side::Top, 0), (Side::Bottom, 2)] {
        let options = quick(shape(5, exit, walls));
        let mut climb = Climb::new(options.clone());
        climb.run(&evaluations(900), 1, |_| {});
        let peaks = climb.peaks();
        assert!(peaks.len() >= 3, "every lane has a peak");
        assert!(peaks.is_sorted_by_key(|peak| std::cmp::Reverse(peak.fitness)));
        for peak in &peaks {
            let Peak { fitness, board, .. } = &climb.without_useless(peak.clone(), None, &mut solver);
            assert!(*fitness >= peak.fitness);
            let answer = solver.solve(board, Metric::Moves, &Limits::default());
            assert_eq!(u64::from(answer.lower_bound), *fitness, "{}", formats::line(board));
            let facts = solver.analyze(board, Metric::Moves, &Limits::default());
            assert_eq!(facts.distance, facts.depth, "the board is at its hardest state");
            assert_eq!(removable(&mut solver, board, &Limits::default()), Ok(vec![]), "{}", formats::line(board));
            assert_eq!((board.exit(), board.walls().len()), (options.shape.exit(), walls.into()));
            assert_eq!(board.exit_line(), options.shape.line());
        }
        assert!(peaks[0].fitness >= 8, "{}", peaks[0].fitness);
    }
}

#[test]
fn boards_larger_than_8x8_climb() {
    let mut solver = Solver::new();
    let options = ClimbOptions { largest: 20_000, ..quick(shape(10, Side::Right, 0)) };
    let peaks = climbed(options, 300, 1);
    assert!(!peaks.is_empty());
    for Peak { fitness, board, .. } in &peaks {
        let answer = Portfolio::default().solve(&mut solver, board, Metric::Moves, &Limits::default(), &mut |_| {});
        assert_eq!((board.width(), u64::from(answer.lower_bound)), (10, *fitness), "{}", formats::line(board));
    }
}

#[test]
fn peaks_do_not_depend_on_the_number_of_threads() {
    let one = climbed(quick(shape(6, Side::Right, 0)), 600, 1);
    assert_eq!(climbed(quick(shape(6, Side::Right, 0)), 600, 3), one);
    let other = ClimbOptions { seed: 4, ..quick(shape(6, Side::Right, 0)) };
    assert_ne!(climbed(other, 600, 1), one, "they depend on the seed");
}

#[test]
fn an_interrupted_run_reaches_the_same_result() {
    let options = || quick(shape(6, Side::Right, 1));
    let whole = climbed(options(), 1_800, 1);
    let mut climb = Climb::new(options());
    // Interrupted at every stage of an ascent: in its rounds, after a kick, between ascents.
    for most in [3, 60, 201, 330, 480, 666, 900, 1_230, 1_500, 1_800] {
        climb.run(&evaluations(most), 2, |_| {});
        climb = Climb::resume(options(), &climb.checkpoint()).unwrap();
    }
    assert_eq!(climb.peaks(), whole);
    assert!(climb.progress().ascents >= 3, "{:?}", climb.progress());
}

#[test]
fn a_cancelled_run_counts_no_evaluation() {
    let cancel = Arc::new(AtomicBool::new(true));
    let budget = Budget { cancel: Some(cancel), ..Budget::default() };
    let mut climb = Climb::new(quick(shape(6, Side::Right, 0)));
    assert_eq!(climb.run(&budget, 1, |_| {}), StopReason::Cancelled);
    assert_eq!(climb.progress().evaluations, 0);
}

#[test]
fn removable_vehicles_are_kept_when_the_removal_is_cancelled() {
    let mut climb = Climb::new(quick(shape(6, Side::Right, 0)));
    climb.run(&evaluations(90), 1, |_| {});
    let (cancel, mut solver) = (Arc::new(AtomicBool::new(true)), Solver::new());
    let peaks = climb.peaks();
    for peak in &peaks {
        assert_eq!(climb.without_useless(peak.clone(), Some(&cancel), &mut solver), *peak);
    }
    let stripped = peaks.iter().map(|peak| climb.without_useless(peak.clone(), None, &mut solver));
    assert!(stripped.zip(&peaks).any(|(stripped, peak)| stripped != *peak), "some peaks have removable vehicles");
}

/// Returns a checkpoint with a replaced text and a valid checksum.
fn changed(text: &str, from: &str, to: &str) -> String {
    seal(&unseal(text.trim_end(), "").unwrap().replace(from, to), "")
}

#[test]
fn a_checkpoint_of_another_run_is_rejected() {
    let text = Climb::new(quick(shape(6, Side::Right, 0))).checkpoint();
    let other = ClimbOptions { seed: 9, ..quick(shape(6, Side::Right, 0)) };
    assert!(
        matches!(Climb::resume(other, &text), Err(ClimbCheckpointError::OtherOptions { found }) if found.contains("seed 3"))
    );
    for broken in ["", "{}", &changed(&text, "\"done\":false", "\"done\":7"), &text[..text.len() / 2]] {
        let refused = Climb::resume(quick(shape(6, Side::Right, 0)), broken);
        assert!(matches!(refused, Err(ClimbCheckpointError::Invalid(_))), "{broken}");
    }
    let damaged = text.replacen("\"done\":false", "\"done\":true", 1);
    let refused = Climb::resume(quick(shape(6, Side::Right, 0)), &damaged);
    assert!(matches!(refused, Err(ClimbCheckpointError::Damaged)));
    let mut climb = Climb::new(quick(shape(6, Side::Right, 0)));
    climb.run(&evaluations(30), 1, |_| {});
    let text = climb.checkpoint();
    for (valid, invalid) in [("\"turn\":0", "\"turn\":99"), ("\"left\":", "\"left\":0,\"_\":")] {
        assert!(text.contains(valid));
        let refused = Climb::resume(quick(shape(6, Side::Right, 0)), &changed(&text, valid, invalid));
        assert!(matches!(refused, Err(ClimbCheckpointError::Invalid(_))), "{invalid}");
    }
}

#[test]
fn every_fitness_measure_can_be_maximised() {
    let mut solver = Solver::new();
    for fitness in FitnessMeasure::ALL {
        let options = ClimbOptions { fitness, id_nodes: 20_000, ..quick(shape(5, Side::Right, 0)) };
        let best = climbed(options, 300, 1).remove(0);
        let expected = match fitness {
            FitnessMeasure::Moves => solver.solve(&best.board, Metric::Moves, &Limits::default()).lower_bound.into(),
            FitnessMeasure::Steps => solver.solve(&best.board, Metric::Steps, &Limits::default()).lower_bound.into(),
            FitnessMeasure::Depth => {
                solver.eccentricity(&best.board, Metric::Moves, &Limits::default()).unwrap().into()
            }
            FitnessMeasure::IdNodes => best.fitness,
            fitness => unimplemented!("the expected value of {fitness:?}"),
        };
        assert_eq!(best.fitness, expected, "{}", fitness.as_str());
        assert!(best.fitness >= 8, "{}: {}", fitness.as_str(), best.fitness);
        assert_eq!(FitnessMeasure::from_word(fitness.as_str()), Some(fitness));
    }
    // A board that exceeds the node limit has fitness 0.
    let options = ClimbOptions { fitness: FitnessMeasure::IdNodes, id_nodes: 2, ..quick(shape(5, Side::Right, 0)) };
    assert!(climbed(options, 90, 1).iter().all(|peak| peak.fitness <= 2));
}

#[test]
fn a_run_stops_at_its_target_fitness_or_after_its_last_ascent() {
    let budget = Budget { enough: Some(5), ..Budget::default() };
    let mut climb = Climb::new(quick(shape(5, Side::Right, 0)));
    assert_eq!(climb.run(&budget, 2, |_| {}), StopReason::Enough);
    assert!(climb.peaks()[0].fitness >= 5);

    // A fitness of 0 never reaches the target. (The time limit ends a run that makes no evaluations.)
    let budget = Budget { enough: Some(0), time: Some(Duration::from_secs(60)), ..evaluations(90) };
    let worthless = ClimbOptions { fitness: FitnessMeasure::IdNodes, id_nodes: 0, ..quick(shape(5, Side::Right, 0)) };
    let mut climb = Climb::new(worthless);
    assert_eq!(climb.run(&budget, 1, |_| {}), StopReason::Evaluations);
    assert_eq!(climb.peaks()[0].fitness, 0);

    let mut climb = Climb::new(ClimbOptions { ascents: Some(1), ..quick(shape(5, Side::Right, 0)) });
    assert_eq!(climb.run(&Budget::default(), 2, |_| {}), StopReason::Finished);
    assert_eq!((climb.progress().ascents, climb.peaks().len()), (3, 3));
}

#[test]
fn smaller_boards_are_wrapped_and_climb() {
    let into = shape(8, Side::Right, 0);
    let starts: Vec<_> = Suite::find("cards").unwrap().puzzles().into_iter().take(5).collect();
    let wrapped: Vec<_> = starts.iter().map(|start| ClimbOptions::wrap(into, &start.board).unwrap()).collect();
    for (start, board) in starts.iter().zip(&wrapped) {
        assert_eq!((board.width(), board.exit_line()), (8, 3));
        assert_eq!(board.vehicles().len(), start.board.vehicles().len());
        assert_eq!(board.target().x, start.board.target().x + 1);
    }
    let peaks = climbed(ClimbOptions { starts: wrapped, ..quick(into) }, 300, 1);
    assert!(peaks[0].fitness >= 5, "{}", peaks[0].fitness);

    let card = &starts[0].board;
    assert!(matches!(ClimbOptions::wrap(shape(5, Side::Right, 0), card), Err(WrapError::TooLarge { .. })));
    assert!(matches!(ClimbOptions::wrap(shape(8, Side::Left, 0), card), Err(WrapError::OtherExit { .. })));
    let far = Shape::new(8, 8, Side::Right, Some(7), 0).unwrap();
    assert!(matches!(ClimbOptions::wrap(far, card), Err(WrapError::LineOutOfReach { line: 2, expected: 7, .. })));
}

#[test]
fn framed_boards_have_the_same_states() {
    let mut solver = Solver::new();
    for (exit, sides) in [(Side::Right, (9, 8)), (Side::Left, (8, 9)), (Side::Top, (7, 10)), (Side::Bottom, (10, 6))] {
        let peak = climbed(ClimbOptions { lanes: 1, ..quick(shape(5, exit, 1)) }, 100, 1).remove(0);
        let into = Shape::new(sides.0, sides.1, exit, None, 1).unwrap();
        let framed = ClimbOptions::frame(into, &peak.board).unwrap();
        assert_eq!((framed.width(), framed.height(), framed.exit_line()), (sides.0, sides.1, into.line()));
        let mut facts = |board: &Board| solver.analyze(board, Metric::Moves, &Limits::default());
        let (small, large) = (facts(&peak.board), facts(&framed));
        assert_eq!((small.states, small.depth, small.distance), (large.states, large.depth, large.distance));
    }
    let small = shape(5, Side::Right, 0);
    let board = climbed(ClimbOptions { lanes: 1, ..quick(shape(6, Side::Right, 0)) }, 100, 1).remove(0).board;
    assert!(matches!(ClimbOptions::frame(small, &board), Err(WrapError::TooLarge { .. })));
}

/// Boards climb in a smaller shape first; wherever the run is interrupted, its boards have the whole shape.
#[test]
fn boards_climb_inside_a_frame_and_leave_it() {
    let options = || ClimbOptions { inner: Some(shape(5, Side::Right, 0)), ..quick(shape(7, Side::Right, 0)) };
    let fitness = |peaks: Vec<Peak>| peaks.iter().map(|peak| peak.fitness).collect::<Vec<_>>();
    let smaller = climbed(quick(shape(5, Side::Right, 0)), 150, 1);
    assert_eq!(
        fitness(climbed(options(), 150, 1)),
        fitness(smaller),
        "at first, the climb is that of the smaller size"
    );
    let whole = climbed(options(), 2_400, 1);
    assert!(whole.iter().all(|peak| (peak.board.width(), peak.board.exit_line()) == (7, 3)));
    let mut climb = Climb::new(options());
    let (mut inside, mut whole_size) = (0, 0);
    for most in [60, 330, 666, 900, 1_230, 1_500, 1_800, 2_400] {
        climb.run(&evaluations(most), 2, |_| {});
        assert!(climb.peaks().iter().all(|peak| peak.board.width() == 7));
        let text = climb.checkpoint();
        let inner = text.matches("\"inner\":true").count();
        inside += inner;
        whole_size += text.matches("\"climbers\"").count() - inner;
        climb = Climb::resume(options(), &text).unwrap();
    }
    assert_eq!(climb.peaks(), whole);
    assert!(inside > 0 && whole_size > 0, "interrupted {inside} times inside and {whole_size} times outside");
    assert!(climb.progress().ascents >= 2, "{:?}", climb.progress());
}

#[test]
fn a_run_without_solvable_boards_ends_with_its_budget() {
    let full = Shape::new(4, 4, Side::Right, None, 8).unwrap();
    let mut climb = Climb::new(ClimbOptions { population: 2, ..quick(full) });
    assert_eq!(climb.run(&evaluations(300), 1, |_| {}), StopReason::Evaluations);
    let hopeless = ClimbOptions { largest: 1, ..quick(shape(16, Side::Right, 0)) };
    let mut climb = climb::Climb::new(hopeless);
    assert_eq!(climb.run(&evaluations(30), 1, |_| {}), StopReason::Evaluations);
    assert_eq!(climb.progress().best, 0);
}

/// Returns the lengths of the vehicles in each line, which do not depend on their positions.
fn layout(board: &Board) -> BTreeMap<(Orientation, u8), Vec<u8>> {
    let mut vehicles = board.vehicles().to_vec();
    vehicles.sort_by_key(clearway_rush::Vehicle::position);
    let mut lines = BTreeMap::<_, Vec<u8>>::new();
    for vehicle in vehicles {
        lines.entry((vehicle.orientation, vehicle.line())).or_default().push(vehicle.length);
    }
    lines
}

#[test]
fn the_suites_are_hard_and_diverse() {
    let lengths = |puzzles: &[Puzzle]| -> Vec<u32> {
        let exact = |known: Option<KnownLength>| if let Some(KnownLength::Exactly(n)) = known { n } else { 0 };
        puzzles.iter().inspect(|puzzle| assert!(exact(puzzle.steps) > 0)).map(|puzzle| exact(puzzle.moves)).collect()
    };
    let hard = Suite::find("hard-8x8").unwrap().puzzles();
    assert!(hard.len() >= 15);
    assert!(lengths(&hard).iter().all(|&moves| moves >= 110), "{:?}", lengths(&hard));
    let train = Suite::find("train-8x8").unwrap().puzzles();
    let moves = lengths(&train);
    assert_eq!((moves.len(), moves[0], moves[99]), (100, 20, 80));
    assert!(moves.is_sorted());
    for from in (20..80).step_by(10) {
        let count = moves.iter().filter(|&&moves| (from..from + 10).contains(&moves)).count();
        assert!((9..=23).contains(&count), "{count} of {from} to {} moves", from + 9);
    }
    for suite in [&hard, &train] {
        let layouts: Vec<_> = suite.iter().map(|puzzle| layout(&puzzle.board)).collect();
        for (i, one) in layouts.iter().enumerate() {
            for (j, other) in layouts[..i].iter().enumerate() {
                let lines: BTreeSet<_> = one.keys().chain(other.keys()).collect();
                let different = lines.into_iter().filter(|line| one.get(line) != other.get(line)).count();
                assert!(different >= 5, "boards {} and {} differ in {different} lines", i + 1, j + 1);
            }
        }
    }
    let mut solver = Solver::new();
    for puzzle in train.iter().step_by(15) {
        let labels = removable(&mut solver, &puzzle.board, &Limits::default());
        assert_eq!(labels, Ok(vec![]), "{}", formats::line(&puzzle.board));
    }
}
