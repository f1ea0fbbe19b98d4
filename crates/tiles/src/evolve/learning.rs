//! Macros learned where programs get stuck, as Finkelstein and Markovitch ("A selective macro-learning algorithm and its
//! application to the `NxN` sliding-tile puzzle", 1998) learned them: from a board that no part of the program makes
//! better, the nearest better board is looked for, and the way there is a new macro.

use super::config::Learning;
use crate::program::measure::Measure;
use crate::program::primitives::{AND, IF, ROOT_IF, single};
use crate::program::run::{Witness, run};
use crate::program::{Compiled, Run};
use crate::{Board, Move, Program, Puzzle};
use clearway_gp::{Node, Tree};

/// How many boards are looked at for a shorter way.
const NEAR: usize = 3_000;

/// What a program can learn from boards.
pub(super) struct Lesson {
    /// The parts that its first choice is among; after an examination, only those that were of use.
    pub parts: Vec<Tree>,
    /// Ways out of where it got stuck, and a shorter way.
    pub ways: Vec<Tree>,
    /// The boards that it did not solve.
    pub failed: Vec<Board>,
}

impl Lesson {
    /// Runs a program on boards: from those that it does not solve, and from the longest solution, it learns. With
    /// `forgets`, the parts that were of no use on any board are left out.
    pub fn new(program: &Program, boards: &[Puzzle], most_moves: usize, learning: Learning, forgets: bool) -> Lesson {
        let compiled = Compiled::new(program);
        let measure = Measure::new(program.measure.as_ref());
        let mut usage = Usage::new(program, forgets);
        let mut longest: Option<(Run, &Puzzle)> = None;
        let (mut ways, mut failed) = (Vec::new(), Vec::new());
        for puzzle in boards {
            let run = run(&compiled, puzzle, most_moves, &mut usage);
            if run.solved {
                if longest.as_ref().is_none_or(|(other, _)| other.moves.len() < run.moves.len()) {
                    longest = Some((run, puzzle));
                }
                continue;
            }
            failed.push(*puzzle.board());
            if !run.stopped && ways.len() < learning.lessons {
                ways.extend(way_out(&puzzle.from_board(run.board), &measure, learning.reach));
            }
        }
        ways.extend(longest.and_then(|(run, puzzle)| short_cut(&run, puzzle, &measure)));
        Lesson { parts: usage.useful(program), ways: ways.iter().map(|way| tree(way)).collect(), failed }
    }

    /// The parts of a program that were chosen at least once on boards, as a program.
    pub fn of_use(program: &Program, boards: &[Puzzle], most_moves: usize) -> Tree {
        let compiled = Compiled::new(program);
        let mut usage = Usage::new(program, true);
        for puzzle in boards {
            run(&compiled, puzzle, most_moves, &mut usage);
        }
        Lesson { parts: usage.useful(program), ways: Vec::new(), failed: Vec::new() }.program()
    }

    /// A whole program that chooses among all these parts.
    pub fn program(&self) -> Tree {
        let mut parts: Vec<Tree> = Vec::new();
        for part in self.parts.iter().chain(&self.ways) {
            if !parts.contains(part) {
                parts.push(part.clone());
            }
        }
        let mut tree = choice(&parts);
        match tree.nodes.first_mut() {
            Some(node) if node.primitive == IF => node.primitive = ROOT_IF,
            // One part alone: the choice between it and itself.
            _ => tree.nodes = [vec![Node { primitive: ROOT_IF, value: 0.0 }], tree.nodes.clone(), tree.nodes].concat(),
        }
        tree
    }
}

/// Which parts of each `if` were chosen.
struct Usage {
    /// By node: whether its second part was, and whether its first was.
    chosen: Vec<[bool; 2]>,
}

impl Usage {
    /// Of a program, all of which is thought to be of use unless that has to be seen.
    fn new(program: &Program, unseen: bool) -> Usage {
        Usage { chosen: vec![[!unseen; 2]; program.tree.nodes.len()] }
    }

