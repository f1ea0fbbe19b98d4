//! Writes the suites that policies are tested on, and one that they are trained on. The 6x6 boards come from the suites of the
//! catalogue, the 8x8 boards from files of candidates:
//!
//! ```text
//! clearway forge random --size 8 --cars 9 --trucks 5 --count 20000 --seed 8101 | sort -k1,1rn -k2 | head -40 > sparse-14.txt
//! clearway forge backward --size 8 --from 15 --to 60 --count 60 --seed 8103 > backward.txt
//! for t in 30 40 45 50 55 60 65 70 75 80 85 90 215 220 225 235 242 248 252 258 262 268 272 278 282; do
//!     clearway forge climb --size 8 --target $((t % 200)) --seed $((8200 + t)) --evaluations 60000 --largest 300000 --lanes 1 --out climb-$t.tsv
//! done
//! cargo run --release -p clearway-lab --example held_out_suites -- crates/rush/suites sparse-14.txt backward.txt climb-*.tsv
//! ```

use clearway_forge::{Rng, rng, turn};
use clearway_lab::ConfiguredAlgorithm;
use clearway_rush::formats::{self, Format, KnownLength, Puzzle, ReadOptions, Reader, Writer};
use clearway_rush::heuristics::HeuristicContext;
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, Orientation, RushDomain, Side, Solver};
use clearway_search::{Domain, Limits};
use rand::RngExt;
use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write as _;
use std::fs::File;
use std::io::BufReader;
use std::ops::RangeInclusive;
use std::path::Path;

/// Accepted lengths of 6x6 boards, in moves.
const SMALL: RangeInclusive<u32> = 10..=51;
/// Number of 6x6 boards for tests and for training.
const SMALL_TEST: usize = 60;
const SMALL_TRAIN: usize = 200;
/// Accepted lengths of 8x8 test boards, in moves, and their number.
const LARGE: RangeInclusive<u32> = 15..=100;
const LARGE_TEST: usize = 30;
/// Maximum number of nodes of iterative deepening, and of states of the component, of an 8x8 board.
const NODES: u64 = 20_000_000;
const STATES: u64 = 3_000_000;
/// Maximum number of vehicles of a sparse board.
const SPARSE: usize = 16;
/// Seed of the random starts, and their minimum distance from a solution.
const SEED: u64 = 2026;
const NEAREST: u32 = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, candidates @ ..] = &arguments[..] else { return Err("expected: FOLDER CANDIDATES...".into()) };
    let write = |name: &str, about: &str, prefix: &str, boards: &[Board]| -> Result<(), Box<dyn Error>> {
        eprintln!("{name}: {} boards", boards.len());
        Ok(std::fs::write(Path::new(folder).join(format!("{name}.tsv")), suite(about, prefix, boards)?)?)
    };
    let starts =
        format!("a random state of its component as the start, at least {NEAREST} moves from a solution, seed {SEED}");

    let (test, train) = small();
    write(
        "test-6x6",
        "Boards of 6x6 to test policies with, 10 to 51 moves, minimal puzzles of the catalogue; of layouts that are neither in train-6x6 nor, where there are others of the same length, in hard-steps-200 and cards",
        "P",
        &test,
    )?;
    write("test-6x6-random", &format!("The boards of test-6x6, each with {starts}"), "R", &random_starts(&test)?)?;
    write(
        "train-6x6",
        "Boards of 6x6 to learn from, 10 to 51 moves, minimal puzzles of the catalogue, of layouts that are neither in test-6x6 nor among the cards",
        "L",
        &train,
    )?;

    let test = large(candidates)?;
    write(
        "test-8x8",
        "Boards of 8x8 to test policies with, sparse and dense, each at the hardest state of its component and of a layout that is in no other suite; found by clearway forge",
        "Q",
        &test,
    )?;
    write("test-8x8-random", &format!("The boards of test-8x8, each with {starts}"), "V", &random_starts(&test)?)?;
    Ok(())
}

