//! Relaxed plans, which are computed for all vehicles at once, compared with plans computed vehicle by vehicle and cell by cell.

use crate::common;
use clearway_rush::heuristics::{PlanStatistics, RelaxedPlan, RelaxedPlanner};
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, Orientation, RushDomain, RushState, Vehicle};
use clearway_search::{Domain, Heuristic, Node};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

/// A cell, as (column, row).
type Cell = (u8, u8);

/// A slide of a vehicle to a position.
type Slide = (usize, u8);

/// A state of a board, as the positions of its vehicles.
struct Simple<'a> {
    board: &'a Board,
    positions: Vec<u8>,
}

impl Simple<'_> {
    fn cell(&self, vehicle: usize, along: u8) -> Cell {
        let v = &self.board.vehicles()[vehicle];
        if v.orientation == Orientation::Horizontal { (along, v.line()) } else { (v.line(), along) }
    }

    fn body(&self, vehicle: usize, place: u8) -> HashSet<Cell> {
        (place..place + self.board.vehicles()[vehicle].length).map(|along| self.cell(vehicle, along)).collect()
    }

    /// The cells that a slide enters.
    fn enters(&self, (vehicle, place): Slide) -> HashSet<Cell> {
        let from = self.positions[vehicle];
        let length = self.board.vehicles()[vehicle].length;
        let cells = if place < from { place..from } else { from + length..place + length };
        cells.map(|along| self.cell(vehicle, along)).collect()
    }

    fn taken(&self) -> HashSet<Cell> {
        let bodies = (0..self.positions.len()).flat_map(|vehicle| self.body(vehicle, self.positions[vehicle]));
        self.board.walls().iter().chain(bodies).collect()
    }

    /// Returns the slides of the plan, if there is one.
    fn plan(&self) -> Option<HashSet<Slide>> {
        let out = (0, self.board.goal_position());
        let now = self.taken();
        // A vehicle of the target's own line can never clear its path.
        let path = self.enters(out);
        let is_along = |v: &Vehicle| v.orientation == self.board.vehicles()[0].orientation;
        let along = (1..self.positions.len()).filter(|&vehicle| is_along(&self.board.vehicles()[vehicle]));
        if along.into_iter().any(|vehicle| !path.is_disjoint(&self.body(vehicle, self.positions[vehicle]))) {
            return None;
        }
        let mut taken = now.clone();
        let mut freed_by: HashMap<Cell, Slide> = HashMap::new();
        while path.iter().any(|cell| taken.contains(cell)) {
            let mut fresh = Vec::new();
            for (vehicle, v) in self.board.vehicles().iter().enumerate() {
                let most = self.board.side_along(v.orientation) - v.length;
                let from = self.positions[vehicle];
                for cell in self.body(vehicle, from).into_iter().filter(|cell| taken.contains(cell)) {
                    // The shortest slide off the cell, back before forth.
                    let off = (0..=most).filter(|&place| {
                        !self.body(vehicle, place).contains(&cell) && self.enters((vehicle, place)).is_disjoint(&taken)
                    });
                    if let Some(place) = off.min_by_key(|&place| (place.abs_diff(from), place)) {
                        fresh.push((cell, (vehicle, place)));
                    }
                }
            }
            if fresh.is_empty() {
                return None;
            }
            assert!(fresh.iter().all(|(cell, _)| taken.remove(cell)));
            freed_by.extend(fresh);
        }
        let (mut slides, mut open) = (HashSet::new(), vec![out]);
        while let Some(slide) = open.pop() {
            if slides.insert(slide) {
                open.extend(self.enters(slide).iter().filter(|cell| now.contains(cell)).map(|cell| freed_by[cell]));
            }
        }
        Some(slides)
    }

    /// Returns the statistics of the plan, given the positions at the start.
    fn statistics(&self, start: &Simple<'_>) -> Option<PlanStatistics> {
        if self.positions[0] == self.board.goal_position() {
            return Some(PlanStatistics::default());
        }
        let slides = self.plan()?;
        let is_moved = |vehicle: usize| slides.iter().any(|slide| slide.0 == vehicle);
        let moves_to = |vehicle, is_wanted: fn(u8, u8) -> bool| {
            slides.iter().any(|slide| slide.0 == vehicle && is_wanted(slide.1, self.positions[vehicle]))
        };
        let cells = |slide: &&Slide| u32::from(slide.1.abs_diff(self.positions[slide.0]));
        let orientation = |slide: &Slide| self.board.vehicles()[slide.0].orientation;
        let is_conflict = |slide: &&Slide| {
            let end = self.body(slide.0, slide.1);
            slides
                .iter()
                .any(|other| orientation(other) != orientation(slide) && !self.enters(*other).is_disjoint(&end))
        };
        let started: HashSet<usize> = start.plan().unwrap_or_default().into_iter().map(|slide| slide.0).collect();
        let all = 0..self.positions.len();
        Some(PlanStatistics {
            slides: slides.len() as u32,
            cells: slides.iter().map(|slide| cells(&slide)).sum(),
            vehicles: all.clone().filter(|&vehicle| is_moved(vehicle)).count() as u32,
            conflicts: slides.iter().filter(is_conflict).count() as u32,
            turns: (all.clone())
                .filter(|&vehicle| moves_to(vehicle, |to, from| to < from) && moves_to(vehicle, |to, from| to > from))
                .count() as u32,
            cells_of_start: slides.iter().filter(|slide| started.contains(&slide.0)).map(|slide| cells(&slide)).sum(),
            settled: (all.filter(|&vehicle| !is_moved(vehicle)))
                .map(|vehicle| u32::from(self.positions[vehicle].abs_diff(start.positions[vehicle])))
                .sum(),
        })
    }
}

