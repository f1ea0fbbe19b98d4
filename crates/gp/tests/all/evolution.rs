//! Runs are reproducible, can be interrupted, and find solutions.

// Runs are repeated to the last bit, and the numbers of the toy are whole.
#![allow(clippy::float_cmp)]

use crate::common;
use crate::common::{DIGIT, LESS, MINUS, Memory, PLUS, Pieces, TIMES, X, facts, options, pieces, run, steps, tree};
use clearway_gp::{
    Checkpoint, EvaluatedIndividual, Evolution, EvolutionError, EvolutionOptions, Fitness, Genome, Operators,
    Primitives, Problem, Representation, Selection,
};
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn evolution_solves_the_test_problem() {
    let options = EvolutionOptions { population: 300, islands: 2, selection: Selection::EpsilonLexicase, ..options(5) };
    let mut evolution = Evolution::new(pieces(), options).unwrap();
    let solved = |evolution: &Evolution<_>| {
        evolution.best().is_some_and(|best| {
            (-20..20).map(f64::from).all(|x| common::result(&best.genome, x) == if x < 3.0 { 2.0 * x } else { x * x })
        })
    };
    while !solved(&evolution) {
        assert!(evolution.history().len() < 150, "best: {:?}", evolution.best());
        steps(&mut evolution, 1, 2);
    }
}

#[test]
fn one_thread_and_eight_give_the_same_run() {
    for selection in [Selection::Tournament(2), Selection::Lexicase, Selection::EpsilonLexicase] {
        let options = EvolutionOptions { selection, ..options(11) };
        assert_eq!(facts(&run(options.clone(), 7, 1)), facts(&run(options, 7, 8)));
    }
}

#[test]
fn a_generation_can_be_evaluated_elsewhere() {
    let here = run(options(11), 6, 2);
    let (mut evolution, elsewhere) = (Evolution::new(pieces(), options(11)).unwrap(), pieces());
    for number in 0..6 {
        let proposal = evolution.propose();
        assert_eq!(proposal.generation(), number);
        // What travels is text.
        let memory: Memory = serde_json::from_str(&serde_json::to_string(proposal.memory()).unwrap()).unwrap();
        let genomes: Vec<Genome> = serde_json::from_str(&serde_json::to_string(&proposal.distinct()).unwrap()).unwrap();
        let fitnesses: Vec<Fitness> =
            genomes.iter().map(|genome| elsewhere.evaluate(&memory, genome).finite()).collect();
        evolution.accept(proposal, serde_json::from_str(&serde_json::to_string(&fitnesses).unwrap()).unwrap());
    }
    assert_eq!(facts(&evolution), facts(&here));
}

#[test]
fn runs_are_equal_if_and_only_if_their_seeds_are() {
    assert_eq!(facts(&run(options(1), 5, 2)), facts(&run(options(1), 5, 2)));
    assert_ne!(run(options(1), 5, 2).population(), run(options(2), 5, 2).population());
}

#[test]
fn the_run_of_a_seed_never_changes() {
    let evolution = run(options(42), 6, 2);
    let hashes = evolution.population().iter().map(|individual| individual.genome.hash());
    assert_eq!(hashes.fold(0, |sum: u64, hash| sum.wrapping_mul(31).wrapping_add(hash)), 13_649_547_950_649_511_438);
}

#[test]
fn a_resumed_run_gives_the_same_result_as_an_uninterrupted_one() {
    let whole = run(options(3), 9, 2);
    for stops in [vec![0, 9], vec![1, 8], vec![4, 5], vec![1; 9]] {
        let mut evolution = Evolution::new(pieces(), options(3)).unwrap();
        for generations in stops {
            let text = serde_json::to_string(&evolution.checkpoint()).unwrap();
            evolution = Evolution::resume(pieces(), options(3), serde_json::from_str(&text).unwrap()).unwrap();
            steps(&mut evolution, generations, 3);
        }
        assert_eq!(facts(&evolution), facts(&whole));
    }
}

#[test]
fn the_success_of_operators_is_counted() {
    let whole = run(options(3), 6, 2);
    let EvolutionOptions { population, islands, elites, .. } = *whole.options();
    let success = whole.operator_success();
    let children: u32 = success.iter().map(|one| one.children).sum();
    // All but the elites are children, or migrants in some generations.
    assert!(children > 0 && children <= population - islands * elites, "{success:?}");
    assert!(success.iter().all(|one| one.better <= one.children));
    assert!(success.iter().any(|one| one.better > 0), "{success:?}");
    assert!(Evolution::new(pieces(), options(3)).unwrap().operator_success().is_empty());
    // It is the same after a resumption.
    let checkpoint = run(options(3), 5, 1).checkpoint();
    let mut resumed = Evolution::resume(pieces(), options(3), checkpoint).unwrap();
    steps(&mut resumed, 1, 1);
    assert_eq!(resumed.operator_success(), success);
}

