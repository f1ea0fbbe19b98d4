//! Training: arenas with the same counts as the puzzle itself, linear fits, and reproducible runs.

use clearway_gp::{Evolution, EvolutionOptions, Problem};
use clearway_policy::terminals::{TERMINALS, TerminalSet};
use clearway_policy::training::{
    Arena, ArenaError, BoardJob, BoardLimits, Config, DirectLimits, EvolutionStateError, LinearFit, Objective,
    PolicyProblem, PolicySearch, Scratch, TrainingBoard, TrainingBoardError, baseline,
};
use clearway_policy::{CompiledPolicy, Policy, PolicyHeuristic};
use clearway_rush::heuristics::HeuristicContext;
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, RushDomain, formats};
use clearway_search::deepening::{DeepeningOptions, IterativeDeepening};
use clearway_search::{Limits, Outcome, Zero, run};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Policies that together use every terminal, products of heuristics, and negative numbers.
const POLICIES: [&str; 5] = [
    "DEFAULT 2*h1",
    "IF g <= 0 THEN relaxed-plan + 12 IF is-releasing-move AND h1 >= 0.1 THEN 3*h1 DEFAULT 1.5*relaxed-plan - 0.3*displacement + 20",
    "IF phase-by-blockers <= 0.3 OR is-move-to-secluded THEN h2 IF phase-by-distance >= 0.6 THEN h3 DEFAULT two-level*two-level",
    "IF number-of-siblings >= 0.3 AND difficulty-level <= 0.9 THEN landmarks + blockers DEFAULT relaxed-cells + 0.5*mobility",
    "DEFAULT relaxed-plan*0.7 + relaxed-conflicts + relaxed-turns - 0.1*settled-displacement + 0.1*start-plan-cells - 5",
];

fn board(suite: &str, number: usize) -> Board {
    Suite::find(suite).unwrap().puzzles()[number].board.clone()
}

fn job(suite: &str, number: usize) -> BoardJob {
    BoardJob::new(format!("{suite} {number}"), board(suite, number), 0.5)
}

fn boards(jobs: &[BoardJob]) -> Vec<TrainingBoard> {
    let ready = |job| TrainingBoard::new(job, TerminalSet::Extended, &BoardLimits::default());
    jobs.iter().map(|job| ready(job).unwrap()).collect()
}

#[test]
fn an_arena_gives_the_same_counts_as_the_puzzle() {
    let wanted = vec![true; TERMINALS.len()];
    let six = [0, 9, 20, 39].map(|number| board("cards", number));
    let eight = board("train-8x8", 24);
    for (metric, board) in
        six.iter().chain([&eight]).map(|board| (Metric::Moves, board)).chain([(Metric::Steps, &six[1])])
    {
        let arena = Arena::new(board, metric, 0.5, &wanted, &BoardLimits::default(), |_, _| true).unwrap();
        let context = HeuristicContext { difficulty: 0.5, ..HeuristicContext::default() };
        if board.vehicles().len() <= 16 {
            agree::<1>(board, metric, &arena, &context);
        } else {
            agree::<2>(board, metric, &arena, &context);
        }
    }
}

