//! Random changes to any file: the checker does not panic, and accepted claims are true.

use crate::common::{Certificate, SMALL, board, optimum};
use clearway_rush::Metric;
use proptest::prelude::*;

fn change(bytes: &mut Vec<u8>, at: usize, byte: u8, kind: u8) {
    let at = at % bytes.len().max(1);
    match kind {
        _ if bytes.is_empty() => bytes.push(byte),
        0 => bytes[at] = byte,
        1 => bytes.insert(at, byte),
        2 => drop(bytes.remove(at)),
        3 => bytes.truncate(at),
        _ => bytes[at] = b"0123456789- \nd\t"[usize::from(byte) % 15],
    }
}

proptest! {
    #[test]
    fn accepted_claims_are_true(
        steps in any::<bool>(),
        file in 0..4usize,
        changes in prop::collection::vec((any::<usize>(), any::<u8>(), 0..7u8), 1..4),
    ) {
        let metric = if steps { Metric::Steps } else { Metric::Moves };
        let certificate = Certificate::new(&board(SMALL), metric, 1);
        let path = certificate.folder.path().join(["claim.json", "variables.tsv", "formula.cnf", "proof.lrat"][file]);
        let mut bytes = std::fs::read(&path).unwrap();
        for (at, byte, kind) in changes {
            change(&mut bytes, at, byte, kind);
        }
        std::fs::write(&path, bytes).unwrap();
        if let Ok(checked) = certificate.check() {
            let claim = checked.claim;
            prop_assert!(optimum(&claim.board, claim.metric).is_none_or(|optimum| optimum > claim.bound));
        }
    }
}
