//! Tests of the selection of parents.

use clearway_gp::rng::stream;
use clearway_gp::{EvaluatedIndividual, Fitness, Genome, Node, Selection, Selector, Tree};

fn individual(cases: &[f64], size: usize) -> EvaluatedIndividual {
    let nodes = vec![Node { primitive: 0, value: 0.0 }; size];
    EvaluatedIndividual {
        island: 0,
        genome: Genome { trees: vec![Tree { nodes }] },
        fitness: Fitness { score: cases.iter().sum(), cases: cases.to_vec(), ..Fitness::default() },
    }
}

/// Number of times that each individual is chosen in a thousand selections.
fn counts(selection: Selection, island: &[EvaluatedIndividual]) -> Vec<u32> {
    let selector = Selector::new(selection, island);
    let mut counts = vec![0; island.len()];
    let rng = &mut stream(1, 0, 0);
    for _ in 0..1000 {
        counts[selector.choose(rng)] += 1;
    }
    counts
}

#[test]
fn tournaments_prefer_high_scores_and_small_trees() {
    let island = [individual(&[1.0], 1), individual(&[2.0], 1), individual(&[3.0], 1), individual(&[4.0], 1)];
    let chosen = counts(Selection::Tournament(2), &island);
    // The best of four wins all of its duels: 1 - (3/4)^2 of them are with it.
    assert!((390..490).contains(&chosen[3]) && chosen[0] < chosen[1] && chosen[1] < chosen[2], "{chosen:?}");
    assert!(counts(Selection::Tournament(1), &island).iter().all(|&count| count > 200));
    assert_eq!(counts(Selection::Tournament(60), &[individual(&[1.0], 9), individual(&[1.0], 2)])[0], 0);
}

#[test]
fn lexicase_chooses_specialists_that_a_tournament_never_would() {
    let island = [individual(&[10.0, 0.0, 0.0], 1), individual(&[0.0, 9.0, 0.0], 1), individual(&[8.0, 8.0, 8.0], 1)];
    let chosen = counts(Selection::Lexicase, &island);
    assert!(chosen.iter().all(|&count| (250..420).contains(&count)), "{chosen:?}");
    assert_eq!(counts(Selection::Tournament(60), &island)[..2], [0, 0]);
    assert_eq!(counts(Selection::Lexicase, &[individual(&[1.0, 1.0], 1), individual(&[1.0, 0.0], 1)]), [1000, 0]);
}

#[test]
fn epsilon_lexicase_tolerates_slightly_lower_scores() {
    // The deviation of the first case is 1: the 9.5 passes it, the 5 does not.
    let island = [
        individual(&[10.0, 0.0], 1),
        individual(&[9.5, 5.0], 1),
        individual(&[9.0, 0.0], 1),
        individual(&[8.0, 0.0], 1),
        individual(&[5.0, 0.0], 1),
    ];
    assert!(counts(Selection::Lexicase, &island)[0] > 400);
    assert_eq!(counts(Selection::EpsilonLexicase, &island), [0, 1000, 0, 0, 0]);
}

#[test]
fn lexicase_treats_individuals_without_cases_as_equal() {
    let chosen = counts(Selection::EpsilonLexicase, &[individual(&[], 1), individual(&[1.0], 1)]);
    assert!(chosen.iter().all(|&count| count > 400), "{chosen:?}");
}
