//! `clearway evolve --seeds`: the same run with several seeds, several of them at a time.

use super::{COMMAND, EvolveArgs, failure, report_left_out, settings_and_boards};
use crate::commands::runs::{WRITE_EVERY, unused_path};
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure, message_with_help};
use crate::json;
use crate::output::Context;
use crate::progress::Bar;
use crate::quantity;
use clearway_lab::evaluation::TestResult;
use clearway_lab::evolve::seeds::{MeasureStatistics, SeedResult, SeedsFolder, SeedsReport, statistics_table};
use clearway_lab::evolve::{Run, RunContext, RunError, Settings};
use clearway_lab::runs::Folder;
use clearway_search::Limits;
use clearway_util::parallel;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Seeds on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeedsArg {
    /// This number of seeds.
    Count(u64),
    /// These seeds, in ascending order.
    List(Vec<u64>),
}

/// Maximum number of seeds; a larger number is probably a typing error.
const MAX_SEEDS: u64 = 10_000;

impl FromStr for SeedsArg {
    type Err = String;

    fn from_str(text: &str) -> Result<SeedsArg, String> {
        let invalid = || format!("invalid seeds '{text}'; expected a number of seeds, or seeds such as 3..12 or 1,2,5");
        if let Ok(count) = text.trim().parse::<u64>() {
            return if (1..=MAX_SEEDS).contains(&count) { Ok(SeedsArg::Count(count)) } else { Err(invalid()) };
        }
        let mut seeds = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once("..").unwrap_or((part, part));
            let ends = first.trim().parse::<u64>().ok().zip(last.trim().parse::<u64>().ok());
            let is_valid =
                |(first, last): &(u64, u64)| first <= last && last - first < MAX_SEEDS && i64::try_from(*last).is_ok();
            let (first, last) = ends.filter(is_valid).ok_or_else(invalid)?;
            seeds.extend(first..=last);
        }
        seeds.sort_unstable();
        seeds.dedup();
        if seeds.len() as u64 > MAX_SEEDS { Err(invalid()) } else { Ok(SeedsArg::List(seeds)) }
    }
}

impl SeedsArg {
    /// Returns the seeds; a number of seeds starts at `--seed`.
    fn seeds(&self, first: Option<u64>) -> Result<Vec<u64>, Failure> {
        match (self, first) {
            (SeedsArg::Count(count), first) => {
                let first = first.unwrap_or(0);
                Ok((first..=(first + (count - 1)).min(i64::MAX as u64)).collect())
            }
            (SeedsArg::List(seeds), None) => Ok(seeds.clone()),
            (SeedsArg::List(_), Some(_)) => {
                let help = "omit --seed, or give --seeds the number of seeds";
                Err(Failure::usage("--seed cannot be used with a list of seeds", help))
            }
        }
    }
}

/// The result of all seeds, as `clearway evolve --seeds --json` prints it after the results of the seeds.
#[derive(Serialize)]
struct SeedsRecord {
    /// The folder of the runs.
    folder: String,
    /// The seeds whose runs are finished.
    seeds: Vec<u64>,
    /// The seeds whose runs are not finished.
    unfinished: Vec<u64>,
    /// Whether the runs were interrupted.
    interrupted: bool,
    /// The champions of all seeds: a summary of each measure.
    statistics: Vec<MeasureStatistics>,
}

/// Evolves a policy for each seed, in a new folder or one that holds some of the runs already.
pub fn run(args: &EvolveArgs, seeds: &SeedsArg, context: &Context) -> CommandResult {
    let seeds = seeds.seeds(args.seed)?;
    let path = args.out.clone().unwrap_or_else(|| unused_path("evolve-seeds"));
    let folder = SeedsFolder::at(&path);
    let failed = |error| failure(&RunError::from(error), &path);
    let _lock = folder.lock().map_err(failed)?;
    folder.check_usable().map_err(failed)?;
    // The options are the same for all seeds, so notes and warnings about them are given once.
    let quietly = context.quietly();
    for (place, &seed) in seeds.iter().enumerate() {
        let one = EvolveArgs { seed: Some(seed), seeds: None, out: None, ..args.clone() };
        let context = if place == 0 { context } else { &quietly };
        let (settings, board_sets) = settings_and_boards(&one, context)?;
        let run = folder.run(seed);
        if !has_run(run.path(), &settings)? {
            Run::create(&run, &settings, &board_sets).map_err(|error| failure(&error, run.path()))?;
        }
    }
    let count = quantity::plural(seeds.len() as u64, "seed");
    context.note(&format!("evolving with {count}; the runs are saved in {}", path.display()));
    SeedRuns { args, folder: &folder, context, failure: Mutex::default() }.all(&seeds)
}

