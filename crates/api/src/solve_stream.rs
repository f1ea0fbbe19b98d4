//! Solving boards, with every improvement sent as soon as it is found.

use crate::solve::{SolveTask, Solved};
use crate::{Problem, RequestError};
use clearway_answers::records::{Moves, SolveRecord};
use clearway_rush::{Improvement, Solution, Solver};
use clearway_search::{Limits, Verdict};
use clearway_util::time::Instant;
use serde::Serialize;
use utoipa::ToSchema;

/// A line of the response, with one of these fields.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SolveLine<'a> {
    /// A better solution or a better lower bound.
    Improvement(SolveImprovement<'a>),
    /// The last line: the answer of `/solve`.
    Answer(Box<SolveRecord<'a>>),
    /// The last line if the search failed.
    Error(Problem),
}

/// What is known about a board after an improvement.
#[derive(Serialize, ToSchema)]
pub struct SolveImprovement<'a> {
    /// Number of slides in the best solution so far, or null.
    moves: Option<u32>,
    /// Number of cells slid in the best solution so far, or null.
    steps: Option<u32>,
    /// Best lower bound so far on the length of every solution, in the metric.
    lower_bound: u32,
    /// Moves of the best solution so far, or null.
    solution: Option<Moves<'a>>,
    /// Engine that found the improvement.
    engine: &'static str,
    /// Time since the request arrived, in seconds.
    seconds: f64,
}

/// The search for a board, which may be run again with higher limits.
#[derive(Debug)]
pub struct StreamedSearch {
    task: SolveTask,
    known: BestKnown,
}

impl StreamedSearch {
    /// Prepares the search of a request that arrived at a time.
    pub fn new(task: SolveTask, started: Instant) -> StreamedSearch {
        StreamedSearch { task, known: BestKnown::new(started) }
    }

    /// Solves the board, and sends a line for each improvement on what was known before.
    pub fn run(&mut self, solver: &mut Solver, limits: &Limits, send: &mut dyn FnMut(String)) -> Solved {
        let StreamedSearch { task, known } = self;
        let metric = task.metric();
        task.solve(solver, limits, &mut |improvement| {
            // Serialisation cannot fail for these records.
            if known.add(improvement, |solution| solution.length(metric))
                && let Ok(line) = line(&SolveLine::Improvement(known.record(improvement.engine)))
            {
                send(line);
            }
        })
    }

    /// Returns the last line. At a limit, the answer contains the best of all runs of the search.
    pub fn answer(&self, mut solved: Solved) -> Result<String, RequestError> {
        let (outcome, metric) = (&mut solved.outcome, self.task.metric());
        let answer = &mut outcome.answer;
        if matches!(answer.verdict, Verdict::Limit(_)) {
            if let Some((solution, engine)) = &self.known.solution
                && answer.solution.as_ref().is_none_or(|other| solution.length(metric) < other.length(metric))
            {
                (answer.solution, answer.algorithm) = (Some(solution.clone()), engine);
                (*engine).clone_into(&mut outcome.algorithm);
            }
            let (bound, engine) = self.known.lower_bound;
            if bound > answer.lower_bound {
                (answer.lower_bound, answer.bound_algorithm) = (bound, engine);
            }
            let length = answer.solution.as_ref().map(|solution| solution.length(metric));
            if length == Some(answer.lower_bound) {
                (answer.verdict, outcome.optimal) = (Verdict::Solved, true);
            }
        }
        line(&SolveLine::Answer(Box::new(self.task.record(&solved))))
    }
}

/// What is known about the board: the best solution and the best bound, with the engines that found them.
#[derive(Debug)]
struct BestKnown {
    started: Instant,
    solution: Option<(Solution, &'static str)>,
    lower_bound: (u32, &'static str),
}

impl BestKnown {
    fn new(started: Instant) -> BestKnown {
        BestKnown { started, solution: None, lower_bound: (0, "static") }
    }

    /// Adds an improvement; returns whether it is news. The search in the long lane finds again what is already known.
    fn add(&mut self, improvement: &Improvement, length: impl Fn(&Solution) -> u32) -> bool {
        let known_length = self.solution.as_ref().map(|(solution, _)| length(solution));
        let shorter = improvement.solution.filter(|&new| known_length.is_none_or(|known| length(new) < known));
        let is_higher = improvement.lower_bound > self.lower_bound.0;
        if let Some(solution) = shorter {
            self.solution = Some((solution.clone(), improvement.engine));
        }
        if is_higher {
            self.lower_bound = (improvement.lower_bound, improvement.engine);
        }
        shorter.is_some() || is_higher
    }

    fn record(&self, engine: &'static str) -> SolveImprovement<'_> {
        let solution = self.solution.as_ref().map(|(solution, _)| solution);
        SolveImprovement {
            moves: solution.map(Solution::moves),
            steps: solution.map(Solution::steps),
            lower_bound: self.lower_bound.0,
            solution: solution.map(|solution| Moves(&solution.0)),
            engine,
            seconds: self.started.elapsed().as_secs_f64(),
        }
    }
}

impl SolveLine<'_> {
    /// Returns the line as JSON, with its end.
    pub fn to_text(&self) -> Result<String, RequestError> {
        line(self)
    }
}

fn line(line: &SolveLine) -> Result<String, RequestError> {
    Ok(serde_json::to_string(line).map_err(RequestError::internal)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policies::Policies;
    use serde_json::{Value, json};

    #[test]
    fn the_answer_has_the_best_of_all_runs() {
        let request = serde_json::from_value(json!({ "board": "BB...CD..E.CDAAE.CD..E..F...GGF.HHH." })).unwrap();
        let task = SolveTask::new(&request, &Policies::new(())).unwrap();
        let mut search = StreamedSearch::new(task, Instant::now());
        let mut lines = 0;
        let mut run = |nodes| {
            let solved = search.run(&mut Solver::new(), &Limits { nodes, ..Limits::default() }, &mut |_| lines += 1);
            let answer: Value = serde_json::from_str(&search.answer(solved).unwrap()).unwrap();
            let answer = &answer["answer"];
            (answer["status"].clone(), answer["moves"].clone(), answer["lower_bound"].clone(), lines)
        };
        let (_, moves, ..) = run(Some(1));
        assert_eq!(moves, Value::Null);
        let (status, moves, bound, sent) = run(None);
        assert_eq!((status, moves, bound), (json!("solved"), json!(8), json!(8)));
        assert_eq!(run(Some(1)), (json!("solved"), json!(8), json!(8), sent), "a worse search adds nothing");
    }
}