/// Compares both along a random walk. Returns the number of states with a non-empty plan.
fn compare<const N: usize>(board: &Board, seed: u64, steps: u32) -> u32 {
    let domain = RushDomain::<N>::new(board, Metric::Moves).unwrap();
    let simple = |state: &RushState<N>| Simple {
        board,
        positions: (0..board.vehicles().len()).map(|vehicle| state.position(vehicle)).collect(),
    };
    let mut estimate = RelaxedPlan::new(&domain);
    let mut plans = RelaxedPlanner::new(&domain);
    let (mut state, mut random, mut moves, mut seen) = (domain.start(), seed | 1, Vec::new(), 0);
    let start = simple(&state);
    for _ in 0..steps {
        let expected = simple(&state).statistics(&start);
        let node = Node { state: &state, g: 0, last: None, siblings: 0 };
        let shown = || format!("{:?}", domain.board_at(&state));
        assert_eq!(plans.statistics(&state), expected, "{}", shown());
        let slides = expected.map_or(f64::INFINITY, |plan| f64::from(plan.slides));
        assert!(estimate.estimate(&domain, &node).to_bits() == slides.to_bits(), "{}", shown());
        seen += u32::from(expected.is_some_and(|plan| plan.slides > 0));
        moves.clear();
        domain.moves(&state, &mut moves);
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let Some(&mv) = moves.get((random >> 33) as usize % moves.len().max(1)) else { break };
        domain.apply(&mut state, mv);
    }
    seen
}

fn compare_any(board: &Board, seed: u64, steps: u32) -> u32 {
    match board.vehicles().len() {
        0..=16 => compare::<1>(board, seed, steps),
        17..=32 => compare::<2>(board, seed, steps),
        _ => compare::<8>(board, seed, steps),
    }
}

#[test]
fn plans_are_the_same_on_the_boards_of_the_suites() {
    let mut plans = 0;
    for name in ["cards", "walls", "traffic-jam", "sample-8x8", "course"] {
        for (i, puzzle) in Suite::find(name).unwrap().puzzles().iter().enumerate() {
            plans += compare_any(&puzzle.board, i as u64, 12);
        }
    }
    assert!(plans > 600, "only {plans} states with a plan were compared");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn plans_are_the_same_on_random_boards(board in common::boards(8), seed: u64) {
        compare_any(&board, seed, 12);
    }

    #[test]
    fn plans_are_the_same_on_random_large_boards(board in common::boards(16), seed: u64) {
        compare_any(&board, seed, 5);
    }
}