fn agree<const N: usize>(board: &Board, metric: Metric, arena: &Arena, context: &HeuristicContext) {
    let domain = RushDomain::<N>::new(board, metric).unwrap();
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let facts = |outcome: &Outcome<_>| {
        (outcome.statistics.expanded, outcome.statistics.evaluated, outcome.solution.as_ref().map(Vec::len))
    };
    let plain = DeepeningOptions { increment: 5, ..DeepeningOptions::default() };
    let none = run(&mut IterativeDeepening::new(&domain, None::<Zero>, plain), &limits);
    let trial = baseline(arena, 20_000);
    assert_eq!((trial.nodes, trial.length.map(|length| length as usize)), (facts(&none).0, facts(&none).2));
    let mut scratch = Scratch::default();
    for text in POLICIES {
        let policy: Policy = text.parse().unwrap();
        let program = CompiledPolicy::new(&policy);
        let heuristic = || PolicyHeuristic::new(&policy, &domain, context).unwrap();
        for search in [
            "ida(policy, order, increment=3, growth=1.5, memo=kept, reopen=no, shortcut=yes)",
            "ida(policy, prune, increment=3)",
            "ida(policy, both, increment=3, growth=1.5, memo=kept, reopen=no, shortcut=yes)",
            "wastar(policy, weight=1.5)",
            "greedy(policy)",
            "astar(policy, reopen=yes)",
            "wastar(policy, weight=1, novelty=1)",
            "wastar(policy, weight=1, novelty=2, neighbourhood=500)",
            "wastar(policy, weight=1, deferred=yes, preferred=yes, novelty=2)",
            "greedy(policy, preferred=yes)",
            "ibex(policy)",
            "beam(policy, width=50)",
        ] {
            let search: PolicySearch = search.parse().unwrap();
            let outcome = run(search.algorithm().start(&domain, Some(heuristic())).unwrap().as_mut(), &limits);
            let trial = search.trial(arena, &program, &mut scratch, 20_000);
            let ours = (trial.nodes, trial.evaluated, trial.length.map(|length| length as usize));
            assert_eq!(ours, facts(&outcome), "{search}, {text}");
        }
    }
}

#[test]
fn unsuitable_boards_are_left_out_with_a_reason() {
    let limits = BoardLimits::default();
    let new = |board: &Board, limits: &BoardLimits| {
        let job = BoardJob { board: board.clone(), ..job("cards", 0) };
        TrainingBoard::new(&job, TerminalSet::Paper, limits).map(|_| ())
    };
    let read = |text: &str| formats::read_one(text, None).unwrap().board;
    assert_eq!(new(&read("4x3:....BBAA...."), &limits), Err(TrainingBoardError::Arena(ArenaError::Solved)));
    let shut = read("4x4:....AABB........");
    assert_eq!(new(&shut, &limits), Err(TrainingBoardError::Arena(ArenaError::Unsolvable)));
    let small = BoardLimits { states: 100, ..limits };
    assert_eq!(new(&board("cards", 0), &small), Err(TrainingBoardError::Arena(ArenaError::TooLarge(100))));
    let quick = BoardLimits { baseline: 10, ..limits };
    assert_eq!(new(&board("cards", 0), &quick), Err(TrainingBoardError::BaselineLimitReached(10)));
    assert_eq!(new(&board("cards", 0), &limits), Ok(()));
}

#[test]
fn random_starts_depend_only_on_their_seed_and_stay_in_the_component() {
    let whole = boards(&[job("cards", 0)]);
    let at = |seed| boards(&[BoardJob { start: Some(seed), ..job("cards", 0) }]).remove(0);
    let starts: Vec<(u32, u64)> = (0..6).map(|seed| (at(seed).reference_length(), at(seed).baseline)).collect();
    assert_eq!(starts, (0..6).map(|seed| (at(seed).reference_length(), at(seed).baseline)).collect::<Vec<_>>());
    assert!(starts.iter().any(|start| *start != starts[0]), "{starts:?}");
    assert_eq!(at(1).arena().unwrap().states(), whole[0].arena().unwrap().states());
}

#[test]
fn the_linear_fit_minimises_the_squared_error() {
    let boards = boards(&[job("cards", 2), job("cards", 7)]);
    let arenas: Vec<&Arena> = boards.iter().filter_map(TrainingBoard::arena).collect();
    let fit = LinearFit::new(&boards, TerminalSet::Extended, 4);
    assert_eq!(fit.weights.len(), 4);
    let error = |fit: &LinearFit| -> f64 {
        let states = arenas.iter().flat_map(|arena| {
            let step = (arena.states() / 400).max(1);
            (0..arena.states() as u32).step_by(step).map(move |state| (*arena, state))
        });
        let unsolved = states.filter(|(arena, state)| arena.distance(*state) > 0);
        let square = |(arena, state): (&Arena, u32)| {
            let sum: f64 =
                fit.weights.iter().map(|&(terminal, weight)| weight * arena.terminal_value(state, terminal)).sum();
            (sum + fit.constant - f64::from(arena.distance(state))).powi(2)
        };
        unsolved.map(square).sum()
    };
    let least = error(&fit);
    for changed in 0..4 {
        for by in [-0.01, 0.01] {
            let mut other = fit.clone();
            other.weights[changed].1 += by;
            assert!(error(&other) > least);
        }
    }
    let other = LinearFit { constant: fit.constant + 0.01, ..fit.clone() };
    assert!(error(&other) > least);
    let policy = fit.policy();
    assert_eq!(policy.to_string().parse::<Policy>().unwrap().to_genome(), policy.to_genome());
}

