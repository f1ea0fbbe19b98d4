//! A run on a cluster, simulated: shards handed out one after the other to cores that may be slow or fail.

use super::estimate::ratios;
use super::table::{Draw, Table};
use crate::random::Random;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// A task or several, or a part of one: what a core is given to do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shard {
    /// Its states, which are known before it is searched.
    pub states: f64,
    /// The CPU seconds that it takes, which are not.
    pub seconds: f64,
}

/// How tasks are made into shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Every task is a shard.
    Tasks,
    /// So many shards, among which the tasks are dealt out.
    Dealt(usize),
    /// Shards of about so many states: small tasks together, large ones in equal parts.
    Even(u64),
}

/// All tasks of a plan, in random order, with costs like those that were measured: the states of a task, times what a
/// pick of its stratum took for a state.
pub fn tasks(table: &Table, seed: u64) -> Vec<Shard> {
    let (ratios, mut random) = (ratios(table, Draw::seconds), Random::new(seed, 0));
    let mut tasks = Vec::new();
    for (size, &(count, states)) in &table.tasks {
        let (states, ratios) = (states as f64 / count as f64, &ratios[&size.stratum()]);
        let task = |_| Shard { states, seconds: states * ratios[random.below(ratios.len())] };
        tasks.extend((0..count).map(task));
    }
    random.shuffle(&mut tasks);
    tasks
}

/// The shards that tasks are made into.
pub fn shards(tasks: &[Shard], cut: Cut) -> Vec<Shard> {
    match cut {
        Cut::Tasks => tasks.to_vec(),
        Cut::Dealt(count) => {
            let mut shards = vec![Shard::default(); count];
            for (number, task) in tasks.iter().enumerate() {
                add(&mut shards[number % count], task, 1.0);
            }
            shards
        }
        Cut::Even(most) => {
            let (most, mut shards, mut open) = (most as f64, Vec::new(), Shard::default());
            for task in tasks {
                let parts = (task.states / most).ceil();
                if parts > 1.0 {
                    let mut part = Shard::default();
                    add(&mut part, task, 1.0 / parts);
                    shards.extend(std::iter::repeat_n(part, parts as usize));
                    continue;
                }
                if open.states + task.states > most {
                    shards.push(std::mem::take(&mut open));
                }
                add(&mut open, task, 1.0);
            }
            shards.extend((open.states > 0.0).then_some(open));
            shards
        }
    }
}

fn add(shard: &mut Shard, task: &Shard, part: f64) {
    shard.states += task.states * part;
    shard.seconds += task.seconds * part;
}

/// The machines. All times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cluster {
    /// All cores.
    pub cores: usize,
    /// The cores of a machine: they fail together, and are slow together.
    pub cores_of_machine: usize,
    /// What a shard costs a core besides its own work.
    pub overhead: f64,
    /// The share of machines that are slow.
    pub slow: f64,
    /// How many times as long everything takes on these.
    pub slowness: f64,
    /// The mean time from a machine's start to its failure; none ever fails if it is 0.
    pub between_failures: f64,
    /// How long it takes until another machine is there in its place.
    pub repair: f64,
}

/// How a run went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// When the last shard was done, in seconds.
    pub finish: f64,
    /// The work, by the time that the cores were there for it.
    pub efficiency: f64,
    /// The seconds that cores spent on shards they did not finish.
    pub lost: f64,
    /// How many shards were begun again.
    pub retries: u64,
}

/// What happens, and to which core or machine. A core's shard is done only if its machine did not fail meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Done { core: usize, failures: u32 },
    Fails(usize),
    Returns(usize),
}

/// Hands out shards in their order, each to a core that is free; what a failing machine loses is handed out again first.
pub fn run(shards: &[Shard], cluster: &Cluster, seed: u64) -> Outcome {
    Run::new(shards, cluster, seed).finish()
}

struct Run<'a> {
    shards: &'a [Shard],
    cluster: &'a Cluster,
    random: Random,
    queue: VecDeque<usize>,
    events: BinaryHeap<Reverse<(u64, Event)>>,
    free: Vec<usize>,
    /// By core: the shard it has, and since when.
    running: Vec<Option<(usize, u64)>>,
    /// By machine: how often it failed, and how long a second of work takes it.
    failures: Vec<u32>,
    pace: Vec<f64>,
}

/// Times are counted in milliseconds, so that events have a strict order.
fn milliseconds(seconds: f64) -> u64 {
    (seconds * 1000.0).round() as u64
}