/// Resumes the runs in a folder.
pub fn resume(args: &EvolveArgs, path: &Path, context: &Context) -> CommandResult {
    let folder = SeedsFolder::at(path);
    let _lock = folder.lock().map_err(|error| failure(&RunError::from(error), path))?;
    let seeds = folder.seeds();
    let names: Vec<String> = seeds.iter().map(u64::to_string).collect();
    context.note(&format!("resuming the runs in {} with the seeds {}", path.display(), names.join(", ")));
    SeedRuns { args, folder: &folder, context, failure: Mutex::default() }.all(&seeds)
}

/// Returns whether a folder holds a run with these settings. Fails if it holds a run with other settings.
pub fn has_run(path: &Path, settings: &Settings) -> Result<bool, Failure> {
    let folder = Folder::at(path);
    if !folder.is_run() {
        return Ok(false);
    }
    let found = folder.policy_settings().map_err(|error| failure(&error.into(), path))?;
    // The limits of a run may be changed when it is resumed.
    let mut same = settings.clone();
    same.command.clone_from(&found.command);
    same.budget = found.budget;
    same.breeding.generations = found.breeding.generations;
    if found == same {
        return Ok(true);
    }
    let message = format!("{} contains a run with other settings: {}", path.display(), found.command);
    let help = "use the same options to resume it, or another --out";
    Err(Failure::bad_input(message_with_help(message, help)))
}

/// The runs of a folder.
struct SeedRuns<'a> {
    args: &'a EvolveArgs,
    folder: &'a SeedsFolder,
    context: &'a Context,
    /// Why a run failed.
    failure: Mutex<Option<Failure>>,
}

/// Resources of one of several runs at a time.
#[derive(Clone, Copy)]
struct Share {
    threads: usize,
    memory: usize,
}

/// How a run ended.
enum SeedEnd {
    Finished(SeedResult),
    /// Its share of the memory does not suffice.
    NeedsMemory,
}

