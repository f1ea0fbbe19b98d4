//! Measures the time to solve boards: on one thread, with one solver, with interleaved boards, and with every answer checked.
//!
//! Boards are interleaved because solving the same board twice in a row would train the processor's branch prediction and make
//! the solver look faster than it is.

use crate::random::Random;
use clearway_rush::formats::{self, KnownLength, Puzzle};
use clearway_rush::{Metric, Portfolio, Solver};
use clearway_search::{Limits, Verdict};
use cpu_time::ThreadTime;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Clock used for a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// CPU time of the thread, which is least affected by other programs.
    Cpu,
    /// Wall time, for comparisons with other programs.
    Wall,
}

impl Clock {
    /// Runs a task, and returns its result and the time it took.
    pub fn time<T>(self, task: impl FnOnce() -> T) -> (T, Duration) {
        match self {
            Clock::Cpu => {
                let start = ThreadTime::now();
                let result = task();
                (result, start.elapsed())
            }
            Clock::Wall => {
                let start = Instant::now();
                let result = task();
                (result, start.elapsed())
            }
        }
    }
}

/// Board with its measurements.
#[derive(Clone, Debug)]
struct Subject {
    puzzle: Puzzle,
    /// Solves the board instead of the exact solver.
    portfolio: Option<Portfolio>,
    expanded: Option<u64>,
    times: Vec<Duration>,
}

impl Subject {
    fn solve(&mut self, solver: &mut Solver, clock: Clock) {
        let (board, limits) = (&self.puzzle.board, Limits::default());
        let (answer, time) = clock.time(|| match self.portfolio {
            None => solver.solve(board, Metric::Moves, &limits),
            Some(portfolio) => portfolio.solve(solver, board, Metric::Moves, &limits, &mut |_| {}),
        });
        let name = || formats::line(&self.puzzle.board);
        assert_eq!(answer.verdict, Verdict::Solved, "{}", name());
        assert_eq!(Some(KnownLength::Exactly(answer.lower_bound)), self.puzzle.moves, "the length of {}", name());
        let expanded = *self.expanded.get_or_insert(answer.statistics.expanded);
        assert_eq!(answer.statistics.expanded, expanded, "the node count of {} changed between rounds", name());
        self.times.push(time);
    }

    fn microseconds(&self) -> f64 {
        median(self.times.iter().map(|time| time.as_secs_f64() * 1e6).collect())
    }
}

/// Groups of boards that are measured together, and single boards that recur between them.
#[derive(Clone, Debug, Default)]
pub struct Field {
    subjects: Vec<Subject>,
    recurring: Vec<usize>,
}

/// Summary of a group of boards. The time of a board is the median over its rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardGroupSummary {
    /// Number of boards.
    pub boards: usize,
    /// Median time of a board, in microseconds.
    pub median_us: f64,
    /// Mean time of a board, in microseconds.
    pub mean_us: f64,
    /// Number of states expanded for all boards together.
    pub expanded: u64,
}

impl BoardGroupSummary {
    /// Returns the mean time per expanded state, in nanoseconds.
    pub fn ns_per_state(&self) -> f64 {
        self.mean_us * 1e3 * self.boards as f64 / self.expanded as f64
    }
}

impl Field {
    /// Adds a group, and returns the range that identifies it in [`summary`](Self::summary).
    pub fn add(&mut self, puzzles: impl IntoIterator<Item = Puzzle>) -> Range<usize> {
        self.add_for(None, puzzles)
    }

    /// Adds a group that a portfolio solves, or the exact solver.
    pub fn add_for(&mut self, portfolio: Option<Portfolio>, puzzles: impl IntoIterator<Item = Puzzle>) -> Range<usize> {
        let start = self.subjects.len();
        let subject = |puzzle| Subject { puzzle, portfolio, expanded: None, times: vec![] };
        self.subjects.extend(puzzles.into_iter().map(subject));
        start..self.subjects.len()
    }

    /// Adds a board that recurs between the others.
    pub fn add_recurring(&mut self, puzzle: Puzzle) -> Range<usize> {
        let range = self.add([puzzle]);
        self.recurring.push(range.start);
        range
    }

