//! Programs that learn: runs can be repeated and resumed, and come to solve all boards.

use clearway_gp::Evolution;
use clearway_tiles::evolve::{Breeding, Config, Exam, Learning};
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

fn begin(config: &Config) -> Evolution<Breeding> {
    let breeding = Breeding::new(config.clone(), config.frame().unwrap());
    Evolution::new(breeding, config.evolution.clone()).unwrap()
}

fn steps(evolution: &mut Evolution<Breeding>, generations: u32, threads: usize) {
    for _ in 0..generations {
        evolution.step(threads, &AtomicBool::new(false)).unwrap();
    }
}

fn champion(evolution: &Evolution<Breeding>) -> String {
    let champion = evolution.problem().champion(evolution.memory(), evolution.population(), 2, &AtomicBool::new(false));
    champion.unwrap().to_string()
}

#[test]
fn a_run_comes_to_solve_every_board() {
    let config = config(1);
    let mut evolution = begin(&config);
    let breeding = evolution.problem();
    let all = breeding.all_boards().unwrap();
    assert_eq!(all.len(), 360);
    let exam = |program: &Program| Exam::new(program, &all, config.moves, 2, &AtomicBool::new(false)).unwrap();
    steps(&mut evolution, 1, 2);
    let first = exam(&evolution.problem().program(&evolution.best().unwrap().genome));
    assert!(first.solved < 200, "random programs solve little: {first:?}");
    steps(&mut evolution, 19, 2);
    let champion =
        evolution.problem().champion(evolution.memory(), evolution.population(), 2, &AtomicBool::new(false)).unwrap();
    let last = exam(&champion);
    assert_eq!((last.solved, last.boards), (360, 360));
    assert!(last.longest <= config.moves && last.mean_length() >= 10.0, "{last:?}");

    let smaller = evolution.problem().without_useless(&champion, &all);
    assert!(smaller.tree.size() <= champion.tree.size());
    assert_eq!(exam(&smaller), last, "useless parts change nothing");
    for program in [&champion, &smaller] {
        let at_once = Exam::of_all(program, &all, config.moves, 2, &AtomicBool::new(false));
        assert_eq!(at_once, Some(exam(program)), "each round once, and the same result");
    }
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let config = config(5);
    let mut alone = begin(&config);
    steps(&mut alone, 8, 1);
    let mut many = begin(&config);
    steps(&mut many, 8, 8);
    assert_eq!(champion(&alone), champion(&many));

    // Generation 5 is in the middle of a term.
    let mut first = begin(&config);
    steps(&mut first, 5, 2);
    let stored = serde_json::to_string(&first.checkpoint()).unwrap();
    let checkpoint = serde_json::from_str(&stored).unwrap();
    let breeding = Breeding::new(config.clone(), config.frame().unwrap());
    let mut resumed = Evolution::resume(breeding, config.evolution.clone(), checkpoint).unwrap();
    steps(&mut resumed, 3, 2);
    assert_eq!(champion(&resumed), champion(&alone));
    let scores = |evolution: &Evolution<Breeding>| -> Vec<f64> {
        evolution.population().iter().map(|judged| judged.judgement.score).collect()
    };
    assert_eq!(scores(&resumed), scores(&alone));
}
