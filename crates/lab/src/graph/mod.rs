//! The component of a board as a graph to draw: all states that can be reached, in layers by their distance to the exit.
//!
//! - `component`: the walk over all states, and their distances
//! - `sample`: which states are shown if there are too many

mod component;
mod sample;

use clearway_rush::{Board, Metric, RushDomain, RushMove, formats, replay};
use clearway_search::{Domain, Limits};
use component::Component;
use serde::Serialize;

/// The most edges that are given.
pub const MOST_EDGES: usize = 150_000;

/// All states that can be reached from a board, or a sample of them, and the moves between them.
///
/// States are numbered from 0 as they stand in `distances` and `positions`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Graph {
    /// The board in line format.
    pub board: String,
    /// What a move is: `moves` (a slide of any length) or `steps` (one cell).
    pub metric: &'static str,
    /// The labels of the vehicles, in the order of positions.
    pub vehicles: String,
    /// The states that can be reached; if the walk was cut, those that were visited.
    pub states: u64,
    /// Whether all states were visited: no limit cut the walk.
    pub complete: bool,
    /// Whether only some of the states are shown.
    pub sampled: bool,
    /// What distances are from: `goal`, the nearest solved state; or `start`, if none can be reached or the walk was cut.
    pub by: &'static str,
    /// The largest distance.
    pub depth: u32,
    /// The number of all states at each distance, from 0.
    pub layers: Vec<u64>,
    /// The number of the state in which the board is.
    pub start: u32,
    /// The states of a shortest solution, from the start to a solved one; empty if none was found.
    pub path: Vec<u32>,
    /// The distance of each shown state.
    pub distances: Vec<u32>,
    /// Where the vehicles stand in each shown state: a digit (base 36) a vehicle, its column or row.
    pub positions: Vec<String>,
    /// The moves between shown states, as pairs of their numbers: `[a, b, a, b, ...]`, each once, since every move can be
    /// taken back. At most 150,000 pairs; a shown state keeps one to a nearer state.
    pub edges: Vec<u32>,
    /// How many pairs more there would be.
    pub edges_left_out: u64,
}

/// The graph of a board's component, of at most so many states (but always those of a shortest solution). Which states are
/// shown does not depend on anything else. The limits are those of the walk.
///
/// ```
/// use clearway_rush::{Metric, formats};
/// let board = formats::read_one("4x3:...BAA.B....", None).unwrap().board;
/// let graph = clearway_lab::graph(&board, Metric::Moves, 1_000, &Default::default());
/// assert_eq!((graph.vehicles.as_str(), graph.states, graph.by), ("AB", 4, "start"));
/// ```
///
/// # Panics
/// If the shortest solution does not pass the independent replay, which would be a fault of the walk.
pub fn graph(board: &Board, metric: Metric, most_states: usize, limits: &Limits) -> Graph {
    match board.vehicles().len() {
        0..=16 => graph_in::<1>(board, metric, most_states, limits),
        17..=32 => graph_in::<2>(board, metric, most_states, limits),
        _ => graph_in::<8>(board, metric, most_states, limits),
    }
}

fn graph_in<const N: usize>(board: &Board, metric: Metric, most_states: usize, limits: &Limits) -> Graph {
    let domain = RushDomain::<N>::new(board, metric).expect("a board has at most 128 vehicles");
    let (component, keys) = Component::walk(&domain, limits);
    let path = component.path();
    check(&domain, &path, &keys);
    let shown = sample::sample(&component, &path, most_states);
    let number: Vec<u32> = {
        let mut number = vec![u32::MAX; component.len()];
        shown.iter().enumerate().for_each(|(at, &state)| number[state as usize] = at as u32);
        number
    };
    let (edges, edges_left_out) = edges(&component, &shown, &number);
    Graph {
        board: formats::line(board),
        metric: metric.word(),
        vehicles: board.vehicles().iter().map(|vehicle| vehicle.label).collect(),
        states: component.len() as u64,
        complete: component.complete,
        sampled: shown.len() < component.len(),
        by: if component.from_goals { "goal" } else { "start" },
        depth: component.layers.len() as u32 - 1,
        layers: component.layers.iter().map(|layer| layer.len() as u64).collect(),
        start: number[0],
        path: path.iter().map(|&state| number[state as usize]).collect(),
        distances: shown.iter().map(|&state| component.distances[state as usize]).collect(),
        positions: shown.iter().map(|&state| digits(&domain, keys[state as usize])).collect(),
        edges,
        edges_left_out,
    }
}

/// Where the vehicles stand, a digit each.
pub(crate) fn digits<const N: usize>(domain: &RushDomain<N>, key: [u64; N]) -> String {
    let digit = |vehicle: usize| char::from_digit((key[vehicle / 16] >> (vehicle % 16 * 4)) as u32 & 15, 36);
    (0..domain.bodies().len()).filter_map(digit).collect()
}

/// The edges between shown states, those first that every picture needs: one from each state to a nearer one.
fn edges(component: &Component, shown: &[u32], number: &[u32]) -> (Vec<u32>, u64) {
    let is_shown = |&to: &u32| number[to as usize] != u32::MAX;
    let count = |state: u32| component.ways(state).iter().filter(|&to| *to > state && is_shown(to)).count();
    let total: usize = shown.iter().map(|&state| count(state)).sum();
    let mut edges = Vec::with_capacity(2 * total.min(MOST_EDGES));
    let mut add = |from: u32, to: u32| {
        if edges.len() < 2 * MOST_EDGES {
            edges.extend([number[from as usize], number[to as usize]]);
        }
    };
    let nearer = |state: u32| component.nearer(state).find(is_shown);
    if total > MOST_EDGES {
        shown.iter().filter_map(|&state| Some((state, nearer(state)?))).for_each(|(from, to)| add(from, to));
    }
    for &from in shown {
        for &to in component.ways(from).iter().filter(|&to| *to > from && is_shown(to)) {
            let is_there = total > MOST_EDGES && (nearer(from) == Some(to) || nearer(to) == Some(from));
            if !is_there {
                add(from, to);
            }
        }
    }
    let left_out = total - edges.len() / 2;
    (edges, left_out as u64)
}

/// Replays a path.
fn check<const N: usize>(domain: &RushDomain<N>, path: &[u32], keys: &[[u64; N]]) {
    let state = |state: u32| domain.state(keys[state as usize]);
    let step = |pair: &[u32]| {
        let (from, to) = (state(pair[0]), state(pair[1]));
        let moved = (0..domain.bodies().len()).filter(|&vehicle| from.position(vehicle) != to.position(vehicle));
        let cells = |vehicle| to.position(vehicle) as i8 - from.position(vehicle) as i8;
        moved.map(|vehicle| RushMove { vehicle: vehicle as u8, cells: cells(vehicle) }).collect::<Vec<_>>()
    };
    let moves: Vec<RushMove> = path.windows(2).flat_map(step).collect();
    let check = replay(domain.board(), &domain.solution(&moves).0);
    assert!(path.is_empty() || check.is_ok_and(|check| check.solved), "the path does not pass its replay");
}
