//! The checker of LRAT proofs.
//!
//! Each step derives a clause, and lists clauses as hints. Assume that the derived clause is false. Then each hint in turn must
//! have all its literals false but one, which therefore is true, until the last hint has all of them false: a contradiction.
//! A proof refutes the formula once the empty clause is derived.

use crate::CheckError;
use crate::clauses::Clauses;
use crate::meter::Meter;
use crate::scanner::{LratToken, Scanner};
use std::collections::HashMap;
use std::io::BufRead;

/// Name of the proof.
pub(crate) const FILE: &str = "proof.lrat";

/// Approximate memory of a clause besides its literals.
const ENTRY: usize = 48;

/// Approximate work of a step besides its hints.
const STEP: u64 = 64;

/// What a proof consists of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProofSize {
    /// Number of derived clauses.
    pub additions: u64,
    /// Number of deleted clauses.
    pub deletions: u64,
}

/// Checks that a proof refutes a formula.
pub(crate) fn check(
    formula: Clauses,
    variables: usize,
    reader: impl BufRead,
    meter: &mut Meter,
) -> Result<ProofSize, CheckError> {
    let is_refuted = formula.iter().any(<[i32]>::is_empty);
    let mut proof = Proof::new(formula, variables, meter)?;
    proof.run(Scanner::new(FILE, reader), is_refuted, meter)
}

struct Proof {
    variables: usize,
    literals: Vec<i32>,
    /// By number of a clause: where it starts and its length.
    clauses: HashMap<u64, (usize, u32)>,
    /// Number of literals of deleted clauses that are still stored.
    garbage: usize,
    /// By variable: 1 if it is true, -1 if it is false, 0 if it is open.
    values: Vec<i8>,
    /// The variables that are not open.
    trail: Vec<u32>,
    /// Number of the last clause.
    last: u64,
}

impl Proof {
    fn new(formula: Clauses, variables: usize, meter: &mut Meter) -> Result<Proof, CheckError> {
        meter.reserve(formula.len() * ENTRY + variables * 5)?;
        let mut clauses = HashMap::with_capacity(formula.len());
        let mut start = 0;
        for (number, clause) in (1..).zip(formula.iter()) {
            clauses.insert(number, (start, clause.len() as u32));
            start += clause.len();
        }
        let last = formula.len() as u64;
        let (values, trail) = (vec![0; variables + 1], Vec::with_capacity(variables));
        Ok(Proof { variables, literals: formula.into_literals(), clauses, garbage: 0, values, trail, last })
    }

    fn run(
        &mut self,
        mut scanner: Scanner<impl BufRead>,
        mut is_refuted: bool,
        meter: &mut Meter,
    ) -> Result<ProofSize, CheckError> {
        let (mut size, mut clause, mut hints) = (ProofSize::default(), Vec::new(), Vec::new());
        loop {
            // Deletions of nothing are valid steps too, and a file may consist of them.
            meter.look_every(STEP)?;
            let number = match scanner.next()? {
                LratToken::EndOfFile if is_refuted => return Ok(size),
                LratToken::EndOfFile => return Err(scanner.error("the proof ends without the empty clause")),
                _ if is_refuted => return Err(scanner.error("expected the end of the proof after the empty clause")),
                LratToken::Number(number) if number > 0 => number as u64,
                _ => return Err(scanner.error("expected the number of a clause")),
            };
            let first = scanner.next()?;
            if first == LratToken::Delete {
                size.deletions += self.delete(&mut scanner, meter)?;
                continue;
            }
            if number <= self.last {
                return Err(scanner.error(format!("clause {number} comes after clause {}", self.last)));
            }
            self.read_clause(first, &mut scanner, &mut clause)?;
            read_hints(&mut scanner, &mut hints, self.variables)?;
            // The line feed was read, so errors would be in the next line.
            let line = scanner.line() - 1;
            let derived = self.derive(&clause, &hints, meter);
            self.forget();
            derived?.map_err(|message| CheckError::at(FILE, line, format!("clause {number}: {message}")))?;
            self.add(number, &clause, meter)?;
            size.additions += 1;
            is_refuted = clause.is_empty();
        }
    }

    fn read_clause(
        &self,
        first: LratToken,
        scanner: &mut Scanner<impl BufRead>,
        clause: &mut Vec<i32>,
    ) -> Result<(), CheckError> {
        clause.clear();
        let mut token = first;
        loop {
            match token {
                LratToken::Number(0) => return Ok(()),
                LratToken::Number(literal) if literal.unsigned_abs() > self.variables as u64 => {
                    return Err(scanner.error(format!("there is no variable {}", literal.unsigned_abs())));
                }
                LratToken::Number(_) if clause.len() >= self.variables => {
                    return Err(scanner.error("the clause has more literals than there are variables"));
                }
                LratToken::Number(literal) => clause.push(literal as i32),
                _ => return Err(scanner.error("expected literals and 0")),
            }
            token = scanner.next()?;
        }
    }

