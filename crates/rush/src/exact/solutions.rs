//! All optimal and nearly optimal solutions of a board, as a graph.

use super::best_first::BATCH;
use super::key::Key;
use super::memory::SearchMemory;
use super::{StateSpace, hash_table_bytes};
use crate::Board;
use clearway_search::{Limit, LimitChecker};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::ops::Range;

/// All solutions of a board up to some length, as a layered graph: layer 0 is the start, and every edge leads from a node to one
/// of the next layer. The paths from the start to solved nodes are the solutions.
///
/// ```
/// use clearway_rush::{Solver, formats};
/// let board = formats::read_one("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", None).unwrap().board;
/// let (facts, solutions) = Solver::new().explore(&board, 0, &Default::default());
/// let solutions = solutions.unwrap();
/// assert_eq!(solutions.layers().len(), 9);
/// assert_eq!(solutions.layers().next_back().map(|last| solutions.node(last.start).distance), Some(0));
/// assert_eq!(facts.distance, Some(8));
/// ```
#[derive(Clone, Debug, Default)]
pub struct SolutionGraph {
    vehicles: usize,
    nodes: Vec<SolutionNode>,
    /// Positions of the vehicles, node by node.
    positions: Vec<u8>,
    edges: Vec<SolutionEdge>,
    /// Index of the first node of each layer, and the end of the last layer.
    bounds: Vec<u32>,
}

/// A state of a solution after as many moves as the index of its layer. A state that is reached after different numbers of moves
/// has a node in each of those layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolutionNode {
    /// Distance to the nearest solved state, in moves.
    pub distance: u32,
    /// Number of legal moves.
    pub legal_moves: u32,
    /// Number of vehicles that can move.
    pub movable: u32,
    /// Range of its edges among all edges.
    first: u32,
    end: u32,
}

/// A move of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolutionEdge {
    /// Index of the node that it leads to.
    pub to: u32,
    /// Index of the vehicle that moves.
    pub vehicle: u8,
}

impl SolutionGraph {
    /// Indices of the nodes of each layer, from the start on; empty if there is no solution.
    pub fn layers(&self) -> impl DoubleEndedIterator<Item = Range<usize>> + ExactSizeIterator + '_ {
        self.bounds.windows(2).map(|pair| pair[0] as usize..pair[1] as usize)
    }

    /// Returns a node by its index, as [`layers`](Self::layers) gives it.
    pub fn node(&self, index: usize) -> SolutionNode {
        self.nodes[index]
    }

    /// Positions of the vehicles of the board at a node.
    pub fn positions(&self, index: usize) -> &[u8] {
        &self.positions[index * self.vehicles..][..self.vehicles]
    }

    /// Edges from a node to the next layer; none from a solved node.
    pub fn edges(&self, index: usize) -> &[SolutionEdge] {
        let node = &self.nodes[index];
        &self.edges[node.first as usize..node.end as usize]
    }

    /// Bytes held.
    pub fn memory_usage(&self) -> usize {
        self.nodes.capacity() * size_of::<SolutionNode>()
            + self.positions.capacity()
            + self.edges.capacity() * size_of::<SolutionEdge>()
    }
}

/// A packed state as the key of a hash map, with its own hash.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Hashed<K>(K);

impl<K: Key> Hash for Hashed<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The map uses bits from both ends, but the upper bits are mixed best.
        state.write_u64(self.0.hash().swap_bytes() ^ self.0.hash());
    }
}

/// Returns the number that was written.
#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
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

