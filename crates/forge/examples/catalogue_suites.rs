//! Generates suites from lists of the catalogue: the hardest puzzles by moves, the hardest by steps, and a sample of all
//! lengths.
//!
//! ```text
//! clearway forge enumerate --size 6 --representative first --out moves.txt
//! clearway forge enumerate --size 6 --metric steps --representative first --out steps.txt
//! cargo run --release -p clearway-forge --example catalogue_suites -- moves.txt steps.txt crates/rush/suites
//! ```

use clearway_rush::formats::{Format, KnownLength, Puzzle, ReadOptions, Reader, Writer};
use clearway_rush::{Metric, Solver};
use clearway_search::Limits;
use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Number of puzzles in a suite of the hardest.
const HARDEST: usize = 200;
/// Maximum number of puzzles of each length in the sample.
const MAX_PER_LENGTH: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [moves, steps, folder] = &arguments[..] else {
        return Err("usage: catalogue_suites MOVES.txt STEPS.txt FOLDER".into());
    };
    let (by_moves, by_steps) = (read(moves)?, read(steps)?);
    let write = |name: &str, about: &str, prefix: char, puzzles: Vec<&Puzzle>| -> Result<(), Box<dyn Error>> {
        let text = suite(about, prefix, puzzles)?;
        Ok(std::fs::write(Path::new(folder).join(format!("{name}.tsv")), text)?)
    };
    // The hardest puzzle is the first of a list, but the last of a suite.
    let hardest = |list: &[Puzzle]| -> Vec<usize> { (0..list.len().min(HARDEST)).rev().collect() };
    let about = "The 200 minimal puzzles of 6x6 with the most moves, from the complete catalogue, the hardest last";
    write("hard-moves-200", about, 'M', at(&by_moves, hardest(&by_moves)))?;
    let about = "The 200 minimal puzzles of 6x6 with the most steps, from the complete catalogue, the hardest last";
    write("hard-steps-200", about, 'S', at(&by_steps, hardest(&by_steps)))?;
    let about = "Minimal puzzles of 6x6 from the complete catalogue, at most ten of every length in moves";
    write("catalogue-sample", about, 'C', at(&by_moves, sample(&by_moves)))?;
    Ok(())
}

fn read(path: &str) -> Result<Vec<Puzzle>, Box<dyn Error>> {
    let options = ReadOptions { format: Some(Format::Line), source_name: path.to_owned(), ..ReadOptions::default() };
    let puzzles: Result<Vec<Puzzle>, _> = Reader::new(BufReader::new(File::open(path)?), options).collect();
    Ok(puzzles?)
}

fn at(list: &[Puzzle], places: Vec<usize>) -> Vec<&Puzzle> {
    places.into_iter().map(|place| &list[place]).collect()
}

/// Returns indices of puzzles of each length, from the shortest, at equal distances.
fn sample(puzzles: &[Puzzle]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut end = puzzles.len();
    while end > 0 {
        let length = puzzles[end - 1].moves;
        let start = puzzles[..end].iter().rposition(|puzzle| puzzle.moves != length).map_or(0, |place| place + 1);
        let count = (end - start).min(MAX_PER_LENGTH);
        places.extend((0..count).map(|i| start + i * (end - start) / count));
        end = start;
    }
    places
}

fn suite(about: &str, prefix: char, puzzles: Vec<&Puzzle>) -> Result<String, Box<dyn Error>> {
    let (mut solver, limits, mut writer) = (Solver::new(), Limits::default(), Writer::new(Format::Tsv));
    let mut text = format!("# {about}; made by crates/forge/examples/catalogue_suites.rs\n");
    for (number, puzzle) in (1..).zip(puzzles) {
        let mut length = |metric| Some(KnownLength::Exactly(solver.solve(&puzzle.board, metric, &limits).lower_bound));
        let (moves, steps) = (length(Metric::Moves), length(Metric::Steps));
        let named =
            Puzzle { name: Some(format!("{prefix}{number:03}")), moves, steps, ..Puzzle::new(puzzle.board.clone()) };
        text.push_str(&writer.append(&named)?);
    }
    Ok(text)
}