#[test]
fn a_cancelled_generation_leaves_no_trace() {
    const AT_END: u32 = 0;
    for (threads, cancel_at) in [(1, 1), (1, 20), (4, 30), (4, 60), (2, 100), (2, AT_END)] {
        let problem = pieces();
        let cancel = problem.cancel.clone();
        let cancel_at_end = AtomicBool::new(cancel_at == AT_END);
        let mut evolution = Evolution::new(Pieces { cancel_at, cancel_at_end, ..problem }, options(3)).unwrap();
        let mut cancelled = 0;
        while evolution.history().len() < 5 {
            let before = facts(&evolution);
            if evolution.step(threads, &cancel).is_none() {
                cancelled += 1;
                assert_eq!(facts(&evolution), before);
                cancel.store(false, Ordering::Relaxed);
            }
        }
        assert_eq!(cancelled, 1);
        assert_eq!(facts(&evolution), facts(&run(options(3), 5, 1)));
    }
}

#[test]
fn identical_individuals_are_evaluated_once() {
    let options = EvolutionOptions { operators: Operators::default(), ..options(4) };
    let mut evolution = Evolution::new(pieces(), options).unwrap();
    let mut evaluated = 0;
    for _ in 0..6 {
        let generation = evolution.step(2, &AtomicBool::new(false)).unwrap().clone();
        let now = evolution.problem().evaluated.load(Ordering::Relaxed);
        let different = (41.0 * generation.uniqueness).round() as u32;
        assert_eq!(now - evaluated, different);
        assert_eq!((generation.nodes, generation.evaluations), (10 * u64::from(different), 10 * u64::from(different)));
        // Each fitness reports one hit of the problem's own cache.
        assert_eq!(generation.cached, u64::from(different) + u64::from(41 - different));
        evaluated = now;
    }
    assert!(evaluated < 6 * 41, "half of the children are copies");
}

#[test]
fn statistics_describe_the_population() {
    let evolution = run(options(6), 4, 2);
    let generation = evolution.history().last().unwrap();
    let mut scores: Vec<f64> = evolution.population().iter().map(|individual| individual.fitness.score).collect();
    scores.sort_by(f64::total_cmp);
    assert_eq!(generation.quartiles, [scores[10], scores[20], scores[30]]);
    assert_eq!((generation.best, generation.generation, generation.individuals), (scores[40], 3, 41));
    assert!((generation.mean - scores.iter().sum::<f64>() / 41.0).abs() < 1e-9);
    let best = evolution.best().unwrap();
    assert_eq!(generation.best, best.fitness.score);
    assert_eq!(generation.best_size as usize, best.genome.size());
    assert_eq!(generation.best_depth, best.genome.depth(evolution.problem().primitives()));
    let sizes: f64 = evolution.population().iter().map(|individual| individual.genome.size() as f64).sum();
    assert!((generation.mean_size - sizes / 41.0).abs() < 1e-9);
    assert!(generation.mean_depth > 1.0 && generation.mean_depth <= 4.0);
    assert_eq!(evolution.memory().generations, 4);
}

#[test]
fn elites_survive_and_the_best_migrate_to_the_next_island() {
    let mut evolution = run(options(7), 2, 2);
    let best = |population: &[EvaluatedIndividual], island: u32| {
        let of_island = population.iter().filter(|individual| individual.island == island);
        let merit = |individual: &&EvaluatedIndividual| (individual.fitness.score, -(individual.genome.size() as f64));
        // Of several such individuals the first: the last one in this order.
        of_island.rev().max_by(|a, b| merit(a).partial_cmp(&merit(b)).unwrap()).unwrap().genome.clone()
    };
    let lives = |population: &[EvaluatedIndividual], island: u32, genome: &Genome| {
        population.iter().any(|individual| individual.island == island && individual.genome == *genome)
    };
    for generation in 2..8 {
        let before = evolution.population().to_vec();
        steps(&mut evolution, 1, 2);
        let after = evolution.population();
        for island in 0..3 {
            let champion = best(&before, island);
            assert!(lives(after, island, &champion));
            let next = (island + 1) % 3;
            if generation % 2 == 0 {
                assert!(lives(after, next, &champion), "generation {generation}");
            }
        }
    }
}

