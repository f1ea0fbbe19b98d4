//! The portfolio and layered SAT: agreement with the exact solver, boards of all sizes, stop rules, limits and threads.
//!
//! `CLEARWAY_BOARDS=10000 cargo test --release -p clearway-rush portfolio` compares 10,000 random boards.

use crate::common::boards_between;
use clearway_rush::formats::KnownLength;
use clearway_rush::suites::Suite;
use clearway_rush::{
    Answer, Board, EngineSet, Exit, Metric, Orientation, Portfolio, Side, Solver, StopRule, Vehicle, formats, labels,
    replay, vehicle_ranges,
};
use clearway_search::{Limit, Limits, Verdict};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const LAYERS: Portfolio =
    Portfolio { stop: StopRule::Optimal, threads: 1, engines: EngineSet::Layers, stops_at_memory_limit: false };

fn course(name: &str) -> Board {
    let mut puzzles = Suite::find("course").expect("a suite").puzzles().into_iter();
    puzzles.find(|puzzle| puzzle.name.as_deref() == Some(name)).expect("a board of that name").board
}

fn line(text: &str) -> Board {
    formats::read_one(text, None).expect("a board").board
}

fn solve(portfolio: &Portfolio, board: &Board, metric: Metric, limits: &Limits) -> Answer {
    portfolio.solve(&mut Solver::new(), board, metric, limits, &mut |_| {})
}

/// The values that must be equal in every run.
fn facts(answer: &Answer) -> impl PartialEq + std::fmt::Debug + use<> {
    let Answer { verdict, lower_bound, solution, statistics, algorithm, bound_algorithm, memory, .. } = answer;
    let counts = (statistics.expanded, statistics.generated, statistics.conflicts);
    (*verdict, *lower_bound, solution.as_ref().map(ToString::to_string), counts, *algorithm, *bound_algorithm, *memory)
}

fn boards_to_try() -> u32 {
    std::env::var("CLEARWAY_BOARDS").map_or(150, |text| text.parse().expect("CLEARWAY_BOARDS is a number"))
}

/// What came of a comparison with the exact solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    /// The exact solver reached its limit.
    Unknown,
    /// Both have decided the board.
    Agreement,
    /// Only the exact solver has decided it, by finding a plan.
    OpenWithPlan,
    /// Only the exact solver has decided it, by proving it unsolvable.
    OpenWithoutPlan,
}

/// Compares an answer with that of the exact solver.
fn check_agreement(portfolio: &Portfolio, board: &Board, metric: Metric) -> Result<Comparison, TestCaseError> {
    let exact = Solver::new().solve(board, metric, &Limits { nodes: Some(500_000), ..Limits::default() });
    if exact.verdict == Verdict::Limit(Limit::Nodes) {
        return Ok(Comparison::Unknown);
    }
    let mut bounds = Vec::new();
    // Layers alone do not end on unsolvable boards without a small core.
    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
    let answer = portfolio.solve(&mut Solver::new(), board, metric, &limits, &mut |step| {
        bounds.push((step.solution.map(|plan| plan.length(metric)), step.lower_bound));
    });
    let shown = || format!("{portfolio:?} on {} in {}", formats::line(board), metric.as_str());
    let optimum = (exact.verdict == Verdict::Solved).then_some(exact.lower_bound);
    for (length, bound) in bounds {
        prop_assert!(length.is_none_or(|length| Some(length) >= optimum && optimum.is_some()), "{}", shown());
        prop_assert!(optimum.is_none_or(|optimum| bound <= optimum), "bound {bound}, optimum {optimum:?}: {}", shown());
    }
    let is_open = matches!(answer.verdict, Verdict::Limit(_));
    if is_open {
        prop_assert!(portfolio.engines == EngineSet::Layers, "{}", shown());
    } else {
        prop_assert_eq!(answer.verdict, exact.verdict, "{}", shown());
    }
    if let Some(solution) = &answer.solution {
        prop_assert!(replay(board, &solution.0).is_ok_and(|replay| replay.solved), "{}", shown());
    }
    if answer.verdict == Verdict::Solved {
        prop_assert_eq!(answer.solution.map(|plan| plan.length(metric)), optimum, "{}", shown());
        prop_assert_eq!(Some(answer.lower_bound), optimum, "{}", shown());
    }
    Ok(match (is_open, optimum) {
        (false, _) => Comparison::Agreement,
        (true, Some(_)) => Comparison::OpenWithPlan,
        (true, None) => Comparison::OpenWithoutPlan,
    })
}

