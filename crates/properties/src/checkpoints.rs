//! Checkpoints of evolution and of climbs.

use crate::shared::{choice, scratch, text};
use clearway_forge::Shape;
use clearway_forge::climb::{Climb, ClimbOptions};
use clearway_gp::{
    Checkpoint, CheckpointFile, EvaluatedIndividual, Evolution, EvolutionError, Fitness, Genome, Problem,
    Representation,
};
use clearway_policy::terminals::{TerminalSet, primitives};
use clearway_policy::training::EvolutionState;
use clearway_rush::Side;
use std::fs;
use std::sync::atomic::AtomicBool;

/// Maximum population of a run that is resumed.
const MAX_INDIVIDUALS: u32 = 100;

/// Problem whose fitness is the negative size of a policy, so that a run needs no boards.
struct Smallest {
    representation: Representation,
}

impl Smallest {
    fn new() -> Smallest {
        let (primitives, layout) = (primitives(TerminalSet::default()), clearway_policy::layout(1, 3));
        Smallest { representation: Representation { primitives, layout } }
    }
}

impl Problem for Smallest {
    type Memory = EvolutionState;

    fn representation(&self) -> &Representation {
        &self.representation
    }

    fn memory(&self) -> EvolutionState {
        EvolutionState::default()
    }

    fn begin(&self, _: &mut EvolutionState, _: u32, _: u64) {}

    fn evaluate(&self, _: &EvolutionState, genome: &Genome) -> Fitness {
        let nodes: usize = genome.trees.iter().map(|tree| tree.nodes.len()).sum();
        Fitness { score: -(nodes as f64), ..Fitness::default() }
    }

    fn end(&self, _: &mut EvolutionState, _: u32, _: &[EvaluatedIndividual], _: &AtomicBool) {}
}

/// Checks checkpoints of evolution. The first byte selects whether the rest is a whole file or the state within a valid file,
/// because the fuzzer cannot guess checksums.
///
/// Loading a checkpoint does not panic. A state round-trips through a file; resuming a run from it succeeds or returns an error,
/// and a resumed run completes the next generation.
pub fn checkpoints(bytes: &[u8]) {
    let Some((whole, rest)) = choice(bytes) else { return };
    let folder = scratch("run");
    fs::create_dir_all(&folder).expect("the folder can be created");
    let file = CheckpointFile::in_folder(&folder);
    for old in [file.newest(), file.previous()] {
        drop(fs::remove_file(old));
    }
    if whole % 2 == 1 {
        fs::write(file.newest(), rest).expect("the file can be written");
        drop(file.load::<EvolutionState>());
        return;
    }
    let Ok(checkpoint) = serde_json::from_slice::<Checkpoint<EvolutionState>>(rest) else { return };
    file.save(&checkpoint).expect("every state can be saved");
    let loaded = file.load::<EvolutionState>().expect("what was saved can be loaded");
    assert!(loaded.fault.is_none(), "{:?}", loaded.fault);
    assert_eq!(loaded.checkpoint, checkpoint);
    // Large populations take too long.
    if checkpoint.options.population > MAX_INDIVIDUALS {
        return;
    }
    let Ok(mut evolution) = resume(checkpoint) else { return };
    let generations = evolution.checkpoint().history.len();
    evolution.step(1, &false.into()).expect("nothing cancels the run");
    assert_eq!(evolution.checkpoint().history.len(), generations + 1);
}

/// Resumes a run with the options of its checkpoint.
fn resume(checkpoint: Checkpoint<EvolutionState>) -> Result<Evolution<Smallest>, EvolutionError> {
    Evolution::resume(Smallest::new(), checkpoint.options.clone(), checkpoint)
}

/// Checks checkpoints of climbs. Resuming succeeds or returns an error; the state of a resumed climb round-trips through text.
pub fn climb(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let Ok(climb) = Climb::resume(climb_options(), text) else { return };
    let written = climb.checkpoint();
    let again = Climb::resume(climb_options(), &written).expect("what was written can be resumed");
    assert_eq!(again.checkpoint(), written);
}

fn climb_options() -> ClimbOptions {
    let shape = Shape::new(4, 4, Side::Right, None, 0).expect("the shape is valid");
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

    /// If this fails after a change of the stored state, replace the seeds by the texts in the failure messages.
    #[test]
    fn the_seeds_are_valid_checkpoints() {
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
