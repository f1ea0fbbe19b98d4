//! What a sample found, as a file: how large the tasks and the components are, and a line for every family drawn.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// About how many states: four sizes for every power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(u32);

impl Size {
    /// The size of so many states, at least 1.
    pub fn of(states: u64) -> Size {
        let power = states.ilog2();
        let part = states as f64 / 2f64.powi(power as i32);
        Size(4 * power + (1..4).filter(|&quarter| part >= 2f64.powf(f64::from(quarter) / 4.0)).count() as u32)
    }

    /// The exponent of the largest power of two that is not larger.
    pub fn stratum(self) -> u32 {
        self.0 / 4
    }
}

/// A sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// By size: how many tasks there are, and their states; exact.
    pub tasks: BTreeMap<Size, (u64, u64)>,
    /// By size: how many components with a solution there are, and their states; estimated from the draws.
    pub components: BTreeMap<Size, (f64, f64)>,
    /// What was drawn.
    pub draws: Vec<Draw>,
}

/// A family that was drawn, and what its search took and found.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// The exponent of the task's stratum.
    pub stratum: u32,
    /// The number of the pick in its stratum, from 1: its families have the same one.
    pub pick: u64,
    /// The number of the task.
    pub task: u64,
    /// The states of the whole task.
    pub task_states: u64,
    /// How many columns the task had to be split by.
    pub fixed: usize,
    /// How probable it was to draw this family of the task.
    pub share: f64,
    /// The configurations of its rows.
    pub blocks: u64,
    /// Its words.
    pub words: u64,
    /// Its states.
    pub states: u64,
    /// The CPU seconds of its search.
    pub search: f64,
    /// The CPU seconds it would take to split the whole task.
    pub splitting: f64,
    /// The components with a solution.
    pub components: u64,
    /// The minimal puzzles.
    pub puzzles: u64,
    /// The bytes of these in the list of puzzles.
    pub list_bytes: u64,
    /// The bytes of these in the log of a run.
    pub log_bytes: u64,
    /// The most memory that the program had taken by then, in megabytes.
    pub peak: u64,
}

impl Draw {
    /// The CPU seconds of the whole task, as far as this draw can tell.
    pub fn seconds(&self) -> f64 {
        self.search / self.share + self.splitting
    }
}

const COLUMNS: &str = "stratum\tpick\ttask\ttask_states\tfixed\tshare\tblocks\twords\tstates\tsearch_s\tsplitting_s\t\
                       components\tpuzzles\tlist_bytes\tlog_bytes\tpeak_mb";

impl Table {
    /// The exact number of tasks and states of every stratum.
    pub fn strata(&self) -> BTreeMap<u32, (u64, u64)> {
        let mut strata = BTreeMap::<u32, (u64, u64)>::new();
        for (size, (tasks, states)) in &self.tasks {
            let stratum = strata.entry(size.stratum()).or_default();
            stratum.0 += tasks;
            stratum.1 += states;
        }
        strata
    }

    /// Adds components that stand for so many of their kind.
    pub(super) fn add_components(&mut self, states: &[u64], weight: f64) {
        for &states in states {
            let of_size = self.components.entry(Size::of(states)).or_default();
            of_size.0 += weight;
            of_size.1 += weight * states as f64;
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# sizes: four for every power of two; tasks of a size: number and states, exact")?;
        for (Size(size), (tasks, states)) in &self.tasks {
            writeln!(f, "tasks\t{size}\t{tasks}\t{states}")?;
        }
        writeln!(f, "# components of a size that have a solution: number and states, estimated")?;
        for (Size(size), (components, states)) in &self.components {
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

impl FromStr for Table {
    type Err = String;

    fn from_str(text: &str) -> Result<Table, String> {
        let mut table = Table::default();
        for line in text.lines().filter(|line| !line.starts_with('#') && *line != COLUMNS) {
            table.read_line(line).ok_or_else(|| format!("this is no line of a sample: {line}"))?;
        }
        Ok(table)
    }
}

impl Table {
    fn read_line(&mut self, line: &str) -> Option<()> {
        let cells: Vec<&str> = line.split('\t').collect();
        match cells[..] {
            ["tasks", size, tasks, states] => {
                self.tasks.insert(Size(size.parse().ok()?), (tasks.parse().ok()?, states.parse().ok()?));
            }
            ["components", size, components, states] => {
                self.components.insert(Size(size.parse().ok()?), (components.parse().ok()?, states.parse().ok()?));
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
