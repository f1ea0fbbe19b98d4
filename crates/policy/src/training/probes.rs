//! Detects policies with the same behaviour without a search, from their estimates at a fixed set of nodes.

use super::arena::{Arena, ArenaMove};
use super::board::TrainingBoard;
use super::trial::ArenaSource;
use crate::Program;
use clearway_gp::rng::stream;
use clearway_search::{Domain, Node};
use clearway_util::hash::StableHash;
use rand::RngExt;

/// A fixed set of search nodes on some boards.
pub(super) struct Probes {
    /// Nodes of each board.
    nodes: Vec<Vec<Probe>>,
}

struct Probe {
    state: u32,
    g: u32,
    last: Option<ArenaMove>,
    siblings: u32,
}

/// Number of nodes per board, besides its start.
const NODES: usize = 12;
/// Maximum number of boards that are probed.
const BOARDS: usize = 64;

impl Probes {
    /// Selects the start of each board and nodes on random walks from it.
    pub fn new(boards: &[TrainingBoard]) -> Probes {
        let nodes = boards.iter().take(BOARDS).enumerate().map(|(number, board)| {
            let arena = &board.arena;
            let mut rng = stream(0, 0, number as u32);
            let mut probes = vec![Probe { state: arena.start(), g: 0, last: None, siblings: 0 }];
            let (mut state, mut moves, mut g) = (arena.start(), Vec::new(), 0);
            while probes.len() <= NODES {
                moves.clear();
                arena.moves(&state, &mut moves);
                if moves.is_empty() || arena.is_goal(&state) {
                    (state, g) = (arena.start(), 0);
                    if moves.is_empty() {
                        break;
                    }
                    continue;
                }
                let last = moves[rng.random_range(0..moves.len())];
                arena.apply(&mut state, last);
                g += 1;
                if rng.random_bool(0.2) {
                    probes.push(Probe { state, g, last: Some(last), siblings: moves.len() as u32 });
                }
            }
            probes
        });
        Probes { nodes: nodes.collect() }
    }

    /// Returns a hash of the policy's estimates at all nodes or, with `by_rank`, of the order that they give the nodes of each
    /// board. Policies with the same behaviour have the same hash.
    pub fn behaviour(&self, boards: &[TrainingBoard], program: &Program, by_rank: bool) -> u64 {
        let mut hash = StableHash::new();
        let mut ranked: Vec<(u64, usize)> = Vec::new();
        for (probes, board) in self.nodes.iter().zip(boards) {
            ranked.clear();
            for (place, probe) in probes.iter().enumerate() {
                let number = value(&board.arena, probe, program);
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

fn value(arena: &Arena, probe: &Probe, program: &Program) -> f64 {
    let node = Node { state: &probe.state, g: probe.g, last: probe.last, siblings: probe.siblings };
    program.value(&mut ArenaSource { arena, node: &node })
}
