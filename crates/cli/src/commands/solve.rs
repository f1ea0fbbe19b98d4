//! `clearway solve`: finds shortest solutions, in input order.

use crate::algorithms;
use crate::args::SolveArgs;
use crate::commands::policy;
use crate::exit::ExitCode;
use crate::failure::{Failure, Outcome};
use crate::input::{Boards, Entry, Fallback};
use crate::json;
use crate::output::{Context, Listener};
use crate::panics::{PLEASE_REPORT, Panic};
use crate::pipeline::{self, Consumer};
use crate::progress::{Progress, Status};
use crate::quantity;
use crate::result_writer::ResultWriter;
use crate::searcher::{Searcher, SharedLimits};
use crate::table;
use crate::tally::Tally;
use clearway_answers::records::SolveRecord;
use clearway_answers::{Method, SolveOutcome};
use clearway_rush::exact::Analysis;
use clearway_rush::formats::{Known, ansi};
use clearway_rush::{Improvement, Metric, Portfolio, StopRule};
use clearway_search::{Limit, Verdict};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

/// Solves every board.
pub fn run(args: &SolveArgs, context: &Context) -> Outcome {
    let boards = Boards::open(&args.input, Fallback::Cards)?;
    let threads = context.threads().min(boards.known_count().unwrap_or(usize::MAX)).max(1);
    let (method, guided) = match (&args.algorithm, &args.policy) {
        (Some(text), _) => (Method::from(algorithms::parse(text, context)?), None),
        (None, Some(name)) => {
            algorithms::reject_zero_limits(context)?;
            let algorithm = policy::search(&policy::open(name)?, None)?;
            let guided = algorithm.to_string();
            (Method::from(algorithm), Some(guided))
        }
        (None, None) => {
            let stop = match args.within {
                _ if args.first => StopRule::First,
                Some(factor) => StopRule::Within(factor),
                None => StopRule::Optimal,
            };
            // The engines of a single board share the threads.
            let threads = if threads == 1 { context.threads() } else { 1 };
            (Method::Portfolio(Portfolio { stop, threads, ..Portfolio::default() }), None)
        }
    };
    let progress = Progress::new(&boards, context);
    let status = progress.status().filter(|_| threads == 1);
    let listener = context.listener.clone().filter(|_| threads == 1);
    let job = SolveJob {
        method,
        status,
        listener,
        metric: args.metric,
        analyze: args.analyze,
        style: if context.global.json {
            Style::Json
        } else {
            Style::Table { verbose: context.global.verbose, colour: context.stdout_colour() }
        },
    };
    let limits = SharedLimits::new(threads, context);
    let make_worker = move || {
        let (mut searcher, job) = (limits.searcher(), job.clone());
        move |item: Result<Entry, miette::Report>| item.map(|entry| job.solve(&entry, &mut searcher))
    };
    let writer = ResultWriter::new(context, Some(progress), table::header());
    let mut printer = SolvePrinter { writer, tally: Tally::default(), solutions: 0, unproven: 0 };
    let started = Instant::now();
    let printed = pipeline::run(boards, threads, make_worker, &context.interrupt, &mut printer)
        .and_then(|()| printer.writer.finish());
    let (mut tally, solutions, unproven) = (printer.tally, printer.solutions, printer.unproven);
    tally.time = started.elapsed();
    drop(printer);
    printed?;
    if !context.global.json && tally.is_several() {
        context.note(&tally.summary("state"));
    }
    if let Some(guided) = guided.filter(|_| unproven > 0 && !context.global.json) {
        let warning = if unproven == solutions {
            "the solutions are not proven optimal".to_owned()
        } else {
            let (unproven, solutions) = (quantity::count(unproven), quantity::count(solutions));
            format!("not proven optimal: {unproven} of {solutions} solutions")
        };
        context.note(&format!("solved by {guided}; {warning}"));
    }
    Ok(if context.interrupt.is_raised() { ExitCode::Interrupted } else { tally.exit_code() })
}

/// The task for each board.
#[derive(Clone)]
struct SolveJob {
    method: Method,
    /// Where to show the state of the search, if it is that of a single board on a terminal.
    status: Option<Status>,
    /// Where to report improvements, if boards are solved one at a time.
    listener: Option<Arc<dyn Listener>>,
    metric: Metric,
    analyze: bool,
    style: Style,
}

/// The output format of results.
#[derive(Clone, Copy)]
enum Style {
    Json,
    Table { verbose: bool, colour: bool },
}