#[test]
fn layered_sat_agrees_with_the_exact_solver() {
    let source_file = Some(file!());
    let config =
        ProptestConfig { cases: boards_to_try(), max_shrink_iters: 200, source_file, ..ProptestConfig::default() };
    let comparisons = RefCell::new(Vec::new());
    let compared = TestRunner::new(config).run(&(boards_between(4, 8), any::<bool>()), |(board, in_moves)| {
        let metric = if in_moves { Metric::Moves } else { Metric::Steps };
        comparisons.borrow_mut().push(check_agreement(&LAYERS, &board, metric)?);
        Ok(())
    });
    compared.unwrap_or_else(|error| panic!("{error}"));
    let number = |of| comparisons.borrow().iter().filter(|&&comparison| comparison == of).count();
    let [agreed, with_plan, without_plan, unknown] =
        [Comparison::Agreement, Comparison::OpenWithPlan, Comparison::OpenWithoutPlan, Comparison::Unknown].map(number);
    println!(
        "{agreed} boards agree; layers leave {with_plan} with a plan and {without_plan} without one open; \
         the exact solver leaves {unknown} open"
    );
    assert_eq!(with_plan, 0, "layers alone find and prove every plan");
    // Without A*, only subsets and invariants prove boards unsolvable.
    let all = comparisons.borrow().len();
    assert!(100 * (without_plan + unknown) <= all, "{without_plan} and {unknown} of {all} boards are not compared");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: boards_to_try(), max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn the_portfolio_agrees_with_the_exact_solver(board in boards_between(9, 10), in_moves in any::<bool>()) {
        let metric = if in_moves { Metric::Moves } else { Metric::Steps };
        check_agreement(&Portfolio::default(), &board, metric)?;
    }

    #[test]
    fn answers_and_counters_do_not_depend_on_the_number_of_threads(
        board in boards_between(9, 12),
        in_moves in any::<bool>(),
        threads in 2..6usize,
        nodes in 1..20_000u64,
        memory in prop_oneof![Just(None), (16..26).prop_map(|bits| Some(1usize << bits))],
    ) {
        let metric = if in_moves { Metric::Moves } else { Metric::Steps };
        let limits = Limits { nodes: Some(nodes), memory, ..Limits::default() };
        let [one, several] = [1, threads].map(|threads| {
            facts(&solve(&Portfolio { threads, ..Portfolio::default() }, &board, metric, &limits))
        });
        prop_assert_eq!(one, several, "{} on {} threads, {} nodes", formats::line(&board), threads, nodes);
    }

    #[test]
    fn a_search_for_a_range_of_lengths_claims_only_what_it_has_proven(
        board in boards_between(5, 9),
        in_moves in any::<bool>(),
        least in 0..20u32,
        lengths in 0..4u32,
    ) {
        let metric = if in_moves { Metric::Moves } else { Metric::Steps };
        let exact = Solver::new().solve(&board, metric, &Limits { nodes: Some(200_000), ..Limits::default() });
        prop_assume!(exact.verdict != Verdict::Limit(Limit::Nodes));
        let most = (least + lengths).saturating_sub(1);
        let portfolio = Portfolio { stop: StopRule::Range { least, most }, ..Portfolio::default() };
        let answer = solve(&portfolio, &board, metric, &Limits::default());
        let shown = format!("{least} to {most}: {} in {}", formats::line(&board), metric.as_str());
        let length = answer.solution.as_ref().map(|plan| plan.length(metric));
        if exact.verdict == Verdict::Unsolvable {
            prop_assert!(length.is_none(), "{shown}");
            let is_beyond = answer.verdict == Verdict::Limit(Limit::Incomplete) && answer.lower_bound > most;
            prop_assert!(answer.verdict == Verdict::Unsolvable || is_beyond, "{shown}");
            return Ok(());
        }
        let optimum = exact.lower_bound;
        prop_assert!(answer.lower_bound <= optimum, "{shown}");
        prop_assert!(length.is_none_or(|length| length >= optimum), "{shown}");
        match answer.verdict {
            Verdict::Solved => prop_assert!(
                length == Some(answer.lower_bound) || length < Some(least) || answer.lower_bound > most,
                "{shown}"
            ),
            Verdict::Limit(Limit::Incomplete) => prop_assert!(answer.lower_bound > most, "{shown}"),
            verdict => prop_assert!(false, "{verdict:?}: {shown}"),
        }
    }

    #[test]
    fn reachable_states_lie_within_the_ranges(board in boards_between(4, 7)) {
        let ranges = vehicle_ranges(&board);
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        for distance in 0..6 {
            let Some(states) = Solver::new().states_at(&board, Metric::Moves, distance, &limits) else { continue };
            for state in states {
                for (position, (first, last)) in state.iter().zip(&ranges) {
                    prop_assert!((first..=last).contains(&position), "{}", formats::line(&board));
                }
            }
        }
    }
}

