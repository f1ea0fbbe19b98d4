//! Evolution with macro learning: runs are reproducible and resumable, and solve all boards in the end.

use clearway_gp::{EvaluatedIndividual, Evolution, Genome, Problem};
use clearway_tiles::evolve::{Config, Learning, ProgramPerformance, ProgramProblem};
use clearway_tiles::{Program, Size};
use std::sync::atomic::AtomicBool;

/// A small run on boards of three columns and two rows, of which there are 360.
fn config(seed: u64) -> Config {
    let mut config = Config::learning(Size::new(2, 3).unwrap());
    config.boards = 40;
    config.evolution.population = 36;
    config.evolution.islands = 3;
    config.evolution.seed = seed;
    config.learning = Some(Learning { term: 3, exam: 100, ..config.learning.unwrap() });
    config
}

fn start(config: &Config) -> Evolution<ProgramProblem> {
    let problem = ProgramProblem::new(config.clone(), config.frame().unwrap());
    Evolution::new(problem, config.evolution.clone()).unwrap()
}

fn steps(evolution: &mut Evolution<ProgramProblem>, generations: u32, threads: usize) {
    for _ in 0..generations {
        evolution.step(threads, &AtomicBool::new(false)).unwrap();
    }
}

fn champion(evolution: &Evolution<ProgramProblem>) -> String {
    let champion = evolution.problem().champion(evolution.memory(), evolution.population(), 2, &AtomicBool::new(false));
    champion.unwrap().to_string()
}

#[test]
fn a_run_evolves_a_program_that_solves_every_board() {
    let config = config(1);
    let mut evolution = start(&config);
    let all = evolution.problem().all_boards().unwrap();
    assert_eq!(all.len(), 360);
    let exam =
        |program: &Program| ProgramPerformance::new(program, &all, config.moves, 2, &AtomicBool::new(false)).unwrap();
    steps(&mut evolution, 1, 2);
    let first = exam(&evolution.problem().program(&evolution.best().unwrap().genome));
    assert!(first.solved < 200, "random programs solve few boards: {first:?}");
    steps(&mut evolution, 19, 2);
    let champion =
        evolution.problem().champion(evolution.memory(), evolution.population(), 2, &AtomicBool::new(false)).unwrap();
    let last = exam(&champion);
    assert_eq!((last.solved, last.boards), (360, 360));
    assert!(last.longest <= config.moves && last.mean_length() >= 10.0, "{last:?}");

    let smaller = evolution.problem().without_unused_parts(&champion, &all);
    assert!(smaller.tree.size() <= champion.tree.size());
    assert_eq!(exam(&smaller), last, "unused parts have no effect");
    for program in [&champion, &smaller] {
        let at_once = ProgramPerformance::for_closed_set(program, &all, config.moves, 2, &AtomicBool::new(false));
        assert_eq!(at_once, Some(exam(program)), "the table of rounds gives the same result");
    }
}

#[test]
fn results_do_not_depend_on_threads_or_interruptions() {
    let config = config(5);
    let mut alone = start(&config);
    steps(&mut alone, 8, 1);
    let mut many = start(&config);
    steps(&mut many, 8, 8);
    assert_eq!(champion(&alone), champion(&many));

    // Generation 5 is in the middle of a term of 3.
    let mut first = start(&config);
    steps(&mut first, 5, 2);
    let stored = serde_json::to_string(&first.checkpoint()).unwrap();
    let checkpoint = serde_json::from_str(&stored).unwrap();
    let problem = ProgramProblem::new(config.clone(), config.frame().unwrap());
    let mut resumed = Evolution::resume(problem, config.evolution.clone(), checkpoint).unwrap();
    steps(&mut resumed, 3, 2);
    assert_eq!(champion(&resumed), champion(&alone));
    let scores = |evolution: &Evolution<ProgramProblem>| -> Vec<f64> {
        evolution.population().iter().map(|individual| individual.fitness.score).collect()
    };
    assert_eq!(scores(&resumed), scores(&alone));
}

#[test]
fn teaching_ends_when_it_is_cancelled() {
    let config = config(5);
    let evolution = start(&config);
    let (problem, proposal) = (evolution.problem(), evolution.propose());
    let taught = |cancel: bool| {
        let mut memory = proposal.memory().clone();
        let individual = |genome: &&Genome| {
            let fitness = problem.evaluate(&memory, genome);
            EvaluatedIndividual { island: 0, genome: (*genome).clone(), fitness }
        };
        let individuals: Vec<EvaluatedIndividual> = proposal.distinct().iter().map(individual).collect();
        problem.end(&mut memory, 0, &individuals, &AtomicBool::new(cancel));
        problem.immigrants(&memory, 0).len()
    };
    assert_eq!((taught(true), taught(false)), (0, config.learning.unwrap().pupils));
}

/// Boards of four columns and three rows have more than nine cells, so programs learn macros that keep tiles in order.
#[test]
fn programs_for_large_boards_learn_to_solve_all_of_them() {
    let mut config = Config::learning(Size::new(3, 4).unwrap());
    config.boards = 10;
    config.evolution.population = 24;
    config.evolution.islands = 2;
    config.learning = Some(Learning { term: 4, exam: 20, graduation: 40, ..config.learning.unwrap() });
    let mut evolution = start(&config);
    steps(&mut evolution, 1, 2);
    let boards = evolution.problem().random_boards(100, 7);
    let exam = |program: &Program| {
        ProgramPerformance::new(program, &boards, config.moves, 2, &AtomicBool::new(false)).unwrap().solved
    };
    let first = exam(&evolution.problem().program(&evolution.best().unwrap().genome));
    assert!(first < 50, "before the first lesson, programs solve few boards: {first}");
    steps(&mut evolution, 4, 2);
    let champion =
        evolution.problem().champion(evolution.memory(), evolution.population(), 2, &AtomicBool::new(false)).unwrap();
    assert!(exam(&champion) >= 95, "{champion}");
    assert!(champion.tree.size() <= config.size);
}
