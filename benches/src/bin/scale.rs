//! Estimates the cost of the catalogue of larger boards: a sample, estimates from it, and simulated runs on a cluster.

use clap::{Parser, Subcommand};
use clearway_benches::scale::chart::{ChartLine, chart};
use clearway_benches::scale::estimate::{self, Estimate, QUANTITIES};
use clearway_benches::scale::sample::{self, Options};
use clearway_benches::scale::schedule::{self, Cluster, Cut, Shard, SimulatedRun};
use clearway_benches::scale::table::TaskSample;
use clearway_forge::Shape;
use clearway_forge::enumerate::EnumerationPlan;
use clearway_rush::{Metric, Side};
use clearway_util::atomic;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Estimate the cost of the catalogue of larger boards
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Count the states of all tasks, then sample and search families of some of them
    Sample {
        /// Width and height of the boards
        #[arg(long)]
        size: u8,
        /// Number of walls
        #[arg(long, default_value_t = 0)]
        walls: u8,
        /// Approximate number of picked tasks
        #[arg(long, default_value_t = 400)]
        picks: usize,
        /// Number of families sampled from a task that has to be split
        #[arg(long, default_value_t = 6)]
        families: usize,
        /// Seed of all random choices
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Memory of the thread, in megabytes
        #[arg(long, default_value_t = 256)]
        memory: usize,
        /// File to write
        #[arg(long)]
        out: PathBuf,
    },
    /// Estimate the totals over all tasks, with 95 % intervals
    Estimate {
        /// Files of samples
        #[arg(required = true)]
        samples: Vec<PathBuf>,
        /// File to write
        #[arg(long)]
        out: PathBuf,
    },
    /// Simulate runs on clusters of 2 to 10,000 cores, with the costs of a sample
    Schedule {
        /// File of a sample
        sample: PathBuf,
        /// Seed of the costs, the slow machines and the failures
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// File to write
        #[arg(long)]
        out: PathBuf,
        /// SVG file to write
        #[arg(long)]
        chart: PathBuf,
    },
}

/// Simulated numbers of cores.
const CORES: [usize; 8] = [2, 8, 32, 128, 512, 2_000, 5_000, 10_000];

/// Machines that are neither slow nor fail.
const QUIET: Cluster = Cluster {
    cores: 0,
    cores_of_machine: 16,
    overhead: 0.5,
    slow: 0.0,
    slowness: 1.0,
    between_failures: 0.0,
    repair: 0.0,
};

/// Realistic machines: one of twenty takes 1.5 times as long for everything, and each fails every thousand hours and is replaced
/// in ten minutes.
const REAL: Cluster = Cluster { slow: 0.05, slowness: 1.5, between_failures: 3.6e6, repair: 600.0, ..QUIET };

/// Cheaper preemptible machines, which are taken back every ten hours.
const LENT: Cluster = Cluster { between_failures: 3.6e4, ..REAL };

/// Divisions of the tasks into shards, and whether the largest shards come first.
const CUTS: [(&str, Cut, bool); 6] = [
    ("2,000 shards, tasks dealt out", Cut::Dealt(2_000), false),
    ("20,000 shards, tasks dealt out", Cut::Dealt(20_000), false),
    ("one task a shard, in random order", Cut::Tasks, false),
    ("one task a shard, the largest first", Cut::Tasks, true),
    ("at most 2^33 states a shard", Cut::Even(1 << 33), false),
    ("at most 2^31 states a shard", Cut::Even(1 << 31), false),
];

/// Target efficiency.
const GOOD: f64 = 0.9;

