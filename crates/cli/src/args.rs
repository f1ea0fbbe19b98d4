//! The command-line arguments. The commands themselves are in `commands/`.

use crate::commands::evolve::EvolveArgs;
use crate::commands::forge::ForgeArgs;
use crate::commands::grade::GradeArgs;
use crate::commands::policy::PolicyArgs;
use crate::commands::prove::ProveArgs;
use crate::commands::runs::RunsArgs;
#[cfg(feature = "serve")]
use crate::commands::serve::ServeArgs;
use crate::commands::tiles::TilesArgs;
use crate::exit::EXIT_CODES;
use crate::quantity::{parse_size, parse_time};
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clearway_lab::repro;
use clearway_rush::formats::{Format, OutputFormat};
use clearway_rush::{Exit, Metric, Size, suites};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

const OUTPUT: &str = "Output";
const LIMITS: &str = "Limits";
const INPUT: &str = "Reading boards";

const ABOUT: &str = "Solve, draw, verify, grade and generate boards of Rush Hour, the sliding-block puzzle";

const PROGRAM_EXAMPLES: &str = "\
Examples:
  clearway solve                                        solve the forty cards of the standard game
  clearway solve BB...CD..E.CDAAE.CD..E..F...GGF.HHH.   solve one board
  clearway show --suite walls                           draw the boards of a suite
  clearway COMMAND --help                               help for a command, with examples";

/// The complete command line.
#[derive(Debug, Parser)]
#[command(name = "clearway", version, about = ABOUT, after_help = PROGRAM_EXAMPLES)]
#[command(after_long_help = format!("{PROGRAM_EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Cli {
    /// The command; without one, the short help is printed.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The options that every command accepts.
    #[command(flatten)]
    pub global: GlobalArgs,
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

/// The options that every command accepts.
#[derive(Clone, Debug, Args)]
pub struct GlobalArgs {
    /// Print one JSON object per line instead of human-readable text
    #[arg(long, global = true, help_heading = OUTPUT)]
    pub json: bool,

    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = OUTPUT)]
    pub color: ColorChoice,

    /// Print only results and errors: no summary, progress or notes
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = OUTPUT)]
    pub quiet: bool,

    /// Print more: solutions, engines, memory use, and the improvements of a single board
    #[arg(short, long, global = true, help_heading = OUTPUT)]
    pub verbose: bool,

    /// Number of threads [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = LIMITS)]
    pub threads: Option<u16>,

    /// Maximum number of states and SAT conflicts per board
    #[arg(long, global = true, value_name = "N", help_heading = LIMITS)]
    pub node_limit: Option<u64>,

    /// Time limit per board: 500ms, 10s, 2m, or a number of seconds
    #[arg(long, global = true, value_name = "TIME", value_parser = parse_time, help_heading = LIMITS)]
    pub time_limit: Option<Duration>,

    /// Memory limit for all searches together: 300M, 2G
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_size, default_value = "1G", help_heading = LIMITS)]
    pub memory: usize,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Solve(SolveArgs),
    Show(ShowArgs),
    Verify(VerifyArgs),
    Prove(ProveArgs),
    Convert(ConvertArgs),
    Suites(SuitesArgs),
    Compare(CompareArgs),
    Evolve(Box<EvolveArgs>),
    Repro(ReproArgs),
    Grade(GradeArgs),
    Forge(ForgeArgs),
    Policy(PolicyArgs),
    Runs(RunsArgs),
    Tiles(TilesArgs),
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
    Bench(BenchArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// The boards to read.
#[derive(Clone, Debug, Args)]
pub struct InputArgs {
    /// Boards, files of boards, or - for stdin
    ///
    /// An argument that names an existing file is read as a file; any other is parsed as a board in a one-line format, such as
    /// BB...CD..E.CDAAE.CD..E..F...GGF.HHH.
    #[arg(value_name = "BOARD|FILE|-")]
    pub boards: Vec<OsString>,

    /// Add the boards of an embedded suite, before all others
    #[arg(long, value_name = "NAME", value_parser = suite_names(), help_heading = INPUT)]
    pub suite: Vec<String>,

    #[command(flatten)]
    pub reading: ReadingArgs,

    /// Report invalid boards and files, and continue with the next
    #[arg(short, long, help_heading = INPUT)]
    pub keep_going: bool,
}

/// Options for parsing boards.
#[derive(Clone, Debug, Default, Args)]
pub struct ReadingArgs {
    /// Input format, instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = format_names(), help_heading = INPUT)]
    pub format: Option<String>,

    /// Board size for formats that do not contain it (course, it3105), such as 6 or 7x5
    #[arg(long, value_name = "N|WxH", help_heading = INPUT)]
    pub size: Option<Size>,

    /// Exit of every board, overriding the input: right, left, top or bottom for the target, or with a line counted
    /// from 0, such as top:5, for any vehicle in that line
    #[arg(long, value_name = "SIDE[:LINE]", help_heading = INPUT)]
    pub exit: Option<Exit>,
}

impl ReadingArgs {
    /// Returns the format given with `--format`, if any.
    pub fn format(&self) -> Option<Format> {
        self.format.as_deref().and_then(Format::from_name)
    }
}

/// Find a shortest solution of every board, or prove that there is none
///
/// Prints a table in input order; for a single board, also its picture and its solution. Without arguments, the forty
/// cards of the standard game are solved.
///
/// Each board is solved, proven unsolvable, or stopped by a limit. Exit code for a single board: 0 if it is solved, 4 if
/// it is unsolvable, 5 if a limit was reached. For several boards: 0 if all were decided, 5 if a limit was reached on
/// any. The exit code is 3 if any input was invalid.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway solve                                     the forty cards of the standard game
  clearway solve BB...CD..E.CDAAE.CD..E..F...GGF.HHH.
  clearway solve boards.txt --json > answers.jsonl   one object per board and line
  cat boards.txt | clearway solve - --keep-going     report invalid boards and continue
  clearway solve --suite course --time-limit 10s     a suite, ten seconds per board
  clearway solve card.txt --metric steps --analyze   count cells; analyse all reachable states
  clearway solve --algorithm 'ida(h1, prune, increment=5)'   another algorithm
  clearway solve --policy my.policy                  search guided by a policy")]
pub struct SolveArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// Length to minimise
    #[arg(short, long, default_value = "moves")]
    pub metric: Metric,

    /// Stop at the first solution, which may be longer than necessary
    #[arg(long, conflicts_with_all = ["within", "algorithm", "policy"])]
    pub first: bool,

    /// Stop once the solution is proven to be at most FACTOR times as long as a shortest one, such as 1.1
    #[arg(long, value_name = "FACTOR", value_parser = parse_factor, conflicts_with_all = ["algorithm", "policy"])]
    pub within: Option<f64>,

    /// Solve with this algorithm, such as bfs or 'astar(blockers)'; see compare --list
    #[arg(long, value_name = "EXPR")]
    pub algorithm: Option<String>,

    /// Solve with the search that a policy specifies: a file, or the name of a built-in policy. Its solutions need not
    /// be shortest
    #[arg(long, value_name = "FILE", conflicts_with = "algorithm")]
    pub policy: Option<String>,

    /// Analyse all reachable states: their number, the solved ones, the farthest one, the number of shortest solutions
    #[arg(short, long)]
    pub analyze: bool,
}

