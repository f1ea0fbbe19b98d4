//! Running a program.

use super::compiled::Part;
use super::{Compiled, Program};
use crate::{Board, Move, Puzzle};

/// What a program did.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The moves that it made, without impossible ones.
    pub moves: Vec<Move>,
    /// The board that it left.
    pub board: Board,
    /// Whether that is the goal.
    pub solved: bool,
    /// How often it was run.
    pub rounds: u32,
    /// Whether it was stopped because it had made as many moves as it may.
    pub stopped: bool,
}

impl Run {
    /// The moves to the board that it left, without pairs that take each other back.
    pub fn direct(&self) -> Vec<Move> {
        let mut direct: Vec<Move> = Vec::with_capacity(self.moves.len());
        for &mv in &self.moves {
            if direct.last() == Some(&mv.back()) {
                direct.pop();
            } else {
                direct.push(mv);
            }
        }
        direct
    }
}

impl Program {
    /// Runs the program on a board, until it is done or has made so many moves. Who runs it often makes it
    /// [ready](Compiled) once.
    pub fn run(&self, puzzle: &Puzzle, most_moves: usize) -> Run {
        Compiled::new(self).run(puzzle, most_moves)
    }
}

impl Compiled {
    /// Runs the program on a board, until it is done or has made so many moves.
    pub fn run(&self, puzzle: &Puzzle, most_moves: usize) -> Run {
        run(self, puzzle, most_moves, &mut ())
    }
}

/// Told which part of an `if` was chosen for good, by the node of the `if`.
pub(crate) trait Witness {
    /// What an `if` chose: its first part, or its second.
    fn chosen(&mut self, choices: &[(u32, bool)]);
    /// Whether it wants to know.
    const LISTENS: bool;
}

impl Witness for () {
    fn chosen(&mut self, _: &[(u32, bool)]) {}
    const LISTENS: bool = false;
}

/// Runs a program on a board, and tells what was chosen.
pub(crate) fn run<W: Witness>(program: &Compiled, puzzle: &Puzzle, most_moves: usize, witness: &mut W) -> Run {
    let Compiled { style, measure, .. } = program;
    let mut board = *puzzle.board();
    let mut machine = Machine::<W> {
        puzzle,
        program,
        moves: Vec::new(),
        at: 0,
        choices: Vec::new(),
        listener: std::marker::PhantomData,
    };
    let mut now = measure.of(puzzle, &board);
    let mut rounds = 0;
    let mut stopped = false;
    while board != *puzzle.goal() {
        let before = machine.moves.len();
        machine.at = 0;
        machine.choices.clear();
        let (after, known) = if style.acting {
            machine.act(&board)
        } else {
            let known = machine.choose(&board);
            (machine.make(before, &board), known)
        };
        rounds += 1;
        if style.looped {
            let left = known.unwrap_or_else(|| measure.of(puzzle, &after));
            if left >= now {
                machine.moves.truncate(before);
                break;
            }
            now = left;
        }
        witness.chosen(&machine.choices);
        board = after;
        stopped = machine.moves.len() > most_moves;
        if stopped || !style.looped {
            break;
        }
    }
    let solved = board == *puzzle.goal();
    Run { moves: machine.moves, board, solved, rounds, stopped: stopped && !solved }
}

/// Walks over the nodes of a program, with the moves that were chosen so far.
struct Machine<'a, W> {
    puzzle: &'a Puzzle,
    program: &'a Compiled,
    moves: Vec<Move>,
    /// The next node.
    at: usize,
    /// What the `if`s chose whose choice still stands, if someone listens.
    choices: Vec<(u32, bool)>,
    listener: std::marker::PhantomData<W>,
}

impl<W: Witness> Machine<'_, W> {
    /// Acts on a board as the next part of the program says; the board after that, and its measure if it is known.
    fn act(&mut self, board: &Board) -> (Board, Option<f64>) {
        let part = self.program.parts[self.at];
        self.at += 1;
        match part {
            Part::If(node) => {
                let (start, choices) = (self.moves.len(), self.choices.len());
                let (first, known) = self.act(board);
                let first_measure = known.unwrap_or_else(|| self.of(&first));
                let (end, first_choices) = (self.moves.len(), self.choices.len());
                let (second, known) = self.act(board);
                let second_measure = known.unwrap_or_else(|| self.of(&second));
                let is_first = first_measure < second_measure;
                if is_first {
                    self.moves.truncate(end);
                } else {
                    self.moves.drain(start..end);
                }
                if W::LISTENS {
                    if is_first {
                        self.choices.truncate(first_choices);
                    } else {
                        self.choices.drain(choices..first_choices);
                    }
                    self.choices.push((node, is_first));
                }
                if is_first { (first, Some(first_measure)) } else { (second, Some(second_measure)) }
            }
            Part::And => {
                let (between, _) = self.act(board);
                self.act(&between)
            }
            Part::Word(from, to) => {
                let mut after = *board;
                let word = &self.program.moves[from as usize..to as usize];
                self.moves.extend(word.iter().filter(|&&mv| after.make(mv)));
                (after, None)
            }
        }
    }

    /// Appends the moves that the next part of the program chooses for a board, impossible ones too; the measure of the
    /// board that they lead to if it is known.
    fn choose(&mut self, board: &Board) -> Option<f64> {
        let part = self.program.parts[self.at];
        self.at += 1;
        let start = self.moves.len();
        match part {
            Part::If(_) => {
                let first = self.choose(board).unwrap_or_else(|| self.after(start, board));
                let end = self.moves.len();
                let second = self.choose(board).unwrap_or_else(|| self.after(end, board));
                if first < second {
                    self.moves.truncate(end);
                } else {
                    self.moves.drain(start..end);
                }
                Some(first.min(second))
            }
            Part::And => {
                self.choose(board);
                self.choose(board);
                None
            }
            Part::Word(from, to) => {
                self.moves.extend_from_slice(&self.program.moves[from as usize..to as usize]);
                None
            }
        }
    }

    fn of(&self, board: &Board) -> f64 {
        self.program.measure.of(self.puzzle, board)
    }

    /// The measure of the board after the moves from one on.
    fn after(&self, from: usize, board: &Board) -> f64 {
        let mut after = *board;
        for &mv in &self.moves[from..] {
            after.make(mv);
        }
        self.of(&after)
    }

    /// Makes the moves from one on, drops the impossible ones, and gives the board after them.
    fn make(&mut self, from: usize, board: &Board) -> Board {
        let mut after = *board;
        let made: Vec<Move> = self.moves.drain(from..).filter(|&mv| after.make(mv)).collect();
        self.moves.extend(made);
        after
    }
}
