//! A stratified sample of the families of a plan's tasks.
//!
//! The states of every task are counted without a search. Tasks whose numbers of states are within a factor of two form a
//! *stratum*. The number of picks of a stratum is proportional to its states, with a minimum. A *pick* is a task of the stratum,
//! drawn with a probability proportional to its states; if the task has to be split, some of its families are sampled (see
//! [`Probe`]).

use super::table::{Draw, SizeClass, TaskSample};
use crate::random::Random;
use clearway_forge::enumerate::{CatalogueEntry, EnumerationPlan, Probe, SampledFamily};
use clearway_forge::rng;
use cpu_time::ThreadTime;
use std::collections::BTreeMap;

/// Minimum number of picks of a stratum.
const MIN_PICKS: usize = 8;

/// Options of a sample.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Approximate number of picked tasks.
    pub picks: usize,
    /// Number of families sampled from a task that has to be split.
    pub families: usize,
    /// Seed of all random choices.
    pub seed: u64,
    /// Memory of the thread, in bytes.
    pub memory: usize,
}

/// Tasks of a stratum, each with its number of states, and the total of these numbers.
type Stratum = (Vec<(u64, u64)>, u64);

/// Picks tasks, the smallest strata first, and samples families of them. Calls `show` with each draw and the number of picks
/// left.
pub fn sample(plan: &EnumerationPlan, options: Options, mut show: impl FnMut(&Draw, usize)) -> TaskSample {
    let (mut table, strata) = measure_tasks(&plan.sizes());
    let all: u64 = strata.values().map(|(_, states)| states).sum();
    let picks = |states: u64| ((options.picks as f64 * states as f64 / all as f64).round() as usize).max(MIN_PICKS);
    let mut left: usize = strata.values().map(|&(_, states)| picks(states)).sum();
    let mut probe = Probe::new(plan, options.memory);
    for (&stratum, (tasks, states)) in &strata {
        let (mut random, count) = (Random::new(options.seed, stratum.into()), picks(*states));
        let mut picked: Vec<(u64, u64)> = (0..count).map(|_| pick(tasks, *states, &mut random)).collect();
        // Tasks with the same walls are adjacent, as in a run, so that their tables are built once.
        picked.sort_unstable();
        for (number, (task, task_states)) in (1..).zip(picked) {
            left -= 1;
            for family in 0..options.families as u64 {
                let stream = (u64::from(stratum) << 20 | number) << 20 | family;
                let start = ThreadTime::now();
                let drawn = probe.draw(task, &mut rng::stream(options.seed, stream), || start.elapsed().as_secs_f64());
                let draw = measured((stratum, number), task_states, &drawn);
                // The families of one task share its weight.
                let families = if drawn.fixed == 0 { 1 } else { options.families };
                let weight = *states as f64 / task_states as f64 / (count * families) as f64 / drawn.probability;
                table.add_components(&drawn.components, weight);
                show(&draw, left);
                table.draws.push(draw);
                if drawn.fixed == 0 {
                    break;
                }
            }
        }
    }
    table
}

/// Returns a table with the number of tasks of each size, and the tasks of each stratum. Tasks without states are skipped.
fn measure_tasks(sizes: &[u64]) -> (TaskSample, BTreeMap<u32, Stratum>) {
    let (mut table, mut strata) = (TaskSample::default(), BTreeMap::<u32, Stratum>::new());
    for (task, &states) in (0..).zip(sizes).filter(|(_, states)| **states > 0) {
        let size = SizeClass::from_states(states);
        let stratum = strata.entry(size.stratum()).or_default();
        stratum.0.push((task, states));
        stratum.1 += states;
        let of_size = table.tasks.entry(size).or_default();
        of_size.0 += 1;
        of_size.1 += states;
    }
    (table, strata)
}

/// Picks a task with a probability proportional to its number of states.
fn pick(tasks: &[(u64, u64)], states: u64, random: &mut Random) -> (u64, u64) {
    let mut place = random.below(states as usize) as u64;
    for &(task, states) in tasks {
        if place < states {
            return (task, states);
        }
        place -= states;
    }
    unreachable!("the states of a stratum are the sum over its tasks")
}

fn measured((stratum, pick): (u32, u64), task_states: u64, drawn: &SampledFamily) -> Draw {
    let puzzles = &drawn.result.puzzles;
    let in_list = |p: &CatalogueEntry| format!("{} {} {}\n", p.moves, p.board, p.states()).len() as u64;
    let in_log = serde_json::to_string(puzzles).map_or(0, |log| log.len() as u64);
    Draw {
        stratum,
        pick,
        task: drawn.result.task,
        task_states,
        fixed: drawn.fixed,
        share: drawn.probability,
        blocks: drawn.blocks,
        words: drawn.words,
        states: drawn.states,
        search: drawn.search,
        splitting: drawn.splitting,
        components: drawn.result.tally.solvable(),
        puzzles: puzzles.len() as u64,
        list_bytes: puzzles.iter().map(in_list).sum(),
        log_bytes: in_log,
        peak: peak_memory(),
    }
}

/// Returns the peak memory of this program in megabytes, or 0 if the system does not report it.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok()).unwrap_or(0) / 1000
}
