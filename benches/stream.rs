//! The command line on a long file: boards per second including start-up and output, and memory that does not grow.

use clearway_benches::boards::{many, scratch, write};
use clearway_benches::catalogue::all_cores;
use clearway_benches::report::{self, Good};
use clearway_rush::formats::{self, KnownLength, Puzzle};
use serde::Deserialize;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const BOARDS: usize = 20_000;
/// Number of boards of the run whose memory is the baseline.
const FEW_BOARDS: usize = 2_000;
const RUNS: usize = 3;

fn main() -> io::Result<()> {
    if !report::is_bench_run() {
        return Ok(());
    }
    let program = build()?;
    let boards = many(BOARDS)?;
    let few = run(&program, &boards[..FEW_BOARDS])?;
    let all: Vec<Run> = (0..RUNS).map(|_| run(&program, &boards)).collect::<io::Result<_>>()?;
    let seconds = all.iter().map(|run| run.seconds).fold(f64::INFINITY, f64::min);

    println!("clearway solve --json, {BOARDS} boards, {} cores, the best of {RUNS} runs\n", all_cores());
    let rate = BOARDS as f64 / seconds;
    report::bar(&format!("streaming, {seconds:.2} s"), rate, Good::AtLeast, 4000.0, "boards per second");
    match (few.peak_kb, all.iter().filter_map(|run| run.peak_kb).max()) {
        (Some(few), Some(all)) => {
            let (few, all) = (few as f64 / 1e3, all as f64 / 1e3);
            println!("        peak memory: {all:.1} MB for {BOARDS} boards, {few:.1} MB for {FEW_BOARDS}");
            let what = format!("memory for {BOARDS} boards compared with {FEW_BOARDS}");
            report::bar(&what, all / few, Good::AtMost, 1.25, "times as much");
        }
        _ => println!("        peak memory: not measured, because this system has no /proc"),
    }
    Ok(())
}

/// One run of the program.
struct Run {
    seconds: f64,
    /// Peak memory, if the system reports it.
    peak_kb: Option<u64>,
}

/// Fields of an answer that are checked.
#[derive(Deserialize)]
struct Answer {
    board: String,
    moves: u32,
}

/// Builds the program as it is shipped.
fn build() -> io::Result<PathBuf> {
    let target = scratch()?.parent().map(Path::to_path_buf).unwrap_or_default();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build
        .args(["build", "--profile", "dist", "--quiet", "-p", "clearway-cli", "--bin", "clearway", "--target-dir"])
        .arg(&target);
    if !build.current_dir(env!("CARGO_MANIFEST_DIR")).status()?.success() {
        return Err(io::Error::other("building clearway failed"));
    }
    Ok(target.join("dist").join(format!("clearway{}", std::env::consts::EXE_SUFFIX)))
}

/// Runs the program on boards with its output in a file, and checks every answer.
fn run(program: &Path, boards: &[Puzzle]) -> io::Result<Run> {
    let scratch = scratch()?;
    let (input, output) = (scratch.join("stream.txt"), scratch.join("stream.jsonl"));
    write(&input, boards)?;
    let mut command = Command::new(program);
    command.args(["solve", "--json"]).arg(&input).stdout(File::create(&output)?);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let mut peak_kb = None;
    let status = loop {
        // The peak must be read while the program runs, because it is lost with the process.
        peak_kb = peak_memory_kb(child.id()).max(peak_kb);
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let seconds = start.elapsed().as_secs_f64();
    assert!(status.success(), "clearway ended with {status}");
    check(&output, boards)?;
    Ok(Run { seconds, peak_kb })
}

fn check(output: &Path, boards: &[Puzzle]) -> io::Result<()> {
    let answers: Vec<Answer> = BufReader::new(File::open(output)?)
        .lines()
        .map(|line| Ok(serde_json::from_str(&line?)?))
        .collect::<io::Result<_>>()?;
    assert_eq!(answers.len(), boards.len(), "one answer per board");
    for (puzzle, answer) in boards.iter().zip(&answers) {
        assert_eq!(formats::line(&puzzle.board), answer.board, "the answers are in the order of the boards");
        assert_eq!(puzzle.moves, Some(KnownLength::Exactly(answer.moves)), "{}", answer.board);
    }
    Ok(())
}

/// Returns the peak memory of a process.
fn peak_memory_kb(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.split_whitespace().next()?.parse().ok()
}
