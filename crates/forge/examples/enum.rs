use clearway_forge::Shape;
use clearway_forge::enumerate::{Plan, Tally, Worker};
use clearway_rush::{Metric, Side};
fn main() {
    let a: Vec<usize> = std::env::args().skip(1).map(|x| x.parse().unwrap()).collect();
    let (side, shards, steps) = (a[0] as u8, a[1] as u64, a.get(2).copied().unwrap_or(0));
    let plan = Plan::new(&Shape::new(side, side, Side::Right, None, 0).unwrap(), if steps == 1 { Metric::Steps } else { Metric::Moves }, 0).unwrap();
    let mut w = Worker::new(&plan, 100 << 20);
    let t = std::time::Instant::now();
    let (mut tally, mut minimal, mut states) = (Tally::default(), 0, 0);
    for task in plan.shard(1, shards).unwrap() {
        let f = w.run(task, &|| false).unwrap();
        tally.add(&f.tally);
        minimal += f.puzzles.len();
        states += f.puzzles.iter().map(|p| p.states()).sum::<u64>();
    }
    println!("{:?} states {} solvable {} minimal {minimal} states {states}", t.elapsed(), tally.states, tally.solvable());
    println!("{:?}", tally.components);
}
