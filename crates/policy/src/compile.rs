//! Policies as programs that are evaluated fast.
//!
//! All conditions together become one list of checks, each of which says where to go on if it holds and where if not:
//! AND, OR and the order of the rules are nothing but such jumps, and what is decided before the search (a comparison
//! of two constants, say) leaves no check behind. A value becomes sums of weighted heuristics, and a little code that
//! multiplies and adds such sums where a heuristic is multiplied by another.

use crate::part::{Part, Shape};
use crate::policy::Policy;
use crate::terminals::TERMINALS;
use crate::terminals::primitive::{AND, AT_LEAST, AT_MOST, OR, PLUS, TIMES};

/// Where a program gets its numbers from.
pub trait Source {
    /// The number of a heuristic at the node that is looked at, by its place in [`TERMINALS`]; never NaN. It may be
    /// asked for more than once.
    fn number(&mut self, terminal: usize) -> f64;
}

impl<F: FnMut(usize) -> f64> Source for F {
    fn number(&mut self, terminal: usize) -> f64 {
        self(terminal)
    }
}

/// A policy that is ready to be asked.
///
/// ```
/// use clearway_policy::{Policy, Program};
/// let policy: Policy = "IF g >= 0.5 THEN 2*h1 + 1 DEFAULT h1".parse()?;
/// let program = Program::new(&policy);
/// let at = |g: f64| move |terminal: usize| if terminal == 0 { 7.0 } else { g };
/// assert_eq!((program.value(&mut at(50.0)), program.fires(&mut at(50.0))), (15.0, Some(0)));
/// assert_eq!((program.value(&mut at(49.0)), program.fires(&mut at(49.0))), (7.0, None));
/// # Ok::<(), clearway_policy::PolicyError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    checks: Vec<Check>,
    /// Where it begins.
    entry: Target,
    /// By rule, and of the default: the code of its value.
    values: Vec<Span>,
    code: Vec<Operation>,
    terms: Vec<Term>,
    terminals: Vec<usize>,
}

/// A condition without AND and OR.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Check {
    test: Test,
    yes: Target,
    no: Target,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Test {
    /// The number is not above this; the threshold has been multiplied by the terminal's greatest number.
    AtMost(usize, f64),
    /// The number is not below this.
    AtLeast(usize, f64),
    /// The first share is not above the second.
    Ordered(usize, usize),
    /// The number is not 0.
    Flag(usize),
}

/// Where to go on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    Check(u32),
    /// A rule fires; the number after that of the last rule is the default.
    Value(u32),
}

/// A part of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    from: u32,
    to: u32,
}

impl Span {
    fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.from as usize..self.to as usize]
    }
}

/// What is done with the numbers on a stack.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    /// Puts a constant and weighted heuristics, added up, onto it.
    Sum(f64, Span),
    /// Adds the topmost two.
    Add,
    /// Multiplies the topmost two.
    Multiply,
}

/// A heuristic and its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Term {
    weight: f64,
    terminal: usize,
}

/// More than any program needs: the deeper operand goes first, so `n` levels take at least 2 to the `n` nodes.
const STACK: usize = 16;

impl Program {
    /// The program of a policy.
    pub fn new(policy: &Policy) -> Program {
        let default = policy.rules.len() as u32;
        let mut program = Program {
            checks: Vec::new(),
            entry: Target::Value(default),
            values: Vec::new(),
            code: Vec::new(),
            terms: Vec::new(),
            terminals: Vec::new(),
        };
        for tree in policy.rules.iter().map(|rule| &rule.value).chain([&policy.default]) {
            let from = program.code.len() as u32;
            let value = value_of(Part::of(tree));
            program.emit(value);
            program.values.push(Span { from, to: program.code.len() as u32 });
        }
        // From the last rule to the first: what a check goes on with is there before it.
        for (number, rule) in policy.rules.iter().enumerate().rev() {
            let no = program.entry;
            program.entry = program.condition(Part::of(&rule.condition), Target::Value(number as u32), no);
        }
        program.terminals = program.reachable();
        program
    }

    /// The estimate at a node: the value of the first rule whose condition holds, else the default. It is never NaN and
    /// never below 0, and infinite exactly where a heuristic in that value is.
    #[inline]
    pub fn value<S: Source>(&self, source: &mut S) -> f64 {
        self.value_of(self.decide(source), source)
    }

    /// The value of a rule, or of the default, whether it fires or not.
    #[inline]
    pub(crate) fn value_of<S: Source>(&self, rule: usize, source: &mut S) -> f64 {
        let span = self.values[rule];
        let value = match span.of(&self.code) {
            &[Operation::Sum(constant, terms)] => self.sum(constant, terms, source),
            code => self.run(code, source),
        };
        if value.is_finite() { value.max(0.0) } else { self.beyond(span, value, source) }
    }

    /// The rule that fires at a node, from 0 on; none for the default.
    pub fn fires<S: Source>(&self, source: &mut S) -> Option<usize> {
        let rule = self.decide(source);
        (rule + 1 < self.values.len()).then_some(rule)
    }

