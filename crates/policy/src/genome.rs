//! Policies as individuals of genetic programming: a condition and a value for each rule, then the default.

use crate::part::first_tree;
use crate::policy::{MOST_NODES, MOST_RULES, Policy, Rule};
use crate::terminals::primitive::{
    AND, AT_LEAST, AT_MOST, FIRST_TERMINAL, OR, PLUS, SHARE_CONSTANT, TIMES, VALUE_CONSTANT,
};
use crate::terminals::{CONDITION, SHARE, TERMINALS, VALUE};
use crate::text::MOST_NUMBER;
use clearway_gp::{Genome, Layout, Tree, Type};

/// How the genome of a policy with so many rules is built: the condition and the value of a rule are next to each other
/// and form a group, and the default is the last tree.
///
/// ```
/// let layout = clearway_policy::layout(5, 5);
/// assert_eq!((layout.roots.len(), layout.groups.len(), layout.size), (11, 5, 31));
/// ```
pub fn layout(rules: usize, depth: u32) -> Layout {
    let mut roots = [CONDITION, VALUE].repeat(rules);
    roots.push(VALUE);
    let groups = (0..rules).map(|rule| 2 * rule..2 * rule + 2).collect();
    let full = 1usize.checked_shl(depth).map_or(usize::MAX, |nodes| nodes - 1);
    Layout { roots, groups, depth, size: full.min(MOST_NODES) }
}

/// Why a genome is no policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenomeError {
    /// There is no default, or too many rules.
    #[error("a policy has two trees for each of at most {MOST_RULES} rules and one for the default, not {0} in all")]
    Trees(usize),
    /// A tree is broken.
    #[error("tree {0} is not one of the functions, heuristics and constants that policies are made of")]
    Broken(usize),
}

impl Policy {
    /// The policy that a genome of a [`layout`] stands for.
    pub fn from_genome(genome: &Genome) -> Result<Policy, GenomeError> {
        let trees = &genome.trees;
        if trees.len().is_multiple_of(2) || trees.len() > 2 * MOST_RULES + 1 {
            return Err(GenomeError::Trees(trees.len()));
        }
        let wanted =
            |number: usize| if number.is_multiple_of(2) && number + 1 < trees.len() { CONDITION } else { VALUE };
        if let Some(broken) = (0..trees.len()).find(|&number| !is_tree(&trees[number], wanted(number))) {
            return Err(GenomeError::Broken(broken));
        }
        let rules = trees.chunks_exact(2).map(|pair| Rule { condition: pair[0].clone(), value: pair[1].clone() });
        let rules = rules.collect();
        Ok(Policy { rules, default: trees.last().cloned().unwrap_or_default(), ..Policy::default() })
    }

    /// Its genome, without what is said about it.
    pub fn to_genome(&self) -> Genome {
        let rules = self.rules.iter().flat_map(|rule| [rule.condition.clone(), rule.value.clone()]);
        Genome { trees: rules.chain([self.default.clone()]).collect() }
    }
}

/// The type of a primitive and that of its arguments.
fn types(primitive: u16) -> Option<(Type, Type)> {
    match primitive {
        AND | OR => Some((CONDITION, CONDITION)),
        AT_MOST | AT_LEAST => Some((CONDITION, SHARE)),
        TIMES | PLUS | VALUE_CONSTANT => Some((VALUE, VALUE)),
        SHARE_CONSTANT => Some((SHARE, SHARE)),
        _ => {
            let number = primitive - FIRST_TERMINAL;
            let terminal = TERMINALS.get(usize::from(number / 2))?;
            let kind = match number % 2 {
                0 if terminal.flag => CONDITION,
                0 => SHARE,
                _ if terminal.value => VALUE,
                _ => return None,
            };
            Some((kind, kind))
        }
    }
}

/// Whether this is one whole tree of a type.
fn is_tree(tree: &Tree, root: Type) -> bool {
    if tree.nodes.len() > MOST_NODES || first_tree(&tree.nodes) != Some(tree.nodes.len()) {
        return false;
    }
    let mut wanted = vec![root];
    tree.nodes.iter().all(|node| {
        let Some((output, input)) = types(node.primitive) else { return false };
        if node.primitive < SHARE_CONSTANT {
            let fits = wanted.pop() == Some(output);
            wanted.extend([input, input]);
            return fits;
        }
        node.value.abs() <= MOST_NUMBER && wanted.pop() == Some(output)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_gp::Node;

    fn tree(primitives: &[u16]) -> Tree {
        Tree { nodes: primitives.iter().map(|&primitive| Node { primitive, value: 0.0 }).collect() }
    }

    #[test]
    fn what_is_broken_is_refused() {
        let of = |trees: Vec<Tree>| Policy::from_genome(&Genome { trees });
        let (h1_share, h1) = (FIRST_TERMINAL, FIRST_TERMINAL + 1);
        let condition = || tree(&[AT_MOST, h1_share, SHARE_CONSTANT]);
        assert!(of(vec![condition(), tree(&[h1]), tree(&[PLUS, h1, VALUE_CONSTANT])]).is_ok());
        assert_eq!(of(vec![]), Err(GenomeError::Trees(0)));
        assert_eq!(of(vec![condition(), tree(&[h1])]), Err(GenomeError::Trees(2)));
        assert_eq!(of(vec![tree(&[h1]); 2 * MOST_RULES + 3]), Err(GenomeError::Trees(2 * MOST_RULES + 3)));
        let flag = FIRST_TERMINAL + 2 * TERMINALS.iter().position(|terminal| terminal.flag).unwrap() as u16;
        let last = FIRST_TERMINAL + 2 * TERMINALS.len() as u16;
        for broken in [&[][..], &[PLUS, h1], &[h1, h1], &[h1_share], &[flag], &[flag + 1], &[last], &[u16::MAX]] {
            assert_eq!(of(vec![tree(broken)]), Err(GenomeError::Broken(0)), "{broken:?}");
        }
        assert_eq!(of(vec![tree(&[h1_share]), tree(&[h1]), tree(&[h1])]), Err(GenomeError::Broken(0)));
        assert!(of(vec![tree(&[flag]), tree(&[h1]), tree(&[h1])]).is_ok());
        let endless = Tree { nodes: vec![Node { primitive: VALUE_CONSTANT, value: f64::NAN }] };
        assert_eq!(of(vec![endless]), Err(GenomeError::Broken(0)));
    }

    #[test]
    fn a_policy_and_its_genome_are_the_same() {
        let (h1_share, h1) = (FIRST_TERMINAL, FIRST_TERMINAL + 1);
        let condition = tree(&[AND, AT_MOST, h1_share, SHARE_CONSTANT, AT_LEAST, h1_share, h1_share]);
        let genome = Genome { trees: vec![condition, tree(&[TIMES, h1, h1]), tree(&[h1])] };
        assert_eq!(Policy::from_genome(&genome).unwrap().to_genome(), genome);
    }
}