fn problem(config: Config) -> PolicyProblem {
    let jobs: Vec<BoardJob> = [0, 1, 3, 4, 5, 7].map(|number| job("cards", number)).to_vec();
    PolicyProblem::new(config, boards(&jobs), Arc::default())
}

fn small(mut config: Config) -> Config {
    config.sample = 4;
    config.evolution = EvolutionOptions { population: 16, elites: 1, ..config.evolution };
    config
}

#[test]
fn evolution_gives_the_same_champion_on_any_number_of_threads_and_beats_the_fit() {
    let config = small(Config { search: PolicySearch::wastar(1.0), ..Config::default() });
    let champion = |threads| {
        let mut run = Evolution::new(problem(config.clone()), config.evolution.clone()).unwrap();
        for _ in 0..12 {
            run.step(threads, &AtomicBool::new(false)).unwrap();
        }
        run.problem().champion(None, run.memory(), run.population(), threads).unwrap()
    };
    let (one, many) = (champion(1), champion(8));
    assert_eq!(one, many);
    let problem = problem(config.clone());
    let fit = problem.performance_on(&problem.fit().policy().to_genome(), 0..6);
    assert_eq!((fit.solved, one.training.solved), (6, 6));
    assert!(one.training.percentage < fit.percentage, "{:?} against {fit:?}", one.training);
}

#[test]
fn a_champion_selected_on_a_validation_set_is_the_best_there() {
    let config = small(Config { longest: 1.1, ..Config::default() });
    let mut run = Evolution::new(problem(config.clone()), config.evolution.clone()).unwrap();
    for _ in 0..12 {
        run.step(2, &AtomicBool::new(false)).unwrap();
    }
    let jobs: Vec<BoardJob> = [10, 12, 14, 16, 18, 20].map(|number| job("cards", number)).to_vec();
    let others = PolicyProblem::new(config, boards(&jobs), Arc::default());
    let choose = |validation| run.problem().champion(validation, run.memory(), run.population(), 2).unwrap();
    let (plain, chosen) = (choose(None), choose(Some(&others)));
    assert_eq!((plain.validation, chosen.validation), (None, Some(others.performance(&chosen.genome))));
    assert_ne!(plain.genome, chosen.genome, "the validation set selects a different one");
    assert_eq!(chosen.training, run.problem().performance(&chosen.genome));
    // No other candidate within the length limit needs fewer nodes there.
    let there = chosen.validation.unwrap();
    assert!(there.length <= 1.1 && there.solved == 6, "{there:?}");
    for genome in run.memory().best.iter().chain([&plain.genome]) {
        let one = others.performance(genome);
        let keeps = one.length <= 1.1 && one.solved == 6 && run.problem().performance(genome).length <= 1.1;
        assert!(!keeps || one.percentage >= there.percentage, "{one:?} against {there:?}");
    }
}

#[test]
fn the_paper_preset_uses_only_the_terminals_of_the_paper() {
    let config = small(Config::paper());
    assert_eq!((config.rules, config.depth, config.objective), (5, 5, Objective::Saved));
    let mut run = Evolution::new(problem(config.clone()), config.evolution.clone()).unwrap();
    run.step(2, &AtomicBool::new(false)).unwrap();
    run.step(2, &AtomicBool::new(false)).unwrap();
    for individual in run.population() {
        let policy = run.problem().policy(&individual.genome);
        assert_eq!(policy.rules.len(), 5);
        assert!(CompiledPolicy::new(&policy).terminals().iter().all(|&terminal| TERMINALS[terminal].paper));
        assert!(individual.fitness.score <= 100.0);
    }
    assert_eq!(run.memory().sample.len(), 4);
    assert!(run.problem().founders(0).is_empty());
}

