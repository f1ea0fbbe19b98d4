//! Deferred evaluation, the *lazy* search of Fast Downward: states are generated and evaluated when they are expanded.
//!
//! The open list holds moves of expanded states, with the estimates of these states. A move is applied when it is removed from the
//! list, and only then is it known whether its state is new. On dense boards of 10x10, a state has 26 moves on average, of which the
//! search makes one or two. It looks up and stores no others, which is most of the work of eager evaluation.

use super::best_first::{Core, Evaluation};
use super::open_list::{MoveRange, OpenEntry};
use crate::search_space::SearchSpace;
use crate::{Domain, Heuristic, Node, Verdict};

/// Generates and evaluates states when they are expanded. The open list holds moves of expanded states.
pub(super) struct Deferred<D: Domain> {
    /// Whether each state was expanded.
    is_expanded: Vec<bool>,
    /// Number of moves of each state, which heuristics may use.
    move_counts: Vec<u16>,
    /// The moves that entries of the open list refer to.
    listed: Vec<D::Move>,
    /// The last state whose successor was generated, with its number.
    parent: (u32, D::State),
    /// Memory of an expansion, kept for the next one: the moves, whether each is preferred, and the variables of a state.
    moves: Vec<D::Move>,
    is_preferred: Vec<bool>,
    variables: Vec<u8>,
}

impl<D: Domain> Deferred<D> {
    /// Visits a state that is new or reached by a shorter path: tests whether it is a goal, evaluates and expands it.
    fn visit<H: Heuristic<D>>(
        &mut self,
        core: &mut Core<'_, D, H>,
        number: u32,
        node: &Node<'_, D>,
    ) -> Option<Verdict> {
        core.statistics.goal_tests += 1;
        core.open.end_turn();
        if core.domain.is_goal(node.state) {
            if let Some(graph) = &mut core.graph {
                graph.add_goal(number);
            }
            return core.finish(number);
        }
        let h = if node.last.is_some() { core.evaluate(node) } else { core.start_estimate };
        if h < f64::INFINITY {
            self.is_expanded[number as usize] = true;
            self.expand(core, number, node, h);
        }
        None
    }

    /// Adds the moves of a state to the open list, except those of the piece that has moved to reach it: they lead to states that
    /// its parent leads to, or back.
    fn expand<H: Heuristic<D>>(&mut self, core: &mut Core<'_, D, H>, number: u32, node: &Node<'_, D>, h: f64) {
        core.statistics.expanded += 1;
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        core.domain.moves_in(core.options.order, node.state, &mut moves);
        self.move_counts[number as usize] = moves.len().min(u16::MAX.into()) as u16;
        if let Some(last) = node.last {
            moves.retain(|&mv| !core.domain.same_piece(last, mv));
        }
        let mut is_preferred = std::mem::take(&mut self.is_preferred);
        is_preferred.clear();
        is_preferred.resize(moves.len(), false);
        if core.options.preferred {
            core.heuristic.mark_preferred(core.domain, node.state, &moves, &mut is_preferred);
        }
        let novelty = self.novelty(core, node, h);
        let winning = core.domain.winning_move(node.state);
        let g = node.g + 1;
        for (is_winning, h) in [(false, h), (true, 0.0)] {
            if is_winning && winning.is_none() {
                continue;
            }
            let f = core.f(g, h);
            let is_chosen = |i: usize| (winning == Some(moves[i])) == is_winning;
            let range = self.list(&moves, is_chosen);
            if range.count > 0 {
                core.open.push(OpenEntry::new(number, g, h, f, range), novelty);
            }
            if core.options.preferred {
                let range = self.list(&moves, |i| is_preferred[i] && is_chosen(i));
                if range.count > 0 {
                    core.open.push_preferred(OpenEntry::new(number, g, h, f, range), novelty);
                }
            }
        }
        core.statistics.peak_open = core.statistics.peak_open.max(core.open.len());
        (self.moves, self.is_preferred) = (moves, is_preferred);
    }

