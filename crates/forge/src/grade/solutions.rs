//! Exact averages over all shortest, or nearly shortest, solutions of a board.
//!
//! There may be far too many solutions to enumerate, but they are the paths through a layered graph. So everything is computed
//! by dynamic programming from the last layer to the first: the averages at a station follow from those at its successors, each
//! weighted by its number of solutions.

use super::blockers::target_blockers;
use clearway_rush::Board;
use clearway_rush::exact::SolutionGraph;
use clearway_search::{Limit, LimitChecker};

/// Number of moves by which a nearly shortest solution may be longer than a shortest one.
pub(super) const SLACK: u32 = 1;

/// Averages over all shortest solutions.
#[derive(Clone, Debug, Default)]
pub(super) struct SolutionAverages {
    /// Number of different vehicles that move.
    pub vehicles: f64,
    /// Number of moves that are not forced.
    pub decisions: f64,
    /// Number of moves that take the target away from the exit, or a vehicle into its path.
    pub counterintuitive: f64,
    /// Sum of log2(legal moves / good moves), where a move is good if it is on a shortest solution.
    pub search_information: f64,
    /// Number of moves of each vehicle.
    pub moves_of: Vec<f64>,
    /// Fewest moves that take the target away from the exit in any shortest solution; not an average.
    pub fewest_retreats: u32,
}

/// Averages over the shortest solutions from a station on.
#[derive(Clone, Default)]
struct StationAverages {
    /// Number of solutions, scaled by a factor that is the same for a whole layer. It is 0 at a station that is on no shortest
    /// solution.
    solutions: f64,
    decisions: f64,
    counterintuitive: f64,
    search_information: f64,
    fewest_retreats: u32,
    /// Number of vehicles between the target and the exit.
    blockers: u32,
}

/// Averages of a vehicle over the shortest solutions from a station on.
#[derive(Clone, Copy, Default)]
struct VehicleAverages {
    /// Share of the solutions in which it does not move.
    resting: f64,
    /// Number of its moves.
    moves: f64,
}

/// Returns the averages over all shortest solutions of a board; all are 0 if it has none, or is solved.
pub(super) fn averages(
    board: &Board,
    solutions: &SolutionGraph,
    checker: &LimitChecker,
) -> Result<SolutionAverages, Limit> {
    let count = board.vehicles().len();
    let Some(shortest) = solutions.layers().next().map(|first| solutions.node(first.start).distance) else {
        return Ok(SolutionAverages::default());
    };
    // Of the layer processed last: its first station, the averages of each station, and for each station and vehicle the share
    // of the solutions in which the vehicle does not move any more, and the average number of its moves.
    let (mut first, mut next_layer, mut vehicles) = (0, Vec::<StationAverages>::new(), Vec::<VehicleAverages>::new());
    for (layer, stations) in solutions.layers().enumerate().rev() {
        let held = size_of_val(&*next_layer) + size_of_val(&*vehicles);
        let bytes = stations.len() * (size_of::<StationAverages>() + count * size_of::<VehicleAverages>());
        checker.check(0, solutions.memory_usage() + held + bytes).map_or(Ok(()), Err)?;
        let mut this_layer = vec![StationAverages::default(); stations.len()];
        let mut vehicles_here = vec![VehicleAverages::default(); stations.len() * count];
        for (place, index) in stations.clone().enumerate() {
            let station = solutions.node(index);
            if layer as u32 + station.distance != shortest {
                continue;
            }
            let positions = solutions.positions(index);
            let vehicles_now = &mut vehicles_here[place * count..][..count];
            let blockers = target_blockers(board, positions);
            if station.distance == 0 {
                vehicles_now.fill(VehicleAverages { resting: 1.0, moves: 0.0 });
                this_layer[place] = StationAverages { solutions: 1.0, blockers, ..StationAverages::default() };
                continue;
            }
            let good = || {
                let edges = solutions.edges(index).iter().map(|edge| (edge, edge.to as usize - first));
                edges.filter(|(_, to)| next_layer[*to].solutions > 0.0)
            };
            let total: f64 = good().map(|(_, to)| next_layer[to].solutions).sum();
            let mut now =
                StationAverages { solutions: total, blockers, fewest_retreats: u32::MAX, ..StationAverages::default() };
            for (edge, to) in good() {
                let next = &next_layer[to];
                let (share, vehicle) = (next.solutions / total, edge.vehicle as usize);
                let goal = board.goal_position();
                let retreats =
                    vehicle == 0 && solutions.positions(first + to)[0].abs_diff(goal) > positions[0].abs_diff(goal);
                let is_counterintuitive = retreats || (vehicle != 0 && next.blockers > blockers);
                now.fewest_retreats = now.fewest_retreats.min(next.fewest_retreats + u32::from(retreats));
                now.decisions += share * next.decisions;
                now.counterintuitive += share * (next.counterintuitive + f64::from(is_counterintuitive));
                now.search_information += share * next.search_information;
                let vehicles_next = &vehicles[to * count..][..count];
                for (other, (now, next)) in vehicles_now.iter_mut().zip(vehicles_next).enumerate() {
                    let moves = f64::from(other == vehicle);
                    now.resting += share * (1.0 - moves) * next.resting;
                    now.moves += share * (moves + next.moves);
                }
            }
            // If only two vehicles can move, one of them has just moved, so the move of the other one is forced.
            now.decisions += f64::from(layer == 0 || station.movable > 2);
            now.search_information += (f64::from(station.legal_moves) / good().count() as f64).log2();
            this_layer[place] = now;
        }
        let most = this_layer.iter().map(|station| station.solutions).fold(0.0, f64::max);
        for station in &mut this_layer {
            station.solutions /= if most > 0.0 { most } else { 1.0 };
        }
        (first, next_layer, vehicles) = (stations.start, this_layer, vehicles_here);
    }
    let Some(start) = next_layer.first() else { return Ok(SolutionAverages::default()) };
    Ok(SolutionAverages {
        vehicles: vehicles.iter().map(|vehicle| 1.0 - vehicle.resting).sum(),
        decisions: start.decisions,
        counterintuitive: start.counterintuitive,
        search_information: start.search_information,
        moves_of: vehicles.iter().map(|vehicle| vehicle.moves).collect(),
        fewest_retreats: start.fewest_retreats,
    })
}

