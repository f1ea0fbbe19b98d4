//! Known plans of boards that are too large to enumerate: the reference for the length of solutions, and a source of easier states
//! with known distances.

use super::arena::ArenaError;
use super::board::TrainingBoardError;
use clearway_rush::formats::KnownLength;
use clearway_rush::{Board, Metric, Portfolio, Solution, Solver};
use clearway_search::{Limits, Verdict};

/// The best plan that the portfolio finds for a board with fixed limits, so that it is the same on every machine.
#[derive(Clone, Debug)]
pub struct KnownPlan {
    start: Board,
    metric: Metric,
    solution: Solution,
    is_optimal: bool,
}

impl KnownPlan {
    /// Maximum number of expanded states and conflicts.
    pub const EFFORT: u64 = 60_000;
    /// Maximum memory of the search in bytes.
    pub const MEMORY: usize = 240_000_000;

    /// Finds a plan for a board.
    pub fn find(board: &Board, metric: Metric) -> Result<KnownPlan, TrainingBoardError> {
        let limits = Limits { nodes: Some(Self::EFFORT), memory: Some(Self::MEMORY), ..Limits::default() };
        let answer = Portfolio::default().solve(&mut Solver::new(), board, metric, &limits, &mut |_| {});
        match answer.solution {
            _ if answer.verdict == Verdict::Unsolvable => Err(ArenaError::Unsolvable.into()),
            None => Err(TrainingBoardError::NoPlan(Self::EFFORT)),
            Some(solution) if solution.0.is_empty() => Err(ArenaError::Solved.into()),
            Some(solution) => {
                let is_optimal = answer.verdict == Verdict::Solved;
                Ok(KnownPlan { start: board.clone(), metric, solution, is_optimal })
            }
        }
    }

    /// Number of states on the plan, from the start to the last that is not solved.
    pub fn states(&self) -> usize {
        self.solution.0.len()
    }

    /// Returns a state on the plan and its distance from the goal, which is exact if the plan is optimal.
    ///
    /// # Panics
    /// If the state is solved.
    pub fn state(&self, number: usize) -> (Board, KnownLength) {
        let (before, after) = self.solution.0.split_at(number);
        assert!(!after.is_empty(), "state {number} of {} is solved", self.states());
        let mut board = self.start.clone();
        for &mv in before {
            board.apply(mv).expect("plans pass the independent replay");
        }
        let length = Solution(after.to_vec()).length(self.metric);
        (board, if self.is_optimal { KnownLength::Exactly(length) } else { KnownLength::AtMost(length) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_rush::suites::Suite;

    #[test]
    fn states_of_an_optimal_plan_have_exact_distances() {
        let board = &Suite::find("cards").unwrap().puzzles()[2].board;
        for metric in [Metric::Moves, Metric::Steps] {
            let plan = KnownPlan::find(board, metric).unwrap();
            for number in (0..plan.states()).step_by(5) {
                let (state, distance) = plan.state(number);
                let answer = Solver::new().solve(&state, metric, &Limits::default());
                let optimum = answer.solution.unwrap().length(metric);
                assert_eq!(distance, KnownLength::Exactly(optimum), "{metric:?}, state {number}");
            }
        }
    }
}