    /// The heuristics that it may ask for, by their places in [`TERMINALS`], in order.
    pub fn terminals(&self) -> &[usize] {
        &self.terminals
    }

    /// Whether its value depends on the state alone (and the start), not on the way there.
    pub fn of_state(&self) -> bool {
        self.terminals.iter().all(|&terminal| TERMINALS[terminal].of_state)
    }

    /// How many values it has: one for each rule, and the default.
    pub(crate) fn values(&self) -> usize {
        self.values.len()
    }

    /// The rule that fires, or the number of rules.
    #[inline]
    pub(crate) fn decide<S: Source>(&self, source: &mut S) -> usize {
        let mut target = self.entry;
        loop {
            match target {
                Target::Value(number) => return number as usize,
                Target::Check(number) => {
                    let check = &self.checks[number as usize];
                    let holds = match check.test {
                        Test::AtMost(terminal, most) => source.number(terminal) <= most,
                        Test::AtLeast(terminal, least) => source.number(terminal) >= least,
                        Test::Flag(terminal) => source.number(terminal) != 0.0,
                        Test::Ordered(left, right) => {
                            share(left, source.number(left)) <= share(right, source.number(right))
                        }
                    };
                    target = if holds { check.yes } else { check.no };
                }
            }
        }
    }

    #[inline]
    fn sum<S: Source>(&self, constant: f64, terms: Span, source: &mut S) -> f64 {
        terms.of(&self.terms).iter().fold(constant, |sum, term| sum + term.weight * source.number(term.terminal))
    }

    fn run<S: Source>(&self, code: &[Operation], source: &mut S) -> f64 {
        let (mut stack, mut height) = ([0.0; STACK], 0);
        for operation in code {
            if let Operation::Sum(constant, terms) = *operation {
                stack[height] = self.sum(constant, terms, source);
                height += 1;
                continue;
            }
            height -= 1;
            let (left, right) = (stack[height - 1], stack[height]);
            stack[height - 1] = if *operation == Operation::Add { left + right } else { left * right };
        }
        stack[0]
    }

    /// A value that is not finite: because a heuristic is not, or because the numbers are too large.
    #[cold]
    fn beyond<S: Source>(&self, span: Span, value: f64, source: &mut S) -> f64 {
        let infinite = span.of(&self.code).iter().any(|operation| match operation {
            Operation::Sum(_, terms) => {
                terms.of(&self.terms).iter().any(|term| source.number(term.terminal) == f64::INFINITY)
            }
            _ => false,
        });
        if infinite {
            f64::INFINITY
        } else if value > 0.0 {
            f64::MAX
        } else {
            0.0
        }
    }

