//! The embedded collection: its measures are those of the grader, and its puzzles are all different.

use clearway_forge::canonical::canonical;
use clearway_forge::collection;
use clearway_forge::grade::{Grader, HumanTime, Level, Theme};
use clearway_rush::{Solver, formats};
use clearway_search::Limits;
use std::collections::HashSet;
use std::fs;

/// Grades all boards of the collection again. `UPDATE_COLLECTION=1` writes the result, also for lines with a board only.
#[test]
fn the_measures_match_the_grader() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/collection.tsv");
    let before = fs::read_to_string(path).unwrap();
    let (comments, lines): (Vec<&str>, Vec<&str>) = before.lines().partition(|line| line.starts_with('#'));
    let (grader, mut solver) = (Grader::new().without_machine().without_removable(), Solver::new());
    let mut graded: Vec<(f64, String)> = lines
        .iter()
        .map(|line| {
            let board = formats::read_one(line.split('\t').next().unwrap(), None).unwrap().board;
            let grade = grader.grade(&board, &mut solver, &Limits::default()).grade;
            let (moves, depth) = (grade.moves.unwrap(), grade.depth.unwrap());
            let vehicles: f64 = format!("{:.3}", grade.vehicles_moved.unwrap()).parse().unwrap();
            let human = HumanTime::predict(&board, moves, depth, vehicles);
            assert_eq!(Some(Level::from_seconds(human.seconds)), grade.level, "{line}");
            let themes: Vec<&str> = grade.themes.iter().map(|theme| theme.as_str()).collect();
            (
                human.seconds,
                [formats::line(&board), moves.to_string(), depth.to_string(), vehicles.to_string(), themes.join(" ")]
                    .join("\t"),
            )
        })
        .collect();
    graded.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    let lines = comments.into_iter().chain(graded.iter().map(|(_, line)| line.as_str()));
    let after = lines.flat_map(|line| [line, "\n"]).collect::<String>();
    if std::env::var_os("UPDATE_COLLECTION").is_some() {
        fs::write(path, &after).unwrap();
    } else {
        assert!(before == after, "run the test with UPDATE_COLLECTION=1");
    }
}

#[test]
fn the_puzzles_are_different_and_of_every_level_and_theme() {
    let (mut solver, mut ids) = (Solver::new(), HashSet::new());
    let puzzles = collection::puzzles();
    for puzzle in puzzles {
        let form = canonical(&mut solver, &puzzle.board, &Limits::default()).unwrap().unwrap();
        assert!(ids.insert(form.id()), "{} is a duplicate", formats::line(&puzzle.board));
    }
    assert!(puzzles.is_sorted_by(|a, b| a.human.seconds <= b.human.seconds));
    for level in Level::ALL {
        let count = puzzles.iter().filter(|puzzle| puzzle.level == level).count();
        assert!(count >= 40, "{level}: {count}");
    }
    for theme in Theme::ALL {
        let count = puzzles.iter().filter(|puzzle| puzzle.themes.contains(&theme)).count();
        assert!(count >= 30, "{theme}: {count}");
    }
}
