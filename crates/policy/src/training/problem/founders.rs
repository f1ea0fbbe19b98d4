//! Founders: the given part of the initial population.

use super::PolicyProblem;
use crate::Policy;
use crate::terminals::TERMINALS;
use crate::terminals::primitive::{AT_LEAST, AT_MOST, FIRST_TERMINAL, SHARE_CONSTANT};
use clearway_gp::{Genome, Node, Tree};

impl PolicyProblem {
    /// Returns the given policies and the variants of the linear fit.
    pub(super) fn founder_genomes(&self, island: u32) -> Vec<Genome> {
        let given = self.config.from.iter().filter_map(|text| text.parse().ok()).map(|policy| self.padded(&policy));
        let fits = if self.config.founders { self.fits(island) } else { Vec::new() };
        given.chain(fits).collect()
    }

    /// Pads a policy with rules that never fire, to the number of rules of all genomes.
    fn padded(&self, policy: &Policy) -> Genome {
        let mut trees = policy.to_genome().trees;
        let default = trees.pop().unwrap_or_default();
        while trees.len() < 2 * self.config.rules {
            trees.extend([never(), default.clone()]);
        }
        trees.push(default);
        Genome { trees }
    }

    /// Returns the linear fit at several scales, with rules that never fire; where the estimate at the start sets the first
    /// threshold of the search, one rule provides it separately.
    fn fits(&self, island: u32) -> Vec<Genome> {
        let shift = f64::from(u8::from(!self.config.search.algorithm().uses_order_only())) * 100.0;
        let scales = [0.7, 1.0, 1.4, 2.0, 3.0];
        let fits =
            scales.iter().map(|&scale| self.fit.scaled(scale, if island.is_multiple_of(2) { shift } else { 0.0 }));
        let path_length = TERMINALS.iter().position(|terminal| terminal.name == "g").unwrap_or_default() as u16;
        let at_start = Tree {
            nodes: vec![node(AT_MOST, 0.0), node(FIRST_TERMINAL + 2 * path_length, 0.0), node(SHARE_CONSTANT, 0.0)],
        };
        fits.map(|fit| {
            let rules = (0..self.config.rules).flat_map(|_| [never(), fit.tree()]);
            let mut trees: Vec<Tree> = rules.collect();
            trees.push(fit.tree());
            if self.config.rules > 0 && self.config.search.algorithm().sets_threshold() {
                trees[0] = at_start.clone();
                trees[1] = fit.scaled(1.0, 3.0).tree();
            }
            Genome { trees }
        })
        .collect()
    }
}

/// A condition that never holds.
fn never() -> Tree {
    Tree { nodes: vec![node(AT_LEAST, 0.0), node(SHARE_CONSTANT, 0.0), node(SHARE_CONSTANT, 1.0)] }
}

fn node(primitive: u16, value: f64) -> Node {
    Node { primitive, value }
}
