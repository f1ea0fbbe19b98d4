//! Telemetry of a generation besides its scores: diversity, heuristics in use, and where time goes.

use crate::runs::{Folder, FolderError};
use clearway_gp::EvaluatedIndividual;
use clearway_policy::terminals::TERMINALS;
use clearway_policy::{CompiledPolicy, Policy};
use clearway_util::time::Instant;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Number of individuals with different results on the boards of the generation.
pub(super) fn distinct_behaviours(population: &[EvaluatedIndividual]) -> u32 {
    let results = |individual: &EvaluatedIndividual| -> Vec<u64> {
        individual.fitness.cases.iter().map(|case| case.to_bits()).collect()
    };
    population.iter().map(results).collect::<BTreeSet<_>>().len() as u32
}

/// Number of individuals whose estimates can depend on each heuristic, by name.
pub(super) fn surviving_terminals(population: &[EvaluatedIndividual]) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for individual in population {
        let Ok(policy) = Policy::from_genome(&individual.genome) else { continue };
        for &terminal in CompiledPolicy::new(&policy).terminals() {
            *counts.entry(TERMINALS[terminal].name.to_owned()).or_default() += 1;
        }
    }
    counts
}

/// Wall-clock times of a generation, in seconds. They are not reproducible, so they are logged apart from everything else.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PhaseTimes {
    /// Number of the generation.
    pub generation: u32,
    /// Selection, crossover and mutation; with coevolution, also the change of boards.
    pub breeding: f64,
    /// Evaluation of the individuals.
    pub evaluation: f64,
    /// Statistics, and the test of the best individual on some of the test boards.
    pub statistics: f64,
}

/// File of the times, a line per generation.
const TIMES: &str = "times.jsonl";

/// Measures the times of a generation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopwatch {
    breeding: Duration,
    bred: Instant,
}

impl Stopwatch {
    /// Starts to measure the evaluation of individuals whose breeding started at this time.
    pub fn evaluating(started: Instant) -> Stopwatch {
        Stopwatch { breeding: started.elapsed(), bred: Instant::now() }
    }

    /// Returns the time since the breeding.
    pub fn elapsed(&self) -> Duration {
        self.bred.elapsed()
    }

    /// Returns the times at the end of a generation that was evaluated in this time.
    pub fn times(&self, generation: u32, evaluation: Duration) -> PhaseTimes {
        PhaseTimes {
            generation,
            breeding: self.breeding.as_secs_f64(),
            evaluation: evaluation.as_secs_f64(),
            statistics: self.bred.elapsed().saturating_sub(evaluation).as_secs_f64(),
        }
    }
}

impl Folder {
    /// Logs the times of a generation.
    pub(super) fn log_times(&self, times: PhaseTimes) -> Result<(), FolderError> {
        self.append_line(TIMES, &serde_json::to_string(&times).unwrap_or_default())
    }

    /// Times of these generations. A generation that was repeated after an interruption counts with its last times.
    pub(super) fn logged_times(&self) -> Vec<PhaseTimes> {
        let text = self.read(TIMES).unwrap_or_default();
        let lines = String::from_utf8_lossy(&text);
        let times = lines.lines().filter_map(|line| serde_json::from_str::<PhaseTimes>(line).ok());
        times.map(|times| (times.generation, times)).collect::<BTreeMap<_, _>>().into_values().collect()
    }
}
