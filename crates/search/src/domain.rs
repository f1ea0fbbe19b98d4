//! The interface between the algorithms and a puzzle.

use crate::MoveOrder;
use std::fmt::Debug;
use std::hash::Hash;

/// A puzzle to search: a start state, goals, and reversible moves of cost 1.
///
/// One domain serves all algorithms: those that store many states store [`Key`](Domain::Key)s, and those that follow a
/// single path [`apply`](Domain::apply) and [`undo`](Domain::undo) moves on one [`State`](Domain::State). Searches with several
/// threads share it.
pub trait Domain: Sync {
    /// A state in the form that moves are applied to.
    type State: Clone;
    /// A state in the compact form that is compared, hashed and stored. Two states are equal if and only if their keys are.
    type Key: Copy + Eq + Hash + Debug + Send + Sync;
    /// A move. Every move must be reversible.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// Returns the start state.
    fn start(&self) -> Self::State;
    /// Returns the key of a state.
    fn key(&self, state: &Self::State) -> Self::Key;
    /// Returns the state with a key.
    fn state(&self, key: Self::Key) -> Self::State;
    /// Returns whether a state is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;
    /// Appends the legal moves of a state to `found`, always in the same order.
    fn moves(&self, state: &Self::State, found: &mut Vec<Self::Move>);
    /// Applies a move that [`moves`](Domain::moves) generated for this state.
    fn apply(&self, state: &mut Self::State, mv: Self::Move);
    /// Undoes a move that was applied last.
    fn undo(&self, state: &mut Self::State, mv: Self::Move);

    /// Appends the legal moves of a state in another order, if the domain has one.
    fn moves_in(&self, _order: MoveOrder, state: &Self::State, found: &mut Vec<Self::Move>) {
        self.moves(state, found);
    }

    /// Returns the key of the state after a move. Most successors are duplicates, so a domain that computes the key without
    /// applying the move speeds up every search.
    fn key_after(&self, state: &mut Self::State, mv: Self::Move) -> Self::Key {
        self.apply(state, mv);
        let key = self.key(state);
        self.undo(state, mv);
        key
    }

    /// Appends the values of the variables that describe a state, such as the position of each piece, always in the same order.
    /// Searches compare them to recognise novel states. By default there are none, and no state is novel.
    fn variables(&self, _state: &Self::State, _values: &mut Vec<u8>) {}

    /// Returns whether the second of two consecutive moves is redundant because it moves the same piece again, so that one
    /// move or none would have the same effect. Shortest solutions have no such pairs, so algorithms that do not detect
    /// duplicates skip these moves. If pieces move one step at a time, only a step back is redundant.
    fn same_piece(&self, first: Self::Move, second: Self::Move) -> bool;
    /// Returns a move that leads from a state that is not a goal directly to a goal; `None` if there is no such move.
    fn winning_move(&self, state: &Self::State) -> Option<Self::Move>;
    /// Returns the moves that lead from a state that is not a goal straight to a goal, as one macro move; empty if there are
    /// none. By default the [winning move](Domain::winning_move).
    fn winning_macro(&self, state: &Self::State) -> Vec<Self::Move> {
        self.winning_move(state).into_iter().collect()
    }
}