    /// Reads the rest of a deletion; returns the number of deleted clauses.
    fn delete(&mut self, scanner: &mut Scanner<impl BufRead>, meter: &mut Meter) -> Result<u64, CheckError> {
        let mut count = 0;
        loop {
            match scanner.next()? {
                LratToken::Number(0) => break,
                LratToken::Number(number) if number > 0 => {
                    let Some((_, length)) = self.clauses.remove(&(number as u64)) else {
                        return Err(scanner.error(format!("there is no clause {number} to delete")));
                    };
                    self.garbage += length as usize;
                    meter.release(ENTRY);
                    count += 1;
                }
                _ => return Err(scanner.error("expected numbers of clauses and 0")),
            }
        }
        if scanner.next()? != LratToken::EndOfLine {
            return Err(scanner.error("expected the end of the line after 0"));
        }
        if self.garbage > 1 << 16 && self.garbage > self.literals.len() / 2 {
            self.compact(meter)?;
        }
        Ok(count)
    }

    /// Makes room: moves the clauses together.
    fn compact(&mut self, meter: &mut Meter) -> Result<(), CheckError> {
        meter.look_every(self.literals.len() as u64)?;
        let mut literals = Vec::with_capacity(self.literals.len() - self.garbage);
        for (start, length) in self.clauses.values_mut() {
            let from = std::mem::replace(start, literals.len());
            literals.extend_from_slice(&self.literals[from..from + *length as usize]);
        }
        meter.release(2 * size_of::<i32>() * self.garbage);
        (self.literals, self.garbage) = (literals, 0);
        Ok(())
    }

    fn add(&mut self, number: u64, clause: &[i32], meter: &mut Meter) -> Result<(), CheckError> {
        meter.reserve(ENTRY + 2 * size_of_val(clause))?;
        self.clauses.insert(number, (self.literals.len(), clause.len() as u32));
        self.literals.extend_from_slice(clause);
        self.last = number;
        Ok(())
    }

    fn value(&self, literal: i32) -> i8 {
        let value = self.values[literal.unsigned_abs() as usize];
        if literal < 0 { -value } else { value }
    }

    fn assign(&mut self, literal: i32) {
        let variable = literal.unsigned_abs();
        self.values[variable as usize] = if literal < 0 { -1 } else { 1 };
        self.trail.push(variable);
    }

    /// Makes all variables open again.
    fn forget(&mut self) {
        for variable in self.trail.drain(..) {
            self.values[variable as usize] = 0;
        }
    }

    /// Checks that the hints derive a clause; the inner error is the fault of the step.
    fn derive(&mut self, clause: &[i32], hints: &[u64], meter: &mut Meter) -> Result<Result<(), String>, CheckError> {
        for &literal in clause {
            match self.value(literal) {
                0 => self.assign(-literal),
                1 => return Ok(Err(format!("contains variable {} twice, with both signs", literal.abs()))),
                _ => return Ok(Err(format!("contains literal {literal} twice"))),
            }
        }
        for (at, &hint) in hints.iter().enumerate() {
            let Some(&(start, length)) = self.clauses.get(&hint) else {
                return Ok(Err(format!("hint {hint} is not a clause at this point")));
            };
            meter.look_every(u64::from(length) + 1)?;
            let mut open = None;
            for index in start..start + length as usize {
                let literal = self.literals[index];
                match self.value(literal) {
                    -1 => {}
                    0 if open.is_none() => open = Some(literal),
                    0 => return Ok(Err(format!("hint {hint} leaves more than one literal open"))),
                    _ => return Ok(Err(format!("hint {hint} is true already"))),
                }
            }
            match open {
                Some(literal) => self.assign(literal),
                None if at + 1 < hints.len() => {
                    return Ok(Err(format!("hint {hint} is a contradiction, but further hints follow")));
                }
                None => return Ok(Ok(())),
            }
        }
        Ok(Err("the hints lead to no contradiction".to_owned()))
    }
}

/// Reads the hints of a step and the end of its line.
fn read_hints(scanner: &mut Scanner<impl BufRead>, hints: &mut Vec<u64>, variables: usize) -> Result<(), CheckError> {
    hints.clear();
    loop {
        match scanner.next()? {
            LratToken::Number(0) => break,
            LratToken::Number(number) if number < 0 => {
                return Err(scanner.error("negative hints (RAT) are not supported; expected numbers of clauses"));
            }
            // Each hint but the last makes a variable true or false.
            LratToken::Number(_) if hints.len() > variables => {
                return Err(scanner.error("the step has more hints than there are variables"));
            }
            LratToken::Number(number) => hints.push(number as u64),
            _ => return Err(scanner.error("expected hints and 0")),
        }
    }
    if scanner.next()? != LratToken::EndOfLine {
        return Err(scanner.error("expected the end of the line after 0"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_search::{Limit, Limits};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn steps_that_delete_nothing_end_at_a_limit() {
        let limits = Limits { cancel: Some(Arc::new(AtomicBool::new(true))), ..Limits::default() };
        let proof = "1 d 0\n".repeat(1 << 15);
        let checked = check(Clauses::default(), 0, proof.as_bytes(), &mut Meter::new(limits.checker()));
        assert!(matches!(checked, Err(CheckError::Stopped(Limit::Cancelled))), "{checked:?}");
    }
}
