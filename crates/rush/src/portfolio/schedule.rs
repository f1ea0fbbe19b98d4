//! The rounds in which the engines run, one after the other or side by side, with the same result.

use super::engine::{AStarEngine, AbstractionEngine, Engine, InvariantEngine, Slice, report_answer};
use super::known::{EngineName, Finding, Knowledge};
use super::layers::LayersEngine;
use super::{EngineSet, Improvement, Portfolio};
use crate::exact::Solver;
use crate::{Board, Metric};
use clearway_search::{Limit, LimitChecker, Limits, SearchStatistics, Verdict};
use clearway_util::parallel::HAS_THREADS;
use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Nodes that A* expands on a small board before the other engines join in; most boards are solved by then.
const SMALL_NODES: u64 = 1 << 20;
/// Number of engines: A*, abstraction, layers and invariants, in this order.
const ENGINES: usize = 4;
const ASTAR: usize = 0;
const LAYERS: usize = 2;
const INVARIANTS: usize = 3;
/// Nodes or conflicts of each engine in the first round. They grow by a factor of four from round to round. A conflict takes as
/// long as some dozens of nodes.
const EFFORTS: [u64; ENGINES] = [1 << 11, 1 << 12, 500, 2_000];
/// First round of each engine. Most boards have a plan after the first round, and then need no proof that there is none.
const FIRST_ROUNDS: [u32; ENGINES] = [0, 0, 0, 1];
/// Eighths of the memory for each engine. They are fixed, so that what fits does not depend on which engines run at a time.
const EIGHTHS: [usize; ENGINES] = [3, 2, 2, 1];
/// The same on a small board, where the others need little, and A* is the one that searches on when they give up.
const SMALL_EIGHTHS: [usize; ENGINES] = [5, 1, 1, 1];
/// Pause between two looks at the flag that cancels the search.
const PATIENCE: Duration = Duration::from_millis(20);

/// Result of the schedule.
pub(super) struct PortfolioOutcome {
    pub known: Knowledge,
    pub statistics: SearchStatistics,
    pub memory: usize,
    /// Limit that stopped the search, unless the board is settled.
    pub limit: Limit,
}

/// What an engine did in a round.
#[derive(Default)]
struct RoundRecord {
    findings: Vec<(Finding, EngineName)>,
    slice: Option<Slice>,
}

/// A round of all engines.
#[derive(Clone)]
struct Round {
    /// What is known at its beginning.
    known: Knowledge,
    /// Limits of each engine; `None` if it does not take part.
    limits: [Option<Limits>; ENGINES],
}

/// A message from an engine at work.
enum Message {
    Finding(usize, Finding, EngineName),
    Done(usize, Slice),
    /// A bug in the engine; its thread has ended.
    Panicked(Box<dyn Any + Send>),
}

struct Schedule<'a> {
    outcome: PortfolioOutcome,
    /// What the engines have found, in the order of its arrival: for the observer only.
    live: Knowledge,
    limits: &'a Limits,
    checker: &'a LimitChecker<'a>,
    observe: &'a mut dyn FnMut(&Improvement),
    /// Why an engine does not take part any more.
    exhausted: [Option<Limit>; ENGINES],
    stops_at_memory_limit: bool,
    /// Nodes that A* has had before the rounds, on a small board. It takes part in the rounds that give it more.
    nodes_before: u64,
    eighths: [usize; ENGINES],
    round: u32,
}

/// Runs the engines until the board is settled or a limit is reached.
pub(super) fn run(
    portfolio: &Portfolio,
    solver: &mut Solver,
    board: &Board,
    metric: Metric,
    limits: &Limits,
    checker: &LimitChecker,
    observe: &mut dyn FnMut(&Improvement),
) -> PortfolioOutcome {
    let mut schedule = Schedule::new(portfolio, metric, limits, checker, observe);
    if portfolio.engines == EngineSet::Layers {
        schedule.exhausted = [Some(Limit::Incomplete), Some(Limit::Incomplete), None, None];
    } else if !board.is_large() {
        schedule.search_small(board, solver, SMALL_NODES);
    }
    if HAS_THREADS && !schedule.is_settled() && portfolio.threads > 1 {
        let make = |numbers, solver| make_engines(numbers, board, solver);
        schedule.run_side_by_side(solver, portfolio.threads.min(ENGINES), &make);
    } else if !schedule.is_settled() {
        schedule.run_in_turn(&mut make_engines(0..ENGINES, board, Some(solver)));
    }
    schedule.outcome
}