    /// The heuristics in what can be reached.
    fn reachable(&self) -> Vec<usize> {
        let (mut met, mut open, mut found) = (vec![false; self.checks.len()], vec![self.entry], Vec::new());
        while let Some(target) = open.pop() {
            match target {
                Target::Check(number) => {
                    let check = &self.checks[number as usize];
                    if std::mem::replace(&mut met[number as usize], true) {
                        continue;
                    }
                    open.extend([check.yes, check.no]);
                    match check.test {
                        Test::AtMost(terminal, _) | Test::AtLeast(terminal, _) | Test::Flag(terminal) => {
                            found.push(terminal);
                        }
                        Test::Ordered(left, right) => found.extend([left, right]),
                    }
                }
                Target::Value(number) => {
                    for operation in self.values[number as usize].of(&self.code) {
                        if let Operation::Sum(_, terms) = operation {
                            found.extend(terms.of(&self.terms).iter().map(|term| term.terminal));
                        }
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Adds the checks of a condition, given where to go on, and says where it begins.
    fn condition(&mut self, part: Part<'_>, yes: Target, no: Target) -> Target {
        let test = match part.shape() {
            Shape::Function(AND, left, right) => {
                let right = self.condition(right, yes, no);
                return self.condition(left, right, no);
            }
            Shape::Function(OR, left, right) => {
                let right = self.condition(right, yes, no);
                return self.condition(left, yes, right);
            }
            Shape::Function(AT_MOST, left, right) => comparison(left, right),
            Shape::Function(AT_LEAST, left, right) => comparison(right, left),
            Shape::Terminal(terminal) => Ok(Test::Flag(terminal)),
            Shape::Function(..) | Shape::Number(_) => Err(false),
        };
        match test {
            Ok(test) => {
                self.checks.push(Check { test, yes, no });
                Target::Check(self.checks.len() as u32 - 1)
            }
            Err(holds) => {
                if holds {
                    yes
                } else {
                    no
                }
            }
        }
    }

    /// Adds the code of a value.
    fn emit(&mut self, value: Value) {
        match value {
            Value::Sum(Sum { constant, weights }) => {
                let from = self.terms.len() as u32;
                self.terms.extend(weights.into_iter().map(|(terminal, weight)| Term { weight, terminal }));
                let terms = Span { from, to: self.terms.len() as u32 };
                self.code.push(Operation::Sum(constant, terms));
            }
            Value::Pair(operation, deeper, other, _) => {
                self.emit(*deeper);
                self.emit(*other);
                self.code.push(operation);
            }
        }
    }
}

/// A heuristic's number in a comparison: within 0 and 1.
pub(crate) fn share(terminal: usize, number: f64) -> f64 {
    (number / TERMINALS[terminal].most).clamp(0.0, 1.0)
}

/// Whether the first is not above the second, if that can be told whatever the state.
pub(crate) fn decided(less: Part<'_>, greater: Part<'_>) -> Option<bool> {
    comparison(less, greater).err()
}

/// The test whether the first is not above the second, or its result if that is known.
fn comparison(less: Part<'_>, greater: Part<'_>) -> Result<Test, bool> {
    match (less.shape(), greater.shape()) {
        (Shape::Terminal(left), Shape::Terminal(right)) if left == right => Err(true),
        (Shape::Terminal(left), Shape::Terminal(right)) => Ok(Test::Ordered(left, right)),
        (Shape::Terminal(terminal), Shape::Number(most)) => {
            // A share is within 0 and 1.
            if !(0.0..1.0).contains(&most) {
                return Err(most >= 1.0);
            }
            let greatest = TERMINALS[terminal].most;
            let mut threshold = most * greatest;
            while threshold / greatest > most {
                threshold = threshold.next_down();
            }
            while threshold.next_up() / greatest <= most {
                threshold = threshold.next_up();
            }
            Ok(Test::AtMost(terminal, threshold))
        }
        (Shape::Number(least), Shape::Terminal(terminal)) => {
            if !(least > 0.0 && least <= 1.0) {
                return Err(least <= 0.0);
            }
            let greatest = TERMINALS[terminal].most;
            let mut threshold = least * greatest;
            while threshold / greatest < least {
                threshold = threshold.next_up();
            }
            while threshold.next_down() / greatest >= least {
                threshold = threshold.next_down();
            }
            Ok(Test::AtLeast(terminal, threshold))
        }
        (Shape::Number(left), Shape::Number(right)) => Err(left <= right),
        _ => Err(false),
    }
}

/// A value on its way to code.
enum Value {
    Sum(Sum),
    /// An operation on two values, that which takes more of the stack first, and how much of it they take.
    Pair(Operation, Box<Value>, Box<Value>, usize),
}

/// A constant and weighted heuristics, by their numbers.
struct Sum {
    constant: f64,
    weights: Vec<(usize, f64)>,
}

impl Value {
    fn height(&self) -> usize {
        match self {
            Value::Sum(_) => 1,
            Value::Pair(_, _, _, height) => *height,
        }
    }

    fn constant(&self) -> Option<f64> {
        match self {
            Value::Sum(Sum { constant, weights }) if weights.is_empty() => Some(*constant),
            _ => None,
        }
    }

    fn number(constant: f64) -> Value {
        Value::Sum(Sum { constant, weights: Vec::new() })
    }

    fn pair(operation: Operation, left: Value, right: Value) -> Value {
        let (deeper, other) = if left.height() >= right.height() { (left, right) } else { (right, left) };
        let height = deeper.height().max(other.height() + 1);
        Value::Pair(operation, Box::new(deeper), Box::new(other), height)
    }
}

impl Sum {
    /// What is weighted with 0 is left out.
    fn scaled(self, by: f64) -> Sum {
        let weights = self.weights.into_iter().map(|(terminal, weight)| (terminal, weight * by));
        Sum { constant: self.constant * by, weights: weights.filter(|&(_, weight)| weight != 0.0).collect() }
    }

    fn plus(mut self, other: Sum) -> Sum {
        for (terminal, weight) in other.weights {
            match self.weights.binary_search_by_key(&terminal, |&(terminal, _)| terminal) {
                Ok(place) => self.weights[place].1 += weight,
                Err(place) => self.weights.insert(place, (terminal, weight)),
            }
        }
        self.constant += other.constant;
        self.scaled(1.0)
    }
}

fn value_of(part: Part<'_>) -> Value {
    match part.shape() {
        Shape::Number(number) => Value::number(number),
        Shape::Terminal(terminal) => Value::Sum(Sum { constant: 0.0, weights: vec![(terminal, 1.0)] }),
        Shape::Function(PLUS, left, right) => match (value_of(left), value_of(right)) {
            (Value::Sum(left), Value::Sum(right)) => Value::Sum(left.plus(right)),
            (left, right) => Value::pair(Operation::Add, left, right),
        },
        Shape::Function(TIMES, left, right) => {
            let (left, right) = (value_of(left), value_of(right));
            match (left.constant(), right.constant(), left, right) {
                (Some(0.0), ..) | (_, Some(0.0), ..) => Value::number(0.0),
                (Some(by), _, _, Value::Sum(sum)) | (_, Some(by), Value::Sum(sum), _) => Value::Sum(sum.scaled(by)),
                (_, _, left, right) => Value::pair(Operation::Multiply, left, right),
            }
        }
        Shape::Function(..) => Value::number(0.0),
    }
}
