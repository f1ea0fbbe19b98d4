//! `clearway solve`: boards in, shortest solutions out, in order.

use crate::algorithms;
use crate::args::SolveArgs;
use crate::commands::policy;
use crate::exit::ExitCode;
use crate::failure::{Failure, Outcome};
use crate::input::{Boards, Entry, Fallback};
use crate::json;
use crate::output::Context;
use crate::panics::{PLEASE_REPORT, Panic};
use crate::pipeline::{self, Consumer};
use crate::progress::Progress;
use crate::quantity;
use crate::searcher::{Plan, Searcher};
use crate::table;
use crate::tally::Tally;
use clearway_lab::records::SolveRecord;
use clearway_lab::{Algorithm, Found};
use clearway_rush::Metric;
use clearway_rush::exact::Analysis;
use clearway_rush::formats::{Known, ansi};
use clearway_search::{Limit, Verdict};
use std::fmt::Write as _;
use std::io::Write;
use std::time::Instant;

/// Solves every board.
pub fn run(args: &SolveArgs, context: &Context) -> Outcome {
    let boards = Boards::open(&args.input, Fallback::Cards)?;
    let algorithm = match (&args.algorithm, &args.policy) {
        (Some(text), _) => Some(algorithms::one(text, context)?),
        (None, Some(name)) => {
            algorithms::refuse_zero_limits(context)?;
            Some(policy::search(&policy::open(name)?, None)?)
        }
        (None, None) => None,
    };
    let guided = args.policy.is_some().then(|| algorithm.as_ref().map(ToString::to_string)).flatten();
    let threads = context.threads();
    let threads = threads.min(boards.known_count().unwrap_or(threads)).max(1);
    let progress = Progress::new(&boards, context);
    let job = Job {
        algorithm,
        metric: args.metric.into(),
        analyze: args.analyze,
        style: if context.global.json {
            Style::Json
        } else {
            Style::Table { verbose: context.global.verbose, colour: context.stdout_colour() }
        },
    };
    let plan = Plan::new(threads, context);
    let make_worker = move || {
        let (mut searcher, job) = (plan.searcher(), job.clone());
        move |item: Result<Entry, miette::Report>| item.map(|entry| job.solve(&entry, &mut searcher))
    };
    let mut printer = Printer::new(context, progress);
    let printed =
        pipeline::run(boards, threads, make_worker, &context.interrupt, &mut printer).and_then(|()| printer.finish());
    let tally = printer.tally;
    drop(printer);
    printed?;
    if !context.global.json && tally.boards() + tally.refused + tally.failed > 1 {
        context.note(&tally.summary("state"));
    }
    if let Some(guided) = guided.filter(|_| !context.global.json) {
        context.note(&format!("by {guided}: the solutions are not proven shortest"));
    }
    Ok(if context.interrupt.is_raised() { ExitCode::Interrupted } else { tally.exit_code() })
}

/// What to do with every board.
#[derive(Clone)]
struct Job {
    algorithm: Option<Algorithm>,
    metric: Metric,
    analyze: bool,
    style: Style,
}

/// How answers are written.
#[derive(Clone, Copy)]
enum Style {
    Json,
    Table { verbose: bool, colour: bool },
}

/// A board with its answer, ready to be printed.
struct Solved {
    verdict: Verdict,
    analysis_limit: Option<Limit>,
    expanded: u64,
    /// The JSON record, or the row of the table and what follows it.
    text: String,
    /// The picture to print above the table if this is the only board, and the solution to print below.
    around: Option<(String, String)>,
    contradiction: Option<Contradiction>,
}

/// A length that was known for a board and is not what was found.
struct Contradiction {
    message: String,
    /// Facts of the embedded suites are proven, so the fault is ours; any other is the fault of the input.
    is_ours: bool,
}

impl Job {
    fn solve(&self, entry: &Entry, searcher: &mut Searcher) -> Solved {
        let board = &entry.puzzle.board;
        let found = searcher.solve_by(self.algorithm.as_ref(), board, self.metric);
        let answer = &found.answer;
        let analysis = self.analyze.then(|| searcher.analyze(board, self.metric));
        let (text, around) = match self.style {
            Style::Json => (
                json::line(&SolveRecord::new(
                    entry.puzzle.name.as_deref(),
                    board,
                    self.metric,
                    &found,
                    analysis.as_ref(),
                )),
                None,
            ),
            Style::Table { verbose, colour } => {
                let row = row(entry, &found, analysis.as_ref(), verbose);
                let solution = answer.solution.as_ref().filter(|_| !verbose);
                let solution = solution.map_or_else(String::new, |solution| match solution.moves() {
                    0 => "\nsolved as it stands\n".to_owned(),
                    _ => format!("\n{solution}\n"),
                });
                let picture = || format!("{}\n", ansi::board(board, colour));
                (row, (entry.number == 1).then(|| (picture(), solution)))
            }
        };
        Solved {
            verdict: answer.verdict,
            analysis_limit: analysis.and_then(|analysis| analysis.limit),
            expanded: answer.counters.expanded,
            text,
            around,
            contradiction: contradiction(entry, self.metric, &found),
        }
    }
}

