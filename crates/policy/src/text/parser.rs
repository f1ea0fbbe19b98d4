//! Reads policies.

use super::tokens::{Kind, Token, shortened, tokens};
use super::{Fault, LONGEST_TEXT};
use crate::policy::{MOST_NODES, MOST_RULES, Policy, Rule};
use crate::terminals::primitive::{
    AND, AT_LEAST, AT_MOST, FIRST_TERMINAL, OR, PLUS, SHARE_CONSTANT, TIMES, VALUE_CONSTANT,
};
use crate::terminals::{TERMINALS, Terminal};
use clearway_gp::{Node, Tree};
use clearway_rush::heuristics::HeuristicInfo;
use std::ops::Range;
use strsim::osa_distance;

/// How deep parentheses may be nested.
const DEEPEST: usize = 200;

const SHAPE: &str = "a policy is rules IF condition THEN value, one below the other, and at last DEFAULT value";

/// Reads the text of a policy.
pub(super) fn parse(text: &str) -> Result<Policy, Fault> {
    if text.len() > LONGEST_TEXT {
        return Err(Fault::new(0..0, format!("a policy has at most {LONGEST_TEXT} characters")));
    }
    let mut policy = Policy::default();
    let rules = headers(text, &mut policy)?;
    let mut parser = Parser { tokens: tokens(text, rules)?, at: 0, depth: 0, nodes: Vec::new() };
    parser.rules(&mut policy)?;
    Ok(policy)
}

/// Reads the lines above the rules, and says where the rules begin.
fn headers(text: &str, policy: &mut Policy) -> Result<usize, Fault> {
    let (mut at, mut about) = (0, Vec::new());
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        let word_length = content.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(content.len());
        if let Some(said) = content[word_length..].strip_prefix(':').filter(|_| word_length > 0) {
            let start = at + line.find(content).unwrap_or(0);
            match content[..word_length].to_ascii_lowercase().as_str() {
                "about" => about.push(said.trim()),
                "search" => {
                    let said = said.split('#').next().unwrap_or_default().trim();
                    if said.is_empty() {
                        let here = start + word_length + 1;
                        let help = "such as: search: ida(policy, prune, increment=5)";
                        return Err(Fault::new(here..here, "a search is expected here").help(help));
                    }
                    if policy.search.replace(said.to_owned()).is_some() {
                        return Err(Fault::new(start..start + word_length, "the search is given twice"));
                    }
                }
                other => {
                    let message = format!("there is nothing to be said about '{}'", shortened(other));
                    return Err(
                        Fault::new(start..start + word_length, message).help("there are 'about:' and 'search:'")
                    );
                }
            }
        } else if !content.is_empty() && !content.starts_with('#') {
            break;
        }
        at += line.len();
    }
    // Empty lines at the end are not printed, so they are not kept either.
    about.join("\n").trim_end_matches('\n').clone_into(&mut policy.about);
    Ok(at)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// The tree that is being read.
    nodes: Vec<Node>,
}

impl Parser {
    fn rules(&mut self, policy: &mut Policy) -> Result<(), Fault> {
        while self.eat(&Kind::If) {
            if policy.rules.len() == MOST_RULES {
                return Err(Fault::new(self.before(), format!("a policy has at most {MOST_RULES} rules")));
            }
            self.condition()?;
            let condition = self.take_tree();
            match self.kind() {
                Kind::Then => self.at += 1,
                Kind::Plus | Kind::Minus | Kind::Times => {
                    let message = "a condition does not calculate";
                    return Err(self.fault(message).help("a heuristic is compared with a number or with another"));
                }
                Kind::AtMost | Kind::AtLeast => {
                    return Err(self.fault("a condition cannot be compared").help("join conditions with AND and OR"));
                }
                other => return Err(self.fault(format!("THEN is expected, or AND or OR, not {other}"))),
            }
            self.value()?;
            policy.rules.push(Rule { condition, value: self.take_tree() });
            self.end_of_value()?;
        }
        match self.kind() {
            Kind::Default => self.at += 1,
            Kind::End => {
                let message = if policy.rules.is_empty() { "there are no rules" } else { "the default is missing" };
                return Err(self.fault(message).help(SHAPE));
            }
            other => return Err(self.fault(format!("IF or DEFAULT is expected, not {other}")).help(SHAPE)),
        }
        self.value()?;
        policy.default = self.take_tree();
        self.end_of_value()?;
        match self.kind() {
            Kind::End => Ok(()),
            Kind::If => Err(self.fault("a rule after the default never fires").help("the default comes last")),
            _ => Err(self.fault("the default is given twice")),
        }
    }