    /// Solves all boards in a random but fixed order: one warm-up round, then the measured rounds.
    ///
    /// # Panics
    /// If the length of a solution is wrong, or a node count changes between rounds.
    pub fn run(&mut self, rounds: usize, clock: Clock) {
        let order = self.order();
        let mut solver = Solver::new();
        for round in 0..=rounds {
            for &index in &order {
                self.subjects[index].solve(&mut solver, clock);
            }
            if round == 0 {
                self.subjects.iter_mut().for_each(|subject| subject.times.clear());
            }
        }
    }

    /// Returns the order in which the boards are solved: random but fixed, and without the same board twice in a row.
    ///
    /// # Panics
    /// If there are too few different boards for such an order.
    pub fn order(&self) -> Vec<usize> {
        let board = |index: usize| &self.subjects[index].puzzle.board;
        let mut orders = (0..100).map(|attempt| self.shuffled(attempt));
        let varied = |order: &Vec<usize>| order.windows(2).all(|pair| board(pair[0]) != board(pair[1]));
        orders.find(varied).expect("the boards differ enough to be interleaved")
    }

    /// Returns all boards in random order, with the next recurring board after every few of them.
    fn shuffled(&self, attempt: u64) -> Vec<usize> {
        const EVERY: usize = 50;
        let mut others: Vec<usize> = (0..self.subjects.len()).filter(|index| !self.recurring.contains(index)).collect();
        Random::new(others.len() as u64, attempt).shuffle(&mut others);
        let mut turn = self.recurring.iter().cycle();
        let mut order = Vec::new();
        for chunk in others.chunks(EVERY) {
            order.extend(chunk);
            order.extend(turn.next());
        }
        order
    }

    /// Returns the summary of a group.
    pub fn summary(&self, group: Range<usize>) -> BoardGroupSummary {
        let subjects = &self.subjects[group];
        let times: Vec<f64> = subjects.iter().map(Subject::microseconds).collect();
        BoardGroupSummary {
            boards: times.len(),
            mean_us: mean(&times),
            median_us: median(times),
            expanded: subjects.iter().filter_map(|subject| subject.expanded).sum(),
        }
    }
}

/// Returns the mean, or 0 if there are no numbers.
pub fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

/// Returns the median, or 0 if there are no numbers.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    clearway_util::median::median(&mut numbers).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_rush::suites::Suite;

    fn cards(count: usize) -> Vec<Puzzle> {
        Suite::find("cards").unwrap().puzzles().into_iter().take(count).collect()
    }

    #[test]
    fn boards_are_measured_once_per_round_and_recurring_ones_more_often() {
        let mut field = Field::default();
        let (first, second) = (field.add(cards(40)), field.add(cards(20)));
        let recurring = field.add_recurring(cards(40).remove(39));
        assert_eq!((first.clone(), second, recurring), (0..40, 40..60, 60..61));
        field.run(3, Clock::Cpu);
        assert!(field.subjects[..60].iter().all(|subject| subject.times.len() == 3));
        assert_eq!(field.subjects[60].times.len(), 6);
        let summary = field.summary(first);
        assert_eq!(summary.boards, 40);
        assert!(summary.mean_us > 0.0 && summary.ns_per_state() > 0.0);
    }

    #[test]
    fn the_portfolio_is_measured_beside_the_exact_solver() {
        let mut field = Field::default();
        let (exact, portfolio) = (field.add(cards(5)), field.add_for(Some(Portfolio::default()), cards(5)));
        field.run(1, Clock::Cpu);
        let [exact, portfolio] = [exact, portfolio].map(|group| field.summary(group));
        assert_eq!((exact.boards, exact.expanded), (portfolio.boards, portfolio.expanded));
    }

    #[test]
    fn no_board_is_solved_twice_in_a_row() {
        let mut field = Field::default();
        field.add(cards(3));
        field.add(cards(3));
        let order = field.order();
        assert_eq!(order.len(), 6);
        assert!(order.windows(2).all(|pair| pair[0] % 3 != pair[1] % 3), "{order:?}");
    }

    #[test]
    #[should_panic(expected = "the length of")]
    fn a_wrong_length_panics() {
        let mut field = Field::default();
        field.add(cards(1).into_iter().map(|card| Puzzle { moves: Some(KnownLength::Exactly(7)), ..card }));
        field.run(1, Clock::Wall);
    }

    #[test]
    fn mean_and_median() {
        assert!((mean(&[1.0, 2.0, 6.0]) - 3.0).abs() < 1e-12);
        assert!((median(vec![6.0, 1.0, 2.0]) - 2.0).abs() < 1e-12);
        assert!(median(vec![]).abs() < 1e-12);
    }
}
