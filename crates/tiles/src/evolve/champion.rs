//! The best program of a run, and how it does on many boards.

use super::breeding::{Breeding, Memory};
use super::config::Learning;
use super::learning::Lesson;
use crate::exact::Exact;
use crate::program::{Compiled, Rounds, Run};
use crate::{Program, Puzzle};
use clearway_gp::{Genome, Judged, Problem, parallel};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// How a program does on boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Exam {
    /// Boards.
    pub boards: usize,
    /// Those that it solves.
    pub solved: usize,
    /// The moves of all its solutions.
    pub moves: usize,
    /// The moves of the longest.
    pub longest: usize,
}

impl Exam {
    /// Examines a program on boards with several threads. Solutions are replayed by code that no program shares: what does
    /// not lead to the goal is not solved. None if the flag was set before the end.
    pub fn new(
        program: &Program,
        boards: &[Puzzle],
        most_moves: usize,
        threads: usize,
        cancel: &AtomicBool,
    ) -> Option<Exam> {
        let compiled = Compiled::new(program);
        let parts: Vec<&[Puzzle]> = boards.chunks(CHUNK).collect();
        let exams = parallel::map(threads, &parts, cancel, |part| {
            part.iter().fold(Exam::default(), |exam, puzzle| exam.with(puzzle, &compiled.run(puzzle, most_moves)))
        })?;
        Some(exams.into_iter().fold(Exam::default(), Exam::and))
    }

    /// The same for boards that no move leaves, such as all boards of a frame: several times as fast.
    pub fn of_all(
        program: &Program,
        boards: &[Puzzle],
        most_moves: usize,
        threads: usize,
        cancel: &AtomicBool,
    ) -> Option<Exam> {
        let rounds = Rounds::new(&Compiled::new(program), boards, threads, cancel)?;
        let runs = boards.iter().map(|puzzle| (puzzle, rounds.run(puzzle.board(), most_moves)));
        Some(runs.fold(Exam::default(), |exam, (puzzle, run)| exam.with(puzzle, &run)))
    }

    fn with(self, puzzle: &Puzzle, run: &Run) -> Exam {
        let solution = run.direct();
        let solved = crate::moves::replay(puzzle.board(), &solution).as_ref() == Ok(puzzle.goal());
        let moves = if solved { solution.len() } else { 0 };
        self.and(Exam { boards: 1, solved: usize::from(solved), moves, longest: moves })
    }

    fn and(self, other: Exam) -> Exam {
        Exam {
            boards: self.boards + other.boards,
            solved: self.solved + other.solved,
            moves: self.moves + other.moves,
            longest: self.longest.max(other.longest),
        }
    }

    /// The mean length of its solutions; 0 if there is none.
    pub fn mean_length(&self) -> f64 {
        self.moves as f64 / self.solved.max(1) as f64
    }
}

/// How many boards a thread takes at once.
const CHUNK: usize = 64;
/// On how many boards champions are compared.
const TRIAL: usize = 2_000;
/// Tells the seed of these boards from all others.
const TRIAL_SEED: u64 = 0xC4A3_9107_0B0A_2D5E;
/// How many examinations a champion sits at most.
const GRADUATIONS: u64 = 30;
/// Tells the seed of these boards from all others.
const GRADUATION_SEED: u64 = 0x6B7A_D0A7_E5EE_D001;

impl Breeding {
    /// The best of a run, of the best of its generations and the last population: who solves most boards that none of them
    /// was bred on, and of these who makes the fewest moves; it then learns on until it fails no more. None without a population, or if the flag was set.
    pub fn champion(
        &self,
        memory: &Memory,
        population: &[Judged],
        threads: usize,
        cancel: &AtomicBool,
    ) -> Option<Program> {
        let best = population.iter().max_by(|a, b| a.judgement.score.total_cmp(&b.judgement.score))?;
        let boards = self.random_boards(TRIAL, self.config.evolution.seed ^ TRIAL_SEED);
        let mut champion: Option<(Exam, &Genome)> = None;
        for genome in memory.best.iter().chain([&best.genome]) {
            let exam = Exam::new(&self.program(genome), &boards, self.config.moves, threads, cancel)?;
            let beats = |other: &Exam| (exam.solved, other.moves) > (other.solved, exam.moves);
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

    /// A program that learns on until it solves all boards of two examinations one after the other, or has sat so many.
    fn graduate(&self, mut program: Program, learning: Learning, cancel: &AtomicBool) -> Program {
        let seed = self.config.evolution.seed ^ GRADUATION_SEED;
        let mut passed = 0;
        for round in 0..GRADUATIONS {
            let boards = self.random_boards(learning.graduation, seed.wrapping_add(round));
            let lesson = Lesson::new(&program, &boards, self.config.moves, learning, false);
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

    /// The program without parts that are of no use on any of the boards. It does the same on all of them.
    pub fn without_useless(&self, program: &Program, boards: &[Puzzle]) -> Program {
        let useful = Lesson::of_use(program, boards, self.config.moves);
        Program { tree: useful, ..program.clone() }
    }

    /// All boards from which the goal can be reached, of a frame with at most nine cells; none for larger ones.
    pub fn all_boards(&self) -> Option<Vec<Puzzle>> {
        let exact = Exact::new(self.goal().goal())?;
        Some(exact.boards().map(|board| self.goal().from_board(board)).collect())
    }
}
