//! Certificates that no solution of a length exists.

use crate::shared::{choice, scratch, text, with_solver};
use clearway_proof::{CheckError, Claim, Formula, check, formula};
use clearway_rush::formats::{self, Format};
use clearway_rush::{Board, CertificateOutcome, Metric, certify};
use clearway_search::{Limits, Verdict};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The files of a certificate, in the order in which an input contains them.
const FILES: [&str; 4] = ["claim.json", "variables.tsv", "formula.cnf", "proof.lrat"];
/// Separates the parts of an input. No valid file contains it.
const SEPARATOR: u8 = b'=';
/// Bounds of the certificates that are written here, which take longer than to read one: from 0 to one less than this.
const BOUNDS: u8 = 5;
/// Maximum number of cells of their boards.
const MAX_CELLS: u16 = 36;
/// Node limit of the exact solver.
const NODES: u64 = 20_000;
/// Memory limit of every check and search.
const MEMORY: usize = 64 << 20;

/// Checks certificates. The first byte selects the form of the rest, which consists of parts with `=` between them:
///
/// - the four files of a certificate;
/// - a board, its bound and a proof: the other files are derived from the rules, so that every proof meets a true formula;
/// - a board, its bound and changes: the solver writes a certificate, and single bytes of its files are changed.
///
/// A certificate is accepted only if the exact solver agrees: it finds no solution within the bound. One that the solver has
/// written is accepted, and there is none if the exact solver finds such a solution. The line of an error exists in its file, and
/// the memory of a check is limited.
pub fn certificates(bytes: &[u8]) {
    accepted(bytes);
}

/// Checks an input like [`certificates`]; returns the claim of its certificate if it is accepted.
pub fn accepted(bytes: &[u8]) -> Option<Claim> {
    let (form, rest) = choice(bytes)?;
    let folder = scratch("certificate");
    fs::create_dir_all(&folder).expect("the folder can be created");
    let form = form % 3;
    if form == 0 {
        let mut parts = rest.splitn(FILES.len(), |&byte| byte == SEPARATOR);
        for file in FILES {
            write(&folder, file, parts.next().unwrap_or_default());
        }
        return checked(&folder);
    }
    let mut parts = rest.splitn(2, |&byte| byte == SEPARATOR);
    let (board, metric, bound) = question(parts.next()?)?;
    let given = parts.next().unwrap_or_default();
    if form == 1 {
        derive(&folder, &board, metric, bound)?;
        write(&folder, "proof.lrat", given);
    } else {
        prove(&folder, &board, metric, bound)?;
        for change in given.as_chunks::<4>().0 {
            apply(&folder, *change);
        }
    }
    checked(&folder)
}

/// Checks a certificate, and its claim if it is accepted.
fn checked(folder: &Path) -> Option<Claim> {
    let limits = Limits { memory: Some(MEMORY), ..Limits::default() };
    let claim = match check(folder, &limits) {
        Ok(checked) => checked.claim,
        Err(CheckError::Invalid { file, line: Some(line), message, .. }) => {
            let feeds = read(folder, file).split(|&byte| byte == b'\n').count() as u64 - 1;
            assert!((1..=feeds + 1).contains(&line), "{file} has no line {line}: {message}");
            return None;
        }
        Err(CheckError::Io { path, error }) => panic!("{} was just written: {error}", path.display()),
        Err(_) => return None,
    };
    let shortest = optimum(&claim.board, claim.metric);
    assert!(
        shortest.is_none_or(|shortest| shortest > claim.bound),
        "accepted, but {shortest:?} {} suffice: {claim:?}",
        claim.metric.as_str()
    );
    Some(claim)
}

/// Length of a shortest solution by the exact solver; `None` if there is none, or if the solver reaches a limit.
fn optimum(board: &Board, metric: Metric) -> Option<u32> {
    let limits = Limits { nodes: Some(NODES), memory: Some(MEMORY), ..Limits::default() };
    let answer = with_solver(|solver| solver.solve(board, metric, &limits));
    (answer.verdict == Verdict::Solved).then_some(answer.lower_bound)
}

