//! The presets for the experiments of the paper.

// The compared numbers are computed in the same way, so they are exactly equal.
#![allow(clippy::float_cmp)]

use clearway_gp::{CrossoverPoints, Evolution, Initialization, Selection};
use clearway_tiles::Size;
use clearway_tiles::evolve::{Config, Experiment, ProgramProblem};
use clearway_tiles::heuristics::PaperMeasure;
use clearway_tiles::program::primitives::{AND, FIRST_WORD, IF, ROOT_IF, WORDS, primitives};
use std::sync::atomic::AtomicBool;

const ALL: [Experiment; 4] = [Experiment::A, Experiment::B, Experiment::C, Experiment::D];

fn problem(experiment: Experiment) -> ProgramProblem {
    ProgramProblem::new(Config::paper(experiment), Size::new(3, 3).unwrap())
}

#[test]
fn the_presets_match_the_paper() {
    for experiment in ALL {
        let config = Config::paper(experiment);
        let evolution = &config.evolution;
        let operators = &evolution.operators;
        assert_eq!((config.rows, config.columns, config.boards), (3, 3, 10));
        assert_eq!((evolution.population, config.generations), (500, 51));
        assert_eq!((operators.crossover, operators.mutation, operators.reproduction), (0.3, 0.0, 0.7));
        assert!(matches!(evolution.selection, Selection::Tournament(2..)));
        assert_eq!((evolution.islands, evolution.elites, evolution.initial), (1, 0, Initialization::Weighted));
        assert_eq!((evolution.initial_depth, config.depth), (10, 30));
        assert!(config.macros && evolution.check().is_ok());
    }
    let [a, b, c, d] = ALL.map(Config::paper);
    assert_eq!([&a, &b, &c, &d].map(|config| config.and), [false, true, true, true]);
    assert_eq!([&a, &b, &c, &d].map(|config| config.style.looped), [true, true, false, false]);
    assert_eq!([&a, &b, &c, &d].map(|config| config.style.acting), [false, false, true, true]);
    let places = [&a, &b, &c, &d].map(|config| config.evolution.operators.places);
    assert_eq!(
        places,
        [CrossoverPoints::Descent, CrossoverPoints::Descent, CrossoverPoints::Descent, CrossoverPoints::Levels]
    );
    let [a, b, c, d] = ALL.map(|experiment| problem(experiment).boards());
    assert!(a == b && c == d && a != c && a.len() == 10);
}

#[test]
fn primitives_have_the_proportions_of_the_paper() {
    let with_and = primitives(true, true);
    let weight = |primitive: u16| with_and.all()[usize::from(primitive)].weight;
    // 2/13 is four times 1/26.
    assert!([ROOT_IF, IF, AND].iter().all(|&function| weight(function) == 4.0 * weight(FIRST_WORD)));
    assert!((0..17).all(|word| weight(FIRST_WORD + word) == weight(FIRST_WORD)));
    assert_eq!(primitives(false, true).all()[usize::from(AND)].weight, 0.0);
    // Formula 2 lists four moves and thirteen macros, one of them twice.
    let mut words = WORDS.to_vec();
    words.sort_unstable();
    words.dedup();
    assert_eq!((WORDS.len(), words.len()), (17, 16));
    assert_eq!(WORDS.iter().filter(|&&word| word == "urdrulldrur").count(), 2);
    assert_eq!(WORDS.concat().len(), 4 + 3 * 3 + 3 * 5 + 8 + 9 + 9 + 11 + 11 + 13 + 15);
}

#[test]
fn the_initial_population_matches_the_paper_and_fitness_is_the_mean_measure() {
    for experiment in ALL {
        let config = Config::paper(experiment);
        let mut evolution = Evolution::new(problem(experiment), config.evolution).unwrap();
        for generation in 0..3 {
            evolution.step(2, &AtomicBool::new(false)).unwrap();
            let most = if generation == 0 { 10 } else { 30 };
            for individual in evolution.population() {
                let tree = &individual.genome.trees[0];
                assert_eq!(tree.nodes[0].primitive, ROOT_IF);
                assert!(experiment != Experiment::A || tree.nodes.iter().all(|node| node.primitive != AND));
                assert!(tree.depth(&primitives(true, true)) <= most);
            }
        }
        let best = evolution.best().unwrap();
        let program = evolution.problem().program(&best.genome);
        let measure =
            |puzzle: &clearway_tiles::Puzzle| PaperMeasure::evaluate(puzzle, &program.run(puzzle, config.moves).board);
        let sum: usize = evolution.problem().boards().iter().map(measure).sum();
        assert_eq!(best.fitness.score, -(sum as f64) / 10.0);
    }
}