/// Returns the 6x6 boards for tests, and those for training.
fn small() -> (Vec<Board>, Vec<Board>) {
    let of = |names: &[&str]| -> Vec<Puzzle> { names.iter().flat_map(|name| puzzles(name)).collect() };
    let reserved = vehicle_lines_of(&of(&["cards", "hard-steps-200"]));
    let cards = vehicle_lines_of(&of(&["cards"]));
    let within = |puzzle: &Puzzle| SMALL.contains(&moves(puzzle));
    let sample: Vec<Puzzle> = of(&["catalogue-sample"]).into_iter().filter(within).collect();
    // If every board of a length is reserved, one that is not a card is used; if all of them are cards, a card.
    let test = spread(SMALL, SMALL_TEST, |length, used| {
        let of_length =
            || sample.iter().filter(|puzzle| moves(puzzle) == length && !used.contains(&vehicle_lines(&puzzle.board)));
        let outside =
            |taken: &HashSet<VehicleLines>| of_length().find(|puzzle| !taken.contains(&vehicle_lines(&puzzle.board)));
        outside(&reserved).or_else(|| outside(&cards)).or_else(|| of_length().next()).map(|puzzle| puzzle.board.clone())
    });
    let tested: HashSet<VehicleLines> = test.iter().map(vehicle_lines).chain(cards).collect();
    let mut others = sample;
    others.extend(of(&["hard-moves-200", "hard-steps-200"]).into_iter().filter(within));
    let train = spread(SMALL, SMALL_TRAIN, |length, used| {
        let is_new =
            |p: &&Puzzle| !tested.contains(&vehicle_lines(&p.board)) && !used.contains(&vehicle_lines(&p.board));
        others.iter().filter(|p| moves(p) == length).find(is_new).map(|p| p.board.clone())
    });
    (test, train)
}

/// Returns the 8x8 boards for tests.
fn large(files: &[String]) -> Result<Vec<Board>, Box<dyn Error>> {
    let known: Vec<Puzzle> = ["sample-8x8", "hard-8x8", "train-8x8"].iter().flat_map(|name| puzzles(name)).collect();
    let mut seen = vehicle_lines_of(&known);
    let (mut solver, mut candidates) = (Solver::new(), Vec::new());
    for path in files {
        let options = ReadOptions { source_name: path.clone(), ..ReadOptions::default() };
        for puzzle in Reader::new(BufReader::new(File::open(path)?), options) {
            let board = puzzle?.board;
            let limits = Limits { nodes: Some(STATES), ..Limits::default() };
            let Some(hardest) = solver.hardest(&board, Metric::Moves, &limits) else { continue };
            if LARGE.contains(&hardest.depth) && seen.insert(vehicle_lines(&board)) {
                candidates.push((hardest.depth, board.with_positions(&hardest.way[0])?));
            }
        }
    }
    eprintln!("{} candidates of 8x8", candidates.len());
    let is_sparse = |board: &Board| board.vehicles().len() <= SPARSE;
    let mut prefer_sparse = false;
    Ok(spread(LARGE, LARGE_TEST, |length, used| {
        prefer_sparse = !prefer_sparse;
        // The nearest length; a sparse board may be a little off.
        let mut order: Vec<_> = candidates.iter().filter(|(_, board)| !used.contains(&vehicle_lines(board))).collect();
        order.sort_by_key(|(moves, board)| {
            moves.abs_diff(length) + if is_sparse(board) == prefer_sparse { 0 } else { 4 }
        });
        order.iter().map(|(_, board)| board).find(|board| nodes(board, Some(NODES)).is_some()).cloned()
    }))
}

/// Chooses boards evenly over the lengths, by `choose` among those whose lines of vehicles are not used yet. If a length has too
/// few, more boards of the next shorter lengths are chosen.
fn spread(
    lengths: RangeInclusive<u32>,
    count: usize,
    mut choose: impl FnMut(u32, &HashSet<VehicleLines>) -> Option<Board>,
) -> Vec<Board> {
    let (mut boards, mut used) = (Vec::new(), HashSet::new());
    let many = lengths.clone().count();
    // Starts with the longest, because there are few of them.
    for (place, length) in lengths.rev().enumerate() {
        while boards.len() < (place + 1) * count / many {
            let Some(board) = choose(length, &used) else { break };
            used.insert(vehicle_lines(&board));
            boards.push(board);
        }
    }
    boards.reverse();
    boards
}

/// The properties that no move changes: the exit's line, and the lines and lengths of the vehicles. They are the same for mirror
/// images.
type VehicleLines = (u8, Vec<(Orientation, u8, u8)>);

