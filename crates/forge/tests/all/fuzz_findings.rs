//! Regression tests for faults found by fuzzing.

use clearway_forge::enumerate::{Catalogue, CatalogueEntry, ComponentCounts, TaskResult};
use clearway_forge::parts::WorkPart;

#[test]
fn a_part_with_a_damaged_byte_is_rejected_or_read() {
    let part = WorkPart { head: "fuzz".to_owned(), rows: vec![(3, "9".to_owned()), (4, "{}".to_owned())] };
    let file = part.to_parquet().unwrap();
    for at in 0..file.len() {
        for byte in [0x00, 0x01, 0x2a, 0x7f, 0x80, 0xff] {
            let mut damaged = file.clone();
            damaged[at] = byte;
            drop(WorkPart::from_parquet(&damaged, "fuzz"));
            damaged[at] = file[at];
            damaged.insert(at, byte);
            drop(WorkPart::from_parquet(&damaged, "fuzz"));
        }
    }
}

#[test]
fn counts_of_damaged_files_do_not_overflow() {
    let listed =
        CatalogueEntry { board: "....AA..........".to_owned(), moves: 1, steps: 2, histogram: vec![u64::MAX, 2] };
    let tally = ComponentCounts { states: u64::MAX, components: vec![u64::MAX, 1] };
    let mut catalogue = Catalogue::default();
    for task in 0..2 {
        catalogue.add(TaskResult { task, tally: tally.clone(), puzzles: vec![listed.clone()] });
    }
    assert_eq!(
        (catalogue.states(), catalogue.tally().states, catalogue.tally().solvable()),
        (u64::MAX, u64::MAX, u64::MAX)
    );
}
