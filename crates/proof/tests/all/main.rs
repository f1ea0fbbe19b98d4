//! Tests of the checker of certificates: what it accepts is true, and what the prover writes is accepted.

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
