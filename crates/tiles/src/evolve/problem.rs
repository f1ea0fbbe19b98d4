//! Programs as a problem of genetic programming.

use super::config::{Config, Learning};
use super::learning::Lesson;
use crate::heuristics::PaperMeasure;
use crate::program::primitives::{NUMBER, WHOLE, primitives};
use crate::program::{CompiledProgram, Run};
use crate::{Board, Program, Puzzle, Size};
use clearway_gp::rng::stream;
use clearway_gp::{EvaluatedIndividual, Fitness, Genome, GenomeLayout, Problem, Representation, Tree};
use clearway_util::hash::StableHash;
use serde::{Deserialize, Serialize};

/// Evolution of programs for boards of one size, as a [`Problem`] of genetic programming.
pub struct ProgramProblem {
    pub(super) config: Config,
    representation: Representation,
    goal: Puzzle,
}

/// State that is carried from one generation to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Hash of the configuration of the run.
    fingerprint: u64,
    /// Seed of the boards of the current generation.
    sample: u64,
    /// Boards of the current generation; generated again from their seed when a run is resumed.
    #[serde(skip)]
    puzzles: Vec<Puzzle>,
    /// Boards that the best of previous generations did not solve, the latest last.
    hard: Vec<String>,
    /// Learned macros, the latest last.
    stock: Vec<Tree>,
    /// Best programs of each island (by number), with learned macros added.
    taught: Vec<(u32, Genome)>,
    /// Mean cost of a board for the best of the previous generation.
    usual: Option<f64>,
    /// Hall of fame: the best of each recent generation, the latest last.
    pub(super) best: Vec<Genome>,
}

impl Memory {
    /// Boards that the last generation was evaluated on; empty if the run has just been resumed.
    pub fn puzzles(&self) -> &[Puzzle] {
        &self.puzzles
    }
}

/// Error: the run was started with a different configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the run was started with a different configuration")]
pub struct ConfigMismatch;

/// Cost of an unsolved board, as a multiple of the maximum number of moves.
const UNSOLVED_FACTOR: f64 = 4.0;
/// Factor by which a program may be worse on the first boards than the best of the previous generation before its evaluation is
/// stopped.
const RACE_FACTOR: f64 = 1.3;
/// Number of boards after which this is checked.
const RACE_BOARDS: usize = 20;
/// Maximum number of learned macros.
const STOCK_SIZE: usize = 60;
/// Maximum number of programs in the hall of fame.
const HALL_OF_FAME_SIZE: usize = 12;
/// Separates the seed of an examination from that of the training boards.
const EXAM_SEED: u64 = 0x5EED_0F7E_57B0_A2D5;

impl ProgramProblem {
    /// Creates the problem for boards of a size.
    ///
    /// # Panics
    /// Never: the goal reaches itself.
    pub fn new(config: Config, frame: Size) -> ProgramProblem {
        let measure = config.learning.map(|_| NUMBER);
        ProgramProblem {
            representation: Representation {
                primitives: primitives(config.and, config.macros),
                layout: GenomeLayout {
                    roots: [WHOLE].into_iter().chain(measure).collect(),
                    groups: Vec::new(),
                    depth: config.depth,
                    size: config.size,
                },
            },
            goal: Puzzle::new(Board::ordered(frame)).expect("the goal reaches itself"),
            config,
        }
    }

    /// Checks that a run can be resumed with a stored memory.
    pub fn check(&self, memory: &Memory) -> Result<(), ConfigMismatch> {
        if memory.fingerprint == self.fingerprint() { Ok(()) } else { Err(ConfigMismatch) }
    }

    /// Hash of the configuration, except for the number of generations, which may change when a run is resumed.
    fn fingerprint(&self) -> u64 {
        let config = Config { generations: 0, ..self.config.clone() };
        let mut hash = StableHash::new();
        hash.text(&format!("{config:?}"));
        hash.finish()
    }

    /// Configuration of the run.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The solved puzzle, whose start is the goal.
    pub fn goal(&self) -> &Puzzle {
        &self.goal
    }

    /// Returns the fixed boards that programs are evaluated on if they do not learn.
    pub fn boards(&self) -> Vec<Puzzle> {
        self.random_boards(self.config.boards, self.config.boards_seed)
    }

