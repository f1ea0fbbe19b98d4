//! Limits of the exact solver, and reuse of one solver for many boards: results do not depend on earlier boards.

use clearway_rush::formats;
use clearway_rush::suites::Suite;
use clearway_rush::{Answer, Board, Metric, Solver};
use clearway_search::{Limit, Limits, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const BOTH: [Metric; 2] = [Metric::Moves, Metric::Steps];

fn board(suite: &str, name: &str) -> Board {
    let mut puzzles = Suite::find(suite).expect("a suite").puzzles().into_iter();
    puzzles.find(|puzzle| puzzle.name.as_deref() == Some(name)).expect("a board of that name").board
}

/// A board that the solver does not solve within reasonable limits; its optimum is at most 25 moves.
fn unsolved() -> Board {
    board("course", "12x12_7")
}

fn line(text: &str) -> Board {
    formats::read_one(text, None).expect("a board").board
}

/// The values that must be equal in every run.
fn facts(answer: &Answer) -> (Verdict, u32, Option<String>, u64, u64, &'static str) {
    let Answer { verdict, lower_bound, solution, statistics, algorithm, .. } = answer;
    let solution = solution.as_ref().map(ToString::to_string);
    (*verdict, *lower_bound, solution, statistics.expanded, statistics.generated, algorithm)
}

#[test]
fn the_node_limit_is_exact_and_the_lower_bound_valid() {
    let mut solver = Solver::new();
    for (suite, name) in [("cards", "JAM01"), ("cards", "JAM40"), ("traffic-jam", "B"), ("course", "9x9_4")] {
        let board = board(suite, name);
        for metric in BOTH {
            let whole = solver.solve(&board, metric, &Limits::default());
            let needed = whole.statistics.expanded;
            let mut bound = 0;
            for nodes in [0, 1, 2, 50, 1_023, 1_024, 1_025, needed - 1, needed, needed + 1] {
                let limited = solver.solve(&board, metric, &Limits { nodes: Some(nodes), ..Limits::default() });
                if nodes >= needed {
                    assert_eq!(facts(&limited), facts(&whole), "{name} with {nodes} nodes");
                    continue;
                }
                assert_eq!(limited.verdict, Verdict::Limit(Limit::Nodes), "{name} with {nodes} nodes");
                assert_eq!(limited.statistics.expanded, nodes, "{name}");
                assert_eq!(limited.solution, None, "{name}");
                assert!(limited.lower_bound <= whole.lower_bound, "{name} with {nodes} nodes");
                if nodes > 50 {
                    assert!(limited.lower_bound >= bound.max(1), "{name}: more nodes cannot lower the bound");
                }
                bound = limited.lower_bound;
            }
        }
    }
}

#[test]
fn without_time_or_memory_or_when_cancelled_a_search_stops_immediately() {
    let cancelled = Some(Arc::new(AtomicBool::new(true)));
    let kinds = [
        (Limit::Time, Limits { time: Some(Duration::ZERO), ..Limits::default() }),
        (Limit::Memory, Limits { memory: Some(1), ..Limits::default() }),
        (Limit::Cancelled, Limits { cancel: cancelled, ..Limits::default() }),
    ];
    let mut solver = Solver::new();
    for (kind, limits) in &kinds {
        for board in [board("cards", "JAM01"), board("course", "9x9_4"), unsolved()] {
            for metric in BOTH {
                let optimum = if board.width() > 9 {
                    25
                } else {
                    Solver::new().solve(&board, metric, &Limits::default()).lower_bound
                };
                for answer in [Solver::new().solve(&board, metric, limits), solver.solve(&board, metric, limits)] {
                    assert_eq!(answer.verdict, Verdict::Limit(*kind));
                    assert_eq!((answer.solution, answer.statistics.expanded), (None, 0));
                    assert!(answer.lower_bound <= optimum);
                }
                assert_eq!(solver.analyze(&board, metric, limits).limit, Some(*kind));
            }
        }
    }
}

#[test]
fn a_long_search_can_be_cancelled_from_another_thread() {
    let answer = until_expanding(|pause| {
        let cancel = Arc::new(AtomicBool::new(false));
        let limits = Limits { cancel: Some(cancel.clone()), ..Limits::default() };
        let answer = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(pause);
                cancel.store(true, Ordering::Relaxed);
            });
            Solver::new().solve(&unsolved(), Metric::Moves, &limits)
        });
        assert_eq!(answer.verdict, Verdict::Limit(Limit::Cancelled));
        answer
    });
    assert!((1..=25).contains(&answer.lower_bound), "{}", answer.lower_bound);
}

/// Runs a search with increasing time limits until it expands at least one state.
fn until_expanding(search: impl Fn(Duration) -> Answer) -> Answer {
    let times = (0..12).map(|doublings| Duration::from_millis(50) * (1 << doublings));
    let mut answers = times.map(search);
    answers.find(|answer| answer.statistics.expanded > 0).expect("a state is expanded within minutes")
}

#[test]
fn a_long_search_respects_its_time_and_memory_limits() {
    let answer = until_expanding(|max| {
        let started = Instant::now();
        let time = Limits { time: Some(max), ..Limits::default() };
        let answer = Solver::new().solve(&unsolved(), Metric::Moves, &time);
        assert_eq!(answer.verdict, Verdict::Limit(Limit::Time));
        assert!(started.elapsed() >= max);
        answer
    });
    assert!((1..=25).contains(&answer.lower_bound), "{}", answer.lower_bound);
    for max in [1 << 20, 8 << 20] {
        let memory = Limits { memory: Some(max), ..Limits::default() };
        for (board, optimum) in [(unsolved(), 25), (board("course", "9x9_5"), 22)] {
            let answer = Solver::new().solve(&board, Metric::Moves, &memory);
            assert_eq!(answer.verdict, Verdict::Limit(Limit::Memory));
            assert!((1..=optimum).contains(&answer.lower_bound), "{}", answer.lower_bound);
            assert!(answer.memory <= max, "{} of {max} bytes", answer.memory);
        }
    }
}

