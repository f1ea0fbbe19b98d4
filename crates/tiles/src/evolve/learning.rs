//! Learns macros where programs get stuck, as in Finkelstein and Markovitch ("A selective macro-learning algorithm and its
//! application to the `NxN` sliding-tile puzzle", 1998): from a board that no part of the program improves, the nearest better
//! board is searched for, and the path to it becomes a new macro.

use super::config::Learning;
use super::escape::{escape_macro, ordered_macro, shortcut_macro};
use crate::program::measure::Measure;
use crate::program::primitives::{AND, IF, ROOT_IF, single_move};
use crate::program::run::{ChoiceObserver, run};
use crate::program::{CompiledProgram, Execution};
use crate::{Board, Move, Program, Puzzle};
use clearway_gp::{Node, Tree};
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of failed searches for a macro after which a lesson ends: the program has a measure with too many dead ends.
const MAX_IN_VAIN: usize = 3;

impl Learning {
    /// Finds a macro that improves a board where a program is stuck.
    fn escape(&self, stuck: &Puzzle, measure: &Measure) -> Option<Vec<Move>> {
        ordered_macro(stuck, measure, self.ordered).or_else(|| escape_macro(stuck, measure, self.reach))
    }
}

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
    /// the parts that were not used on any board are dropped. Once `cancel` is set, the lesson ends early.
    pub fn new(
        program: &Program,
        boards: &[Puzzle],
        max_moves: usize,
        learning: Learning,
        only_used: bool,
        cancel: &AtomicBool,
    ) -> Lesson {
        let mut compiled = CompiledProgram::new(program);
        let measure = Measure::new(program.measure.as_ref());
        let mut usage = ChoiceUsage::new(program, only_used);
        let mut longest: Option<(Execution, &Puzzle)> = None;
        let (mut macros, mut failed) = (Vec::new(), Vec::new());
        let mut in_vain = 0;
        let is_cancelled = || cancel.load(Ordering::Relaxed);
        for puzzle in boards.iter().take_while(|_| !is_cancelled()) {
            let mut run = run(&compiled, puzzle, max_moves, &mut usage);
            if run.solved {
                if longest.as_ref().is_none_or(|(other, _)| other.moves.len() < run.moves.len()) {
                    longest = Some((run, puzzle));
                }
                continue;
            }
            failed.push(*puzzle.board());
            while !run.solved
                && !run.stopped
                && macros.len() < learning.lessons
                && in_vain < MAX_IN_VAIN
                && !is_cancelled()
            {
                let stuck = puzzle.with_start(run.board);
                let Some(moves) = learning.escape(&stuck, &measure) else {
                    in_vain += usize::from(learning.ordered > 0);
                    break;
                };
                macros.push(moves);
                if learning.ordered == 0 {
                    break;
                }
                // The program continues with the new macro, and may get stuck again.
                compiled.add_alternative(macros.last().map_or(&[], Vec::as_slice));
                run = compiled.run(&stuck, max_moves);
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

    /// Returns the program that makes the best of the four moves.
    pub fn single_moves() -> Tree {
        let parts = Move::ALL.map(|mv| macro_tree(&[mv])).into();
        Lesson { parts, macros: Vec::new(), failed: Vec::new() }.program()
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
            // Alternatives that were added during the lesson have no node.
            if let Some(chosen) = self.chosen.get_mut(node as usize) {
                chosen[usize::from(first)] = true;
            }
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
