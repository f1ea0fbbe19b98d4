//! Certificates: a proof that no plan of at most a given length exists, as files that others can check.
//!
//! The question whether a plan of at most K moves (or steps) in K layers exists becomes a formula, whose goal and bound are unit
//! clauses; the SAT solver refutes it and traces a proof. A plan of K moves has at most K layers, so the refutation shows that
//! more than K moves are needed. See the chapter on proving for the whole argument.

use super::MAX_BOUND;
use super::budget::SatBudget;
use super::encoding::{ClauseSink, Encoding, Literal, constant};
use super::sat::{SatAnswer, SatSolver};
use super::structure::Structure;
use super::totalizer::Totalizer;
use super::variables::write_variables;
use crate::plan::{Slide, solves, tidy, to_moves};
use crate::{Board, Metric, Solution, formats};
use clearway_search::{Limit, Limits};
use clearway_util::atomic::{self, AtomicFile};
use serde::Serialize;
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Version of the files.
const VERSION: u32 = 1;

/// Facts about a certificate that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Number of layers of the formula.
    pub layers: usize,
    /// Number of variables of the formula.
    pub variables: usize,
    /// Number of clauses of the formula.
    pub clauses: usize,
    /// Size of the proof in bytes.
    pub proof_bytes: u64,
    /// Number of conflicts that the SAT solver needed.
    pub conflicts: u64,
    /// Name and version of the SAT solver.
    pub solver: String,
}

/// Outcome of an attempt to write a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CertificateOutcome {
    /// No solution within the bound exists, and the certificate is complete.
    Proven(Certificate),
    /// A solution within the bound exists; there is no certificate.
    Refuted(Solution),
    /// A limit was reached before the answer was known; there is no certificate.
    Stopped(Limit),
}

/// Why a certificate could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// The bound exceeds [`MAX_BOUND`].
    #[error("the bound {0} is too large; expected at most {MAX_BOUND}")]
    BoundTooLarge(u32),
    /// A file or folder cannot be read or written.
    #[error("cannot write {}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The SAT solver takes paths as text only.
    #[error("the path {} is not valid UTF-8; choose another folder", .0.display())]
    InvalidPath(PathBuf),
    /// The SAT solver failed, or its result is wrong.
    #[error("the SAT solver failed: {0}")]
    Solver(#[source] Box<dyn Error + Send + Sync>),
}

/// The file `claim.json`.
#[derive(Serialize)]
struct Claim<'a> {
    version: u32,
    board: &'a str,
    metric: &'a str,
    bound: u32,
    layers: usize,
    solver: &'a str,
}

/// Proves that no solution of at most `bound` moves or steps exists, and writes the certificate into a folder, which is created
/// if it is missing: `variables.tsv`, `formula.cnf`, `proof.lrat` and, once these are complete, `claim.json`. Without a proof,
/// none of these files remains.
pub fn certify(
    board: &Board,
    metric: Metric,
    bound: u32,
    folder: &Path,
    limits: &Limits,
) -> Result<CertificateOutcome, CertificateError> {
    if bound > MAX_BOUND {
        return Err(CertificateError::BoundTooLarge(bound));
    }
    if board.is_solved() {
        return Ok(CertificateOutcome::Refuted(Solution(Vec::new())));
    }
    let files = Files::new(folder)?;
    let outcome = certify_into(&files, board, metric, bound, &SatBudget { checker: &limits.checker(), held: 0 });
    if !matches!(outcome, Ok(CertificateOutcome::Proven(_))) {
        files.remove();
    }
    outcome
}

