//! Measures the engines on large boards: prints the boards, measures them one by one, and summarises the measurements.

use clap::{Parser, Subcommand, ValueEnum};
use clearway_benches::large::{recipe, walled};
use clearway_rush::formats::{Format, Puzzle, Writer};
use std::error::Error;

/// Measure the engines on large boards
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print the boards in the TSV format
    Boards {
        #[command(flatten)]
        set: Set,
    },
}

/// The boards to use.
#[derive(clap::Args)]
struct Set {
    /// Set of boards
    #[arg(long, value_enum, default_value_t = Kind::Recipe)]
    kind: Kind,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// 330 random dense boards of 9x9 to 16x16
    Recipe,
    /// 40 hard boards of 6x6 and 8x8, walled into boards of 10x10 to 14x14
    Walled,
}

impl Set {
    fn puzzles(&self) -> Vec<Puzzle> {
        match self.kind {
            Kind::Recipe => recipe::boards(self.seed),
            Kind::Walled => walled::boards(self.seed).into_iter().map(|walled| walled.puzzle).collect(),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    match Arguments::parse().command {
        Command::Boards { set } => {
            let mut writer = Writer::new(Format::Tsv);
            for puzzle in set.puzzles() {
                print!("{}", writer.append(&puzzle)?);
            }
        }
    }
    Ok(())
}
