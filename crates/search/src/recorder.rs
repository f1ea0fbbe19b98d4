//! A domain that records the calls of a search.

use crate::{Domain, Heuristic, MoveOrder, Node};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Another domain, which records the calls of each search step and derives the expansions from them. The algorithms are not
/// instrumented.
///
/// ```
/// use clearway_search::{Domain, Search, bfs::Bfs, pancakes::Pancakes, recorder::Recorder};
/// let stack = Pancakes::new(&[3, 1, 2]).unwrap();
/// let recorder = Recorder::new(&stack, false);
/// let mut search = Bfs::new(&recorder);
/// let verdict = search.step();
/// recorder.end_step(search.statistics().expanded == 1);
/// drop(search);
/// let (state, successors) = recorder.into_expansions().remove(0);
/// assert_eq!((verdict, state, successors.len()), (None, stack.key(&stack.start()), 2));
/// ```
pub struct Recorder<'a, D: Domain> {
    domain: &'a D,
    /// Whether the search queues successors as moves. It then applies moves only to return to a queued state, which does not
    /// generate a successor.
    queues_moves: bool,
    /// The calls, unless nothing is recorded.
    log: Option<Mutex<CallLog<D::Key, D::Move>>>,
}

/// An expanded state and its successors.
pub type Expanded<K> = (K, Vec<K>);

struct CallLog<K, M> {
    /// Calls since the last step.
    events: Vec<Event<K, M>>,
    expansions: Vec<Expanded<K>>,
    /// Index of the last expansion of each state.
    last: HashMap<K, usize>,
}

#[derive(Clone, Copy)]
enum Event<K, M> {
    /// A successor was generated.
    Generated { from: K, to: K },
    /// A state was tested for being a goal.
    GoalTested(K),
    /// A winning move was looked up for a state.
    WinningMoveTested(K),
    /// The moves of a state were listed.
    MovesListed(K),
    /// A listed move is redundant after the move before it.
    RedundantMove(M),
}

impl<'a, D: Domain> Recorder<'a, D> {
    /// Records the calls to a domain. `queues_moves` is whether the search queues successors as moves.
    pub fn new(domain: &'a D, queues_moves: bool) -> Self {
        let log = CallLog { events: Vec::new(), expansions: Vec::new(), last: HashMap::new() };
        Recorder { domain, queues_moves, log: Some(Mutex::new(log)) }
    }

    /// Passes the calls on and records nothing.
    pub fn silent(domain: &'a D) -> Self {
        Recorder { domain, queues_moves: false, log: None }
    }

    /// Returns all expansions in order.
    pub fn into_expansions(self) -> Vec<Expanded<D::Key>> {
        let log = self.log.map(|log| log.into_inner().unwrap_or_else(PoisonError::into_inner));
        log.map(|log| log.expansions).unwrap_or_default()
    }

    fn record(&self, event: impl FnOnce() -> Event<D::Key, D::Move>) {
        if let Some(log) = &self.log {
            log.lock().unwrap_or_else(PoisonError::into_inner).events.push(event());
        }
    }

    /// Ends a step. `expanded` is whether a state was expanded in it.
    pub fn end_step(&self, expanded: bool) {
        let Some(log) = &self.log else { return };
        let log = &mut *log.lock().unwrap_or_else(PoisonError::into_inner);
        let events = std::mem::take(&mut log.events);
        let at = if expanded { expansion(&events) } else { None };
        let (before, after) = events.split_at(at.map_or(events.len(), |(at, _)| at));
        if !self.queues_moves {
            log.add_successors(before);
        }
        if let Some((_, state)) = at {
            log.last.insert(state, log.expansions.len());
            log.expansions.push((state, Vec::new()));
            if self.queues_moves {
                log.add_successors(&self.queued(state, after));
            } else {
                log.add_successors(after);
            }
        }
        log.events = events;
        log.events.clear();
    }

    /// Successors of a state whose moves were listed, without redundant moves.
    fn queued(&self, state: D::Key, events: &[Event<D::Key, D::Move>]) -> Vec<Event<D::Key, D::Move>> {
        let is_listed = events.iter().any(|event| matches!(event, Event::MovesListed(listed) if *listed == state));
        let is_skipped =
            |mv| events.iter().any(|event| matches!(event, Event::RedundantMove(skipped) if *skipped == mv));
        let (mut moves, mut from) = (Vec::new(), self.domain.state(state));
        if is_listed {
            self.domain.moves(&from, &mut moves);
        }
        moves.retain(|&mv| !is_skipped(mv));
        let generated = |mv| Event::Generated { from: state, to: self.domain.key_after(&mut from, mv) };
        moves.into_iter().map(generated).collect()
    }
}

