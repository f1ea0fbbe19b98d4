//! Programs as a problem of genetic programming.

use super::config::{Config, Learning};
use super::learning::Lesson;
use crate::heuristics::Paper;
use crate::program::primitives::{NUMBER, WHOLE, primitives};
use crate::program::{Compiled, Run};
use crate::{Board, Program, Puzzle, Size};
use clearway_gp::rng::stream;
use clearway_gp::{Genome, Judged, Judgement, Layout, Primitives, Problem, StableHash, Tree};
use serde::{Deserialize, Serialize};

/// Breeding programs on boards.
pub struct Breeding {
    pub(super) config: Config,
    primitives: Primitives,
    layout: Layout,
    goal: Puzzle,
}

/// What one generation hands on to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Tells the configuration of the run from others.
    fingerprint: u64,
    /// The seed of the boards of the present generation.
    sample: u64,
    /// These boards; made again from their seed where a run goes on.
    #[serde(skip)]
    puzzles: Vec<Puzzle>,
    /// Boards that the best of earlier generations did not solve, the latest last.
    hard: Vec<String>,
    /// Macros that were learned, the latest last.
    stock: Vec<Tree>,
    /// The best of each island with what they were taught.
    taught: Vec<(u32, Genome)>,
    /// What a board cost the best of the last generation, on the mean.
    usual: Option<f64>,
    /// The best of the generations so far, the latest last.
    pub(super) best: Vec<Genome>,
}

impl Memory {
    /// The boards that the last generation was judged on; none where a run has just been resumed.
    pub fn puzzles(&self) -> &[Puzzle] {
        &self.puzzles
    }
}

/// The run was begun with another configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the run was begun with another configuration")]
pub struct OtherConfig;

/// How many times as long as the longest solution an unsolved board counts.
const UNSOLVED: f64 = 4.0;
/// How much worse than the usual a program may be on the first boards to be shown the others.
const RACE: f64 = 1.3;
/// After how many boards that is asked.
const RACE_BOARDS: usize = 20;
/// How many macros are remembered.
const STOCK: usize = 60;
/// How many of the best of the generations are remembered.
const REMEMBERED: usize = 12;
/// Tells the seed of an examination from that of the boards that were learned from.
const EXAM: u64 = 0x5EED_0F7E_57B0_A2D5;

impl Breeding {
    /// Breeding on boards of a frame.
    ///
    /// # Panics
    /// Never: the goal reaches itself.
    pub fn new(config: Config, frame: Size) -> Breeding {
        let measure = config.learning.map(|_| NUMBER);
        Breeding {
            primitives: primitives(config.and, config.macros),
            layout: Layout {
                roots: [WHOLE].into_iter().chain(measure).collect(),
                groups: Vec::new(),
                depth: config.depth,
                size: config.size,
            },
            goal: Puzzle::new(Board::ordered(frame)).expect("the goal reaches itself"),
            config,
        }
    }

    /// Whether a run can go on with what was remembered.
    pub fn check(&self, memory: &Memory) -> Result<(), OtherConfig> {
        if memory.fingerprint == self.fingerprint() { Ok(()) } else { Err(OtherConfig) }
    }