impl<'a> Run<'a> {
    fn new(shards: &'a [Shard], cluster: &'a Cluster, seed: u64) -> Run<'a> {
        let (machines, mut random) = (cluster.cores.div_ceil(cluster.cores_of_machine), Random::new(seed, 1));
        let slow = (cluster.slow * machines as f64).round() as usize;
        let mut pace: Vec<f64> = (0..machines).map(|m| if m < slow { cluster.slowness } else { 1.0 }).collect();
        random.shuffle(&mut pace);
        let (queue, free, running) =
            ((0..shards.len()).collect(), (0..cluster.cores).rev().collect(), vec![None; cluster.cores]);
        let (events, failures) = (BinaryHeap::new(), vec![0; machines]);
        let mut run = Run { shards, cluster, random, queue, events, free, running, failures, pace };
        for machine in 0..machines {
            run.plan_failure(machine, 0);
        }
        run
    }

    fn plan_failure(&mut self, machine: usize, now: u64) {
        if self.cluster.between_failures > 0.0 {
            let chance = (self.random.below(1 << 30) + 1) as f64 / f64::from(1 << 30);
            let wait = milliseconds(-chance.ln() * self.cluster.between_failures);
            self.events.push(Reverse((now + wait, Event::Fails(machine))));
        }
    }

    fn cores(&self, machine: usize) -> std::ops::Range<usize> {
        let first = machine * self.cluster.cores_of_machine;
        first..(first + self.cluster.cores_of_machine).min(self.cluster.cores)
    }

    fn hand_out(&mut self, now: u64) {
        while let Some(&core) = self.free.last() {
            let Some(shard) = self.queue.pop_front() else { return };
            self.free.pop();
            self.running[core] = Some((shard, now));
            let machine = core / self.cluster.cores_of_machine;
            let work = (self.shards[shard].seconds + self.cluster.overhead) * self.pace[machine];
            let failures = self.failures[machine];
            self.events.push(Reverse((now + milliseconds(work), Event::Done { core, failures })));
        }
    }

    fn finish(mut self) -> Outcome {
        let (mut outcome, mut left) = (Outcome::default(), self.shards.len());
        let mut now = 0;
        while left > 0 {
            self.hand_out(now);
            let Some(Reverse((time, event))) = self.events.pop() else { break };
            now = time;
            match event {
                Event::Done { core, failures } => {
                    if self.failures[core / self.cluster.cores_of_machine] == failures {
                        self.running[core] = None;
                        self.free.push(core);
                        left -= 1;
                    }
                }
                Event::Fails(machine) => {
                    let cores = self.cores(machine);
                    self.failures[machine] += 1;
                    self.free.retain(|core| !cores.contains(core));
                    for (shard, since) in cores.filter_map(|core| self.running[core].take()) {
                        self.queue.push_front(shard);
                        outcome.lost += (now - since) as f64 / 1000.0;
                        outcome.retries += 1;
                    }
                    self.events.push(Reverse((now + milliseconds(self.cluster.repair), Event::Returns(machine))));
                }
                Event::Returns(machine) => {
                    let cores = self.cores(machine);
                    self.free.extend(cores);
                    self.plan_failure(machine, now);
                }
            }
        }
        outcome.finish = now as f64 / 1000.0;
        let work: f64 = self.shards.iter().map(|shard| shard.seconds).sum();
        outcome.efficiency = work / (outcome.finish * self.cluster.cores as f64);
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: Cluster = Cluster {
        cores: 2,
        cores_of_machine: 1,
        overhead: 0.0,
        slow: 0.0,
        slowness: 1.0,
        between_failures: 0.0,
        repair: 0.0,
    };

    fn of_seconds(seconds: &[f64]) -> Vec<Shard> {
        seconds.iter().map(|&seconds| Shard { states: seconds, seconds }).collect()
    }

    /// When the last shard is done, in whole seconds.
    fn finish(seconds: &[f64], cluster: &Cluster) -> u64 {
        run(&of_seconds(seconds), cluster, 1).finish.round() as u64
    }

    #[test]
    fn equal_shards_take_their_time() {
        let shards = of_seconds(&[10.0; 6]);
        assert_eq!(run(&shards, &QUIET, 1), Outcome { finish: 30.0, efficiency: 1.0, lost: 0.0, retries: 0 });
        let outcome = run(&shards, &Cluster { overhead: 2.0, ..QUIET }, 1);
        assert!((outcome.finish - 36.0).abs() < 1e-9 && (outcome.efficiency - 30.0 / 36.0).abs() < 1e-9);
        assert_eq!(finish(&[10.0; 5], &QUIET), 30, "an odd one is done alone");
    }

    #[test]
    fn a_large_shard_at_the_end_is_waited_for() {
        assert_eq!(finish(&[1.0, 1.0, 1.0, 1.0, 4.0], &QUIET), 6);
        assert_eq!(finish(&[4.0, 1.0, 1.0, 1.0, 1.0], &QUIET), 4);
    }

    #[test]
    fn a_slow_machine_does_less() {
        // One does 8 shards while the other does 4.
        assert_eq!(finish(&[10.0; 12], &Cluster { slow: 0.5, slowness: 2.0, ..QUIET }), 80);
    }

    #[test]
    fn what_a_failure_loses_is_done_again() {
        let cluster = Cluster { cores: 64, cores_of_machine: 8, between_failures: 400.0, repair: 20.0, ..QUIET };
        let shards = of_seconds(&vec![10.0; 6400]);
        let outcome = run(&shards, &cluster, 1);
        assert_eq!(outcome, run(&shards, &cluster, 1), "the seed decides everything");
        // All time that the cores were there is work, lost, or spent in repair or waiting at the end.
        assert!(outcome.retries > 0 && outcome.lost > 0.0 && outcome.lost < 10.0 * outcome.retries as f64);
        assert!(outcome.finish > 1000.0 && outcome.finish < 1300.0, "{outcome:?}");
    }

    #[test]
    fn a_cut_loses_nothing() {
        let tasks: Vec<Shard> = (1..=100u32).map(|n| Shard { states: n.into(), seconds: f64::from(n) / 7.0 }).collect();
        for (cut, count) in [(Cut::Tasks, 100), (Cut::Dealt(7), 7), (Cut::Even(50), 133)] {
            let shards = shards(&tasks, cut);
            let sum = shards.iter().fold((0.0, 0.0), |sum, shard| (sum.0 + shard.states, sum.1 + shard.seconds));
            assert!((sum.0 - 5050.0).abs() < 1e-6 && (sum.1 - 5050.0 / 7.0).abs() < 1e-6, "{cut:?}: {sum:?}");
            assert_eq!(shards.len(), count, "{cut:?}");
        }
    }
}
