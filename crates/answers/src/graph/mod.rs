//! The state graph of a board for drawing: all reachable states, in layers by their distance to a solved state.
//!
//! - `component`: all states and their distances
//! - `sample`: selection of the states to show if there are too many

mod component;
mod sample;

use clearway_rush::{Board, Metric, RushDomain, RushMove, formats, replay, with_words};
use clearway_search::{Domain, Limits};
use component::Component;
use serde::Serialize;

/// Maximum number of edges in a graph.
pub const MAX_EDGES: usize = 150_000;

/// All states reachable from a board, or a sample of them, and the moves between them.
///
/// States are numbered from 0 in the order of `distances` and `positions`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Graph {
    /// Board in line format.
    pub board: String,
    /// Metric that defines a move: `moves` (a slide of any length) or `steps` (one cell).
    pub metric: &'static str,
    /// Labels of the vehicles, in the order of `positions`.
    pub vehicles: String,
    /// Number of reachable states; if a limit was reached, of those that were visited.
    pub states: u64,
    /// Whether all states were visited before any limit was reached.
    pub complete: bool,
    /// Whether only a sample of the states is shown.
    pub sampled: bool,
    /// Origin of distances: `goal`, the nearest solved state; or `start`, if none is reachable or a limit was reached.
    pub by: &'static str,
    /// Largest distance.
    pub depth: u32,
    /// Number of all states at each distance, starting at 0.
    pub layers: Vec<u64>,
    /// Number of the start state.
    pub start: u32,
    /// States of a shortest solution, from the start to a solved state; empty if none was found.
    pub path: Vec<u32>,
    /// Distance of each state shown.
    pub distances: Vec<u32>,
    /// Positions of the vehicles in each state shown: one base-36 digit per vehicle, its column or row.
    pub positions: Vec<String>,
    /// Moves between states shown, as pairs of their numbers: `[a, b, a, b, ...]`. Moves are reversible, so each pair appears
    /// once. At most 150,000 pairs; every state keeps an edge to a nearer state.
    pub edges: Vec<u32>,
    /// Number of pairs left out.
    pub edges_left_out: u64,
}

/// Returns the state graph of a board with at most `max_states` states, but always all states of a shortest solution. The
/// limits apply to the exploration; the result depends on nothing else.
///
/// ```
/// use clearway_rush::{Metric, formats};
/// let board = formats::read_one("4x3:...BAA.B....", None).unwrap().board;
/// let graph = clearway_answers::graph(&board, Metric::Moves, 1_000, &Default::default());
/// assert_eq!((graph.vehicles.as_str(), graph.states, graph.by), ("AB", 4, "start"));
/// ```
///
/// # Panics
/// If the shortest solution fails the independent replay, which would be a bug in the exploration.
pub fn graph(board: &Board, metric: Metric, max_states: usize, limits: &Limits) -> Graph {
    with_words!(board, N in [1, 2, 8] => graph_in::<N>(board, metric, max_states, limits))
}

fn graph_in<const N: usize>(board: &Board, metric: Metric, max_states: usize, limits: &Limits) -> Graph {
    let domain = RushDomain::<N>::new(board, metric).expect("a board has at most 128 vehicles");
    let (component, keys) = Component::explore(&domain, limits);
    let path = component.path();
    check_path(&domain, &path, &keys);
    let shown = sample::sample(&component, &path, max_states);
    let number: Vec<u32> = {
        let mut number = vec![u32::MAX; component.len()];
        shown.iter().enumerate().for_each(|(at, &state)| number[state as usize] = at as u32);
        number
    };
    let (edges, edges_left_out) = edges(&component, &shown, &number);
    Graph {
        board: formats::line(board),
        metric: metric.as_str(),
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

/// Positions of the vehicles, one base-36 digit each.
pub(crate) fn digits<const N: usize>(domain: &RushDomain<N>, key: [u64; N]) -> String {
    let digit = |vehicle: usize| char::from_digit((key[vehicle / 16] >> (vehicle % 16 * 4)) as u32 & 15, 36);
    (0..domain.bodies().len()).filter_map(digit).collect()
}

/// Returns the edges between states shown, and the number left out. If there are too many, an edge from each state to a nearer
/// one comes first, so that the picture stays connected.
fn edges(component: &Component, shown: &[u32], number: &[u32]) -> (Vec<u32>, u64) {
    let is_shown = |&to: &u32| number[to as usize] != u32::MAX;
    let count = |state: u32| component.successors(state).iter().filter(|&to| *to > state && is_shown(to)).count();
    let total: usize = shown.iter().map(|&state| count(state)).sum();
    let mut edges = Vec::with_capacity(2 * total.min(MAX_EDGES));
    let mut add = |from: u32, to: u32| {
        if edges.len() < 2 * MAX_EDGES {
            edges.extend([number[from as usize], number[to as usize]]);
        }
    };
    let nearer = |state: u32| component.nearer(state).find(is_shown);
    if total > MAX_EDGES {
        shown.iter().filter_map(|&state| Some((state, nearer(state)?))).for_each(|(from, to)| add(from, to));
    }
    for &from in shown {
        for &to in component.successors(from).iter().filter(|&to| *to > from && is_shown(to)) {
            let is_added = total > MAX_EDGES && (nearer(from) == Some(to) || nearer(to) == Some(from));
            if !is_added {
                add(from, to);
            }
        }
    }
    let left_out = total - edges.len() / 2;
    (edges, left_out as u64)
}

/// Checks a path by the independent replay.
fn check_path<const N: usize>(domain: &RushDomain<N>, path: &[u32], keys: &[[u64; N]]) {
    let state = |state: u32| domain.state(keys[state as usize]);
    let step = |pair: &[u32]| {
        let (from, to) = (state(pair[0]), state(pair[1]));
        let moved = (0..domain.bodies().len()).filter(|&vehicle| from.position(vehicle) != to.position(vehicle));
        let cells = |vehicle| to.position(vehicle) as i8 - from.position(vehicle) as i8;
        moved.map(|vehicle| RushMove { vehicle: vehicle as u8, cells: cells(vehicle) }).collect::<Vec<_>>()
    };
    let moves: Vec<RushMove> = path.windows(2).flat_map(step).collect();
    let result = replay(domain.board(), &domain.solution(&moves).0);
    assert!(path.is_empty() || result.is_ok_and(|replay| replay.solved), "the path fails its replay");
}
