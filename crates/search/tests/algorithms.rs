//! What all algorithms have in common, on sliding tiles: optimal ones agree, solutions replay, proofs hold, counters
//! repeat.

use clearway_search::astar::{AStar, AStarOptions};
use clearway_search::beam::{Beam, BeamOptions};
use clearway_search::bfs::Bfs;
use clearway_search::deepening::{Deepening, DeepeningOptions, Guide, Memo};
use clearway_search::dfs::{GraphDfs, TreeDfs, TreeDfsOptions};
use clearway_search::hybrid::{Hybrid, HybridOptions};
use clearway_search::ibex::Ibex;
use clearway_search::random_walk::{RandomWalk, RandomWalkOptions};
use clearway_search::tree_bfs::{Prune, TreeBfs, TreeBfsOptions};
use clearway_search::{Counters, Domain, Heuristic, Limit, Limits, Node, Outcome, Search, Verdict, Zero, run};
use clearway_tiles::heuristics::Manhattan;
use clearway_tiles::{Board, Move, Puzzle, moves};
use proptest::prelude::*;

type Boxed<'a> = Box<dyn Search<Puzzle> + 'a>;

/// A board to be put in order, with the blank first; half of all boards cannot be.
fn puzzle(board: &str) -> Puzzle {
    let board = Board::parse(board).unwrap();
    let goal: Vec<u8> = (0..board.cells().len() as u8).collect();
    Puzzle::unchecked(board, Board::new(board.size(), &goal).unwrap()).unwrap()
}

/// Manhattan spread over many distinct values, never more than the real one.
struct Fractions;

impl Heuristic<Puzzle> for Fractions {
    fn estimate(&mut self, domain: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        let key = domain.key(node.state) as f64;
        Manhattan.estimate(domain, node) * (0.75 + (key % 1009.0) / 4036.0)
    }
}

fn deepening(domain: &Puzzle, increment: u32, guide: Guide, memo: Memo) -> Deepening<'_, Puzzle, Manhattan> {
    Deepening::new(domain, Some(Manhattan), DeepeningOptions { increment, guide, memo, ..DeepeningOptions::default() })
}

fn plain(increment: u32, memo: Memo) -> DeepeningOptions {
    DeepeningOptions { increment, guide: Guide::Order, memo, ..DeepeningOptions::default() }
}

/// Algorithms over states that find shortest solutions and prove that there is none.
fn optimal(domain: &Puzzle) -> Vec<(&'static str, Boxed<'_>)> {
    let astar = AStarOptions::default();
    vec![
        ("bfs", Box::new(Bfs::new(domain))),
        ("astar zero", Box::new(AStar::new(domain, Zero, astar))),
        ("astar manhattan", Box::new(AStar::new(domain, Manhattan, astar))),
        ("astar fractions", Box::new(AStar::new(domain, Fractions, astar))),
        ("id", Box::new(Deepening::new(domain, None::<Zero>, plain(1, Memo::Cleared)))),
        ("id kept", Box::new(Deepening::new(domain, None::<Zero>, plain(1, Memo::Kept)))),
        ("ida order", Box::new(deepening(domain, 1, Guide::Order, Memo::Cleared))),
        ("ida order kept", Box::new(deepening(domain, 1, Guide::Order, Memo::Kept))),
        ("ida prune", Box::new(deepening(domain, 1, Guide::Prune, Memo::Cleared))),
        ("ida prune kept", Box::new(deepening(domain, 1, Guide::Prune, Memo::Kept))),
        ("ida both", Box::new(deepening(domain, 1, Guide::Both, Memo::Cleared))),
        ("ida both kept", Box::new(deepening(domain, 1, Guide::Both, Memo::Kept))),
        ("ibex manhattan", Box::new(Ibex::new(domain, Manhattan))),
        ("ibex fractions", Box::new(Ibex::new(domain, Fractions))),
        ("ibex zero", Box::new(Ibex::new(domain, Zero))),
    ]
}

