//! Deferred evaluation, preferred moves and novelty in best-first search, tested on sliding tiles.

use clearway_search::astar::{AStar, AStarOptions};
use clearway_search::bfs::Bfs;
use clearway_search::{Domain, Heuristic, Limits, Node, Outcome, Search, Verdict, run};
use clearway_tiles::heuristics::Manhattan;
use clearway_tiles::{Board, Move, Puzzle};

/// Manhattan distance, which prefers the moves that decrease it.
struct Downhill;

impl Heuristic<Puzzle> for Downhill {
    fn estimate(&mut self, domain: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        Manhattan.estimate(domain, node)
    }

    fn mark_preferred(&mut self, domain: &Puzzle, state: &Board, moves: &[Move], preferred: &mut [bool]) {
        let distance = |state: &Board| Manhattan.estimate(domain, &Node { state, g: 0, last: None, siblings: 0 });
        for (&mv, mark) in moves.iter().zip(preferred) {
            let mut next = *state;
            domain.apply(&mut next, mv);
            *mark = distance(&next) < distance(state);
        }
    }
}

/// Boards of 3x3 by random walks from the goal.
fn boards() -> Vec<Puzzle> {
    let goal = Board::parse("123456780").unwrap();
    let mut random = 7u64;
    let scrambled = (0..12).map(|board| {
        let (mut state, mut moves) = (goal, Vec::new());
        let domain = Puzzle::unchecked(goal, goal).unwrap();
        for _ in 0..10 * board {
            moves.clear();
            domain.moves(&state, &mut moves);
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            domain.apply(&mut state, moves[(random >> 33) as usize % moves.len()]);
        }
        Puzzle::unchecked(state, goal).unwrap()
    });
    scrambled.collect()
}

/// All combinations of the options.
fn combinations() -> Vec<AStarOptions> {
    let mut found = Vec::new();
    for bits in 0..32u32 {
        for novelty in 0..=2 {
            found.push(AStarOptions {
                weight: if bits & 1 == 0 { 1.0 } else { 3.0 },
                greedy: bits & 1 == 1 && bits & 2 == 2,
                reopen: bits & 2 == 0,
                shortcut: bits & 4 == 4,
                deferred: bits & 8 == 8,
                preferred: bits & 16 == 16,
                novelty,
            });
        }
    }
    found
}

fn solve(domain: &Puzzle, options: AStarOptions) -> (Outcome<Move>, u32) {
    let mut search = AStar::new(domain, Downhill, options);
    let outcome = run(&mut search, &Limits::default());
    (outcome, search.lower_bound(true))
}

#[test]
fn every_combination_of_options_solves_every_board() {
    for domain in boards() {
        let optimum = run(&mut Bfs::new(&domain), &Limits::default()).solution.unwrap().len();
        for options in combinations() {
            let (outcome, bound) = solve(&domain, options);
            assert_eq!(outcome.verdict, Verdict::Solved);
            let (solution, counts) = (outcome.solution.unwrap(), outcome.statistics);
            let mut state = domain.start();
            solution.iter().for_each(|&mv| domain.apply(&mut state, mv));
            assert!(domain.is_goal(&state), "{options:?}");
            assert!(solution.len() >= optimum && bound as usize <= optimum, "{options:?}: {bound}, {optimum}");
            assert_eq!(counts.goal_tests, counts.expanded + 1, "{options:?}");
            if options.deferred {
                // The start is evaluated before the search, and the goal not at all.
                assert_eq!(counts.evaluated, counts.goal_tests.max(2) - 1, "{options:?}");
            } else {
                assert_eq!(counts.evaluated, counts.generated - counts.duplicates, "{options:?}");
            }
        }
    }
}

#[test]
fn unsolvable_boards_are_proven_unsolvable() {
    let domain = Puzzle::unchecked(Board::parse("102345").unwrap(), Board::parse("012345").unwrap()).unwrap();
    for options in combinations() {
        assert_eq!(solve(&domain, options).0.verdict, Verdict::Unsolvable, "{options:?}");
    }
}

#[test]
fn the_options_save_what_they_promise() {
    let sum = |options: AStarOptions| {
        let counts = boards().into_iter().map(|domain| solve(&domain, options).0.statistics);
        counts.fold((0, 0), |(expanded, evaluated), one| (expanded + one.expanded, evaluated + one.evaluated))
    };
    let greedy = AStarOptions { greedy: true, ..AStarOptions::default() };
    let (expanded, evaluated) = sum(greedy);
    assert!(sum(AStarOptions { deferred: true, ..greedy }).1 < evaluated);
    let deferred = AStarOptions { deferred: true, ..greedy };
    assert!(sum(AStarOptions { preferred: true, ..deferred }).0 < sum(deferred).0);
    assert_ne!(sum(AStarOptions { novelty: 1, ..greedy }).0, expanded);
    assert_ne!(sum(AStarOptions { novelty: 2, ..greedy }).0, sum(AStarOptions { novelty: 1, ..greedy }).0);
}

/// A heuristic that recognises half of the states as dead ends, but never one on the way to the goal.
struct DeadEnds;

impl Heuristic<Puzzle> for DeadEnds {
    fn estimate(&mut self, domain: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        let distance = Manhattan.estimate(domain, node);
        if distance > 8.0 && domain.key(node.state) % 2 == 0 { f64::INFINITY } else { distance }
    }
}

#[test]
fn deferred_dead_ends_are_not_expanded() {
    let domain = &boards()[3];
    let options = AStarOptions { deferred: true, ..AStarOptions::default() };
    let outcome = run(&mut AStar::new(domain, DeadEnds, options), &Limits::default());
    let counts = outcome.statistics;
    assert_eq!(outcome.verdict, Verdict::Solved);
    assert!(counts.goal_tests > counts.expanded + 1, "{counts:?}");
}
