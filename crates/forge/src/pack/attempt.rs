//! An attempt to generate a puzzle for a pack. Its outcome depends only on the order, its target length and its number.

use super::{Entry, EntryError, LICENSE, Origin, PackRequest};
use crate::canonical::canonical;
use crate::generate;
use crate::minimal::stripped;
use clearway_rush::{Board, Solver};
use clearway_search::{Limit, Limits};
use serde::{Deserialize, Serialize};

/// What one attempt contributes to a pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptOutcome {
    /// Minimal puzzle of an accepted length, if one was found.
    pub entry: Option<Entry>,
    /// Length of the longest minimal puzzle found, in moves, even if it is too short.
    pub longest: u32,
    /// Limit that ended the attempt early: cancelled or out of time. Such an attempt has to be repeated.
    #[serde(skip)]
    pub limit: Option<Limit>,
}

/// Makes attempt number `index`, which aims at puzzles of `aim` moves. The node and memory limits hold for each search; boards
/// that exceed them are skipped.
pub fn attempt(order: &PackRequest, aim: u32, index: u64, solver: &mut Solver, limits: &Limits) -> AttemptOutcome {
    // On large boards each search ends after some nodes, so that hard boards are skipped early and the result is always the same.
    let mut limits = limits.clone();
    if order.shape.is_large() {
        limits.nodes = Some(limits.nodes.map_or(generate::LARGE_NODES, |nodes| nodes.min(generate::LARGE_NODES)));
    }
    let limits = &limits;
    let request = generate::Request { aims: aim..=aim, ..generate::Request::new(order.moves.clone()) };
    let generated = generate::puzzle(order.shape, &request, order.seed, index, solver, limits);
    let mut outcome = AttemptOutcome { entry: None, longest: generated.longest, limit: generated.limit };
    match generated.puzzle.map(|puzzle| entry(order, puzzle.board, solver, limits)) {
        Some(Ok(entry)) => outcome.entry = entry,
        Some(Err(limit @ (Limit::Time | Limit::Cancelled))) => outcome.limit = Some(limit),
        // A puzzle that exceeds the limits of a search is skipped; the next one may be smaller.
        Some(Err(_)) | None => {}
    }
    outcome
}

/// Creates the entry for the puzzle that a board belongs to, if its length is accepted.
fn entry(order: &PackRequest, mut board: Board, solver: &mut Solver, limits: &Limits) -> Result<Option<Entry>, Limit> {
    loop {
        let form = canonical(solver, &board, limits)?.filter(|form| order.moves.contains(&form.moves));
        let Some(form) = form else { return Ok(None) };
        board = form.facing(order.shape.side(), order.shape.line());
        match Entry::from_canonical(&form, board.clone(), solver, limits) {
            Ok(entry) if entry.minimal => {
                let (origin, license) = (Some(origin(order.seed)), Some(LICENSE.to_owned()));
                return Ok(Some(Entry { origin, license, ..entry }));
            }
            // A vehicle may be needed in one of several hardest states, but not in the one that represents the puzzle.
            Ok(_) => match stripped(solver, &board, limits)? {
                Some(smaller) => board = smaller,
                None => return Ok(None),
            },
            Err(EntryError::Limit(limit)) => return Err(limit),
            Err(EntryError::Solved | EntryError::Unsolvable) => return Ok(None),
        }
    }
}

fn origin(seed: u64) -> Origin {
    // The name is stored in packs; above 8x8 it also covers puzzles from random boards.
    Origin { generator: "backward".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned(), seed: Some(seed) }
}
