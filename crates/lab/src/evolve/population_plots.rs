//! Plots of populations: diversity, success of operators, heuristics in use, and times.

use super::report::LoggedGeneration;
use super::telemetry::PhaseTimes;
use crate::plot::{Series, lines};
use crate::runs::report::{X_AXIS, series};
use clearway_gp::Operator;
use std::collections::BTreeMap;

/// Number of points of a curve that would be noisy with a point per generation.
const BLOCKS: usize = 40;
/// Number of heuristics in the plot.
const SHOWN_TERMINALS: usize = 8;

/// Plots of the generations; empty if the log has no data for them.
pub(super) fn population_plots(generations: &[LoggedGeneration]) -> String {
    diversity_plot(generations) + &operator_plot(generations) + &terminal_plot(generations)
}

fn share(count: u32, of: u32) -> f64 {
    100.0 * f64::from(count) / f64::from(of.max(1))
}

fn diversity_plot(generations: &[LoggedGeneration]) -> String {
    let individuals = |line: &LoggedGeneration| line.generation.individuals;
    let curves = [
        series(generations, "distinct policies", |line| line.behaviours.map(|_| 100.0 * line.generation.uniqueness)),
        series(generations, "distinct results on the boards", |line| Some(share(line.behaviours?, individuals(line)))),
    ];
    if curves[1].points.is_empty() {
        return String::new();
    }
    lines("Diversity", X_AXIS, "per cent of the population", &curves, &[])
}

/// Share of the children of each operator that are better than their first parent, over blocks of generations.
fn operator_plot(generations: &[LoggedGeneration]) -> String {
    let block = generations.len().div_ceil(BLOCKS).max(1);
    let mut curves: BTreeMap<Operator, Vec<(f64, f64)>> = BTreeMap::new();
    for lines in generations.chunks(block) {
        let mut counts: BTreeMap<Operator, (u32, u32)> = BTreeMap::new();
        for one in lines.iter().flat_map(|line| &line.operators).filter(|one| one.operator != Operator::Copy) {
            let count = counts.entry(one.operator).or_default();
            *count = (count.0 + one.better, count.1 + one.children);
        }
        let x = f64::from(lines[0].generation.generation) + (lines.len() - 1) as f64 / 2.0;
        for (operator, (better, children)) in counts {
            curves.entry(operator).or_default().push((x, share(better, children)));
        }
    }
    if curves.is_empty() {
        return String::new();
    }
    let curves = curves.into_iter().map(|(operator, points)| Series { name: name(operator), points });
    let curves: Vec<Series> = curves.collect();
    lines("Success of operators", X_AXIS, "per cent of children better than the first parent", &curves, &[])
}

/// Name of an operator, as in the log.
fn name(operator: Operator) -> String {
    let text = serde_json::to_string(&operator).unwrap_or_default();
    text.trim_matches('"').replace('-', " ")
}

/// Share of the individuals that use each of the most common heuristics of the last tenth of the generations.
fn terminal_plot(generations: &[LoggedGeneration]) -> String {
    let last = &generations[generations.len() - generations.len().div_ceil(10)..];
    let mut totals: BTreeMap<&str, u32> = BTreeMap::new();
    for (name, count) in last.iter().flat_map(|line| &line.terminals) {
        *totals.entry(name).or_default() += count;
    }
    let mut common: Vec<(&str, u32)> = totals.into_iter().collect();
    common.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    common.truncate(SHOWN_TERMINALS);
    if common.is_empty() {
        return String::new();
    }
    let of = |line: &LoggedGeneration, name: &str| {
        let count = line.terminals.get(name).copied().unwrap_or(0);
        (!line.terminals.is_empty()).then(|| share(count, line.generation.individuals))
    };
    let curves: Vec<Series> = common.iter().map(|(name, _)| series(generations, name, |line| of(line, name))).collect();
    lines("Heuristics in use", X_AXIS, "per cent of the population", &curves, &[])
}

/// Plot of the mean times of generations, over blocks of generations; empty without times.
pub(super) fn time_plot(times: &[PhaseTimes]) -> String {
    if times.is_empty() {
        return String::new();
    }
    let block = times.len().div_ceil(BLOCKS).max(1);
    let curve = |name: &str, of: fn(&PhaseTimes) -> f64| Series {
        name: name.to_owned(),
        points: times
            .chunks(block)
            .map(|block| {
                let x = f64::from(block[0].generation) + (block.len() - 1) as f64 / 2.0;
                (x, 1000.0 * block.iter().map(of).sum::<f64>() / block.len() as f64)
            })
            .collect(),
    };
    let curves = [
        curve("evaluation", |times| times.evaluation),
        curve("breeding", |times| times.breeding),
        curve("statistics and progress tests", |times| times.statistics),
    ];
    lines("Where time goes", X_AXIS, "milliseconds per generation", &curves, &[])
}
