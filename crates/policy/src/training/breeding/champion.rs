//! The choice of the champion.

use super::{Breeding, Memory, REMEMBERED, Verdicts};
use clearway_gp::{Genome, Judged, parallel};
use std::sync::atomic::AtomicBool;

impl Breeding {
    /// The best on all boards, of the best of the last generations and the last population; found on so many threads.
    ///
    /// With other boards to choose it on, the best on those; the ones that keep the bound on the length there, and then on
    /// both, come before all others.
    pub fn champion(
        &self,
        validation: Option<&Breeding>,
        memory: &Memory,
        population: &[Judged],
        threads: usize,
    ) -> Option<Chosen> {
        let mut order: Vec<&Judged> = population.iter().collect();
        order.sort_by(|a, b| b.judgement.score.total_cmp(&a.judgement.score));
        let last = order.iter().take(REMEMBERED / 4).map(|judged| &judged.genome);
        let mut candidates: Vec<&Genome> = Vec::new();
        for genome in memory.best.iter().rev().chain(last) {
            if !candidates.contains(&genome) {
                candidates.push(genome);
            }
        }
        let choose = |genome: &&Genome| Chosen {
            genome: Genome::clone(genome),
            training: self.all(genome),
            validation: validation.map(|others| others.all(genome)),
        };
        let chosen = parallel::map(threads, &candidates, &AtomicBool::new(false), choose)?;
        // Those that solve all boards and keep the bound on the length come before all others.
        let keeps = |verdicts: &Verdicts| {
            let short = self.config.longest == 0.0 || verdicts.length <= self.config.longest;
            short && verdicts.solved == verdicts.boards
        };
        let keeps = |one: &Chosen| (keeps(one.decisive()), keeps(&one.training));
        let score = |one: &Chosen| self.score(one.decisive());
        let rank = |a: &Chosen, b: &Chosen| keeps(a).cmp(&keeps(b)).then_with(|| score(a).total_cmp(&score(b)));
        // Of equals the last one is taken.
        let best = chosen.into_iter().max_by(rank)?;
        let simple = self.simplified(&best.genome, &best.training);
        let same = validation.is_none_or(|others| Some(others.all(&simple)) == best.validation);
        Some(if same { Chosen { genome: simple, ..best } } else { best })
    }
}

/// The champion, and what it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// What it is.
    pub genome: Genome,
    /// What it does on all boards.
    pub training: Verdicts,
    /// What it does on those to validate by, if there are any.
    pub validation: Option<Verdicts>,
}

impl Chosen {
    /// By what it was chosen.
    fn decisive(&self) -> &Verdicts {
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

    /// Breeding on a few cards, which are said to be so difficult.
    fn breeding(difficulty: f64) -> Breeding {
        let search = PolicySearch::wastar(1.0);
        let cards = Suite::find("cards").unwrap().puzzles().into_iter().take(3);
        let board = |puzzle: clearway_rush::formats::Puzzle| {
            let job = BoardJob { name: String::new(), board: puzzle.board, difficulty, start: None };
            TrainingBoard::new(&job, TerminalSet::Extended, &BoardLimits::default()).unwrap()
        };
        Breeding::new(Config { search, ..Config::default() }, cards.map(board).collect(), Arc::default())
    }

    #[test]
    fn a_champion_is_made_no_simpler_than_the_boards_allow_that_it_was_chosen_on() {
        let rules = "IF difficulty-level <= 0.5 THEN relaxed-plan DEFAULT h3";
        let [genome, simple] = [rules, "DEFAULT relaxed-plan"].map(|text| text.parse::<Policy>().unwrap().to_genome());
        let memory = Memory { best: vec![genome.clone()], ..Memory::default() };
        let [learnt, alike, harder] = [0.2, 0.2, 0.9].map(breeding);
        let champion = |validation| learnt.champion(validation, &memory, &[], 1).unwrap().genome;
        assert_eq!([None, Some(&alike), Some(&harder)].map(champion), [simple.clone(), simple, genome]);
    }
}
