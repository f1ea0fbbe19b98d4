//! Criteria that end a run.

use crate::quantity::parse_time;
use clearway_gp::Generation;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Budget that ends a run before its last generation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RunBudget {
    /// Total time of all generations in seconds. The generation at which it ends depends on the machine.
    Seconds(f64),
    /// Total number of nodes searched in all generations; the same on every machine.
    Nodes(u64),
}

/// A text is neither a time nor a number of nodes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{invalid_time}, or a number of nodes such as 500M")]
#[non_exhaustive]
pub struct BudgetError {
    /// Why the text is not a time.
    pub invalid_time: String,
}

/// Parses a time, or a number of nodes in thousands (k), millions (M) or billions (G).
///
/// ```
/// use clearway_lab::runs::RunBudget;
/// assert_eq!("3m".parse(), Ok(RunBudget::Seconds(180.0)));
/// assert_eq!("1.5k".parse(), Ok(RunBudget::Nodes(1500)));
/// assert_eq!(RunBudget::Nodes(500_000_000).to_string(), "500M");
/// ```
impl FromStr for RunBudget {
    type Err = BudgetError;

    fn from_str(text: &str) -> Result<RunBudget, BudgetError> {
        let nodes = UNITS.into_iter().find_map(|(unit, factor)| {
            let number: f64 = text.strip_suffix(unit)?.trim_end().parse().ok()?;
            (number >= 0.0).then_some(RunBudget::Nodes((number * factor).min(i64::MAX as f64) as u64))
        });
        let seconds = || parse_time(text).map(|time| RunBudget::Seconds(time.as_secs_f64()));
        nodes.map_or_else(seconds, Ok).map_err(|invalid_time| BudgetError { invalid_time })
    }
}

const UNITS: [(char, f64); 3] = [('G', 1e9), ('M', 1e6), ('k', 1e3)];

impl fmt::Display for RunBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunBudget::Seconds(seconds) => write!(f, "{seconds}s"),
            RunBudget::Nodes(nodes) => {
                let nodes = *nodes as f64;
                let (unit, factor) = UNITS.into_iter().find(|(_, factor)| nodes >= *factor).unwrap_or(UNITS[2]);
                write!(f, "{}{unit}", nodes / factor)
            }
        }
    }
}

/// When a run ends: after a number of generations, or when its budget is spent.
///
/// ```
/// use clearway_gp::Generation;
/// use clearway_lab::runs::{RunBudget, StopCriteria};
/// let history = vec![Generation { seconds: 2.0, ..Generation::default() }; 3];
/// let criteria = StopCriteria { generations: 100, budget: Some(RunBudget::Seconds(10.0)) };
/// assert!(!criteria.is_done(&history));
/// assert_eq!(criteria.expected(&history), 5);
/// # let criteria = StopCriteria { generations: 100, budget: Some(RunBudget::Seconds(6.0)) };
/// # assert!(criteria.is_done(&history) && !criteria.is_done(&[]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopCriteria {
    /// Maximum number of generations.
    pub generations: u32,
    /// Budget, if any.
    pub budget: Option<RunBudget>,
}

impl StopCriteria {
    /// Whether all generations are complete or the budget is spent. The first generation is always completed, so that there is
    /// a champion.
    pub fn is_done(&self, history: &[Generation]) -> bool {
        history.len() >= self.generations as usize || !history.is_empty() && self.spent(history) >= 1.0
    }

    /// Estimates the final number of generations.
    pub fn expected(&self, history: &[Generation]) -> u32 {
        let (count, spent) = (history.len() as u32, self.spent(history));
        if spent > 0.0 {
            self.generations.min((f64::from(count) / spent).ceil() as u32).max(count)
        } else {
            self.generations
        }
    }

    /// Fraction of the budget that is spent; 1 is all of it.
    fn spent(&self, history: &[Generation]) -> f64 {
        match self.budget {
            None => 0.0,
            Some(RunBudget::Seconds(budget)) => StopCriteria::seconds(history) / budget,
            Some(RunBudget::Nodes(budget)) => {
                history.iter().map(|generation| generation.nodes as f64).sum::<f64>() / budget as f64
            }
        }
    }

    /// Total time of the generations, in seconds.
    pub fn seconds(history: &[Generation]) -> f64 {
        history.iter().map(|generation| generation.seconds).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_times_or_nodes() {
        let parse = |text: &str| text.parse::<RunBudget>();
        assert_eq!(parse("90"), Ok(RunBudget::Seconds(90.0)));
        assert_eq!(parse("500M"), Ok(RunBudget::Nodes(500_000_000)));
        for invalid in ["", "M", "-3M", "soon", "3 moons"] {
            assert!(parse(invalid).unwrap_err().to_string().contains("500M"), "{invalid}");
        }
        for budget in
            [RunBudget::Seconds(0.5), RunBudget::Nodes(1), RunBudget::Nodes(2_500_000), RunBudget::Nodes(7_000_000_000)]
        {
            assert_eq!(parse(&budget.to_string()), Ok(budget));
        }
    }
}
