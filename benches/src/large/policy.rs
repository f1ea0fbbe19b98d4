//! Best-first search with a shipped policy, as a source of first plans.

use clearway_policy::{NamedPolicy, PolicyHeuristic};
use clearway_rush::heuristics::HeuristicContext;
use clearway_rush::{Answer, Board, Metric, RushDomain, with_words};
use clearway_search::astar::{AStar, AStarOptions};
use clearway_search::{Limit, Limits, Search, SearchStatistics, Verdict, run};
use std::time::{Duration, Instant};

/// Name of the policy.
const POLICY: &str = "best-first-8x8";

/// Searches for a plan with the policy and the search that it was evolved for, `wastar(policy, weight=1)`.
pub(super) fn solve(board: &Board, metric: Metric, limits: &Limits) -> Answer {
    let started = Instant::now();
    let answer = with_words!(board, N in [1, 2, 8] => solve_in::<N>(board, metric, limits));
    Answer { time: started.elapsed(), ..answer }
}

fn solve_in<const N: usize>(board: &Board, metric: Metric, limits: &Limits) -> Answer {
    let domain = RushDomain::<N>::new(board, metric).expect("a board has at most 128 vehicles");
    let policy = NamedPolicy::shipped(POLICY).expect("the policy is shipped").policy;
    let context = HeuristicContext { limits: limits.clone(), ..HeuristicContext::default() };
    let mut answer = Answer {
        verdict: Verdict::Unsolvable,
        solution: None,
        lower_bound: 0,
        statistics: SearchStatistics::default(),
        memory: 0,
        algorithm: POLICY,
        bound_algorithm: POLICY,
        time: Duration::ZERO,
    };
    match PolicyHeuristic::new(&policy, &domain, &context) {
        Err(error) => answer.verdict = Verdict::Limit(error.limit),
        Ok(heuristic) => {
            let mut search = AStar::new(
                &domain,
                heuristic,
                AStarOptions { reopen: false, shortcut: true, ..AStarOptions::default() },
            );
            let outcome = run(&mut search, limits);
            // A first plan need not be optimal.
            let is_plan = outcome.verdict == Verdict::Solved;
            answer.verdict = if is_plan { Verdict::Limit(Limit::Incomplete) } else { outcome.verdict };
            answer.lower_bound = search.lower_bound(false);
            answer.solution = outcome.solution.map(|moves| domain.solution(&moves));
            answer.statistics = outcome.statistics;
        }
    }
    answer
}