/// Returns the expanded state of a step, and the index of the event of its expansion. An expansion usually lists the moves of
/// the state. Some searches stop earlier, when the state wins or is too deep: after a test, or right after reaching it.
fn expansion<K: Copy, M>(events: &[Event<K, M>]) -> Option<(usize, K)> {
    let last = |which: fn(&Event<K, M>) -> Option<K>| {
        events.iter().enumerate().rev().find_map(|(at, event)| Some((at, which(event)?)))
    };
    let listed = last(|event| if let Event::MovesListed(state) = event { Some(*state) } else { None });
    let winning_move_tested =
        || last(|event| if let Event::WinningMoveTested(state) = event { Some(*state) } else { None });
    let goal_tested = || last(|event| if let Event::GoalTested(state) = event { Some(*state) } else { None });
    let reached = || last(|event| if let Event::Generated { to, .. } = event { Some(*to) } else { None });
    // A state that was only reached is expanded after the move that led to it.
    listed.or_else(winning_move_tested).or_else(goal_tested).or_else(|| reached().map(|(at, state)| (at + 1, state)))
}

impl<K: Copy + Eq + std::hash::Hash, M> CallLog<K, M> {
    /// Adds generated successors to the last expansions of their parents.
    fn add_successors(&mut self, events: &[Event<K, M>]) {
        for event in events {
            if let Event::Generated { from, to } = event
                && let Some(&expansion) = self.last.get(from)
            {
                let found = &mut self.expansions[expansion].1;
                if !found.contains(to) {
                    found.push(*to);
                }
            }
        }
    }
}

impl<D: Domain> Domain for Recorder<'_, D> {
    type State = D::State;
    type Key = D::Key;
    type Move = D::Move;

    fn start(&self) -> D::State {
        self.domain.start()
    }

    fn key(&self, state: &D::State) -> D::Key {
        self.domain.key(state)
    }

    fn state(&self, key: D::Key) -> D::State {
        self.domain.state(key)
    }

    fn is_goal(&self, state: &D::State) -> bool {
        self.record(|| Event::GoalTested(self.key(state)));
        self.domain.is_goal(state)
    }

    fn moves(&self, state: &D::State, found: &mut Vec<D::Move>) {
        self.record(|| Event::MovesListed(self.key(state)));
        self.domain.moves(state, found);
    }

    fn moves_in(&self, order: MoveOrder, state: &D::State, found: &mut Vec<D::Move>) {
        self.record(|| Event::MovesListed(self.key(state)));
        self.domain.moves_in(order, state, found);
    }

    fn apply(&self, state: &mut D::State, mv: D::Move) {
        let from = self.key(state);
        self.domain.apply(state, mv);
        self.record(|| Event::Generated { from, to: self.key(state) });
    }

    fn undo(&self, state: &mut D::State, mv: D::Move) {
        self.domain.undo(state, mv);
    }

    fn key_after(&self, state: &mut D::State, mv: D::Move) -> D::Key {
        let to = self.domain.key_after(state, mv);
        self.record(|| Event::Generated { from: self.key(state), to });
        to
    }

    fn variables(&self, state: &D::State, values: &mut Vec<u8>) {
        self.domain.variables(state, values);
    }

    fn same_piece(&self, first: D::Move, second: D::Move) -> bool {
        let is_redundant = self.domain.same_piece(first, second);
        if is_redundant {
            self.record(|| Event::RedundantMove(second));
        }
        is_redundant
    }

    fn winning_move(&self, state: &D::State) -> Option<D::Move> {
        self.record(|| Event::WinningMoveTested(self.key(state)));
        self.domain.winning_move(state)
    }

    fn winning_macro(&self, state: &D::State) -> Vec<D::Move> {
        self.record(|| Event::WinningMoveTested(self.key(state)));
        self.domain.winning_macro(state)
    }
}

/// A heuristic of the recorded domain. Its own calls are not recorded.
pub struct RecordedHeuristic<H>(pub H);

impl<D: Domain, H: Heuristic<D>> Heuristic<Recorder<'_, D>> for RecordedHeuristic<H> {
    fn estimate(&mut self, recorder: &Recorder<'_, D>, node: &Node<'_, Recorder<'_, D>>) -> f64 {
        let Node { state, g, last, siblings } = *node;
        self.0.estimate(recorder.domain, &Node { state, g, last, siblings })
    }

    fn mark_preferred(&mut self, recorder: &Recorder<'_, D>, state: &D::State, moves: &[D::Move], marks: &mut [bool]) {
        self.0.mark_preferred(recorder.domain, state, moves, marks);
    }

    fn memory_usage(&self) -> usize {
        self.0.memory_usage()
    }
}
