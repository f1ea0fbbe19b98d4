//! Measures the engines on large boards: prints the boards, measures them one by one, and summarises the measurements.

use clap::{Args, Parser, ValueEnum};
use clearway_benches::large::measure::{self, MeasuredEngine, measure};
use clearway_benches::large::record::{Header, RecordLog, read};
use clearway_benches::large::table::{Log, by_kind, keep_common, table, walled_table};
use clearway_benches::large::{held_out, recipe, suite, walled};
use clearway_rush::formats::{Format, Puzzle, Writer, write};
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric};
use clearway_search::Limits;
use std::error::Error;
use std::path::PathBuf;

/// Measure the engines on large boards
#[derive(Parser)]
enum Command {
    /// Print the boards in the TSV format
    Boards {
        #[command(flatten)]
        set: Set,
    },
    /// Measure an engine on one board after the other, on one thread
    Measure {
        #[command(flatten)]
        set: Set,
        /// Engine to measure
        #[arg(long, value_enum, default_value_t = MeasuredEngine::Portfolio)]
        engine: MeasuredEngine,
        /// Metric of lengths and bounds
        #[arg(long, value_enum, default_value_t = Metric::Moves)]
        metric: Metric,
        /// Maximum wall-clock time per board, in seconds
        #[arg(long, default_value_t = 60.0)]
        time_limit: f64,
        /// Maximum size of the tables, in megabytes
        #[arg(long, default_value_t = 3_000)]
        memory: usize,
        /// Log to write and to resume from
        #[arg(long)]
        out: PathBuf,
    },
    /// Print the table of the measurements in Markdown
    Table {
        /// Logs, each of which becomes a column
        #[arg(required = true)]
        logs: Vec<PathBuf>,
        /// Compare the boards that all logs hold
        #[arg(long)]
        common: bool,
        /// Add a table by kind of board for each log
        #[arg(long)]
        kinds: bool,
    },
    /// Print the boards of a test suite with their lengths in the TSV format
    Tests {
        /// Number of rows and of columns
        #[arg(long)]
        side: u8,
        /// First seed of the boards
        #[arg(long, default_value_t = 2026)]
        seed: u64,
        /// Maximum number of expanded states and conflicts per board
        #[arg(long, default_value_t = 60_000)]
        nodes: u64,
        /// Maximum size of the tables, in megabytes
        #[arg(long, default_value_t = 1_000)]
        memory: usize,
    },
    /// Choose boards for the suite and print them in the TSV format, with the best lengths of all logs
    Suite {
        /// Log of the portfolio on the boards of the recipe in moves, from which the boards are chosen
        log: PathBuf,
        /// Logs of other measurements of the same boards
        others: Vec<PathBuf>,
    },
    /// Print the best plans of the suite `large`, their proven bounds, and the engines that found and proved them
    Proofs {
        /// Logs of the portfolio in moves on all boards of the suite; the first one with the best plan or bound counts
        #[arg(required = true)]
        logs: Vec<PathBuf>,
    },
}

/// The boards to use.
#[derive(Args)]
struct Set {
    /// Set of boards
    #[arg(long, value_enum, default_value_t = Kind::Recipe)]
    kind: Kind,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Use every N-th board only
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Number of boards to leave out before the first one, so that several processes can share the work
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// Use only the boards with these names
    #[arg(long, value_name = "NAME")]
    board: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// 330 random dense boards of 9x9 to 16x16
    Recipe,
    /// 40 hard boards of 6x6 and 8x8, walled into boards of 10x10 to 14x14
    Walled,
    /// The 60 boards of the recipe that are the suite `large`, whatever the seed
    Suite,
}

/// A board to measure.
struct Item {
    puzzle: Puzzle,
    /// Size and density, or the size.
    kind: String,
    /// The board that is walled in.
    bare: Option<Board>,
}

