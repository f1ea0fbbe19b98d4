//! Runs a program on all boards of a size at the cost of one round per board.

use super::{CompiledProgram, Execution};
use crate::{Board, Puzzle};
use clearway_util::parallel;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

/// One round of a program from every board of a set that no round leaves, such as all boards of a size. A round depends
/// only on its start board, so all runs together need each round only once instead of once for every run that passes through
/// the board.
#[derive(Debug)]
pub struct RoundTable {
    looped: bool,
    rounds: HashMap<Board, Execution>,
}

impl RoundTable {
    /// Runs one round from each board, on several threads. `None` if `cancel` was set before the end.
    pub fn new(
        program: &CompiledProgram,
        boards: &[Puzzle],
        threads: usize,
        cancel: &AtomicBool,
    ) -> Option<RoundTable> {
        let parts: Vec<&[Puzzle]> = boards.chunks(256).collect();
        // With a limit of 0 moves, a program stops after its first round.
        let round = |puzzle: &Puzzle| (*puzzle.board(), program.run(puzzle, 0));
        let rounds = parallel::map(threads, &parts, cancel, |part| part.iter().map(round).collect::<Vec<_>>())?;
        Some(RoundTable { looped: program.style.looped, rounds: rounds.into_iter().flatten().collect() })
    }

    /// Returns the same as [`CompiledProgram::run`] for one of the boards.
    ///
    /// # Panics
    /// If the board is not in the set.
    pub fn run(&self, board: &Board, max_moves: usize) -> Execution {
        let mut run = Execution { moves: Vec::new(), board: *board, solved: false, rounds: 0, stopped: false };
        loop {
            let round = &self.rounds[&run.board];
            run.moves.extend_from_slice(&round.moves);
            run.board = round.board;
            run.rounds += round.rounds;
            run.solved = round.solved;
            let is_last = run.solved || !self.looped || round.moves.is_empty();
            run.stopped = !run.solved && run.moves.len() > max_moves;
            if is_last || run.stopped {
                return run;
            }
        }
    }
}
