//! When a run is done.

use crate::quantity::parse_time;
use clearway_gp::Generation;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What ends a run before its last generation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Budget {
    /// The time of all generations. Where that ends differs from machine to machine.
    Seconds(f64),
    /// The nodes searched in all generations: the same on every machine.
    Nodes(u64),
}

/// As it is typed: a time, or a number of nodes in thousands (k), millions (M) or billions (G).
///
/// ```
/// use clearway_lab::runs::Budget;
/// assert_eq!("3m".parse(), Ok(Budget::Seconds(180.0)));
/// assert_eq!("1.5k".parse(), Ok(Budget::Nodes(1500)));
/// assert_eq!(Budget::Nodes(500_000_000).to_string(), "500M");
/// ```
impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Budget, String> {
        let nodes = UNITS.into_iter().find_map(|(unit, factor)| {
            let number: f64 = text.strip_suffix(unit)?.trim_end().parse().ok()?;
            (number >= 0.0).then_some(Budget::Nodes((number * factor).min(i64::MAX as f64) as u64))
        });
        let seconds = || parse_time(text).map(|time| Budget::Seconds(time.as_secs_f64()));
        nodes.map_or_else(seconds, Ok).map_err(|error| format!("{error}; or of nodes, such as 500M"))
    }
}

const UNITS: [(char, f64); 3] = [('G', 1e9), ('M', 1e6), ('k', 1e3)];

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Seconds(seconds) => write!(f, "{seconds}s"),
            Budget::Nodes(nodes) => {
                let nodes = *nodes as f64;
                let (unit, factor) = UNITS.into_iter().find(|(_, factor)| nodes >= *factor).unwrap_or(UNITS[2]);
                write!(f, "{}{unit}", nodes / factor)
            }
        }
    }
}

/// When a run is done: after so many generations, or when its budget is spent.
///
/// ```
/// use clearway_gp::Generation;
/// use clearway_lab::runs::{Budget, Ends};
/// let made = vec![Generation { seconds: 2.0, ..Generation::default() }; 3];
/// let ends = Ends { generations: 100, budget: Some(Budget::Seconds(10.0)) };
/// assert!(!ends.is_done(&made));
/// assert_eq!(ends.expected(&made), 5);
/// # let ends = Ends { generations: 100, budget: Some(Budget::Seconds(6.0)) };
/// # assert!(ends.is_done(&made) && !ends.is_done(&[]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// The generations.
    pub generations: u32,
    /// The budget, if there is one.
    pub budget: Option<Budget>,
}

impl Ends {
    /// Whether all generations were made, or the budget is spent. There is always one: else there would be no champion.
    pub fn is_done(&self, made: &[Generation]) -> bool {
        made.len() >= self.generations as usize || !made.is_empty() && self.spent(made) >= 1.0
    }

    /// The generations that there will be in the end, as far as can be told by now.
    pub fn expected(&self, made: &[Generation]) -> u32 {
        let (count, spent) = (made.len() as u32, self.spent(made));
        if spent > 0.0 {
            self.generations.min((f64::from(count) / spent).ceil() as u32).max(count)
        } else {
            self.generations
        }
    }

    /// How much of the budget is spent: 1 is all of it.
    fn spent(&self, made: &[Generation]) -> f64 {
        match self.budget {
            None => 0.0,
            Some(Budget::Seconds(most)) => Ends::seconds(made) / most,
            Some(Budget::Nodes(most)) => {
                made.iter().map(|generation| generation.nodes as f64).sum::<f64>() / most as f64
            }
        }
    }

    /// The time of all generations.
    pub fn seconds(made: &[Generation]) -> f64 {
        made.iter().map(|generation| generation.seconds).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_times_or_nodes() {
        let read = |text: &str| text.parse::<Budget>();
        assert_eq!(read("90"), Ok(Budget::Seconds(90.0)));
        assert_eq!(read("500M"), Ok(Budget::Nodes(500_000_000)));
        for wrong in ["", "M", "-3M", "soon", "3 moons"] {
            assert!(read(wrong).unwrap_err().contains("500M"), "{wrong}");
        }
        for budget in [Budget::Seconds(0.5), Budget::Nodes(1), Budget::Nodes(2_500_000), Budget::Nodes(7_000_000_000)] {
            assert_eq!(read(&budget.to_string()), Ok(budget));
        }
    }
}
