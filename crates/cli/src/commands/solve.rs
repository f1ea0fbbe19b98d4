//! `clearway solve`: finds shortest solutions, in input order.

use crate::algorithms;
use crate::args::SolveArgs;
use crate::commands::policy;
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure};
use crate::input::{Boards, Fallback, InputEntry};
use crate::json;
use crate::output::{Context, Listener};
use crate::panics::{PLEASE_REPORT, Panic};
use crate::pipeline::{self, ResultConsumer};
use crate::progress::{BoardProgress, ProgressStatus};
use crate::quantity;
use crate::result_writer::ResultWriter;
use crate::searcher::{Searcher, SharedLimits};
use crate::table;
use crate::tally::Tally;
use clearway_answers::records::SolveRecord;
use clearway_answers::{SolveMethod, SolveOutcome};
use clearway_rush::exact::Analysis;
use clearway_rush::formats::{KnownLength, ansi};
use clearway_rush::{Improvement, Metric, Portfolio, Solution, StopRule};
use clearway_search::{Limit, Verdict};
use std::cell::Cell;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

/// Solves every board.
pub fn run(args: &SolveArgs, context: &Context) -> CommandResult {
    let boards = Boards::open(&args.input, Fallback::Cards)?;
    let threads = context.threads().min(boards.known_count().unwrap_or(usize::MAX)).max(1);
    let (method, guided) = match (&args.algorithm, &args.policy) {
        (Some(text), _) => (SolveMethod::from(algorithms::parse(text, context)?), None),
        (None, Some(name)) => {
            algorithms::reject_zero_limits(context)?;
            let algorithm = policy::search(&policy::open(name)?, None)?;
            let guided = algorithm.to_string();
            (SolveMethod::from(algorithm), Some(guided))
        }
        (None, None) => {
            let stop = match args.within {
                _ if args.first => StopRule::First,
                Some(factor) => StopRule::Within(factor),
                None => StopRule::Optimal,
            };
            // The engines of a single board share the threads.
            let threads = if threads == 1 { context.threads() } else { 1 };
            (SolveMethod::Portfolio(Portfolio { stop, threads, ..Portfolio::default() }), None)
        }
    };
    let progress = BoardProgress::new(&boards, context);
    let prints_improvements = context.global.verbose && context.listener.is_none();
    let status = (threads == 1 && (prints_improvements || progress.is_wanted())).then(|| progress.status());
    let listener = context.listener.clone().filter(|_| threads == 1);
    let job = SolveJob {
        method,
        status,
        prints_improvements,
        listener,
        metric: args.metric,
        analyze: args.analyze,
        style: if context.global.json {
            ResultFormat::Json
        } else {
            ResultFormat::Table { verbose: context.global.verbose, colour: context.stdout_colour() }
        },
    };
    let limits = SharedLimits::new(threads, context);
    let make_worker = move || {
        let (mut searcher, job) = (limits.searcher(), job.clone());
        move |item: Result<InputEntry, miette::Report>| item.map(|entry| job.solve(&entry, &mut searcher))
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
    method: SolveMethod,
    /// Where to describe the state of the search, if boards are solved one at a time and somebody wants to know.
    status: Option<ProgressStatus>,
    /// Whether to print every improvement, so that nothing that was found is lost, however the program ends.
    prints_improvements: bool,
    /// Where to report improvements, if boards are solved one at a time.
    listener: Option<Arc<dyn Listener>>,
    metric: Metric,
    analyze: bool,
    style: ResultFormat,
}

/// The output format of results.
#[derive(Clone, Copy)]
enum ResultFormat {
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
    fn solve(&self, entry: &InputEntry, searcher: &mut Searcher) -> BoardResult {
        let board = &entry.puzzle.board;
        let shortest = Cell::new(u32::MAX);
        let outcome = searcher.solve(&self.method, board, self.metric, &|step| {
            if let Some(status) = &self.status {
                if self.prints_improvements {
                    let is_shorter = |plan: &&Solution| plan.length(self.metric) < shortest.get();
                    let plan = step.solution.filter(is_shorter);
                    shortest.set(plan.map_or(shortest.get(), |plan| plan.length(self.metric)));
                    status.print(&improvement(&entry.title(), step, self.metric, plan));
                }
                status.set(describe(step, self.metric));
            }
            if let Some(listener) = &self.listener {
                listener.improvement(step);
            }
        });
        let answer = &outcome.answer;
        let analysis = self.analyze.then(|| searcher.analyze(board, self.metric));
        let (text, alone) = match self.style {
            ResultFormat::Json => (
                json::line(&SolveRecord::new(
                    entry.puzzle.name.as_deref(),
                    board,
                    self.metric,
                    &outcome,
                    analysis.as_ref(),
                )),
                None,
            ),
            ResultFormat::Table { verbose, colour } => {
                let row = row(entry, self.metric, &outcome, analysis.as_ref(), verbose);
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

/// A line on an improvement, and on the plan if it is new: `12x12_7: 27 moves, at least 24 needed (layers), 1.2 s: A+1 B-2`.
fn improvement(title: &str, step: &Improvement, metric: Metric, plan: Option<&Solution>) -> String {
    let plan = plan.filter(|plan| plan.moves() > 0).map_or_else(String::new, |plan| format!(": {plan}"));
    format!("{title}: {}, {}{plan}", describe(step, metric), quantity::time(step.time))
}

fn row(
    entry: &InputEntry,
    metric: Metric,
    outcome: &SolveOutcome,
    analysis: Option<&Analysis>,
    verbose: bool,
) -> String {
    let answer = &outcome.answer;
    let mut text = table::row(&entry.title(), metric, outcome);
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
fn contradiction(entry: &InputEntry, metric: Metric, outcome: &SolveOutcome) -> Option<Contradiction> {
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
        KnownLength::Exactly(length) if outcome.optimal => (found == Some(length), format!("{length}")),
        KnownLength::Exactly(length) => (found.is_some_and(|found| found >= length), format!("{length}")),
        KnownLength::AtMost(length) => {
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

impl ResultConsumer<Result<BoardResult, miette::Report>> for SolvePrinter<'_> {
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

    fn entry(text: &str, from_suite: bool) -> InputEntry {
        InputEntry { puzzle: formats::read_one(text, None).unwrap(), number: 1, from_suite }
    }

    fn contradicts(entry: &InputEntry) -> Option<bool> {
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
        at_most.puzzle.moves = Some(KnownLength::AtMost(8));
        assert_eq!(contradicts(&at_most), None);
        at_most.puzzle.moves = Some(KnownLength::AtMost(7));
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
