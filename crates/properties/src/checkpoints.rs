//! The checkpoints of evolution and of climbs.

use crate::shared::{choice, scratch, text};
use clearway_forge::Shape;
use clearway_forge::climb::{Climb, ClimbOptions};
use clearway_gp::{
    Checkpoint, CheckpointFile, Evolution, EvolutionError, Genome, Judged, Judgement, Layout, Primitives, Problem,
};
use clearway_policy::terminals::{TerminalSet, primitives};
use clearway_policy::training::Memory;
use clearway_rush::Side;
use std::fs;

/// The most individuals of a run that is resumed.
const MOST_INDIVIDUALS: u32 = 100;

/// Policies that are judged by their size, so that a run needs no boards.
struct Smallest {
    primitives: Primitives,
    layout: Layout,
}

impl Smallest {
    fn new() -> Smallest {
        Smallest { primitives: primitives(TerminalSet::default()), layout: clearway_policy::layout(1, 3) }
    }
}

impl Problem for Smallest {
    type Memory = Memory;

    fn primitives(&self) -> &Primitives {
        &self.primitives
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn memory(&self) -> Memory {
        Memory::default()
    }

    fn begin(&self, _: &mut Memory, _: u32, _: u64) {}

    fn judge(&self, _: &Memory, genome: &Genome) -> Judgement {
        let nodes: usize = genome.trees.iter().map(|tree| tree.nodes.len()).sum();
        Judgement { score: -(nodes as f64), ..Judgement::default() }
    }

    fn end(&self, _: &mut Memory, _: u32, _: &[Judged]) {}
}

/// The first byte says whether the rest is a whole file, or the state that a valid file holds: a checksum must not keep the
/// fuzzer from the state.
///
/// Loading a checkpoint ends without a panic. A state is the same after it is saved and loaded; a run is resumed from it or
/// refused, and one that is resumed makes the next generation.
pub fn checkpoints(bytes: &[u8]) {
    let Some((whole, rest)) = choice(bytes) else { return };
    let folder = scratch("run");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let file = CheckpointFile::in_folder(&folder);
    for old in [file.newest(), file.previous()] {
        drop(fs::remove_file(old));
    }
    if whole % 2 == 1 {
        fs::write(file.newest(), rest).expect("the file can be written");
        drop(file.load::<Memory>());
        return;
    }
    let Ok(checkpoint) = serde_json::from_slice::<Checkpoint<Memory>>(rest) else { return };
    file.save(&checkpoint).expect("every state can be saved");
    let loaded = file.load::<Memory>().expect("what was saved can be loaded");
    assert_eq!((&loaded.checkpoint, &loaded.fault), (&checkpoint, &None));
    // Large populations are for long runs.
    if checkpoint.options.population > MOST_INDIVIDUALS {
        return;
    }
    let Ok(mut evolution) = resume(checkpoint) else { return };
    let generations = evolution.checkpoint().history.len();
    evolution.step(1, &false.into()).expect("nothing cancels the run");
    assert_eq!(evolution.checkpoint().history.len(), generations + 1);
}

/// Resumes a run with the options of its checkpoint.
fn resume(checkpoint: Checkpoint<Memory>) -> Result<Evolution<Smallest>, EvolutionError> {
    Evolution::resume(Smallest::new(), checkpoint.options.clone(), checkpoint)
}

/// A climb is resumed from a text or refused; one that is resumed has the same state after it is written and resumed again.
pub fn climb(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let Ok(climb) = Climb::resume(climb_options(), text) else { return };
    let written = climb.checkpoint();
    let again = Climb::resume(climb_options(), &written).expect("what was written can be resumed");
    assert_eq!(again.checkpoint(), written);
}

fn climb_options() -> ClimbOptions {
    let shape = Shape::new(4, 4, Side::Right, None, 0).expect("the shape is possible");
    ClimbOptions { lanes: 1, population: 2, round: 3, ..ClimbOptions::new(shape) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_forge::climb::Budget;
    use clearway_gp::EvolutionOptions;

    fn seed(name: &str) -> Vec<u8> {
        fs::read(format!("{}/../../fuzz/seeds/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
    }

    /// If this fails after a change of what is stored, the seeds have to be written anew from what the message shows.
    #[test]
    fn the_seeds_reach_beyond_the_checks() {
        let options = EvolutionOptions { population: 3, ..EvolutionOptions::default() };
        let mut evolution = Evolution::new(Smallest::new(), options).unwrap();
        evolution.step(1, &false.into()).unwrap();
        let new = serde_json::to_string(&evolution.checkpoint()).unwrap();
        let stored = serde_json::from_slice(&seed("checkpoints/state")[1..]).map(resume);
        assert!(matches!(stored, Ok(Ok(_))), "0{new}");

        let mut climb = Climb::new(climb_options());
        climb.run(&Budget { evaluations: Some(5), ..Budget::default() }, 1, |_| ());
        let stored = String::from_utf8(seed("climb_checkpoints/state")).unwrap();
        assert!(Climb::resume(climb_options(), &stored).is_ok(), "{}", climb.checkpoint());
    }
}
