//! Selection of the champion of a run.

use super::{EvolutionState, HALL_OF_FAME_SIZE, PolicyPerformance, PolicyProblem};
use clearway_gp::{EvaluatedIndividual, Genome};
use clearway_util::parallel;
use std::sync::atomic::AtomicBool;

impl PolicyProblem {
    /// Selects the best policy on all boards from the hall of fame and the last population, using `threads` threads.
    ///
    /// With a validation set, the best policy on that set is selected. Policies that solve all boards within the length limit
    /// (first on the validation set, then on the training set too) are preferred to all others. `None` if there is no candidate.
    pub fn champion(
        &self,
        validation: Option<&PolicyProblem>,
        memory: &EvolutionState,
        population: &[EvaluatedIndividual],
        threads: usize,
    ) -> Option<EvaluatedChampion> {
        let mut order: Vec<&EvaluatedIndividual> = population.iter().collect();
        order.sort_by(|a, b| b.fitness.score.total_cmp(&a.fitness.score));
        let last = order.iter().take(HALL_OF_FAME_SIZE / 4).map(|individual| &individual.genome);
        let mut candidates: Vec<&Genome> = Vec::new();
        for genome in memory.best.iter().rev().chain(last) {
            if !candidates.contains(&genome) {
                candidates.push(genome);
            }
        }
        let evaluate = |genome: &&Genome| EvaluatedChampion {
            genome: Genome::clone(genome),
            training: self.performance(genome),
            validation: validation.map(|others| others.performance(genome)),
        };
        let evaluated = parallel::map(threads, &candidates, &AtomicBool::new(false), evaluate)?;
        let is_valid = |performance: &PolicyPerformance| {
            let short = self.config.longest == 0.0 || performance.length <= self.config.longest;
            short && performance.solved == performance.boards
        };
        let validity = |one: &EvaluatedChampion| (is_valid(one.decisive()), is_valid(&one.training));
        let score = |one: &EvaluatedChampion| self.score(one.decisive());
        let rank = |a: &EvaluatedChampion, b: &EvaluatedChampion| {
            validity(a).cmp(&validity(b)).then_with(|| score(a).total_cmp(&score(b)))
        };
        // Among equals, the last one wins.
        let best = evaluated.into_iter().max_by(rank)?;
        Some(EvaluatedChampion { genome: self.simplified(&best.genome, validation), ..best })
    }
}

/// The champion of a run and its performance.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluatedChampion {
    /// Genome of the champion.
    pub genome: Genome,
    /// Performance on the training set.
    pub training: PolicyPerformance,
    /// Performance on the validation set, if there is one.
    pub validation: Option<PolicyPerformance>,
}

impl EvaluatedChampion {
    /// Performance that decides the selection.
    fn decisive(&self) -> &PolicyPerformance {
        self.validation.as_ref().unwrap_or(&self.training)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Policy;
    use crate::terminals::TerminalSet;
    use crate::training::{BoardJob, BoardLimits, Config, PolicySearch, TrainingBoard};
    use clearway_rush::suites::Suite;
    use std::sync::Arc;

    /// A problem on a few cards of the given difficulty.
    fn problem(difficulty: f64) -> PolicyProblem {
        let search = PolicySearch::wastar(1.0);
        let cards = Suite::find("cards").unwrap().puzzles().into_iter().take(3);
        let board = |puzzle: clearway_rush::formats::Puzzle| {
            let job = BoardJob::new(String::new(), puzzle.board, difficulty);
            TrainingBoard::new(&job, TerminalSet::Extended, &BoardLimits::default()).unwrap()
        };
        PolicyProblem::new(Config { search, ..Config::default() }, cards.map(board).collect(), Arc::default())
    }

    #[test]
    fn simplification_does_not_change_the_champion_on_the_validation_set() {
        let rules = "IF difficulty-level <= 0.5 THEN relaxed-plan DEFAULT h3";
        let [genome, simple] = [rules, "DEFAULT relaxed-plan"].map(|text| text.parse::<Policy>().unwrap().to_genome());
        let memory = EvolutionState { best: vec![genome.clone()], ..EvolutionState::default() };
        let [training, similar, harder] = [0.2, 0.2, 0.9].map(problem);
        let champion = |validation| training.champion(validation, &memory, &[], 1).unwrap().genome;
        assert_eq!([None, Some(&similar), Some(&harder)].map(champion), [simple.clone(), simple, genome]);
    }

    #[test]
    fn no_rule_that_never_fires_remains() {
        let [genome, folded] = [
            "IF 0 >= 1 THEN h1 IF difficulty-level <= 0.5 AND 0 <= 1 THEN relaxed-plan + (1 + 2) DEFAULT h3",
            "IF difficulty-level <= 0.5 THEN relaxed-plan + 3 DEFAULT h3",
        ]
        .map(|text| text.parse::<Policy>().unwrap().to_genome());
        let memory = EvolutionState { best: vec![genome.clone()], ..EvolutionState::default() };
        let [training, harder] = [0.2, 0.9].map(problem);
        let champion = training.champion(Some(&harder), &memory, &[], 1).unwrap();
        assert_eq!(champion.genome, folded, "the default is needed on the validation set");
        for problem in [&training, &harder] {
            assert_eq!(problem.counts(&genome), problem.counts(&folded));
        }
        assert_ne!(
            harder.counts(&folded),
            harder.counts(&"DEFAULT relaxed-plan + 3".parse::<Policy>().unwrap().to_genome())
        );
    }
}
