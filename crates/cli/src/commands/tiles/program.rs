//! `clearway tiles solve --program`: runs programs on boards.

use super::solve::TilesAnswer;
use crate::failure::{Failure, message_with_help};
use crate::json;
use crate::tally::Tally;
use clearway_tiles::library::{NamedProgram, OpenProgramError};
use clearway_tiles::program::CompiledProgram;
use clearway_tiles::{Board, Move, Puzzle, PuzzleError, moves};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Opens a built-in program or a program file.
pub fn open(name: &str) -> Result<CompiledProgram, Failure> {
    let report = |error| match error {
        OpenProgramError::Malformed { error, .. } => (*error).into(),
        error => message_with_help(
            error.to_string(),
            "pass a program file such as the champion.program of clearway tiles evolve",
        ),
    };
    let program = NamedProgram::open(name).map_err(|error| Failure::bad_input(report(error)))?;
    Ok(CompiledProgram::new(&program.program))
}

/// The result of a program on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum ProgramStatus {
    /// The board is solved; its moves passed the replay.
    Solved,
    /// The program ended, and the board is not solved.
    Unsolved,
    /// The program exceeded the limit on its moves.
    Limit,
    /// The board is unsolvable.
    Unsolvable,
}

/// The result of a program on a board.
#[derive(Debug)]
pub struct ProgramAnswer {
    board: Board,
    status: ProgramStatus,
    solution: Option<Vec<Move>>,
    rounds: u32,
    time: Duration,
}

impl ProgramAnswer {
    /// Runs a program on a board until it ends or has made `max_moves` moves.
    pub fn new(program: &CompiledProgram, puzzle: &Puzzle, max_moves: usize) -> ProgramAnswer {
        let board = *puzzle.board();
        if !board.can_reach(puzzle.goal()) {
            return ProgramAnswer {
                board,
                status: ProgramStatus::Unsolvable,
                solution: None,
                rounds: 0,
                time: Duration::ZERO,
            };
        }
        let started = Instant::now();
        let run = program.run(puzzle, max_moves);
        let solution = run.direct();
        let solved = moves::replay(&board, &solution).as_ref() == Ok(puzzle.goal());
        ProgramAnswer {
            board,
            status: match (solved, run.stopped) {
                (true, _) => ProgramStatus::Solved,
                (false, true) => ProgramStatus::Limit,
                (false, false) => ProgramStatus::Unsolved,
            },
            solution: solved.then_some(solution),
            rounds: run.rounds,
            time: started.elapsed(),
        }
    }
}

/// The result of a board, as `clearway tiles solve --program --json` prints it.
#[derive(Serialize)]
struct ProgramRecord {
    /// The tiles, row by row; 0 is the blank, letters stand for 10 and more.
    board: String,
    /// `solved`, `unsolved` if the program does not solve the board, `limit` if it was stopped, or `unsolvable`.
    status: ProgramStatus,
    /// The number of moves of the solution, or null.
    moves: Option<usize>,
    /// The moves of the blank: u, d, l and r; or null.
    solution: Option<String>,
    /// How often the program was executed.
    rounds: u32,
    /// Wall-clock time.
    seconds: f64,
}

impl TilesAnswer for ProgramAnswer {
    const UNIT: &'static str = "round";

    fn board(&self) -> &Board {
        &self.board
    }

    fn solution(&self) -> Option<&[Move]> {
        self.solution.as_deref()
    }

    fn work(&self) -> (u64, Duration) {
        (self.rounds.into(), self.time)
    }

    fn remark(&self) -> String {
        match self.status {
            ProgramStatus::Solved => String::new(),
            ProgramStatus::Unsolved => "the program does not solve the board".to_owned(),
            ProgramStatus::Limit => "the program exceeded --move-limit".to_owned(),
            ProgramStatus::Unsolvable => PuzzleError::Unsolvable.to_string(),
        }
    }

    fn count(&self, tally: &mut Tally) {
        match self.status {
            ProgramStatus::Solved => tally.solved += 1,
            ProgramStatus::Unsolved => tally.unsolved += 1,
            ProgramStatus::Limit => tally.limits += 1,
            ProgramStatus::Unsolvable => tally.unsolvable += 1,
        }
        tally.expanded += u64::from(self.rounds);
    }

    fn record(&self) -> String {
        json::line(&ProgramRecord {
            board: self.board.to_string(),
            status: self.status,
            moves: self.solution.as_ref().map(Vec::len),
            solution: self.solution.as_deref().map(moves::text),
            rounds: self.rounds,
            seconds: self.time.as_secs_f64(),
        })
    }
}
