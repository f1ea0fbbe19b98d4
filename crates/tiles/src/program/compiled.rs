//! A program made ready to be run many times.

use super::measure::Measure;
use super::primitives::{AND, IF, ROOT_IF, moves_of};
use super::{Program, Style};
use crate::Move;
use clearway_gp::{Node, Tree};

/// A program made ready to be run many times: moves that follow each other are one word.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub(super) style: Style,
    pub(super) measure: Measure,
    /// In prefix order.
    pub(super) parts: Vec<Part>,
    /// The moves of all words.
    pub(super) moves: Vec<Move>,
}

/// A part of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The better one of the next two; with its node in the tree.
    If(u32),
    /// Both of the next two.
    And,
    /// Some of the moves.
    Word(u32, u32),
}

impl Compiled {
    /// A program made ready.
    pub fn new(program: &Program) -> Compiled {
        Compiled::of(&program.tree, program.measure.as_ref(), program.style)
    }

    pub(crate) fn of(tree: &Tree, measure: Option<&Tree>, style: Style) -> Compiled {
        let mut compiled = Compiled { style, measure: Measure::new(measure), parts: Vec::new(), moves: Vec::new() };
        compiled.add(&tree.nodes, &mut 0);
        compiled
    }

    /// Adds the part at a node, and goes on behind it. The recursion is no deeper than the tree.
    fn add(&mut self, nodes: &[Node], at: &mut usize) {
        let node = *at;
        *at += 1;
        match nodes[node].primitive {
            ROOT_IF | IF => {
                self.parts.push(Part::If(node as u32));
                self.add(nodes, at);
                self.add(nodes, at);
            }
            AND => {
                let and = self.parts.len();
                self.parts.push(Part::And);
                self.add(nodes, at);
                let second = self.parts.len();
                self.add(nodes, at);
                // The moves of two words that follow each other lie side by side.
                if let [Part::Word(from, _), Part::Word(_, to)] = self.parts[and + 1..]
                    && second == and + 2
                {
                    self.parts.truncate(and);
                    self.parts.push(Part::Word(from, to));
                }
            }
            word => {
                let from = self.moves.len() as u32;
                self.moves.extend_from_slice(moves_of(word));
                self.parts.push(Part::Word(from, self.moves.len() as u32));
            }
        }
    }
}