fn vehicle_lines(board: &Board) -> VehicleLines {
    let of = |board: &Board| {
        let mut vehicles = board.vehicles().to_vec();
        vehicles.sort_unstable_by_key(|v| (v.orientation, v.line(), v.position()));
        (board.exit_line(), vehicles.into_iter().map(|v| (v.orientation, v.line(), v.length)).collect())
    };
    let upright = turn::facing(board, Side::Right);
    of(&upright).min(of(&turn::flipped(&upright)))
}

fn vehicle_lines_of(puzzles: &[Puzzle]) -> HashSet<VehicleLines> {
    puzzles.iter().map(|puzzle| vehicle_lines(&puzzle.board)).collect()
}

fn puzzles(suite: &str) -> Vec<Puzzle> {
    Suite::find(suite).expect("the suite is embedded").puzzles()
}

fn moves(puzzle: &Puzzle) -> u32 {
    match puzzle.moves {
        Some(KnownLength::Exactly(moves)) => moves,
        _ => 0,
    }
}

/// Returns the same boards with random start states.
fn random_starts(boards: &[Board]) -> Result<Vec<Board>, Box<dyn Error>> {
    let mut solver = Solver::new();
    let mut starts = Vec::new();
    for (board, index) in boards.iter().zip(0..) {
        let domain = RushDomain::<2>::new(board, Metric::Moves).ok_or("a board has more than 32 vehicles")?;
        let states = states(&domain);
        let mut rng: Rng = rng::stream(SEED, index);
        let draw = || domain.board_at(&domain.state(states[rng.random_range(0..states.len())]));
        let far_enough = |start: &Board| solver.solve(start, Metric::Moves, &Limits::default()).lower_bound >= NEAREST;
        starts.push(std::iter::repeat_with(draw).find(far_enough).ok_or("no start is far enough")?);
    }
    Ok(starts)
}

/// Returns all reachable states.
fn states<D: Domain>(domain: &D) -> Vec<D::Key> {
    let mut states = vec![domain.key(&domain.start())];
    let mut seen: HashSet<D::Key> = states.iter().copied().collect();
    let (mut next, mut moves) = (0, Vec::new());
    while next < states.len() {
        let mut state = domain.state(states[next]);
        moves.clear();
        domain.moves(&state, &mut moves);
        for &mv in &moves {
            let key = domain.key_after(&mut state, mv);
            if seen.insert(key) {
                states.push(key);
            }
        }
        next += 1;
    }
    states
}

/// Returns the number of states that iterative deepening without a heuristic expands; `None` if it exceeds `most`.
fn nodes(board: &Board, most: Option<u64>) -> Option<u64> {
    let algorithm: ConfiguredAlgorithm = "id(increment=5)".parse().expect("an algorithm");
    let limits = Limits { nodes: Some(most.unwrap_or(u64::MAX)), ..Limits::default() };
    let outcome = algorithm.solve(board, Metric::Moves, &limits, &HeuristicContext::default());
    outcome.solution.map(|_| outcome.statistics.expanded)
}

fn suite(about: &str, prefix: &str, boards: &[Board]) -> Result<String, Box<dyn Error>> {
    let (mut solver, limits, mut writer) = (Solver::new(), Limits::default(), Writer::new(Format::Tsv));
    let mut text = format!(
        "# {about}; made by crates/lab/examples/held_out_suites.rs\n\
         # name\tsize\texit\tboard (row by row; . empty, x wall, A the target, other letters vehicles)\tmoves\tsteps\tnodes\n\
         # moves: a slide of any length counts 1; steps: one cell counts 1; both are proven optima; nodes: states that \
         iterative deepening without a heuristic expands, id(increment=5) of clearway compare\n"
    );
    for (number, board) in (1..).zip(boards) {
        let mut length = |metric| Some(KnownLength::Exactly(solver.solve(board, metric, &limits).lower_bound));
        let (moves, steps) = (length(Metric::Moves), length(Metric::Steps));
        let name = format!("{prefix}{number:0>width$}", width = if boards.len() < 100 { 2 } else { 3 });
        let line = writer.append(&Puzzle { name: Some(name), moves, steps, ..Puzzle::new(board.clone()) })?;
        let line = line.lines().rfind(|line| !line.starts_with('#')).unwrap_or_default();
        // As it will be read: its vehicles may be in another order, and so its moves, on which the search depends.
        let board = formats::read_one(line, Some(Format::Tsv))?.board;
        writeln!(text, "{line}\t{}", nodes(&board, None).ok_or("iterative deepening did not solve a board")?)?;
    }
    Ok(text)
}