/// An engine and its number.
type Numbered<'b> = (usize, Box<dyn Engine + 'b>);

/// Creates engines by their numbers; the first one needs the solver.
fn make_engines<'b>(numbers: Range<usize>, board: &'b Board, mut solver: Option<&'b mut Solver>) -> Vec<Numbered<'b>> {
    let make = |number: usize| -> Box<dyn Engine + 'b> {
        match (number, solver.take()) {
            (ASTAR, Some(solver)) => Box::new(AStarEngine { board, solver }),
            (ASTAR | 1, _) => Box::new(AbstractionEngine::new(board)),
            (LAYERS, _) => Box::new(LayersEngine::new(board)),
            _ => Box::new(InvariantEngine::new(board)),
        }
    };
    numbers.clone().zip(numbers.map(make)).collect()
}

impl<'a> Schedule<'a> {
    fn new(
        portfolio: &Portfolio,
        metric: Metric,
        limits: &'a Limits,
        checker: &'a LimitChecker<'a>,
        observe: &'a mut dyn FnMut(&Improvement),
    ) -> Schedule<'a> {
        let known = Knowledge::new(metric, portfolio.stop, limits.nodes.is_some());
        Schedule {
            live: known.clone(),
            outcome: PortfolioOutcome {
                known,
                statistics: SearchStatistics::default(),
                memory: 0,
                limit: Limit::Incomplete,
            },
            limits,
            checker,
            observe,
            exhausted: [None; ENGINES],
            stops_at_memory_limit: portfolio.stops_at_memory_limit,
            nodes_before: 0,
            eighths: EIGHTHS,
            round: 0,
        }
    }

    fn is_settled(&self) -> bool {
        self.outcome.known.is_settled()
    }

    /// Searches a small board with A* alone, with at most this number of nodes and all of the memory.
    fn search_small(&mut self, board: &Board, solver: &mut Solver, nodes: u64) {
        let nodes = self.limits.nodes.map_or(nodes, |limit| limit.min(nodes));
        (self.nodes_before, self.eighths) = (nodes, SMALL_EIGHTHS);
        let limits = Limits { nodes: Some(nodes), ..self.limits.clone() };
        let answer = solver.solve(board, self.outcome.known.metric, &limits);
        let mut record = RoundRecord::default();
        report_answer(&answer, &mut |finding, engine| record.findings.push((finding, engine)));
        record.slice = Some(Slice { statistics: answer.statistics, memory: answer.memory, exhausted: None });
        if answer.verdict == Verdict::Limit(Limit::Memory) {
            self.exhausted[ASTAR] = Some(Limit::Memory);
        }
        self.merge(ASTAR, record);
        if !self.is_settled() {
            *solver = Solver::new(); // the other engines need a part of the memory
        }
    }

    /// The next round, unless the board is settled or a limit is reached.
    fn next_round(&mut self) -> Option<Round> {
        if self.is_settled() {
            return None;
        }
        let spent = self.outcome.statistics.expanded + self.outcome.statistics.conflicts;
        if let Some(limit) = self.checker.check(spent, 0) {
            self.outcome.limit = limit;
            return None;
        }
        if self.exhausted[LAYERS] == Some(Limit::Memory) {
            // Boards without a plan are refuted with few layers; this one probably has a long plan.
            self.exhausted[INVARIANTS].get_or_insert(Limit::Memory);
        }
        let is_memory = self.exhausted.contains(&Some(Limit::Memory));
        if self.exhausted.iter().all(Option::is_some) || is_memory && self.stops_at_memory_limit {
            // More memory may help; an engine that gives up does not need any.
            self.outcome.limit = if is_memory { Limit::Memory } else { Limit::Incomplete };
            return None;
        }
        // Each engine gets its share of the nodes in advance, so that it does not depend on what the others use.
        let mut left = self.limits.nodes.map_or(u64::MAX, |nodes| nodes - spent);
        let limits = std::array::from_fn(|engine| {
            let growth = 1u64.checked_shl(2 * self.round).unwrap_or(u64::MAX);
            let share = EFFORTS[engine].saturating_mul(growth);
            let is_its_turn = match engine {
                ASTAR => share > self.nodes_before,
                _ => self.round >= FIRST_ROUNDS[engine],
            };
            let effort = share.min(left);
            (is_its_turn && effort > 0 && self.exhausted[engine].is_none()).then(|| {
                left -= effort;
                Limits {
                    nodes: Some(effort),
                    memory: self.limits.memory.map(|memory| memory / 8 * self.eighths[engine]),
                    ..self.limits.remaining_after(self.checker.elapsed())
                }
            })
        });
        self.round += 1;
        Some(Round { known: self.outcome.known.clone(), limits })
    }

    /// Adds what an engine found in a round.
    fn merge(&mut self, engine: usize, record: RoundRecord) {
        for (finding, name) in record.findings {
            self.outcome.known.add(&finding, name);
            self.observe_live(&finding, name);
        }
        if let Some(slice) = record.slice {
            self.outcome.statistics.add(&slice.statistics);
            self.outcome.memory = self.outcome.memory.max(slice.memory);
            self.exhausted[engine] = self.exhausted[engine].or(slice.exhausted);
        }
    }

    fn observe_live(&mut self, finding: &Finding, engine: EngineName) {
        if self.live.add(finding, engine) {
            (self.observe)(&self.live.improvement(engine, self.checker.elapsed()));
        }
    }

    fn run_in_turn(&mut self, engines: &mut [Numbered]) {
        while let Some(round) = self.next_round() {
            for (number, engine) in &mut *engines {
                let Some(limits) = &round.limits[*number] else { continue };
                let mut record = RoundRecord::default();
                let slice = engine.run(&round.known, limits, &mut |finding, name| {
                    self.observe_live(&finding, name);
                    record.findings.push((finding, name));
                });
                record.slice = Some(slice);
                self.merge(*number, record);
                if self.is_settled() {
                    return;
                }
            }
        }
    }

    /// Runs the engines that `make` creates on several threads: the last ones on one each, the others on the first thread, with
    /// the solver. A panic of an engine ends the search.
    fn run_side_by_side<'b>(
        &mut self,
        solver: &'b mut Solver,
        threads: usize,
        make: &(impl Fn(Range<usize>, Option<&'b mut Solver>) -> Vec<Numbered<'b>> + Sync),
    ) {
        // The flag that cancels the search is passed on to engines that must stop because of another.
        let stops: [Arc<AtomicBool>; ENGINES] = std::array::from_fn(|_| Arc::default());
        let mut solver = Some(solver);
        std::thread::scope(|scope| {
            let (sender, messages) = channel();
            let mut tasks: Vec<Sender<Round>> = Vec::new();
            for thread in 0..threads {
                let (task, rounds) = channel::<Round>();
                tasks.push(task);
                let sender = sender.clone();
                let solver = solver.take();
                let stops = &stops;
                let panics = sender.clone();
                let work = move || {
                    let first = if thread == 0 { 0 } else { ENGINES - threads + thread };
                    let end = ENGINES - threads + thread + 1;
                    // Here, because SAT solvers stay on their thread.
                    let mut engines = make(first..end, solver);
                    while let Ok(round) = rounds.recv() {
                        for (number, engine) in &mut engines {
                            let Some(limits) = round.limits[*number].clone() else { continue };
                            let limits = Limits { cancel: Some(Arc::clone(&stops[*number])), ..limits };
                            let slice = engine.run(&round.known, &limits, &mut |finding, name| {
                                // Nobody listens any more once the board is settled.
                                let _ = sender.send(Message::Finding(*number, finding, name));
                            });
                            let _ = sender.send(Message::Done(*number, slice));
                        }
                    }
                };
                scope.spawn(move || {
                    // Nothing that the engines share is used after a panic.
                    if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
                        let _ = panics.send(Message::Panicked(panic));
                    }
                });
            }
            while let Some(round) = self.next_round() {
                for task in &tasks {
                    let _ = task.send(round.clone());
                }
                let mut records: [RoundRecord; ENGINES] = std::array::from_fn(|_| RoundRecord::default());
                let is_over = |records: &[RoundRecord; ENGINES], end: usize| {
                    (0..end).all(|engine| round.limits[engine].is_none() || records[engine].slice.is_some())
                };
                // The first engine, in their order, that settles the board; those after it are not needed.
                let mut settler = None;
                while settler.is_none_or(|settler| !is_over(&records, settler + 1)) && !is_over(&records, ENGINES) {
                    match messages.recv_timeout(PATIENCE) {
                        Ok(Message::Finding(engine, finding, name)) => {
                            self.observe_live(&finding, name);
                            records[engine].findings.push((finding, name));
                        }
                        Ok(Message::Done(engine, slice)) => {
                            records[engine].slice = Some(slice);
                            let mut known = round.known.clone();
                            settler = (0..ENGINES).find(|&engine| {
                                let findings = &records[engine].findings;
                                for (finding, name) in findings {
                                    known.add(finding, name);
                                }
                                known.is_settled() && records[engine].slice.is_some()
                            });
                            if let Some(settler) = settler {
                                raise(&stops[settler + 1..]);
                            }
                        }
                        Ok(Message::Panicked(panic)) => {
                            // The scope waits for the threads of the other engines.
                            raise(&stops);
                            resume_unwind(panic);
                        }
                        Err(RecvTimeoutError::Timeout) => {
                            let is_cancelled = self.limits.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed));
                            if is_cancelled {
                                raise(&stops);
                            }
                        }
                        Err(RecvTimeoutError::Disconnected) => break,
                    }
                }
                for (engine, record) in records.into_iter().enumerate() {
                    if !self.is_settled() {
                        self.merge(engine, record);
                    }
                }
            }
            raise(&stops);
            drop(tasks);
        });
    }
}