/// The formatted result of a board.
struct BoardResult {
    verdict: Verdict,
    /// Whether the solution is proven optimal; `None` without a solution.
    optimal: Option<bool>,
    analysis_limit: Option<Limit>,
    expanded: u64,
    /// The JSON record, or the row of the table with details.
    text: String,
    /// For the first board: what to print if there is no other, the row with its picture and its solution.
    alone: Option<String>,
    contradiction: Option<Contradiction>,
}

/// A known length of a board that contradicts the result.
struct Contradiction {
    message: String,
    /// Whether the known length is proven, as in the embedded suites: then the contradiction is a bug of the program.
    is_bug: bool,
}

impl SolveJob {
    fn solve(&self, entry: &Entry, searcher: &mut Searcher) -> BoardResult {
        let board = &entry.puzzle.board;
        let outcome = searcher.solve(&self.method, board, self.metric, &|step| {
            if let Some(status) = &self.status {
                status.set(describe(step, self.metric));
            }
            if let Some(listener) = &self.listener {
                listener.improvement(step);
            }
        });
        let answer = &outcome.answer;
        let analysis = self.analyze.then(|| searcher.analyze(board, self.metric));
        let (text, alone) = match self.style {
            Style::Json => (
                json::line(&SolveRecord::new(
                    entry.puzzle.name.as_deref(),
                    board,
                    self.metric,
                    &outcome,
                    analysis.as_ref(),
                )),
                None,
            ),
            Style::Table { verbose, colour } => {
                let row = row(entry, &outcome, analysis.as_ref(), verbose);
                let solution = answer.solution.as_ref().filter(|_| !verbose);
                let solution = solution.map_or_else(String::new, |solution| match solution.moves() {
                    0 => "\nalready solved\n".to_owned(),
                    _ => format!("\n{solution}\n"),
                });
                let alone = || format!("{}\n{}{row}{solution}", ansi::board(board, colour), table::header());
                let alone = (entry.number == 1).then(alone);
                (row, alone)
            }
        };
        BoardResult {
            verdict: answer.verdict,
            optimal: answer.solution.as_ref().map(|_| outcome.optimal),
            analysis_limit: analysis.and_then(|analysis| analysis.limit),
            expanded: answer.statistics.expanded,
            text,
            alone,
            contradiction: contradiction(entry, self.metric, &outcome),
        }
    }
}

/// Describes the state of a search, as in '27 moves, at least 24 needed (layers)'.
fn describe(step: &Improvement, metric: Metric) -> String {
    let plan = step
        .solution
        .map_or_else(|| "no solution yet".to_owned(), |plan| format!("{} {}", plan.length(metric), metric.as_str()));
    format!("{plan}, at least {} needed ({})", step.lower_bound, step.engine)
}

fn row(entry: &Entry, outcome: &SolveOutcome, analysis: Option<&Analysis>, verbose: bool) -> String {
    let answer = &outcome.answer;
    let mut text = table::row(&entry.title(), outcome);
    if verbose {
        let memory = quantity::count(answer.memory as u64);
        let bound = match answer.bound_algorithm {
            engine if engine.is_empty() || engine == outcome.algorithm => String::new(),
            engine => format!(" by {engine}"),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  by {}, {memory} bytes, lower bound {}{bound}", outcome.algorithm, answer.lower_bound);
        if let Some(solution) = &answer.solution {
            let _ = writeln!(text, "  {solution}");
        }
    }
    if let Some(analysis) = analysis {
        text += &table::analysis(analysis);
    }
    text
}

/// Compares the result with the length that the input claims, if any.
fn contradiction(entry: &Entry, metric: Metric, outcome: &SolveOutcome) -> Option<Contradiction> {
    let answer = &outcome.answer;
    let known = match metric {
        Metric::Moves => entry.puzzle.moves?,
        Metric::Steps => entry.puzzle.steps?,
    };
    let found = match (answer.verdict, &answer.solution) {
        (Verdict::Limit(_), _) => return None,
        (_, Some(solution)) => Some(solution.length(metric)),
        (_, None) => None,
    };
    let (agrees, claim) = match known {
        Known::Exactly(length) if outcome.optimal => (found == Some(length), format!("{length}")),
        Known::Exactly(length) => (found.is_some_and(|found| found >= length), format!("{length}")),
        Known::AtMost(length) => {
            (found.is_some_and(|found| found <= length || !outcome.optimal), format!("at most {length}"))
        }
    };
    let which = if outcome.optimal { "the shortest" } else { "a" };
    let found =
        found.map_or_else(|| "the board is unsolvable".to_owned(), |found| format!("{which} solution has {found}"));
    let message = format!("{}: the input claims {claim} {}, but {found}", entry.title(), metric.as_str());
    (!agrees).then_some(Contradiction { message, is_bug: entry.from_suite })
}

/// Prints results as they arrive: a table, and for a single board also its picture and its solution.
struct SolvePrinter<'a> {
    writer: ResultWriter<'a>,
    tally: Tally,
    /// Number of solutions.
    solutions: u64,
    /// Number of solutions that are not proven optimal.
    unproven: u64,
}