/// Draw boards in the terminal, or one as an SVG picture
///
/// With --strip or --animate, a whole solution is drawn: the one given with --solution, else the one in the input,
/// otherwise a shortest solution.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway show BB...CD..E.CDAAE.CD..E..F...GGF.HHH.
  clearway show --suite traffic-jam
  clearway show card.txt --svg card.svg                a picture
  clearway show card.txt --svg card.svg --animate      an animation of a shortest solution
  clearway show card.txt --strip                       every board of a shortest solution
  clearway show ...BAA.B........ --strip --solution 'B+2 A+2'")]
pub struct ShowArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// Write an SVG picture of a single board to a file (- for stdout)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Draw the board after every move of a solution
    #[arg(long, group = "whole-solution")]
    pub strip: bool,

    /// Animate a solution (needs --svg)
    #[arg(long, requires = "svg", group = "whole-solution")]
    pub animate: bool,

    /// Solution to draw, such as 'C-1 A+2'
    #[arg(long, value_name = "MOVES", requires = "whole-solution")]
    pub solution: Option<String>,

    /// Length to minimise if a solution has to be computed
    #[arg(short, long, default_value = "moves")]
    pub metric: Metric,
}

/// Check that moves solve a board, with code that is independent of the solvers
///
/// Exits with 0 if they do. Otherwise reports which move fails and why, or that the board is not solved after the last
/// move, and exits with 3.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway verify ...BAA.B........ 'B+2 A+2'
  clearway verify card.txt C-1 A+2
  clearway verify card.json                  the solution in the file")]
pub struct VerifyArgs {
    /// Board in a one-line format, file, or - for stdin
    #[arg(value_name = "BOARD|FILE|-")]
    pub board: OsString,

