//! Estimates totals over all tasks of a plan from a sample.
//!
//! In a stratum, tasks are picked with a probability proportional to their number of states. So the total of a quantity is
//! estimated by the states of the stratum, times the mean over the picks of the quantity per state. The intervals come from a
//! stratified bootstrap: the picks of each stratum are resampled with replacement, many times.

use super::table::{Draw, SizeClass, TaskSample};
use crate::random::Random;
use std::collections::BTreeMap;

/// Number of resamples of the bootstrap.
const RESAMPLES: usize = 4000;

/// Estimated total with its 95 % bootstrap interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Estimated total.
    pub total: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Quantity of a whole task, estimated from a draw.
pub type Quantity = fn(&Draw) -> f64;

/// Estimated quantities with their names.
pub const QUANTITIES: [(&str, Quantity); 7] = [
    ("states", |draw| draw.states as f64 / draw.share),
    ("cpu_seconds", Draw::seconds),
    ("splitting_seconds", |draw| draw.splitting),
    ("components", |draw| draw.components as f64 / draw.share),
    ("puzzles", |draw| draw.puzzles as f64 / draw.share),
    ("list_bytes", |draw| draw.list_bytes as f64 / draw.share),
    ("log_bytes", |draw| draw.log_bytes as f64 / draw.share),
];

/// Returns, for each stratum and pick, the quantity per state. If a pick has several families, it is their mean.
pub fn ratios(table: &TaskSample, quantity: Quantity) -> BTreeMap<u32, Vec<f64>> {
    let mut picks = BTreeMap::<(u32, u64), (f64, f64)>::new();
    for draw in &table.draws {
        let pick = picks.entry((draw.stratum, draw.pick)).or_default();
        pick.0 += quantity(draw) / draw.task_states as f64;
        pick.1 += 1.0;
    }
    let mut ratios = BTreeMap::<u32, Vec<f64>>::new();
    for ((stratum, _), (sum, count)) in picks {
        ratios.entry(stratum).or_default().push(sum / count);
    }
    ratios
}

/// Estimates the total of a quantity over all tasks.
pub fn estimate(table: &TaskSample, quantity: Quantity, seed: u64) -> Estimate {
    let (strata, ratios) = (table.strata(), ratios(table, quantity));
    let mut random = Random::new(seed, 0);
    let mean = |ratios: &Vec<f64>| ratios.iter().sum::<f64>() / ratios.len() as f64;
    let mut mean_again = |ratios: &Vec<f64>| {
        (0..ratios.len()).map(|_| ratios[random.below(ratios.len())]).sum::<f64>() / ratios.len() as f64
    };
    let total = ratios.iter().map(|(stratum, ratios)| strata[stratum].1 as f64 * mean(ratios)).sum();
    let mut again: Vec<f64> = (0..RESAMPLES)
        .map(|_| ratios.iter().map(|(stratum, ratios)| strata[stratum].1 as f64 * mean_again(ratios)).sum())
        .collect();
    again.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| again[(share * (RESAMPLES - 1) as f64).round() as usize];
    Estimate { total, low: at(0.025), high: at(0.975) }
}

/// Returns the share of the total that is in the largest items: those that make up `part` of their number. `by_size` holds the
/// number of items of each size and their total.
pub fn share_of_largest(by_size: &BTreeMap<SizeClass, (f64, f64)>, part: f64) -> f64 {
    let (all, whole) = by_size.values().fold((0.0, 0.0), |sums, of_size| (sums.0 + of_size.0, sums.1 + of_size.1));
    let (mut left, mut held) = (part * all, 0.0);
    for &(count, of_size) in by_size.values().rev() {
        let taken = left.min(count);
        held += of_size * taken / count;
        left -= taken;
    }
    held / whole
}

/// Returns, for each size, the number of tasks and their CPU seconds.
pub fn seconds_by_size(table: &TaskSample) -> BTreeMap<SizeClass, (f64, f64)> {
    let ratios = ratios(table, Draw::seconds);
    let mean = |stratum: u32| ratios[&stratum].iter().sum::<f64>() / ratios[&stratum].len() as f64;
    let seconds = |size: SizeClass, states: u64| states as f64 * mean(size.stratum());
    table.tasks.iter().map(|(&size, &(tasks, states))| (size, (tasks as f64, seconds(size, states)))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Options, sample};
    use super::*;
    use clearway_forge::Shape;
    use clearway_forge::enumerate::EnumerationPlan;
    use clearway_rush::{Metric, Side};

    fn plan() -> EnumerationPlan {
        EnumerationPlan::new(Shape::new(5, 5, Side::Right, None, 0).unwrap(), Metric::Moves, 0).unwrap()
    }

    /// Compares the estimates from a sample of 5x5 with the true numbers.
    fn check(options: Options, tolerance: f64) {
        let table = sample(&plan(), options, |_, _| ());
        assert_eq!(table.strata().values().map(|stratum| stratum.1).sum::<u64>(), 6_795_364);
        let text = table.to_string();
        assert!(
            text.parse::<TaskSample>().is_ok_and(|again| again.to_string() == text),
            "tables round-trip through text"
        );
        for (name, truth) in [("states", 6_795_364.0), ("components", 62_106.0), ("puzzles", 1_891.0)] {
            let quantity = QUANTITIES.iter().find(|quantity| quantity.0 == name).unwrap().1;
            let Estimate { total, low, high } = estimate(&table, quantity, 1);
            assert!((total / truth - 1.0).abs() < tolerance, "{name}: {total} instead of {truth}");
            assert!(low <= total * 1.0001 && total <= high * 1.0001, "{name}: {low} to {high}");
        }
        let components: f64 = table.components.values().map(|of_size| of_size.0).sum();
        assert!((components / 62_106.0 - 1.0).abs() < tolerance, "{components} components");
    }

    #[test]
    fn totals_are_estimated_from_whole_tasks() {
        check(Options { picks: 1000, families: 3, seed: 1, memory: 1 << 24 }, 0.08);
    }

    #[test]
    fn totals_are_estimated_from_families() {
        check(Options { picks: 1000, families: 3, seed: 2, memory: 1 << 17 }, 0.08);
    }

    #[test]
    fn share_of_largest_interpolates_within_a_size() {
        let by_size =
            BTreeMap::from([(SizeClass::from_states(1), (90.0, 90.0)), (SizeClass::from_states(91), (10.0, 910.0))]);
        assert!((share_of_largest(&by_size, 0.1) - 0.91).abs() < 1e-9);
        assert!((share_of_largest(&by_size, 0.05) - 0.455).abs() < 1e-9);
        assert!((share_of_largest(&by_size, 1.0) - 1.0).abs() < 1e-9);
    }
}
