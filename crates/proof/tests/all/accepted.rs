//! Certificates of boards whose shortest solutions are known.

use crate::common::{Certificate, JAM01, METRICS, SMALL, board, optimum};
use clearway_rush::{CertificateError, CertificateOutcome, MAX_BOUND, Metric, certify};
use clearway_search::Limits;
use tempfile::TempDir;

#[test]
fn one_less_than_the_optimum_is_proven_in_both_metrics() {
    for text in [SMALL, JAM01, "4x4:BB.CAA.C.DDD....", "5x4:...B.AA.B...........", "4x4:.A...A..BB......@bottom"] {
        let board = board(text);
        for metric in METRICS {
            let optimum = optimum(&board, metric).unwrap();
            let checked = Certificate::new(&board, metric, optimum - 1).check().unwrap();
            assert_eq!(checked.claim.board, board);
            assert_eq!((checked.claim.metric, checked.claim.bound), (metric, optimum - 1));
            assert!(checked.claim.solver.starts_with("cadical"), "{}", checked.claim.solver);
        }
    }
}

#[test]
fn every_smaller_bound_is_proven_as_well() {
    for bound in 0..8 {
        let checked = Certificate::new(&board(JAM01), Metric::Moves, bound).check().unwrap();
        assert_eq!(checked.claim.bound, bound);
    }
}

#[test]
fn unsolvable_boards_have_certificates() {
    // B always covers the row of the exit: the ranges exclude the goal. In the second board they do not.
    for text in ["4x3:...BAA.B....", "5x5:..B..CCB..AAB..DDE....E.."] {
        let board = board(text);
        if optimum(&board, Metric::Moves).is_none() {
            for metric in METRICS {
                Certificate::new(&board, metric, 6).check().unwrap();
            }
        }
    }
}

#[test]
fn a_bound_that_suffices_is_refuted_by_a_solution() {
    for metric in METRICS {
        let (board, folder) = (board(JAM01), TempDir::new().unwrap());
        let optimum = optimum(&board, metric).unwrap();
        match certify(&board, metric, optimum, folder.path(), &Limits::default()).unwrap() {
            CertificateOutcome::Refuted(solution) => {
                let replay = clearway_rush::replay(&board, &solution.0).unwrap();
                let length = if metric == Metric::Moves { replay.moves } else { replay.steps };
                assert!(replay.solved && length == optimum);
            }
            outcome => panic!("{outcome:?}"),
        }
        assert_eq!(folder.path().read_dir().unwrap().count(), 0, "no file remains");
    }
    let (solved, folder) = (board("4x4:......AA........"), TempDir::new().unwrap());
    let outcome = certify(&solved, Metric::Moves, 3, folder.path(), &Limits::default()).unwrap();
    assert_eq!(outcome, CertificateOutcome::Refuted(clearway_rush::Solution(Vec::new())));
}

#[test]
fn a_new_certificate_replaces_the_one_in_the_folder() {
    let certificate = Certificate::new(&board(JAM01), Metric::Moves, 7);
    let outcome = certify(&board(JAM01), Metric::Moves, 8, certificate.folder.path(), &Limits::default()).unwrap();
    assert!(matches!(outcome, CertificateOutcome::Refuted(_)));
    assert_eq!(certificate.folder.path().read_dir().unwrap().count(), 0, "the old claim does not survive");
}

#[test]
fn too_large_bounds_are_rejected() {
    let folder = TempDir::new().unwrap();
    let error = certify(&board(SMALL), Metric::Moves, MAX_BOUND + 1, folder.path(), &Limits::default()).unwrap_err();
    assert!(matches!(error, CertificateError::BoundTooLarge(_)), "{error}");
}