#[test]
fn policies_with_the_same_behaviour_are_evaluated_once() {
    let config = small(Config { resample: 100, ..Config::default() });
    let mut run = Evolution::new(problem(config.clone()), config.evolution.clone()).unwrap();
    let cached: u64 = (0..4).map(|_| run.step(2, &AtomicBool::new(false)).unwrap().cached).sum();
    assert!(cached >= 6, "expected at least the elites of three generations, not {cached}");
}

#[test]
fn an_individual_that_was_stopped_early_is_never_better_than_one_that_finished() {
    for objective in [Objective::Saved, Objective::Nodes] {
        let jobs: Vec<BoardJob> = [0, 1, 2, 3, 4, 5, 7, 8, 10, 11].map(|number| job("cards", number)).to_vec();
        let config = Config { objective, sample: 10, ..small(Config::default()) };
        let config = Config { sample: 10, ..config };
        let mut run =
            Evolution::new(PolicyProblem::new(config.clone(), boards(&jobs), Arc::default()), config.evolution)
                .unwrap();
        run.step(2, &AtomicBool::new(false)).unwrap();
        // Individuals that were stopped after six boards have the same case value for all others.
        let stopped_early = |cases: &[f64]| cases[6..].windows(2).all(|pair| (pair[0] - pair[1]).abs() < 1e-9);
        let score = |stopped: bool| {
            let chosen = run.population().iter().filter(move |one| stopped_early(&one.fitness.cases) == stopped);
            chosen.map(|one| one.fitness.score)
        };
        let best_finished = score(false).fold(f64::MIN, f64::max);
        assert!(score(true).count() > 0 && score(true).all(|score| score < best_finished), "{objective:?}");
        assert!(objective == Objective::Nodes || best_finished <= 100.0);
    }
}

#[test]
fn a_run_is_not_resumed_with_a_different_configuration_or_fewer_boards() {
    let config = small(Config::default());
    let mut run = Evolution::new(problem(config.clone()), config.evolution.clone()).unwrap();
    run.step(2, &AtomicBool::new(false)).unwrap();
    let memory = run.memory();
    assert_eq!(run.problem().check(memory), Ok(()));
    let longer = Config { generations: 7, ..config.clone() };
    assert_eq!(problem(longer).check(memory), Ok(()), "more generations are allowed");
    let other = Config { longest: 1.5, ..config.clone() };
    assert_eq!(problem(other).check(memory), Err(EvolutionStateError::DifferentConfiguration));
    let fewer = PolicyProblem::new(config, boards(&[job("cards", 0)]), Arc::default());
    assert!(matches!(fewer.check(memory), Err(EvolutionStateError::TooFewBoards { boards: 1, .. })));
}

/// Limits with which every board is searched directly.
fn direct(nodes: u64, cache: usize) -> BoardLimits {
    BoardLimits { states: 10, direct: Some(DirectLimits { nodes, cache }), ..BoardLimits::default() }
}

#[test]
fn a_direct_search_gives_the_same_counts_as_the_puzzle_whatever_is_cached() {
    agree_directly::<1>(&board("cards", 9), Metric::Moves);
    agree_directly::<1>(&board("cards", 9), Metric::Steps);
    agree_directly::<2>(&board("train-8x8", 24), Metric::Moves);
    let large = Suite::find("large").unwrap().puzzles();
    let many = large.iter().find(|puzzle| puzzle.board.vehicles().len() > 32).unwrap();
    agree_directly::<8>(&many.board, Metric::Moves);
}

