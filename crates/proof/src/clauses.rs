//! Lists of clauses, the reader of DIMACS files, and the comparison of two lists as sets.

use crate::CheckError;
use crate::meaning::Variables;
use crate::meter::Meter;
use crate::scanner::{LratToken, Scanner};
use std::io::BufRead;

/// Name of the formula.
pub(crate) const FILE: &str = "formula.cnf";

/// A list of clauses, one after another in the same memory. Literals are sorted and differ.
#[derive(Debug, Default)]
pub(crate) struct Clauses {
    literals: Vec<i32>,
    /// By clause: where it ends.
    ends: Vec<usize>,
}

impl Clauses {
    /// Number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The clause with an index.
    pub fn get(&self, index: usize) -> &[i32] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.literals[start..self.ends[index]]
    }

    /// All clauses in order.
    pub fn iter(&self) -> impl Iterator<Item = &[i32]> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The literals of all clauses, one after another.
    pub fn into_literals(self) -> Vec<i32> {
        self.literals
    }

    /// Memory that was reserved for the clauses, in bytes.
    pub fn reserved(&self) -> usize {
        2 * (self.literals.len() * size_of::<i32>() + self.len() * size_of::<usize>())
    }

    /// Adds a clause after sorting its literals and removing duplicates.
    pub fn push(&mut self, clause: &mut Vec<i32>, meter: &mut Meter) -> Result<(), CheckError> {
        clause.sort_unstable();
        clause.dedup();
        // Vectors grow by doubling.
        meter.reserve(2 * (clause.len() * size_of::<i32>() + size_of::<usize>()))?;
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len());
        Ok(())
    }

    /// Reads a formula with this number of variables: a header, and a line for each clause.
    pub fn read(reader: impl BufRead, variables: usize, meter: &mut Meter) -> Result<Clauses, CheckError> {
        let mut scanner = Scanner::new(FILE, reader);
        scanner.expect("p cnf ")?;
        let header = [scanner.next()?, scanner.next()?, scanner.next()?];
        let [LratToken::Number(declared), LratToken::Number(count), LratToken::EndOfLine] = header else {
            return Err(CheckError::at(FILE, 1, "expected 'p cnf VARIABLES CLAUSES'"));
        };
        if declared != variables as i64 {
            let message = format!("{declared} variables, but {} has {variables}", crate::meaning::FILE);
            return Err(CheckError::at(FILE, 1, message));
        }
        let (mut clauses, mut clause) = (Clauses::default(), Vec::new());
        loop {
            match scanner.next()? {
                LratToken::Number(0) => {
                    if scanner.next()? != LratToken::EndOfLine {
                        return Err(scanner.error("expected the end of the line after 0"));
                    }
                    clauses.push(&mut clause, meter)?;
                    clause.clear();
                }
                LratToken::Number(literal) if literal.unsigned_abs() > variables as u64 => {
                    return Err(scanner.error(format!("there is no variable {}", literal.unsigned_abs())));
                }
                LratToken::Number(_) if clause.len() >= variables => {
                    return Err(scanner.error("the clause has more literals than there are variables"));
                }
                LratToken::Number(literal) => clause.push(literal as i32),
                LratToken::EndOfFile if clause.is_empty() => break,
                _ => return Err(scanner.error("expected literals and 0")),
            }
        }
        if clauses.len() as i64 != count {
            return Err(scanner.error(format!("{} clauses, but the header declares {count}", clauses.len())));
        }
        Ok(clauses)
    }
}

/// Checks that two lists of clauses are the same set.
pub(crate) fn check_same(
    found: &Clauses,
    expected: &Clauses,
    variables: &Variables,
    meter: &mut Meter,
) -> Result<(), CheckError> {
    let bytes = expected.len() * (size_of::<usize>() + size_of::<bool>());
    meter.reserve(bytes)?;
    let mut order: Vec<usize> = (0..expected.len()).collect();
    order.sort_unstable_by(|&a, &b| expected.get(a).cmp(expected.get(b)));
    order.dedup_by(|a, b| expected.get(*a) == expected.get(*b));
    let mut seen = vec![false; order.len()];
    for (index, clause) in found.iter().enumerate() {
        meter.look_every(clause.len() as u64)?;
        let Ok(at) = order.binary_search_by(|&other| expected.get(other).cmp(clause)) else {
            let message = format!("the claim has no such clause: {}", variables.describe(clause));
            // The header is line 1.
            return Err(CheckError::at(FILE, index as u64 + 2, message));
        };
        seen[at] = true;
    }
    // The first that is missing, in the order in which the rules give them.
    let missing = order.iter().zip(&seen).filter(|(_, seen)| !**seen).map(|(&index, _)| index).min();
    meter.release(bytes);
    match missing {
        None => Ok(()),
        Some(index) => {
            let message = format!("a clause of the claim is missing: {}", variables.describe(expected.get(index)));
            Err(CheckError::in_file(FILE, message))
        }
    }
}
