//! The boards that the benches run on: the list, kept in a file once it is made, and as many of its kind as wanted.

use crate::catalogue::{self, LONGEST, Plan, all_cores, on_threads, puzzle, wander};
use crate::random::Random;
use clearway_rush::formats::{self, Format, Known, Puzzle, ReadOptions, Reader};
use clearway_rush::{Board, Metric};
use clearway_search::Limits;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

/// The order of the list, and its walks to other states.
const SEED: u64 = 51;
/// The list has at least so many boards.
pub const AT_LEAST: usize = 3_000;

/// The list: different 6x6 boards without walls of 1 to 51 moves, each with its optimum, in a random but fixed order.
///
/// It is made with a fixed seed, and kept in the target directory under a name that depends on the code that makes it.
///
/// # Panics
/// If the code that makes it, or the solver, is changed so that the list becomes too short or lacks a length.
pub fn list() -> io::Result<Vec<Puzzle>> {
    let path = scratch()?.join(format!("list-{:016x}.txt", fingerprint()));
    if let Ok(kept) = read(&path) {
        return Ok(kept);
    }
    let mut list = catalogue::make(Plan::FULL, all_cores());
    assert!(list.len() >= AT_LEAST, "only {} boards were found", list.len());
    for length in 1..=LONGEST as u32 {
        assert!(list.iter().any(|puzzle| puzzle.moves == Some(Known::Exactly(length))), "no board of {length} moves");
    }
    Random::new(SEED, 0).shuffle(&mut list);
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    write(&temporary, &list)?;
    fs::rename(&temporary, &path)?;
    Ok(list)
}

/// So many boards of the list's kind: the list, then other states of its components, all different.
pub fn many(count: usize) -> io::Result<Vec<Puzzle>> {
    let mut boards = list()?;
    let mut seen: HashSet<String> = boards.iter().map(|puzzle| formats::line(&puzzle.board)).collect();
    let starts: Vec<Board> = boards.iter().map(|puzzle| puzzle.board.clone()).collect();
    let mut round = 0;
    while boards.len() < count {
        // A walk from every board of the list, farther from round to round; solved states and known ones are passed over.
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
            return Err(io::Error::other(format!("no more than {before} boards of this kind were found")));
        }
        round += 1;
    }
    boards.truncate(count);
    Ok(boards)
}

/// Writes boards in the line format.
pub fn write(path: &Path, boards: &[Puzzle]) -> io::Result<()> {
    let mut file = io::BufWriter::new(File::create(path)?);
    for puzzle in boards {
        file.write_all(formats::write(puzzle, Format::Line).map_err(io::Error::other)?.as_bytes())?;
    }
    file.flush()
}

fn read(path: &Path) -> io::Result<Vec<Puzzle>> {
    let options = ReadOptions { format: Some(Format::Line), ..ReadOptions::default() };
    Reader::new(BufReader::new(File::open(path)?), options).map(|puzzle| puzzle.map_err(io::Error::other)).collect()
}

/// Where the benches keep their files: in cargo's target directory, which has the running program in it.
pub fn scratch() -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    let target = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").exists());
    let scratch = target.map_or_else(std::env::temp_dir, Path::to_path_buf).join("clearway-benches");
    fs::create_dir_all(&scratch)?;
    Ok(scratch)
}

/// A hash of the code that makes the list.
fn fingerprint() -> u64 {
    let (own, catalogue) = (include_str!("boards.rs"), include_str!("catalogue.rs"));
    let sources = [own, catalogue, include_str!("layout.rs"), include_str!("random.rs")];
    let bytes = sources.iter().flat_map(|source| source.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
