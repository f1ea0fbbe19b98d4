//! What a puzzle must tell for the algorithms to search it.

use std::fmt::Debug;
use std::hash::Hash;

/// A puzzle to search: a start, goals, and reversible moves of cost 1.
///
/// The same domain serves every algorithm: those that hold many states keep [`Key`](Domain::Key)s, those that walk one
/// path [`apply`](Domain::apply) and [`undo`](Domain::undo) moves on one [`State`](Domain::State).
pub trait Domain {
    /// A state in a form that moves are made on.
    type State: Clone;
    /// The same state in a small form that is compared, hashed and kept. Two states are the same if their keys are.
    type Key: Copy + Eq + Hash + Debug;
    /// A move. It must be possible to take it back.
    type Move: Copy + Eq + Debug;

    /// Where the search starts.
    fn start(&self) -> Self::State;
    /// The state in its small form.
    fn key(&self, state: &Self::State) -> Self::Key;
    /// The state behind a key.
    fn state(&self, key: Self::Key) -> Self::State;
    /// Whether a state is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;
    /// Appends the moves of a state, always in the same order.
    fn moves(&self, state: &Self::State, found: &mut Vec<Self::Move>);
    /// Makes a move that [`moves`](Domain::moves) gave for this state.
    fn apply(&self, state: &mut Self::State, mv: Self::Move);
    /// Takes back the last move.
    fn undo(&self, state: &mut Self::State, mv: Self::Move);

    /// The key of the state after a move. Most successors are known already, so a domain that can tell the key without
    /// making the move speeds up every search.
    fn key_after(&self, state: &mut Self::State, mv: Self::Move) -> Self::Key {
        self.apply(state, mv);
        let key = self.key(state);
        self.undo(state, mv);
        key
    }

    /// Whether the second of two moves that follow each other is idle because it moves the same piece again: one move
    /// would have done, or none. A shortest solution never needs that, so algorithms without a memory of states leave
    /// such moves out. Where a piece goes one step at a time, only a step back is idle.
    fn same_piece(&self, first: Self::Move, second: Self::Move) -> bool;
    /// The move that leads from a state that is no goal to a goal at once. None means that no single move does.
    fn winning_move(&self, state: &Self::State) -> Option<Self::Move>;
}