    /// Tells configurations apart, but for the number of generations, of which a run may always make more.
    fn fingerprint(&self) -> u64 {
        let config = Config { generations: 0, ..self.config.clone() };
        let mut hash = StableHash::new();
        hash.text(&format!("{config:?}"));
        hash.finish()
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The puzzle that is solved already.
    pub fn goal(&self) -> &Puzzle {
        &self.goal
    }

    /// The boards that programs are judged on if they do not learn: always the same.
    pub fn boards(&self) -> Vec<Puzzle> {
        self.random_boards(self.config.boards, self.config.boards_seed)
    }

    /// So many random boards.
    pub fn random_boards(&self, count: usize, seed: u64) -> Vec<Puzzle> {
        let mut rng = stream(seed, 0, 0);
        (0..count).map(|_| self.goal.from_board(Board::random(self.goal.goal(), &mut rng))).collect()
    }

    /// The program of a genome.
    pub fn program(&self, genome: &Genome) -> Program {
        let tree = genome.trees.first().cloned().unwrap_or_default();
        Program { about: String::new(), style: self.config.style, measure: genome.trees.get(1).cloned(), tree }
    }

    /// What a board costs after a run: the paper's measure; for those who learn, the moves of a solution, and more than any
    /// for a board that is not solved.
    fn cost(&self, puzzle: &Puzzle, run: &Run) -> f64 {
        let left = Paper::of(puzzle, &run.board) as f64;
        match self.config.learning {
            None => left,
            Some(_) if run.solved => run.direct().len().min(self.config.moves) as f64,
            Some(_) => UNSOLVED * self.config.moves as f64 + left,
        }
    }

    /// Teaches the best of each island; at the end of a term by an examination on boards that they have not seen.
    fn teach(&self, order: &[&Judged], learning: Learning, exam: bool, memory: &mut Memory) {
        let boards =
            if exam { self.random_boards(learning.exam, memory.sample ^ EXAM) } else { memory.puzzles.clone() };
        let most = if exam { 1 } else { learning.pupils };
        let mut pupils: Vec<(u32, &Genome)> = Vec::new();
        for Judged { island, genome, .. } in order {
            let room = pupils.iter().filter(|(other, _)| other == island).count() < most;
            if room && !pupils.iter().any(|(_, other)| *other == genome) {
                pupils.push((*island, genome));
            }
        }
        memory.taught.clear();
        for (place, (island, genome)) in pupils.into_iter().enumerate() {
            let lesson = Lesson::new(&self.program(genome), &boards, self.config.moves, learning, exam);
            let mut taught = genome.clone();
            taught.trees[0] = lesson.program();
            memory.taught.push((island, taught));
            for tree in lesson.ways {
                memory.stock.retain(|other| *other != tree);
                memory.stock.push(tree);
            }
            // What the best of all does not solve is among the next boards.
            if exam && place == 0 {
                let failed = lesson.failed.iter().take(self.config.boards / 4);
                memory.hard.extend(failed.map(ToString::to_string));
            }
        }
        let extra = memory.stock.len().saturating_sub(STOCK);
        memory.stock.drain(..extra);
        let extra = memory.hard.len().saturating_sub(self.config.boards / 2);
        memory.hard.drain(..extra);
    }
}

impl Problem for Breeding {
    type Memory = Memory;

    fn primitives(&self) -> &Primitives {
        &self.primitives
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn memory(&self) -> Memory {
        Memory { fingerprint: self.fingerprint(), ..Memory::default() }
    }

    fn stock(memory: &Memory) -> &[Tree] {
        &memory.stock
    }

    fn immigrants(&self, memory: &Memory, island: u32) -> Vec<Genome> {
        memory.taught.iter().filter(|(home, _)| *home == island).map(|(_, genome)| genome.clone()).collect()
    }

    fn begin(&self, memory: &mut Memory, generation: u32, seed: u64) {
        let Config { boards, boards_seed, learning, .. } = self.config;
        match learning {
            None => memory.sample = boards_seed,
            Some(Learning { term, .. }) if generation.is_multiple_of(term.max(1)) => {
                memory.sample = seed;
                memory.puzzles.clear();
            }
            Some(_) => {}
        }
        if memory.puzzles.is_empty() {
            let fresh = self.random_boards(boards.saturating_sub(memory.hard.len()), memory.sample);
            // A board on one line does not tell a frame that is high from one that is wide.
            let frame = self.goal.goal().size();
            let hard = memory.hard.iter().filter_map(|text| Board::new(frame, Board::parse(text).ok()?.cells()));
            memory.puzzles = hard.map(|board| self.goal.from_board(board)).chain(fresh).collect();
        }
    }

    fn judge(&self, memory: &Memory, genome: &Genome) -> Judgement {
        let program = Compiled::of(&genome.trees[0], genome.trees.get(1), self.config.style);
        let mut cases: Vec<f64> = Vec::with_capacity(memory.puzzles.len());
        for puzzle in &memory.puzzles {
            cases.push(-self.cost(puzzle, &program.run(puzzle, self.config.moves)));
            let behind = |usual: f64| -cases.iter().sum::<f64>() > RACE * usual * cases.len() as f64;
            if cases.len() == RACE_BOARDS && self.config.learning.is_some() && memory.usual.is_some_and(behind) {
                break;
            }
        }
        let score = cases.iter().sum::<f64>() / cases.len().max(1) as f64;
        Judgement { score, evaluations: cases.len() as u64, cases, ..Judgement::default() }
    }

    fn end(&self, memory: &mut Memory, generation: u32, population: &[Judged]) {
        let mut order: Vec<&Judged> = population.iter().collect();
        order.sort_by(|a, b| b.judgement.score.total_cmp(&a.judgement.score));
        let (Some(best), Some(learning)) = (order.first(), self.config.learning) else { return };
        memory.usual = Some(-best.judgement.score);
        memory.best.retain(|genome| *genome != best.genome);
        memory.best.push(best.genome.clone());
        let extra = memory.best.len().saturating_sub(REMEMBERED);
        memory.best.drain(..extra);
        let exam = (generation + 1).is_multiple_of(learning.term.max(1));
        self.teach(&order, learning, exam, memory);
    }
}