#[test]
fn the_board_12x12_7_takes_25_moves() {
    let answer = solve(&Portfolio::default(), &course("12x12_7"), Metric::Moves, &Limits::default());
    assert_eq!((answer.verdict, answer.lower_bound), (Verdict::Solved, 25));
    assert_eq!((answer.algorithm, answer.bound_algorithm), ("layers", "layers"));
}

#[test]
fn the_engines_agree_with_astar_on_the_9x9_boards_of_the_course() {
    for name in ["9x9_4", "9x9_5", "9x9_6"] {
        let board = course(name);
        let exact = Solver::new().solve(&board, Metric::Moves, &Limits::default());
        assert_eq!(exact.verdict, Verdict::Solved);
        for portfolio in [LAYERS, Portfolio::default()] {
            let answer = solve(&portfolio, &board, Metric::Moves, &Limits::default());
            assert_eq!((answer.verdict, answer.lower_bound), (Verdict::Solved, exact.lower_bound), "{name}");
            assert_eq!(answer.solution.map(|plan| plan.moves()), Some(exact.lower_bound), "{name}");
        }
    }
}

#[test]
fn the_answer_does_not_depend_on_the_number_of_threads() {
    // Solved by A*, by layers and by abstraction; and stopped by the limit in the middle of a round.
    let layers = line("9x9:BBBBCCCDDEE.FF.GGHI.JJKLLMHIAA.K..M.INOOKPQQR.NSSKPTTRUU.VWWXXRYYZV.aabcddZVee.bc");
    let short = [course("9x9_4"), layers, walled_card()];
    let long = [course("12x12_7"), unsolvable()];
    let limited = short.iter().chain(&long).map(|board| (board, &[Some(1_000), Some(8_000)][..]));
    for (board, limits) in short.iter().map(|board| (board, &[None][..])).chain(limited) {
        for &nodes in limits {
            let limits = Limits { nodes, ..Limits::default() };
            let [one, three] = [1, 3].map(|threads| {
                let answer = solve(&Portfolio { threads, ..Portfolio::default() }, board, Metric::Moves, &limits);
                assert!(
                    nodes.is_none_or(|nodes| answer.statistics.expanded + answer.statistics.conflicts <= nodes + 64)
                );
                facts(&answer)
            });
            assert_eq!(one, three, "{} with {nodes:?} nodes", formats::line(board));
        }
    }
}

