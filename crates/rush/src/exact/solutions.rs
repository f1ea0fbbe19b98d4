//! All solutions of a board that are shortest or nearly so, laid out as a graph.

use super::best_first::BATCH;
use super::key::Key;
use super::memory::Memory;
use super::{Space, hash_table_bytes};
use crate::Board;
use clearway_search::{Limit, Watch};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::ops::Range;

/// The solutions of a board of up to some length, in layers: layer 0 is the start, and every link leads from a
/// station to one of the next layer. Any way along the links to a solved station is one of the solutions.
///
/// ```
/// use clearway_rush::{Solver, formats};
/// let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
/// let (facts, solutions) = Solver::new().explore(&board, 0, &Default::default());
/// let solutions = solutions.unwrap();
/// assert_eq!(solutions.layers().len(), 9);
/// assert_eq!(solutions.layers().next_back().map(|last| solutions.station(last.start).distance), Some(0));
/// assert_eq!(facts.distance, Some(8));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Solutions {
    vehicles: usize,
    stations: Vec<Station>,
    /// Where the vehicles stand, station by station.
    positions: Vec<u8>,
    links: Vec<Link>,
    /// Where each layer begins, and where the last one ends.
    bounds: Vec<u32>,
}

/// A state on the way of a solution, after so many moves as its layer says. A state that is reached after different
/// numbers of moves is a station in each of those layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Station {
    /// Its distance to the nearest solved state.
    pub distance: u32,
    /// How many moves are possible.
    pub legal_moves: u32,
    /// How many different vehicles can move.
    pub movable: u32,
    /// Its links among all links.
    first: u32,
    end: u32,
}

/// A move of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The station it leads to.
    pub to: u32,
    /// The index of the vehicle that moves.
    pub vehicle: u8,
}

impl Solutions {
    /// The stations of each layer, from the start on; none if there is no solution.
    pub fn layers(&self) -> impl DoubleEndedIterator<Item = Range<usize>> + ExactSizeIterator + '_ {
        self.bounds.windows(2).map(|pair| pair[0] as usize..pair[1] as usize)
    }

    /// A station.
    pub fn station(&self, index: usize) -> Station {
        self.stations[index]
    }

    /// Where each vehicle of the board stands at a station.
    pub fn positions(&self, index: usize) -> &[u8] {
        &self.positions[index * self.vehicles..][..self.vehicles]
    }

    /// The moves that go on from a station; none from a solved one.
    pub fn links(&self, index: usize) -> &[Link] {
        let station = &self.stations[index];
        &self.links[station.first as usize..station.end as usize]
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.stations.capacity() * size_of::<Station>()
            + self.positions.capacity()
            + self.links.capacity() * size_of::<Link>()
    }
}

/// A packed state as the key of a hash map: it brings a good hash of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Hashed<K>(K);

impl<K: Key> Hash for Hashed<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The map takes its bits from both ends, and the best ones are on top.
        state.write_u64(self.0.hash().swap_bytes() ^ self.0.hash());
    }
}

/// Hands on the only number it is given.
#[derive(Default)]
struct Same(u64);

impl Hasher for Same {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |all, &byte| all << 8 | u64::from(byte));
    }
    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

