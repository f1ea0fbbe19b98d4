//! File of a sample: the sizes of tasks and components, and a line for each sampled family.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// Size class of a number of states: four classes for each power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SizeClass(u32);

impl SizeClass {
    /// Returns the size class of a number of states, which must be at least 1.
    pub fn from_states(states: u64) -> SizeClass {
        let power = states.ilog2();
        let part = states as f64 / 2f64.powi(power as i32);
        SizeClass(4 * power + (1..4).filter(|&quarter| part >= 2f64.powf(f64::from(quarter) / 4.0)).count() as u32)
    }

    /// Returns the exponent of the largest power of two that is not larger.
    pub fn stratum(self) -> u32 {
        self.0 / 4
    }
}

/// Sample of the tasks of a plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskSample {
    /// For each size: the exact number of tasks and of their states.
    pub tasks: BTreeMap<SizeClass, (u64, u64)>,
    /// For each size: the estimated number of components with a solution, and of their states.
    pub components: BTreeMap<SizeClass, (f64, f64)>,
    /// Sampled families.
    pub draws: Vec<Draw>,
}

/// Sampled family with its measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// Exponent of the task's stratum.
    pub stratum: u32,
    /// Number of the pick in its stratum, from 1. All families of a pick have the same number.
    pub pick: u64,
    /// Number of the task.
    pub task: u64,
    /// Number of states of the whole task.
    pub task_states: u64,
    /// Number of columns by which the task was split.
    pub fixed: usize,
    /// Probability with which this family was chosen from the task.
    pub share: f64,
    /// Number of combinations of row configurations.
    pub blocks: u64,
    /// Number of words.
    pub words: u64,
    /// Number of states.
    pub states: u64,
    /// CPU seconds of the search.
    pub search: f64,
    /// Estimated CPU seconds to split the whole task.
    pub splitting: f64,
    /// Number of components with a solution.
    pub components: u64,
    /// Number of minimal puzzles.
    pub puzzles: u64,
    /// Size of these puzzles in the list, in bytes.
    pub list_bytes: u64,
    /// Size of these puzzles in the log of a run, in bytes.
    pub log_bytes: u64,
    /// Peak memory of the program so far, in megabytes.
    pub peak: u64,
}

impl Draw {
    /// Returns the estimated CPU seconds of the whole task.
    pub fn seconds(&self) -> f64 {
        self.search / self.share + self.splitting
    }
}

const COLUMNS: &str = "stratum\tpick\ttask\ttask_states\tfixed\tshare\tblocks\twords\tstates\tsearch_s\tsplitting_s\t\
                       components\tpuzzles\tlist_bytes\tlog_bytes\tpeak_mb";

impl TaskSample {
    /// Returns the exact number of tasks and states of each stratum.
    pub fn strata(&self) -> BTreeMap<u32, (u64, u64)> {
        let mut strata = BTreeMap::<u32, (u64, u64)>::new();
        for (size, (tasks, states)) in &self.tasks {
            let stratum = strata.entry(size.stratum()).or_default();
            stratum.0 += tasks;
            stratum.1 += states;
        }
        strata
    }

    /// Adds components with their numbers of states, each counted `weight` times.
    pub(super) fn add_components(&mut self, states: &[u64], weight: f64) {
        for &states in states {
            let of_size = self.components.entry(SizeClass::from_states(states)).or_default();
            of_size.0 += weight;
            of_size.1 += weight * states as f64;
        }
    }
}

impl fmt::Display for TaskSample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# sizes: four for every power of two; tasks of a size: number and states, exact")?;
        for (SizeClass(size), (tasks, states)) in &self.tasks {
            writeln!(f, "tasks\t{size}\t{tasks}\t{states}")?;
        }
        writeln!(f, "# components of a size that have a solution: number and states, estimated")?;
        for (SizeClass(size), (components, states)) in &self.components {
            writeln!(f, "components\t{size}\t{components:.5e}\t{states:.5e}")?;
        }
        writeln!(f, "# draws\n{COLUMNS}")?;
        for draw in &self.draws {
            let Draw { stratum, pick, task, task_states, fixed, share, blocks, words, states, .. } = draw;
            let Draw { search, splitting, components, puzzles, list_bytes, log_bytes, peak, .. } = draw;
            write!(f, "{stratum}\t{pick}\t{task}\t{task_states}\t{fixed}\t{share:.6e}\t{blocks}\t{words}\t{states}\t")?;
            writeln!(f, "{search:.6}\t{splitting:.6}\t{components}\t{puzzles}\t{list_bytes}\t{log_bytes}\t{peak}")?;
        }
        Ok(())
    }
}

impl FromStr for TaskSample {
    type Err = String;

    fn from_str(text: &str) -> Result<TaskSample, String> {
        let mut table = TaskSample::default();
        for line in text.lines().filter(|line| !line.starts_with('#') && *line != COLUMNS) {
            table.read_line(line).ok_or_else(|| format!("invalid line of a sample: {line}"))?;
        }
        Ok(table)
    }
}

impl TaskSample {
    fn read_line(&mut self, line: &str) -> Option<()> {
        let cells: Vec<&str> = line.split('\t').collect();
        match cells[..] {
            ["tasks", size, tasks, states] => {
                self.tasks.insert(SizeClass(size.parse().ok()?), (tasks.parse().ok()?, states.parse().ok()?));
            }
            ["components", size, components, states] => {
                self.components.insert(SizeClass(size.parse().ok()?), (components.parse().ok()?, states.parse().ok()?));
            }
            _ => {
                let mut cells = cells.into_iter();
                let mut next = || cells.next();
                let draw = Draw {
                    stratum: next()?.parse().ok()?,
                    pick: next()?.parse().ok()?,
                    task: next()?.parse().ok()?,
                    task_states: next()?.parse().ok()?,
                    fixed: next()?.parse().ok()?,
                    share: next()?.parse().ok()?,
                    blocks: next()?.parse().ok()?,
                    words: next()?.parse().ok()?,
                    states: next()?.parse().ok()?,
                    search: next()?.parse().ok()?,
                    splitting: next()?.parse().ok()?,
                    components: next()?.parse().ok()?,
                    puzzles: next()?.parse().ok()?,
                    list_bytes: next()?.parse().ok()?,
                    log_bytes: next()?.parse().ok()?,
                    peak: next()?.parse().ok()?,
                };
                self.draws.push(draw);
            }
        }
        Some(())
    }
}
