//! A board prepared for thousands of searches: its whole component as a graph, with the values of all terminals.
//!
//! Evaluating a policy means searching, and evolution evaluates thousands of policies on the same boards. So everything that
//! does not depend on the policy is computed once: the states, the moves in the order in which [`RushDomain`] generates them,
//! the distances, and the terminals. The arena is a [`Domain`], so it is searched by the same algorithms as the board itself,
//! with the same counts.

use super::board::BoardLimits;
use crate::terminals::TERMINALS;
use clearway_rush::heuristics::{BuildError, HeuristicContext, HeuristicInfo};
use clearway_rush::{Board, Metric, RushDomain, RushMove, RushState, VisitedState, with_words};
use clearway_search::{Domain, Heuristic, Node};
use std::ops::ControlFlow;

/// Visits all reachable states and returns their keys, or an error if the limits are exceeded.
fn visit_component<const N: usize>(
    domain: &RushDomain<N>,
    limits: &BoardLimits,
    mut visit: impl FnMut(VisitedState<'_, N>),
) -> Result<Vec<[u64; N]>, ArenaError> {
    let (keys, too_many) = clearway_rush::flood(domain, |seen| {
        let (found, bytes) = (seen.found, seen.bytes);
        visit(seen);
        if found > limits.states {
            ControlFlow::Break(ArenaError::TooLarge(limits.states))
        } else if bytes > limits.memory {
            ControlFlow::Break(ArenaError::OutOfMemory)
        } else {
            ControlFlow::Continue(())
        }
    });
    too_many.map_or(Ok(keys), Err)
}

/// The component of a board (all states reachable from it), with the values of every terminal in every state.
#[derive(Clone, Debug)]
pub struct Arena {
    start: u32,
    /// Index of the first edge of each state, followed by the number of edges.
    first: Vec<u32>,
    edges: Vec<Edge>,
    /// For each state, the edge of the winning move, relative to its first edge; [`NO_WIN`] if there is none.
    wins: Vec<u8>,
    goals: Vec<bool>,
    /// For each state, the distance to the nearest goal in the metric; [`UNREACHABLE`] if there is none.
    distance: Vec<u16>,
    /// Terminal values of each state, one per terminal; 0 for terminals that depend on the path.
    terminal_values: Vec<u8>,
    /// Positions of the vehicles in each state, which novelty compares.
    positions: Vec<u8>,
    vehicles: usize,
    difficulty: f64,
    metric: Metric,
}

/// A move from a state to another.
#[derive(Clone, Copy, Debug)]
struct Edge {
    to: u32,
    vehicle: u8,
    flags: u8,
    is_forward: bool,
}

/// An edge of the state graph with both of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArenaMove {
    from: u32,
    to: u32,
    vehicle: u8,
    /// One bit for each of `MOVE_TERMINALS`.
    flags: u8,
    is_forward: bool,
}

/// A state of an arena, as an index below [`Arena::states`].
pub type ArenaState = u32;

const NO_WIN: u8 = u8::MAX;
const UNREACHABLE: u16 = u16::MAX;
/// Encodes an infinite terminal value. Finite values that do not fit are clamped to the value below.
const INFINITE: u8 = u8::MAX;
/// Terminals that describe the last move, in the order of their bits.
pub(super) const MOVE_TERMINALS: [&str; 4] =
    ["is-move-to-secluded", "is-releasing-move", "is-preferred-move", "is-first-move"];
/// Index of the flag of moves that the relaxed plan recommends.
pub(super) const IS_PREFERRED_MOVE: usize = 2;

/// Error for a board that cannot be used for training.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// The board has no solution.
    #[error("the board has no solution")]
    Unsolvable,
    /// The board is solved.
    #[error("the board is already solved")]
    Solved,
    /// The component of the board has more states than this limit.
    #[error("more than {0} states are reachable from the board")]
    TooLarge(usize),
    /// The component of the board exceeds the memory limit.
    #[error("the states reachable from the board do not fit into the memory limit")]
    OutOfMemory,
    /// The board has too many vehicles.
    #[error("the board has more than 128 vehicles")]
    TooManyVehicles,
    /// A heuristic could not be built for the board.
    #[error(transparent)]
    Terminal(#[from] BuildError),
}

impl Arena {
    /// Builds the arena of a board in a metric, with the terminals marked in `wanted` (in the order of [`TERMINALS`]); the others are 0.
    ///
    /// Before anything large is allocated, `reserve` is called with the size of the arena in bytes and its number of states. If
    /// it returns false, the result is [`ArenaError::OutOfMemory`].
    pub fn new(
        board: &Board,
        metric: Metric,
        difficulty: f64,
        wanted: &[bool],
        limits: &BoardLimits,
        reserve: impl Fn(usize, usize) -> bool,
    ) -> Result<Arena, ArenaError> {
        with_words!(board, N in [1, 2, 8] => Self::build::<N>(board, metric, difficulty, wanted, limits, reserve))
    }

