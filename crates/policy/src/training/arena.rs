//! A board made ready for thousands of searches: its whole component as a graph, with the numbers of all terminals.
//!
//! A policy is judged by searching, and evolution judges thousands on the same boards. So everything that does not depend
//! on the policy is computed once: the states, the moves in the order in which [`RushDomain`] gives them, the distances,
//! and the terminals. The arena is a [`Domain`], so the very algorithms of the laboratory search it, and count the same.

use super::board::BoardLimits;
use crate::terminals::TERMINALS;
use clearway_rush::heuristics::{BuildError, Context, HeuristicInfo};
use clearway_rush::{Board, Metric, RushDomain, RushMove, RushState, Visit};
use clearway_search::{Domain, Heuristic, Node};
use std::ops::ControlFlow;

/// The keys of all states that can be reached, each visited, unless there are too many.
fn component<const N: usize>(
    domain: &RushDomain<N>,
    limits: &BoardLimits,
    mut visit: impl FnMut(Visit<'_, N>),
) -> Result<Vec<[u64; N]>, ArenaError> {
    let (keys, too_many) = clearway_rush::flood(domain, |seen| {
        let (found, bytes) = (seen.found, seen.bytes);
        visit(seen);
        if found > limits.states {
            ControlFlow::Break(ArenaError::TooLarge(limits.states))
        } else if bytes > limits.memory {
            ControlFlow::Break(ArenaError::Memory)
        } else {
            ControlFlow::Continue(())
        }
    });
    too_many.map_or(Ok(keys), Err)
}

/// A board, its component, and what every terminal says about its states.
#[derive(Clone, Debug)]
pub struct Arena {
    start: u32,
    /// By state: its first edge; one more at the end.
    first: Vec<u32>,
    edges: Vec<Edge>,
    /// By state: the edge that wins at once, counted from its first; [`NO_WIN`] if there is none.
    wins: Vec<u8>,
    goals: Vec<bool>,
    /// By state: the moves to the nearest goal; [`FAR`] if none can be reached.
    distance: Vec<u16>,
    /// By state, then by terminal: its number if it depends on the state alone.
    numbers: Vec<u8>,
    difficulty: f64,
}

/// A move to another state.
#[derive(Clone, Copy, Debug)]
struct Edge {
    to: u32,
    vehicle: u8,
    flags: u8,
}

/// A move of an arena: from a state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArenaMove {
    from: u32,
    to: u32,
    vehicle: u8,
    /// A bit for each of the terminals that tell of the last move.
    flags: u8,
}

/// A state of an arena, by number.
pub type ArenaState = u32;

const NO_WIN: u8 = u8::MAX;
const FAR: u16 = u16::MAX;
/// The number of a terminal that is infinite; what is greater than a byte holds is taken for the greatest but this.
const INFINITE: u8 = u8::MAX;
/// The terminals of the last move, by the bit of their flag.
pub(super) const LAST_MOVE: [&str; 2] = ["is-move-to-secluded", "is-releasing-move"];

/// Why a board cannot be learned from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArenaError {
    /// It has no solution.
    #[error("the board has no solution")]
    Unsolvable,
    /// It is solved.
    #[error("the board is solved already")]
    Solved,
    /// Its component is too large.
    #[error("more than {0} states can be reached from the board")]
    TooLarge(usize),
    /// Its component does not fit into the memory.
    #[error("the states that can be reached from the board do not fit into the memory")]
    Memory,
    /// It has too many vehicles.
    #[error("the board has more than 128 vehicles")]
    Vehicles,
    /// A terminal could not be built.
    #[error(transparent)]
    Terminal(#[from] BuildError),
}

impl Arena {
    /// The arena of a board, with the terminals marked in `wanted` (in the order of [`TERMINALS`]); the others are 0.
    ///
    /// Its size is known before it is made: `reserve` is told its bytes and the number of its states, and may refuse.
    pub fn new(
        board: &Board,
        difficulty: f64,
        wanted: &[bool],
        limits: &BoardLimits,
        reserve: impl Fn(usize, usize) -> bool,
    ) -> Result<Arena, ArenaError> {
        match board.vehicles().len() {
            0..=16 => Self::build::<1>(board, difficulty, wanted, limits, reserve),
            17..=32 => Self::build::<2>(board, difficulty, wanted, limits, reserve),
            _ => Self::build::<8>(board, difficulty, wanted, limits, reserve),
        }
    }

