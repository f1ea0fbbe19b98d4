//! Tests of the daily puzzles.

use clearway_answers::{Daily, DailyPuzzle, Date, Difficulty, daily, level_puzzles};
use clearway_forge::grade::{Grader, Level};
use clearway_rush::{Solver, formats};
use clearway_search::Limits;
use std::collections::{HashMap, HashSet};

/// Returns the puzzles of `weeks` weeks from Monday, 5 January 2026 on.
fn weeks(weeks: usize) -> Vec<Vec<Daily>> {
    let dates = (2026..).flat_map(|year| (1..=12).flat_map(move |month| (1..=31).map(move |day| (year, month, day))));
    let dates = dates.filter_map(|(year, month, day)| Date::new(year, month, day)).skip(4);
    let days: Vec<Daily> = dates.take(7 * weeks).map(daily).collect();
    assert_eq!(days[0].date, "2026-01-05");
    days.chunks(7).map(<[Daily]>::to_vec).collect()
}

/// Returns the puzzle of each day of a week with a difficulty.
fn of_difficulty(difficulty: Difficulty, week: &[Daily]) -> Vec<&DailyPuzzle> {
    week.iter().map(|day| day.puzzles.iter().find(|puzzle| puzzle.difficulty == difficulty).unwrap()).collect()
}

#[test]
fn every_puzzle_is_used_and_repeated_after_the_same_number_of_weeks() {
    let mut last: HashMap<String, usize> = HashMap::new();
    let mut periods = HashSet::new();
    for (number, week) in weeks(120).iter().enumerate() {
        for puzzle in week.iter().flat_map(|day| &day.puzzles) {
            if let Some(before) = last.insert(puzzle.board.clone(), number) {
                periods.insert(number - before);
            }
        }
    }
    assert_eq!(periods.len(), 1, "{periods:?}");
    let period = *periods.iter().next().unwrap();
    assert!(period >= 20, "{period}");
    assert_eq!(last.len(), 21 * period);
}

#[test]
fn the_puzzles_of_every_week_get_harder_from_monday_to_sunday() {
    for week in weeks(60) {
        let seconds = |difficulty: Difficulty| -> Vec<f64> {
            of_difficulty(difficulty, &week).iter().map(|puzzle| puzzle.human.seconds).collect()
        };
        let [easy, medium, hard] = Difficulty::ALL.map(seconds);
        for curve in [&easy, &medium, &hard] {
            assert!(curve.is_sorted() && curve[6] > 1.3 * curve[0], "{week:?}");
        }
        assert!(easy[6] <= medium[0] && medium[6] <= hard[0], "{week:?}");
        assert!(week.iter().flat_map(|day| &day.puzzles).all(|puzzle| (8..=40).contains(&puzzle.moves)));
        assert_eq!(of_difficulty(Difficulty::Easy, &week)[0].level, Level::Beginner);
        assert!(of_difficulty(Difficulty::Hard, &week)[6].level >= Level::Expert);
    }
}

#[test]
fn the_same_date_has_the_same_puzzles_with_proven_grades() {
    let (grader, mut solver) = (Grader::new().without_machine().without_removable(), Solver::new());
    for text in ["1970-01-01", "2026-02-27", "2026-02-28", "9999-12-31"] {
        let today = daily(text.parse().unwrap());
        assert_eq!((today.date.as_str(), &today), (text, &daily(text.parse().unwrap())));
        assert_eq!(today.puzzles.iter().map(|puzzle| puzzle.difficulty).collect::<Vec<_>>(), Difficulty::ALL);
        for puzzle in &today.puzzles {
            let board = formats::read_one(&puzzle.board, None).unwrap().board;
            let grade = grader.grade(&board, &mut solver, &Limits::default()).grade;
            assert_eq!((grade.moves, grade.level), (Some(puzzle.moves), Some(puzzle.level)));
        }
    }
}

#[test]
fn daily_puzzles_are_not_in_any_level() {
    let of_levels: HashSet<String> =
        Level::ALL.into_iter().flat_map(level_puzzles).map(|puzzle| puzzle.board).collect();
    for day in weeks(30).iter().flatten() {
        assert!(day.puzzles.iter().all(|puzzle| !of_levels.contains(&puzzle.board)), "{day:?}");
    }
}