fn certify_into(
    files: &Files,
    board: &Board,
    metric: Metric,
    bound: u32,
    budget: &SatBudget,
) -> Result<CertificateOutcome, CertificateError> {
    // Vehicles are ordered as in the board that a reader of the claim gets.
    let text = formats::line(board);
    let board = &formats::read_one(&text, Some(formats::Format::Line))
        .map_err(|error| CertificateError::Solver(error.into()))?
        .board;
    let formula = Formula { board, metric, bound: bound as usize };
    let mut counter = Counter::default();
    let encoding = match formula.write(&mut counter, budget) {
        Ok(encoding) => encoding,
        Err(limit) => return Ok(CertificateOutcome::Stopped(limit)),
    };
    let written =
        write_atomically(&files.variables, |out| write_variables(board, &encoding, metric, formula.most(), out))?;
    if written != encoding.variables() {
        let message = format!("{written} of {} variables have a meaning", encoding.variables());
        return Err(CertificateError::Solver(message.into()));
    }
    let copied = write_atomically(&files.formula, |out| {
        writeln!(out, "p cnf {} {}", encoding.variables(), counter.clauses)?;
        let mut writer = DimacsWriter { out, result: Ok(()) };
        let ended = formula.write(&mut writer, budget);
        writer.result?;
        Ok(ended)
    })?;
    if let Err(limit) = copied {
        return Ok(CertificateOutcome::Stopped(limit));
    }
    let solver_name = SatSolver::version();
    let conflicts = if counter.has_empty {
        // The ranges of the vehicles alone exclude the goal: there is nothing to derive.
        write_atomically(&files.proof, |_| Ok(()))?;
        0
    } else {
        let size = (encoding.variables(), counter.literals);
        let mut solver = SatSolver::with_proof(utf8(&files.formula)?, size, utf8(&files.proof)?)
            .map_err(|error| CertificateError::Solver(error.into()))?;
        for layer in 0..encoding.layers() {
            for mover in 0..encoding.structure().movers.len() {
                solver.prefer(-encoding.moved(mover, layer));
            }
        }
        match solver.solve(&[], u64::MAX / 2, budget) {
            SatAnswer::Unsatisfiable => solver.close_proof(),
            SatAnswer::Satisfiable => {
                let plan = tidy(board, encoding.plan(&mut |literal| solver.holds(literal)), metric);
                return checked_solution(board, metric, bound, &plan);
            }
            SatAnswer::Stopped(limit) => return Ok(CertificateOutcome::Stopped(limit)),
            SatAnswer::Unknown => return Ok(CertificateOutcome::Stopped(Limit::Incomplete)),
        }
        check_end(&files.proof)?;
        solver.conflicts()
    };
    let proof_bytes = fs::metadata(&files.proof).map_err(|error| io_error(&files.proof, error))?.len();
    let layers = encoding.layers();
    let claim = Claim { version: VERSION, board: &text, metric: metric.as_str(), bound, layers, solver: &solver_name };
    let json = serde_json::to_string_pretty(&claim).map_err(|error| CertificateError::Solver(error.into()))?;
    atomic::write(&files.claim, json + "\n").map_err(|error| io_error(&files.claim, error))?;
    let (variables, clauses) = (encoding.variables(), counter.clauses);
    let certificate = Certificate { layers, variables, clauses, proof_bytes, conflicts, solver: solver_name };
    Ok(CertificateOutcome::Proven(certificate))
}

/// Replays a plan before it refutes the claim.
fn checked_solution(
    board: &Board,
    metric: Metric,
    bound: u32,
    plan: &[Slide],
) -> Result<CertificateOutcome, CertificateError> {
    let moves = to_moves(board, plan);
    let length = crate::plan::length(plan, metric);
    let is_solution = solves(board, plan) && crate::replay(board, &moves).is_ok_and(|replay| replay.solved);
    if is_solution && length <= bound {
        Ok(CertificateOutcome::Refuted(Solution(moves)))
    } else {
        let message = format!("a plan of {length} {} does not solve the board", metric.as_str());
        Err(CertificateError::Solver(message.into()))
    }
}

/// The formula of a claim.
struct Formula<'a> {
    board: &'a Board,
    metric: Metric,
    bound: usize,
}

impl Formula<'_> {
    /// How far the cost is counted.
    fn most(&self) -> usize {
        self.bound + 1
    }

    /// Adds all clauses to a sink; ends with the limit that is reached, if any.
    fn write(&self, sink: &mut impl ClauseSink, budget: &SatBudget) -> Result<Encoding, Limit> {
        let mut encoding = Encoding::new(Structure::new(self.board), self.metric);
        while encoding.layers() < self.bound {
            budget.check(sink.memory_usage())?;
            encoding.add_layer(sink);
        }
        let totalizer = Totalizer::new(&mut encoding, self.most(), sink, budget)?;
        budget.check(sink.memory_usage())?;
        let within = totalizer.exceeds(self.bound).map(|exceeds| -exceeds);
        for unit in [Some(encoding.goal()), within].into_iter().flatten() {
            match constant(unit) {
                None => sink.add_clause(&[unit]),
                Some(false) => sink.add_clause(&[]),
                Some(true) => {}
            }
        }
        Ok(encoding)
    }
}

