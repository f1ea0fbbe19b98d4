//! Writes boards of the benches' list to a file, one per line, with their optima.

use clap::Parser;
use clearway_benches::{boards, catalogue};
use clearway_rush::formats::KnownLength;
use std::path::PathBuf;

/// Write 6x6 boards of 1 to 51 moves, with their optima, in the line format
#[derive(Parser)]
struct Arguments {
    /// File to write
    #[arg(long)]
    out: PathBuf,
    /// Number of boards: the list, then other states of its components [default: the list]
    #[arg(long)]
    count: Option<usize>,
    /// Print the number of boards of each length
    #[arg(long)]
    lengths: bool,
}

fn main() -> std::io::Result<()> {
    let arguments = Arguments::parse();
    let boards = match arguments.count {
        Some(count) => boards::many(count)?,
        None => boards::list()?,
    };
    boards::write(&arguments.out, &boards)?;
    let lengths: Vec<usize> =
        boards.iter().filter_map(|p| p.moves.map(KnownLength::value)).map(|n| n as usize).collect();
    let sum: usize = lengths.iter().sum();
    println!("{} boards, {sum} moves, {:.1} on average", boards.len(), sum as f64 / boards.len() as f64);
    if arguments.lengths {
        for length in 1..=catalogue::LONGEST {
            println!("{length:>2}  {}", lengths.iter().filter(|&&n| n == length).count());
        }
    }
    Ok(())
}
