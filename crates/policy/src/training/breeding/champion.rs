//! The choice of the champion.

use super::{Breeding, Memory, REMEMBERED, Verdicts};
use clearway_gp::{Genome, Judged, parallel};
use std::sync::atomic::AtomicBool;

impl Breeding {
    /// The best on all boards, of the best of all generations and the last population; found on so many threads.
    pub fn champion(&self, memory: &Memory, population: &[Judged], threads: usize) -> Option<(Genome, Verdicts)> {
        let mut order: Vec<&Judged> = population.iter().collect();
        order.sort_by(|a, b| b.judgement.score.total_cmp(&a.judgement.score));
        let last = order.iter().take(REMEMBERED / 4).map(|judged| &judged.genome);
        let mut candidates: Vec<&Genome> = Vec::new();
        for genome in memory.best.iter().rev().chain(last) {
            if !candidates.contains(&genome) {
                candidates.push(genome);
            }
        }
        let judge = |genome: &&Genome| self.verdicts(genome, 0..self.boards.len());
        let verdicts = parallel::map(threads, &candidates, &AtomicBool::new(false), judge)?;
        // Those that solve all boards and keep the bound on the length come before all others.
        let keeps = |verdicts: &Verdicts| {
            let short = self.config.longest == 0.0 || verdicts.length <= self.config.longest;
            short && verdicts.solved == verdicts.boards
        };
        let rank =
            |a: &Verdicts, b: &Verdicts| keeps(a).cmp(&keeps(b)).then_with(|| self.score(a).total_cmp(&self.score(b)));
        // Of equals the last one is taken.
        let (genome, verdicts) = candidates.into_iter().zip(verdicts).max_by(|a, b| rank(&a.1, &b.1))?;
        Some((self.simplified(genome, &verdicts), verdicts))
    }
}
