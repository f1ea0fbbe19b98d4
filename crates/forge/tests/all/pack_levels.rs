//! Packs with a number of puzzles of each level.

use clearway_forge::Shape;
use clearway_forge::grade::{Grader, Level};
use clearway_forge::pack::{Entry, PackBuilder, PackRequest, PackSeries, attempt, gather};
use clearway_rush::{Side, Solver, formats};
use clearway_search::{Limit, Limits};
use std::collections::{BTreeMap, HashSet};

fn order(size: u8, moves: std::ops::RangeInclusive<u32>, levels: &[(Level, usize)]) -> PackRequest {
    let shape = Shape::new(size, size, Side::Right, None, 0).unwrap();
    PackRequest::new(shape, moves, 1, 7).with_levels(levels.iter().copied().collect())
}

fn levels(entries: &[Entry]) -> BTreeMap<Level, usize> {
    let mut counts = BTreeMap::new();
    for entry in entries {
        *counts.entry(entry.level).or_default() += 1;
    }
    counts
}

#[test]
fn a_pack_has_the_ordered_number_of_puzzles_of_each_level() {
    let order = order(6, 4..=37, &[(Level::Beginner, 5), (Level::Intermediate, 4), (Level::Advanced, 1)]);
    let pack = gather(&order, 3, &Limits::default(), &|_| ());
    assert_eq!((order.count, pack.limit), (10, None));
    assert_eq!(levels(&pack.entries), order.levels);
    let mut solver = Solver::new();
    for entry in &pack.entries {
        let grade = Grader::new().without_machine().grade(&entry.board, &mut solver, &Limits::default()).grade;
        assert_eq!(grade.level, Some(entry.level), "{}", formats::line(&entry.board));
    }
    assert!(pack.entries.is_sorted_by(|a, b| a.human.seconds <= b.human.seconds));
    let lengths: HashSet<u32> = pack.entries[..5].iter().map(|entry| entry.moves).collect();
    assert_eq!(lengths.len(), 5, "the puzzles of a level are spread over its lengths");
    assert_eq!(gather(&order, 1, &Limits::default(), &|_| ()), pack, "the threads do not matter");

    // On a cluster, the attempts of a round are made elsewhere.
    let mut gathering = PackBuilder::new(order.clone());
    while let Some(round) = gathering.next_round() {
        let all = (round.first..).zip(&round.aims);
        let outcomes = all.map(|(index, &aim)| attempt(&order, aim, index, &mut solver, &Limits::default()));
        let text = serde_json::to_string(&outcomes.collect::<Vec<_>>()).unwrap();
        gathering.take(serde_json::from_str(&text).unwrap());
    }
    assert_eq!(gathering.finish(), pack);
}

#[test]
fn attempts_aim_at_missing_levels_only() {
    let order = order(6, 4..=37, &[(Level::Beginner, 2), (Level::Advanced, 2)]);
    let (mut gathering, mut solver) = (PackBuilder::new(order.clone()), Solver::new());
    let aims: HashSet<u32> = gathering.next_round().unwrap().aims.into_iter().collect();
    assert_eq!(aims, (4..=16).chain(24..=37).collect());
    let beginners = (0..6).map(|index| attempt(&order, 6, index, &mut solver, &Limits::default())).collect();
    gathering.take(beginners);
    assert_eq!(gathering.progress().found, 2, "the other puzzles of this level are not needed");
    let aims: HashSet<u32> = gathering.next_round().unwrap().aims.into_iter().collect();
    assert_eq!(aims, (24..=37).collect());
}

#[test]
fn a_level_that_cannot_be_filled_ends_the_pack_when_the_patience_is_exhausted() {
    // New puzzles for beginners are found all the time, but do not count once there are enough.
    let order = PackRequest { patience: 60, ..order(4, 2..=60, &[(Level::Beginner, 3), (Level::Fiendish, 1)]) };
    let pack = gather(&order, 2, &Limits::default(), &|_| ());
    assert_eq!(levels(&pack.entries), BTreeMap::from([(Level::Beginner, 3)]));
    assert_eq!(pack.limit, Some(Limit::Incomplete));
    assert!((60..1000).contains(&pack.attempts) && pack.found > 3, "{} of {}", pack.found, pack.attempts);
}

#[test]
fn a_series_has_only_puzzles_that_are_needed() {
    let order = order(6, 4..=27, &[(Level::Beginner, 2), (Level::Intermediate, 2)]);
    let (mut series, mut found) = (PackSeries::new(order.clone()), Vec::new());
    while !series.is_complete() {
        found.extend(series.attempt(&Limits::default()).unwrap().cloned());
    }
    assert_eq!((levels(&found), series.progress().found), (order.levels, 4));
}

#[test]
fn levels_have_names_and_lengths() {
    assert_eq!(Level::ALL.map(|level| Level::from_name(level.as_str())), Level::ALL.map(Some));
    assert_eq!(Level::from_name("easy"), None);
    let ranges = Level::ALL.map(Level::typical_moves);
    assert!(ranges.windows(2).all(|pair| pair[0].start() < pair[1].start() && pair[1].start() <= pair[0].end()));
}
