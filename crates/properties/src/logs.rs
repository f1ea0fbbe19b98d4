//! Logs from which long work is resumed, and results that it leaves.

use crate::shared::{board, choice, scratch};
use clearway_forge::Shape;
use clearway_forge::enumerate::{Catalogue, EnumerationPlan, TaskLog};
use clearway_gp::Generation;
use clearway_lab::compare::{Comparison, ComparisonLog, Contestant, NamedBoard};
use clearway_lab::evolve::LoggedGeneration;
use clearway_lab::evolve::seeds::{SeedsFolder, champion_table, measures, statistics, statistics_table};
use clearway_lab::repro::Parts;
use clearway_lab::runs::{Folder, RunLog};
use clearway_rush::{Metric, Side};
use clearway_search::Limits;
use clearway_util::seal::{seal, unseal};
use std::fs;
use std::path::Path;

/// Number of generations of the run that the logs belong to.
const GENERATIONS: u32 = 3;
/// Seed of that run.
const SEED: u64 = 7;
/// Memory limit of the searches of reproductions.
const MEMORY: usize = 1 << 30;

/// Returns the comparison that the logs belong to: one small board, two algorithms.
pub fn comparison() -> Comparison {
    let contestant = |text: &str| {
        let algorithm = text.parse().unwrap_or_else(|error| panic!("{error}"));
        Contestant { label: text.to_owned(), algorithm }
    };
    Comparison {
        boards: vec![NamedBoard { name: None, board: board("4x4:BB.CAA.CD...DEE.") }],
        algorithms: vec![contestant("bfs"), contestant("astar(blockers)")],
        metric: Metric::Moves,
        limits: Limits { nodes: Some(1000), memory: Some(1 << 30), ..Limits::default() },
        threads: 1,
    }
}

/// Returns the plan that the logs of enumerations belong to.
pub fn plan() -> EnumerationPlan {
    let shape = Shape::new(4, 4, Side::Right, None, 0).expect("the shape is valid");
    EnumerationPlan::new(shape, Metric::Moves, 0).expect("boards of 4x4 can be enumerated")
}

/// Checks logs of comparisons. The first byte selects whether the rest is a whole file, or lines after a valid header, with or
/// without valid checksums.
///
/// Opening a log does not panic. An opened log keeps its valid lines only, so that opening it again finds the same runs and does
/// not change the file; the comparison can be resumed from it.
pub fn compare(bytes: &[u8]) {
    let Some((form, rest)) = choice(bytes) else { return };
    let (path, comparison) = (scratch("compare.log"), comparison());
    write(&path, form, rest, || drop(ComparisonLog::open(&path, &comparison)));
    let Ok(log) = ComparisonLog::open(&path, &comparison) else { return };
    let (known, kept) = (log.known(), read(&path));
    drop(log);
    let mut log = ComparisonLog::open(&path, &comparison).expect("what was opened can be opened again");
    assert_eq!((log.known(), read(&path)), (known, kept));
    let mut records = 0;
    let resumed = comparison.run(
        &mut log,
        |_| (),
        |_| {
            records += 1;
            Ok(())
        },
    );
    resumed.expect("a log that was opened can be resumed");
    assert_eq!(records, comparison.algorithms.len());
}

/// Checks logs of enumerations. The first byte is as for [`compare`].
///
/// Opening a log does not panic, reading it without opening finds the same tasks, and its catalogue can be printed and counted.
pub fn enumerate(bytes: &[u8]) {
    let Some((form, rest)) = choice(bytes) else { return };
    let (path, plan) = (scratch("enumerate.log"), plan());
    write(&path, form, rest, || drop(TaskLog::open(&path, &plan, &mut Catalogue::default())));
    let mut catalogue = Catalogue::default();
    let Ok(log) = TaskLog::open(&path, &plan, &mut catalogue) else { return };
    let kept = read(&path);
    drop(log);
    let mut again = Catalogue::default();
    TaskLog::read(&path, &plan, &mut again).expect("what was opened can be read");
    assert_eq!(read(&path), kept, "reading does not change a log");
    assert_eq!((again.tasks(), again.tally(), again.len()), (catalogue.tasks(), catalogue.tally(), catalogue.len()));
    assert!(catalogue.tasks() <= plan.tasks());
    check_catalogue(&mut catalogue, &plan);
}

/// Checks that a catalogue can be printed and counted, and round-trips through a file.
pub fn check_catalogue(catalogue: &mut Catalogue, plan: &EnumerationPlan) {
    let mut text = Vec::new();
    catalogue.write_lines(plan, &mut text).expect("writing to a vector succeeds");
    let counted: u64 = catalogue.by_depth().iter().map(|&(puzzles, _)| puzzles).sum();
    assert_eq!(counted, catalogue.len() as u64);
    let shard = catalogue.to_shard(plan).expect("a catalogue can be written");
    let mut again = Catalogue::from_shard(&shard, plan).expect("what was written can be read");
    assert_eq!((again.tasks(), again.tally()), (catalogue.tasks(), catalogue.tally()));
    assert_eq!(again.sorted(), catalogue.sorted());
}

