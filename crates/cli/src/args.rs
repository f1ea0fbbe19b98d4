//! The command line as a person types it. Each command's own file does the work.

use crate::commands::evolve::EvolveArgs;
use crate::commands::forge::ForgeArgs;
use crate::commands::grade::GradeArgs;
use crate::commands::policy::PolicyArgs;
use crate::commands::serve::ServeArgs;
use crate::commands::tiles::TilesArgs;
use crate::exit::EXIT_CODES;
use crate::quantity::{parse_bytes, parse_time};
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clearway_lab::repro;
use clearway_rush::formats::Format;
use clearway_rush::{Exit, Metric, Size, suites};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

const OUTPUT: &str = "Output";
const LIMITS: &str = "Limits";
const INPUT: &str = "Reading boards";

const ABOUT: &str = "Solve, show, check, grade and make boards of Rush Hour, the sliding-block puzzle";

const PROGRAM_EXAMPLES: &str = "\
Examples:
  clearway solve                                        solve the forty classic cards
  clearway solve BB...CD..E.CDAAE.CD..E..F...GGF.HHH.   solve one board
  clearway show --suite walls                           look at a suite of boards
  clearway COMMAND --help                               more on a command, with examples";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(name = "clearway", version, about = ABOUT, after_help = PROGRAM_EXAMPLES)]
#[command(after_long_help = format!("{PROGRAM_EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The options that every command takes.
    #[command(flatten)]
    pub global: Global,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The options that every command takes.
#[derive(Clone, Debug, Args)]
pub struct Global {
    /// Print one JSON object per line instead of text for people
    #[arg(long, global = true, help_heading = OUTPUT)]
    pub json: bool,

    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = OUTPUT)]
    pub color: ColorChoice,

    /// Say nothing but results and errors: no summary, no progress, no warnings
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = OUTPUT)]
    pub quiet: bool,

    /// Say more: the solution, the engine and the memory of every board
    #[arg(short, long, global = true, help_heading = OUTPUT)]
    pub verbose: bool,

    /// Solve so many boards at a time [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = LIMITS)]
    pub threads: Option<u16>,

    /// Give up on a board after expanding so many states
    #[arg(long, global = true, value_name = "N", help_heading = LIMITS)]
    pub node_limit: Option<u64>,

    /// Give up on a board after so long: 500ms, 10s, 2m, or plain seconds
    #[arg(long, global = true, value_name = "TIME", value_parser = parse_time, help_heading = LIMITS)]
    pub time_limit: Option<Duration>,

    /// Memory limit of all searches together: 300M, 2G
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_bytes, default_value = "1G", help_heading = LIMITS)]
    pub memory: usize,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    Solve(SolveArgs),
    Show(ShowArgs),
    Verify(VerifyArgs),
    Convert(ConvertArgs),
    Suites(SuitesArgs),
    Compare(CompareArgs),
    Evolve(Box<EvolveArgs>),
    Repro(ReproArgs),
    Grade(GradeArgs),
    Forge(ForgeArgs),
    Policy(PolicyArgs),
    Tiles(TilesArgs),
    Serve(ServeArgs),
    Bench(BenchArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Where boards come from.
#[derive(Clone, Debug, Args)]
pub struct InputArgs {
    /// Boards, files of boards, or - for stdin
    ///
    /// An argument that names a file is read as that file; any other is a board in a format of one line, such as
    /// BB...CD..E.CDAAE.CD..E..F...GGF.HHH.
    #[arg(value_name = "BOARD|FILE|-")]
    pub boards: Vec<OsString>,

    /// Take the boards of an embedded suite, before any others
    #[arg(long, value_name = "NAME", value_parser = suite_names(), help_heading = INPUT)]
    pub suite: Vec<String>,

    #[command(flatten)]
    pub reading: ReadingArgs,

    /// Report a board or file that is refused, and go on with the next
    #[arg(short, long, help_heading = INPUT)]
    pub keep_going: bool,
}

/// How boards are read.
#[derive(Clone, Debug, Default, Args)]
pub struct ReadingArgs {
    /// Read this format instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = format_names(), help_heading = INPUT)]
    pub format: Option<String>,

    /// The size of boards in formats that do not carry it (course, it3105), such as 6 or 7x5
    #[arg(long, value_name = "N|WxH", help_heading = INPUT)]
    pub size: Option<Size>,

    /// The exit of every board, whatever its text says: right, left, top or bottom for the target, or with a line
    /// counted from 0, such as top:5, for any vehicle there
    #[arg(long, value_name = "SIDE[:LINE]", help_heading = INPUT)]
    pub exit: Option<Exit>,
}

impl ReadingArgs {
    /// The format asked for.
    pub fn format(&self) -> Option<Format> {
        self.format.as_deref().and_then(Format::from_name)
    }
}

/// What a solution's length counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MetricArg {
    /// A slide of any length counts 1
    Moves,
    /// One cell counts 1
    Steps,
}