fn agree_directly<const N: usize>(board: &Board, metric: Metric) {
    let domain = RushDomain::<N>::new(board, metric).unwrap();
    let context = HeuristicContext { difficulty: 0.5, ..HeuristicContext::default() };
    let limits = Limits { nodes: Some(150), ..Limits::default() };
    let job = BoardJob { metric, known: Some(1), ..BoardJob::new(String::new(), board.clone(), 0.5) };
    let boards = [0, 1 << 14, 1 << 24].map(|cache| {
        let ready = TrainingBoard::new(&job, TerminalSet::Extended, &direct(150, cache)).unwrap();
        assert!(ready.arena().is_none() && ready.memory_usage() == cache);
        ready
    });
    for text in POLICIES {
        let policy: Policy = text.parse().unwrap();
        let program = CompiledPolicy::new(&policy);
        for search in ["wastar(policy, weight=1.5)", "ida(policy, both, increment=3, memo=kept)", "greedy(policy)"] {
            let search: PolicySearch = search.parse().unwrap();
            let heuristic = PolicyHeuristic::new(&policy, &domain, &context).unwrap();
            let outcome = run(search.algorithm().start(&domain, Some(heuristic)).unwrap().as_mut(), &limits);
            let expected = (outcome.statistics.expanded, outcome.statistics.evaluated);
            for ready in &boards {
                // The second search finds the values of the first.
                for _ in 0..2 {
                    let trial = ready.trial(&search, &program, &mut Scratch::default(), 150);
                    assert_eq!((trial.nodes, trial.evaluated), expected, "{search}, {text}");
                    assert_eq!(trial.length.map(|length| length as usize), outcome.solution.as_ref().map(Vec::len));
                }
            }
        }
    }
}

#[test]
fn boards_with_too_many_states_are_searched_directly_from_the_board_or_a_state_on_its_plan() {
    let whole = boards(&[job("cards", 2)]).remove(0);
    let prepare = |job: &BoardJob| TrainingBoard::new(job, TerminalSet::Paper, &direct(70, 0)).unwrap();
    let found = prepare(&job("cards", 2));
    assert_eq!((found.reference_length(), found.baseline, found.max_nodes), (whole.reference_length(), 300_000, 70));
    let known = prepare(&BoardJob { known: Some(99), ..job("cards", 2) });
    assert_eq!(known.reference_length(), 99, "a known length is not computed again");
    let at = |seed| prepare(&BoardJob { start: Some(seed), ..job("cards", 2) }).reference_length();
    let lengths: Vec<u32> = (0..6).map(at).collect();
    assert_eq!(lengths, (0..6).map(at).collect::<Vec<_>>());
    assert!(lengths.iter().all(|length| (1..=found.reference_length()).contains(length)), "{lengths:?}");
    assert!(lengths.iter().any(|&length| length < found.reference_length()), "{lengths:?}");
    let little = BoardLimits { memory: 1_000_000, ..direct(70, 0) };
    let error = TrainingBoard::new(&job("cards", 2), TerminalSet::Paper, &little).unwrap_err();
    assert_eq!(error, TrainingBoardError::Arena(ArenaError::OutOfMemory), "the plan needs more memory");
    let shut = BoardJob { board: formats::read_one("4x4:....AABB.CC.DD..", None).unwrap().board, ..job("cards", 2) };
    let few = BoardLimits { states: 1, ..direct(70, 0) };
    let error = TrainingBoard::new(&shut, TerminalSet::Paper, &few).unwrap_err();
    assert_eq!(error, TrainingBoardError::Arena(ArenaError::Unsolvable));
}

#[test]
fn evolution_on_direct_boards_gives_the_same_champion_on_any_number_of_threads() {
    let config = small(Config { search: PolicySearch::wastar(1.0), ..Config::default() });
    let champion = |threads, cache| {
        let ready = |number| {
            let limits = BoardLimits { states: 2_000, ..direct(300, cache) };
            TrainingBoard::new(&job("cards", number), TerminalSet::Extended, &limits).unwrap()
        };
        let boards: Vec<TrainingBoard> = [0, 1, 3, 4, 5, 7].map(ready).into();
        let direct = boards.iter().filter(|board| board.arena().is_none()).count();
        assert!((1..6).contains(&direct), "arenas and direct searches together");
        let mut run =
            Evolution::new(PolicyProblem::new(config.clone(), boards, Arc::default()), config.evolution.clone())
                .unwrap();
        for _ in 0..5 {
            run.step(threads, &AtomicBool::new(false)).unwrap();
        }
        run.problem().champion(None, run.memory(), run.population(), threads).unwrap()
    };
    assert_eq!(champion(1, 1 << 20), champion(8, 1 << 12));
}