/// Builds the graph of all solutions of up to `max_length` moves, given a table with the distance of every state.
pub(super) fn build<S: StateSpace>(
    space: &S,
    board: &Board,
    max_length: u32,
    memory: &SearchMemory<S::Key>,
    checker: &LimitChecker,
) -> Result<SolutionGraph, Limit> {
    let count = board.vehicles().len();
    let mut all = SolutionGraph { vehicles: count, bounds: vec![0], ..SolutionGraph::default() };
    let (mut layer, mut successors) = (vec![space.start()], Vec::new());
    let mut indices: HashMap<Hashed<S::Key>, u32, BuildHasherDefault<IdentityHasher>> = HashMap::default();
    let mut moved = vec![0; count];
    for left in (0..=max_length).rev() {
        let next_layer = (all.nodes.len() + layer.len()) as u32;
        let mut next = Vec::new();
        indices.clear();
        for (place, &state) in layer.iter().enumerate() {
            if (place as u64).is_multiple_of(BATCH) {
                let waiting = (layer.capacity() + next.capacity()) * size_of::<S::Key>();
                let entry = size_of::<(Hashed<S::Key>, u32)>();
                let numbers = hash_table_bytes(indices.len(), indices.capacity(), entry);
                checker.check(0, memory.memory_usage() + all.memory_usage() + waiting + numbers).map_or(Ok(()), Err)?;
                if all.edges.len() > u32::MAX as usize / 2 {
                    return Err(Limit::Memory);
                }
            }
            let first = all.edges.len() as u32;
            let start = all.positions.len();
            all.positions.resize(start + count, 0);
            space.positions(state, &mut all.positions[start..]);
            let distance = memory.table.depth(state).unwrap_or_default();
            successors.clear();
            space.successors(state, &mut successors);
            let mut movable = 0u128;
            for &successor in &successors {
                space.positions(successor, &mut moved);
                let vehicle = moved.iter().zip(&all.positions[start..]).position(|(to, from)| to != from);
                let vehicle = vehicle.unwrap_or_default() as u8;
                movable |= 1 << vehicle;
                if distance > 0 && memory.table.depth(successor).is_some_and(|distance| distance < left) {
                    let to = *indices.entry(Hashed(successor)).or_insert_with(|| {
                        next.push(successor);
                        next_layer + next.len() as u32 - 1
                    });
                    all.edges.push(SolutionEdge { to, vehicle });
                }
            }
            let (legal_moves, end) = (successors.len() as u32, all.edges.len() as u32);
            all.nodes.push(SolutionNode { distance, legal_moves, movable: movable.count_ones(), first, end });
        }
        all.bounds.push(all.nodes.len() as u32);
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

    /// Number of paths from the start to solved nodes, by length.
    fn count_paths(solutions: &SolutionGraph) -> Vec<u128> {
        let mut paths = vec![0; solutions.nodes.len()];
        paths[0] = 1u128;
        let mut by_length = Vec::new();
        for layer in solutions.layers() {
            by_length.push(0);
            for index in layer {
                for edge in solutions.edges(index) {
                    paths[edge.to as usize] += paths[index];
                }
                if solutions.node(index).distance == 0 {
                    *by_length.last_mut().unwrap() += paths[index];
                }
            }
        }
        by_length
    }

    #[test]
    fn the_paths_through_the_graph_are_the_solutions() {
        for name in ["cards", "traffic-jam", "vandijk"] {
            for puzzle in Suite::find(name).unwrap().puzzles().into_iter().step_by(3) {
                let (facts, solutions) = Solver::new().explore(&puzzle.board, 1, &Limits::default());
                let solutions = solutions.unwrap();
                let paths = count_paths(&solutions);
                let shortest = facts.distance.unwrap() as usize;
                assert!(paths[..shortest].iter().all(|&count| count == 0));
                assert_eq!(Some(paths[shortest]), facts.optimal_solutions, "{:?}", puzzle.name);
                assert!(paths.len() <= shortest + 2);
                for (layer, nodes) in solutions.layers().enumerate() {
                    for index in nodes {
                        let (node, positions) = (solutions.node(index), solutions.positions(index));
                        assert!(layer + node.distance as usize <= shortest + 1);
                        for edge in solutions.edges(index) {
                            let next = solutions.positions(edge.to as usize);
                            let moved: Vec<usize> = (0..positions.len()).filter(|&i| positions[i] != next[i]).collect();
                            assert_eq!(moved, [edge.vehicle as usize]);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn nodes_have_the_legal_moves_of_their_boards() {
        let card = &Suite::find("cards").unwrap().puzzles()[2];
        let (_, solutions) = Solver::new().explore(&card.board, 1, &Limits::default());
        let solutions = solutions.unwrap();
        for index in 0..solutions.nodes.len() {
            let board = card.board.with_positions(solutions.positions(index)).unwrap();
            let legal = board.legal_moves();
            let movable: std::collections::HashSet<char> = legal.iter().map(|mv| mv.label).collect();
            let node = solutions.node(index);
            assert_eq!((node.legal_moves, node.movable), (legal.len() as u32, movable.len() as u32));
        }
    }

    #[test]
    fn limits_and_unsolvable_boards_give_no_solutions() {
        let card = &Suite::find("cards").unwrap().puzzles()[0].board;
        let limits = Limits { nodes: Some(100), ..Limits::default() };
        assert_eq!(Solver::new().explore(card, 0, &limits).1.unwrap_err(), Limit::Nodes);
        let unsolvable = crate::formats::read_one("4x3:...BAA.B....", None).unwrap().board;
        let (facts, solutions) = Solver::new().explore(&unsolvable, 0, &Limits::default());
        assert_eq!((facts.distance, solutions.unwrap().layers().len()), (None, 0));
    }
}
