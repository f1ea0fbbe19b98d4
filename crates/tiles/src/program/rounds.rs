//! What a program does on all boards of a frame, at the price of one round for each.

use super::{Compiled, Run};
use crate::{Board, Puzzle};
use clearway_gp::parallel;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

/// One round of a program from every board of a set that no round leaves, such as all boards of a frame. What a round does
/// depends on the board alone: so all runs together need each round once, where they would otherwise make it again for
/// every board that leads there.
#[derive(Debug)]
pub struct Rounds {
    looped: bool,
    rounds: HashMap<Board, Run>,
}

impl Rounds {
    /// The rounds of a program, made by several threads. None if the flag was set before the end.
    pub fn new(program: &Compiled, boards: &[Puzzle], threads: usize, cancel: &AtomicBool) -> Option<Rounds> {
        let parts: Vec<&[Puzzle]> = boards.chunks(256).collect();
        // A program that may make no more moves stops after its first round.
        let round = |puzzle: &Puzzle| (*puzzle.board(), program.run(puzzle, 0));
        let rounds = parallel::map(threads, &parts, cancel, |part| part.iter().map(round).collect::<Vec<_>>())?;
        Some(Rounds { looped: program.style.looped, rounds: rounds.into_iter().flatten().collect() })
    }

    /// What [`Compiled::run`] gives for one of the boards.
    ///
    /// # Panics
    /// If the board is not one of the set.
    pub fn run(&self, board: &Board, most_moves: usize) -> Run {
        let mut run = Run { moves: Vec::new(), board: *board, solved: false, rounds: 0, stopped: false };
        loop {
            let round = &self.rounds[&run.board];
            run.moves.extend_from_slice(&round.moves);
            run.board = round.board;
            run.rounds += round.rounds;
            run.solved = round.solved;
            let is_last = run.solved || !self.looped || round.moves.is_empty();
            run.stopped = !run.solved && run.moves.len() > most_moves;
            if is_last || run.stopped {
                return run;
            }
        }
    }
}
