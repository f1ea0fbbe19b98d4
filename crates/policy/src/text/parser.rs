//! Recursive-descent parser of policies.

use super::MAX_TEXT_LENGTH;
use super::tokens::{Token, TokenKind, tokenise};
use crate::policy::{MAX_NODES, MAX_RULES, Policy, Rule};
use crate::terminals::primitive::{
    AND, AT_LEAST, AT_MOST, FIRST_TERMINAL, OR, PLUS, SHARE_CONSTANT, TIMES, VALUE_CONSTANT,
};
use crate::terminals::{TERMINALS, Terminal};
use clearway_gp::{Node, Tree};
use clearway_rush::heuristics::HeuristicInfo;
use clearway_util::syntax::{SyntaxError, nearest, truncated};
use std::ops::Range;

/// Maximum nesting depth of parentheses and signs.
const MAX_DEPTH: usize = 200;

const POLICY_HELP: &str = "a policy is a list of rules IF condition THEN value, followed by DEFAULT value";

/// Parses the text of a policy.
pub(super) fn parse(text: &str) -> Result<Policy, SyntaxError> {
    if text.len() > MAX_TEXT_LENGTH {
        return Err(SyntaxError::new(0..0, format!("policy too long; the maximum is {MAX_TEXT_LENGTH} bytes")));
    }
    let mut policy = Policy::default();
    let rules = headers(text, &mut policy)?;
    let mut parser = Parser { tokens: tokenise(text, rules)?, position: 0, depth: 0, nodes: Vec::new() };
    parser.rules(&mut policy)?;
    Ok(policy)
}

/// Parses the header lines above the rules, and returns the byte at which the rules start.
fn headers(text: &str, policy: &mut Policy) -> Result<usize, SyntaxError> {
    let (mut at, mut about) = (0, Vec::new());
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        let word_length = content.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(content.len());
        if let Some(value) = content[word_length..].strip_prefix(':').filter(|_| word_length > 0) {
            let start = at + line.find(content).unwrap_or(0);
            match content[..word_length].to_ascii_lowercase().as_str() {
                "about" => about.push(value.trim()),
                "search" => {
                    let search = value.split('#').next().unwrap_or_default().trim();
                    if search.is_empty() {
                        let here = start + word_length + 1;
                        let help = "for example, search: ida(policy, prune, increment=5)";
                        return Err(SyntaxError::new(here..here, "expected a search").with_help(help));
                    }
                    if policy.search.replace(search.to_owned()).is_some() {
                        return Err(SyntaxError::new(start..start + word_length, "duplicate header 'search'"));
                    }
                }
                other => {
                    let message = format!("unknown header '{}'", truncated(other));
                    return Err(SyntaxError::new(start..start + word_length, message)
                        .with_help("expected 'about:' or 'search:'"));
                }
            }
        } else if !content.is_empty() && !content.starts_with('#') {
            break;
        }
        at += line.len();
    }
    // Empty lines at the end are not printed, so they are dropped here to make the text round-trip.
    about.join("\n").trim_end_matches('\n').clone_into(&mut policy.about);
    Ok(at)
}

struct Parser {
    tokens: Vec<Token>,
    position: usize,
    depth: usize,
    /// Nodes of the tree that is being parsed.
    nodes: Vec<Node>,
}

impl Parser {
    fn rules(&mut self, policy: &mut Policy) -> Result<(), SyntaxError> {
        while self.eat(&TokenKind::If) {
            if policy.rules.len() == MAX_RULES {
                return Err(SyntaxError::new(
                    self.previous_span(),
                    format!("too many rules; a policy has at most {MAX_RULES}"),
                ));
            }
            self.condition()?;
            let condition = self.take_tree();
            match self.kind() {
                TokenKind::Then => self.position += 1,
                TokenKind::Plus | TokenKind::Minus | TokenKind::Times => {
                    let message = "arithmetic is not allowed in conditions";
                    return Err(self
                        .error(message)
                        .with_help("compare a heuristic with a number or another heuristic"));
                }
                TokenKind::AtMost | TokenKind::AtLeast => {
                    return Err(self
                        .error("a condition cannot be compared")
                        .with_help("join conditions with AND and OR"));
                }
                other => return Err(self.error(format!("expected THEN, AND or OR, found {other}"))),
            }
            self.value()?;
            policy.rules.push(Rule { condition, value: self.take_tree() });
            self.end_of_value()?;
        }
        match self.kind() {
            TokenKind::Default => self.position += 1,
            TokenKind::End => {
                let message = if policy.rules.is_empty() { "the policy is empty" } else { "missing DEFAULT" };
                return Err(self.error(message).with_help(POLICY_HELP));
            }
            other => return Err(self.error(format!("expected IF or DEFAULT, found {other}")).with_help(POLICY_HELP)),
        }
        self.value()?;
        policy.default = self.take_tree();
        self.end_of_value()?;
        match self.kind() {
            TokenKind::End => Ok(()),
            TokenKind::If => Err(self.error("a rule after the default never fires").with_help("put DEFAULT last")),
            _ => Err(self.error("duplicate DEFAULT")),
        }
    }

