//! A domain that records the calls of a search.

use clearway_rush::heuristics::BoxedHeuristic;
use clearway_rush::{RushDomain, RushMove, RushState};
use clearway_search::{Domain, Heuristic, MoveOrder, Node};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The Rush Hour domain, which records the calls of each search step and derives the expansions from them.
pub(super) struct Recorder<'a, const N: usize> {
    domain: &'a RushDomain<N>,
    /// Whether the search queues successors as moves. It then applies moves only to return to a queued state, which does not
    /// generate a successor.
    queues_moves: bool,
    log: Mutex<CallLog<[u64; N]>>,
}

/// An expanded state and its successors.
type Expanded<K> = (K, Vec<K>);

struct CallLog<K> {
    /// Calls since the last step.
    events: Vec<Event<K>>,
    expansions: Vec<Expanded<K>>,
    /// Index of the last expansion of each state.
    last: HashMap<K, usize>,
}

#[derive(Clone, Copy)]
enum Event<K> {
    /// A successor was generated.
    Generated { from: K, to: K },
    /// A state was tested for being a goal.
    GoalTested(K),
    /// A winning move was looked up for a state.
    WinningMoveTested(K),
    /// The moves of a state were listed.
    MovesListed(K),
    /// A listed move is redundant after the move before it.
    RedundantMove(RushMove),
}

impl<'a, const N: usize> Recorder<'a, N> {
    pub fn new(domain: &'a RushDomain<N>, queues_moves: bool) -> Self {
        let log = CallLog { events: Vec::new(), expansions: Vec::new(), last: HashMap::new() };
        Recorder { domain, queues_moves, log: Mutex::new(log) }
    }

    /// Returns all expansions in order.
    pub fn into_expansions(self) -> Vec<Expanded<[u64; N]>> {
        self.log.into_inner().unwrap_or_else(PoisonError::into_inner).expansions
    }

    fn record(&self, event: Event<[u64; N]>) {
        self.lock().events.push(event);
    }

    fn lock(&self) -> MutexGuard<'_, CallLog<[u64; N]>> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends a step. `expanded` is whether a state was expanded in it.
    pub fn end_step(&self, expanded: bool) {
        let log = &mut *self.lock();
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
    fn queued(&self, state: [u64; N], events: &[Event<[u64; N]>]) -> Vec<Event<[u64; N]>> {
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
fn expansion<K: Copy>(events: &[Event<K>]) -> Option<(usize, K)> {
    let last = |which: fn(&Event<K>) -> Option<K>| {
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

impl<K: Copy + Eq + std::hash::Hash> CallLog<K> {
    /// Adds generated successors to the last expansions of their parents.
    fn add_successors(&mut self, events: &[Event<K>]) {
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

impl<const N: usize> Domain for Recorder<'_, N> {
    type State = RushState<N>;
    type Key = [u64; N];
    type Move = RushMove;

    fn start(&self) -> RushState<N> {
        self.domain.start()
    }

    fn key(&self, state: &RushState<N>) -> [u64; N] {
        self.domain.key(state)
    }

    fn state(&self, key: [u64; N]) -> RushState<N> {
        self.domain.state(key)
    }

    fn is_goal(&self, state: &RushState<N>) -> bool {
        self.record(Event::GoalTested(self.key(state)));
        self.domain.is_goal(state)
    }

    fn moves(&self, state: &RushState<N>, found: &mut Vec<RushMove>) {
        self.record(Event::MovesListed(self.key(state)));
        self.domain.moves(state, found);
    }

    fn moves_in(&self, order: MoveOrder, state: &RushState<N>, found: &mut Vec<RushMove>) {
        self.record(Event::MovesListed(self.key(state)));
        self.domain.moves_in(order, state, found);
    }

    fn apply(&self, state: &mut RushState<N>, mv: RushMove) {
        let from = self.key(state);
        self.domain.apply(state, mv);
        self.record(Event::Generated { from, to: self.key(state) });
    }

    fn undo(&self, state: &mut RushState<N>, mv: RushMove) {
        self.domain.undo(state, mv);
    }

    fn key_after(&self, state: &mut RushState<N>, mv: RushMove) -> [u64; N] {
        let to = self.domain.key_after(state, mv);
        self.record(Event::Generated { from: self.key(state), to });
        to
    }

    fn variables(&self, state: &RushState<N>, values: &mut Vec<u8>) {
        self.domain.variables(state, values);
    }

    fn same_piece(&self, first: RushMove, second: RushMove) -> bool {
        let is_redundant = self.domain.same_piece(first, second);
        if is_redundant {
            self.record(Event::RedundantMove(second));
        }
        is_redundant
    }

    fn winning_move(&self, state: &RushState<N>) -> Option<RushMove> {
        self.record(Event::WinningMoveTested(self.key(state)));
        self.domain.winning_move(state)
    }

    fn winning_macro(&self, state: &RushState<N>) -> Vec<RushMove> {
        self.record(Event::WinningMoveTested(self.key(state)));
        self.domain.winning_macro(state)
    }
}

/// A heuristic of the plain domain, for use with the recording domain. Its own calls are not recorded.
pub(super) struct RecordedHeuristic<const N: usize>(pub BoxedHeuristic<N>);

impl<const N: usize> Heuristic<Recorder<'_, N>> for RecordedHeuristic<N> {
    fn estimate(&mut self, recorder: &Recorder<'_, N>, node: &Node<'_, Recorder<'_, N>>) -> f64 {
        let Node { state, g, last, siblings } = *node;
        self.0.estimate(recorder.domain, &Node { state, g, last, siblings })
    }

    fn mark_preferred(
        &mut self,
        recorder: &Recorder<'_, N>,
        state: &RushState<N>,
        moves: &[RushMove],
        marks: &mut [bool],
    ) {
        self.0.mark_preferred(recorder.domain, state, moves, marks);
    }

    fn memory_usage(&self) -> usize {
        self.0.memory_usage()
    }
}
