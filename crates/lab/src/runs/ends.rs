//! When a run is done.

use clearway_gp::Generation;
use serde::{Deserialize, Serialize};

/// What ends a run before its last generation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Budget {
    /// The time of all generations. Where that ends differs from machine to machine.
    Seconds(f64),
    /// The nodes searched in all generations: the same on every machine.
    Nodes(u64),
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
