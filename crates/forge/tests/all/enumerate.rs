//! The enumeration compared with known facts, with the exact solver, and with a slow independent enumeration.

use crate::common::every_board;
use clearway_forge::Shape;
use clearway_forge::canonical::canonical;
use clearway_forge::enumerate::{
    Catalogue, CatalogueEntry, ComponentCounts, EnumerationPlan, EnumerationPlanError, LogError, Representative,
    TaskLog, TaskResult, run,
};
use clearway_forge::minimal::removable;
use clearway_rush::formats::{self, KnownLength};
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, Orientation, Side, Solver, Vehicle};
use clearway_search::Limits;
use clearway_util::seal::{seal, unseal};
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn plan(shape: (u8, u8, Side, u8), metric: Metric) -> EnumerationPlan {
    let (width, height, side, walls) = shape;
    EnumerationPlan::new(Shape::new(width, height, side, None, walls).unwrap(), metric, 0).unwrap()
}

fn catalogue(plan: &EnumerationPlan, threads: usize, memory: usize) -> Catalogue {
    let mut catalogue = Catalogue::default();
    let take = |found| {
        catalogue.add(found);
        Ok::<(), ()>(())
    };
    run(plan, &plan.shard(1, 1).unwrap(), threads, memory, &|| false, take).unwrap();
    catalogue
}

