//! The champion of a run, and the performance of programs on many boards.

use super::config::Learning;
use super::learning::Lesson;
use super::problem::{ProgramEvolutionState, ProgramProblem};
use crate::exact::DistanceTable;
use crate::program::{CompiledProgram, Execution, RoundTable};
use crate::{Program, Puzzle};
use clearway_gp::{EvaluatedIndividual, Genome, Problem};
use clearway_util::parallel;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// Performance of a program on a set of boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProgramPerformance {
    /// Number of boards.
    pub boards: usize,
    /// Number of boards solved.
    pub solved: usize,
    /// Total number of moves of all solutions.
    pub moves: usize,
    /// Number of moves of the longest solution.
    pub longest: usize,
}

impl ProgramPerformance {
    /// Runs a program on boards, on several threads. Solutions are verified by the independent replay; a board counts as solved
    /// only if its solution leads to the goal. `None` if `cancel` was set before the end.
    pub fn new(
        program: &Program,
        boards: &[Puzzle],
        max_moves: usize,
        threads: usize,
        cancel: &AtomicBool,
    ) -> Option<ProgramPerformance> {
        let compiled = CompiledProgram::new(program);
        let chunks: Vec<&[Puzzle]> = boards.chunks(CHUNK_SIZE).collect();
        let exams = parallel::map(threads, &chunks, cancel, |chunk| {
            chunk
                .iter()
                .fold(ProgramPerformance::default(), |exam, puzzle| exam.with(puzzle, &compiled.run(puzzle, max_moves)))
        })?;
        Some(exams.into_iter().fold(ProgramPerformance::default(), ProgramPerformance::and))
    }

    /// Does the same for a set of boards that is closed under moves, such as all boards of a size. This is several times as fast.
    pub fn for_closed_set(
        program: &Program,
        boards: &[Puzzle],
        max_moves: usize,
        threads: usize,
        cancel: &AtomicBool,
    ) -> Option<ProgramPerformance> {
        let rounds = RoundTable::new(&CompiledProgram::new(program), boards, threads, cancel)?;
        let runs = boards.iter().map(|puzzle| (puzzle, rounds.run(puzzle.board(), max_moves)));
        Some(runs.fold(ProgramPerformance::default(), |exam, (puzzle, run)| exam.with(puzzle, &run)))
    }

    fn with(self, puzzle: &Puzzle, run: &Execution) -> ProgramPerformance {
        let solution = run.direct();
        let solved = crate::moves::replay(puzzle.board(), &solution).as_ref() == Ok(puzzle.goal());
        let moves = if solved { solution.len() } else { 0 };
        self.and(ProgramPerformance { boards: 1, solved: usize::from(solved), moves, longest: moves })
    }

    fn and(self, other: ProgramPerformance) -> ProgramPerformance {
        ProgramPerformance {
            boards: self.boards + other.boards,
            solved: self.solved + other.solved,
            moves: self.moves + other.moves,
            longest: self.longest.max(other.longest),
        }
    }

    /// Mean length of the solutions; 0 if there are none.
    pub fn mean_length(&self) -> f64 {
        self.moves as f64 / self.solved.max(1) as f64
    }
}

/// Number of boards that a thread takes at a time.
const CHUNK_SIZE: usize = 64;
/// Number of boards on which candidates for the champion are compared.
const TRIAL_BOARDS: usize = 2_000;
/// Separates the seed of these boards from all others.
const TRIAL_SEED: u64 = 0xC4A3_9107_0B0A_2D5E;

impl ProgramProblem {
    /// Selects the champion of a run from the hall of fame and the last population: the program that solves the most boards of a
    /// new set and, among equals, makes the fewest moves. With learning, it then continues to learn until it passes its
    /// examinations. `None` if the population is empty or `cancel` was set.
    pub fn champion(
        &self,
        memory: &ProgramEvolutionState,
        population: &[EvaluatedIndividual],
        threads: usize,
        cancel: &AtomicBool,
    ) -> Option<Program> {
        let best = population.iter().max_by(|a, b| a.fitness.score.total_cmp(&b.fitness.score))?;
        let boards = self.random_boards(TRIAL_BOARDS, self.config.evolution.seed ^ TRIAL_SEED);
        let mut champion: Option<(ProgramPerformance, &Genome)> = None;
        for genome in memory.best.iter().chain([&best.genome]) {
            let exam = ProgramPerformance::new(&self.program(genome), &boards, self.config.moves, threads, cancel)?;
            let beats = |other: &ProgramPerformance| (exam.solved, other.moves) > (other.solved, exam.moves);
            if champion.as_ref().is_none_or(|(other, _)| beats(other)) {
                champion = Some((exam, genome));
            }
        }
        let program = champion.map(|(_, genome)| self.program(genome))?;
        Some(match self.config.learning {
            Some(learning) => self.graduate(program, learning, cancel),
            None => program,
        })
    }

    /// Lets a program learn until it solves all boards of two examinations in a row, or the maximum number of examinations is
    /// reached.
    fn graduate(&self, mut program: Program, learning: Learning, cancel: &AtomicBool) -> Program {
        const MAX_GRADUATIONS: u64 = 30;
        /// Separates the seed of the examination boards from all others.
        const GRADUATION_SEED: u64 = 0x6B7A_D0A7_E5EE_D001;
        let seed = self.config.evolution.seed ^ GRADUATION_SEED;
        let mut passed = 0;
        for round in 0..MAX_GRADUATIONS {
            let boards = self.random_boards(learning.graduation, seed.wrapping_add(round));
            let lesson = Lesson::new(&program, &boards, self.config.moves, learning, false, cancel);
            passed = if lesson.failed.is_empty() { passed + 1 } else { 0 };
            let taught = Genome { trees: [lesson.program()].into_iter().chain(program.measure.clone()).collect() };
            if passed == 2 || cancel.load(Ordering::Relaxed) || taught.check(self.primitives(), self.layout()).is_err()
            {
                break;
            }
            if passed == 0 {
                program = Program { about: program.about, ..self.program(&taught) };
            }
        }
        program
    }

    /// Removes the parts that are not used on any of the boards. The behaviour on these boards stays the same.
    pub fn without_unused_parts(&self, program: &Program, boards: &[Puzzle]) -> Program {
        let tree = Lesson::used_parts(program, boards, self.config.moves);
        Program { tree, ..program.clone() }
    }

    /// Returns all boards from which the goal is reachable, for sizes of at most nine cells; `None` for larger ones.
    pub fn all_boards(&self) -> Option<Vec<Puzzle>> {
        let exact = DistanceTable::new(self.goal().goal())?;
        Some(exact.boards().map(|board| self.goal().with_start(board)).collect())
    }
}