impl Set {
    fn items(&self) -> Vec<Item> {
        let all: Vec<Item> = match self.kind {
            Kind::Recipe => {
                let kinds = recipe::KINDS.iter().flat_map(|kind| vec![kind.to_string(); recipe::BOARDS_PER_KIND]);
                let item = |(puzzle, kind)| Item { puzzle, kind, bare: None };
                recipe::boards(self.seed).into_iter().zip(kinds).map(item).collect()
            }
            Kind::Walled => {
                let item = |walled: walled::Walled| {
                    let kind = format!("{0}x{0}", walled.puzzle.board.width());
                    Item { puzzle: walled.puzzle, kind, bare: Some(walled.bare.board) }
                };
                walled::boards(self.seed).into_iter().map(item).collect()
            }
            Kind::Suite => {
                let item = |puzzle: Puzzle| {
                    let name = puzzle.name.as_deref().unwrap_or_default();
                    // The name of a board ends with its number.
                    let kind = name.rsplit_once('-').map_or(name, |(kind, _)| kind).to_owned();
                    Item { puzzle, kind, bare: None }
                };
                Suite::find("large").map(Suite::puzzles).unwrap_or_default().into_iter().map(item).collect()
            }
        };
        let is_named = |item: &Item| {
            self.board.is_empty() || item.puzzle.name.as_ref().is_some_and(|name| self.board.contains(name))
        };
        all.into_iter().skip(self.skip).step_by(self.every as usize).filter(is_named).collect()
    }

    fn name(&self) -> &'static str {
        match self.kind {
            Kind::Recipe => "recipe",
            Kind::Walled => "walled",
            Kind::Suite => "suite",
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    match Command::parse() {
        Command::Boards { set } => {
            let mut writer = Writer::new(Format::Tsv);
            for item in set.items() {
                print!("{}", writer.append(&item.puzzle)?);
            }
        }
        Command::Measure { set, engine, metric, time_limit, memory, out } => {
            let header = Header::new(set.name(), set.seed, engine.as_str(), metric, time_limit, memory);
            let mut log = RecordLog::open(&out, &header)?;
            for Item { puzzle, kind, bare } in set.items() {
                if !log.contains(puzzle.name.as_deref().unwrap_or_default()) {
                    let limits = measure::limits(time_limit, memory);
                    log.append(&measure(engine, metric, &puzzle, &kind, bare.as_ref(), &limits))?;
                }
            }
        }
        Command::Table { logs, common, kinds } => {
            let mut logs = logs.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
            let what = |(header, _): &Log| (header.set.clone(), header.seed, header.metric.clone());
            if logs.iter().any(|log| what(log) != what(&logs[0])) {
                return Err("the logs are of different boards or metrics; print a table for each".into());
            }
            let is_walled = logs[0].0.set == "walled";
            if common {
                keep_common(&mut logs);
            }
            print!("{}", if is_walled { walled_table(&logs) } else { table(&logs) });
            for log in logs.iter().filter(|_| kinds) {
                print!("\n{}:\n\n{}", log.0.engine, by_kind(log));
            }
        }
        Command::Tests { side, seed, nodes, memory } => {
            let limits = Limits { nodes: Some(nodes), memory: Some(memory * 1_000_000), ..Limits::default() };
            let mut writer = Writer::new(Format::Tsv);
            for puzzle in held_out::boards(side, seed, &limits) {
                print!("{}", writer.append(&puzzle)?);
            }
        }
        Command::Suite { log, others } => {
            let logs = [log].iter().chain(&others).map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
            print_suite(&logs)?;
        }
        Command::Proofs { logs } => {
            let logs = logs.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
            println!("{}", suite::PROOFS_HEADER);
            for puzzle in Suite::find("large").ok_or("the suite is missing")?.puzzles() {
                let all = logs.iter().flat_map(|(_, records)| records);
                let of_board: Vec<_> = all.filter(|record| Some(&record.name) == puzzle.name.as_ref()).collect();
                println!("{}", suite::proof(&of_board).ok_or("the logs lack a board of the suite")?);
            }
        }
    }
    Ok(())
}

/// Prints the boards of the suite, chosen from the first log, with the best lengths of all logs.
fn print_suite(logs: &[Log]) -> Result<(), Box<dyn Error>> {
    let (header, records) = &logs[0];
    let puzzles = recipe::boards(header.seed);
    for record in suite::choose(records) {
        let puzzle = puzzles.iter().find(|puzzle| puzzle.name.as_deref() == Some(&record.name));
        let mut puzzle = puzzle.ok_or_else(|| format!("unknown board '{}'", record.name))?.clone();
        puzzle.moves = suite::best_length(logs, Metric::Moves, &record.name);
        puzzle.steps = suite::best_length(logs, Metric::Steps, &record.name);
        print!("{}", write(&puzzle, Format::Tsv)?);
    }
    Ok(())
}
