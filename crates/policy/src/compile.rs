//! Compiles policies to programs that are fast to evaluate.
//!
//! All conditions together become one list of checks, each with a jump target for success and one for failure: AND, OR and
//! the order of the rules are encoded in the jumps, and anything that is known before the search (such as a comparison of two
//! constants) needs no check. A value becomes a weighted sum of heuristics, or a short stack program that adds and
//! multiplies such sums where heuristics are multiplied by each other.

mod export;

pub use export::{Language, export};

use crate::policy::Policy;
use crate::subtree::{Subtree, SubtreeRoot};
use crate::terminals::TERMINALS;
use crate::terminals::primitive::{AND, AT_LEAST, AT_MOST, OR, PLUS, TIMES};

/// Source of the heuristic values that a program reads.
pub trait TerminalSource {
    /// Returns the value of a heuristic at the current node, by its index in [`TERMINALS`]. It must not be NaN, and may be
    /// requested more than once.
    fn terminal_value(&mut self, terminal: usize) -> f64;
}

impl<F: FnMut(usize) -> f64> TerminalSource for F {
    fn terminal_value(&mut self, terminal: usize) -> f64 {
        self(terminal)
    }
}

/// A compiled policy.
///
/// ```
/// use clearway_policy::{Policy, CompiledPolicy};
/// let policy: Policy = "IF g >= 0.5 THEN 2*h1 + 1 DEFAULT h1".parse()?;
/// let program = CompiledPolicy::new(&policy);
/// let at = |g: f64| move |terminal: usize| if terminal == 0 { 7.0 } else { g };
/// assert_eq!((program.value(&mut at(50.0)), program.firing_rule(&mut at(50.0))), (15.0, Some(0)));
/// assert_eq!((program.value(&mut at(49.0)), program.firing_rule(&mut at(49.0))), (7.0, None));
/// # Ok::<(), clearway_util::syntax::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledPolicy {
    checks: Vec<Check>,
    /// Target at which evaluation starts.
    entry: JumpTarget,
    /// Code of each rule's value, followed by that of the default.
    values: Vec<Span>,
    code: Vec<Operation>,
    terms: Vec<Term>,
    terminals: Vec<usize>,
}

/// An elementary condition and the targets that follow it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Check {
    test: Test,
    yes: JumpTarget,
    no: JumpTarget,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Test {
    /// The heuristic is at most this threshold, which is in the heuristic's own units.
    AtMost(usize, f64),
    /// The heuristic is at least this threshold, which is in the heuristic's own units.
    AtLeast(usize, f64),
    /// The first heuristic is at most the second, both divided by their usual maxima.
    Ordered(usize, usize),
    /// The heuristic is not 0.
    Flag(usize),
}

/// What follows a check: another check or a value.
#[derive(Clone, Copy, Debug, PartialEq)]
enum JumpTarget {
    Check(u32),
    /// The rule of this number fires; the number of rules stands for the default.
    Value(u32),
}

/// A range of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    from: u32,
    to: u32,
}

impl Span {
    fn slice<T>(self, list: &[T]) -> &[T] {
        &list[self.from as usize..self.to as usize]
    }
}

/// An operation of the stack program of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    /// Pushes the sum of a constant and weighted heuristics.
    Sum(f64, Span),
    /// Adds the two topmost numbers.
    Add,
    /// Multiplies the two topmost numbers.
    Multiply,
}

/// A heuristic and its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Term {
    weight: f64,
    terminal: usize,
}

/// More than any program needs: the operand that needs more of the stack is evaluated first, so a height of `n` takes at
/// least 2 to the `n` nodes.
const STACK_SIZE: usize = 16;

impl CompiledPolicy {
    /// Compiles a policy.
    pub fn new(policy: &Policy) -> CompiledPolicy {
        let default = policy.rules.len() as u32;
        let mut program = CompiledPolicy {
            checks: Vec::new(),
            entry: JumpTarget::Value(default),
            values: Vec::new(),
            code: Vec::new(),
            terms: Vec::new(),
            terminals: Vec::new(),
        };
        for tree in policy.rules.iter().map(|rule| &rule.value).chain([&policy.default]) {
            let from = program.code.len() as u32;
            let value = compile_value(Subtree::new(tree));
            program.emit(value);
            program.values.push(Span { from, to: program.code.len() as u32 });
        }
        // From the last rule to the first, so that the targets of a check exist before the check.
        for (number, rule) in policy.rules.iter().enumerate().rev() {
            let no = program.entry;
            program.entry = program.condition(Subtree::new(&rule.condition), JumpTarget::Value(number as u32), no);
        }
        program.terminals = program.reachable_terminals();
        program
    }