    fn build<const N: usize>(
        board: &Board,
        difficulty: f64,
        wanted: &[bool],
        limits: &BoardLimits,
        reserve: impl Fn(usize, usize) -> bool,
    ) -> Result<Arena, ArenaError> {
        let domain = RushDomain::<N>::new(board, Metric::Moves).ok_or(ArenaError::Vehicles)?;
        if board.is_solved() {
            return Err(ArenaError::Solved);
        }
        // Walked twice: lists that grow would take up to twice the memory, and more than there is before that is known.
        let mut edges = 0;
        let states = component(&domain, limits, |visit| edges += visit.ways.len())?.len();
        if !reserve(Arena::bytes_for(states, edges), states) {
            return Err(ArenaError::Memory);
        }
        let mut arena = Arena {
            start: 0,
            first: Vec::with_capacity(states + 1),
            edges: Vec::with_capacity(edges),
            wins: Vec::with_capacity(states),
            goals: Vec::with_capacity(states),
            distance: Vec::new(),
            numbers: Vec::with_capacity(states * TERMINALS.len()),
            difficulty,
        };
        arena.first.push(0);
        let mut terminals = Terminals::new(&domain, difficulty, wanted)?;
        component(&domain, limits, |Visit { state, ways, .. }| {
            terminals.of_state(&domain, state, &mut arena.numbers);
            arena.goals.push(domain.is_goal(state));
            let winning = domain.winning_move(state);
            let win = ways.iter().position(|&(mv, _)| Some(mv) == winning);
            arena.wins.push(win.map_or(NO_WIN, |win| win as u8));
            for &(mv, to) in ways {
                domain.apply(state, mv);
                let flags = terminals.of_move(&domain, state, mv);
                domain.undo(state, mv);
                arena.edges.push(Edge { to, vehicle: mv.vehicle, flags });
            }
            arena.first.push(arena.edges.len() as u32);
        })?;
        arena.measure();
        if arena.distance[0] == FAR { Err(ArenaError::Unsolvable) } else { Ok(arena) }
    }

    /// A board at a state of the component, by a choice among so many; never a solved one.
    pub fn state_of(
        board: &Board,
        limits: &BoardLimits,
        choose: impl FnMut(usize) -> usize,
    ) -> Result<Board, ArenaError> {
        match board.vehicles().len() {
            0..=16 => Self::chosen_state::<1>(board, limits, choose),
            17..=32 => Self::chosen_state::<2>(board, limits, choose),
            _ => Self::chosen_state::<8>(board, limits, choose),
        }
    }

    fn chosen_state<const N: usize>(
        board: &Board,
        limits: &BoardLimits,
        mut choose: impl FnMut(usize) -> usize,
    ) -> Result<Board, ArenaError> {
        let domain = RushDomain::<N>::new(board, Metric::Moves).ok_or(ArenaError::Vehicles)?;
        let mut keys = component(&domain, limits, |_| {})?;
        keys.retain(|&key| !domain.is_goal(&domain.state(key)));
        keys.sort_unstable();
        if keys.is_empty() {
            return Err(ArenaError::Solved);
        }
        let key = keys[choose(keys.len()) % keys.len()];
        Ok(domain.board_at(&domain.state(key)))
    }

    /// Finds all distances, from the goals backwards: every move can be taken back.
    fn measure(&mut self) {
        self.distance = vec![FAR; self.goals.len()];
        let mut queue: Vec<u32> = (0..self.goals.len() as u32).filter(|&state| self.goals[state as usize]).collect();
        for &goal in &queue {
            self.distance[goal as usize] = 0;
        }
        let mut next = 0;
        while let Some(&state) = queue.get(next) {
            next += 1;
            let far = self.distance[state as usize] + 1;
            for edge in &self.edges[self.first[state as usize] as usize..self.first[state as usize + 1] as usize] {
                if self.distance[edge.to as usize] > far {
                    self.distance[edge.to as usize] = far;
                    queue.push(edge.to);
                }
            }
        }
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.goals.len()
    }

