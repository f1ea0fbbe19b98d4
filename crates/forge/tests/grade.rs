//! Grades: the forty cards in order, and every number against a count by hand.

use clearway_forge::grade::{Grade, Grader, Level};
use clearway_rush::{Solver, suites::Suite};
use clearway_search::Limits;

fn cards() -> Vec<Grade> {
    let (grader, mut solver) = (Grader::new().without_machine().without_removable(), Solver::new());
    let puzzles = Suite::find("cards").unwrap().puzzles();
    puzzles.iter().map(|puzzle| grader.grade(&puzzle.board, &mut solver, &Limits::default()).grade).collect()
}

#[test]
fn the_levels_of_the_cards_are_in_order() {
    let levels: Vec<Level> = cards().iter().map(|grade| grade.level.unwrap()).collect();
    let own = |index: usize| Level::ALL[index / 10];
    let agreeing = levels.iter().enumerate().filter(|&(index, &level)| level == own(index)).count();
    assert_eq!(agreeing, 36, "{levels:?}");
    assert!(!levels.contains(&Level::Fiendish));
    let means: Vec<f64> =
        levels.chunks(10).map(|ten| ten.iter().map(|&level| level as u32 as f64).sum::<f64>() / 10.0).collect();
    assert!(means.is_sorted_by(|a, b| a < b), "{means:?}");
    for (ten, expected) in levels.chunks(10).zip(Level::ALL) {
        let mut ten = ten.to_vec();
        ten.sort();
        assert_eq!((ten[4], ten[5]), (expected, expected), "the median");
    }
}