    /// Returns the estimate at a node: the value of the first rule whose condition holds, else the default. It is never NaN
    /// and never negative, and it is infinite exactly if a heuristic in that value is.
    #[inline]
    pub fn value<S: TerminalSource>(&self, source: &mut S) -> f64 {
        self.rule_value(self.select_rule(source), source)
    }

    /// Returns the value of a rule, or of the default, whether or not it fires.
    #[inline]
    pub(crate) fn rule_value<S: TerminalSource>(&self, rule: usize, source: &mut S) -> f64 {
        let span = self.values[rule];
        let value = match span.slice(&self.code) {
            &[Operation::Sum(constant, terms)] => self.sum(constant, terms, source),
            code => self.run(code, source),
        };
        if value.is_finite() { value.max(0.0) } else { self.non_finite_value(span, value, source) }
    }

    /// Returns the index of the rule that fires at a node, or `None` for the default.
    pub fn firing_rule<S: TerminalSource>(&self, source: &mut S) -> Option<usize> {
        let rule = self.select_rule(source);
        (rule + 1 < self.values.len()).then_some(rule)
    }

    /// Heuristics that the program may read, as ascending indices into [`TERMINALS`].
    pub fn terminals(&self) -> &[usize] {
        &self.terminals
    }

    /// Whether the estimate depends only on the state (and the start), not on the path to the state.
    pub fn depends_on_state_only(&self) -> bool {
        self.terminals.iter().all(|&terminal| TERMINALS[terminal].state_only)
    }

    /// Number of values: one for each rule, and the default.
    pub(crate) fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Returns the index of the rule that fires; the number of rules stands for the default.
    #[inline]
    pub(crate) fn select_rule<S: TerminalSource>(&self, source: &mut S) -> usize {
        let mut target = self.entry;
        loop {
            match target {
                JumpTarget::Value(number) => return number as usize,
                JumpTarget::Check(number) => {
                    let check = &self.checks[number as usize];
                    let holds = match check.test {
                        Test::AtMost(terminal, most) => source.terminal_value(terminal) <= most,
                        Test::AtLeast(terminal, least) => source.terminal_value(terminal) >= least,
                        Test::Flag(terminal) => source.terminal_value(terminal) != 0.0,
                        Test::Ordered(left, right) => {
                            scaled_value(left, source.terminal_value(left))
                                <= scaled_value(right, source.terminal_value(right))
                        }
                    };
                    target = if holds { check.yes } else { check.no };
                }
            }
        }
    }

    #[inline]
    fn sum<S: TerminalSource>(&self, constant: f64, terms: Span, source: &mut S) -> f64 {
        terms
            .slice(&self.terms)
            .iter()
            .fold(constant, |sum, term| sum + term.weight * source.terminal_value(term.terminal))
    }

