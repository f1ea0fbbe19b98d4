//! Programs as a problem of genetic programming.

use super::config::{Config, Learning};
use super::learning::Lesson;
use crate::heuristics::PaperMeasure;
use crate::program::primitives::{FEATURES, FIRST_FEATURE, NUMBER, NUMBER_CONSTANT, PLUS, TIMES, WHOLE, primitives};
use crate::program::{CompiledProgram, Execution};
use crate::{Board, Program, Puzzle, Size};
use clearway_gp::rng::{Rng, stream};
use clearway_gp::{EvaluatedIndividual, Fitness, Genome, GenomeLayout, Node, Problem, Representation, Tree};
use clearway_util::hash::StableHash;
use rand::RngExt;
use rand::seq::index;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// Evolution of programs for boards of one size, as a [`Problem`] of genetic programming.
pub struct ProgramProblem {
    pub(super) config: Config,
    representation: Representation,
    goal: Puzzle,
}

/// State that is carried from one generation to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProgramEvolutionState {
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

impl ProgramEvolutionState {
    /// Boards that the last generation was evaluated on; empty if the run has just been resumed.
    pub fn puzzles(&self) -> &[Puzzle] {
        &self.puzzles
    }
}

/// Error: the run was started with a different configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("the run was started with a different configuration")]
#[non_exhaustive]
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
/// Separates the seed of the founders from all others.
const FOUNDER_SEED: u64 = 0xF0D9_3A55_0B5E_CA11;
/// Number of boards on which all programs of the first generation are taught if macros keep tiles in order.
const FIRST_BOARDS: usize = 20;

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
    pub fn check(&self, memory: &ProgramEvolutionState) -> Result<(), ConfigMismatch> {
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
    fn cost(&self, puzzle: &Puzzle, run: &Execution) -> f64 {
        let left = PaperMeasure::evaluate(puzzle, &run.board) as f64;
        match self.config.learning {
            None => left,
            Some(_) if run.solved => run.direct().len().min(self.config.moves) as f64,
            Some(_) => UNSOLVED_FACTOR * self.config.moves as f64 + left,
        }
    }

    /// Teaches macros to programs of each island: to the best ones on the training boards, to the best one at the end of a term on
    /// new boards, or to all of them on a few boards.
    fn teach(
        &self,
        order: &[&EvaluatedIndividual],
        learning: Learning,
        occasion: Occasion,
        memory: &mut ProgramEvolutionState,
        cancel: &AtomicBool,
    ) {
        let exam = occasion == Occasion::Exam;
        let (max_pupils, boards) = match occasion {
            Occasion::First => (usize::MAX, memory.puzzles.iter().take(FIRST_BOARDS).cloned().collect()),
            Occasion::Training => (learning.pupils, memory.puzzles.clone()),
            Occasion::Exam => (1, self.random_boards(learning.exam, memory.sample ^ EXAM_SEED)),
        };
        let mut pupils: Vec<(u32, &Genome)> = Vec::new();
        for EvaluatedIndividual { island, genome, .. } in order {
            let room = pupils.iter().filter(|(other, _)| other == island).count() < max_pupils;
            if room && !pupils.iter().any(|(_, other)| *other == genome) {
                pupils.push((*island, genome));
            }
        }
        memory.taught.clear();
        for (place, (island, genome)) in pupils.into_iter().enumerate() {
            let lesson = Lesson::new(&self.program(genome), &boards, self.config.moves, learning, exam, cancel);
            if cancel.load(Ordering::Relaxed) {
                return;
            }
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
    type Memory = ProgramEvolutionState;

    fn representation(&self) -> &Representation {
        &self.representation
    }

    fn memory(&self) -> ProgramEvolutionState {
        ProgramEvolutionState { fingerprint: self.fingerprint(), ..ProgramEvolutionState::default() }
    }

    /// If macros keep tiles in order, half of each island starts with the four moves and random weighted sums of features. Almost no
    /// random formula orders the tiles of a large board, and without an order there are more dead ends than a program can have
    /// macros.
    fn founders(&self, island: u32) -> Vec<Genome> {
        let options = &self.config.evolution;
        if self.config.learning.is_none_or(|learning| learning.ordered == 0) {
            return Vec::new();
        }
        let rng = &mut stream(options.seed ^ FOUNDER_SEED, 0, island);
        let moves = Lesson::single_moves();
        let count = options.population / options.islands.max(1) / 2;
        (0..count).map(|_| Genome { trees: vec![moves.clone(), random_measure(rng)] }).collect()
    }

    fn stock(memory: &ProgramEvolutionState) -> &[Tree] {
        &memory.stock
    }

    fn immigrants(&self, memory: &ProgramEvolutionState, island: u32) -> Vec<Genome> {
        memory.taught.iter().filter(|(home, _)| *home == island).map(|(_, genome)| genome.clone()).collect()
    }

    fn begin(&self, memory: &mut ProgramEvolutionState, generation: u32, seed: u64) {
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

    fn evaluate(&self, memory: &ProgramEvolutionState, genome: &Genome) -> Fitness {
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

    fn end(
        &self,
        memory: &mut ProgramEvolutionState,
        generation: u32,
        population: &[EvaluatedIndividual],
        cancel: &AtomicBool,
    ) {
        let mut order: Vec<&EvaluatedIndividual> = population.iter().collect();
        order.sort_by(|a, b| b.fitness.score.total_cmp(&a.fitness.score));
        let (Some(best), Some(learning)) = (order.first(), self.config.learning) else { return };
        memory.usual = Some(-best.fitness.score);
        memory.best.retain(|genome| *genome != best.genome);
        memory.best.push(best.genome.clone());
        let extra = memory.best.len().saturating_sub(HALL_OF_FAME_SIZE);
        memory.best.drain(..extra);
        let occasion = if (generation + 1).is_multiple_of(learning.term.max(1)) {
            Occasion::Exam
        } else if generation == 0 && learning.ordered > 0 {
            Occasion::First
        } else {
            Occasion::Training
        };
        self.teach(&order, learning, occasion, memory, cancel);
    }
}

/// When programs are taught.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Occasion {
    /// After the first generation, where few boards are solved, so that fitness is a poor measure of what a program can learn.
    First,
    /// After an ordinary generation.
    Training,
    /// At the end of a term.
    Exam,
}

/// Returns a random weighted sum of two to four features. The weights span four orders of magnitude, so that some features matter
/// only where others are equal.
fn random_measure(rng: &mut Rng) -> Tree {
    let count = rng.random_range(2..=4);
    let mut nodes = Vec::new();
    for (number, feature) in index::sample(rng, FEATURES.len(), count).into_iter().enumerate() {
        let magnitude = [0.1, 1.0, 10.0, 100.0][rng.random_range(0..4)];
        let weight = magnitude * f64::from(rng.random_range(1..=9));
        if number + 1 < count {
            nodes.push((PLUS, 0.0));
        }
        nodes.extend([(TIMES, 0.0), (NUMBER_CONSTANT, weight), (FIRST_FEATURE + feature as u16, 0.0)]);
    }
    Tree { nodes: nodes.into_iter().map(|(primitive, value)| Node { primitive, value }).collect() }
}
