//! What the shortest solutions of a board are like, and the nearly shortest ones: exact means over all of them.
//!
//! There may be far too many solutions to look at each, but they are the ways through a graph of layers. So everything
//! is computed from the last layer to the first: what holds at a station in the mean follows from what holds at the
//! stations one move on, each weighted by the number of solutions that go there.

use super::blockers::in_the_way;
use clearway_rush::Board;
use clearway_rush::exact::Solutions;
use clearway_search::{Limit, Watch};

/// By how many moves a nearly shortest solution may be longer than a shortest one.
pub(super) const SLACK: u32 = 1;

/// Means over all shortest solutions.
#[derive(Clone, Debug, Default)]
pub(super) struct Means {
    /// The different vehicles that move.
    pub vehicles: f64,
    /// The moves at which there is something to decide.
    pub decisions: f64,
    /// The moves that take the target away from the exit, or put a vehicle in its way.
    pub counterintuitive: f64,
    /// The sum of log2(legal moves / good moves).
    pub search_information: f64,
}

/// What holds from a station on, in the mean over the shortest solutions from there.
#[derive(Clone, Default)]
struct Onward {
    /// How many solutions there are, in units that are the same for a whole layer. None at a station that is on no
    /// shortest solution.
    ways: f64,
    decisions: f64,
    counterintuitive: f64,
    search_information: f64,
    obstacles: u32,
}

/// The means over all shortest solutions of a board; all 0 if it has none, or is solved.
pub(super) fn means(board: &Board, solutions: &Solutions, watch: &Watch) -> Result<Means, Limit> {
    let count = board.vehicles().len();
    let Some(shortest) = solutions.layers().next().map(|first| solutions.station(first.start).distance) else {
        return Ok(Means::default());
    };
    // Of the layer done last: its first station, and by station what holds from there on, and for each vehicle the
    // share of the solutions in which it does not move any more.
    let (mut begin, mut onward, mut resting) = (0, Vec::<Onward>::new(), Vec::<f64>::new());
    for (layer, stations) in solutions.layers().enumerate().rev() {
        let held = size_of_val(&*onward) + size_of_val(&*resting);
        let bytes = stations.len() * (size_of::<Onward>() + count * size_of::<f64>());
        watch.check(0, solutions.bytes() + held + bytes).map_or(Ok(()), Err)?;
        let mut here = vec![Onward::default(); stations.len()];
        let mut resting_here = vec![0.0; stations.len() * count];
        for (place, index) in stations.clone().enumerate() {
            let station = solutions.station(index);
            if layer as u32 + station.distance != shortest {
                continue;
            }
            let positions = solutions.positions(index);
            let resting_now = &mut resting_here[place * count..][..count];
            let obstacles = in_the_way(board, positions);
            if station.distance == 0 {
                resting_now.fill(1.0);
                here[place] = Onward { ways: 1.0, obstacles, ..Onward::default() };
                continue;
            }
            let good = || {
                let links = solutions.links(index).iter().map(|link| (link, link.to as usize - begin));
                links.filter(|(_, to)| onward[*to].ways > 0.0)
            };
            let ways: f64 = good().map(|(_, to)| onward[to].ways).sum();
            let mut now = Onward { ways, obstacles, ..Onward::default() };
            for (link, to) in good() {
                let next = &onward[to];
                let (share, vehicle) = (next.ways / ways, link.vehicle as usize);
                let against = if vehicle == 0 {
                    let goal = board.goal_position();
                    solutions.positions(begin + to)[0].abs_diff(goal) > positions[0].abs_diff(goal)
                } else {
                    next.obstacles > obstacles
                };
                now.decisions += share * next.decisions;
                now.counterintuitive += share * (next.counterintuitive + f64::from(against));
                now.search_information += share * next.search_information;
                let resting_next = &resting[to * count..][..count];
                for (other, (rest, next)) in resting_now.iter_mut().zip(resting_next).enumerate() {
                    *rest += if other == vehicle { 0.0 } else { share * next };
                }
            }
            // One of two vehicles that can move is the one that has just moved.
            now.decisions += f64::from(layer == 0 || station.movable > 2);
            now.search_information += (f64::from(station.legal_moves) / good().count() as f64).log2();
            here[place] = now;
        }
        let most = here.iter().map(|onward| onward.ways).fold(0.0, f64::max);
        for onward in &mut here {
            onward.ways /= if most > 0.0 { most } else { 1.0 };
        }
        (begin, onward, resting) = (stations.start, here, resting_here);
    }
    let Some(start) = onward.first() else { return Ok(Means::default()) };
    Ok(Means {
        vehicles: resting.iter().map(|share| 1.0 - share).sum(),
        decisions: start.decisions,
        counterintuitive: start.counterintuitive,
        search_information: start.search_information,
    })
}

/// How many moves two of the solutions, drawn at random, have in common before they part for the first time.
///
/// Solutions in which a vehicle moves twice in a row are left out: they are no lines of their own, but shorter ones with
/// a stop on the way.
pub(super) fn common_start(solutions: &Solutions, watch: &Watch) -> Result<f64, Limit> {
    // Of the layer done last: its first station, where each of its stations' links begin among them, and by link the
    // number of solutions that go on from its end (in units that are the same for a whole layer), and how many moves two
    // of those have in common.
    let (mut begin, mut starts, mut onward) = (0, Vec::<usize>::new(), Vec::<(f64, f64)>::new());
    let mut unit = 1.0;
    for stations in solutions.layers().rev() {
        let held = size_of_val(&*starts) + size_of_val(&*onward);
        let links = stations.clone().map(|index| solutions.links(index).len()).sum();
        let bytes = stations.len() * size_of::<usize>() + links * size_of::<(f64, f64)>();
        watch.check(0, solutions.bytes() + held + bytes).map_or(Ok(()), Err)?;
        let (mut starts_here, mut here) = (Vec::with_capacity(stations.len()), Vec::with_capacity(links));
        for index in stations.clone() {
            starts_here.push(here.len());
            for link in solutions.links(index) {
                let to = link.to as usize;
                if solutions.station(to).distance == 0 {
                    here.push((1.0 / unit, 0.0));
                    continue;
                }
                let first = starts[to - begin];
                let next = || {
                    let links = solutions.links(to).iter().zip(&onward[first..]);
                    links.filter(|(next, _)| next.vehicle != link.vehicle).map(|(_, onward)| *onward)
                };
                here.push(joined(next));
            }
        }
        let most = here.iter().map(|(ways, _)| *ways).fold(0.0, f64::max);
        if most > 0.0 {
            for (ways, _) in &mut here {
                *ways /= most;
            }
            unit *= most;
        }
        (begin, starts, onward) = (stations.start, starts_here, here);
    }
    Ok(joined(|| onward.iter().copied()).1)
}

/// The number of solutions that go by any of some links, and how many moves two of them have in common.
fn joined<I: Iterator<Item = (f64, f64)>>(links: impl Fn() -> I) -> (f64, f64) {
    let ways: f64 = links().map(|(ways, _)| ways).sum();
    if ways == 0.0 {
        return (0.0, 0.0);
    }
    (ways, links().map(|(share, common)| (share / ways).powi(2) * (1.0 + common)).sum())
}