/// Counts clauses.
#[derive(Default)]
struct Counter {
    clauses: usize,
    literals: usize,
    has_empty: bool,
}

impl ClauseSink for Counter {
    fn add_clause(&mut self, clause: &[Literal]) {
        self.clauses += 1;
        self.literals += clause.len() + 2;
        self.has_empty |= clause.is_empty();
    }

    fn memory_usage(&self) -> usize {
        self.literals * 24
    }
}

/// Writes clauses as lines of DIMACS. After an error it ignores the rest.
struct DimacsWriter<'a, W> {
    out: &'a mut W,
    result: io::Result<()>,
}

impl<W: Write> ClauseSink for DimacsWriter<'_, W> {
    fn add_clause(&mut self, clause: &[Literal]) {
        let mut line = || {
            for literal in clause {
                write!(self.out, "{literal} ")?;
            }
            self.out.write_all(b"0\n")
        };
        if self.result.is_ok() {
            self.result = line();
        }
    }

    fn memory_usage(&self) -> usize {
        0
    }
}

/// The files of a certificate.
struct Files {
    variables: PathBuf,
    formula: PathBuf,
    proof: PathBuf,
    claim: PathBuf,
}

impl Files {
    /// Creates the folder, and removes the files of an earlier certificate: its claim first.
    fn new(folder: &Path) -> Result<Files, CertificateError> {
        fs::create_dir_all(folder).map_err(|error| io_error(folder, error))?;
        let name = |name| folder.join(name);
        let files = Files {
            variables: name("variables.tsv"),
            formula: name("formula.cnf"),
            proof: name("proof.lrat"),
            claim: name("claim.json"),
        };
        utf8(&files.formula)?;
        for path in files.all() {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(io_error(path, error)),
                _ => {}
            }
        }
        Ok(files)
    }

    fn all(&self) -> [&Path; 4] {
        [&self.claim, &self.proof, &self.formula, &self.variables]
    }

    /// Removes the files. What cannot be removed stays, without a claim.
    fn remove(&self) {
        for path in self.all() {
            let _ = fs::remove_file(path);
        }
    }
}

/// Writes a file that is complete or absent.
fn write_atomically<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<AtomicFile>) -> io::Result<T>,
) -> Result<T, CertificateError> {
    let written = AtomicFile::create(path).and_then(|file| {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        let value = write(&mut out)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.commit()?;
        Ok(value)
    });
    written.map_err(|error| io_error(path, error))
}

fn io_error(path: &Path, error: io::Error) -> CertificateError {
    CertificateError::Io { path: path.to_owned(), error }
}

fn utf8(path: &Path) -> Result<&str, CertificateError> {
    path.to_str().ok_or_else(|| CertificateError::InvalidPath(path.to_owned()))
}

/// Checks that a proof ends with the empty clause: the solver ignores errors when it writes.
fn check_end(path: &Path) -> Result<(), CertificateError> {
    let last_line = || -> io::Result<String> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut tail = Vec::new();
        // The hints of the last step may be long; its beginning suffices, and a line feed before it.
        let mut window = 1 << 12;
        loop {
            file.seek(SeekFrom::Start(length.saturating_sub(window)))?;
            tail.clear();
            (&mut file).take(window).read_to_end(&mut tail)?;
            let body = tail.strip_suffix(b"\n").unwrap_or(&[]);
            let start = body.iter().rposition(|&byte| byte == b'\n').map(|at| at + 1);
            if let Some(start) = start.or((window >= length).then_some(0)) {
                return Ok(String::from_utf8_lossy(&body[start..]).into_owned());
            }
            window *= 4;
        }
    };
    let line = last_line().map_err(|error| io_error(path, error))?;
    let mut words = line.split_ascii_whitespace();
    let (id, first) = (words.next(), words.next());
    if id.is_some_and(|id| id.parse::<u64>().is_ok()) && first == Some("0") && line.ends_with(" 0") {
        return Ok(());
    }
    Err(io_error(path, io::Error::other("the proof is incomplete; the disk may be full")))
}