impl From<MetricArg> for Metric {
    fn from(metric: MetricArg) -> Metric {
        match metric {
            MetricArg::Moves => Metric::Moves,
            MetricArg::Steps => Metric::Steps,
        }
    }
}

/// Find a shortest solution of every board, or prove that there is none
///
/// Prints a table, in the order of the input; for a single board also its picture and its solution. Without any
/// argument it solves the forty classic cards.
///
/// A board gets its answer (solved, or proven unsolvable) or ends at a limit. The exit code for a single board is 0
/// if it is solved, 4 if it is unsolvable, 5 if a limit was reached; for several it is 0 if every board got its
/// answer and 5 if a limit was reached on any; and 3 if any input was refused.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway solve                                     the forty classic cards
  clearway solve BB...CD..E.CDAAE.CD..E..F...GGF.HHH.
  clearway solve boards.txt --json > answers.jsonl   one object per board and line
  cat boards.txt | clearway solve - --keep-going     report bad boards and go on
  clearway solve --suite course --time-limit 10s     a suite, ten seconds a board
  clearway solve card.txt --metric steps --analyze   count cells; facts about all states
  clearway solve --algorithm 'ida(h1, prune, increment=5)'   another algorithm
  clearway solve --policy my.policy                  the search that a policy guides")]
pub struct SolveArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// What to make shortest
    #[arg(short, long, default_value = "moves")]
    pub metric: MetricArg,

    /// Solve with this algorithm instead of the exact solver, such as bfs or 'astar(blockers)'; see compare --list
    #[arg(long, value_name = "EXPR")]
    pub algorithm: Option<String>,

    /// Solve with the search that a policy is made for: a file, or the name of one that comes with the program. Its
    /// solutions are not proven shortest
    #[arg(long, value_name = "FILE", conflicts_with = "algorithm")]
    pub policy: Option<String>,

    /// Walk all states that can be reached: their number, solved ones, the farthest, how many shortest solutions
    #[arg(short, long)]
    pub analyze: bool,
}

/// Draw boards in the terminal, or one as an SVG picture
///
/// With --strip or --animate a whole solution is drawn: the one given, the one that came with the board, or else a
/// shortest one, found now.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway show BB...CD..E.CDAAE.CD..E..F...GGF.HHH.
  clearway show --suite traffic-jam
  clearway show card.txt --svg card.svg                a picture
  clearway show card.txt --svg card.svg --animate      a moving picture of a shortest solution
  clearway show card.txt --strip                       every board of a shortest solution
  clearway show ...BAA.B........ --strip --solution 'B+2 A+2'")]
pub struct ShowArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// Write an SVG picture of the only board to a file (- for stdout)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Draw the board after every move of a solution
    #[arg(long, group = "whole-solution")]
    pub strip: bool,

    /// Animate a solution (needs --svg)
    #[arg(long, requires = "svg", group = "whole-solution")]
    pub animate: bool,

    /// The solution to draw, such as 'C-1 A+2'
    #[arg(long, value_name = "MOVES", requires = "whole-solution")]
    pub solution: Option<String>,

    /// What a solution that is found now makes shortest
    #[arg(short, long, default_value = "moves")]
    pub metric: MetricArg,
}

/// Check that moves solve a board, by code that no solver shares
///
/// Exits with 0 if they do. Otherwise says which move fails and why, or that the board is not solved after the last
/// move, and exits with 3.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway verify ...BAA.B........ 'B+2 A+2'
  clearway verify card.txt C-1 A+2
  clearway verify card.json                  the solution that the file holds")]
pub struct VerifyArgs {
    /// The board: a text of one line, a file, or - for stdin
    #[arg(value_name = "BOARD|FILE|-")]
    pub board: OsString,

    /// The moves, such as 'C-1 A+2': a vehicle, a sign (plus is right or down) and a number of cells
    ///
    /// Without any, the solution that came with the board is checked.
    #[arg(value_name = "MOVES")]
    pub moves: Vec<String>,

    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// Write boards in another format
///
/// Reads any format and streams: a file may hold any number of boards. --json is short for --to json.
///
/// An svg or pddl file holds one board. To write several, let --out name a directory: each board becomes a file there
/// (and with pddl the domain becomes domain.pddl). --to pddl-domain writes the domain alone and needs no board.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway convert boards.txt --to json
  clearway convert --suite cards --to line --out cards.txt
  cat course.csv | clearway convert --to grid          stdin is read if nothing else is given
  clearway convert --suite walls --to svg --out pictures/
  clearway convert card.txt --to pddl --out planning/  problem and domain.pddl")]
pub struct ConvertArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// The format to write
    #[arg(short, long, value_name = "FORMAT", value_parser = target_names(), required_unless_present = "json")]
    pub to: Option<String>,

    /// Write to this file, or into this directory, instead of stdout
    #[arg(short, long, value_name = "FILE|DIR")]
    pub out: Option<PathBuf>,
}