fn main() -> Result<(), Box<dyn Error>> {
    match Arguments::parse().command {
        Command::Sample { size, walls, picks, families, seed, memory, out } => {
            let plan = EnumerationPlan::new(Shape::new(size, size, Side::Right, None, walls)?, Metric::Moves, 0)?;
            let options = Options { picks, families, seed, memory: memory * 1_000_000 };
            let table = sample::sample(&plan, options, |draw, left| {
                eprint!("\r2^{}, task {}: {left} picks left    ", draw.stratum, draw.task);
            });
            eprintln!();
            atomic::write(&out, format!("{}\n{table}", command_line()))?;
        }
        Command::Estimate { samples, out } => {
            let mut text = command_line() + "\nsample\twhat\ttotal\tlow\thigh\n";
            for path in samples {
                estimates(&path, &mut text)?;
            }
            atomic::write(&out, text)?;
        }
        Command::Schedule { sample, seed, out, chart } => {
            let tasks = schedule::tasks(&read(&sample)?, seed);
            let (text, picture) = simulate(&tasks, seed);
            atomic::write(&out, format!("{}\n{text}", command_line()))?;
            atomic::write(&chart, picture)?;
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<TaskSample, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    text.parse().map_err(|error| format!("{}: {error}", path.display()))
}

/// Adds the estimates from a sample to a table.
fn estimates(path: &Path, text: &mut String) -> Result<(), Box<dyn Error>> {
    let table = read(path)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let (tasks, states) = table.tasks.values().fold((0, 0), |sum, of_size| (sum.0 + of_size.0, sum.1 + of_size.1));
    writeln!(text, "{name}\ttasks, exact\t{tasks}\t\t\n{name}\tstates, exact\t{states}\t\t")?;
    for (what, quantity) in QUANTITIES {
        let Estimate { total, low, high } = estimate::estimate(&table, quantity, 1);
        writeln!(text, "{name}\t{what}\t{total:.4e}\t{low:.4e}\t{high:.4e}")?;
    }
    let peak = table.draws.iter().map(|draw| draw.peak).max().unwrap_or_default();
    writeln!(text, "{name}\tpeak_mb\t{peak}\t\t")?;
    let by_states = table.tasks.iter().map(|(&size, &(tasks, states))| (size, (tasks as f64, states as f64))).collect();
    for (what, by_size) in [
        ("states in the largest tasks", &by_states),
        ("cpu in the largest tasks", &estimate::seconds_by_size(&table)),
        ("states in the largest components", &table.components),
    ] {
        for part in [0.0025, 0.01, 0.1] {
            let share = estimate::share_of_largest(by_size, part);
            writeln!(text, "{name}\t{what}: {} %\t{share:.4}\t\t", 100.0 * part)?;
        }
    }
    Ok(())
}

/// Simulates runs on all clusters, and returns them as a table and as a picture.
fn simulate(tasks: &[Shard], seed: u64) -> (String, String) {
    let work: f64 = tasks.iter().map(|task| task.seconds).sum();
    let longest = tasks.iter().map(|task| task.seconds).fold(0.0, f64::max);
    let mut text = format!(
        "# {} tasks, {:.0} core-hours, the longest task {:.2} hours\n\
         machines\tshards are\tshards\tlongest_h\tcores\tfinish_h\tefficiency\tlost_core_h\tretries\n",
        tasks.len(),
        work / 3600.0,
        longest / 3600.0
    );
    let ideal = CORES.map(|cores| (cores as f64, work / 3600.0 / cores as f64));
    let mut lines =
        vec![ChartLine { name: "no overhead, every core busy to the end".to_owned(), points: ideal.to_vec() }];
    for (machines, cluster) in [("quiet", QUIET), ("real", REAL), ("lent", LENT)] {
        for (name, cut, is_sorted) in CUTS {
            let mut shards = schedule::shards(tasks, cut);
            if is_sorted {
                shards.sort_by(|a, b| b.states.total_cmp(&a.states));
            }
            let longest = shards.iter().map(|shard| shard.seconds).fold(0.0, f64::max) / 3600.0;
            let mut points = Vec::new();
            for cores in CORES {
                let SimulatedRun { finish, efficiency, lost, retries } =
                    schedule::run(&shards, &Cluster { cores, ..cluster }, seed);
                let (count, finish, lost) = (shards.len(), finish / 3600.0, lost / 3600.0);
                points.push((cores as f64, finish));
                // Writing to a string cannot fail.
                let _ = write!(text, "{machines}\t{name}\t{count}\t{longest:.3}\t{cores}\t{finish:.3}\t");
                let _ = writeln!(text, "{efficiency:.3}\t{lost:.1}\t{retries}");
            }
            if machines == "real" {
                lines.push(ChartLine { name: name.to_owned(), points });
            }
        }
    }
    let _ = writeln!(text, "# the fewest even shards for an efficiency of {GOOD}\ncores\treal\tlent");
    for cores in CORES {
        let [real, lent] = [REAL, LENT].map(|cluster| fewest_shards(tasks, &Cluster { cores, ..cluster }, seed));
        let _ = writeln!(text, "{cores}\t{real}\t{lent}");
    }
    (text, chart("Hours to finish, on machines that fail and lag", "cores", "hours", &lines))
}

/// Returns the smallest number of even shards, as a power of two, that reaches the target efficiency with each of five seeds; `-`
/// if there is none.
fn fewest_shards(tasks: &[Shard], cluster: &Cluster, seed: u64) -> String {
    let states: f64 = tasks.iter().map(|task| task.states).sum();
    let is_enough = |&power: &u32| {
        let shards = schedule::shards(tasks, Cut::Even((states / 2f64.powi(power as i32)) as u64));
        // Shards that are seldom completed before a failure are not simulated.
        let longest = shards.iter().map(|shard| shard.seconds).fold(0.0, f64::max);
        longest < cluster.between_failures
            && (seed..seed + 5).all(|seed| schedule::run(&shards, cluster, seed).efficiency >= GOOD)
    };
    (1..=22).find(is_enough).map_or("-".to_owned(), |power| (1u32 << power).to_string())
}

/// Returns the command that writes a file, as its first line.
fn command_line() -> String {
    let words: Vec<String> = std::env::args().skip(1).collect();
    format!("# cargo run --profile dist -p clearway-benches --bin scale -- {}", words.join(" "))
}
