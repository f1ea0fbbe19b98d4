//! Properties of all algorithms, tested on sliding tiles: optimal searches agree, solutions replay, proofs hold, and statistics
//! are deterministic.

use clearway_search::astar::{AStar, AStarOptions};
use clearway_search::beam::{Beam, BeamOptions};
use clearway_search::bfs::Bfs;
use clearway_search::deepening::{DeepeningOptions, HeuristicUse, IterativeDeepening, Memo};
use clearway_search::dfs::{GraphDfs, TreeDfs, TreeDfsOptions};
use clearway_search::hybrid::{Hybrid, HybridOptions};
use clearway_search::ibex::Ibex;
use clearway_search::random_walk::{RandomWalk, RandomWalkOptions};
use clearway_search::tree_bfs::{Prune, TreeBfs, TreeBfsOptions};
use clearway_search::{Domain, Heuristic, Limit, Limits, Node, Outcome, Search, SearchStatistics, Verdict, Zero, run};
use clearway_tiles::heuristics::Manhattan;
use clearway_tiles::{Board, Move, Puzzle, moves};
use proptest::prelude::*;

type Boxed<'a> = Box<dyn Search<Puzzle> + 'a>;

/// A puzzle whose goal is the sorted board with the blank first; half of all boards are unsolvable.
fn puzzle(board: &str) -> Puzzle {
    let board = Board::parse(board).unwrap();
    let goal: Vec<u8> = (0..board.cells().len() as u8).collect();
    Puzzle::unchecked(board, Board::new(board.size(), &goal).unwrap()).unwrap()
}

/// Manhattan distance times a factor from 0.75 to 1 that depends on the state: admissible, with many distinct values.
struct Fractions;

impl Heuristic<Puzzle> for Fractions {
    fn estimate(&mut self, domain: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        let key = domain.key(node.state) as f64;
        Manhattan.estimate(domain, node) * (0.75 + (key % 1009.0) / 4036.0)
    }
}

fn deepening(
    domain: &Puzzle,
    increment: u32,
    guide: HeuristicUse,
    memo: Memo,
) -> IterativeDeepening<'_, Puzzle, Manhattan> {
    IterativeDeepening::new(
        domain,
        Some(Manhattan),
        DeepeningOptions { increment, guide, memo, ..DeepeningOptions::default() },
    )
}

fn plain(increment: u32, memo: Memo) -> DeepeningOptions {
    DeepeningOptions { increment, guide: HeuristicUse::Order, memo, ..DeepeningOptions::default() }
}

/// Complete algorithms over states that find optimal solutions.
fn optimal(domain: &Puzzle) -> Vec<(&'static str, Boxed<'_>)> {
    let astar = AStarOptions::default();
    vec![
        ("bfs", Box::new(Bfs::new(domain))),
        ("astar zero", Box::new(AStar::new(domain, Zero, astar))),
        ("astar manhattan", Box::new(AStar::new(domain, Manhattan, astar))),
        ("astar fractions", Box::new(AStar::new(domain, Fractions, astar))),
        ("id", Box::new(IterativeDeepening::new(domain, None::<Zero>, plain(1, Memo::Cleared)))),
        ("id kept", Box::new(IterativeDeepening::new(domain, None::<Zero>, plain(1, Memo::Kept)))),
        ("ida order", Box::new(deepening(domain, 1, HeuristicUse::Order, Memo::Cleared))),
        ("ida order kept", Box::new(deepening(domain, 1, HeuristicUse::Order, Memo::Kept))),
        ("ida prune", Box::new(deepening(domain, 1, HeuristicUse::Prune, Memo::Cleared))),
        ("ida prune kept", Box::new(deepening(domain, 1, HeuristicUse::Prune, Memo::Kept))),
        ("ida both", Box::new(deepening(domain, 1, HeuristicUse::Both, Memo::Cleared))),
        ("ida both kept", Box::new(deepening(domain, 1, HeuristicUse::Both, Memo::Kept))),
        ("ibex manhattan", Box::new(Ibex::new(domain, Manhattan))),
        ("ibex fractions", Box::new(Ibex::new(domain, Fractions))),
        ("ibex zero", Box::new(Ibex::new(domain, Zero))),
    ]
}