fn row(entry: &Entry, found: &Found, analysis: Option<&Analysis>, verbose: bool) -> String {
    let answer = &found.answer;
    let mut text = table::row(&entry.title(), answer);
    if verbose {
        let memory = quantity::count(answer.memory as u64);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  by {}, {memory} bytes, lower bound {}", found.algorithm, answer.lower_bound);
        if let Some(solution) = &answer.solution {
            let _ = writeln!(text, "  {solution}");
        }
    }
    if let Some(analysis) = analysis {
        text += &table::analysis(analysis);
    }
    text
}

fn contradiction(entry: &Entry, metric: Metric, by: &Found) -> Option<Contradiction> {
    let answer = &by.answer;
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
        Known::Exactly(length) if by.optimal => (found == Some(length), format!("{length}")),
        Known::Exactly(length) => (found.is_some_and(|found| found >= length), format!("{length}")),
        Known::AtMost(length) => {
            (found.is_some_and(|found| found <= length || !by.optimal), format!("at most {length}"))
        }
    };
    let which = if by.optimal { "the shortest" } else { "a" };
    let found =
        found.map_or_else(|| "the board is unsolvable".to_owned(), |found| format!("{which} solution has {found}"));
    let message = format!("{}: {claim} {} are claimed, but {found}", entry.title(), metric.word());
    (!agrees).then_some(Contradiction { message, is_ours: entry.from_suite })
}

/// Prints results as they come. The first row of a table waits until it is known whether it is the only one, because
/// then the picture goes above it.
struct Printer<'a> {
    context: &'a Context,
    progress: Progress,
    out: crate::output::Stdout,
    first: Option<Solved>,
    started: Instant,
    tally: Tally,
}

impl<'a> Printer<'a> {
    fn new(context: &'a Context, progress: Progress) -> Printer<'a> {
        Printer {
            context,
            progress,
            out: context.stdout(),
            first: None,
            started: Instant::now(),
            tally: Tally::default(),
        }
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.out.write_all(text.as_bytes())?)
    }

    fn report(&mut self, report: &miette::Report) -> Result<(), Failure> {
        // What came before the error on stdout shall be seen before it.
        self.flush()?;
        self.progress.around(|| self.context.report(report));
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let out = &mut self.out;
        if out.buffer().is_empty() {
            return Ok(());
        }
        Ok(self.progress.around_stdout(|| out.flush())?)
    }

    /// Prints the row that was waiting, as one of many.
    fn release_first(&mut self) -> Result<(), Failure> {
        match self.first.take() {
            Some(first) => self.write(&(table::header() + &first.text)),
            None => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<(), Failure> {
        if let Some(first) = self.first.take() {
            let (picture, solution) = first.around.unwrap_or_default();
            let header = table::header();
            self.write(&(picture + &header + &first.text + &solution))?;
        }
        self.tally.time = self.started.elapsed();
        self.flush()
    }

    fn count(&mut self, solved: &Solved) {
        self.tally.count(solved.verdict, solved.expanded);
        self.tally.analysis_limits += u64::from(solved.analysis_limit.is_some());
    }

    fn tell_contradiction(&mut self, contradiction: &Contradiction) -> Result<(), Failure> {
        if contradiction.is_ours {
            self.tally.contradictions += 1;
            return self.report(&crate::failure::message_with_help(&contradiction.message, PLEASE_REPORT));
        }
        self.flush()?;
        self.progress.around(|| self.context.note(&format!("warning: {}", contradiction.message)));
        Ok(())
    }
}

impl Consumer<Result<Solved, miette::Report>> for Printer<'_> {
    type Error = Failure;

    fn take(&mut self, result: Result<Solved, miette::Report>) -> Result<(), Failure> {
        let is_first = self.tally.boards() == 0;
        match result {
            Err(report) => {
                self.release_first()?;
                self.tally.refused += 1;
                self.report(&report)?;
            }
            Ok(solved) => {
                self.count(&solved);
                if let Some(contradiction) = &solved.contradiction {
                    self.tell_contradiction(contradiction)?;
                }
                if self.context.global.json {
                    self.write(&solved.text)?;
                } else if is_first {
                    self.first = Some(solved);
                } else {
                    self.release_first()?;
                    self.write(&solved.text)?;
                }
            }
        }
        self.progress.done(self.tally.boards());
        Ok(())
    }

    fn panicked(&mut self, panic: Panic) -> Result<(), Failure> {
        self.release_first()?;
        self.tally.failed += 1;
        if self.context.global.json {
            self.write(&panic.record())?;
        }
        self.report(&panic.report())
    }

    fn idle(&mut self) -> Result<(), Failure> {
        self.progress.done(self.tally.boards());
        self.flush()
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
        let found = Found { answer, algorithm: "exact".to_owned(), optimal: true };
        contradiction(entry, Metric::Moves, &found).map(|contradiction| contradiction.is_ours)
    }

    #[test]
    fn a_known_length_that_is_wrong_is_noticed() {
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
            let found = Found { answer, algorithm: "greedy(h1)".to_owned(), optimal: false };
            contradiction(&entry(text, true), Metric::Moves, &found).is_some()
        };
        let card = "8 BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";
        assert_eq!([7, 8, 9].map(|length| contradicts(card, length)), [true, false, false]);
    }
}
