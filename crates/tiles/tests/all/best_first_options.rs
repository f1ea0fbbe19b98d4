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

    fn mark_preferred(&mut self, domain: &Puzzle, state: &Board, moves: &[Move], marks: &mut [bool]) {
        let distance = |state: &Board| Manhattan.estimate(domain, &Node { state, g: 0, last: None, siblings: 0 });
        for (&mv, mark) in moves.iter().zip(marks) {
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
        for _ in 0..6 * board {
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
        for (novelty, ranked) in [(0, false), (1, false), (1, true), (2, false), (2, true)] {
            found.push(AStarOptions {
                weight: if bits & 1 == 0 { 1.0 } else { 3.0 },
                greedy: bits & 1 == 1 && bits & 2 == 2,
                reopen: bits & 2 == 0,
                shortcut: bits & 4 == 4,
                deferred: bits & 8 == 8,
                preferred: bits & 16 == 16,
                novelty,
                ranked,
                ..AStarOptions::default()
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
            for &mv in &solution {
                domain.apply(&mut state, mv);
            }
            assert!(domain.is_goal(&state), "{options:?}");
            assert!(solution.len() >= optimum && bound as usize <= optimum, "{options:?}: {bound}, {optimum}");
            assert_eq!(counts.goal_tests, counts.expanded + 1, "{options:?}");
            if options.deferred {
                // All generated states but duplicates are tested; most moves are never made.
                assert_eq!(counts.generated - counts.duplicates, counts.goal_tests, "{options:?}");
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
    let domain = Puzzle::unchecked(Board::parse("021345").unwrap(), Board::parse("012345").unwrap()).unwrap();
    for options in combinations() {
        assert_eq!(solve(&domain, options).0.verdict, Verdict::Unsolvable, "{options:?}");
    }
}

#[test]
fn each_option_changes_the_search_and_only_as_far_as_the_heuristic_allows() {
    let expanded = |options: AStarOptions| -> u64 {
        boards().iter().map(|domain| solve(domain, options).0.statistics.expanded).sum()
    };
    let greedy = AStarOptions { greedy: true, ..AStarOptions::default() };
    let deferred = AStarOptions { deferred: true, ..greedy };
    let novelty = |novelty| expanded(AStarOptions { novelty, ..greedy });
    assert_ne!(expanded(deferred), expanded(greedy));
    assert_ne!(expanded(AStarOptions { preferred: true, ..deferred }), expanded(deferred));
    assert_ne!(novelty(1), novelty(0));
    assert_ne!(novelty(2), novelty(1));
    assert_ne!(expanded(AStarOptions { novelty: 2, ranked: true, ..greedy }), novelty(2));
    assert_eq!(expanded(AStarOptions { ranked: true, ..greedy }), novelty(0), "there are no ranks without novelty");
    // Manhattan distance itself prefers no moves.
    for domain in boards() {
        let plain = |preferred| AStar::new(&domain, Manhattan, AStarOptions { preferred, ..greedy });
        let [with, without] = [true, false].map(|preferred| run(&mut plain(preferred), &Limits::default()).statistics);
        assert_eq!(with, without);
    }
}

/// Manhattan distance, and infinite where the path so far leaves no solution of this length.
struct Within(u32);

impl Heuristic<Puzzle> for Within {
    fn estimate(&mut self, domain: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        let distance = Manhattan.estimate(domain, node);
        if f64::from(node.g) + distance > f64::from(self.0) { f64::INFINITY } else { distance }
    }
}

#[test]
fn deferred_dead_ends_are_not_expanded() {
    let optimum = |domain: &Puzzle| run(&mut Bfs::new(domain), &Limits::default()).solution.unwrap().len() as u32;
    let domain = boards().into_iter().max_by_key(optimum).unwrap();
    let length = optimum(&domain);
    // The order of breadth-first search, which meets many states that are too far from the goal.
    let options = AStarOptions { weight: 0.0, deferred: true, ..AStarOptions::default() };
    let outcome = run(&mut AStar::new(&domain, Within(length), options), &Limits::default());
    let counts = outcome.statistics;
    assert_eq!(outcome.solution.unwrap().len() as u32, length);
    assert!(counts.goal_tests > counts.expanded + 1, "{counts:?}");
}
