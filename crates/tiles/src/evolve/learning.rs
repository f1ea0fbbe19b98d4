//! Learns macros where programs get stuck, as in Finkelstein and Markovitch ("A selective macro-learning algorithm and its
//! application to the `NxN` sliding-tile puzzle", 1998): from a board that no part of the program improves, the nearest better
//! board is searched for, and the path to it becomes a new macro.

use super::config::Learning;
use crate::program::measure::Measure;
use crate::program::primitives::{AND, IF, ROOT_IF, single_move};
use crate::program::run::{ChoiceObserver, run};
use crate::program::{CompiledProgram, Run};
use crate::{Board, Move, Program, Puzzle};
use clearway_gp::{Node, Tree};

/// Number of boards to visit in the search for a shortcut.
const SHORTCUT_REACH: usize = 3_000;

/// Result of teaching a program on some boards.
pub(super) struct Lesson {
    /// Alternatives of the program's first choice; if requested, only those that were used.
    pub parts: Vec<Tree>,
    /// New macros: escapes from boards where the program got stuck, and a shortcut.
    pub macros: Vec<Tree>,
    /// Boards that the program did not solve.
    pub failed: Vec<Board>,
}

impl Lesson {
    /// Runs a program on boards, and learns from those that it does not solve and from its longest solution. With `only_used`,
    /// the parts that were not used on any board are dropped.
    pub fn new(program: &Program, boards: &[Puzzle], max_moves: usize, learning: Learning, only_used: bool) -> Lesson {
        let compiled = CompiledProgram::new(program);
        let measure = Measure::new(program.measure.as_ref());
        let mut usage = ChoiceUsage::new(program, only_used);
        let mut longest: Option<(Run, &Puzzle)> = None;
        let (mut macros, mut failed) = (Vec::new(), Vec::new());
        for puzzle in boards {
            let run = run(&compiled, puzzle, max_moves, &mut usage);
            if run.solved {
                if longest.as_ref().is_none_or(|(other, _)| other.moves.len() < run.moves.len()) {
                    longest = Some((run, puzzle));
                }
                continue;
            }
            failed.push(*puzzle.board());
            if !run.stopped && macros.len() < learning.lessons {
                macros.extend(escape_macro(&puzzle.with_start(run.board), &measure, learning.reach));
            }
        }
        macros.extend(longest.and_then(|(run, puzzle)| shortcut_macro(&run, puzzle, &measure)));
        Lesson {
            parts: usage.used_alternatives(program),
            macros: macros.iter().map(|moves| macro_tree(moves)).collect(),
            failed,
        }
    }

    /// Returns a program of the parts that are used on at least one of the boards.
    pub fn used_parts(program: &Program, boards: &[Puzzle], max_moves: usize) -> Tree {
        let compiled = CompiledProgram::new(program);
        let mut usage = ChoiceUsage::new(program, true);
        for puzzle in boards {
            run(&compiled, puzzle, max_moves, &mut usage);
        }
        Lesson { parts: usage.used_alternatives(program), macros: Vec::new(), failed: Vec::new() }.program()
    }

    /// Returns a program that chooses among all parts and macros.
    pub fn program(&self) -> Tree {
        let mut parts: Vec<Tree> = Vec::new();
        for part in self.parts.iter().chain(&self.macros) {
            if !parts.contains(part) {
                parts.push(part.clone());
            }
        }
        let mut tree = choice(&parts);
        match tree.nodes.first_mut() {
            Some(node) if node.primitive == IF => node.primitive = ROOT_IF,
            // A single part becomes a choice between two copies of it.
            _ => tree.nodes = [vec![Node { primitive: ROOT_IF, value: 0.0 }], tree.nodes.clone(), tree.nodes].concat(),
        }
        tree
    }
}

/// The parts that the `if`s of a program chose.
struct ChoiceUsage {
    /// For each node, whether the second part was chosen, and whether the first was.
    chosen: Vec<[bool; 2]>,
}

impl ChoiceUsage {
    /// Without `only_used`, all parts count as chosen from the beginning.
    fn new(program: &Program, only_used: bool) -> ChoiceUsage {
        ChoiceUsage { chosen: vec![[!only_used; 2]; program.tree.nodes.len()] }
    }

    /// Returns the alternatives of the program's first choice that were chosen.
    fn used_alternatives(&self, program: &Program) -> Vec<Tree> {
        let mut used = Vec::new();
        alternatives(&program.tree.nodes, &mut 0, self, &mut used);
        used
    }
}

impl ChoiceObserver for ChoiceUsage {
    const ENABLED: bool = true;

    fn observe(&mut self, choices: &[(u32, bool)]) {
        for &(node, first) in choices {
            self.chosen[node as usize][usize::from(first)] = true;
        }
    }
}

