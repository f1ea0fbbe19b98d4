//! The boards of the benches: the list, which is cached in a file, and any number of similar boards.

use crate::catalogue::{self, ClimbCounts, LONGEST, all_cores, on_threads, puzzle, wander};
use crate::random::Random;
use clearway_rush::formats::{self, Format, KnownLength, Puzzle, ReadOptions, Reader};
use clearway_rush::{Board, Metric};
use clearway_search::Limits;
use clearway_util::atomic;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

/// Seed of the order of the list, and of the random walks to other states.
const SEED: u64 = 51;
/// Minimum number of boards of the list.
pub const AT_LEAST: usize = 3_000;

/// Returns the list: different 6x6 boards without walls of 1 to 51 moves, each with its optimum, in a random but fixed order.
///
/// It is generated with a fixed seed, and cached in the target directory under a name that depends on the generating code.
///
/// # Panics
/// If a change of the generating code or the solver makes the list too short, or a length missing.
pub fn list() -> io::Result<Vec<Puzzle>> {
    let path = scratch()?.join(format!("list-{:016x}.txt", fingerprint()));
    if let Ok(cached) = read(&path) {
        return Ok(cached);
    }
    let mut list = catalogue::make(ClimbCounts::FULL, all_cores());
    assert!(list.len() >= AT_LEAST, "only {} boards were found", list.len());
    for length in 1..=LONGEST as u32 {
        assert!(
            list.iter().any(|puzzle| puzzle.moves == Some(KnownLength::Exactly(length))),
            "no board of {length} moves"
        );
    }
    Random::new(SEED, 0).shuffle(&mut list);
    write(&path, &list)?;
    Ok(list)
}

/// Returns `count` different boards: those of the list, then other states of their components.
pub fn many(count: usize) -> io::Result<Vec<Puzzle>> {
    let mut boards = list()?;
    let mut seen: HashSet<String> = boards.iter().map(|puzzle| formats::line(&puzzle.board)).collect();
    let starts: Vec<Board> = boards.iter().map(|puzzle| puzzle.board.clone()).collect();
    let mut round = 0;
    while boards.len() < count {
        // A random walk from every board of the list, longer in each round; solved and known states are skipped.
        let found = on_threads(starts.len(), all_cores(), |solver, index| {
            let mut random = Random::new(SEED, (round * starts.len() + index) as u64);
            let slides = 1 + random.below(8 + round);
            let board = wander(&starts[index], slides, &mut random).filter(|board| !board.is_solved())?;
            let length = solver.solve(&board, Metric::Moves, &Limits::default()).lower_bound;
            Some(puzzle(board, length))
        });
        let new = found.into_iter().flatten().filter(|puzzle| seen.insert(formats::line(&puzzle.board)));
        let before = boards.len();
        boards.extend(new);
        if boards.len() == before {
            return Err(io::Error::other(format!("only {before} boards of this kind were found")));
        }
        round += 1;
    }
    boards.truncate(count);
    Ok(boards)
}

/// Writes boards in the line format.
pub fn write(path: &Path, boards: &[Puzzle]) -> io::Result<()> {
    let lines: Result<String, _> = boards.iter().map(|puzzle| formats::write(puzzle, Format::Line)).collect();
    atomic::write(path, lines.map_err(io::Error::other)?)
}

fn read(path: &Path) -> io::Result<Vec<Puzzle>> {
    let options = ReadOptions { format: Some(Format::Line), ..ReadOptions::default() };
    Reader::new(BufReader::new(File::open(path)?), options).map(|puzzle| puzzle.map_err(io::Error::other)).collect()
}

/// Returns the folder for files of the benches, in the target directory of cargo, which contains the running program.
pub fn scratch() -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    let target = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").exists());
    let scratch = target.map_or_else(std::env::temp_dir, Path::to_path_buf).join("clearway-benches");
    fs::create_dir_all(&scratch)?;
    Ok(scratch)
}

/// Returns a hash of the code that generates the list.
fn fingerprint() -> u64 {
    let (own, catalogue) = (include_str!("boards.rs"), include_str!("catalogue.rs"));
    let sources = [own, catalogue, include_str!("board_draft.rs"), include_str!("random.rs")];
    let bytes = sources.iter().flat_map(|source| source.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