    /// Returns `count` random boards.
    pub fn random_boards(&self, count: usize, seed: u64) -> Vec<Puzzle> {
        let mut rng = stream(seed, 0, 0);
        (0..count).map(|_| self.goal.with_start(Board::random(self.goal.goal(), &mut rng))).collect()
    }

    /// Decodes a genome.
    pub fn program(&self, genome: &Genome) -> Program {
        let tree = genome.trees.first().cloned().unwrap_or_default();
        Program { about: String::new(), style: self.config.style, measure: genome.trees.get(1).cloned(), tree }
    }

    /// Cost of a board after a run. Without learning, this is the measure of the paper. With learning, it is the number of moves
    /// of the solution, or more than that of any solution if the board is not solved.
    fn cost(&self, puzzle: &Puzzle, run: &Run) -> f64 {
        let left = PaperMeasure::evaluate(puzzle, &run.board) as f64;
        match self.config.learning {
            None => left,
            Some(_) if run.solved => run.direct().len().min(self.config.moves) as f64,
            Some(_) => UNSOLVED_FACTOR * self.config.moves as f64 + left,
        }
    }

    /// Teaches macros to the best programs of each island, either on the training boards or, at the end of a term (`exam`), on
    /// new boards.
    fn teach(&self, order: &[&EvaluatedIndividual], learning: Learning, exam: bool, memory: &mut Memory) {
        let boards =
            if exam { self.random_boards(learning.exam, memory.sample ^ EXAM_SEED) } else { memory.puzzles.clone() };
        let max_pupils = if exam { 1 } else { learning.pupils };
        let mut pupils: Vec<(u32, &Genome)> = Vec::new();
        for EvaluatedIndividual { island, genome, .. } in order {
            let room = pupils.iter().filter(|(other, _)| other == island).count() < max_pupils;
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
            for tree in lesson.macros {
                memory.stock.retain(|other| *other != tree);
                memory.stock.push(tree);
            }
            // Boards that the best program does not solve are among the next training boards.
            if exam && place == 0 {
                let failed = lesson.failed.iter().take(self.config.boards / 4);
                memory.hard.extend(failed.map(ToString::to_string));
            }
        }
        let extra = memory.stock.len().saturating_sub(STOCK_SIZE);
        memory.stock.drain(..extra);
        let extra = memory.hard.len().saturating_sub(self.config.boards / 2);
        memory.hard.drain(..extra);
    }
}

impl Problem for ProgramProblem {
    type Memory = Memory;

    fn representation(&self) -> &Representation {
        &self.representation
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
            // The text of a board on one line does not distinguish a tall size from a wide one.
            let frame = self.goal.goal().size();
            let hard = memory.hard.iter().filter_map(|text| Board::new(frame, Board::parse(text).ok()?.cells()));
            memory.puzzles = hard.map(|board| self.goal.with_start(board)).chain(fresh).collect();
        }
    }

    fn evaluate(&self, memory: &Memory, genome: &Genome) -> Fitness {
        let program = CompiledProgram::from_trees(&genome.trees[0], genome.trees.get(1), self.config.style);
        let mut cases: Vec<f64> = Vec::with_capacity(memory.puzzles.len());
        for puzzle in &memory.puzzles {
            cases.push(-self.cost(puzzle, &program.run(puzzle, self.config.moves)));
            let behind = |usual: f64| -cases.iter().sum::<f64>() > RACE_FACTOR * usual * cases.len() as f64;
            if cases.len() == RACE_BOARDS && self.config.learning.is_some() && memory.usual.is_some_and(behind) {
                break;
            }
        }
        let score = cases.iter().sum::<f64>() / cases.len().max(1) as f64;
        Fitness { score, evaluations: cases.len() as u64, cases, ..Fitness::default() }
    }

    fn end(&self, memory: &mut Memory, generation: u32, population: &[EvaluatedIndividual]) {
        let mut order: Vec<&EvaluatedIndividual> = population.iter().collect();
        order.sort_by(|a, b| b.fitness.score.total_cmp(&a.fitness.score));
        let (Some(best), Some(learning)) = (order.first(), self.config.learning) else { return };
        memory.usual = Some(-best.fitness.score);
        memory.best.retain(|genome| *genome != best.genome);
        memory.best.push(best.genome.clone());
        let extra = memory.best.len().saturating_sub(HALL_OF_FAME_SIZE);
        memory.best.drain(..extra);
        let exam = (generation + 1).is_multiple_of(learning.term.max(1));
        self.teach(&order, learning, exam, memory);
    }
}