/// Complete algorithms whose solutions may be suboptimal.
fn complete(domain: &Puzzle) -> Vec<(&'static str, Boxed<'_>)> {
    let options = AStarOptions::default();
    let weighted = AStarOptions { weight: 3.0, ..options };
    let greedy = AStarOptions { greedy: true, ..options };
    let once = AStarOptions { reopen: false, ..options };
    vec![
        ("graph dfs", Box::new(GraphDfs::new(domain))),
        ("weighted astar", Box::new(AStar::new(domain, Manhattan, weighted))),
        ("greedy", Box::new(AStar::new(domain, Manhattan, greedy))),
        ("astar without reopening", Box::new(AStar::new(domain, Fractions, once))),
        ("id 5", Box::new(IterativeDeepening::new(domain, None::<Zero>, plain(5, Memo::Cleared)))),
        ("id 5 kept", Box::new(IterativeDeepening::new(domain, None::<Zero>, plain(5, Memo::Kept)))),
        ("ida 4 both kept", Box::new(deepening(domain, 4, HeuristicUse::Both, Memo::Kept))),
        ("wide beam", Box::new(Beam::new(domain, Manhattan, BeamOptions { width: 1_000 }))),
    ]
}

/// Algorithms that may give up.
fn incomplete(domain: &Puzzle) -> Vec<(&'static str, Boxed<'_>)> {
    let hybrid = HybridOptions { cutoff: 3, depth: 9, ..HybridOptions::default() };
    let tree = |prune, early| TreeBfs::new(domain, TreeBfsOptions { prune, early, depth: 9, threads: 1 });
    vec![
        ("tree bfs", Box::new(tree(Prune::None, false))),
        ("tree bfs early", Box::new(tree(Prune::None, true))),
        ("tree bfs pre", Box::new(tree(Prune::Pre, false))),
        ("tree bfs post", Box::new(tree(Prune::Post, false))),
        ("tree bfs post early", Box::new(tree(Prune::Post, true))),
        ("tree dfs", Box::new(TreeDfs::new(domain, TreeDfsOptions { depth: 9 }))),
        ("hybrid", Box::new(Hybrid::new(domain, hybrid))),
        ("narrow beam", Box::new(Beam::new(domain, Manhattan, BeamOptions { width: 3 }))),
        ("random walk", Box::new(RandomWalk::new(domain, RandomWalkOptions { seed: 5, steps: 3_000 }))),
    ]
}

fn all(domain: &Puzzle) -> Vec<(&'static str, Boxed<'_>)> {
    optimal(domain).into_iter().chain(complete(domain)).chain(incomplete(domain)).collect()
}

fn solve(search: &mut dyn Search<Puzzle>) -> Outcome<Move> {
    run(search, &Limits::default())
}

/// Returns whether the solution consists of legal moves and reaches the goal.
fn replays(domain: &Puzzle, solution: &[Move]) -> bool {
    moves::replay(domain.board(), solution) == Ok(*domain.goal())
}

/// Random 2x3 boards, half of which are unsolvable.
fn tiles() -> impl Strategy<Value = Puzzle> {
    Just("012345".chars().collect::<Vec<_>>()).prop_shuffle().prop_map(|cells| puzzle(&String::from_iter(cells)))
}

/// The same puzzle after one move.
fn moved(domain: &Puzzle, choice: usize) -> Puzzle {
    let (mut state, mut moves) = (domain.start(), Vec::new());
    domain.moves(&state, &mut moves);
    domain.apply(&mut state, moves[choice % moves.len()]);
    Puzzle::with_goal(state, *domain.goal()).unwrap()
}