    fn build<const N: usize>(
        board: &Board,
        metric: Metric,
        difficulty: f64,
        wanted: &[bool],
        limits: &BoardLimits,
        reserve: impl Fn(usize, usize) -> bool,
    ) -> Result<Arena, ArenaError> {
        let domain = RushDomain::<N>::new(board, metric).ok_or(ArenaError::TooManyVehicles)?;
        if board.is_solved() {
            return Err(ArenaError::Solved);
        }
        // The component is visited twice: growing lists would take up to twice the memory, before the size is known.
        let mut edges = 0;
        let states = visit_component(&domain, limits, |visit| edges += visit.ways.len())?.len();
        let vehicles = board.vehicles().len();
        if !reserve(Arena::memory_for(states, edges, vehicles), states) {
            return Err(ArenaError::OutOfMemory);
        }
        let mut arena = Arena {
            start: 0,
            first: Vec::with_capacity(states + 1),
            edges: Vec::with_capacity(edges),
            wins: Vec::with_capacity(states),
            goals: Vec::with_capacity(states),
            distance: Vec::new(),
            terminal_values: Vec::with_capacity(states * TERMINALS.len()),
            positions: Vec::with_capacity(states * vehicles),
            vehicles,
            difficulty,
            metric,
        };
        arena.first.push(0);
        let mut terminals = BoardTerminals::new(&domain, difficulty, wanted)?;
        visit_component(&domain, limits, |VisitedState { state, ways, .. }| {
            terminals.append_state_values(&domain, state, &mut arena.terminal_values);
            domain.variables(state, &mut arena.positions);
            arena.goals.push(domain.is_goal(state));
            let winning = domain.winning_move(state);
            let win = ways.iter().position(|&(mv, _)| Some(mv) == winning);
            arena.wins.push(win.map_or(NO_WIN, |win| win as u8));
            for &(mv, to) in ways {
                domain.apply(state, mv);
                let flags = terminals.move_flags(&domain, state, mv);
                domain.undo(state, mv);
                arena.edges.push(Edge { to, vehicle: mv.vehicle, flags, is_forward: mv.cells > 0 });
            }
            arena.first.push(arena.edges.len() as u32);
        })?;
        arena.compute_distances();
        if arena.distance[0] == UNREACHABLE { Err(ArenaError::Unsolvable) } else { Ok(arena) }
    }

    /// Returns whether the component of a board has more states than the limit.
    pub fn is_too_large(board: &Board, limits: &BoardLimits) -> bool {
        // Nothing is chosen from a component that is too large.
        Arena::choose_state(board, limits, |_| 0) == Err(ArenaError::TooLarge(limits.states))
    }

    /// Returns the board in a state of its component that is not solved. `choose` gets the number of such states and returns the
    /// index of one.
    pub fn choose_state(
        board: &Board,
        limits: &BoardLimits,
        choose: impl FnMut(usize) -> usize,
    ) -> Result<Board, ArenaError> {
        with_words!(board, N in [1, 2, 8] => Self::choose_state_packed::<N>(board, limits, choose))
    }

    fn choose_state_packed<const N: usize>(
        board: &Board,
        limits: &BoardLimits,
        mut choose: impl FnMut(usize) -> usize,
    ) -> Result<Board, ArenaError> {
        let domain = RushDomain::<N>::new(board, Metric::Moves).ok_or(ArenaError::TooManyVehicles)?;
        let mut keys = visit_component(&domain, limits, |_| {})?;
        keys.retain(|&key| !domain.is_goal(&domain.state(key)));
        keys.sort_unstable();
        if keys.is_empty() {
            return Err(ArenaError::Solved);
        }
        let key = keys[choose(keys.len()) % keys.len()];
        Ok(domain.board_at(&domain.state(key)))
    }

    /// Computes all distances by breadth-first search from the goals; this is possible because every move can be undone.
    fn compute_distances(&mut self) {
        self.distance = vec![UNREACHABLE; self.goals.len()];
        let mut queue: Vec<u32> = (0..self.goals.len() as u32).filter(|&state| self.goals[state as usize]).collect();
        for &goal in &queue {
            self.distance[goal as usize] = 0;
        }
        let mut next = 0;
        while let Some(&state) = queue.get(next) {
            next += 1;
            let distance = self.distance[state as usize] + 1;
            for edge in &self.edges[self.first[state as usize] as usize..self.first[state as usize + 1] as usize] {
                if self.distance[edge.to as usize] > distance {
                    self.distance[edge.to as usize] = distance;
                    queue.push(edge.to);
                }
            }
        }
    }

    /// Number of states.
    pub fn states(&self) -> usize {
        self.goals.len()
    }

    /// Distance from a state to the nearest goal, in the metric.
    pub fn distance(&self, state: ArenaState) -> u16 {
        self.distance[state as usize]
    }

    /// Length of a shortest solution.
    pub fn optimum(&self) -> u16 {
        self.distance(self.start)
    }

    /// Value of a terminal that depends only on the state.
    #[inline]
    pub fn terminal_value(&self, state: ArenaState, terminal: usize) -> f64 {
        let number = self.terminal_values[state as usize * TERMINALS.len() + terminal];
        if number == INFINITE { f64::INFINITY } else { f64::from(number) }
    }