/// JAM40 behind walls, with eight cars that do not matter.
fn walled_card() -> Board {
    let card = &Suite::find("cards").expect("the cards").puzzles()[39].board;
    let mut rows = vec![String::new(); 10];
    let small = formats::line(card);
    for (y, row) in rows.iter_mut().enumerate() {
        *row = match y {
            0 | 7 => "...xxxxxxx".to_owned(),
            1..=6 => format!("...x{}", &small[6 * (y - 1)..6 * y]),
            _ => "..........".to_owned(),
        };
    }
    let mut cells: Vec<char> = rows.concat().chars().collect();
    for (car, at) in [('1', 0), ('2', 10), ('3', 20), ('4', 30), ('5', 40), ('6', 80), ('7', 84), ('8', 95)] {
        cells[at] = car;
        cells[at + 1] = car;
    }
    line(&format!("10x10:{}", cells.into_iter().collect::<String>()))
}

/// An unsolvable board that neither the static tests nor plain abstraction decides quickly.
fn unsolvable() -> Board {
    line("9x9:.UGGTTPP.dURRR.SSNdIHHHHWWNEIYYMMMcNEICOBL.c.AACOBL...KbVVBLJDZKb.QBXJDZFFFQ.Xaa.")
}

#[test]
fn vehicles_that_do_not_matter_are_left_out() {
    // A car that crosses the corridor to the exit can make a difference, but does not.
    let card = Suite::find("cards").expect("the cards").puzzles()[39].board.clone();
    let around = walled_in(&card, 0, 3);
    let walls = around.walls().iter().filter(|&(x, _)| x != 7).collect();
    let crossing = Vehicle { label: 'z', x: 7, y: 3, length: 2, orientation: Orientation::Vertical };
    let vehicles = around.vehicles().iter().copied().chain([crossing]).collect();
    let board = Board::new(around.width(), around.height(), walls, vehicles, around.exit()).expect("a board");
    let answer = solve(&Portfolio::default(), &board, Metric::Moves, &Limits::default());
    assert_eq!((answer.verdict, answer.lower_bound), (Verdict::Solved, 51));
    assert_eq!((answer.algorithm, answer.bound_algorithm), ("abstraction", "abstraction"));
}

#[test]
fn an_invariant_proves_a_board_unsolvable() {
    // No small subset of its vehicles does.
    let board = line(
        "10x10:..BC..DDE.FGBCHHH.EIFGJK.LMNEIOOJKPLMNEQAA.RPLMS.QTTTRUVMS.QWWWRUVXXYY.Z.aaVbbccdZeefgh...dii.fgh.jj",
    );
    for portfolio in [Portfolio { threads: 2, ..Portfolio::default() }, LAYERS] {
        let answer = solve(&portfolio, &board, Metric::Moves, &Limits::default());
        assert_eq!((answer.verdict, answer.algorithm), (Verdict::Unsolvable, "invariant"));
    }
}

#[test]
fn a_subset_of_the_vehicles_proves_a_board_unsolvable() {
    // Invariants alone take more than a minute.
    let board = line(
        "10x10:BCDDE..FF.BCGHEIJ.KKB.GH.IJLL..MMNNNOO.PQ..RSSSTTPQ.URVWXXXYAAURVWZabYcccddWZabe.fg.hh.abe.fgiiijjj.",
    );
    for portfolio in [Portfolio::default(), Portfolio { threads: 3, ..Portfolio::default() }, LAYERS] {
        let answer = solve(&portfolio, &board, Metric::Moves, &Limits::default());
        assert_eq!((answer.verdict, answer.algorithm), (Verdict::Unsolvable, "subset"));
    }
}