impl SeedRuns<'_> {
    /// Runs all seeds that have no result yet, and writes and prints the results.
    fn all(&self, seeds: &[u64]) -> CommandResult {
        let (done, missing): (Vec<u64>, Vec<u64>) = seeds.iter().copied().partition(|&seed| self.is_done(seed));
        if !done.is_empty() {
            self.context.note(&format!("{} of {} runs are already done", done.len(), seeds.len()));
        }
        let progress = SeedsProgress::new(seeds.len(), done.len(), self.context);
        let alone = Share { threads: self.context.threads(), memory: self.context.global.memory };
        let (mut missing, mut workers) = (missing, alone.threads.clamp(1, seeds.len()));
        // Runs that need more memory are repeated, half as many at a time.
        while !missing.is_empty() && !self.context.interrupt.is_raised() {
            workers = workers.min(missing.len());
            let share = Share { threads: (alone.threads / workers).max(1), memory: alone.memory / workers };
            missing = self.some(&missing, workers, share, alone, &progress)?;
            missing.sort_unstable();
            workers = workers.div_ceil(2);
        }
        drop(progress);
        self.finish(seeds)
    }

    /// Whether the run of a seed is finished, and no more generations or another budget continue it.
    fn is_done(&self, seed: u64) -> bool {
        let Ok(settings) = self.folder.run(seed).policy_settings() else { return false };
        let mut wanted = settings.clone();
        self.args.extend(&mut wanted);
        wanted == settings && self.folder.result(seed).is_some()
    }

    /// Runs some seeds, several at a time; returns those that need more memory.
    fn some(
        &self,
        seeds: &[u64],
        workers: usize,
        share: Share,
        all: Share,
        progress: &SeedsProgress,
    ) -> Result<Vec<u64>, Failure> {
        let mut large = Vec::new();
        let work = |task: usize| self.one(seeds[task], task == 0, share, all, progress);
        let done = |task: usize, end: &SeedEnd| {
            match end {
                SeedEnd::Finished(result) => progress.finished(result),
                SeedEnd::NeedsMemory => large.push(seeds[task]),
            }
            Ok::<(), Failure>(())
        };
        parallel::ordered(seeds.len(), workers, work, done, |_, _| Ok(()))?;
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or(Ok(large), Err)
    }

    /// Keeps the first error of a run, and stops the other runs as after Ctrl-C.
    fn fail(&self, failure: Failure) -> Option<SeedEnd> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
        self.context.interrupt.flag().store(true, Ordering::Relaxed);
        None
    }

    /// Runs one seed; `None` if it was interrupted or failed.
    fn one(&self, seed: u64, is_first: bool, share: Share, all: Share, progress: &SeedsProgress) -> Option<SeedEnd> {
        let end = self.evolve(seed, is_first, share, progress);
        match end {
            Err(RunError::OutOfMemory(_)) if share.memory < all.memory => Some(SeedEnd::NeedsMemory),
            Ok(None) | Err(RunError::Cancelled) => None,
            Err(error) => self.fail(failure(&error, self.folder.run(seed).path())),
            Ok(Some((_, tests))) if share.memory < all.memory && lacks_memory(&tests) => Some(SeedEnd::NeedsMemory),
            Ok(Some((result, _))) => match self.folder.write_result(&result) {
                Ok(()) => Some(SeedEnd::Finished(result)),
                Err(error) => self.fail(failure(&error.into(), self.folder.path())),
            },
        }
    }

    /// Continues the run of a seed to its end, and tests its champion. `None` if it was interrupted.
    fn evolve(
        &self,
        seed: u64,
        is_first: bool,
        share: Share,
        progress: &SeedsProgress,
    ) -> Result<Option<(SeedResult, Vec<TestResult>)>, RunError> {
        let interrupt = &self.context.interrupt;
        if interrupt.is_raised() {
            return Ok(None);
        }
        let run_context =
            RunContext { threads: share.threads, memory: share.memory, cancel: interrupt.flag(), progress: &|_, _| () };
        let (mut run, fault) = Run::resume(self.folder.run(seed), |settings| self.args.extend(settings), &run_context)?;
        if let Some(fault) = fault {
            self.context.warn(&format!("seed {seed}: {fault}; using the previous checkpoint"));
        }
        self.context.warn_corrupt(run.corrupt_log_lines(), "restored from the checkpoint");
        if is_first {
            report_left_out(run.left_out(), self.context);
        }
        let mut written = Instant::now();
        while !run.is_done() && !interrupt.is_raised() {
            if run.step(share.threads)?.is_none() {
                break;
            }
            progress.show(seed, run.generations().len(), run.expected_generations() as usize);
            if written.elapsed() >= WRITE_EVERY {
                write_best(&run)?;
                written = Instant::now();
            }
        }
        let champion = if interrupt.is_raised() { None } else { run.champion(share.threads) };
        if let Some(champion) = champion {
            let limits = Limits { memory: Some(share.memory), cancel: Some(interrupt.flag()), ..Limits::default() };
            let tests = run.test(&champion, share.threads, &limits, |_| ());
            if !interrupt.is_raised() {
                run.write(&champion, &tests)?;
                return Ok(Some((SeedResult::new(&run, &champion, &tests), tests)));
            }
        }
        write_best(&run)?;
        Ok(None)
    }

    /// Writes the reports and prints the results.
    fn finish(&self, seeds: &[u64]) -> CommandResult {
        let path = self.folder.path();
        let failed = |error| failure(&RunError::from(error), path);
        let report = SeedsReport::read(self.folder).map_err(failed)?;
        write_report(self.folder, &report)?;
        let mut out = self.context.stdout();
        let is_finished = |seed: u64| report.results().iter().any(|result| result.seed == seed);
        let (finished, unfinished): (Vec<u64>, Vec<u64>) = seeds.iter().copied().partition(|&seed| is_finished(seed));
        if self.context.global.json {
            for result in report.results() {
                out.write_all(json::line(result).as_bytes())?;
            }
            let record = SeedsRecord {
                folder: path.display().to_string(),
                seeds: finished.clone(),
                unfinished,
                interrupted: self.context.interrupt.is_raised(),
                statistics: report.statistics(),
            };
            out.write_all(json::line(&record).as_bytes())?;
        } else {
            print_statistics(&report, &mut out, self.context)?;
        }
        out.flush()?;
        let (count, shown) = (finished.len(), path.display());
        if self.context.interrupt.is_raised() {
            self.context.note(&format!(
                "interrupted; {count} of {} runs are finished; resume with: {COMMAND} --resume {shown}",
                seeds.len()
            ));
            return Ok(ExitCode::Interrupted);
        }
        let runs = quantity::plural(count as u64, "run");
        self.context.note(&format!("{runs} done; the report is in {}", path.join("report.html").display()));
        Ok(ExitCode::Done)
    }
}