    /// Difficulty of the board relative to the others, from 0 to 1.
    pub fn difficulty(&self) -> f64 {
        self.difficulty
    }

    /// Memory of the arena in bytes.
    pub fn memory_usage(&self) -> usize {
        Self::memory_for(self.states(), self.edges.len(), self.vehicles)
    }

    /// Memory of an arena of this size, in bytes.
    fn memory_for(states: usize, edges: usize, vehicles: usize) -> usize {
        edges * size_of::<Edge>() + states * (TERMINALS.len() + vehicles + 8)
    }
}

impl Edge {
    fn into_move(self, from: u32) -> ArenaMove {
        let Edge { to, vehicle, flags, is_forward } = self;
        ArenaMove { from, to, vehicle, flags, is_forward }
    }
}

impl ArenaMove {
    /// Whether the move has the property of the terminal at this index of [`MOVE_TERMINALS`].
    #[inline]
    pub(super) fn flag(self, bit: usize) -> bool {
        self.flags >> bit & 1 == 1
    }
}

/// The heuristics of a board while its arena is built.
struct BoardTerminals<const N: usize> {
    by_state: Vec<Option<clearway_rush::heuristics::BoxedHeuristic<N>>>,
    by_move: Vec<Option<clearway_rush::heuristics::BoxedHeuristic<N>>>,
}

impl<const N: usize> BoardTerminals<N> {
    fn new(domain: &RushDomain<N>, difficulty: f64, wanted: &[bool]) -> Result<Self, BuildError> {
        let context = HeuristicContext { difficulty, ..HeuristicContext::default() };
        let build = |name: &str, wanted: bool| {
            HeuristicInfo::find(name).filter(|_| wanted).map(|info| info.build(domain, &context)).transpose()
        };
        let wants =
            |name: &str| TERMINALS.iter().zip(wanted).any(|(terminal, &wanted)| wanted && terminal.name == name);
        Ok(BoardTerminals {
            by_state: (TERMINALS.iter().zip(wanted))
                .map(|(one, &wanted)| build(one.name, wanted && one.state_only))
                .collect::<Result<_, _>>()?,
            by_move: MOVE_TERMINALS.iter().map(|name| build(name, wants(name))).collect::<Result<_, _>>()?,
        })
    }

    fn append_state_values(&mut self, domain: &RushDomain<N>, state: &RushState<N>, terminal_values: &mut Vec<u8>) {
        let node = Node { state, g: 0, last: None, siblings: 0 };
        terminal_values.extend(self.by_state.iter_mut().map(|terminal| {
            let number = terminal.as_mut().map_or(0.0, |terminal| terminal.estimate(domain, &node));
            if number == f64::INFINITY { INFINITE } else { (number as u8).min(INFINITE - 1) }
        }));
    }

    fn move_flags(&mut self, domain: &RushDomain<N>, state: &RushState<N>, last: RushMove) -> u8 {
        let node = Node { state, g: 1, last: Some(last), siblings: 1 };
        let bits = self.by_move.iter_mut().map(|terminal| {
            u8::from(terminal.as_mut().is_some_and(|terminal| terminal.estimate(domain, &node) != 0.0))
        });
        bits.enumerate().fold(0, |flags, (bit, on)| flags | on << bit)
    }
}

impl Domain for Arena {
    type State = ArenaState;
    type Key = ArenaState;
    type Move = ArenaMove;

    fn start(&self) -> ArenaState {
        self.start
    }

    fn key(&self, state: &ArenaState) -> ArenaState {
        *state
    }

    fn state(&self, key: ArenaState) -> ArenaState {
        key
    }

    #[inline]
    fn is_goal(&self, state: &ArenaState) -> bool {
        self.goals[*state as usize]
    }

    #[inline]
    fn moves(&self, state: &ArenaState, found: &mut Vec<ArenaMove>) {
        let from = *state;
        let edges = &self.edges[self.first[from as usize] as usize..self.first[from as usize + 1] as usize];
        found.extend(edges.iter().map(|edge| edge.into_move(from)));
    }

    #[inline]
    fn apply(&self, state: &mut ArenaState, mv: ArenaMove) {
        *state = mv.to;
    }

    #[inline]
    fn undo(&self, state: &mut ArenaState, mv: ArenaMove) {
        *state = mv.from;
    }

    #[inline]
    fn key_after(&self, _: &mut ArenaState, mv: ArenaMove) -> ArenaState {
        mv.to
    }

    /// The position of each vehicle, as on the board itself.
    fn variables(&self, state: &ArenaState, values: &mut Vec<u8>) {
        let first = *state as usize * self.vehicles;
        values.extend_from_slice(&self.positions[first..first + self.vehicles]);
    }

    fn same_piece(&self, first: ArenaMove, second: ArenaMove) -> bool {
        let reverses = first.is_forward != second.is_forward;
        first.vehicle == second.vehicle && (self.metric == Metric::Moves || reverses)
    }

    #[inline]
    fn winning_move(&self, state: &ArenaState) -> Option<ArenaMove> {
        let win = self.wins[*state as usize];
        (win != NO_WIN).then(|| self.edges[self.first[*state as usize] as usize + win as usize].into_move(*state))
    }
}