fn raise(flags: &[Arc<AtomicBool>]) {
    for flag in flags {
        flag.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::Suite;

    /// An engine that never stops by itself, or has a bug.
    struct Faulty {
        has_bug: bool,
    }

    impl Engine for Faulty {
        fn run(&mut self, _: &Knowledge, limits: &Limits, _: &mut super::super::engine::Report) -> Slice {
            assert!(!self.has_bug, "a bug in an engine");
            let stop = limits.cancel.as_ref().expect("a flag");
            while !stop.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            Slice::default()
        }
    }

    #[test]
    fn after_a_small_board_has_been_searched_astar_gets_more_nodes_than_before() {
        let board = Suite::find("hard-8x8").expect("a suite").puzzles().swap_remove(0).board;
        let limits = Limits { memory: Some(80_000_000), ..Limits::default() };
        let checker = limits.checker();
        let mut observe = |_: &Improvement| {};
        let mut schedule = Schedule::new(&Portfolio::default(), Metric::Moves, &limits, &checker, &mut observe);
        let before = 4 * EFFORTS[ASTAR];
        schedule.search_small(&board, &mut Solver::new(), before);
        assert_eq!((schedule.is_settled(), schedule.outcome.statistics.expanded), (false, before));
        let rounds: Vec<Round> = (0..4).filter_map(|_| schedule.next_round()).collect();
        let nodes = |engine: usize| -> Vec<Option<u64>> {
            rounds.iter().map(|round| round.limits[engine].as_ref().and_then(|limits| limits.nodes)).collect()
        };
        assert_eq!(nodes(ASTAR), [None, None, Some(4 * before), Some(16 * before)]);
        assert_eq!(nodes(LAYERS), [500, 2_000, 8_000, 32_000].map(Some));
        let memory = rounds[2].limits.each_ref().map(|limits| limits.as_ref().and_then(|limits| limits.memory));
        assert_eq!(memory, [50_000_000, 10_000_000, 10_000_000, 10_000_000].map(Some));
    }

    #[test]
    fn a_panic_of_an_engine_ends_the_search_on_every_number_of_threads() {
        for (threads, faulty) in [(2, ENGINES - 1), (ENGINES, 0), (ENGINES, LAYERS)] {
            let search = || {
                let limits = Limits::default();
                let checker = limits.checker();
                let mut observe = |_: &Improvement| {};
                let mut schedule = Schedule::new(&Portfolio::default(), Metric::Moves, &limits, &checker, &mut observe);
                schedule.round = FIRST_ROUNDS[INVARIANTS];
                let make = |numbers: Range<usize>, _: Option<&mut Solver>| {
                    numbers
                        .map(|number| (number, Box::new(Faulty { has_bug: number == faulty }) as Box<dyn Engine>))
                        .collect()
                };
                schedule.run_side_by_side(&mut Solver::new(), threads, &make);
            };
            let panic = catch_unwind(AssertUnwindSafe(search)).expect_err("the panic is passed on");
            assert_eq!(panic.downcast_ref(), Some(&"a bug in an engine"));
        }
    }
}
