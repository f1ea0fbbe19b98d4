//! Tests of the checker of certificates: accepted claims are true, and certificates of the prover are accepted.

mod accepted;
mod agreement;
#[path = "../../../rush/tests/all/common/boards.rs"]
mod boards;
mod common;
mod corrupt_claim;
mod corrupt_formula;
mod corrupt_proof;
mod limits;
mod mutations;