impl SolvePrinter<'_> {
    fn count(&mut self, solved: &BoardResult) {
        self.tally.count(solved.verdict, solved.expanded);
        self.solutions += u64::from(solved.optimal.is_some());
        self.unproven += u64::from(solved.optimal == Some(false));
        self.tally.analysis_limits += u64::from(solved.analysis_limit.is_some());
    }

    fn report_contradiction(&mut self, contradiction: &Contradiction) -> Result<(), Failure> {
        if contradiction.is_bug {
            self.tally.contradictions += 1;
            return self.writer.report(&crate::failure::message_with_help(&contradiction.message, PLEASE_REPORT));
        }
        self.writer.note(&format!("warning: {}", contradiction.message))
    }
}

impl Consumer<Result<BoardResult, miette::Report>> for SolvePrinter<'_> {
    type Error = Failure;

    fn take(&mut self, result: Result<BoardResult, miette::Report>) -> Result<(), Failure> {
        match result {
            Err(report) => {
                self.tally.invalid += 1;
                self.writer.report(&report)?;
            }
            Ok(solved) => {
                self.count(&solved);
                if let Some(contradiction) = &solved.contradiction {
                    self.report_contradiction(contradiction)?;
                }
                self.writer.write(solved.text, solved.alone)?;
            }
        }
        self.writer.show_progress(self.tally.boards());
        Ok(())
    }

    fn panicked(&mut self, panic: Panic) -> Result<(), Failure> {
        self.tally.failed += 1;
        self.writer.report_panic(&panic)
    }

    fn idle(&mut self) -> Result<(), Failure> {
        self.writer.idle(self.tally.boards())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_rush::exact::Solver;
    use clearway_rush::formats;

    fn entry(text: &str, from_suite: bool) -> Entry {
        Entry { puzzle: formats::read_one(text, None).unwrap(), number: 1, from_suite }
    }

    fn contradicts(entry: &Entry) -> Option<bool> {
        let answer = Solver::new().solve(&entry.puzzle.board, Metric::Moves, &clearway_search::Limits::default());
        let outcome = SolveOutcome { answer, algorithm: "exact".to_owned(), optimal: true };
        contradiction(entry, Metric::Moves, &outcome).map(|contradiction| contradiction.is_bug)
    }

    #[test]
    fn a_wrong_known_length_is_detected() {
        let card = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";
        assert_eq!(contradicts(&entry(&format!("8 {card}"), true)), None);
        assert_eq!(contradicts(&entry(card, true)), None);
        assert_eq!(contradicts(&entry(&format!("7 {card}"), true)), Some(true));
        assert_eq!(contradicts(&entry(&format!("9 {card}"), false)), Some(false));
        assert_eq!(contradicts(&entry("2 4x3:...BAA.B....", true)), Some(true));
        let mut at_most = entry(card, true);
        at_most.puzzle.moves = Some(Known::AtMost(8));
        assert_eq!(contradicts(&at_most), None);
        at_most.puzzle.moves = Some(Known::AtMost(7));
        assert_eq!(contradicts(&at_most), Some(true));
    }

    #[test]
    fn an_algorithm_may_find_longer_solutions_but_no_shorter_ones() {
        let contradicts = |text: &str, length: usize| {
            let mut answer = Solver::new().solve(
                &entry(text, true).puzzle.board,
                Metric::Moves,
                &clearway_search::Limits::default(),
            );
            let first = answer.solution.as_ref().unwrap().0[0];
            answer.solution = Some(clearway_rush::Solution(vec![first; length]));
            let outcome = SolveOutcome { answer, algorithm: "greedy(h1)".to_owned(), optimal: false };
            contradiction(&entry(text, true), Metric::Moves, &outcome).is_some()
        };
        let card = "8 BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";
        assert_eq!([7, 8, 9].map(|length| contradicts(card, length)), [true, false, false]);
    }
}