/// Collects the alternatives of the first choice of a program that were chosen, in order. However its `if`s are nested, they
/// choose the best of all alternatives, and the last among equals.
fn alternatives(nodes: &[Node], at: &mut usize, usage: &ChoiceUsage, found: &mut Vec<Tree>) {
    let node = *at;
    if matches!(nodes[node].primitive, IF | ROOT_IF) {
        *at += 1;
        for first in [true, false] {
            if usage.chosen[node][usize::from(first)] {
                alternatives(nodes, at, usage, found);
            } else {
                skip(nodes, at);
            }
        }
    } else {
        skip(nodes, at);
        found.push(Tree { nodes: nodes[node..*at].to_vec() });
    }
}

/// Advances `at` past a part.
fn skip(nodes: &[Node], at: &mut usize) {
    let mut missing = 1;
    while missing > 0 {
        missing -= 1;
        missing += if matches!(nodes[*at].primitive, IF | ROOT_IF | AND) { 2 } else { 0 };
        *at += 1;
    }
}

/// Returns a part that chooses the best of several, as a balanced tree of minimal depth.
fn choice(parts: &[Tree]) -> Tree {
    match parts {
        [] => Tree::default(),
        [part] => part.clone(),
        parts => {
            let (first, second) = parts.split_at(parts.len() / 2);
            let nodes = [vec![Node { primitive: IF, value: 0.0 }], choice(first).nodes, choice(second).nodes].concat();
            Tree { nodes }
        }
    }
}

/// Finds a shortest path from a board to a better one.
fn escape_macro(puzzle: &Puzzle, measure: &Measure, reach: usize) -> Option<Vec<Move>> {
    let here = measure.evaluate(puzzle, puzzle.board());
    let neighbourhood = Neighbourhood::new(puzzle, reach, |board| measure.evaluate(puzzle, board) < here);
    neighbourhood.found.map(|index| neighbourhood.path(index))
}

/// Finds the path from the middle of a solution to the best board nearby.
fn shortcut_macro(run: &Run, puzzle: &Puzzle, measure: &Measure) -> Option<Vec<Move>> {
    let mut board = *puzzle.board();
    for &mv in &run.moves[..run.moves.len() / 2] {
        board.make(mv);
    }
    let neighbourhood = Neighbourhood::new(&puzzle.with_start(board), SHORTCUT_REACH, |_| false);
    let value = |index: &usize| measure.evaluate(puzzle, &neighbourhood.boards[*index].board);
    let best = (0..neighbourhood.boards.len()).min_by(|a, b| value(a).total_cmp(&value(b)))?;
    Some(neighbourhood.path(best)).filter(|moves| !moves.is_empty())
}

/// Boards around a board in breadth-first order.
struct Neighbourhood {
    boards: Vec<VisitedBoard>,
    /// Index of the board that was searched for.
    found: Option<usize>,
}

#[derive(Clone, Copy)]
struct VisitedBoard {
    board: Board,
    /// Index of the previous board and the move from there; `None` for the first board.
    before: Option<(usize, Move)>,
}

impl Neighbourhood {
    /// Visits boards until one is `wanted` or `max_boards` have been visited. Duplicates are not detected, except for moves
    /// straight back: the shortest cycle has twelve moves, so few boards are visited twice.
    fn new(puzzle: &Puzzle, max_boards: usize, mut wanted: impl FnMut(&Board) -> bool) -> Neighbourhood {
        let mut neighbourhood =
            Neighbourhood { boards: vec![VisitedBoard { board: *puzzle.board(), before: None }], found: None };
        let mut next = 0;
        while neighbourhood.boards.len() < max_boards {
            let VisitedBoard { board, before } = neighbourhood.boards[next];
            let back = before.map(|(_, mv)| mv.inverse());
            for mv in Move::ALL.into_iter().filter(|&mv| Some(mv) != back) {
                let mut board = board;
                if !board.make(mv) {
                    continue;
                }
                neighbourhood.boards.push(VisitedBoard { board, before: Some((next, mv)) });
                if wanted(&board) {
                    neighbourhood.found = Some(neighbourhood.boards.len() - 1);
                    return neighbourhood;
                }
            }
            next += 1;
        }
        neighbourhood
    }

    /// Returns the moves that lead to the board at an index.
    fn path(&self, mut index: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        while let Some((before, mv)) = self.boards[index].before {
            moves.push(mv);
            index = before;
        }
        moves.reverse();
        moves
    }
}

/// Converts a macro to a part of a program.
fn macro_tree(moves: &[Move]) -> Tree {
    let mut nodes = Vec::new();
    if let Some((&last, others)) = moves.split_last() {
        for &mv in others {
            nodes.extend([AND, single_move(mv)]);
        }
        nodes.push(single_move(last));
    }
    Tree { nodes: nodes.into_iter().map(|primitive| Node { primitive, value: 0.0 }).collect() }
}