/// 2x3 boards a few random moves away from the goal.
fn near_goal() -> impl Strategy<Value = Puzzle> {
    proptest::collection::vec(0..64usize, 0..10)
        .prop_map(|choices| choices.into_iter().fold(puzzle("012345"), |domain, choice| moved(&domain, choice)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn optimal_searches_agree_and_complete_searches_prove_unsolvability(domain in tiles()) {
        let first = solve(&mut Bfs::new(&domain));
        for (name, mut search) in optimal(&domain) {
            let outcome = solve(&mut *search);
            prop_assert_eq!(outcome.verdict, first.verdict, "{}", name);
            prop_assert_eq!(
                outcome.solution.as_ref().map(Vec::len), first.solution.as_ref().map(Vec::len), "{}", name
            );
            prop_assert!(outcome.solution.is_none_or(|moves| replays(&domain, &moves)), "{}", name);
        }
        for (name, mut search) in complete(&domain) {
            let outcome = solve(&mut *search);
            prop_assert_eq!(outcome.verdict, first.verdict, "{}", name);
            prop_assert!(outcome.solution.is_none_or(|moves| replays(&domain, &moves)), "{}", name);
        }
    }

    #[test]
    fn searches_over_paths_find_optimal_solutions_within_their_depth(domain in near_goal()) {
        let shortest = solve(&mut Bfs::new(&domain)).solution.unwrap().len();
        for (name, mut search) in incomplete(&domain).into_iter().take(7) {
            let outcome = solve(&mut *search);
            prop_assert_eq!(outcome.verdict, Verdict::Solved, "{}", name);
            let solution = outcome.solution.unwrap();
            prop_assert_eq!(solution.len(), shortest, "{}", name);
            prop_assert!(replays(&domain, &solution), "{}", name);
        }
    }

    /// The observations of van Dijk's thesis, sections 4.4, 5.1 and 5.2.
    #[test]
    fn searches_over_paths_reproduce_the_node_counts_of_the_thesis(domain in near_goal(), cutoff in 0..12u32) {
        let shortest = solve(&mut Bfs::new(&domain)).solution.unwrap().len() as u32;
        let tree = |prune, early| TreeBfs::new(&domain, TreeBfsOptions { prune, early, depth: 20, threads: 1 });
        let plain = solve(&mut tree(Prune::None, false)).statistics;
        let deep = solve(&mut TreeDfs::new(&domain, TreeDfsOptions { depth: shortest })).statistics;
        prop_assert_eq!(deep.expanded, plain.expanded);

        for prune in [Prune::None, Prune::Pre, Prune::Post] {
            let late = solve(&mut tree(prune, false)).statistics;
            let mut search = tree(prune, true);
            let early = solve(&mut search).statistics;
            if prune != Prune::Post {
                prop_assert_eq!(early.expanded + search.queue_len().unwrap() + 1, late.expanded);
            }
            prop_assert!(early.expanded <= late.expanded && late.expanded <= plain.expanded);
        }
        let (mut pre, mut post) = (tree(Prune::Pre, false), tree(Prune::Post, false));
        prop_assert_eq!(solve(&mut pre).statistics.expanded, solve(&mut post).statistics.expanded);
        prop_assert!(pre.queue_len() <= post.queue_len());

        let hybrid = solve(&mut Hybrid::new(&domain, HybridOptions { cutoff, depth: 12, ..HybridOptions::default() }));
        prop_assert_eq!(hybrid.solution.unwrap().len() as u32, shortest);
        let alone = solve(&mut Hybrid::new(&domain, HybridOptions { cutoff: 0, depth: 12, ..HybridOptions::default() })).statistics;
        let deep = solve(&mut TreeDfs::new(&domain, TreeDfsOptions { depth: 12 })).statistics;
        prop_assert_eq!(alone.expanded, deep.expanded);
    }

    #[test]
    fn statistics_are_deterministic_and_independent_of_batches(domain in tiles(), batches in proptest::collection::vec(1..40u32, 1..8)) {
        for ((name, mut once), (_, mut again)) in all(&domain).into_iter().zip(all(&domain)) {
            let outcome = solve(&mut *once);
            let mut verdict = None;
            for batch in batches.iter().cycle() {
                for _ in 0..*batch {
                    let before = again.statistics();
                    verdict = again.step();
                    let after = again.statistics();
                    prop_assert!(after.expanded <= before.expanded + 1, "{} expands more than one node a step", name);
                    if verdict.is_some() {
                        break;
                    }
                }
                if verdict.is_some() {
                    break;
                }
            }
            prop_assert_eq!(verdict, Some(outcome.verdict), "{}", name);
            let expected = SearchStatistics { peak_memory: again.statistics().peak_memory, ..outcome.statistics };
            prop_assert_eq!(again.statistics(), expected, "{}", name);
            prop_assert_eq!(again.solution(), outcome.solution, "{}", name);
        }
    }

    #[test]
    fn node_limits_are_exact(domain in tiles(), nodes in 0..300u64) {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        for ((name, mut limited), (_, mut free)) in all(&domain).into_iter().zip(all(&domain)) {
            let (limited, free) = (run(&mut *limited, &limits), solve(&mut *free));
            if limited.verdict == Verdict::Limit(Limit::Nodes) {
                prop_assert_eq!(limited.statistics.expanded, nodes, "{}", name);
                prop_assert!(free.statistics.expanded >= nodes, "{}", name);
            } else {
                prop_assert_eq!(limited.statistics, free.statistics, "{}", name);
            }
        }
    }
}

#[test]
fn a_limited_search_returns_the_best_solution_so_far() {
    let domain = puzzle("312450");
    let free = solve(&mut TreeDfs::new(&domain, TreeDfsOptions { depth: 12 }));
    let mut lengths = Vec::new();
    for nodes in 0..free.statistics.expanded {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let outcome = run(&mut TreeDfs::new(&domain, TreeDfsOptions { depth: 12 }), &limits);
        assert_eq!(outcome.verdict, Verdict::Limit(Limit::Nodes));
        if let Some(solution) = outcome.solution {
            assert!(replays(&domain, &solution));
            lengths.push(solution.len());
        }
    }
    assert!(lengths.is_sorted_by(|a, b| a >= b));
    assert!(lengths.iter().any(|&length| length > 3), "the first solution is suboptimal");
    assert_eq!(free.solution.unwrap().len(), 3);
}

#[test]
fn a_solved_start_has_the_empty_solution() {
    let domain = puzzle("012345");
    for (name, mut search) in all(&domain) {
        let outcome = solve(&mut *search);
        assert_eq!((outcome.verdict, outcome.solution), (Verdict::Solved, Some(Vec::new())), "{name}");
        assert!(outcome.statistics.expanded <= 1, "{name}");
    }
}

#[test]
fn wrong_parity_is_unsolvable_and_a_solution_beyond_the_depth_limit_is_incomplete() {
    let stuck = puzzle("0213");
    for (name, mut search) in optimal(&stuck).into_iter().chain(complete(&stuck)) {
        assert_eq!(solve(&mut *search).verdict, Verdict::Unsolvable, "{name}");
    }
    let far = puzzle("450123");
    for (name, mut search) in incomplete(&far).into_iter().take(7) {
        let outcome = solve(&mut *search);
        assert_eq!(outcome.verdict, Verdict::Limit(Limit::Incomplete), "{name}");
        assert_eq!(outcome.solution, None, "{name}");
    }
}

/// Useless estimates must cause neither wrong results nor panics.
#[test]
fn invalid_estimates_are_harmless() {
    struct Constant(f64);
    impl Heuristic<Puzzle> for Constant {
        fn estimate(&mut self, domain: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
            if domain.is_goal(node.state) { 0.0 } else { self.0 }
        }
    }
    let domain = puzzle("125340");
    for value in [f64::NAN, -3.5, f64::NEG_INFINITY, 1e300, 0.0] {
        let both = DeepeningOptions {
            increment: 0,
            growth: f64::NAN,
            guide: HeuristicUse::Both,
            memo: Memo::Kept,
            reopen: false,
            shortcut: true,
            ..DeepeningOptions::default()
        };
        let searches: [Boxed<'_>; 5] = [
            Box::new(AStar::new(&domain, Constant(value), AStarOptions { weight: 0.0, ..AStarOptions::default() })),
            Box::new(IterativeDeepening::new(&domain, Some(Constant(value)), both)),
            Box::new(Ibex::new(&domain, Constant(value))),
            Box::new(Beam::new(&domain, Constant(value), BeamOptions { width: 400 })),
            Box::new(AStar::new(&domain, Constant(value), AStarOptions { greedy: true, ..AStarOptions::default() })),
        ];
        for (number, mut search) in searches.into_iter().enumerate() {
            let outcome = solve(&mut *search);
            if number == 1 && value > 1e9 {
                // The estimate exceeds the maximum threshold.
                assert_eq!(outcome.verdict, Verdict::Limit(Limit::Incomplete));
                continue;
            }
            assert_eq!(outcome.verdict, Verdict::Solved, "{number} {value}");
            assert!(replays(&domain, &outcome.solution.unwrap()));
        }
    }
    let hopeless: [Boxed<'_>; 4] = [
        Box::new(AStar::new(&domain, Constant(f64::INFINITY), AStarOptions::default())),
        Box::new(IterativeDeepening::new(&domain, Some(Constant(f64::INFINITY)), DeepeningOptions::default())),
        Box::new(Ibex::new(&domain, Constant(f64::INFINITY))),
        Box::new(Beam::new(&domain, Constant(f64::INFINITY), BeamOptions { width: 1 })),
    ];
    for mut search in hopeless {
        assert_eq!(solve(&mut *search).verdict, Verdict::Unsolvable);
    }
}

#[test]
fn better_guidance_expands_less() {
    let domain = puzzle("724506831");
    let expanded = |search: &mut dyn Search<Puzzle>| solve(search).statistics.expanded;
    let bfs = solve(&mut Bfs::new(&domain)).statistics;
    let SearchStatistics { expanded: guided, until_last_jump, .. } =
        solve(&mut AStar::new(&domain, Manhattan, AStarOptions::default())).statistics;
    assert!(until_last_jump > 0 && until_last_jump <= guided && guided * 10 < bfs.expanded);
    assert_eq!(bfs.expanded + 1, bfs.goal_tests);
    let weighted = AStarOptions { weight: 3.0, ..AStarOptions::default() };
    assert!(expanded(&mut AStar::new(&domain, Manhattan, weighted)) < guided);
    let cleared = expanded(&mut deepening(&domain, 1, HeuristicUse::Prune, Memo::Cleared));
    assert!(expanded(&mut deepening(&domain, 1, HeuristicUse::Prune, Memo::Kept)) <= cleared);
    assert!(cleared < expanded(&mut IterativeDeepening::new(&domain, None::<Zero>, plain(1, Memo::Cleared))));
}

/// An admissible but inconsistent heuristic.
struct Patchy;

impl Heuristic<Puzzle> for Patchy {
    fn estimate(&mut self, domain: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        if domain.key(node.state) % 7 < 3 { Manhattan.estimate(domain, node) } else { 0.0 }
    }
}

/// With an inconsistent heuristic, solutions are longer without reopening. A shortcut compensates for some of that.
#[test]
fn without_reopening_solutions_are_longer_and_the_shortcut_helps() {
    let (mut domain, mut random) = (puzzle("012345"), 1u64);
    let (mut reopened, mut longer, mut saved) = (0, 0, 0);
    for _ in 0..300 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        domain = moved(&domain, (random >> 33) as usize);

        let full = solve(&mut AStar::new(&domain, Patchy, AStarOptions::default()));
        let once = AStarOptions { reopen: false, ..AStarOptions::default() };
        let short = solve(&mut AStar::new(&domain, Patchy, AStarOptions { shortcut: true, ..once }));
        let once = solve(&mut AStar::new(&domain, Patchy, once));
        assert_eq!(once.statistics.reopened, 0);
        reopened += full.statistics.reopened;
        let once = once.solution.unwrap().len();
        longer += once - full.solution.unwrap().len();
        saved += once - short.solution.unwrap().len();
    }
    assert!(reopened > 0 && longer >= saved && saved > 0, "{reopened} {longer} {saved}");
}

/// A misleading heuristic.
struct Scattered;

impl Heuristic<Puzzle> for Scattered {
    fn estimate(&mut self, domain: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        (domain.key(node.state) % 7) as f64
    }
}

/// Compares a search without and with the shortcut: the statistics are equal, and the solution is not longer.
fn assert_shortcut(domain: &Puzzle, plain: &Outcome<Move>, short: &Outcome<Move>) -> Result<(), TestCaseError> {
    let peak_memory = short.statistics.peak_memory;
    prop_assert_eq!(
        (plain.verdict, SearchStatistics { peak_memory, ..plain.statistics }),
        (short.verdict, short.statistics)
    );
    prop_assert_eq!(plain.solution.is_some(), short.solution.is_some());
    if let (Some(plain), Some(short)) = (&plain.solution, &short.solution) {
        prop_assert!(replays(domain, short));
        let shortest = solve(&mut Bfs::new(domain)).solution.unwrap().len();
        prop_assert!(short.len() <= plain.len() && short.len() >= shortest);
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_shortcut_expands_nothing_and_is_never_longer(domain in tiles(), greedy: bool, reopen: bool) {
        let options = AStarOptions { greedy, weight: 9.0, reopen, ..AStarOptions::default() };
        let plain = solve(&mut AStar::new(&domain, Scattered, options));
        let short = solve(&mut AStar::new(&domain, Scattered, AStarOptions { shortcut: true, ..options }));
        assert_shortcut(&domain, &plain, &short)?;
    }

    #[test]
    fn a_shortcut_in_iterative_deepening_expands_nothing_and_is_never_longer(domain in tiles(), increment in 1..40u32, growth in 1.0..3.0, kept: bool, reopen: bool, order: bool) {
        let memo = if kept { Memo::Kept } else { Memo::Cleared };
        let guide = if order { HeuristicUse::Order } else { HeuristicUse::Both };
        let options = DeepeningOptions { increment, growth, guide, memo, reopen, ..DeepeningOptions::default() };
        let plain = solve(&mut IterativeDeepening::new(&domain, Some(Scattered), options));
        let short = DeepeningOptions { shortcut: true, ..options };
        let short = solve(&mut IterativeDeepening::new(&domain, Some(Scattered), short));
        assert_shortcut(&domain, &plain, &short)?;
    }
}

proptest! {
    #[test]
    fn iterative_deepening_without_reopening_is_complete(domain in tiles(), increment in 1..9u32, guide in guides()) {
        let once = DeepeningOptions { increment, growth: 2.0, guide, reopen: false, ..DeepeningOptions::default() };
        for options in [once, DeepeningOptions { memo: Memo::Kept, ..once }] {
            let outcome = solve(&mut IterativeDeepening::new(&domain, Some(Scattered), options));
            let shortest = solve(&mut Bfs::new(&domain));
            prop_assert_eq!(outcome.verdict, shortest.verdict);
            prop_assert!(outcome.solution.is_none_or(|moves| replays(&domain, &moves)));
        }
    }

    #[test]
    fn without_reopening_an_iteration_expands_no_state_twice(domain in tiles(), guide in guides()) {
        let options = DeepeningOptions { increment: 1000, guide, reopen: false, ..DeepeningOptions::default() };
        let mut search = IterativeDeepening::new(&domain, Some(Scattered), options);
        let outcome = solve(&mut search);
        // One iteration, or none if the start is the goal. Half of the 720 boards are reachable from any board.
        prop_assert_eq!(search.threshold(), if domain.is_goal(&domain.start()) { 0 } else { 1000 });
        prop_assert!(outcome.statistics.expanded <= 360);
    }
}

fn guides() -> impl Strategy<Value = HeuristicUse> {
    prop_oneof![Just(HeuristicUse::Order), Just(HeuristicUse::Prune), Just(HeuristicUse::Both)]
}

/// With a large first threshold, iterative deepening finds long solutions; the shortcut makes up for much of that.
#[test]
fn a_shortcut_shortens_the_solutions_of_large_increments() {
    let domain = puzzle("724506831");
    let options =
        DeepeningOptions { increment: 60, guide: HeuristicUse::Order, memo: Memo::Kept, ..DeepeningOptions::default() };
    let length =
        |options| solve(&mut IterativeDeepening::new(&domain, Some(Manhattan), options)).solution.unwrap().len();
    let (plain, short) = (length(options), length(DeepeningOptions { shortcut: true, ..options }));
    assert!(short < plain, "{short} {plain}");
}
