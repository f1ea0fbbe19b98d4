//! Eager evaluation: states are evaluated as they are generated.

use super::best_first::{Core, Evaluation};
use super::open_list::{MoveRange, OpenEntry};
use crate::search_space::SearchSpace;
use crate::{Domain, Heuristic, Node, Verdict};

/// Evaluates states as they are generated. The open list holds states.
pub(super) struct Eager<D: Domain> {
    /// Status by node.
    statuses: Vec<NodeStatus>,
    /// Number of nodes with the status `Open`.
    open_nodes: u64,
    /// Memory of an expansion, kept for the next one: the moves, the keys of the successors, whether each move is preferred, and
    /// the variables of a successor.
    moves: Vec<D::Move>,
    keys: Vec<D::Key>,
    is_preferred: Vec<bool>,
    variables: Vec<u8>,
}

/// The list that a node is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeStatus {
    /// In the open list.
    Open,
    /// Expanded.
    Closed,
    /// Neither, because its estimate is infinite. If the estimate depends on the path, it may still be opened later.
    DeadEnd,
}

impl<D: Domain> Eager<D> {
    /// Adds a state with its estimate to the open list, unless it is a dead end.
    fn push<H: Heuristic<D>>(
        &mut self,
        core: &mut Core<'_, D, H>,
        (number, g): (u32, u32),
        h: f64,
        is_preferred: bool,
        novelty: u32,
    ) {
        if h == f64::INFINITY {
            return;
        }
        self.open_nodes += 1;
        self.statuses[number as usize] = NodeStatus::Open;
        let entry = OpenEntry::new(number, g, h, core.f(g, h), MoveRange::STATE);
        core.open.push(entry, novelty);
        if is_preferred {
            core.open.push_preferred(entry, novelty);
        }
    }

    /// Generates and evaluates the successors of a state.
    fn expand<H: Heuristic<D>>(&mut self, core: &mut Core<'_, D, H>, (number, g): (u32, u32), state: &mut D::State) {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        core.domain.moves_in(core.options.order, state, &mut moves);
        self.is_preferred.clear();
        self.is_preferred.resize(moves.len(), false);
        if core.options.preferred {
            core.heuristic.mark_preferred(core.domain, state, &moves, &mut self.is_preferred);
        }
        if let Some(novelty) = &mut core.novelty {
            novelty.set_state(|values| core.domain.variables(state, values));
        }
        let siblings = moves.len() as u32;
        self.keys.clear();
        self.keys.extend(moves.iter().map(|&mv| core.domain.key_after(state, mv)));
        core.space.prepare(&self.keys);
        for (i, &mv) in moves.iter().enumerate() {
            let (child, is_better) = self.generate(core, number, g + 1, mv, self.keys[i]);
            if let Some(graph) = &mut core.graph {
                graph.add(child);
            }
            if !is_better {
                continue;
            }
            core.domain.apply(state, mv);
            let h = core.evaluate(&Node { state, g: g + 1, last: Some(mv), siblings });
            let mut novelty = 0;
            if h < f64::INFINITY {
                if let Some(table) = &mut core.novelty {
                    self.variables.clear();
                    core.domain.variables(state, &mut self.variables);
                    novelty = core.options.novelty_level(table.insert(&self.variables, h));
                }
                add_goal(core, child, state);
            }
            core.domain.undo(state, mv);
            self.push(core, (child, g + 1), h, self.is_preferred[i], novelty);
        }
        if let Some(graph) = &mut core.graph {
            graph.finish_node(number, moves.len());
        }
        self.moves = moves;
    }

    /// Generates a successor. Returns its number, and whether it belongs in the open list: if it is new or reached by a shorter
    /// path.
    #[inline]
    fn generate<H>(&mut self, core: &mut Core<'_, D, H>, parent: u32, g: u32, mv: D::Move, key: D::Key) -> (u32, bool) {
        core.statistics.generated += 1;
        let (node, new) = core.space.insert(key, parent, g, Some(mv));
        if new {
            self.statuses.push(NodeStatus::DeadEnd);
            return (node, true);
        }
        if !core.space.improve(node, parent, g, mv, core.options.reopen) {
            core.statistics.duplicates += 1;
            return (node, false);
        }
        match std::mem::replace(&mut self.statuses[node as usize], NodeStatus::DeadEnd) {
            NodeStatus::Open => self.open_nodes -= 1,
            NodeStatus::Closed => core.statistics.reopened += 1,
            NodeStatus::DeadEnd => {}
        }
        (node, true)
    }
}

/// Marks a state as the end of a path for the shortcut, if it is a goal.
#[inline]
fn add_goal<D: Domain, H>(core: &mut Core<'_, D, H>, number: u32, state: &D::State) {
    if let Some(graph) = core.graph.as_mut().filter(|_| core.domain.is_goal(state)) {
        graph.add_goal(number);
    }
}

/// Returns whether an entry of the open list is not outdated.
#[inline]
fn is_current<D: Domain>(statuses: &[NodeStatus], space: &SearchSpace<D>, entry: &OpenEntry) -> bool {
    statuses[entry.node as usize] == NodeStatus::Open && entry.g == space.get(entry.node).g
}

impl<D: Domain, H: Heuristic<D>> Evaluation<D, H> for Eager<D> {
    fn start(core: &mut Core<'_, D, H>) -> Self {
        let mut eager = Eager {
            statuses: vec![NodeStatus::DeadEnd],
            open_nodes: 0,
            moves: Vec::new(),
            keys: Vec::new(),
            is_preferred: Vec::new(),
            variables: Vec::new(),
        };
        add_goal(core, 0, &core.domain.start());
        eager.push(core, (0, 0), core.start_estimate, false, 0);
        core.statistics.peak_open = eager.open_nodes;
        eager
    }

    fn step(&mut self, core: &mut Core<'_, D, H>) -> Option<Verdict> {
        let (statuses, space) = (&self.statuses, &core.space);
        let next = core.open.pop(|entry| is_current(statuses, space, entry));
        let Some(OpenEntry { f, node, g, .. }) = next else { return Some(Verdict::Unsolvable) };
        core.open.end_turn();
        self.open_nodes -= 1;
        self.statuses[node as usize] = NodeStatus::Closed;
        core.record_f(f);
        let mut state = core.domain.state(core.space.get(node).key);
        core.statistics.goal_tests += 1;
        if core.domain.is_goal(&state) {
            return core.finish(node);
        }
        core.statistics.expanded += 1;
        self.expand(core, (node, g), &mut state);
        core.statistics.peak_open = core.statistics.peak_open.max(self.open_nodes);
        None
    }

    fn bound(&self, core: &Core<'_, D, H>, entry: &OpenEntry) -> Option<f64> {
        is_current(&self.statuses, &core.space, entry).then(|| f64::from(entry.g) + entry.h)
    }

    fn is_full(&self) -> bool {
        false
    }

    fn memory_usage(&self) -> usize {
        self.statuses.capacity()
    }
}