/// Algorithms that are complete, but whose solutions may be longer than needed.
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
        ("id 5", Box::new(Deepening::new(domain, None::<Zero>, plain(5, Memo::Cleared)))),
        ("id 5 kept", Box::new(Deepening::new(domain, None::<Zero>, plain(5, Memo::Kept)))),
        ("ida 4 both kept", Box::new(deepening(domain, 4, Guide::Both, Memo::Kept))),
        ("wide beam", Box::new(Beam::new(domain, Manhattan, BeamOptions { width: 1_000 }))),
    ]
}

/// Algorithms that may give up.
fn incomplete(domain: &Puzzle) -> Vec<(&'static str, Boxed<'_>)> {
    let hybrid = HybridOptions { cutoff: 3, depth: 9 };
    let tree = |prune, early| TreeBfs::new(domain, TreeBfsOptions { prune, early, depth: 9 });
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

/// The solution leads from the start to a goal by legal moves.
fn replays(domain: &Puzzle, solution: &[Move]) -> bool {
    moves::replay(domain.board(), solution) == Ok(*domain.goal())
}

/// Tiles of a 2x3 frame in any order: half of the orders cannot be solved.
fn tiles() -> impl Strategy<Value = Puzzle> {
    Just("012345".chars().collect::<Vec<_>>()).prop_shuffle().prop_map(|cells| puzzle(&String::from_iter(cells)))
}

/// The same puzzle from another board, one of its moves further.
fn moved(domain: &Puzzle, choice: usize) -> Puzzle {
    let (mut state, mut moves) = (domain.start(), Vec::new());
    domain.moves(&state, &mut moves);
    domain.apply(&mut state, moves[choice % moves.len()]);
    Puzzle::with_goal(state, *domain.goal()).unwrap()
}

/// Tiles of a 2x3 frame a few random moves from order.
fn near() -> impl Strategy<Value = Puzzle> {
    proptest::collection::vec(0..64usize, 0..10)
        .prop_map(|choices| choices.into_iter().fold(puzzle("012345"), |domain, choice| moved(&domain, choice)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn optimal_searches_agree_and_complete_ones_prove(domain in tiles()) {
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
    fn searches_over_paths_find_shortest_solutions_within_their_depth(domain in near()) {
        let shortest = solve(&mut Bfs::new(&domain)).solution.unwrap().len();
        for (name, mut search) in incomplete(&domain).into_iter().take(7) {
            let outcome = solve(&mut *search);
            prop_assert_eq!(outcome.verdict, Verdict::Solved, "{}", name);
            let solution = outcome.solution.unwrap();
            prop_assert_eq!(solution.len(), shortest, "{}", name);
            prop_assert!(replays(&domain, &solution), "{}", name);
        }
    }

    /// The observations of van Dijk's thesis: sections 4.4, 5.1 and 5.2.
    #[test]
    fn the_searches_over_paths_visit_as_many_nodes_as_the_thesis_says(domain in near(), cutoff in 0..12u32) {
        let shortest = solve(&mut Bfs::new(&domain)).solution.unwrap().len() as u32;
        let tree = |prune, early| TreeBfs::new(&domain, TreeBfsOptions { prune, early, depth: 20 });
        let plain = solve(&mut tree(Prune::None, false)).counters;
        let deep = solve(&mut TreeDfs::new(&domain, TreeDfsOptions { depth: shortest })).counters;
        prop_assert_eq!(deep.expanded, plain.expanded);

        for prune in [Prune::None, Prune::Pre, Prune::Post] {
            let late = solve(&mut tree(prune, false)).counters;
            let mut search = tree(prune, true);
            let early = solve(&mut search).counters;
            if prune != Prune::Post {
                prop_assert_eq!(early.expanded + search.queue_len().unwrap() + 1, late.expanded);
            }
            prop_assert!(early.expanded <= late.expanded && late.expanded <= plain.expanded);
        }
        let (mut pre, mut post) = (tree(Prune::Pre, false), tree(Prune::Post, false));
        prop_assert_eq!(solve(&mut pre).counters.expanded, solve(&mut post).counters.expanded);
        prop_assert!(pre.queue_len() <= post.queue_len());

        let hybrid = solve(&mut Hybrid::new(&domain, HybridOptions { cutoff, depth: 12 }));
        prop_assert_eq!(hybrid.solution.unwrap().len() as u32, shortest);
        let alone = solve(&mut Hybrid::new(&domain, HybridOptions { cutoff: 0, depth: 12 })).counters;
        let deep = solve(&mut TreeDfs::new(&domain, TreeDfsOptions { depth: 12 })).counters;
        prop_assert_eq!(alone.expanded, deep.expanded);
    }

    #[test]
    fn counters_repeat_and_do_not_depend_on_the_batches(domain in tiles(), batches in proptest::collection::vec(1..40u32, 1..8)) {
        for ((name, mut once), (_, mut again)) in all(&domain).into_iter().zip(all(&domain)) {
            let outcome = solve(&mut *once);
            let mut verdict = None;
            for batch in batches.iter().cycle() {
                for _ in 0..*batch {
                    let before = again.counters();
                    verdict = again.step();
                    let after = again.counters();
                    prop_assert!(after.expanded <= before.expanded + 1, "{} expands more than one node a step", name);
                    prop_assert!(after.peak_memory >= before.peak_memory);
                }
                if verdict.is_some() {
                    break;
                }
            }
            prop_assert_eq!(verdict, Some(outcome.verdict), "{}", name);
            prop_assert_eq!(again.counters(), outcome.counters, "{}", name);
            prop_assert_eq!(again.solution(), outcome.solution, "{}", name);
        }
    }

    #[test]
    fn node_limits_are_exact(domain in tiles(), nodes in 0..300u64) {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        for ((name, mut limited), (_, mut free)) in all(&domain).into_iter().zip(all(&domain)) {
            let (limited, free) = (run(&mut *limited, &limits), solve(&mut *free));
            if limited.verdict == Verdict::Limit(Limit::Nodes) {
                prop_assert_eq!(limited.counters.expanded, nodes, "{}", name);
                prop_assert!(free.counters.expanded >= nodes, "{}", name);
            } else {
                prop_assert_eq!(limited.counters, free.counters, "{}", name);
            }
        }
    }
}

#[test]
fn a_limit_keeps_the_best_solution_so_far() {
    let domain = puzzle("312450");
    let free = solve(&mut TreeDfs::new(&domain, TreeDfsOptions { depth: 12 }));
    let mut lengths = Vec::new();
    for nodes in 0..free.counters.expanded {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let outcome = run(&mut TreeDfs::new(&domain, TreeDfsOptions { depth: 12 }), &limits);
        assert_eq!(outcome.verdict, Verdict::Limit(Limit::Nodes));
        if let Some(solution) = outcome.solution {
            assert!(replays(&domain, &solution));
            lengths.push(solution.len());
        }
    }
    assert!(lengths.is_sorted_by(|a, b| a >= b));
    assert!(lengths.iter().any(|&length| length > 3), "the first solution is not the shortest here");
    assert_eq!(free.solution.unwrap().len(), 3);
}

#[test]
fn a_solved_start_needs_no_move() {
    let domain = puzzle("012345");
    for (name, mut search) in all(&domain) {
        let outcome = solve(&mut *search);
        assert_eq!((outcome.verdict, outcome.solution), (Verdict::Solved, Some(Vec::new())), "{name}");
        assert!(outcome.counters.expanded <= 1, "{name}");
    }
}

#[test]
fn a_start_of_the_wrong_parity_is_unsolvable_and_one_beyond_reach_is_given_up() {
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

/// Estimates that are of no use must not lead to wrong answers, and never to a panic.
#[test]
fn odd_estimates_do_no_harm() {
    struct Odd(f64);
    impl Heuristic<Puzzle> for Odd {
        fn estimate(&mut self, domain: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
            if domain.is_goal(node.state) { 0.0 } else { self.0 }
        }
    }
    let domain = puzzle("125340");
    for odd in [f64::NAN, -3.5, f64::NEG_INFINITY, 1e300, 0.0] {
        let both = DeepeningOptions {
            increment: 0,
            growth: f64::NAN,
            guide: Guide::Both,
            memo: Memo::Kept,
            reopen: false,
            shortcut: true,
        };
        let searches: [Boxed<'_>; 5] = [
            Box::new(AStar::new(&domain, Odd(odd), AStarOptions { weight: 0.0, ..AStarOptions::default() })),
            Box::new(Deepening::new(&domain, Some(Odd(odd)), both)),
            Box::new(Ibex::new(&domain, Odd(odd))),
            Box::new(Beam::new(&domain, Odd(odd), BeamOptions { width: 400 })),
            Box::new(AStar::new(&domain, Odd(odd), AStarOptions { greedy: true, ..AStarOptions::default() })),
        ];
        for (number, mut search) in searches.into_iter().enumerate() {
            let outcome = solve(&mut *search);
            if number == 1 && odd > 1e9 {
                // No bound is as large as that.
                assert_eq!(outcome.verdict, Verdict::Limit(Limit::Incomplete));
                continue;
            }
            assert_eq!(outcome.verdict, Verdict::Solved, "{number} {odd}");
            assert!(replays(&domain, &outcome.solution.unwrap()));
        }
    }
    let hopeless: [Boxed<'_>; 4] = [
        Box::new(AStar::new(&domain, Odd(f64::INFINITY), AStarOptions::default())),
        Box::new(Deepening::new(&domain, Some(Odd(f64::INFINITY)), DeepeningOptions::default())),
        Box::new(Ibex::new(&domain, Odd(f64::INFINITY))),
        Box::new(Beam::new(&domain, Odd(f64::INFINITY), BeamOptions { width: 1 })),
    ];
    for mut search in hopeless {
        assert_eq!(solve(&mut *search).verdict, Verdict::Unsolvable);
    }
}

#[test]
fn better_guidance_expands_less() {
    let domain = puzzle("724506831");
    let expanded = |search: &mut dyn Search<Puzzle>| solve(search).counters.expanded;
    let bfs = solve(&mut Bfs::new(&domain)).counters;
    let Counters { expanded: guided, until_last_jump, .. } =
        solve(&mut AStar::new(&domain, Manhattan, AStarOptions::default())).counters;
    assert!(until_last_jump > 0 && until_last_jump <= guided && guided * 10 < bfs.expanded);
    assert_eq!(bfs.expanded + 1, bfs.goal_tests);
    let weighted = AStarOptions { weight: 3.0, ..AStarOptions::default() };
    assert!(expanded(&mut AStar::new(&domain, Manhattan, weighted)) < guided);
    let cleared = expanded(&mut deepening(&domain, 1, Guide::Prune, Memo::Cleared));
    assert!(expanded(&mut deepening(&domain, 1, Guide::Prune, Memo::Kept)) <= cleared);
    assert!(cleared < expanded(&mut Deepening::new(&domain, None::<Zero>, plain(1, Memo::Cleared))));
}

/// An estimate that is admissible but not consistent.
struct Patchy;

impl Heuristic<Puzzle> for Patchy {
    fn estimate(&mut self, domain: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        if domain.key(node.state) % 7 < 3 { Manhattan.estimate(domain, node) } else { 0.0 }
    }
}

/// An estimate that is not consistent needs reopening: without it, solutions become longer. A shortcut at the end makes
/// them shorter again.
#[test]
fn a_star_needs_reopening() {
    let (mut domain, mut random) = (puzzle("012345"), 1u64);
    let (mut reopened, mut longer, mut saved) = (0, 0, 0);
    for _ in 0..300 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        domain = moved(&domain, (random >> 33) as usize);

        let whole = solve(&mut AStar::new(&domain, Patchy, AStarOptions::default()));
        let once = AStarOptions { reopen: false, ..AStarOptions::default() };
        let short = solve(&mut AStar::new(&domain, Patchy, AStarOptions { shortcut: true, ..once }));
        let once = solve(&mut AStar::new(&domain, Patchy, once));
        assert_eq!(once.counters.reopened, 0);
        reopened += whole.counters.reopened;
        let once = once.solution.unwrap().len();
        longer += once - whole.solution.unwrap().len();
        saved += once - short.solution.unwrap().len();
    }
    assert!(reopened > 0 && longer >= saved && saved > 0, "{reopened} {longer} {saved}");
}

/// An estimate that leads astray.
struct Scattered;

impl Heuristic<Puzzle> for Scattered {
    fn estimate(&mut self, domain: &Puzzle, node: &Node<'_, Puzzle>) -> f64 {
        (domain.key(node.state) % 7) as f64
    }
}

/// What two searches of which one takes a shortcut must have in common.
fn assert_shortcut(domain: &Puzzle, plain: &Outcome<Move>, short: &Outcome<Move>) -> Result<(), TestCaseError> {
    let peak_memory = short.counters.peak_memory;
    prop_assert_eq!((plain.verdict, Counters { peak_memory, ..plain.counters }), (short.verdict, short.counters));
    prop_assert_eq!(plain.solution.is_some(), short.solution.is_some());
    if let (Some(plain), Some(short)) = (&plain.solution, &short.solution) {
        prop_assert!(replays(domain, short));
        let shortest = solve(&mut Bfs::new(domain)).solution.unwrap().len();
        prop_assert!(short.len() <= plain.len() && short.len() >= shortest);
    }
    Ok(())
}

proptest! {
    /// The shortest way through what was expanded: for nothing, and never longer.
    #[test]
    fn a_shortcut_costs_nothing_and_is_never_longer(domain in tiles(), greedy: bool, reopen: bool) {
        let options = AStarOptions { greedy, weight: 9.0, reopen, shortcut: false };
        let plain = solve(&mut AStar::new(&domain, Scattered, options));
        let short = solve(&mut AStar::new(&domain, Scattered, AStarOptions { shortcut: true, ..options }));
        assert_shortcut(&domain, &plain, &short)?;
    }

    /// The same for iterative deepening, whatever becomes of its table.
    #[test]
    fn a_shortcut_costs_iterative_deepening_nothing(domain in tiles(), increment in 1..40u32, growth in 1.0..3.0, kept: bool, reopen: bool, order: bool) {
        let memo = if kept { Memo::Kept } else { Memo::Cleared };
        let guide = if order { Guide::Order } else { Guide::Both };
        let options = DeepeningOptions { increment, growth, guide, memo, reopen, shortcut: false };
        let plain = solve(&mut Deepening::new(&domain, Some(Scattered), options));
        let short = DeepeningOptions { shortcut: true, ..options };
        let short = solve(&mut Deepening::new(&domain, Some(Scattered), short));
        assert_shortcut(&domain, &plain, &short)?;
    }
}

proptest! {
    /// Searching a state once in an iteration loses no solution, and no proof that there is none.
    #[test]
    fn without_reopening_iterative_deepening_is_still_complete(domain in tiles(), increment in 1..9u32, guide in guides()) {
        let once = DeepeningOptions { increment, growth: 2.0, guide, reopen: false, ..DeepeningOptions::default() };
        for options in [once, DeepeningOptions { memo: Memo::Kept, ..once }] {
            let outcome = solve(&mut Deepening::new(&domain, Some(Scattered), options));
            let shortest = solve(&mut Bfs::new(&domain));
            prop_assert_eq!(outcome.verdict, shortest.verdict);
            prop_assert!(outcome.solution.is_none_or(|moves| replays(&domain, &moves)));
        }
    }

    /// No iteration without reopening expands more states than there are.
    #[test]
    fn without_reopening_an_iteration_expands_no_state_twice(domain in tiles(), guide in guides()) {
        let options = DeepeningOptions { increment: 1000, guide, reopen: false, ..DeepeningOptions::default() };
        let mut search = Deepening::new(&domain, Some(Scattered), options);
        let outcome = solve(&mut search);
        // One iteration, and none where the start is the goal. Half of all boards can be reached from any board.
        prop_assert_eq!(search.bound(), if domain.is_goal(&domain.start()) { 0 } else { 1000 });
        prop_assert!(outcome.counters.expanded <= 360);
    }
}

fn guides() -> impl Strategy<Value = Guide> {
    prop_oneof![Just(Guide::Order), Just(Guide::Prune), Just(Guide::Both)]
}

/// A large first bound lets iterative deepening wander; a shortcut makes up for much of that.
#[test]
fn a_shortcut_shortens_what_a_large_increment_lengthens() {
    let domain = puzzle("724506831");
    let options =
        DeepeningOptions { increment: 60, guide: Guide::Order, memo: Memo::Kept, ..DeepeningOptions::default() };
    let length = |options| solve(&mut Deepening::new(&domain, Some(Manhattan), options)).solution.unwrap().len();
    let (plain, short) = (length(options), length(DeepeningOptions { shortcut: true, ..options }));
    assert!(short < plain, "{short} {plain}");
}