    /// The moves from a state to the nearest goal.
    pub fn distance(&self, state: ArenaState) -> u16 {
        self.distance[state as usize]
    }

    /// The length of the shortest solution.
    pub fn optimum(&self) -> u16 {
        self.distance(self.start)
    }

    /// The number of a terminal that depends on the state alone.
    #[inline]
    pub fn number(&self, state: ArenaState, terminal: usize) -> f64 {
        let number = self.numbers[state as usize * TERMINALS.len() + terminal];
        if number == INFINITE { f64::INFINITY } else { f64::from(number) }
    }

    /// How difficult the board is among the others.
    pub fn difficulty(&self) -> f64 {
        self.difficulty
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> usize {
        Self::bytes_for(self.states(), self.edges.len())
    }

    /// The bytes of an arena of so many states and edges.
    fn bytes_for(states: usize, edges: usize) -> usize {
        edges * size_of::<Edge>() + states * (TERMINALS.len() + 8)
    }
}

impl ArenaMove {
    /// Whether a terminal of the last move, by its place in [`LAST_MOVE`], holds.
    #[inline]
    pub(super) fn flag(self, bit: usize) -> bool {
        self.flags >> bit & 1 == 1
    }
}

/// The terminals of a board, while its arena is built.
struct Terminals<const N: usize> {
    of_state: Vec<Option<clearway_rush::heuristics::BoxedHeuristic<N>>>,
    of_move: Vec<Option<clearway_rush::heuristics::BoxedHeuristic<N>>>,
}

impl<const N: usize> Terminals<N> {
    fn new(domain: &RushDomain<N>, difficulty: f64, wanted: &[bool]) -> Result<Self, BuildError> {
        let context = Context { difficulty, ..Context::default() };
        let build = |name: &str, wanted: bool| {
            HeuristicInfo::find(name).filter(|_| wanted).map(|info| info.build(domain, &context)).transpose()
        };
        let wants =
            |name: &str| TERMINALS.iter().zip(wanted).any(|(terminal, &wanted)| wanted && terminal.name == name);
        let of_state = TERMINALS.iter().zip(wanted);
        Ok(Terminals {
            of_state: of_state
                .map(|(one, &wanted)| build(one.name, wanted && one.of_state))
                .collect::<Result<_, _>>()?,
            of_move: LAST_MOVE.iter().map(|name| build(name, wants(name))).collect::<Result<_, _>>()?,
        })
    }

    fn of_state(&mut self, domain: &RushDomain<N>, state: &RushState<N>, numbers: &mut Vec<u8>) {
        let node = Node { state, g: 0, last: None, siblings: 0 };
        numbers.extend(self.of_state.iter_mut().map(|terminal| {
            let number = terminal.as_mut().map_or(0.0, |terminal| terminal.estimate(domain, &node));
            if number == f64::INFINITY { INFINITE } else { (number as u8).min(INFINITE - 1) }
        }));
    }

    fn of_move(&mut self, domain: &RushDomain<N>, state: &RushState<N>, last: RushMove) -> u8 {
        let node = Node { state, g: 1, last: Some(last), siblings: 1 };
        let bits = self.of_move.iter_mut().map(|terminal| {
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
        found.extend(edges.iter().map(|&Edge { to, vehicle, flags }| ArenaMove { from, to, vehicle, flags }));
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

    fn same_piece(&self, first: ArenaMove, second: ArenaMove) -> bool {
        first.vehicle == second.vehicle
    }

    #[inline]
    fn winning_move(&self, state: &ArenaState) -> Option<ArenaMove> {
        let win = self.wins[*state as usize];
        (win != NO_WIN).then(|| {
            let Edge { to, vehicle, flags } = self.edges[self.first[*state as usize] as usize + win as usize];
            ArenaMove { from: *state, to, vehicle, flags }
        })
    }
}