    fn run<S: TerminalSource>(&self, code: &[Operation], source: &mut S) -> f64 {
        let (mut stack, mut height) = ([0.0; STACK_SIZE], 0);
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

    /// Resolves a value that is not finite: infinite if a heuristic is, otherwise an overflow, which is clamped.
    #[cold]
    fn non_finite_value<S: TerminalSource>(&self, span: Span, value: f64, source: &mut S) -> f64 {
        let infinite = span.slice(&self.code).iter().any(|operation| match operation {
            Operation::Sum(_, terms) => {
                terms.slice(&self.terms).iter().any(|term| source.terminal_value(term.terminal) == f64::INFINITY)
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

    /// Collects the heuristics in all checks and values that are reachable from the entry.
    fn reachable_terminals(&self) -> Vec<usize> {
        let (mut visited, mut open, mut found) = (vec![false; self.checks.len()], vec![self.entry], Vec::new());
        while let Some(target) = open.pop() {
            match target {
                JumpTarget::Check(number) => {
                    let check = &self.checks[number as usize];
                    if std::mem::replace(&mut visited[number as usize], true) {
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
                JumpTarget::Value(number) => {
                    for operation in self.values[number as usize].slice(&self.code) {
                        if let Operation::Sum(_, terms) = operation {
                            found.extend(terms.slice(&self.terms).iter().map(|term| term.terminal));
                        }
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Adds the checks of a condition with the given targets, and returns the target of the condition itself.
    fn condition(&mut self, subtree: Subtree<'_>, yes: JumpTarget, no: JumpTarget) -> JumpTarget {
        let test = match subtree.shape() {
            SubtreeRoot::Function(AND, left, right) => {
                let right = self.condition(right, yes, no);
                return self.condition(left, right, no);
            }
            SubtreeRoot::Function(OR, left, right) => {
                let right = self.condition(right, yes, no);
                return self.condition(left, yes, right);
            }
            SubtreeRoot::Function(AT_MOST, left, right) => comparison(left, right),
            SubtreeRoot::Function(AT_LEAST, left, right) => comparison(right, left),
            SubtreeRoot::Terminal(terminal) => Ok(Test::Flag(terminal)),
            SubtreeRoot::Function(..) | SubtreeRoot::Number(_) => Err(false),
        };
        match test {
            Ok(test) => {
                self.checks.push(Check { test, yes, no });
                JumpTarget::Check(self.checks.len() as u32 - 1)
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

    /// Appends the code of a value.
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

/// Scales the value of a heuristic for a comparison, to between 0 and 1.
fn scaled_value(terminal: usize, number: f64) -> f64 {
    (number / TERMINALS[terminal].most).clamp(0.0, 1.0)
}

/// Returns whether `less` is at most `greater` if that is the same in every state, else `None`.
pub(crate) fn constant_comparison(less: Subtree<'_>, greater: Subtree<'_>) -> Option<bool> {
    comparison(less, greater).err()
}

/// Returns the test whether `less` is at most `greater`, or its result as an error if that is the same in every state.
fn comparison(less: Subtree<'_>, greater: Subtree<'_>) -> Result<Test, bool> {
    match (less.shape(), greater.shape()) {
        (SubtreeRoot::Terminal(left), SubtreeRoot::Terminal(right)) if left == right => Err(true),
        (SubtreeRoot::Terminal(left), SubtreeRoot::Terminal(right)) => Ok(Test::Ordered(left, right)),
        (SubtreeRoot::Terminal(terminal), SubtreeRoot::Number(most)) => {
            // Scaled heuristics are between 0 and 1.
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
        (SubtreeRoot::Number(least), SubtreeRoot::Terminal(terminal)) => {
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
        (SubtreeRoot::Number(left), SubtreeRoot::Number(right)) => Err(left <= right),
        _ => Err(false),
    }
}

/// Intermediate form of a value between tree and code.
enum Value {
    Sum(Sum),
    /// An operation on two values, the one that needs more of the stack first, and the stack height of both together.
    Pair(Operation, Box<Value>, Box<Value>, usize),
}

/// A constant and weighted heuristics in ascending order of their indices.
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
    /// Multiplies the sum by a factor and drops terms of weight 0.
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

fn compile_value(subtree: Subtree<'_>) -> Value {
    match subtree.shape() {
        SubtreeRoot::Number(number) => Value::number(number),
        SubtreeRoot::Terminal(terminal) => Value::Sum(Sum { constant: 0.0, weights: vec![(terminal, 1.0)] }),
        SubtreeRoot::Function(PLUS, left, right) => match (compile_value(left), compile_value(right)) {
            (Value::Sum(left), Value::Sum(right)) => Value::Sum(left.plus(right)),
            (left, right) => Value::pair(Operation::Add, left, right),
        },
        SubtreeRoot::Function(TIMES, left, right) => {
            let (left, right) = (compile_value(left), compile_value(right));
            match (left.constant(), right.constant(), left, right) {
                (Some(0.0), ..) | (_, Some(0.0), ..) => Value::number(0.0),
                (Some(by), _, _, Value::Sum(sum)) | (_, Some(by), Value::Sum(sum), _) => Value::Sum(sum.scaled(by)),
                (_, _, left, right) => Value::pair(Operation::Multiply, left, right),
            }
        }
        SubtreeRoot::Function(..) => Value::number(0.0),
    }
}
