//! Execution of programs.

use super::compiled::Instruction;
use super::{CompiledProgram, Program};
use crate::{Board, Move, Puzzle};

/// Result of running a program on a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Execution {
    /// Moves made, without impossible ones.
    pub moves: Vec<Move>,
    /// Final board.
    pub board: Board,
    /// Whether the final board is the goal.
    pub solved: bool,
    /// Number of times that the program was run.
    pub rounds: u32,
    /// Whether the program was stopped by the limit on the number of moves.
    pub stopped: bool,
}

impl Execution {
    /// Returns the moves without pairs that undo each other. They lead to the same final board.
    pub fn direct(&self) -> Vec<Move> {
        let mut direct: Vec<Move> = Vec::with_capacity(self.moves.len());
        for &mv in &self.moves {
            if direct.last() == Some(&mv.inverse()) {
                direct.pop();
            } else {
                direct.push(mv);
            }
        }
        direct
    }
}

impl Program {
    /// Runs the program on a board until it ends or has made more than `max_moves` moves. To run a program many times,
    /// [compile](CompiledProgram) it once.
    pub fn run(&self, puzzle: &Puzzle, max_moves: usize) -> Execution {
        CompiledProgram::new(self).run(puzzle, max_moves)
    }
}

impl CompiledProgram {
    /// Runs the program on a board until it ends or has made more than `max_moves` moves. The limit is checked after each round.
    pub fn run(&self, puzzle: &Puzzle, max_moves: usize) -> Execution {
        run(self, puzzle, max_moves, &mut ())
    }
}

/// Observer of the choices that the `if`s of a program make.
pub(crate) trait ChoiceObserver {
    /// Called after each round with the effective choices: the node of an `if`, and whether it chose its first part.
    fn observe(&mut self, choices: &[(u32, bool)]);
    /// Whether choices are recorded at all.
    const ENABLED: bool;
}

impl ChoiceObserver for () {
    fn observe(&mut self, _: &[(u32, bool)]) {}
    const ENABLED: bool = false;
}

/// Runs a program on a board and reports its choices to an observer.
pub(crate) fn run<W: ChoiceObserver>(
    program: &CompiledProgram,
    puzzle: &Puzzle,
    max_moves: usize,
    observer: &mut W,
) -> Execution {
    let CompiledProgram { style, measure, .. } = program;
    let mut board = *puzzle.board();
    let mut interpreter = Interpreter::<W> {
        puzzle,
        program,
        moves: Vec::new(),
        at: 0,
        choices: Vec::new(),
        observer: std::marker::PhantomData,
    };
    let mut now = measure.evaluate(puzzle, &board);
    let mut rounds = 0;
    let mut stopped = false;
    while board != *puzzle.goal() {
        let before = interpreter.moves.len();
        interpreter.at = 0;
        interpreter.choices.clear();
        let (after, known) = if style.acting {
            interpreter.act(&board)
        } else {
            let known = interpreter.choose(&board);
            (interpreter.make_moves(before, &board), known)
        };
        rounds += 1;
        if style.looped {
            let left = known.unwrap_or_else(|| measure.evaluate(puzzle, &after));
            if left >= now {
                interpreter.moves.truncate(before);
                break;
            }
            now = left;
        }
        observer.observe(&interpreter.choices);
        board = after;
        stopped = interpreter.moves.len() > max_moves;
        if stopped || !style.looped {
            break;
        }
    }
    let solved = board == *puzzle.goal();
    Execution { moves: interpreter.moves, board, solved, rounds, stopped: stopped && !solved }
}

/// Executes the instructions of a program and collects the moves chosen so far.
struct Interpreter<'a, W> {
    puzzle: &'a Puzzle,
    program: &'a CompiledProgram,
    moves: Vec<Move>,
    /// Index of the next instruction.
    at: usize,
    /// Choices of the `if`s that are still in effect, if the observer is enabled.
    choices: Vec<(u32, bool)>,
    observer: std::marker::PhantomData<W>,
}

impl<W: ChoiceObserver> Interpreter<'_, W> {
    /// Executes the next part on a board in acting mode; returns the resulting board, and its measure if it was computed.
    fn act(&mut self, board: &Board) -> (Board, Option<f64>) {
        let instruction = self.program.instructions[self.at];
        self.at += 1;
        match instruction {
            Instruction::If(node) => {
                let (start, choices) = (self.moves.len(), self.choices.len());
                let (first, known) = self.act(board);
                let first_measure = known.unwrap_or_else(|| self.measure(&first));
                let (end, first_choices) = (self.moves.len(), self.choices.len());
                let (second, known) = self.act(board);
                let second_measure = known.unwrap_or_else(|| self.measure(&second));
                let is_first = first_measure < second_measure;
                if is_first {
                    self.moves.truncate(end);
                } else {
                    self.moves.drain(start..end);
                }
                if W::ENABLED {
                    if is_first {
                        self.choices.truncate(first_choices);
                    } else {
                        self.choices.drain(choices..first_choices);
                    }
                    self.choices.push((node, is_first));
                }
                if is_first { (first, Some(first_measure)) } else { (second, Some(second_measure)) }
            }
            Instruction::And => {
                let (between, _) = self.act(board);
                self.act(&between)
            }
            Instruction::Word(from, to) => {
                let mut after = *board;
                let word = &self.program.moves[from as usize..to as usize];
                self.moves.extend(word.iter().filter(|&&mv| after.make(mv)));
                (after, None)
            }
        }
    }

    /// Appends the moves that the next part chooses in string mode, including impossible ones; returns the measure of the
    /// resulting board if it was computed.
    fn choose(&mut self, board: &Board) -> Option<f64> {
        let instruction = self.program.instructions[self.at];
        self.at += 1;
        let start = self.moves.len();
        match instruction {
            Instruction::If(_) => {
                let first = self.choose(board).unwrap_or_else(|| self.measure_after(start, board));
                let end = self.moves.len();
                let second = self.choose(board).unwrap_or_else(|| self.measure_after(end, board));
                if first < second {
                    self.moves.truncate(end);
                } else {
                    self.moves.drain(start..end);
                }
                Some(first.min(second))
            }
            Instruction::And => {
                self.choose(board);
                self.choose(board);
                None
            }
            Instruction::Word(from, to) => {
                self.moves.extend_from_slice(&self.program.moves[from as usize..to as usize]);
                None
            }
        }
    }

    fn measure(&self, board: &Board) -> f64 {
        self.program.measure.evaluate(self.puzzle, board)
    }

    /// Returns the measure of the board after the moves from index `from` on.
    fn measure_after(&self, from: usize, board: &Board) -> f64 {
        let mut after = *board;
        for &mv in &self.moves[from..] {
            after.make(mv);
        }
        self.measure(&after)
    }

    /// Makes the moves from index `from` on, drops the impossible ones, and returns the resulting board.
    fn make_moves(&mut self, from: usize, board: &Board) -> Board {
        let mut after = *board;
        let made: Vec<Move> = self.moves.drain(from..).filter(|&mv| after.make(mv)).collect();
        self.moves.extend(made);
        after
    }
}