/// Lays out all solutions of up to `longest` moves, given a table that holds every state's distance.
pub(super) fn lay_out<S: Space>(
    space: &S,
    board: &Board,
    longest: u32,
    memory: &Memory<S::Key>,
    watch: &Watch,
) -> Result<Solutions, Limit> {
    let count = board.vehicles().len();
    let mut all = Solutions { vehicles: count, bounds: vec![0], ..Solutions::default() };
    let (mut layer, mut successors) = (vec![space.start()], Vec::new());
    let mut places: HashMap<Hashed<S::Key>, u32, BuildHasherDefault<Same>> = HashMap::default();
    let mut moved = vec![0; count];
    for left in (0..=longest).rev() {
        let next_layer = (all.stations.len() + layer.len()) as u32;
        let mut next = Vec::new();
        places.clear();
        for (place, &state) in layer.iter().enumerate() {
            if (place as u64).is_multiple_of(BATCH) {
                let waiting = (layer.capacity() + next.capacity()) * size_of::<S::Key>();
                let entry = size_of::<(Hashed<S::Key>, u32)>();
                let numbers = hash_table_bytes(places.len(), places.capacity(), entry);
                watch.check(0, memory.bytes() + all.bytes() + waiting + numbers).map_or(Ok(()), Err)?;
                if all.links.len() > u32::MAX as usize / 2 {
                    return Err(Limit::Memory);
                }
            }
            let first = all.links.len() as u32;
            let begin = all.positions.len();
            all.positions.resize(begin + count, 0);
            space.positions(state, &mut all.positions[begin..]);
            let distance = memory.table.depth(state).unwrap_or_default();
            successors.clear();
            space.successors(state, &mut successors);
            let mut movable = 0u128;
            for &successor in &successors {
                space.positions(successor, &mut moved);
                let vehicle = moved.iter().zip(&all.positions[begin..]).position(|(to, from)| to != from);
                let vehicle = vehicle.unwrap_or_default() as u8;
                movable |= 1 << vehicle;
                if distance > 0 && memory.table.depth(successor).is_some_and(|distance| distance < left) {
                    let to = *places.entry(Hashed(successor)).or_insert_with(|| {
                        next.push(successor);
                        next_layer + next.len() as u32 - 1
                    });
                    all.links.push(Link { to, vehicle });
                }
            }
            let (legal_moves, end) = (successors.len() as u32, all.links.len() as u32);
            all.stations.push(Station { distance, legal_moves, movable: movable.count_ones(), first, end });
        }
        all.bounds.push(all.stations.len() as u32);
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Solver;
    use crate::suites::Suite;
    use clearway_search::Limits;

    /// The number of ways from the start to solved stations, by length.
    fn ways(solutions: &Solutions) -> Vec<u128> {
        let mut ways = vec![0; solutions.stations.len()];
        ways[0] = 1u128;
        let mut by_length = Vec::new();
        for layer in solutions.layers() {
            by_length.push(0);
            for index in layer {
                for link in solutions.links(index) {
                    ways[link.to as usize] += ways[index];
                }
                if solutions.station(index).distance == 0 {
                    *by_length.last_mut().unwrap() += ways[index];
                }
            }
        }
        by_length
    }

    #[test]
    fn the_ways_through_the_graph_are_the_solutions() {
        for name in ["cards", "traffic-jam", "vandijk"] {
            for puzzle in Suite::find(name).unwrap().puzzles().into_iter().step_by(3) {
                let (facts, solutions) = Solver::new().explore(&puzzle.board, 1, &Limits::default());
                let solutions = solutions.unwrap();
                let ways = ways(&solutions);
                let shortest = facts.distance.unwrap() as usize;
                assert!(ways[..shortest].iter().all(|&count| count == 0));
                assert_eq!(Some(ways[shortest]), facts.optimal_solutions, "{:?}", puzzle.name);
                assert!(ways.len() <= shortest + 2);
                for (layer, stations) in solutions.layers().enumerate() {
                    for index in stations {
                        let (station, positions) = (solutions.station(index), solutions.positions(index));
                        assert!(layer + station.distance as usize <= shortest + 1);
                        for link in solutions.links(index) {
                            let next = solutions.positions(link.to as usize);
                            let moved: Vec<usize> = (0..positions.len()).filter(|&i| positions[i] != next[i]).collect();
                            assert_eq!(moved, [link.vehicle as usize]);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_station_knows_what_can_move() {
        let card = &Suite::find("cards").unwrap().puzzles()[2];
        let (_, solutions) = Solver::new().explore(&card.board, 1, &Limits::default());
        let solutions = solutions.unwrap();
        for index in 0..solutions.stations.len() {
            let board = card.board.with_positions(solutions.positions(index)).unwrap();
            let legal = board.legal_moves();
            let movable: std::collections::HashSet<char> = legal.iter().map(|mv| mv.label).collect();
            let station = solutions.station(index);
            assert_eq!((station.legal_moves, station.movable), (legal.len() as u32, movable.len() as u32));
        }
    }

    #[test]
    fn limits_and_boards_without_a_solution_give_no_solutions() {
        let card = &Suite::find("cards").unwrap().puzzles()[0].board;
        let limits = Limits { nodes: Some(100), ..Limits::default() };
        assert_eq!(Solver::new().explore(card, 0, &limits).1.unwrap_err(), Limit::Nodes);
        let unsolvable = crate::formats::read_one("4x3:...BAA.B....", None).unwrap().board;
        let (facts, solutions) = Solver::new().explore(&unsolvable, 0, &Limits::default());
        assert_eq!((facts.distance, solutions.unwrap().layers().len()), (None, 0));
    }
}