fn text(plan: &EnumerationPlan, catalogue: &mut Catalogue) -> String {
    let mut text = Vec::new();
    catalogue.write_lines(plan, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

const FIVE: (u8, u8, Side, u8) = (5, 5, Side::Right, 0);

#[test]
fn mirrored_tasks_have_equal_counts() {
    // The exit of 5x5 is in the middle row, so the mirror image of a task is the one with the groups of its rows reversed.
    let plan = plan(FIVE, Metric::Moves);
    let mut tallies = vec![ComponentCounts::default(); plan.tasks() as usize];
    let take = |found: TaskResult| {
        tallies[found.task as usize] = found.tally;
        Ok::<(), ()>(())
    };
    run(&plan, &plan.shard(1, 1).unwrap(), 2, 1 << 26, &|| false, take).unwrap();
    for (task, tally) in tallies.iter().enumerate() {
        let groups = [task / 64, task / 16 % 4, task / 4 % 4, task % 4];
        let mirrored = groups.iter().rev().fold(0, |number, group| number * 4 + group);
        assert_eq!(tally, &tallies[mirrored], "tasks {task} and {mirrored}");
    }
}

#[test]
fn five_by_five_has_1730_components_whose_first_hardest_board_is_minimal() {
    let plan = plan(FIVE, Metric::Moves).with_representative(Representative::First);
    let mut catalogue = catalogue(&plan, 2, 1 << 26);
    assert_eq!(catalogue.tally().states, 6_795_364);
    assert_eq!(catalogue.tally().solvable(), 62_106);
    assert_eq!((catalogue.len(), catalogue.states()), (1_730, 329_603));
    assert_eq!(catalogue.sorted()[0].moves, 20);
    assert_eq!(catalogue.tasks(), plan.tasks());
    let by_depth: Vec<u64> = catalogue.by_depth().iter().map(|&(puzzles, _)| puzzles).collect();
    assert_eq!(by_depth, [0, 1, 3, 46, 165, 339, 340, 296, 196, 139, 83, 32, 12, 26, 22, 14, 12, 0, 2, 0, 2]);
}

#[test]
fn five_by_five_has_1891_components_with_a_minimal_hardest_board() {
    let plan = plan(FIVE, Metric::Moves);
    let mut catalogue = catalogue(&plan, 2, 1 << 26);
    assert_eq!((catalogue.tally().states, catalogue.tally().solvable()), (6_795_364, 62_106));
    assert_eq!((catalogue.len(), catalogue.states()), (1_891, 374_530));
    assert_eq!(catalogue.sorted()[0].moves, 20);
}

/// Returns the number of the task that a board of 6x6 without walls and with its exit on the right belongs to.
fn task_of(board: &Board) -> u64 {
    let groups: [&[u8]; 6] = [&[], &[2], &[3], &[2, 2], &[2, 3], &[3, 2]];
    let rows = (0..6).filter(|&row| row != board.exit_line());
    rows.fold(0, |task, row| {
        let in_row = |v: &&Vehicle| v.orientation == Orientation::Horizontal && v.line() == row;
        let lengths: Vec<u8> = board.vehicles().iter().filter(in_row).map(|v| v.length).collect();
        task * 6 + groups.iter().position(|group| *group == lengths).unwrap() as u64
    })
}

#[test]
fn components_whose_first_hardest_board_is_not_minimal_are_listed() {
    // Two of the puzzles published by M. Fogleman.
    for text in ["oBBBEooooDEoAAoDEooCCCoooooooooooooo", "oBBooEooDooEAADooEoooooooCCooooooooo"] {
        let board = formats::read_one(text, None).unwrap().board;
        let (mut solver, limits) = (Solver::new(), Limits::default());
        let mut id = |board: &Board| canonical(&mut solver, board, &limits).unwrap().unwrap().id();
        let own = id(&board);
        for (representative, count) in [(Representative::Minimal, 1), (Representative::First, 0)] {
            let plan = plan((6, 6, Side::Right, 0), Metric::Moves).with_representative(representative);
            let mut found = Vec::new();
            let take = |task: TaskResult| {
                found.extend(task.puzzles);
                Ok::<(), ()>(())
            };
            run(&plan, &[task_of(&board)], 1, 1 << 26, &|| false, take).unwrap();
            let same_vehicles = |listed: &&CatalogueEntry| listed.vehicles() as usize == board.vehicles().len();
            let boards =
                found.iter().filter(same_vehicles).map(|listed| formats::read_one(&listed.board, None).unwrap());
            // A mirror image is listed in another task, or is the puzzle itself.
            let ids = boards.filter(|puzzle| invariants(&puzzle.board) == invariants(&board));
            assert_eq!(ids.filter(|puzzle| id(&puzzle.board) == own).count(), count, "{text} {representative:?}");
        }
    }
}

/// Returns the lines and lengths of the vehicles, which no move changes.
fn invariants(board: &Board) -> Vec<(Orientation, u8, u8)> {
    let mut vehicles: Vec<&Vehicle> = board.vehicles().iter().collect();
    vehicles.sort_by_key(|v| (v.orientation, v.line(), v.position()));
    vehicles.into_iter().map(|v| (v.orientation, v.line(), v.length)).collect()
}

#[test]
fn shards_computed_elsewhere_can_be_joined() {
    let plan = plan((5, 4, Side::Top, 1), Metric::Steps);
    let whole = text(&plan, &mut catalogue(&plan, 2, 1 << 26));
    let shard = |number: u64| {
        let mut shard = Catalogue::default();
        let tasks = plan.shard(number, 7).unwrap();
        let take = |found| {
            shard.add(found);
            Ok::<(), ()>(())
        };
        run(&plan, &tasks, 1, 1 << 20, &|| false, take).unwrap();
        assert!(shard.has_exactly(&tasks));
        shard.to_shard(&plan).unwrap()
    };
    let shards: Vec<Vec<u8>> = (1..=7).map(shard).collect();
    let mut joined = Catalogue::default();
    for bytes in shards.iter().rev() {
        joined.join(Catalogue::from_shard(bytes, &plan).unwrap()).unwrap();
    }
    assert_eq!(text(&plan, &mut joined), whole);
    let twice = joined.join(Catalogue::from_shard(&shards[0], &plan).unwrap()).unwrap_err().to_string();
    assert!(twice.ends_with("is already done"), "{twice}");

    let refused = |bytes: &[u8], plan: &EnumerationPlan| Catalogue::from_shard(bytes, plan).unwrap_err().to_string();
    for length in [0, 3, shards[0].len() / 2, shards[0].len() - 1] {
        let error = refused(&shards[0][..length], &plan);
        assert!(error.starts_with("the file is damaged"), "{error}");
    }
    // A change of any byte is detected before the contents are read.
    for place in (0..shards[0].len()).step_by(7) {
        let mut bytes = shards[0].clone();
        bytes[place] ^= 1;
        let error = refused(&bytes, &plan);
        let is_refused =
            error.starts_with("the file is damaged: the checksum") || error.starts_with("the file is not a part");
        assert!(is_refused, "byte {place}: {error}");
    }
    let table = joined.write_parquet(Vec::new()).unwrap();
    assert!(refused(&table, &plan).starts_with("the file is not a part of this kind of work"));
    let other = self::plan((5, 4, Side::Top, 1), Metric::Moves);
    assert!(refused(&shards[0], &other).starts_with("it was made with other settings"));
    let other = plan.clone().with_representative(Representative::First);
    assert!(refused(&shards[0], &other).starts_with("it was made with other settings"));
}

#[test]
fn listed_puzzles_agree_with_the_solver() {
    for metric in [Metric::Moves, Metric::Steps] {
        let plan = plan(FIVE, metric);
        let mut catalogue = catalogue(&plan, 2, 1 << 26);
        let (mut solver, limits) = (Solver::new(), Limits::default());
        for listed in catalogue.sorted() {
            let board = formats::read_one(&listed.board, None).unwrap().board;
            let facts = solver.analyze(&board, metric, &limits);
            assert_eq!((facts.states, facts.depth), (listed.states(), Some(listed.depth())), "{}", listed.board);
            assert_eq!(facts.histogram, listed.histogram, "{}", listed.board);
            assert_eq!(facts.distance, facts.depth, "{} is not the hardest", listed.board);
            assert_eq!(solver.solve(&board, Metric::Moves, &limits).lower_bound, listed.moves);
            assert_eq!(solver.solve(&board, Metric::Steps, &limits).lower_bound, listed.steps);
            assert_eq!(board.vehicles().len(), listed.vehicles() as usize);
            if metric == Metric::Moves {
                assert_eq!(removable(&mut solver, &board, &limits), Ok(vec![]), "{}", listed.board);
            }
        }
    }
}

#[test]
fn small_boards_agree_with_the_independent_enumeration() {
    let shapes = [
        (4, 4, Side::Right, 0),
        (4, 4, Side::Left, 1),
        (4, 5, Side::Top, 0),
        (5, 4, Side::Bottom, 0),
        (4, 4, Side::Right, 2),
    ];
    for shape in shapes {
        let metrics = [Metric::Moves, Metric::Steps];
        let both = |metric| [Representative::Minimal, Representative::First].map(|which| (metric, which));
        for (metric, representative) in metrics.into_iter().flat_map(both) {
            let plan = plan(shape, metric).with_representative(representative);
            let mut catalogue = catalogue(&plan, 2, 1 << 20);
            let by_hand = every_board::catalogue(plan.shape(), metric, representative);
            assert_eq!(catalogue.tally().states, by_hand.states, "{shape:?}");
            assert_eq!(catalogue.tally().components, by_hand.components, "{shape:?} {metric:?}");
            let found: Vec<(&str, &[u64])> =
                catalogue.sorted().iter().map(|listed| (&*listed.board, &*listed.histogram)).collect();
            let expected: Vec<(&str, &[u64])> =
                by_hand.puzzles.iter().map(|(board, histogram)| (&**board, &**histogram)).collect();
            assert_eq!(found.len(), expected.len(), "{shape:?} {metric:?} {representative:?}");
            for pair in found.iter().zip(&expected) {
                assert_eq!(pair.0, pair.1, "{shape:?} {metric:?} {representative:?}");
            }
            for listed in catalogue.sorted() {
                let board = formats::read_one(&listed.board, None).unwrap().board;
                assert_eq!(listed.vehicles() as usize, board.vehicles().len(), "{}", listed.board);
            }
        }
    }
}

#[test]
fn the_catalogue_does_not_depend_on_threads_memory_and_shards() {
    let plan = plan(FIVE, Metric::Moves);
    let mut whole = catalogue(&plan, 1, 1 << 26);
    let expected = text(&plan, &mut whole);
    // So little memory that no column stays open.
    assert_eq!(text(&plan, &mut catalogue(&plan, 3, 1 << 14)), expected);
    let mut together = Catalogue::default();
    for shard in 1..=3 {
        let take = |found| {
            together.add(found);
            Ok::<(), ()>(())
        };
        run(&plan, &plan.shard(shard, 3).unwrap(), 2, 1 << 24, &|| false, take).unwrap();
    }
    assert_eq!(text(&plan, &mut together), expected);
}

/// Name of the log in its folder.
const LOG: &str = "run.log";

/// Opens a new log in a folder of its own.
fn new_log(plan: &EnumerationPlan) -> (tempfile::TempDir, TaskLog) {
    let folder = tempfile::tempdir().unwrap();
    let (log, _) = TaskLog::open(&folder.path().join(LOG), plan, &mut Catalogue::default()).unwrap();
    (folder, log)
}

/// Runs tasks, and adds what they find to a log and to a catalogue.
fn run_logged(plan: &EnumerationPlan, tasks: &[u64], threads: usize, log: &mut TaskLog, catalogue: &mut Catalogue) {
    let take = |found| {
        log.append(&found)?;
        catalogue.add(found);
        Ok::<(), LogError>(())
    };
    run(plan, tasks, threads, 1 << 24, &|| false, take).unwrap();
}

#[test]
fn an_interrupted_log_can_be_resumed() {
    let plan = plan((5, 4, Side::Right, 0), Metric::Moves);
    let mut whole = catalogue(&plan, 1, 1 << 24);
    let (folder, mut log) = new_log(&plan);
    let (path, tasks) = (folder.path().join(LOG), plan.shard(1, 1).unwrap());
    let mut left = 5;
    let stopped = run(&plan, &tasks, 1, 1 << 24, &|| false, |found| {
        log.append(&found).unwrap();
        left -= 1;
        if left == 0 { Err("enough") } else { Ok(()) }
    });
    assert_eq!(stopped, Err("enough"));
    drop(log);
    // The last line is incomplete, as after a crash.
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.truncate(bytes.len() - 3);
    std::fs::write(&path, &bytes).unwrap();
    let mut resumed = Catalogue::default();
    let (mut log, corrupt) = TaskLog::open(&path, &plan, &mut resumed).unwrap();
    assert_eq!((resumed.tasks(), corrupt.message("")), (4, None));
    let rest: Vec<u64> = tasks.into_iter().filter(|&task| !resumed.contains_task(task)).collect();
    run_logged(&plan, &rest, 2, &mut log, &mut resumed);
    assert_eq!(text(&plan, &mut resumed), text(&plan, &mut whole));
    drop(log);
    let mut again = Catalogue::default();
    TaskLog::open(&path, &plan, &mut again).unwrap();
    assert_eq!(text(&plan, &mut again), text(&plan, &mut whole));
}

#[test]
fn a_damaged_line_of_a_log_loses_only_its_task() {
    let plan = plan((4, 4, Side::Right, 0), Metric::Moves);
    let mut whole = catalogue(&plan, 1, 1 << 24);
    let (folder, mut log) = new_log(&plan);
    let (path, tasks) = (folder.path().join(LOG), plan.shard(1, 1).unwrap());
    run(&plan, &tasks, 1, 1 << 24, &|| false, |found| log.append(&found)).unwrap();
    drop(log);
    let sound = std::fs::read_to_string(&path).unwrap();
    for (number, line) in (1..).zip(sound.lines()).skip(1) {
        let (before, states) = line.split_once("\"states\":").unwrap();
        let changed = format!("{before}\"states\":1{states}");
        std::fs::write(&path, sound.replacen(line, &changed, 1)).unwrap();
        let mut resumed = Catalogue::default();
        let (mut log, corrupt) = TaskLog::open(&path, &plan, &mut resumed).unwrap();
        assert!(corrupt.message("").unwrap().contains(&format!("in line {number};")));
        let left: Vec<u64> = tasks.iter().copied().filter(|&task| !resumed.contains_task(task)).collect();
        assert_eq!(left.len(), 1);
        run_logged(&plan, &left, 1, &mut log, &mut resumed);
        assert_eq!(text(&plan, &mut resumed), text(&plan, &mut whole));
        drop(log);
        let (_, corrupt) = TaskLog::open(&path, &plan, &mut Catalogue::default()).unwrap();
        assert_eq!(corrupt.message(""), None, "it was repaired");
    }
}

#[test]
fn a_panic_of_a_worker_is_propagated_to_the_caller() {
    let plan = plan((4, 4, Side::Right, 0), Metric::Moves);
    for threads in [1, 3] {
        let broken = || panic!("from a worker");
        let run = || run(&plan, &plan.shard(1, 1).unwrap(), threads, 1 << 24, &broken, |_| Ok::<(), ()>(()));
        let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"from a worker"));
    }
}