#[test]
fn small_boards_that_astar_does_not_solve_at_once_are_left_to_all_engines() {
    // A* gets 1,048,576 nodes first, and none again until it gets more than these.
    let first = 1 << 20;
    let unsolvable = line("TT...GG..LLUUURRQQJJDNK.AA..DNK.P.HHH...PCCCC.EEM.ISSS.FM.IOOBBF");
    let answer = solve(&Portfolio::default(), &unsolvable, Metric::Moves, &Limits::default());
    assert_eq!((answer.verdict, answer.bound_algorithm), (Verdict::Unsolvable, "abstraction"));
    assert!((first..first + 20_000).contains(&answer.statistics.expanded), "{}", answer.statistics.expanded);
    let solvable = line("BB...II....C.HHH...CM.K....DMFKE.AADMFKE.GPPP.KE.GOO.J..NNNLLJ..");
    for threads in [1, 3] {
        let answer =
            solve(&Portfolio { threads, ..Portfolio::default() }, &solvable, Metric::Moves, &Limits::default());
        assert_eq!((answer.verdict, answer.lower_bound), (Verdict::Solved, 16));
        assert_eq!((answer.statistics.expanded, answer.bound_algorithm), (3_478_356, "astar(blockers)"));
    }
}

#[test]
fn stop_rules_say_when_a_plan_suffices() {
    let board = course("12x12_7");
    let solve = |stop| solve(&Portfolio { stop, ..Portfolio::default() }, &board, Metric::Moves, &Limits::default());
    let first = solve(StopRule::First);
    assert_eq!(first.verdict, Verdict::Solved);
    assert!(first.solution.is_some_and(|plan| plan.moves() >= 25) && first.lower_bound <= 25);
    let near = solve(StopRule::Within(1.25));
    let (length, bound) = (near.solution.expect("a plan").moves(), near.lower_bound);
    assert!(near.verdict == Verdict::Solved && f64::from(length) <= 1.25 * f64::from(bound), "{length}, {bound}");
    assert!(first.statistics.conflicts < near.statistics.conflicts, "a first plan takes less work than a bound");
}

#[test]
fn a_limit_leaves_the_best_plan_and_the_best_bound() {
    let board = course("12x12_7");
    let limits = Limits { nodes: Some(8_000), ..Limits::default() };
    let answer = solve(&Portfolio::default(), &board, Metric::Moves, &limits);
    assert_eq!(answer.verdict, Verdict::Limit(Limit::Nodes));
    let plan = answer.solution.expect("a plan is found within 8,000 nodes and conflicts");
    assert!(plan.moves() >= 25 && (14..=25).contains(&answer.lower_bound), "{plan}, {}", answer.lower_bound);
}

#[test]
fn a_cancelled_search_ends_with_what_it_has() {
    for threads in [1, 3] {
        let limits = Limits { cancel: Some(Arc::new(AtomicBool::new(true))), ..Limits::default() };
        let portfolio = Portfolio { threads, ..Portfolio::default() };
        let answer = solve(&portfolio, &course("12x12_7"), Metric::Moves, &limits);
        assert_eq!(answer.verdict, Verdict::Limit(Limit::Cancelled));
    }
}

#[test]
fn little_memory_is_a_limit() {
    let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
    let answer = solve(&Portfolio::default(), &course("12x12_7"), Metric::Moves, &limits);
    assert_eq!(answer.verdict, Verdict::Limit(Limit::Memory));
    assert!(answer.lower_bound <= 25);
}

#[test]
fn large_boards_have_plans_at_once() {
    // Every sixth board: all of them take half a minute.
    for puzzle in Suite::find("large").expect("a suite").puzzles().iter().step_by(6) {
        let name = puzzle.name.as_deref().unwrap_or_default();
        let first = Portfolio { stop: StopRule::First, ..Portfolio::default() };
        let answer = solve(&first, &puzzle.board, Metric::Moves, &Limits::default());
        let (length, known) = (answer.solution.expect("a plan").moves(), puzzle.moves.expect("a length"));
        match known {
            KnownLength::Exactly(optimum) => {
                assert!(answer.lower_bound <= optimum && optimum <= length, "{name}: {length}");
            }
            KnownLength::AtMost(best) => assert!(answer.lower_bound <= best, "{name}: at least {}", answer.lower_bound),
        }
    }
}

