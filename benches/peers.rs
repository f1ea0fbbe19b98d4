//! The exact solver against npm `rush-hour-solver`, one thread each, in one run: equal lengths, and the ratio of the
//! mean times. Needs Node and npm.

use clearway_benches::boards::{list, scratch, write};
use clearway_benches::measure::{Clock, Field, Summary};
use clearway_benches::report::{self, Good};
use clearway_rush::formats::{self, Known, Puzzle};
use clearway_rush::suites::Suite;
use serde::Deserialize;
use std::io;
use std::path::Path;
use std::process::Command;

const ROUNDS: usize = 3;
/// Our mean time, as a part of the peer's.
const BAR: f64 = 1.0 / 20.0;

/// What the script prints.
#[derive(Deserialize)]
struct Peer {
    peer: String,
    mean_us: f64,
    median_us: f64,
    lengths: Vec<u32>,
}

fn main() -> io::Result<()> {
    if !report::is_bench_run() {
        return Ok(());
    }
    let cards = Suite::find("cards").expect("the suite is embedded").puzzles();
    println!("one thread each, boards interleaved, path included, wall time, median of {ROUNDS} rounds\n");
    for (name, boards) in [("forty cards", cards), ("list, 1 to 51 moves", list()?)] {
        compare(name, &boards)?;
    }
    Ok(())
}

fn compare(name: &str, boards: &[Puzzle]) -> io::Result<()> {
    let mut field = Field::default();
    let group = field.add(boards.iter().cloned());
    field.run(ROUNDS, Clock::Wall);
    let ours = field.summary(group);
    let theirs = run_peer(boards)?;
    assert_eq!(theirs.lengths.len(), boards.len(), "the peer answers for every board");
    for (puzzle, &length) in boards.iter().zip(&theirs.lengths) {
        assert_eq!(puzzle.moves, Some(Known::Exactly(length)), "the peer's length of {}", formats::line(&puzzle.board));
    }
    let Summary { boards, median_us, mean_us, .. } = ours;
    println!("{name}: {boards} boards, all lengths equal");
    println!("  {:<24} median {median_us:>8.1} µs  mean {mean_us:>8.1} µs", "clearway");
    println!("  {:<24} median {:>8.1} µs  mean {:>8.1} µs", theirs.peer, theirs.median_us, theirs.mean_us);
    let ratio = mean_us / theirs.mean_us;
    report::bar(&format!("1/{:.0} of the peer's mean", 1.0 / ratio), ratio, Good::AtMost, BAR, "times its time");
    println!();
    Ok(())
}

fn run_peer(boards: &[Puzzle]) -> io::Result<Peer> {
    let scratch = scratch()?;
    let file = scratch.join("peers.txt");
    write(&file, boards)?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/rush-hour-solver.mjs");
    let mut node = Command::new("node");
    node.arg(script).arg("--boards").arg(file).arg("--install").arg(scratch.join("npm"));
    node.arg("--rounds").arg(ROUNDS.to_string());
    let output = node.stderr(std::process::Stdio::inherit()).output().map_err(|error| {
        io::Error::new(error.kind(), format!("node cannot be started ({error}): this bench needs Node and npm"))
    })?;
    if !output.status.success() {
        return Err(io::Error::other(format!("the peer's script ended with {}", output.status)));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
