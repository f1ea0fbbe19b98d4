//! Certificates in temporary folders.

use clearway_proof::{CheckError, Checked, check};
use clearway_rush::{Board, CertificateOutcome, Metric, Solver, certify, formats};
use clearway_search::Limits;
use std::fs;
use tempfile::TempDir;

/// The first card: 8 moves, 16 steps.
pub const JAM01: &str = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";
/// Two moves, four steps.
pub const SMALL: &str = "...BAA.B........";
pub const METRICS: [Metric; 2] = [Metric::Moves, Metric::Steps];

pub fn board(text: &str) -> Board {
    formats::read_one(text, None).unwrap().board
}

/// Length of a shortest solution by the exact solver; `None` if there is none.
pub fn optimum(board: &Board, metric: Metric) -> Option<u32> {
    let solution = Solver::new().solve(board, metric, &Limits::default()).solution?;
    Some(match metric {
        Metric::Moves => solution.moves(),
        Metric::Steps => solution.steps(),
    })
}

/// A certificate in a folder of its own.
pub struct Certificate {
    pub folder: TempDir,
}

impl Certificate {
    /// Writes the certificate that a bound does not suffice.
    #[track_caller]
    pub fn new(board: &Board, metric: Metric, bound: u32) -> Certificate {
        let folder = TempDir::new().unwrap();
        let outcome = certify(board, metric, bound, folder.path(), &Limits::default()).unwrap();
        assert!(matches!(outcome, CertificateOutcome::Proven(_)), "{outcome:?}");
        Certificate { folder }
    }

    pub fn check(&self) -> Result<Checked, CheckError> {
        check(self.folder.path(), &Limits::default())
    }

    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.path().join(file)).unwrap()
    }

    pub fn write(&self, file: &str, text: impl AsRef<[u8]>) {
        fs::write(self.folder.path().join(file), text).unwrap();
    }

    /// Checks that a changed file is rejected with a message, and restores the file.
    #[track_caller]
    pub fn rejects(&self, file: &str, changed: impl AsRef<[u8]>, message: &str) {
        let original = self.read(file);
        assert_ne!(original.as_bytes(), changed.as_ref(), "{file} is unchanged");
        self.write(file, changed);
        let error = self.check().expect_err("the certificate was changed").to_string();
        assert!(error.contains(message), "'{message}' is not in: {error}");
        self.write(file, original);
    }
}
