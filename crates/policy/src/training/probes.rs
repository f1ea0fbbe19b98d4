//! Detects policies with the same behaviour without a search, from their estimates at a fixed set of nodes.

use super::board::{TrainingBoard, TrainingSpace};
use super::direct::Walk;
use super::trial::ArenaSource;
use crate::terminals::TERMINALS;
use crate::{CompiledPolicy, TerminalSource};
use clearway_gp::rng::stream;
use clearway_search::{Domain, Node};
use clearway_util::hash::StableHash;
use rand::RngExt;

/// A fixed set of search nodes on some boards.
pub(super) struct Probes {
    /// For each board, the values of all terminals at each of its nodes.
    nodes: Vec<Vec<Vec<f64>>>,
}

/// Number of nodes per board, besides its start.
const NODES: usize = 12;
/// Maximum number of boards that are probed.
const BOARDS: usize = 64;

/// The start of the board of this number, and nodes on random walks from it.
struct RandomWalks(u32);

impl Walk for RandomWalks {
    fn walk<D: Domain>(&self, domain: &D, mut visit: impl FnMut(&Node<'_, D>)) {
        let mut rng = stream(0, 0, self.0);
        let (mut state, mut moves, mut g) = (domain.start(), Vec::new(), 0);
        visit(&Node { state: &state, g, last: None, siblings: 0 });
        let mut visited = 0;
        while visited < NODES {
            moves.clear();
            domain.moves(&state, &mut moves);
            if moves.is_empty() || domain.is_goal(&state) {
                (state, g) = (domain.start(), 0);
                if moves.is_empty() {
                    break;
                }
                continue;
            }
            let last = moves[rng.random_range(0..moves.len())];
            domain.apply(&mut state, last);
            g += 1;
            if rng.random_bool(0.2) {
                visit(&Node { state: &state, g, last: Some(last), siblings: moves.len() as u32 });
                visited += 1;
            }
        }
    }
}

impl Probes {
    /// Selects nodes of the boards.
    pub fn new(boards: &[TrainingBoard]) -> Probes {
        let nodes = (0..).zip(boards.iter().take(BOARDS)).map(|(number, board)| {
            let (walks, mut found) = (RandomWalks(number), Vec::new());
            match &board.space {
                TrainingSpace::Arena(arena) => walks.walk(arena, |node| {
                    let mut source = ArenaSource { arena, node };
                    found.push((0..TERMINALS.len()).map(|terminal| source.terminal_value(terminal)).collect());
                }),
                TrainingSpace::Direct(board) => board.probe(&walks, |values| found.push(values)),
            }
            found
        });
        Probes { nodes: nodes.collect() }
    }

    /// Returns a hash of the policy's estimates at all nodes or, with `by_rank`, of the order that they give the nodes of each
    /// board. Policies with the same behaviour have the same hash.
    pub fn behaviour(&self, program: &CompiledPolicy, by_rank: bool) -> u64 {
        let mut hash = StableHash::new();
        let mut ranked: Vec<(u64, usize)> = Vec::new();
        for probes in &self.nodes {
            ranked.clear();
            for (place, values) in probes.iter().enumerate() {
                let number = program.value(&mut |terminal: usize| values[terminal]);
                // Sums of the same terms in another order differ in their last bits.
                let number = (number as f32).to_bits();
                ranked.push((u64::from(number), place));
            }
            if by_rank {
                // Floating-point numbers that are not negative sort like their bits.
                ranked.sort_unstable();
                let ties = ranked.windows(2).map(|pair| pair[0].0 == pair[1].0);
                ties.zip(&ranked).for_each(|(tie, (_, place))| hash.number(2 * *place as u64 + u64::from(tie)));
            } else {
                for (number, _) in &ranked {
                    hash.number(*number);
                }
            }
        }
        hash.finish()
    }
}