    fn end_of_value(&self) -> Result<(), SyntaxError> {
        match self.kind() {
            TokenKind::If | TokenKind::Default | TokenKind::End => Ok(()),
            TokenKind::AtMost | TokenKind::AtLeast | TokenKind::And | TokenKind::Or => {
                Err(self.error("expected a value, found a condition").with_help(VALUE_HELP))
            }
            other => Err(self.error(format!("expected a rule, DEFAULT or the end, found {other}"))),
        }
    }

    fn condition(&mut self) -> Result<(), SyntaxError> {
        self.chain(&TokenKind::Or, OR, |parser| parser.chain(&TokenKind::And, AND, Parser::check))
    }

    /// Parses one or more operands with an operator between them.
    fn chain(
        &mut self,
        operator: &TokenKind,
        function: u16,
        mut operand: impl FnMut(&mut Parser) -> Result<(), SyntaxError>,
    ) -> Result<(), SyntaxError> {
        let start = self.nodes.len();
        operand(self)?;
        while self.eat(operator) {
            self.insert(start, function, 0.0)?;
            operand(self)?;
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), SyntaxError> {
        let start = self.nodes.len();
        if *self.kind() == TokenKind::Open {
            self.enter()?;
            self.condition()?;
            return self.leave();
        }
        let at = self.span();
        let named = match self.kind() {
            TokenKind::Name(name) => Some(find(name, at.clone())?),
            _ => None,
        };
        if let Some((number, terminal)) = named.filter(|(_, terminal)| terminal.flag) {
            self.position += 1;
            self.insert(start, FIRST_TERMINAL + 2 * number, 0.0)?;
            return match self.kind() {
                TokenKind::AtMost | TokenKind::AtLeast => {
                    let message = format!("{} is true or false and cannot be compared", terminal.name);
                    Err(SyntaxError::new(at, message).with_help("it is a condition by itself"))
                }
                _ => Ok(()),
            };
        }
        self.share()?;
        let function = match self.kind() {
            TokenKind::AtMost => AT_MOST,
            TokenKind::AtLeast => AT_LEAST,
            TokenKind::Plus | TokenKind::Minus | TokenKind::Times => {
                return Err(self.error("arithmetic is not allowed in conditions").with_help(SHARE_HELP));
            }
            _ => {
                let message = "expected a condition, found a number";
                return Err(SyntaxError::new(at.start..self.previous_span().end, message).with_help(SHARE_HELP));
            }
        };
        self.insert(start, function, 0.0)?;
        self.position += 1;
        self.share()
    }

    /// Parses an operand of a comparison: a number or a heuristic.
    fn share(&mut self) -> Result<(), SyntaxError> {
        let negative = self.eat(&TokenKind::Minus);
        let (end, at) = (self.nodes.len(), self.span());
        match self.kind() {
            TokenKind::Number(number) => {
                let number = if negative { -number } else { *number };
                self.insert(end, SHARE_CONSTANT, number)?;
            }
            TokenKind::Name(name) if !negative => {
                let (number, terminal) = find(name, at.clone())?;
                if terminal.flag {
                    let message = format!("expected a number, but {} is true or false", terminal.name);
                    return Err(SyntaxError::new(at, message).with_help("it is a condition by itself"));
                }
                self.insert(end, FIRST_TERMINAL + 2 * number, 0.0)?;
            }
            other if negative => return Err(self.error(format!("expected a number, found {other}"))),
            TokenKind::Then | TokenKind::End | TokenKind::If | TokenKind::Default => {
                return Err(self.error(format!("expected a condition, found {}", self.kind())));
            }
            other => return Err(self.error(format!("expected a heuristic or a number, found {other}"))),
        }
        self.position += 1;
        Ok(())
    }

    fn value(&mut self) -> Result<(), SyntaxError> {
        let start = self.nodes.len();
        self.product()?;
        loop {
            let minus = match self.kind() {
                TokenKind::Plus => false,
                TokenKind::Minus => true,
                _ => return Ok(()),
            };
            self.position += 1;
            self.insert(start, PLUS, 0.0)?;
            let second = self.nodes.len();
            self.product()?;
            if minus {
                self.negate(second)?;
            }
        }
    }

    fn product(&mut self) -> Result<(), SyntaxError> {
        self.chain(&TokenKind::Times, TIMES, Parser::factor)
    }

    fn factor(&mut self) -> Result<(), SyntaxError> {
        let start = self.nodes.len();
        match self.kind() {
            TokenKind::Open => {
                self.enter()?;
                self.value()?;
                return match self.kind() {
                    TokenKind::AtMost | TokenKind::AtLeast | TokenKind::And | TokenKind::Or => {
                        Err(self.error("expected a value, found a condition").with_help(VALUE_HELP))
                    }
                    _ => self.leave(),
                };
            }
            TokenKind::Minus => {
                self.enter()?;
                self.factor()?;
                self.depth -= 1;
                return self.negate(start);
            }
            &TokenKind::Number(number) => self.insert(start, VALUE_CONSTANT, number)?,
            TokenKind::Name(name) => {
                let at = self.span();
                let (number, terminal) = find(name, at.clone())?;
                if !terminal.value {
                    let message = format!("{} is only allowed in conditions", terminal.name);
                    return Err(SyntaxError::new(at, message).with_help(VALUE_HELP));
                }
                self.insert(start, FIRST_TERMINAL + 2 * number + 1, 0.0)?;
            }
            other => return Err(self.error(format!("expected a value, found {other}")).with_help(VALUE_HELP)),
        }
        self.position += 1;
        Ok(())
    }

    /// Negates the value that starts at a node: inverts its first factor if that is a number, else multiplies it by -1.
    fn negate(&mut self, start: usize) -> Result<(), SyntaxError> {
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

    fn insert(&mut self, at: usize, primitive: u16, value: f64) -> Result<(), SyntaxError> {
        if self.nodes.len() == MAX_NODES {
            return Err(self.error(format!("expression too large; a condition or value has at most {MAX_NODES} parts")));
        }
        self.nodes.insert(at, Node { primitive, value });
        Ok(())
    }

    fn take_tree(&mut self) -> Tree {
        Tree { nodes: std::mem::take(&mut self.nodes) }
    }

    /// Skips a parenthesis or a sign and enters the next level.
    fn enter(&mut self) -> Result<(), SyntaxError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(format!("rule nested more than {MAX_DEPTH} levels deep")));
        }
        self.position += 1;
        Ok(())
    }

    fn leave(&mut self) -> Result<(), SyntaxError> {
        self.depth -= 1;
        if self.eat(&TokenKind::Close) { Ok(()) } else { Err(self.error("expected ')'")) }
    }

    fn kind(&self) -> &TokenKind {
        &self.tokens[self.position].kind
    }

    fn span(&self) -> Range<usize> {
        self.tokens[self.position].span.clone()
    }

    /// Span of the previous token.
    fn previous_span(&self) -> Range<usize> {
        self.tokens[self.position - 1].span.clone()
    }

    fn eat(&mut self, kind: &TokenKind) -> bool {
        let found = self.kind() == kind;
        self.position += usize::from(found);
        found
    }

    /// Creates an error at the current token.
    fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.span(), message)
    }
}

