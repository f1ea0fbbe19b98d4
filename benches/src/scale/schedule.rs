//! Simulates a run on a cluster: shards are assigned to cores, which may be slow or fail.

use super::estimate::ratios;
use super::table::{Draw, TaskSample};
use crate::random::Random;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Unit of work for a core: one or several tasks, or a part of one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shard {
    /// Number of states, which is known in advance.
    pub states: f64,
    /// CPU seconds, which are not known in advance.
    pub seconds: f64,
}

/// Division of the tasks into shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// One task per shard.
    Tasks,
    /// This number of shards, to which the tasks are assigned in turn.
    Dealt(usize),
    /// Shards of at most this number of states: small tasks are combined, large ones are split into equal parts.
    Even(u64),
}

/// Returns all tasks of a plan, in random order, with simulated costs: the states of a task, times the time per state of a random
/// pick of its stratum.
pub fn tasks(table: &TaskSample, seed: u64) -> Vec<Shard> {
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

/// Divides tasks into shards.
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

/// Properties of a cluster. All times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cluster {
    /// Total number of cores.
    pub cores: usize,
    /// Number of cores of a machine, which fail together and are slow together.
    pub cores_of_machine: usize,
    /// Overhead of each shard.
    pub overhead: f64,
    /// Fraction of machines that are slow.
    pub slow: f64,
    /// Factor by which everything takes longer on slow machines.
    pub slowness: f64,
    /// Mean time between failures of a machine; 0 if machines do not fail.
    pub between_failures: f64,
    /// Time until a failed machine is replaced.
    pub repair: f64,
}

/// Outcome of a simulated run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SimulatedRun {
    /// Time at which the last shard was completed, in seconds.
    pub finish: f64,
    /// Total work, divided by the finish time and the number of cores.
    pub efficiency: f64,
    /// Seconds that cores spent on shards they did not complete.
    pub lost: f64,
    /// Number of shards that were started again.
    pub retries: u64,
}

/// Event of the simulation. A shard is completed only if the number of failures of its machine is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Done { core: usize, failures: u32 },
    Fails(usize),
    Returns(usize),
}

/// Simulates a run. Shards are assigned in order to free cores; those lost by a failing machine are assigned again first.
pub fn run(shards: &[Shard], cluster: &Cluster, seed: u64) -> SimulatedRun {
    Simulation::new(shards, cluster, seed).finish()
}

struct Simulation<'a> {
    shards: &'a [Shard],
    cluster: &'a Cluster,
    random: Random,
    queue: VecDeque<usize>,
    events: BinaryHeap<Reverse<(u64, Event)>>,
    free: Vec<usize>,
    /// For each core: its current shard and the start time.
    running: Vec<Option<(usize, u64)>>,
    /// For each machine: its number of failures.
    failures: Vec<u32>,
    /// For each machine: the time it takes for a second of work.
    pace: Vec<f64>,
}

/// Converts seconds to milliseconds, which are integers and so give events a strict order.
fn milliseconds(seconds: f64) -> u64 {
    (seconds * 1000.0).round() as u64
}

impl<'a> Simulation<'a> {
    fn new(shards: &'a [Shard], cluster: &'a Cluster, seed: u64) -> Simulation<'a> {
        let (machines, mut random) = (cluster.cores.div_ceil(cluster.cores_of_machine), Random::new(seed, 1));
        let slow = (cluster.slow * machines as f64).round() as usize;
        let mut pace: Vec<f64> = (0..machines).map(|m| if m < slow { cluster.slowness } else { 1.0 }).collect();
        random.shuffle(&mut pace);
        let (queue, free, running) =
            ((0..shards.len()).collect(), (0..cluster.cores).rev().collect(), vec![None; cluster.cores]);
        let (events, failures) = (BinaryHeap::new(), vec![0; machines]);
        let mut run = Simulation { shards, cluster, random, queue, events, free, running, failures, pace };
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

    fn finish(mut self) -> SimulatedRun {
        let (mut outcome, mut left) = (SimulatedRun::default(), self.shards.len());
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

    fn from_seconds(seconds: &[f64]) -> Vec<Shard> {
        seconds.iter().map(|&seconds| Shard { states: seconds, seconds }).collect()
    }

    /// Returns the time at which the last shard is completed, in whole seconds.
    fn finish(seconds: &[f64], cluster: &Cluster) -> u64 {
        run(&from_seconds(seconds), cluster, 1).finish.round() as u64
    }

    #[test]
    fn equal_shards_keep_all_cores_busy() {
        let shards = from_seconds(&[10.0; 6]);
        assert_eq!(run(&shards, &QUIET, 1), SimulatedRun { finish: 30.0, efficiency: 1.0, lost: 0.0, retries: 0 });
        let outcome = run(&shards, &Cluster { overhead: 2.0, ..QUIET }, 1);
        assert!((outcome.finish - 36.0).abs() < 1e-9 && (outcome.efficiency - 30.0 / 36.0).abs() < 1e-9);
        assert_eq!(finish(&[10.0; 5], &QUIET), 30, "the last shard runs alone");
    }

    #[test]
    fn a_large_last_shard_delays_the_end() {
        assert_eq!(finish(&[1.0, 1.0, 1.0, 1.0, 4.0], &QUIET), 6);
        assert_eq!(finish(&[4.0, 1.0, 1.0, 1.0, 1.0], &QUIET), 4);
    }

    #[test]
    fn a_slow_machine_gets_fewer_shards() {
        // One completes 8 shards while the other completes 4.
        assert_eq!(finish(&[10.0; 12], &Cluster { slow: 0.5, slowness: 2.0, ..QUIET }), 80);
    }

    #[test]
    fn shards_lost_by_a_failure_are_run_again() {
        let cluster = Cluster { cores: 64, cores_of_machine: 8, between_failures: 400.0, repair: 20.0, ..QUIET };
        let shards = from_seconds(&vec![10.0; 6400]);
        let outcome = run(&shards, &cluster, 1);
        assert_eq!(outcome, run(&shards, &cluster, 1), "the outcome depends on the seed alone");
        assert!(outcome.retries > 0 && outcome.lost > 0.0 && outcome.lost < 10.0 * outcome.retries as f64);
        assert!(outcome.finish > 1000.0 && outcome.finish < 1300.0, "{outcome:?}");
    }

    #[test]
    fn shards_contain_all_tasks() {
        let tasks: Vec<Shard> = (1..=100u32).map(|n| Shard { states: n.into(), seconds: f64::from(n) / 7.0 }).collect();
        for (cut, count) in [(Cut::Tasks, 100), (Cut::Dealt(7), 7), (Cut::Even(50), 133)] {
            let shards = shards(&tasks, cut);
            let sum = shards.iter().fold((0.0, 0.0), |sum, shard| (sum.0 + shard.states, sum.1 + shard.seconds));
            assert!((sum.0 - 5050.0).abs() < 1e-6 && (sum.1 - 5050.0 / 7.0).abs() < 1e-6, "{cut:?}: {sum:?}");
            assert_eq!(shards.len(), count, "{cut:?}");
        }
    }
}