#[test]
fn a_log_of_another_plan_is_rejected() {
    let plan = plan((4, 4, Side::Right, 0), Metric::Moves);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.log");
    TaskLog::open(&path, &plan, &mut Catalogue::default()).unwrap();
    let other = self::plan((4, 4, Side::Right, 0), Metric::Steps);
    let error = TaskLog::open(&path, &other, &mut Catalogue::default()).unwrap_err();
    assert!(error.to_string().contains("other settings"), "{error}");
    let head = std::fs::read_to_string(&path).unwrap();
    let first = plan.clone().with_representative(Representative::First);
    let error = TaskLog::open(&path, &first, &mut Catalogue::default()).unwrap_err();
    assert!(error.to_string().contains("other settings"), "{error}");
    let puzzle = r#"{"board":"","moves":1,"steps":1,"histogram":[]}"#;
    let line = format!(r#"{{"task":0,"tally":{{"states":1,"components":[1]}},"puzzles":[{puzzle}]}}"#);
    let header = unseal(head.trim_end(), "").unwrap();
    std::fs::write(&path, format!("{head}{}\n", seal(&line, &header))).unwrap();
    let error = TaskLog::read(&path, &plan, &mut Catalogue::default()).unwrap_err();
    assert!(error.to_string().contains("line 2 has a task or a puzzle that does not exist"), "{error}");
    for wrong in ["hello", "hello\n", "{\"task\":0}\n", "\u{1}\u{2}\n"] {
        std::fs::write(&path, wrong).unwrap();
        let error = TaskLog::open(&path, &plan, &mut Catalogue::default()).unwrap_err();
        assert!(error.to_string().contains("not a log of an enumeration"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), wrong, "a file that is not a log is left unchanged");
    }
}

#[test]
fn the_table_contains_the_listed_puzzles() {
    let plan = plan((5, 4, Side::Right, 0), Metric::Moves);
    let mut catalogue = catalogue(&plan, 1, 1 << 24);
    let bytes = catalogue.write_parquet(Vec::new()).unwrap();
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
    let rows: Vec<String> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
    let expected = |listed: &CatalogueEntry| {
        let histogram: Vec<String> = listed.histogram.iter().map(ToString::to_string).collect();
        format!(
            "{{board: \"{}\", moves: {}, steps: {}, states: {}, depth: {}, vehicles: {}, histogram: [{}]}}",
            listed.board,
            listed.moves,
            listed.steps,
            listed.states(),
            listed.depth(),
            listed.vehicles(),
            histogram.join(", ")
        )
    };
    assert_eq!(rows, catalogue.sorted().iter().map(expected).collect::<Vec<_>>());
}

#[test]
fn shorter_puzzles_are_not_listed() {
    let shape = Shape::new(5, 5, Side::Right, None, 0).unwrap();
    let plan = EnumerationPlan::new(shape, Metric::Moves, 16).unwrap();
    let mut catalogue = catalogue(&plan, 2, 1 << 24);
    assert_eq!(catalogue.sorted().iter().map(|listed| listed.moves).collect::<Vec<_>>()[..5], [20, 20, 18, 18, 16]);
    assert_eq!((catalogue.len(), catalogue.tally().solvable()), (16, 62_106));
}

#[test]
fn invalid_plans_are_rejected() {
    let shape = |side, walls| Shape::new(side, side, Side::Right, None, walls).unwrap();
    assert!(matches!(EnumerationPlan::new(shape(8, 0), Metric::Moves, 0), Err(EnumerationPlanError::TooLarge { .. })));
    assert!(matches!(
        EnumerationPlan::new(shape(6, 9), Metric::Moves, 0),
        Err(EnumerationPlanError::TooManyPlacements { walls: 9 })
    ));
    let many = EnumerationPlan::new(shape(7, 3), Metric::Moves, 0).unwrap();
    assert!(matches!(many.shard(1, 1), Err(EnumerationPlanError::LargeShard { .. })));
    let plan = plan((4, 4, Side::Right, 1), Metric::Moves);
    assert_eq!(plan.shard(4, 3), Err(EnumerationPlanError::NoSuchShard { shard: 4, shards: 3 }));
    assert_eq!(plan.shard(0, 3), Err(EnumerationPlanError::NoSuchShard { shard: 0, shards: 3 }));
    let mut all: Vec<u64> = (1..=7).flat_map(|shard| plan.shard(shard, 7).unwrap()).collect();
    all.sort_unstable();
    assert!(all.into_iter().eq(0..plan.tasks()));
}

#[test]
fn the_suites_of_the_catalogue_are_minimal_and_hardest() {
    let (mut solver, limits) = (Solver::new(), Limits::default());
    for (name, metric, nth) in [
        ("hard-moves-200", Metric::Moves, 20),
        ("hard-steps-200", Metric::Steps, 20),
        ("catalogue-sample", Metric::Moves, 10),
    ] {
        for puzzle in Suite::find(name).unwrap().puzzles().iter().rev().step_by(nth) {
            let facts = solver.analyze(&puzzle.board, metric, &limits);
            let known = if metric == Metric::Moves { puzzle.moves } else { puzzle.steps };
            assert_eq!(facts.distance, facts.depth, "{:?}", puzzle.name);
            assert_eq!(known, facts.depth.map(KnownLength::Exactly), "{:?}", puzzle.name);
            if metric == Metric::Moves {
                assert_eq!(removable(&mut solver, &puzzle.board, &limits), Ok(vec![]), "{:?}", puzzle.name);
            }
        }
    }
    // SER200 of GP-Rush is another state of the component with the most steps.
    let hardest = Suite::find("hard-steps-200").unwrap().puzzles().pop().unwrap();
    assert_eq!(hardest.steps, Some(KnownLength::Exactly(93)));
    let servais = &Suite::find("servais").unwrap().puzzles()[0];
    let mut id = |board| canonical(&mut solver, board, &limits).unwrap().unwrap().id();
    assert_eq!(id(&hardest.board), id(&servais.board));
}