    fn end_of_value(&self) -> Result<(), Fault> {
        match self.kind() {
            Kind::If | Kind::Default | Kind::End => Ok(()),
            Kind::AtMost | Kind::AtLeast | Kind::And | Kind::Or => {
                Err(self.fault("this is a condition, but a value is expected").help(VALUE_HELP))
            }
            other => Err(self.fault(format!("a rule, DEFAULT or the end is expected, not {other}"))),
        }
    }

    fn condition(&mut self) -> Result<(), Fault> {
        self.joined(&Kind::Or, OR, |parser| parser.joined(&Kind::And, AND, Parser::check))
    }

    /// One or more parts with a word between them.
    fn joined(
        &mut self,
        word: &Kind,
        function: u16,
        mut part: impl FnMut(&mut Parser) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let start = self.nodes.len();
        part(self)?;
        while self.eat(word) {
            self.insert(start, function, 0.0)?;
            part(self)?;
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), Fault> {
        let start = self.nodes.len();
        if *self.kind() == Kind::Open {
            self.enter()?;
            self.condition()?;
            return self.leave();
        }
        let at = self.span();
        let named = match self.kind() {
            Kind::Name(name) => Some(find(name, at.clone())?),
            _ => None,
        };
        if let Some((number, terminal)) = named.filter(|(_, terminal)| terminal.flag) {
            self.at += 1;
            self.insert(start, FIRST_TERMINAL + 2 * number, 0.0)?;
            return match self.kind() {
                Kind::AtMost | Kind::AtLeast => {
                    let message = format!("{} is true or false: it cannot be compared", terminal.name);
                    Err(Fault::new(at, message).help("it is a condition of its own"))
                }
                _ => Ok(()),
            };
        }
        self.share()?;
        let function = match self.kind() {
            Kind::AtMost => AT_MOST,
            Kind::AtLeast => AT_LEAST,
            Kind::Plus | Kind::Minus | Kind::Times => {
                return Err(self.fault("a condition does not calculate").help(SHARE_HELP));
            }
            _ => {
                let message = "this is a number, but a condition is expected";
                return Err(Fault::new(at.start..self.before().end, message).help(SHARE_HELP));
            }
        };
        self.insert(start, function, 0.0)?;
        self.at += 1;
        self.share()
    }

    /// A number or a heuristic in a comparison.
    fn share(&mut self) -> Result<(), Fault> {
        let negative = self.eat(&Kind::Minus);
        let (end, at) = (self.nodes.len(), self.span());
        match self.kind() {
            Kind::Number(number) => {
                let number = if negative { -number } else { *number };
                self.insert(end, SHARE_CONSTANT, number)?;
            }
            Kind::Name(name) if !negative => {
                let (number, terminal) = find(name, at.clone())?;
                if terminal.flag {
                    let message = format!("{} is true or false, but a number is expected", terminal.name);
                    return Err(Fault::new(at, message).help("it is a condition of its own"));
                }
                self.insert(end, FIRST_TERMINAL + 2 * number, 0.0)?;
            }
            other if negative => return Err(self.fault(format!("a number is expected, not {other}"))),
            Kind::Then | Kind::End | Kind::If | Kind::Default => {
                return Err(self.fault(format!("a condition is expected, not {}", self.kind())));
            }
            other => return Err(self.fault(format!("a heuristic or a number is expected, not {other}"))),
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self) -> Result<(), Fault> {
        let start = self.nodes.len();
        self.product()?;
        loop {
            let minus = match self.kind() {
                Kind::Plus => false,
                Kind::Minus => true,
                _ => return Ok(()),
            };
            self.at += 1;
            self.insert(start, PLUS, 0.0)?;
            let second = self.nodes.len();
            self.product()?;
            if minus {
                self.negate(second)?;
            }
        }
    }

    fn product(&mut self) -> Result<(), Fault> {
        self.joined(&Kind::Times, TIMES, Parser::factor)
    }

    fn factor(&mut self) -> Result<(), Fault> {
        let start = self.nodes.len();
        match self.kind() {
            Kind::Open => {
                self.enter()?;
                self.value()?;
                return match self.kind() {
                    Kind::AtMost | Kind::AtLeast | Kind::And | Kind::Or => {
                        Err(self.fault("this is a condition, but a value is expected").help(VALUE_HELP))
                    }
                    _ => self.leave(),
                };
            }
            Kind::Minus => {
                self.enter()?;
                self.factor()?;
                self.depth -= 1;
                return self.negate(start);
            }
            &Kind::Number(number) => self.insert(start, VALUE_CONSTANT, number)?,
            Kind::Name(name) => {
                let at = self.span();
                let (number, terminal) = find(name, at.clone())?;
                if !terminal.value {
                    let message = format!("{} may only stand in conditions", terminal.name);
                    return Err(Fault::new(at, message).help(VALUE_HELP));
                }
                self.insert(start, FIRST_TERMINAL + 2 * number + 1, 0.0)?;
            }
            other => return Err(self.fault(format!("a value is expected, not {other}")).help(VALUE_HELP)),
        }
        self.at += 1;
        Ok(())
    }

    /// Turns the sign of the value that begins at a node: that of its first factor, if it is a number.
    fn negate(&mut self, start: usize) -> Result<(), Fault> {
        let first = self.nodes[start..].iter().position(|node| node.primitive != TIMES);
        match first.map(|first| &mut self.nodes[start + first]) {
            Some(node) if node.primitive == VALUE_CONSTANT => node.value = -node.value,
            _ => {
                self.insert(start, VALUE_CONSTANT, -1.0)?;
                self.insert(start, TIMES, 0.0)?;
            }
        }
        Ok(())
    }

    fn insert(&mut self, at: usize, primitive: u16, value: f64) -> Result<(), Fault> {
        if self.nodes.len() == MOST_NODES {
            return Err(self.fault(format!("a condition or value has at most {MOST_NODES} parts")));
        }
        self.nodes.insert(at, Node { primitive, value });
        Ok(())
    }

    fn take_tree(&mut self) -> Tree {
        Tree { nodes: std::mem::take(&mut self.nodes) }
    }

    /// Goes on behind a parenthesis or a sign, one level deeper.
    fn enter(&mut self) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.fault(format!("the rule is nested more than {DEEPEST} deep")));
        }
        self.at += 1;
        Ok(())
    }

    fn leave(&mut self) -> Result<(), Fault> {
        self.depth -= 1;
        if self.eat(&Kind::Close) { Ok(()) } else { Err(self.fault("')' is expected here")) }
    }

    fn kind(&self) -> &Kind {
        &self.tokens[self.at].kind
    }

    fn span(&self) -> Range<usize> {
        self.tokens[self.at].span.clone()
    }

    /// The place of the token before this one.
    fn before(&self) -> Range<usize> {
        self.tokens[self.at - 1].span.clone()
    }

    fn eat(&mut self, kind: &Kind) -> bool {
        let found = self.kind() == kind;
        self.at += usize::from(found);
        found
    }

    /// What is wrong at the present token.
    fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(self.span(), message)
    }
}

