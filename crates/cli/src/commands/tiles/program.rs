//! `clearway tiles solve --program`: boards solved by a program, or not.

use super::located;
use super::solve::Answered;
use crate::failure::{Failure, message_with_help};
use crate::json;
use crate::tally::Tally;
use clearway_tiles::library::{NamedProgram, OpenError};
use clearway_tiles::program::Compiled;
use clearway_tiles::{Board, Move, Puzzle, PuzzleError, moves};
use serde::Serialize;
use std::time::{Duration, Instant};

/// The program of a name: one that comes with clearway, or a file.
pub fn open(name: &str) -> Result<Compiled, Failure> {
    let report = |error| match error {
        OpenError::Broken { name, text, fault } => located(&text, fault, &name).into(),
        error @ OpenError::File { .. } => message_with_help(
            error.to_string(),
            "a program is a file such as the champion.program of clearway tiles evolve",
        ),
    };
    let program = NamedProgram::open(name).map_err(|error| Failure::bad_input(report(error)))?;
    Ok(Compiled::new(&program.program))
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Status {
    /// The board is solved, by moves that were replayed.
    Solved,
    /// It was done, and the board is not solved.
    Unsolved,
    /// It made more moves than it may.
    Limit,
    /// Nobody can solve the board.
    Unsolvable,
}

/// What a program did with a board.
#[derive(Debug)]
pub struct Answer {
    board: Board,
    status: Status,
    solution: Option<Vec<Move>>,
    rounds: u32,
    time: Duration,
}

impl Answer {
    /// Runs a program on a board, until it is done or has made so many moves.
    pub fn new(program: &Compiled, puzzle: &Puzzle, most_moves: usize) -> Answer {
        let board = *puzzle.board();
        if !board.reaches(puzzle.goal()) {
            return Answer { board, status: Status::Unsolvable, solution: None, rounds: 0, time: Duration::ZERO };
        }
        let started = Instant::now();
        let run = program.run(puzzle, most_moves);
        let solution = run.direct();
        let solved = moves::replay(&board, &solution).as_ref() == Ok(puzzle.goal());
        Answer {
            board,
            status: match (solved, run.stopped) {
                (true, _) => Status::Solved,
                (false, true) => Status::Limit,
                (false, false) => Status::Unsolved,
            },
            solution: solved.then_some(solution),
            rounds: run.rounds,
            time: started.elapsed(),
        }
    }
}

/// The answer, as `clearway tiles solve --program --json` prints it.
#[derive(Serialize)]
struct ProgramRecord {
    /// The tiles, row by row; 0 is the blank, letters stand for 10 and more.
    board: String,
    /// `solved`, `unsolved` if the program does not solve the board, `limit` if it was stopped, or `unsolvable`.
    status: Status,
    /// The number of moves of the solution, or null.
    moves: Option<usize>,
    /// The moves of the blank: u, d, l and r; or null.
    solution: Option<String>,
    /// How often the program was run.
    rounds: u32,
    /// Wall-clock time.
    seconds: f64,
}

impl Answered for Answer {
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
            Status::Solved => String::new(),
            Status::Unsolved => "the program does not solve the board".to_owned(),
            Status::Limit => "the program made more moves than --move-limit allows".to_owned(),
            Status::Unsolvable => PuzzleError::Parity.to_string(),
        }
    }

    fn count(&self, tally: &mut Tally) {
        match self.status {
            Status::Solved => tally.solved += 1,
            Status::Unsolved => tally.unsolved += 1,
            Status::Limit => tally.limits += 1,
            Status::Unsolvable => tally.unsolvable += 1,
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