/// Builds a larger board around a board: free cars beside it, walls, and a corridor from its exit to the edge.
fn walled_in(inner: &Board, before: u8, corridor: u8) -> Board {
    let (side, line) = (inner.exit().side(), inner.exit_line());
    let is_horizontal = side.orientation() == Orientation::Horizontal;
    // Along the exit's axis: walls, the board and the corridor; across it: three free lines, a wall, the board and a wall.
    let cell = |along: u8, across: u8| if is_horizontal { (along, across) } else { (across, along) };
    let (along, across) = cell(inner.width(), inner.height());
    let (length, breadth) = (before + along + corridor, across + 5);
    let is_last = matches!(side, Side::Right | Side::Bottom);
    let start = if is_last { before } else { corridor };
    let (dx, dy) = cell(start, 4);
    let mut walls: Vec<(u8, u8)> = inner.walls().iter().map(|(x, y)| (x + dx, y + dy)).collect();
    for place in 0..length {
        let is_beside = !(start..start + along).contains(&place);
        let is_corridor = is_beside && (place < start) != is_last;
        let is_wall =
            |&other: &u8| !(4..4 + across).contains(&other) || is_beside && !(is_corridor && other == 4 + line);
        walls.extend((3..breadth).filter(is_wall).map(|other| cell(place, other)));
    }
    let shifted = inner.vehicles().iter().map(|&vehicle| Vehicle { x: vehicle.x + dx, y: vehicle.y + dy, ..vehicle });
    let mut vehicles: Vec<Vehicle> = shifted.collect();
    let is_free = |label: &char| *label != 'A' && vehicles.iter().all(|vehicle| vehicle.label != *label);
    let free: Vec<char> = labels().iter().copied().filter(is_free).take(3).collect();
    for (number, label) in (0..).zip(free) {
        let (x, y) = cell(1, number);
        vehicles.push(Vehicle { label, x, y, length: 2, orientation: side.orientation() });
    }
    let exit = match inner.exit() {
        Exit::Target(side) => Exit::Target(side),
        Exit::Any(side, line) => Exit::Any(side, line + 4),
    };
    let (width, height) = cell(length, breadth);
    Board::new(width, height, walls.into_iter().collect(), vehicles, exit).expect("a board")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: boards_to_try(), max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_board_within_a_larger_one_is_as_hard(
        inner in boards_between(4, 6), before in 0u8..3, corridor in 0u8..4, in_moves in any::<bool>()
    ) {
        let metric = if in_moves { Metric::Moves } else { Metric::Steps };
        let board = walled_in(&inner, before, corridor);
        let bare = Solver::new().solve(&inner, metric, &Limits::default());
        let answer = solve(&Portfolio::default(), &board, metric, &Limits::default());
        let corridor = if in_moves && !inner.is_solved() { 0 } else { u32::from(corridor) };
        let expected = bare.solution.map(|plan| match (inner.is_solved(), in_moves) {
            (true, true) => corridor.min(1),
            _ => plan.length(metric) + corridor,
        });
        prop_assert_eq!(answer.verdict, bare.verdict, "{}", formats::line(&board));
        prop_assert_eq!(answer.solution.map(|plan| plan.length(metric)), expected, "{}", formats::line(&board));
    }
}

#[test]
fn vehicles_that_do_not_matter_are_not_searched() {
    let inner = Suite::find("cards").expect("a suite").puzzles().pop().expect("a board").board;
    let bare = Solver::new().solve(&inner, Metric::Moves, &Limits::default());
    let answer = solve(&Portfolio::default(), &walled_in(&inner, 2, 3), Metric::Moves, &Limits::default());
    assert_eq!(answer.statistics.expanded, bare.statistics.expanded);
}
