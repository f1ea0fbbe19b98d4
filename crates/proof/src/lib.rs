//! Checks certificates: that a Rush Hour board cannot be solved within a number of moves or steps.
//!
//! A certificate is a folder with four files: `claim.json`, `variables.tsv`, `formula.cnf` and `proof.lrat`. The check has two
//! parts, and neither uses the solver that wrote the files:
//!
//! - A second encoder derives the clauses of the claim from the rules of the puzzle, and compares them with the formula.
//! - A checker of LRAT proofs follows the proof step by step, from the formula to the empty clause.
//!
//! ```
//! use clearway_proof::check;
//! use clearway_rush::{Metric, certify, formats};
//! use clearway_search::Limits;
//!
//! # let folder = tempfile::tempdir()?;
//! let board = formats::read_one("...BAA.B........", None)?.board;
//! certify(&board, Metric::Moves, 1, folder.path(), &Limits::default())?;
//! let checked = check(folder.path(), &Limits::default())?;
//! assert_eq!((checked.claim.board, checked.claim.bound), (board, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod claim;
mod clauses;
mod error;
mod formula;
mod lrat;
mod meaning;
mod meter;
mod places;
mod rules;
mod scanner;

pub use claim::Claim;
pub use error::CheckError;
pub use formula::{Formula, formula};
pub use meaning::Meaning;

use clauses::Clauses;
use clearway_search::Limits;
use meaning::Variables;
use meter::Meter;
use std::path::Path;

/// A certificate that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The claim, which is proven.
    pub claim: Claim,
    /// Number of variables of the formula.
    pub variables: usize,
    /// Number of clauses of the formula.
    pub clauses: usize,
    /// Number of clauses that the proof derives.
    pub additions: u64,
    /// Number of clauses that the proof deletes.
    pub deletions: u64,
}

/// Checks the certificate in a folder. Memory and time stay within the limits, whatever the files contain.
pub fn check(folder: &Path, limits: &Limits) -> Result<Checked, CheckError> {
    let mut meter = Meter::new(limits.checker());
    meter.look()?;
    let claim = Claim::read(folder)?;
    let variables = Variables::read(scanner::open(folder, meaning::FILE)?, &mut meter)?;
    let found = Clauses::read(scanner::open(folder, clauses::FILE)?, variables.len(), &mut meter)?;
    formula::check(&claim, &variables, &found, &mut meter)?;
    let (count, clauses) = (variables.len(), found.len());
    drop(variables);
    let proof = scanner::open(folder, lrat::FILE)?;
    let size = lrat::check(found, count, proof, &mut meter)?;
    meter.look()?;
    Ok(Checked { claim, variables: count, clauses, additions: size.additions, deletions: size.deletions })
}