    /// Moves such as 'C-1 A+2': a vehicle, a sign (plus is right or down) and a number of cells
    ///
    /// Without moves, the solution in the input is checked.
    #[arg(value_name = "MOVES")]
    pub moves: Vec<String>,

    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// Write boards in another format
///
/// Reads any format and streams, so a file may hold any number of boards. --json is short for --to json.
///
/// An svg or pddl file holds one board. To write several, pass a directory to --out: each board becomes a file in it
/// (with pddl, the domain is written to domain.pddl). --to pddl-domain writes only the domain and needs no board.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway convert boards.txt --to json
  clearway convert --suite cards --to line --out cards.txt
  cat course.csv | clearway convert --to grid          read from stdin by default
  clearway convert --suite walls --to svg --out pictures/
  clearway convert card.txt --to pddl --out planning/  problem and domain.pddl")]
pub struct ConvertArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// Output format
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
  clearway suites                  list the suites
  clearway suites cards            print a suite
  clearway suites cards --json     one object per board")]
pub struct SuitesArgs {
    /// Suite to print
    #[arg(value_parser = suite_names())]
    pub name: Option<String>,
}

/// Run search algorithms on the same boards and compare their node counts
///
/// Prints one table with a row per board and one with a row per algorithm. Without boards, the forty cards of the
/// standard game are used; without algorithms, a default selection. The limits apply to each run. Node counts are the same on
/// every machine and for any number of threads.
///
/// The exit code is 0 if every run finished, 4 if the only board is proven unsolvable, 5 if any run reached a limit, 3 if
/// any input was invalid.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway compare                                  the default algorithms on the cards
  clearway compare --list                           suites, algorithms, heuristics and their options
  clearway compare --algorithm bfs --algorithm 'astar(max(blockers, landmarks))' --html page.html
  clearway compare boards.txt --algorithm 'id(increment=5)' --node-limit 100000 --json
  clearway compare --suite it3105 --resume runs.log   resume an interrupted comparison")]
pub struct CompareArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// Algorithm, such as bfs, 'astar(blockers)' or 'ida(h1, prune, increment=5)'; can be repeated
    #[arg(short = 'A', long, value_name = "EXPR")]
    pub algorithm: Vec<String>,

    /// Metric for the length of a solution
    #[arg(short, long, default_value = "moves")]
    pub metric: Metric,

    /// Write every run to a CSV file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Write an HTML page with tables and plots
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Log the runs to this file; if it exists, resume from it
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,

    /// List the suites, the algorithms and the heuristics with their options
    #[arg(long)]
    pub list: bool,
}

/// Reproduce published tables and print them next to our results
///
/// Prints each table, and writes it into a folder as CSV and as a section of report.html. Each finished part is logged in
/// parts.jsonl in that folder, so an interrupted run can be resumed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway repro all
  clearway repro it3105 --out tables
  clearway repro gp-rush --suite cards --suite servais   the boards of its 6x6 column
  clearway repro tiles --seeds 3                         fewer runs for its curves
  clearway repro all --resume repro-1                    resume an interrupted run")]
pub struct ReproArgs {
    /// Experiment to reproduce
    #[arg(value_name = "EXPERIMENT", value_parser = experiment_names())]
    pub experiment: String,

    /// Output folder, created if it is missing [default: a new folder, whose name is printed]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Resume the interrupted run in this folder; give the same arguments again
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    pub resume: Option<PathBuf>,

    /// Suite of 6x6 boards for gp-rush, instead of its default selection; can be repeated
    #[arg(long, value_name = "NAME", value_parser = suite_names())]
    pub suite: Vec<String>,

    /// Policy for the GP columns of gp-rush: a file, or the name of a built-in policy
    #[arg(long, value_name = "FILE")]
    pub policy: Option<String>,

    /// Metric of the tables of gp-rush
    #[arg(long, default_value = "moves")]
    pub metric: Metric,

    /// Number of evolution runs for tiles, each with a different seed
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub seeds: u32,

    /// First of these seeds; the others are consecutive
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Number of generations per run for tiles; 51 as published
    #[arg(long, value_name = "N", default_value_t = 51, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub generations: u32,
}

/// Solve a fixed set of boards; print the number of expanded states and the speed
///
/// The total number of expanded states is a signature of the solver's behaviour: it is the same on every machine and for
/// any number of threads, and changes only if the search does. Limits on the command line are ignored. Uses one thread
/// unless --threads is given.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway bench
  clearway bench --threads 2 --json
  clearway bench --signature                the same in every run")]
pub struct BenchArgs {
    /// Print only the signatures, tab-separated: one line per suite and per algorithm
    #[arg(long, conflicts_with = "json")]
    pub signature: bool,
}

/// Print a shell completion script
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  clearway completions bash > ~/.local/share/bash-completion/completions/clearway
  clearway completions fish > ~/.config/fish/completions/clearway.fish
  clearway completions zsh > ~/.zfunc/_clearway")]
pub struct CompletionsArgs {
    /// Shell to complete for
    pub shell: clap_complete::Shell,
}

/// Print the manual page, or write one for every command
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

/// Parses the name of an embedded suite.
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
    PossibleValuesParser::new(OutputFormat::all().map(OutputFormat::name))
}

/// Parses a factor of at least 1.
fn parse_factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if factor >= 1.0 && factor.is_finite() => Ok(factor),
        _ => Err("expected a number of at least 1, such as 1.1".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_accepts_the_command_line_definition() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }
}
