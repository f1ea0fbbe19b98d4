//! The limits of provers and checkers.

use crate::common::{Certificate, JAM01, board};
use clearway_proof::{CheckError, check};
use clearway_rush::{CertificateOutcome, Metric, certify};
use clearway_search::{Limit, Limits};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tempfile::TempDir;

fn each_limit() -> [(Limits, Limit); 3] {
    let cancelled = Arc::new(AtomicBool::new(true));
    [
        (Limits { time: Some(Duration::ZERO), ..Limits::default() }, Limit::Time),
        (Limits { memory: Some(1000), ..Limits::default() }, Limit::Memory),
        (Limits { cancel: Some(cancelled), ..Limits::default() }, Limit::Cancelled),
    ]
}

#[test]
fn a_prover_that_is_stopped_leaves_no_files() {
    for (limits, limit) in each_limit() {
        let folder = TempDir::new().unwrap();
        let outcome = certify(&board(JAM01), Metric::Moves, 7, folder.path(), &limits).unwrap();
        assert_eq!(outcome, CertificateOutcome::Stopped(limit));
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    }
}

#[test]
fn a_checker_that_is_stopped_accepts_nothing() {
    let certificate = Certificate::new(&board(JAM01), Metric::Moves, 7);
    for (limits, limit) in each_limit() {
        match check(certificate.folder.path(), &limits) {
            Err(CheckError::Stopped(stopped)) => assert_eq!(stopped, limit),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_huge_claim_stops_at_the_memory_limit() {
    let certificate = Certificate::new(&board(JAM01), Metric::Moves, 3);
    let claim = certificate.read("claim.json").replace(": 3", ": 1000");
    certificate.write("claim.json", claim);
    let limits = Limits { memory: Some(100_000_000), ..Limits::default() };
    let error = check(certificate.folder.path(), &limits).unwrap_err();
    assert!(error.to_string().contains("the variable"), "{error}");
    let error = clearway_proof::formula(&board(JAM01), Metric::Moves, 1000, &limits).unwrap_err();
    assert!(matches!(error, CheckError::Stopped(Limit::Memory)), "{error}");
}