const SHARE_HELP: &str = "a heuristic is compared with a number or with another: h1 <= 0.3";
const VALUE_HELP: &str =
    "a value is made of numbers, heuristics that estimate, '+', '-', '*' and parentheses: 2*h1 + 3";

/// A terminal with its number, by any name of its heuristic.
fn find(name: &str, at: Range<usize>) -> Result<(u16, &'static Terminal), Fault> {
    let known = HeuristicInfo::find(name).map(|info| info.name);
    if let Some(number) = TERMINALS.iter().position(|terminal| Some(terminal.name) == known) {
        return Ok((number as u16, &TERMINALS[number]));
    }
    if known.is_some() {
        return Err(Fault::new(at, format!("policies do not use the heuristic '{name}'")).help(all_terminals()));
    }
    let word = shortened(name);
    let aliases = |terminal: &'static Terminal| HeuristicInfo::find(terminal.name).map_or(&[][..], |info| info.aliases);
    let names =
        TERMINALS.iter().flat_map(|terminal| [terminal.name].into_iter().chain(aliases(terminal).iter().copied()));
    let nearest = names.map(|name| (osa_distance(&word, name), name)).min();
    let help = match nearest {
        Some((edits, name)) if edits <= 1 + name.len() / 4 => format!("did you mean '{name}'?"),
        _ => all_terminals(),
    };
    Err(Fault::new(at, format!("there is no heuristic '{word}'")).help(help))
}

fn all_terminals() -> String {
    let names: Vec<&str> = TERMINALS.iter().map(|terminal| terminal.name).collect();
    format!("there are {}", names.join(", "))
}