const SHARE_HELP: &str = "compare a heuristic with a number or another heuristic: h1 <= 0.3";
const VALUE_HELP: &str =
    "a value consists of numbers, heuristics that estimate, '+', '-', '*' and parentheses: 2*h1 + 3";

/// Finds a terminal and its index by any name of its heuristic.
fn find(name: &str, at: Range<usize>) -> Result<(u16, &'static Terminal), SyntaxError> {
    let known = HeuristicInfo::find(name).map(|info| info.name);
    if let Some(number) = TERMINALS.iter().position(|terminal| Some(terminal.name) == known) {
        return Ok((number as u16, &TERMINALS[number]));
    }
    if known.is_some() {
        return Err(
            SyntaxError::new(at, format!("heuristic '{name}' is not available in policies")).with_help(all_terminals())
        );
    }
    let aliases = |terminal: &'static Terminal| HeuristicInfo::find(terminal.name).map_or(&[][..], |info| info.aliases);
    let names =
        TERMINALS.iter().flat_map(|terminal| [terminal.name].into_iter().chain(aliases(terminal).iter().copied()));
    let help = match nearest(name, names) {
        Some(near) => format!("did you mean '{near}'?"),
        None => all_terminals(),
    };
    Err(SyntaxError::new(at, format!("unknown heuristic '{}'", truncated(name))).with_help(help))
}

fn all_terminals() -> String {
    let names: Vec<&str> = TERMINALS.iter().map(|terminal| terminal.name).collect();
    format!("expected one of {}", names.join(", "))
}