#[test]
fn a_limited_analysis_is_marked_as_partial() {
    let wide_open = line("BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ...");
    for (kind, limits) in [
        (Limit::Nodes, Limits { nodes: Some(5_000), ..Limits::default() }),
        (Limit::Memory, Limits { memory: Some(1 << 20), ..Limits::default() }),
    ] {
        let facts = Solver::new().analyze(&wide_open, Metric::Moves, &limits);
        assert_eq!(facts.limit, Some(kind));
        assert!((1..541_934).contains(&facts.states), "{}", facts.states);
        assert!(facts.is_partial);
        assert_eq!((facts.distance, facts.depth, facts.optimal_solutions), (None, None, None));
    }
}

#[test]
fn the_static_test_needs_no_resources() {
    let blocked = line("4x3:....AABB....");
    let nothing = Limits { nodes: Some(0), time: Some(Duration::ZERO), memory: Some(0), cancel: Some(Arc::default()) };
    let answer = Solver::new().solve(&blocked, Metric::Moves, &nothing);
    assert_eq!((answer.verdict, answer.algorithm), (Verdict::Unsolvable, "static"));
}

#[test]
fn a_reused_solver_gives_the_same_answers_as_a_new_one() {
    let boards = [
        board("cards", "JAM40"),
        board("course", "9x9_4"),
        line("4x3:....AABB...."),
        board("traffic-jam", "B"),
        line("2x2:AA.."),
        board("cards", "JAM01"),
        line("16x4:AA.B..C..D.........B..C..D.........B..C..D..EE............FF...."),
        board("servais", "SER200"),
        line("8x8:B.CC..DDB.EE..FFAA.G..H.I..G..H.I.JJ..K.L.MM..K.L.NN..PPQQ..RR.."),
        board("walls", "fixture05"),
    ];
    let mut reused = Solver::new();
    let few = Limits { nodes: Some(200), ..Limits::default() };
    for _ in 0..2 {
        for board in &boards {
            for metric in BOTH {
                let new = Solver::new().solve(board, metric, &Limits::default());
                let limited = Solver::new().solve(board, metric, &few);
                assert_eq!(facts(&reused.solve(board, metric, &few)), facts(&limited), "{}", formats::line(board));
                assert_eq!(
                    facts(&reused.solve(board, metric, &Limits::default())),
                    facts(&new),
                    "{}",
                    formats::line(board)
                );
                // Enough for the small components; the analysis of the others stops after this number of states.
                let some = Limits { nodes: Some(30_000), ..Limits::default() };
                let new = Solver::new().analyze(board, metric, &some);
                assert_eq!(reused.analyze(board, metric, &some), new, "{}", formats::line(board));
            }
        }
        let stopped = reused.solve(&unsolved(), Metric::Moves, &Limits { nodes: Some(5_000), ..Limits::default() });
        assert_eq!(stopped.statistics.expanded, 5_000);
    }
}

/// A solver whose tables have grown.
fn used_solver() -> Solver {
    let mut solver = Solver::new();
    solver.analyze(&line("BB.C...D.CEE.DAAFGH.IIFGH.JKK.LLJ..."), Metric::Moves, &Limits::default());
    solver
}

#[test]
fn tables_of_earlier_boards_do_not_count_towards_the_memory_limit() {
    let easy = board("cards", "JAM01");
    let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
    let new = Solver::new().solve(&easy, Metric::Moves, &limits);
    assert_eq!(new.verdict, Verdict::Solved);
    assert_eq!(facts(&used_solver().solve(&easy, Metric::Moves, &limits)), facts(&new));
}

/// Asserts that a new and a used solver agree under limits that allow nothing.
fn assert_zero_limits_are_independent_of_earlier_boards(board: &Board) {
    let mut used = used_solver();
    for limits in
        [Limits { nodes: Some(0), ..Limits::default() }, Limits { time: Some(Duration::ZERO), ..Limits::default() }]
    {
        let new = Solver::new().solve(board, Metric::Moves, &limits);
        let again = used.solve(board, Metric::Moves, &limits);
        assert_eq!(facts(&again), facts(&new), "{} with {limits:?}", formats::line(board));
    }
}

#[test]
fn zero_limits_are_independent_of_earlier_boards() {
    assert_zero_limits_are_independent_of_earlier_boards(&board("cards", "JAM01"));
}

#[test]
fn zero_limits_on_a_solved_board_are_independent_of_earlier_boards() {
    assert_zero_limits_are_independent_of_earlier_boards(&line("4x3:......AA...."));
}

#[test]
fn the_node_limit_does_not_depend_on_the_kind_of_enumeration() {
    // Walls divide the second board into more lines than the faster enumeration supports.
    for text in [
        "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.",
        "JJ.VCCxGWWDVRRRGLLDYYYPQSSxIIKPQxN.xxKx..NMUFFHTEEMUBBHTAAOOXX..@right:7",
    ] {
        let board = formats::read_one(text, None).unwrap().board;
        let hardest = |nodes| Solver::new().hardest(&board, Metric::Moves, &Limits { nodes, ..Limits::default() });
        let states = hardest(None).unwrap().states;
        assert_eq!(hardest(Some(states - 1)), None, "{text}");
        assert_eq!(hardest(Some(states)), hardest(None), "{text}");
    }
}