    /// The parts of the first choice of a program that were chosen.
    fn useful(&self, program: &Program) -> Vec<Tree> {
        let mut useful = Vec::new();
        alternatives(&program.tree.nodes, &mut 0, self, &mut useful);
        useful
    }
}

impl Witness for Usage {
    const LISTENS: bool = true;

    fn chosen(&mut self, choices: &[(u32, bool)]) {
        for &(node, first) in choices {
            self.chosen[node as usize][usize::from(first)] = true;
        }
    }
}

/// The parts that the first choice of a program is among, in their order; only those that were of use.
/// However its `if`s are nested, the best of them is taken, and the last of equals.
fn alternatives(nodes: &[Node], at: &mut usize, usage: &Usage, found: &mut Vec<Tree>) {
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

/// Goes on behind a part.
fn skip(nodes: &[Node], at: &mut usize) {
    let mut missing = 1;
    while missing > 0 {
        missing -= 1;
        missing += if matches!(nodes[*at].primitive, IF | ROOT_IF | AND) { 2 } else { 0 };
        *at += 1;
    }
}

/// A part that chooses the best of some: half of them on each side, so that it is as flat as can be.
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

/// The shortest way from a board to a better one.
fn way_out(puzzle: &Puzzle, measure: &Measure, reach: usize) -> Option<Vec<Move>> {
    let here = measure.of(puzzle, puzzle.board());
    let nearby = Nearby::new(puzzle, reach, |board| measure.of(puzzle, board) < here);
    nearby.found.map(|place| nearby.way(place))
}

/// The way to the best board near the middle of a solution.
fn short_cut(run: &Run, puzzle: &Puzzle, measure: &Measure) -> Option<Vec<Move>> {
    let mut board = *puzzle.board();
    for &mv in &run.moves[..run.moves.len() / 2] {
        board.make(mv);
    }
    let nearby = Nearby::new(&puzzle.from_board(board), NEAR, |_| false);
    let value = |place: &usize| measure.of(puzzle, &nearby.boards[*place].board);
    let best = (0..nearby.boards.len()).min_by(|a, b| value(a).total_cmp(&value(b)))?;
    Some(nearby.way(best)).filter(|way| !way.is_empty())
}

/// The boards around a board, the nearest first.
struct Nearby {
    boards: Vec<Visited>,
    /// The place of the board that was looked for.
    found: Option<usize>,
}

#[derive(Clone, Copy)]
struct Visited {
    board: Board,
    /// The place of the board before it, and the move from there; none at the start.
    before: Option<(usize, Move)>,
}

impl Nearby {
    /// Visits boards until one is what is looked for, or there are so many. Nothing but the way straight back is left out:
    /// the shortest round trip on a frame takes twelve moves, so that few boards are visited twice.
    fn new(puzzle: &Puzzle, most: usize, mut wanted: impl FnMut(&Board) -> bool) -> Nearby {
        let mut nearby = Nearby { boards: vec![Visited { board: *puzzle.board(), before: None }], found: None };
        let mut next = 0;
        while nearby.boards.len() < most {
            let Visited { board, before } = nearby.boards[next];
            let back = before.map(|(_, mv)| mv.back());
            for mv in Move::ALL.into_iter().filter(|&mv| Some(mv) != back) {
                let mut board = board;
                if !board.make(mv) {
                    continue;
                }
                nearby.boards.push(Visited { board, before: Some((next, mv)) });
                if wanted(&board) {
                    nearby.found = Some(nearby.boards.len() - 1);
                    return nearby;
                }
            }
            next += 1;
        }
        nearby
    }

    /// The moves that lead to the board at a place.
    fn way(&self, mut place: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        while let Some((before, mv)) = self.boards[place].before {
            moves.push(mv);
            place = before;
        }
        moves.reverse();
        moves
    }
}

/// A macro as a part of a program.
fn tree(moves: &[Move]) -> Tree {
    let mut nodes = Vec::new();
    if let Some((&last, others)) = moves.split_last() {
        for &mv in others {
            nodes.extend([AND, single(mv)]);
        }
        nodes.push(single(last));
    }
    Tree { nodes: nodes.into_iter().map(|primitive| Node { primitive, value: 0.0 }).collect() }
}