    /// Returns the novelty of the last move to a state.
    fn novelty<H>(&mut self, core: &mut Core<'_, D, H>, node: &Node<'_, D>, h: f64) -> u32 {
        let (Some(table), Some(last)) = (&mut core.novelty, node.last) else { return 0 };
        let mut state = node.state.clone();
        self.variables.clear();
        core.domain.variables(&state, &mut self.variables);
        core.domain.undo(&mut state, last);
        table.set_state(|values| core.domain.variables(&state, values));
        core.options.novelty_level(table.insert(&self.variables, h))
    }

    /// Stores some of the moves for an entry of the open list.
    fn list(&mut self, moves: &[D::Move], is_chosen: impl Fn(usize) -> bool) -> MoveRange {
        let first = self.listed.len() as u32;
        self.listed.extend(moves.iter().enumerate().filter(|&(i, _)| is_chosen(i)).map(|(_, &mv)| mv));
        MoveRange { first, count: self.listed.len() as u32 - first }
    }
}

/// Returns whether the parent of an entry was not reached by a shorter path since.
#[inline]
fn is_current<D: Domain>(space: &SearchSpace<D>, entry: &OpenEntry) -> bool {
    space.get(entry.node).g + 1 == entry.g
}

impl<D: Domain, H: Heuristic<D>> Evaluation<D, H> for Deferred<D> {
    fn start(core: &mut Core<'_, D, H>) -> Self {
        core.statistics.peak_open = 1;
        Deferred {
            is_expanded: vec![false],
            move_counts: vec![0],
            listed: Vec::new(),
            parent: (0, core.domain.start()),
            moves: Vec::new(),
            is_preferred: Vec::new(),
            variables: Vec::new(),
        }
    }

    fn step(&mut self, core: &mut Core<'_, D, H>) -> Option<Verdict> {
        if core.statistics.goal_tests == 0 {
            let start = core.domain.start();
            return self.visit(core, 0, &Node { state: &start, g: 0, last: None, siblings: 0 });
        }
        let space = &core.space;
        let next = core.open.pop(|entry| is_current(space, entry));
        let Some(OpenEntry { f, node: parent, g, moves, .. }) = next else { return Some(Verdict::Unsolvable) };
        core.record_f(f);
        if self.parent.0 != parent {
            self.parent = (parent, core.domain.state(core.space.get(parent).key));
        }
        let mv = self.listed[moves.first as usize];
        core.statistics.generated += 1;
        let key = core.domain.key_after(&mut self.parent.1, mv);
        let (number, is_new) = core.space.insert(key, parent, g, Some(mv));
        if let Some(graph) = &mut core.graph {
            graph.add_edge(parent, number);
        }
        if is_new {
            self.is_expanded.push(false);
            self.move_counts.push(0);
        } else if core.space.improve(number, parent, g, mv, core.options.reopen) {
            core.statistics.reopened += u64::from(self.is_expanded[number as usize]);
        } else {
            core.statistics.duplicates += 1;
            return None;
        }
        let mut state = self.parent.1.clone();
        core.domain.apply(&mut state, mv);
        let siblings = u32::from(self.move_counts[parent as usize]);
        self.visit(core, number, &Node { state: &state, g, last: Some(mv), siblings })
    }

    fn bound(&self, core: &Core<'_, D, H>, entry: &OpenEntry) -> Option<f64> {
        // The estimate is that of the parent.
        is_current(&core.space, entry).then(|| f64::from(entry.g - 1) + entry.h)
    }

    fn is_full(&self) -> bool {
        self.listed.len() >= (u32::MAX - (1 << 20)) as usize
    }

    fn memory_usage(&self) -> usize {
        self.is_expanded.capacity()
            + self.move_counts.capacity() * size_of::<u16>()
            + self.listed.capacity() * size_of::<D::Move>()
    }
}
