//! Compiled programs.

use super::measure::Measure;
use super::primitives::{AND, IF, ROOT_IF, moves_of};
use super::{Program, Style};
use crate::Move;
use clearway_gp::{Node, Tree};

/// A program compiled to instructions, to be run many times. Consecutive moves are merged into one word.
#[derive(Clone, Debug)]
pub struct CompiledProgram {
    pub(super) style: Style,
    pub(super) measure: Measure,
    /// Instructions in prefix order.
    pub(super) instructions: Vec<Instruction>,
    /// Moves of all words.
    pub(super) moves: Vec<Move>,
}

/// An instruction of a compiled program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instruction {
    /// Choice of the better of the next two parts, with the index of the node in the tree.
    If(u32),
    /// The next two parts in order.
    And,
    /// A range of `CompiledProgram::moves`.
    Word(u32, u32),
}

impl CompiledProgram {
    /// Compiles a program.
    pub fn new(program: &Program) -> CompiledProgram {
        CompiledProgram::from_trees(&program.tree, program.measure.as_ref(), program.style)
    }

    pub(crate) fn from_trees(tree: &Tree, measure: Option<&Tree>, style: Style) -> CompiledProgram {
        let mut compiled =
            CompiledProgram { style, measure: Measure::new(measure), instructions: Vec::new(), moves: Vec::new() };
        compiled.compile_part(&tree.nodes, &mut 0);
        compiled
    }

    /// Adds a word as an alternative of the program's first choice. It is executed if it is better than all other parts.
    pub(crate) fn add_alternative(&mut self, moves: &[Move]) {
        let from = self.moves.len() as u32;
        self.moves.extend_from_slice(moves);
        let word = Instruction::Word(from, self.moves.len() as u32);
        // Choices have no node in the tree of the original program.
        self.instructions.splice(0..0, [Instruction::If(u32::MAX), word]);
    }

    /// Compiles the part at a node and advances `at` past it. The recursion is no deeper than the tree.
    fn compile_part(&mut self, nodes: &[Node], at: &mut usize) {
        let node = *at;
        *at += 1;
        match nodes[node].primitive {
            ROOT_IF | IF => {
                self.instructions.push(Instruction::If(node as u32));
                self.compile_part(nodes, at);
                self.compile_part(nodes, at);
            }
            AND => {
                let and = self.instructions.len();
                self.instructions.push(Instruction::And);
                self.compile_part(nodes, at);
                let second = self.instructions.len();
                self.compile_part(nodes, at);
                // The moves of two consecutive words are adjacent, so the words are merged.
                if let [Instruction::Word(from, _), Instruction::Word(_, to)] = self.instructions[and + 1..]
                    && second == and + 2
                {
                    self.instructions.truncate(and);
                    self.instructions.push(Instruction::Word(from, to));
                }
            }
            word => {
                let from = self.moves.len() as u32;
                self.moves.extend_from_slice(moves_of(word));
                self.instructions.push(Instruction::Word(from, self.moves.len() as u32));
            }
        }
    }
}
