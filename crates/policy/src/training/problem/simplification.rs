//! Simplification of champions without a change of behaviour.

use super::PolicyProblem;
use crate::Policy;
use clearway_gp::Genome;
use clearway_gp::simplify::simplify;

/// Maximum number of smaller trees to try.
const TRIES: usize = 2_000;

impl PolicyProblem {
    /// Removes rules that never matter, shrinks the trees, and folds constants, as far as no count changes on these boards and
    /// on those of `validation`. Folding changes no estimate, so no rule that never fires remains.
    pub(super) fn simplified(&self, genome: &Genome, validation: Option<&PolicyProblem>) -> Genome {
        let behaviour = self.behaviour(genome);
        let same = |other: &Genome| self.behaviour(other) == behaviour;
        let rules = fewer_rules(genome, same);
        let trees = simplify(&rules, &self.representation.primitives, TRIES, same);
        // The behaviour is compared at a few states only, so the searches decide.
        let counts = |genome: &Genome| (self.counts(genome), validation.map(|others| others.counts(genome)));
        let before = counts(genome);
        let simple = [trees, rules].into_iter().find(|simple| simple == genome || counts(simple) == before);
        folded(simple.as_ref().unwrap_or(genome))
    }
}

/// Folds constants.
fn folded(genome: &Genome) -> Genome {
    Policy::from_genome(genome).map_or_else(|_| genome.clone(), |policy| policy.folded().to_genome())
}

/// Removes rules while `same` holds: a single rule, or all rules from one on, whose value then becomes the default.
fn fewer_rules(genome: &Genome, same: impl Fn(&Genome) -> bool) -> Genome {
    let mut fewest = genome.clone();
    let mut rule = 0;
    while 2 * rule + 1 < fewest.trees.len() {
        let trees = &fewest.trees;
        let cut = Genome { trees: [&trees[..2 * rule], &trees[2 * rule + 1..2 * rule + 2]].concat() };
        let without = Genome { trees: [&trees[..2 * rule], &trees[2 * rule + 2..]].concat() };
        if same(&cut) {
            fewest = cut;
        } else if same(&without) {
            fewest = without;
        } else {
            rule += 1;
        }
    }
    fewest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_without_effect_are_removed() {
        let genome = |text: &str| text.parse::<Policy>().unwrap().to_genome();
        let three = genome("IF g >= 1 THEN h1 IF h1 >= 0.5 THEN h2 IF h2 >= 0.5 THEN h3 DEFAULT h3");
        // Only the first rule has an effect.
        let first = fewer_rules(&three, |other| other.trees.len() > 2 && other.trees[..2] == three.trees[..2]);
        assert_eq!(first, genome("IF g >= 1 THEN h1 DEFAULT h2"));
        // Only the last rule and the default have an effect.
        let last = fewer_rules(&three, |other| other.trees.ends_with(&three.trees[4..]));
        assert_eq!(last, genome("IF h2 >= 0.5 THEN h3 DEFAULT h3"));
        assert_eq!(fewer_rules(&three, |other| *other == three), three);
    }
}
