//! An attempt to make a puzzle of a pack: it depends on the order, the length that it aims at and its number alone.

use super::{Entry, NoEntry, Order, Origin};
use crate::backward;
use crate::canonical::canonical;
use crate::minimal::stripped;
use clearway_rush::{Board, Solver};
use clearway_search::{Limit, Limits};
use serde::{Deserialize, Serialize};

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempted {
    /// A minimal puzzle of the lengths asked for.
    pub entry: Option<Entry>,
    /// The most moves of any minimal puzzle met on the way.
    pub longest: u32,
    /// What ended it too early: the time, or that it was cancelled. Such an attempt has to be made again.
    #[serde(skip)]
    pub limit: Option<Limit>,
}

/// Makes the attempt of that number. The limits on nodes and memory hold for every search: what is too large for them
/// is left out.
pub fn attempt(order: &Order, aim: u32, index: u64, solver: &mut Solver, limits: &Limits) -> Attempted {
    let request = backward::Request { aims: aim..=aim, ..backward::Request::new(order.moves.clone()) };
    let made = backward::puzzle(order.shape, &request, order.seed, index, solver, limits);
    let mut attempted = Attempted { entry: None, longest: made.longest, limit: made.limit };
    match made.puzzle.map(|puzzle| entry(order, puzzle.board, solver, limits)) {
        Some(Ok(entry)) => attempted.entry = entry,
        Some(Err(limit @ (Limit::Time | Limit::Cancelled))) => attempted.limit = Some(limit),
        // A puzzle too large for the limits of a search is none; the next may be smaller.
        Some(Err(_)) | None => {}
    }
    attempted
}

/// The entry for the puzzle that a board belongs to, if it is as long as was asked for.
fn entry(order: &Order, mut board: Board, solver: &mut Solver, limits: &Limits) -> Result<Option<Entry>, Limit> {
    loop {
        let found = canonical(solver, &board, limits)?.filter(|found| order.moves.contains(&found.moves));
        let Some(found) = found else { return Ok(None) };
        board = found.facing(order.shape.side(), order.shape.line());
        match Entry::of_puzzle(&found, board.clone(), solver, limits) {
            Ok(entry) if entry.minimal => return Ok(Some(Entry { origin: Some(origin(order.seed)), ..entry })),
            // A vehicle may be needed in one of several hardest states, and not in that which stands for the puzzle.
            Ok(_) => match stripped(solver, &board, limits)? {
                Some(smaller) => board = smaller,
                None => return Ok(None),
            },
            Err(NoEntry::Limit(limit)) => return Err(limit),
            Err(NoEntry::Solved | NoEntry::Unsolvable) => return Ok(None),
        }
    }
}

fn origin(seed: u64) -> Origin {
    Origin { generator: "backward".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned(), seed: Some(seed) }
}
