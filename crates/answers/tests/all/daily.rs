//! Tests of the daily puzzle.

use clearway_answers::{Daily, Date, daily};
use clearway_rush::{Metric, Solver, formats};
use clearway_search::Limits;
use std::collections::{BTreeMap, HashMap};

/// Returns the puzzles of `count` days from the start of a year, without their levels, which are slow to compute.
fn puzzles_from(year: u16, count: usize) -> Vec<(Date, Daily)> {
    let mut solver = Solver::new();
    let at_once = Limits { nodes: Some(0), ..Limits::default() };
    let days = (year..).flat_map(|year| (1..=12).flat_map(move |month| (1..=31).map(move |day| (year, month, day))));
    let dates = days.filter_map(|(year, month, day)| Date::new(year, month, day)).take(count);
    dates.map(|date| (date, daily(date, &mut solver, &at_once))).collect()
}

#[test]
fn every_puzzle_is_used_and_repeated_after_47_weeks() {
    let mut last: HashMap<String, u32> = HashMap::new();
    for (date, today) in puzzles_from(2026, 3 * 365) {
        assert!((8..=40).contains(&today.moves), "{today:?}");
        if let Some(before) = last.insert(today.name, date.days()) {
            assert_eq!(date.days() - before, 47 * 7);
        }
    }
    assert_eq!(last.len(), 47 * 7);
}

#[test]
fn puzzles_get_harder_from_monday_to_sunday() {
    let mut by_weekday: BTreeMap<_, Vec<u32>> = BTreeMap::new();
    for (date, today) in puzzles_from(2027, 400) {
        by_weekday.entry(date.weekday()).or_default().push(today.moves);
    }
    let range = |moves: &Vec<u32>| (*moves.iter().min().unwrap(), *moves.iter().max().unwrap());
    let ranges: Vec<(u32, u32)> = by_weekday.values().map(range).collect();
    assert_eq!((ranges[0].0, ranges.len()), (8, 7));
    assert!(ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{ranges:?}");
    assert!(ranges[6].0 >= 35, "{ranges:?}");
}

#[test]
fn moves_are_optimal_and_the_level_is_known() {
    let mut solver = Solver::new();
    for text in ["1970-01-01", "2026-02-27", "2026-02-28", "9999-12-31"] {
        let today = daily(text.parse().unwrap(), &mut solver, &Limits::default());
        let board = formats::read_one(&today.board, None).unwrap().board;
        let answer = solver.solve(&board, Metric::Moves, &Limits::default());
        assert_eq!((answer.solution.map(|solution| solution.moves()), today.date.as_str()), (Some(today.moves), text));
        assert!(today.level.is_some());
        assert_eq!(today, daily(text.parse().unwrap(), &mut solver, &Limits::default()));
    }
}