/// Checks logs of reproductions. The first byte is as for [`compare`].
///
/// Opening a log does not panic. An opened log keeps its valid lines only, so that opening it again finds the same parts and does
/// not change the file; each result of a search is restored or rejected.
pub fn reproductions(bytes: &[u8]) {
    let Some((form, rest)) = choice(bytes) else { return };
    let path = scratch("parts.jsonl");
    write(&path, form, rest, || drop(Parts::open(&path)));
    let Ok((parts, _)) = Parts::open(&path) else { return };
    let (count, kept) = (parts.count(), read(&path));
    drop(parts);
    let (parts, corrupt) = Parts::open(&path).expect("what was opened can be opened again");
    assert_eq!((parts.count(), read(&path)), (count, kept));
    assert_eq!(corrupt.message(""), None);
    assert!(parts.searches(MEMORY).len() <= count);
}

/// Checks logs of runs of evolution. The first byte selects whether the lines get valid checksums.
///
/// An opened log has a line for each generation of the run. Opening it again finds the same lines, none of them damaged, and does
/// not change the file; reading it without opening finds the same.
pub fn run(bytes: &[u8]) {
    let Some((form, rest)) = choice(bytes) else { return };
    let folder = run_folder();
    let path = folder.file("log.jsonl");
    fs::write(&path, lines(form, rest, "")).expect("the file can be written");
    drop(folder.logged::<LoggedGeneration>());
    let history: Vec<Generation> =
        (0..GENERATIONS).map(|generation| Generation { generation, ..Generation::default() }).collect();
    let open = || RunLog::<LoggedGeneration>::open(&folder, &history).expect("every log can be opened");
    let log = open();
    let (kept, written) = (log.lines().to_vec(), read(&path));
    drop(log);
    let numbers: Vec<u32> = kept.iter().map(|line| line.generation.generation).collect();
    assert_eq!(numbers, (0..GENERATIONS).collect::<Vec<_>>());
    let again = open();
    assert_eq!((again.lines(), read(&path)), (&*kept, written));
    assert_eq!(again.corrupt().message(""), None);
    assert_eq!(folder.logged::<LoggedGeneration>().expect("the log can be read"), kept);
}

/// Checks results of runs with several seeds. The first byte selects whether the result gets a valid checksum.
///
/// Reading does not panic; a result round-trips through its file, and its statistics can be computed and printed.
pub fn seed_result(bytes: &[u8]) {
    let Some((form, rest)) = choice(bytes) else { return };
    let folder = run_folder();
    let path = folder.file("result.json");
    fs::write(&path, lines(form, rest, "")).expect("the file can be written");
    let seeds = SeedsFolder::at(&scratch("seeds"));
    let Some(result) = seeds.result(SEED) else { return };
    fs::write(&path, result.to_sealed_json()).expect("the file can be written");
    assert_eq!(seeds.result(SEED).as_ref(), Some(&result));
    let results = [result];
    let measures = measures(&results);
    drop(champion_table(&results, &measures).to_csv());
    drop(statistics_table(&statistics(&measures)).to_latex());
}

/// Returns the folder of a run with one of several seeds.
fn run_folder() -> Folder {
    let folder = SeedsFolder::at(&scratch("seeds")).run(SEED);
    fs::create_dir_all(folder.path()).expect("the folder can be created");
    folder
}

/// Writes a log: either a whole file, or lines after a valid header. The lines get valid checksums, which the fuzzer cannot
/// guess, or are written unchanged.
fn write(path: &Path, form: u8, rest: &[u8], open: impl FnOnce()) {
    fs::write(path, "").expect("the file can be written");
    let mut log = Vec::new();
    if form % 3 != 1 {
        open();
        log = read(path);
    }
    if form.is_multiple_of(3) {
        let line = String::from_utf8_lossy(&log);
        let header = unseal(line.trim_end(), "").expect("the header was just written");
        log.extend(lines(form, rest, &header));
    } else {
        log.extend_from_slice(rest);
    }
    fs::write(path, log).expect("the file can be written");
}

/// Returns the lines of an input, with valid checksums if the first byte selects that.
fn lines(form: u8, rest: &[u8], header: &str) -> Vec<u8> {
    if !form.is_multiple_of(3) {
        return rest.to_vec();
    }
    let mut lines = String::new();
    for line in String::from_utf8_lossy(rest).lines() {
        let is_object = line.len() > 2 && line.starts_with('{') && line.ends_with('}');
        lines += &if is_object { seal(line, header) } else { line.to_owned() };
        lines.push('\n');
    }
    lines.into_bytes()
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).expect("the file can be read")
}