/// Prints the table of all champions or, if no run is finished, a note instead of an empty table.
pub fn print_statistics(report: &SeedsReport, out: &mut impl Write, context: &Context) -> Result<(), Failure> {
    if report.results().is_empty() {
        context.note("there are no statistics of champions yet, because no run is finished");
    } else {
        write!(out, "{}", statistics_table(&report.statistics()).to_text())?;
    }
    Ok(())
}

/// Writes the files about all seeds.
pub fn write_report(folder: &SeedsFolder, report: &SeedsReport) -> Result<(), Failure> {
    for (name, text) in report.files() {
        folder.write(name, &text).map_err(|error| failure(&error.into(), folder.path()))?;
    }
    Ok(())
}

/// Writes the best policy of an unfinished run.
fn write_best(run: &Run) -> Result<(), RunError> {
    run.best().map_or(Ok(()), |best| run.write(&best, &[]))
}

/// Whether a test ended at the memory limit.
fn lacks_memory(tests: &[TestResult]) -> bool {
    let is_memory = |limit: &Option<String>| limit.as_deref() == Some("memory");
    tests.iter().any(|tested| tested.table.runs.iter().any(|run| is_memory(&run.limit)))
}

/// Progress of all seeds.
struct SeedsProgress<'a> {
    bar: Bar,
    context: &'a Context,
    seeds: usize,
    state: Mutex<ProgressState>,
}

#[derive(Default)]
struct ProgressState {
    finished: usize,
    /// Of the runs in progress: seed, generations so far, and the expected number.
    running: Vec<(u64, usize, usize)>,
}

/// Steps of the progress bar per run.
const STEPS: usize = 1000;

impl<'a> SeedsProgress<'a> {
    fn new(seeds: usize, finished: usize, context: &'a Context) -> SeedsProgress<'a> {
        let state = Mutex::new(ProgressState { finished, running: Vec::new() });
        SeedsProgress { bar: Bar::new("seeds", context), context, seeds, state }
    }

    /// Shows the generations of a run.
    fn show(&self, seed: u64, made: usize, expected: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.running.iter_mut().find(|(other, ..)| *other == seed) {
            Some(run) => *run = (seed, made, expected),
            None => state.running.push((seed, made, expected)),
        }
        self.draw(&state);
    }

    /// Shows that a run is finished.
    fn finished(&self, result: &SeedResult) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.finished += 1;
        state.running.retain(|(seed, ..)| *seed != result.seed);
        self.draw(&state);
        if self.context.global.verbose {
            let made = quantity::plural(result.generations as u64, "generation");
            let time = quantity::time(Duration::from_secs_f64(result.seconds));
            self.bar.around_stderr(|| self.context.note(&format!("seed {}: {made} in {time}", result.seed)));
        }
    }

    fn draw(&self, state: &ProgressState) {
        let partial: usize =
            state.running.iter().map(|(_, made, expected)| STEPS * made / expected.max(made).max(&1)).sum();
        let message = format!("({} of {} seeds done)", state.finished, self.seeds);
        self.bar.show_with_message(STEPS * state.finished + partial, STEPS * self.seeds, message);
    }
}

/// Returns whether a folder holds the runs of several seeds.
pub fn has_seeds(path: &Path) -> bool {
    !Folder::at(path).is_run() && !SeedsFolder::at(path).seeds().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_a_number_or_a_list() {
        let seeds = |text: &str, first| text.parse::<SeedsArg>().unwrap().seeds(first).ok();
        assert_eq!(seeds("3", None), Some(vec![0, 1, 2]));
        assert_eq!(seeds("2", Some(7)), Some(vec![7, 8]));
        assert_eq!(seeds("3..5", None), Some(vec![3, 4, 5]));
        assert_eq!(seeds("5,1..2,2", None), Some(vec![1, 2, 5]));
        assert_eq!(seeds("3..5", Some(1)), None);
        for invalid in
            ["", "0", "5,", "3..1", "a", "1-3", "0..99999", "99999", "9223372036854775808..9223372036854775809"]
        {
            assert!(invalid.parse::<SeedsArg>().is_err(), "{invalid}");
        }
    }
}