/// Reads a board in line format after its metric, `m` or `s`, and a digit for the bound.
fn question(bytes: &[u8]) -> Option<(Board, Metric, u32)> {
    let (&[metric, bound], line) = bytes.split_first_chunk()?;
    let metric = if metric == b's' { Metric::Steps } else { Metric::Moves };
    let board = formats::read_one(text(line)?, Some(Format::Line)).ok()?.board;
    let is_small = u16::from(board.width()) * u16::from(board.height()) <= MAX_CELLS;
    (is_small && !board.is_solved()).then_some((board, metric, u32::from(bound.wrapping_sub(b'0') % BOUNDS)))
}

/// Writes the claim, and its formula as the rules give it.
fn derive(folder: &Path, board: &Board, metric: Metric, bound: u32) -> Option<()> {
    // Vehicles are ordered as in the board of the claim.
    let line = formats::line(board);
    let board = formats::read_one(&line, Some(Format::Line)).expect("what was written can be read").board;
    let limits = Limits { memory: Some(MEMORY), ..Limits::default() };
    let Formula { meanings, clauses } = formula(&board, metric, bound, &limits).ok()?;
    let metric = metric.as_str();
    let claim = serde_json::json!({
        "version": 1, "board": line, "metric": metric, "bound": bound, "layers": bound, "solver": "",
    });
    write(folder, "claim.json", claim.to_string().as_bytes());
    let (mut table, mut dimacs) = (String::new(), format!("p cnf {} {}\n", meanings.len(), clauses.len()));
    for (number, meaning) in (1..).zip(&meanings) {
        writeln!(table, "{number}\t{}", meaning.to_string().replace(' ', "\t")).expect("a string grows");
    }
    for clause in &clauses {
        for literal in clause {
            write!(dimacs, "{literal} ").expect("a string grows");
        }
        dimacs += "0\n";
    }
    write(folder, "variables.tsv", table.as_bytes());
    write(folder, "formula.cnf", dimacs.as_bytes());
    Some(())
}

/// Writes a certificate with the solver, which must be accepted. Returns `None` if the bound suffices.
fn prove(folder: &Path, board: &Board, metric: Metric, bound: u32) -> Option<()> {
    let limits = Limits { memory: Some(MEMORY), ..Limits::default() };
    let outcome = certify(board, metric, bound, folder, &limits).unwrap_or_else(|error| panic!("{error}"));
    match outcome {
        CertificateOutcome::Proven(_) => {
            let claim = checked(folder).expect("what the solver has proven is accepted");
            assert_eq!((claim.metric, claim.bound), (metric, bound));
            Some(())
        }
        CertificateOutcome::Refuted(solution) => {
            let length = if metric == Metric::Moves { solution.moves() } else { solution.steps() };
            assert!(optimum(board, metric).is_none_or(|shortest| shortest <= length && length <= bound));
            None
        }
        CertificateOutcome::Stopped(limit) => panic!("a small certificate reaches a limit: {limit}"),
    }
}

/// Changes a byte of a file: the first byte of a change selects the file and the kind of change, the next two the position.
fn apply(folder: &Path, [choice, high, low, byte]: [u8; 4]) {
    let file = FILES[usize::from(choice % 4)];
    let mut bytes = read(folder, file);
    let place = usize::from(u16::from_be_bytes([high, low])) % (bytes.len() + 1);
    match choice / 4 % 4 {
        0 if place < bytes.len() => bytes[place] = byte,
        1 if place < bytes.len() => drop(bytes.remove(place)),
        2 => bytes.truncate(place),
        _ => bytes.insert(place, byte),
    }
    write(folder, file, &bytes);
}

fn read(folder: &Path, file: &str) -> Vec<u8> {
    fs::read(folder.join(file)).expect("the file can be read")
}

fn write(folder: &Path, file: &str, bytes: &[u8]) {
    fs::write(folder.join(file), bytes).expect("the file can be written");
}