/// Returns the expected length of the common prefix, in moves, of two solutions drawn at random.
///
/// Solutions in which a vehicle moves twice in a row are excluded: they are shorter solutions with one slide split in two.
pub(super) fn common_start(solutions: &SolutionGraph, checker: &LimitChecker) -> Result<f64, Limit> {
    // Of the layer processed last: its first station, the index of the first edge of each station, and for each edge the number
    // of solutions that continue from its end (scaled by a factor that is the same for a whole layer) and the expected length
    // of the common prefix of two of those.
    let (mut first_station, mut starts, mut next_layer) = (0, Vec::<usize>::new(), Vec::<(f64, f64)>::new());
    let mut scale = 1.0;
    for stations in solutions.layers().rev() {
        let held = size_of_val(&*starts) + size_of_val(&*next_layer);
        let edges = stations.clone().map(|index| solutions.edges(index).len()).sum();
        let bytes = stations.len() * size_of::<usize>() + edges * size_of::<(f64, f64)>();
        checker.check(0, solutions.memory_usage() + held + bytes).map_or(Ok(()), Err)?;
        let (mut starts_here, mut here) = (Vec::with_capacity(stations.len()), Vec::with_capacity(edges));
        for index in stations.clone() {
            starts_here.push(here.len());
            for edge in solutions.edges(index) {
                let to = edge.to as usize;
                if solutions.node(to).distance == 0 {
                    here.push((1.0 / scale, 0.0));
                    continue;
                }
                let first = starts[to - first_station];
                let next = || {
                    let edges = solutions.edges(to).iter().zip(&next_layer[first..]);
                    edges.filter(|(next, _)| next.vehicle != edge.vehicle).map(|(_, values)| *values)
                };
                here.push(joined(next));
            }
        }
        let most = here.iter().map(|(count, _)| *count).fold(0.0, f64::max);
        if most > 0.0 {
            for (count, _) in &mut here {
                *count /= most;
            }
            scale *= most;
        }
        (first_station, starts, next_layer) = (stations.start, starts_here, here);
    }
    Ok(joined(|| next_layer.iter().copied()).1)
}

/// Returns the number of solutions over all given edges, and the expected length of the common prefix of two of them.
fn joined<I: Iterator<Item = (f64, f64)>>(edges: impl Fn() -> I) -> (f64, f64) {
    let total: f64 = edges().map(|(count, _)| count).sum();
    if total == 0.0 {
        return (0.0, 0.0);
    }
    (total, edges().map(|(count, common)| (count / total).powi(2) * (1.0 + common)).sum())
}