/// List the embedded suites, or print one
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway suites                  what there is
  clearway suites cards            print a suite
  clearway suites cards --json     one object per board")]
pub struct SuitesArgs {
    /// The suite to print
    #[arg(value_parser = suite_names())]
    pub name: Option<String>,
}

/// Run search algorithms side by side on boards, and compare what they count
///
/// Prints a table with a row per board and one with a row per algorithm. Without boards it takes the forty classic
/// cards, without algorithms a choice of them. Every run has the limits of the command line; all algorithms count the
/// same on every machine and for any number of threads.
///
/// The exit code is 0 if every run got its answer, 4 if the only board given is proven unsolvable, 5 if any run ended
/// at a limit, 3 if any input was refused.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway compare                                  the usual algorithms on the cards
  clearway compare --list                           suites, algorithms, heuristics and their options
  clearway compare --algorithm bfs --algorithm 'astar(max(blockers, landmarks))' --html page.html
  clearway compare boards.txt --algorithm 'id(increment=5)' --node-limit 100000 --json
  clearway compare --suite cards --resume runs.log   go on where it was interrupted")]
pub struct CompareArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// An algorithm, such as bfs, 'astar(blockers)' or 'ida(h1, prune, increment=5)'; may be given many times
    #[arg(short = 'A', long, value_name = "EXPR")]
    pub algorithm: Vec<String>,

    /// What a solution's length counts
    #[arg(short, long, default_value = "moves")]
    pub metric: MetricArg,

    /// Write every run to a CSV file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Write a page with tables and plots
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Keep the runs in this file; if it exists, go on where it stops
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,

    /// List the suites, the algorithms and the heuristics with their options
    #[arg(long)]
    pub list: bool,
}

/// Reproduce published tables, with our figures beside theirs
///
/// Prints each table, and writes it as CSV and as a section of a page, report.html, into a folder. Finished parts are kept
/// there in a log, parts.jsonl, as they finish, so that an interrupted run can be resumed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway repro all
  clearway repro it3105 --out tables
  clearway repro gp-rush --suite cards --suite servais   the boards of its 6x6 column
  clearway repro tiles --seeds 3                         fewer runs for its curves
  clearway repro all --resume repro-1                    go on with an interrupted run")]
pub struct ReproArgs {
    /// Which experiment
    #[arg(value_name = "EXPERIMENT", value_parser = experiment_names())]
    pub experiment: String,

    /// Write into this folder, which is made if it is missing [default: a new one, whose name is printed]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Resume the run in this folder: with the same arguments, it finishes what was interrupted
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    pub resume: Option<PathBuf>,

    /// Take the 6x6 boards of gp-rush from this suite instead of its own choice; may be given many times
    #[arg(long, value_name = "NAME", value_parser = suite_names())]
    pub suite: Vec<String>,

    /// Show the GP columns of gp-rush with this policy: a file, or the name of one that comes with the program
    #[arg(long, value_name = "FILE")]
    pub policy: Option<String>,

    /// Breed so many times for tiles, each time with another seed
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub seeds: u32,

    /// The first of these seeds; the others follow it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Breed for so many generations; 51 as published
    #[arg(long, value_name = "N", default_value_t = 51, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub generations: u32,
}

/// Solve a fixed set of boards; print the sum of expanded states and the speed
///
/// The sum is a signature of the solver's behaviour: it is the same on every machine and for any number of threads,
/// and changes only if the search does. Limits given on the command line do not apply. One thread unless --threads
/// says otherwise.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway bench
  clearway bench --threads 2 --json
  clearway bench --signature                the same in every run")]
pub struct BenchArgs {
    /// Print only the signatures: a line per suite and per algorithm, separated by tabs
    #[arg(long, conflicts_with = "json")]
    pub signature: bool,
}

/// Print a script that teaches a shell to complete clearway's arguments
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway completions bash > ~/.local/share/bash-completion/completions/clearway
  clearway completions fish > ~/.config/fish/completions/clearway.fish
  clearway completions zsh > ~/.zfunc/_clearway")]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// Print the manual page, or write a page for every command
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway man | man -l -
  clearway man --out ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Write clearway.1 and a page for every command into this directory
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// The formats that are only written, beside those that are read and written.
pub const WRITTEN_ONLY: [&str; 4] = ["svg", "ansi", "pddl", "pddl-domain"];

/// The embedded suites as the values of an option.
pub fn suite_names() -> PossibleValuesParser {
    PossibleValuesParser::new(suites::all().iter().map(|suite| suite.name))
}

fn experiment_names() -> PossibleValuesParser {
    PossibleValuesParser::new(std::iter::once("all").chain(repro::ALL.iter().map(|experiment| experiment.name)))
}

fn format_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Format::ALL.iter().map(|format| format.name()))
}

fn target_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Format::ALL.iter().map(|format| format.name()).chain(WRITTEN_ONLY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }
}
