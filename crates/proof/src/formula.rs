//! The formula of a claim as the rules give it, and its comparison with the one in a certificate.

use crate::clauses::{Clauses, check_same};
use crate::meaning::{self, Meaning, Variables};
use crate::meter::Meter;
use crate::rules::{Receiver, Rules, Term};
use crate::{CheckError, Claim};
use clearway_rush::{Board, Metric};
use clearway_search::Limits;

/// The clauses that every plan of a board within a bound satisfies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// By variable, from 1: its meaning.
    pub meanings: Vec<Meaning>,
    /// The clauses as in DIMACS: a variable, or its negation as a negative number.
    pub clauses: Vec<Vec<i32>>,
}

/// Returns the formula of the claim that no plan of at most `bound` moves or steps exists, as the rules of the puzzle give it.
/// It is unsatisfiable only if the claim is true.
///
/// ```
/// use clearway_proof::formula;
/// use clearway_rush::{Metric, formats};
/// use clearway_search::Limits;
/// let board = formats::read_one("...BAA.B........", None)?.board;
/// let formula = formula(&board, Metric::Moves, 1, &Limits::default())?;
/// assert_eq!(formula.meanings[0].to_string(), "position A 1 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn formula(board: &Board, metric: Metric, bound: u32, limits: &Limits) -> Result<Formula, CheckError> {
    let mut meter = Meter::new(limits.checker());
    let mut numbering = Numbering { variables: Variables::default(), clauses: Vec::new(), meter: &mut meter };
    Rules::new(board, metric, bound).write(&mut numbering)?;
    Ok(Formula { meanings: numbering.variables.into_meanings(), clauses: numbering.clauses })
}

/// Numbers variables in the order of their first use.
struct Numbering<'a, 'b> {
    variables: Variables,
    clauses: Vec<Vec<i32>>,
    meter: &'a mut Meter<'b>,
}

impl Receiver for Numbering<'_, '_> {
    fn receive(&mut self, clause: &[Term]) -> Result<(), CheckError> {
        self.meter.reserve(size_of_val(clause) + size_of::<Vec<i32>>())?;
        let mut numbers = Vec::with_capacity(clause.len());
        for &term in clause {
            let (Term::Is(meaning) | Term::Not(meaning)) = term else { continue };
            let number = if let Some(number) = self.variables.number(meaning) {
                number
            } else {
                self.variables.add(meaning, self.meter)?;
                self.variables.len() as i32
            };
            numbers.push(if matches!(term, Term::Is(_)) { number } else { -number });
        }
        self.clauses.push(numbers);
        Ok(())
    }
}

/// Checks that a formula has exactly the clauses of the claim.
pub(crate) fn check(
    claim: &Claim,
    variables: &Variables,
    found: &Clauses,
    meter: &mut Meter,
) -> Result<(), CheckError> {
    let used = vec![false; variables.len() + 1];
    let mut expected = Expected { variables, used, clauses: Clauses::default(), clause: Vec::new(), meter };
    Rules::new(&claim.board, claim.metric, claim.bound).write(&mut expected)?;
    let Expected { used, clauses, .. } = expected;
    if let Some(unused) = (1..used.len()).find(|&number| !used[number]) {
        let name = variables.meaning(unused as i32).map(|meaning| meaning.to_string()).unwrap_or_default();
        let message = format!("the claim has no variable '{name}'");
        return Err(CheckError::at(meaning::FILE, unused as u64, message));
    }
    check_same(found, &clauses, variables, meter)?;
    meter.release(clauses.reserved());
    Ok(())
}

/// The clauses of the claim in the numbers of the certificate.
struct Expected<'a, 'b> {
    variables: &'a Variables,
    /// By variable.
    used: Vec<bool>,
    clauses: Clauses,
    clause: Vec<i32>,
    meter: &'a mut Meter<'b>,
}

impl Receiver for Expected<'_, '_> {
    fn receive(&mut self, clause: &[Term]) -> Result<(), CheckError> {
        self.clause.clear();
        for &term in clause {
            let (Term::Is(meaning) | Term::Not(meaning)) = term else { continue };
            let Some(number) = self.variables.number(meaning) else {
                return Err(CheckError::in_file(meaning::FILE, format!("the variable '{meaning}' is missing")));
            };
            self.used[number as usize] = true;
            self.clause.push(if matches!(term, Term::Is(_)) { number } else { -number });
        }
        self.clauses.push(&mut self.clause, self.meter)
    }
}