#[test]
fn islands_without_migration_are_independent() {
    // A solution with a minus, which only founders hold.
    let trees = [&[LESS, X, DIGIT][..], &[PLUS, X, X], &[LESS, X, X], &[X], &[MINUS, TIMES, X, X, DIGIT]];
    let mut founder = Genome { trees: trees.map(tree).to_vec() };
    founder.trees[0].nodes[2].value = 3.0;
    let founded = |migration| {
        let options = EvolutionOptions { migration, ..options(8) };
        let mut evolution = Evolution::new(Pieces { founders: vec![founder.clone(); 9], ..pieces() }, options).unwrap();
        steps(&mut evolution, 1, 1);
        assert_eq!(evolution.population()[8].genome, founder);
        steps(&mut evolution, 2, 1);
        let holds_minus = |individual: &&EvaluatedIndividual| {
            individual.genome.trees.iter().flat_map(|tree| &tree.nodes).any(|node| node.primitive == MINUS)
        };
        evolution.population().iter().filter(holds_minus).map(|individual| individual.island).max()
    };
    assert_eq!(founded(0), Some(0));
    assert_eq!(founded(1), Some(2));
}

#[test]
fn nan_scores_are_harmless() {
    let mut problem = pieces();
    problem.spoil = true;
    let mut evolution = Evolution::new(problem, options(9)).unwrap();
    for _ in 0..4 {
        let generation = evolution.step(2, &AtomicBool::new(false)).unwrap();
        assert!(generation.mean.is_finite() && generation.best > f64::MIN);
    }
    let text = serde_json::to_string(&evolution.checkpoint()).unwrap();
    assert_eq!(serde_json::from_str::<Checkpoint<Memory>>(&text).unwrap(), evolution.checkpoint());
}

#[test]
fn invalid_options_are_rejected() {
    let refused = |change: fn(&mut EvolutionOptions)| {
        let mut options = options(1);
        change(&mut options);
        Evolution::new(pieces(), options).err().map(|error| error.to_string())
    };
    assert_eq!(refused(|_| {}), None);
    let says = |change: fn(&mut EvolutionOptions), text: &str| {
        let error = refused(change).unwrap();
        assert!(error.contains(text), "{error}");
    };
    says(|options| options.population = 0, "invalid population 0: expected 1 to 1000000");
    says(|options| options.population = u32::MAX, "invalid population 4294967295");
    says(|options| options.islands = 0, "into 0 islands");
    says(|options| options.islands = 42, "a population of 41 cannot be divided into 42 islands");
    says(|options| options.elites = u32::MAX, "leave no room for children on an island of 13");
    says(|options| options.selection = Selection::Tournament(0), "invalid tournament size 0: expected 1 to 41");
    says(|options| options.selection = Selection::Tournament(u32::MAX), "invalid tournament size 4294967295");
    says(|options| options.operators.crossover = f64::NAN, "invalid crossover NaN: expected 0 to 1");
    says(|options| options.operators.crossover = 0.2, "expected 1");
    says(|options| options.operators.hoist_mutation = 0.9, "expected 1 at most");
    says(|options| options.operators.jitter = -1.0, "jitter");

    let founder = Genome { trees: vec![tree(&[X]); 5] };
    let problem = Pieces { founders: vec![founder], ..pieces() };
    let error = Evolution::new(problem, options(1)).err().unwrap();
    assert_eq!(error.to_string(), "founder 0 of island 0: tree 0: node 0: x has the wrong type here");
    let mut problem = pieces();
    problem.representation.layout.depth = 1;
    assert!(matches!(Evolution::new(problem, options(1)), Err(EvolutionError::InvalidLayout(_))));
}

#[test]
fn a_checkpoint_of_another_run_is_rejected() {
    let checkpoint = || run(options(1), 2, 2).checkpoint();
    let refused = |problem, seed, checkpoint| Evolution::resume(problem, options(seed), checkpoint).err();
    assert_eq!(refused(pieces(), 1, checkpoint()), None);
    let other = refused(pieces(), 2, checkpoint()).unwrap().to_string();
    assert!(other.starts_with("the checkpoint was made with other options: {\"population\":41,"), "{other}");
    let mut problem = pieces();
    problem.representation.layout.size += 1;
    assert_eq!(refused(problem, 1, checkpoint()), Some(EvolutionError::OtherProblem));
    let renamed = [problem_with("y"), problem_with("x")].map(|problem| refused(problem, 1, checkpoint()));
    assert_eq!(renamed, [Some(EvolutionError::OtherProblem), None]);

    let mut short = checkpoint();
    short.population.pop();
    let error = refused(pieces(), 1, short);
    assert_eq!(error, Some(EvolutionError::Inconsistent { individuals: 40, generations: 2 }));
    let mut wrong = checkpoint();
    wrong.population[3].genome.trees[0].nodes.pop();
    assert!(matches!(refused(pieces(), 1, wrong), Some(EvolutionError::InvalidIndividual { number: 3, .. })));
}

/// The problem with another name for its terminal.
fn problem_with(name: &str) -> Pieces {
    let problem = pieces();
    let mut all = problem.representation.primitives.all().to_vec();
    name.clone_into(&mut all[usize::from(X)].name);
    let representation = Representation { primitives: Primitives::new(all).unwrap(), ..problem.representation };
    Pieces { representation, ..problem }
}
