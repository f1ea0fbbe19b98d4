//! The exact solver compared with npm `rush-hour-solver`, one thread each, in one run: checks that the lengths are equal, and
//! measures the ratio of the mean times. Needs Node and npm.

use clearway_benches::boards::{list, scratch, write};
use clearway_benches::measure::{Clock, Field, mean, median};
use clearway_benches::report::{self, Good};
use clearway_rush::formats::{self, KnownLength, Puzzle};
use clearway_rush::suites::Suite;
use serde::Deserialize;
use std::io;
use std::path::Path;
use std::process::Command;

const ROUNDS: usize = 3;
/// Maximum ratio of our mean time to the peer's.
const BAR: f64 = 1.0 / 20.0;

/// Output of the script.
#[derive(Deserialize)]
struct Peer {
    name: String,
    lengths: Vec<u32>,
    times_us: Vec<f64>,
}

fn main() -> io::Result<()> {
    if !report::is_bench_run() {
        return Ok(());
    }
    let mut boards = list()?;
    let mut field = Field::default();
    let in_list = field.add(boards.iter().cloned());
    let cards = Suite::find("cards").expect("the suite is embedded").puzzles();
    let in_cards = field.add(cards.iter().cloned());
    boards.extend(cards);

    field.run(ROUNDS, Clock::Wall);
    let order = field.order();
    let in_order: Vec<Puzzle> = order.iter().map(|&index| boards[index].clone()).collect();
    let peer = run_peer(&in_order)?;
    assert_eq!((peer.lengths.len(), peer.times_us.len()), (order.len(), order.len()), "the peer solves every board");
    let mut times = vec![0.0; boards.len()];
    for ((&index, &length), &time) in order.iter().zip(&peer.lengths).zip(&peer.times_us) {
        let Puzzle { board, moves, .. } = &boards[index];
        assert_eq!(*moves, Some(KnownLength::Exactly(length)), "the peer's length of {}", formats::line(board));
        times[index] = time;
    }

    println!("one thread each, boards interleaved, path included, wall time, median of {ROUNDS} rounds");
    println!("{} boards, all lengths equal", boards.len());
    for (name, group) in [("list, 1 to 51 moves", in_list), ("forty cards", in_cards)] {
        let (ours, theirs) = (field.summary(group.clone()), &times[group]);
        let (their_median, their_mean) = (median(theirs.to_vec()), mean(theirs));
        println!("\n{name}: {} boards", ours.boards);
        println!("  {:<24} median {:>8.1} µs  mean {:>8.1} µs", "clearway", ours.median_us, ours.mean_us);
        println!("  {:<24} median {their_median:>8.1} µs  mean {their_mean:>8.1} µs", peer.name);
        let what = format!("{name}: 1/{:.1} of the peer's mean time", their_mean / ours.mean_us);
        report::bar(&what, ours.mean_us / their_mean, Good::AtMost, BAR, "of its time");
    }
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
        io::Error::new(error.kind(), format!("cannot start node ({error}): this bench needs Node and npm"))
    })?;
    if !output.status.success() {
        return Err(io::Error::other(format!("the peer's script failed with {}", output.status)));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
