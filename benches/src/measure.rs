//! Measures the time to solve boards: one thread, one solver, the boards interleaved, every answer checked.
//!
//! The same board twice in a row would train the processor's branch prediction and flatter the solver.

use crate::random::Random;
use clearway_rush::formats::{self, Known, Puzzle};
use clearway_rush::{Metric, Solver};
use clearway_search::{Limits, Verdict};
use cpu_time::ThreadTime;
use std::ops::Range;
use std::time::{Duration, Instant};

/// What time is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The time that the thread had a core: what else runs on the machine disturbs it least.
    Cpu,
    /// The time that passed: for a comparison with a program of which no more is known.
    Wall,
}

impl Clock {
    /// Runs a task and says how long it took.
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

/// A board, what is known of it and what was measured.
#[derive(Clone, Debug)]
struct Subject {
    puzzle: Puzzle,
    expanded: Option<u64>,
    times: Vec<Duration>,
}

impl Subject {
    fn solve(&mut self, solver: &mut Solver, clock: Clock) {
        let (answer, time) = clock.time(|| solver.solve(&self.puzzle.board, Metric::Moves, &Limits::default()));
        let name = || formats::line(&self.puzzle.board);
        assert_eq!(answer.verdict, Verdict::Solved, "{}", name());
        assert_eq!(Some(Known::Exactly(answer.lower_bound)), self.puzzle.moves, "the length of {}", name());
        let expanded = *self.expanded.get_or_insert(answer.counters.expanded);
        assert_eq!(answer.counters.expanded, expanded, "the node count of {} changed between rounds", name());
        self.times.push(time);
    }

    fn microseconds(&self) -> f64 {
        median(self.times.iter().map(|time| time.as_secs_f64() * 1e6).collect())
    }
}

/// Groups of boards that are measured together, and some boards that recur among them.
#[derive(Clone, Debug, Default)]
pub struct Field {
    subjects: Vec<Subject>,
    recurring: Vec<usize>,
}

/// What was measured for a group of boards. Each board counts with the median of its times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The number of boards.
    pub boards: usize,
    /// The median over the boards.
    pub median_us: f64,
    /// The mean over the boards.
    pub mean_us: f64,
    /// The states expanded, all boards together.
    pub expanded: u64,
}

impl Summary {
    /// The mean time per expanded state.
    pub fn ns_per_state(&self) -> f64 {
        self.mean_us * 1e3 * self.boards as f64 / self.expanded as f64
    }
}

impl Field {
    /// Adds a group; the range names it in [`summary`](Self::summary).
    pub fn add(&mut self, puzzles: impl IntoIterator<Item = Puzzle>) -> Range<usize> {
        let start = self.subjects.len();
        self.subjects.extend(puzzles.into_iter().map(|puzzle| Subject { puzzle, expanded: None, times: vec![] }));
        start..self.subjects.len()
    }

    /// Adds a board that comes again and again between the others.
    pub fn add_recurring(&mut self, puzzle: Puzzle) -> Range<usize> {
        let range = self.add([puzzle]);
        self.recurring.push(range.start);
        range
    }

    /// Solves all boards in a random but fixed order: one round to warm up, then the rounds that count.
    ///
    /// # Panics
    /// If a length is not the known one, or if a node count is not the same in every round.
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

    /// The order in which the boards are solved: random but fixed, and no board twice in a row.
    ///
    /// # Panics
    /// If there are so few different boards that no such order is found.
    pub fn order(&self) -> Vec<usize> {
        let board = |index: usize| &self.subjects[index].puzzle.board;
        let mut orders = (0..100).map(|attempt| self.shuffled(attempt));
        let varied = |order: &Vec<usize>| order.windows(2).all(|pair| board(pair[0]) != board(pair[1]));
        orders.find(varied).expect("the boards differ enough to be interleaved")
    }

    /// Every board once, shuffled, with a recurring one (in turn) after every few of them.
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

    /// What was measured for a group.
    pub fn summary(&self, group: Range<usize>) -> Summary {
        let subjects = &self.subjects[group];
        let times: Vec<f64> = subjects.iter().map(Subject::microseconds).collect();
        Summary {
            boards: times.len(),
            mean_us: mean(&times),
            median_us: median(times),
            expanded: subjects.iter().filter_map(|subject| subject.expanded).sum(),
        }
    }
}

/// The mean; 0 of nothing.
pub fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

/// The median (of an even count, the upper of the two in the middle); 0 of nothing.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_rush::suites::Suite;

    fn cards(count: usize) -> Vec<Puzzle> {
        Suite::find("cards").unwrap().puzzles().into_iter().take(count).collect()
    }

    #[test]
    fn every_board_is_measured_in_every_round_and_the_recurring_one_more_often() {
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
    fn no_board_comes_twice_in_a_row() {
        let mut field = Field::default();
        field.add(cards(3));
        field.add(cards(3));
        let order = field.order();
        assert_eq!(order.len(), 6);
        assert!(order.windows(2).all(|pair| pair[0] % 3 != pair[1] % 3), "{order:?}");
    }

    #[test]
    #[should_panic(expected = "the length of")]
    fn a_wrong_length_is_noticed() {
        let mut field = Field::default();
        field.add(cards(1).into_iter().map(|card| Puzzle { moves: Some(Known::Exactly(7)), ..card }));
        field.run(1, Clock::Wall);
    }

    #[test]
    fn means_and_medians() {
        assert!((mean(&[1.0, 2.0, 6.0]) - 3.0).abs() < 1e-12);
        assert!((median(vec![6.0, 1.0, 2.0]) - 2.0).abs() < 1e-12);
        assert!(median(vec![]).abs() < 1e-12);
    }
}
