//! A domain that notes what a search asks of it.

use clearway_rush::heuristics::BoxedHeuristic;
use clearway_rush::{RushDomain, RushMove, RushState};
use clearway_search::{Domain, Heuristic, Node};
use std::cell::RefCell;
use std::collections::HashMap;

/// Rush Hour, noting what is done in a step of a search, and who was expanded.
pub(super) struct Recorder<'a, const N: usize> {
    domain: &'a RushDomain<N>,
    /// Whether successors are queued as moves, so that a move that is made is a mere way to one of them.
    queues: bool,
    log: RefCell<Log<[u64; N]>>,
}

/// A state and its successors.
type Expanded<K> = (K, Vec<K>);

struct Log<K> {
    /// What was done since the last step.
    events: Vec<Event<K>>,
    expansions: Vec<Expanded<K>>,
    /// By state: its last expansion.
    last: HashMap<K, usize>,
}

#[derive(Clone, Copy)]
enum Event<K> {
    /// A successor was made.
    Made { from: K, to: K },
    /// It was asked whether a state is a goal.
    Tested(K),
    /// It was asked whether a move wins.
    Tried(K),
    /// The moves of a state were listed.
    Listed(K),
    /// A move that was listed is idle.
    Idle(RushMove),
}

impl<'a, const N: usize> Recorder<'a, N> {
    pub fn new(domain: &'a RushDomain<N>, queues: bool) -> Self {
        let log = Log { events: Vec::new(), expansions: Vec::new(), last: HashMap::new() };
        Recorder { domain, queues, log: RefCell::new(log) }
    }

    /// All expansions, in order.
    pub fn into_expansions(self) -> Vec<Expanded<[u64; N]>> {
        self.log.into_inner().expansions
    }

    fn note(&self, event: Event<[u64; N]>) {
        self.log.borrow_mut().events.push(event);
    }

    /// A step is over, in which a state was expanded or not.
    pub fn end_step(&self, expanded: bool) {
        let log = &mut *self.log.borrow_mut();
        let events = std::mem::take(&mut log.events);
        let at = if expanded { expansion(&events) } else { None };
        let (before, after) = events.split_at(at.map_or(events.len(), |(at, _)| at));
        if !self.queues {
            log.find(before);
        }
        if let Some((_, state)) = at {
            log.last.insert(state, log.expansions.len());
            log.expansions.push((state, Vec::new()));
            if self.queues {
                log.find(&self.queued(state, after));
            } else {
                log.find(after);
            }
        }
        log.events = events;
        log.events.clear();
    }

    /// The successors of a state whose moves were listed, but for idle ones.
    fn queued(&self, state: [u64; N], events: &[Event<[u64; N]>]) -> Vec<Event<[u64; N]>> {
        let is_listed = events.iter().any(|event| matches!(event, Event::Listed(listed) if *listed == state));
        let is_idle = |mv| events.iter().any(|event| matches!(event, Event::Idle(idle) if *idle == mv));
        let (mut moves, mut from) = (Vec::new(), self.domain.state(state));
        if is_listed {
            self.domain.moves(&from, &mut moves);
        }
        moves.retain(|&mv| !is_idle(mv));
        let made = |mv| Event::Made { from: state, to: self.domain.key_after(&mut from, mv) };
        moves.into_iter().map(made).collect()
    }
}

/// Where in a step a state was expanded, and which. Whoever expands a state lists its moves; but some find that it wins or
/// that it is too deep, having tested it, or merely come to it.
fn expansion<K: Copy>(events: &[Event<K>]) -> Option<(usize, K)> {
    let last = |which: fn(&Event<K>) -> Option<K>| {
        events.iter().enumerate().rev().find_map(|(at, event)| Some((at, which(event)?)))
    };
    let listed = last(|event| if let Event::Listed(state) = event { Some(*state) } else { None });
    let tried = || last(|event| if let Event::Tried(state) = event { Some(*state) } else { None });
    let tested = || last(|event| if let Event::Tested(state) = event { Some(*state) } else { None });
    let reached = || last(|event| if let Event::Made { to, .. } = event { Some(*to) } else { None });
    // A state that was reached is expanded behind the move that led there.
    listed.or_else(tried).or_else(tested).or_else(|| reached().map(|(at, state)| (at + 1, state)))
}

impl<K: Copy + Eq + std::hash::Hash> Log<K> {
    /// Gives successors to those that they were made of.
    fn find(&mut self, events: &[Event<K>]) {
        for event in events {
            if let Event::Made { from, to } = event
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
        self.note(Event::Tested(self.key(state)));
        self.domain.is_goal(state)
    }

    fn moves(&self, state: &RushState<N>, found: &mut Vec<RushMove>) {
        self.note(Event::Listed(self.key(state)));
        self.domain.moves(state, found);
    }

    fn apply(&self, state: &mut RushState<N>, mv: RushMove) {
        let from = self.key(state);
        self.domain.apply(state, mv);
        self.note(Event::Made { from, to: self.key(state) });
    }

    fn undo(&self, state: &mut RushState<N>, mv: RushMove) {
        self.domain.undo(state, mv);
    }

    fn key_after(&self, state: &mut RushState<N>, mv: RushMove) -> [u64; N] {
        let to = self.domain.key_after(state, mv);
        self.note(Event::Made { from: self.key(state), to });
        to
    }

    fn same_piece(&self, first: RushMove, second: RushMove) -> bool {
        let idle = self.domain.same_piece(first, second);
        if idle {
            self.note(Event::Idle(second));
        }
        idle
    }

    fn winning_move(&self, state: &RushState<N>) -> Option<RushMove> {
        self.note(Event::Tried(self.key(state)));
        self.domain.winning_move(state)
    }
}

/// A heuristic of the board, for the domain that notes. It asks the board itself, so that nothing of that is noted.
pub(super) struct Recorded<const N: usize>(pub BoxedHeuristic<N>);

impl<const N: usize> Heuristic<Recorder<'_, N>> for Recorded<N> {
    fn estimate(&mut self, recorder: &Recorder<'_, N>, node: &Node<'_, Recorder<'_, N>>) -> f64 {
        let Node { state, g, last, siblings } = *node;
        self.0.estimate(recorder.domain, &Node { state, g, last, siblings })
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
