//! Policies as genomes: a condition and a value for each rule, then the default.

use crate::policy::{MAX_NODES, MAX_RULES, Policy, Rule};
use crate::subtree::first_tree_length;
use crate::terminals::primitive::{
    AND, AT_LEAST, AT_MOST, FIRST_TERMINAL, OR, PLUS, SHARE_CONSTANT, TIMES, VALUE_CONSTANT,
};
use crate::terminals::{CONDITION, SHARE, TERMINALS, VALUE};
use crate::text::MAX_NUMBER;
use clearway_gp::{Genome, GenomeLayout, Tree, Type};

/// Returns the layout of the genome of a policy with this number of rules and maximum tree depth. The condition and the value
/// of a rule are adjacent and form a group; the default is the last tree.
///
/// ```
/// let layout = clearway_policy::layout(5, 5);
/// assert_eq!((layout.roots.len(), layout.groups.len(), layout.size), (11, 5, 31));
/// ```
pub fn layout(rules: usize, depth: u32) -> GenomeLayout {
    let mut roots = [CONDITION, VALUE].repeat(rules);
    roots.push(VALUE);
    let groups = (0..rules).map(|rule| 2 * rule..2 * rule + 2).collect();
    let full = 1usize.checked_shl(depth).map_or(usize::MAX, |nodes| nodes - 1);
    GenomeLayout { roots, groups, depth, size: full.min(MAX_NODES) }
}

/// Error for a genome that does not encode a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyGenomeError {
    /// The genome has this number of trees: no default, or too many rules.
    #[error(
        "invalid number of trees: {0}; a policy has two for each of at most {MAX_RULES} rules and one for the default"
    )]
    InvalidTreeCount(usize),
    /// The tree of this index is malformed.
    #[error("malformed tree {0}; expected the functions, heuristics and constants of policies")]
    MalformedTree(usize),
}

impl Policy {
    /// Decodes a genome of a [`layout`].
    pub fn from_genome(genome: &Genome) -> Result<Policy, PolicyGenomeError> {
        let trees = &genome.trees;
        if trees.len().is_multiple_of(2) || trees.len() > 2 * MAX_RULES + 1 {
            return Err(PolicyGenomeError::InvalidTreeCount(trees.len()));
        }
        let wanted =
            |number: usize| if number.is_multiple_of(2) && number + 1 < trees.len() { CONDITION } else { VALUE };
        if let Some(broken) = (0..trees.len()).find(|&number| !is_well_formed(&trees[number], wanted(number))) {
            return Err(PolicyGenomeError::MalformedTree(broken));
        }
        let rules = trees.chunks_exact(2).map(|pair| Rule { condition: pair[0].clone(), value: pair[1].clone() });
        let rules = rules.collect();
        Ok(Policy { rules, default: trees.last().cloned().unwrap_or_default(), ..Policy::default() })
    }

    /// Encodes the rules and the default, without the description and the search.
    pub fn to_genome(&self) -> Genome {
        let rules = self.rules.iter().flat_map(|rule| [rule.condition.clone(), rule.value.clone()]);
        Genome { trees: rules.chain([self.default.clone()]).collect() }
    }
}

/// Returns the output type of a primitive and the type of its arguments, or `None` if there is no such primitive.
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

/// Whether the nodes form exactly one well-typed tree with a root of this type.
fn is_well_formed(tree: &Tree, root: Type) -> bool {
    if tree.nodes.len() > MAX_NODES || first_tree_length(&tree.nodes) != Some(tree.nodes.len()) {
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
        node.value.abs() <= MAX_NUMBER && wanted.pop() == Some(output)
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
    fn malformed_genomes_are_rejected() {
        let decode = |trees: Vec<Tree>| Policy::from_genome(&Genome { trees });
        let (h1_share, h1) = (FIRST_TERMINAL, FIRST_TERMINAL + 1);
        let condition = || tree(&[AT_MOST, h1_share, SHARE_CONSTANT]);
        assert!(decode(vec![condition(), tree(&[h1]), tree(&[PLUS, h1, VALUE_CONSTANT])]).is_ok());
        assert_eq!(decode(vec![]), Err(PolicyGenomeError::InvalidTreeCount(0)));
        assert_eq!(decode(vec![condition(), tree(&[h1])]), Err(PolicyGenomeError::InvalidTreeCount(2)));
        assert_eq!(
            decode(vec![tree(&[h1]); 2 * MAX_RULES + 3]),
            Err(PolicyGenomeError::InvalidTreeCount(2 * MAX_RULES + 3))
        );
        let flag = FIRST_TERMINAL + 2 * TERMINALS.iter().position(|terminal| terminal.flag).unwrap() as u16;
        let last = FIRST_TERMINAL + 2 * TERMINALS.len() as u16;
        for broken in [&[][..], &[PLUS, h1], &[h1, h1], &[h1_share], &[flag], &[flag + 1], &[last], &[u16::MAX]] {
            assert_eq!(decode(vec![tree(broken)]), Err(PolicyGenomeError::MalformedTree(0)), "{broken:?}");
        }
        assert_eq!(decode(vec![tree(&[h1_share]), tree(&[h1]), tree(&[h1])]), Err(PolicyGenomeError::MalformedTree(0)));
        assert!(decode(vec![tree(&[flag]), tree(&[h1]), tree(&[h1])]).is_ok());
        let not_a_number = Tree { nodes: vec![Node { primitive: VALUE_CONSTANT, value: f64::NAN }] };
        assert_eq!(decode(vec![not_a_number]), Err(PolicyGenomeError::MalformedTree(0)));
    }

    #[test]
    fn genomes_round_trip_through_policies() {
        let (h1_share, h1) = (FIRST_TERMINAL, FIRST_TERMINAL + 1);
        let condition = tree(&[AND, AT_MOST, h1_share, SHARE_CONSTANT, AT_LEAST, h1_share, h1_share]);
        let genome = Genome { trees: vec![condition, tree(&[TIMES, h1, h1]), tree(&[h1])] };
        assert_eq!(Policy::from_genome(&genome).unwrap().to_genome(), genome);
    }
}
