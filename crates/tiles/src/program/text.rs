//! Programs as text that a person reads and writes.
//!
//! ```text
//! program = { "about:" line } [ "run:" ( "loop" | "once" ) [ "do" ] ] [ "measure:" number ] part
//! part    = "(" "if" part part ")" | "(" "and" part part { part } ")" | word
//! word    = letters u, d, l, r
//! number  = "(" ( "+" | "-" | "*" ) number number ")" | feature | digits
//! ```
//!
//! Lines may be broken anywhere within a part, and what follows `#` is a comment. A word that is no terminal of the paper
//! is short for an `and` of its moves.

use super::primitives::{
    self, AND, FEATURES, FIRST_FEATURE, FIRST_WORD, IF, MINUS, NUMBER_CONSTANT, PLUS, ROOT_IF, TIMES, WHOLE, WORDS,
    single,
};
use super::{Program, Style};
use crate::{Fault, Move, moves};
use clearway_gp::{Layout, Node, Tree};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The largest number of a measure.
const MOST_NUMBER: f64 = 1e9;

/// More than any program that a person or evolution wrote has, in bytes.
pub const LONGEST_TEXT: usize = 1 << 20;

impl Program {
    /// Reads the text of a program.
    pub fn parse(text: &str) -> Result<Program, Fault> {
        if text.len() > LONGEST_TEXT {
            return Err(Fault::new(0..0, format!("a program has at most {LONGEST_TEXT} bytes")));
        }
        let mut program =
            Program { about: String::new(), style: Style::default(), measure: None, tree: Tree::default() };
        let mut about: Vec<&str> = Vec::new();
        let mut start = 0;
        let mut body = text.len();
        for line in text.split_inclusive('\n') {
            let trimmed = line.trim();
            let at = start + line.len() - line.trim_start().len();
            if let Some(said) = trimmed.strip_prefix("about:") {
                about.push(said.trim());
            } else if let Some(words) = trimmed.strip_prefix("run:") {
                program.style = style(words, at + "run:".len())?;
            } else if let Some(formula) = trimmed.strip_prefix("measure:") {
                let from = at + "measure:".len();
                let mut parser = Parser::new(text, from..from + formula.len());
                parser.number(1)?;
                parser.end("measure")?;
                program.measure = Some(Tree { nodes: parser.nodes });
            } else if !trimmed.is_empty() && !trimmed.starts_with('#') {
                body = start;
                break;
            }
            start += line.len();
        }
        // Empty lines at the end are not printed, so they are not kept either.
        about.join("\n").trim_end_matches('\n').clone_into(&mut program.about);
        let mut parser = Parser::new(text, body..text.len());
        parser.part(1)?;
        parser.end("program")?;
        let mut nodes = parser.nodes;
        if nodes[0].primitive != IF {
            return Err(
                Fault::new(body..text.len(), "a program begins with (if ...)").with_help("(if a a) does what a does")
            );
        }
        nodes[0].primitive = ROOT_IF;
        program.tree = Tree { nodes };
        let layout =
            Layout { roots: vec![WHOLE], groups: Vec::new(), depth: Layout::MOST_DEPTH, size: Layout::MOST_SIZE };
        match program.tree.check(&primitives::primitives(true, true), WHOLE, &layout) {
            Ok(()) => Ok(program),
            Err(error) => Err(Fault::new(body..text.len(), error.to_string())),
        }
    }
}

impl FromStr for Program {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Program, Fault> {
        Program::parse(text)
    }
}

fn style(text: &str, start: usize) -> Result<Style, Fault> {
    let text = text.split('#').next().unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        ["loop"] => Ok(Style { looped: true, acting: false }),
        ["loop", "do"] => Ok(Style { looped: true, acting: true }),
        ["once"] => Ok(Style { looped: false, acting: false }),
        ["once", "do"] => Ok(Style { looped: false, acting: true }),
        _ => Err(Fault::new(start..start + text.len(), "this is no way to run a program")
            .with_help("write run: loop, run: loop do, run: once or run: once do")),
    }
}

/// A word or a parenthesis.
struct Token<'a> {
    text: &'a str,
    span: Range<usize>,
}

fn tokens(text: &str, range: Range<usize>) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut start = range.start;
    for line in text[range].split_inclusive('\n') {
        let code = line.split('#').next().unwrap_or_default();
        let mut word = start;
        for (at, character) in code.char_indices().map(|(at, c)| (start + at, c)).chain([(start + code.len(), ' ')]) {
            if !character.is_whitespace() && !matches!(character, '(' | ')') {
                continue;
            }
            if word < at {
                tokens.push(Token { text: &text[word..at], span: word..at });
            }
            if matches!(character, '(' | ')') {
                tokens.push(Token { text: &text[at..=at], span: at..at + 1 });
            }
            word = at + character.len_utf8();
        }
        start += line.len();
    }
    tokens
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
    end: usize,
    nodes: Vec<Node>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, range: Range<usize>) -> Parser<'a> {
        Parser { end: range.end, tokens: tokens(text, range), next: 0, nodes: Vec::new() }
    }

    /// Nothing may follow.
    fn end(&self, what: &str) -> Result<(), Fault> {
        self.tokens.get(self.next).map_or(Ok(()), |token| {
            Err(Fault::new(token.span.clone(), format!("'{}' stands after the end of the {what}", token.text)))
        })
    }

    /// Reads a number of a measure. The recursion is no deeper than a tree may be.
    fn number(&mut self, level: u32) -> Result<(), Fault> {
        let help = || {
            let names: Vec<&str> = FEATURES.iter().map(|(_, name)| *name).collect();
            format!("a number is (+ a b), (- a b), (* a b), digits, or one of {}", names.join(", "))
        };
        let missing = |end| Fault::new(end..end, "the measure ends too early: a number is missing").with_help(help());
        let Some(Token { text, span }) = self.tokens.get(self.next) else { return Err(missing(self.end)) };
        let (text, span) = (*text, span.clone());
        self.next += 1;
        if level > Layout::MOST_DEPTH {
            return Err(Fault::new(span, format!("the measure is more than {} levels deep", Layout::MOST_DEPTH)));
        }
        if text == "(" {
            let Some(name) = self.tokens.get(self.next) else { return Err(missing(self.end)) };
            let primitive = match name.text {
                "+" => PLUS,
                "-" => MINUS,
                "*" => TIMES,
                other => {
                    return Err(Fault::new(name.span.clone(), format!("'{other}' is no function")).with_help(help()));
                }
            };
            self.next += 1;
            self.push(primitive);
            self.number(level + 1)?;
            self.number(level + 1)?;
            return match self.tokens.get(self.next) {
                Some(token) if token.text == ")" => {
                    self.next += 1;
                    Ok(())
                }
                Some(token) => Err(Fault::new(token.span.clone(), "a function has two numbers, and this is a third")),
                None => Err(Fault::new(span, "this parenthesis is not closed")),
            };
        }
        if let Some(feature) = FEATURES.iter().position(|(_, name)| *name == text) {
            self.push(FIRST_FEATURE + feature as u16);
            return Ok(());
        }
        let value = text.parse::<f64>().ok().filter(|value| value.abs() <= MOST_NUMBER);
        let value = value.ok_or_else(|| Fault::new(span, format!("'{text}' is no number")).with_help(help()))?;
        self.nodes.push(Node { primitive: NUMBER_CONSTANT, value: value + 0.0 });
        Ok(())
    }

    /// Reads a part. The recursion is no deeper than a tree may be.
    fn part(&mut self, level: u32) -> Result<(), Fault> {
        let Some(Token { text, span }) = self.tokens.get(self.next) else {
            return Err(Fault::new(self.end..self.end, "the program ends too early: a part is missing"));
        };
        let (text, span) = (*text, span.clone());
        self.next += 1;
        if level > Layout::MOST_DEPTH {
            let most = Layout::MOST_DEPTH;
            return Err(Fault::new(span, format!("the program is more than {most} levels deep")));
        }
        match text {
            "(" => self.function(level, span),
            ")" => Err(Fault::new(span, "a part is missing here")),
            word => self.word(word, span),
        }
    }

    fn function(&mut self, level: u32, open: Range<usize>) -> Result<(), Fault> {
        let help = "a part is (if a b), (and a b) or a word of moves such as lur";
        let Some(name) = self.tokens.get(self.next).filter(|name| name.text != ")") else {
            return Err(Fault::new(open, "this parenthesis holds nothing").with_help(help));
        };
        let primitive = match name.text {
            "if" => IF,
            "and" => AND,
            other => return Err(Fault::new(name.span.clone(), format!("'{other}' is no function")).with_help(help)),
        };
        self.next += 1;
        self.push(primitive);
        self.part(level + 1)?;
        let last = self.nodes.len();
        self.part(level + 1)?;
        let mut nested = last;
        let mut deeper = level + 1;
        loop {
            match self.tokens.get(self.next) {
                None => return Err(Fault::new(open, "this parenthesis is not closed")),
                Some(token) if token.text == ")" => break,
                Some(token) if primitive == IF => {
                    return Err(Fault::new(token.span.clone(), "an if has two parts, and this is a third"));
                }
                // (and a b c) is (and a (and b c)).
                Some(_) => {
                    self.nodes.insert(nested, Node { primitive: AND, value: 0.0 });
                    nested = self.nodes.len();
                    deeper += 1;
                    self.part(deeper)?;
                }
            }
        }
        self.next += 1;
        Ok(())
    }

    fn word(&mut self, word: &str, span: Range<usize>) -> Result<(), Fault> {
        let found = moves::parse(word)
            .map_err(|fault| Fault { span: span.start + fault.span.start..span.start + fault.span.end, ..fault })?;
        let word = moves::text(&found);
        if let Some(known) = WORDS.iter().position(|other| *other == word) {
            self.push(FIRST_WORD + known as u16);
            return Ok(());
        }
        let Some((&last, others)) = found.split_last() else {
            return Err(Fault::new(span, "a word of moves is missing"));
        };
        for &mv in others {
            self.push(AND);
            self.push(single(mv));
        }
        self.push(single(last));
        Ok(())
    }

    fn push(&mut self, primitive: u16) {
        self.nodes.push(Node { primitive, value: 0.0 });
    }
}

/// A program that a person can read, and that [`Program::parse`] reads back.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.about.lines() {
            writeln!(f, "about: {line}")?;
        }
        writeln!(f, "run: {}", self.style)?;
        if let Some(measure) = &self.measure {
            writeln!(f, "measure: {}", measure.display(&primitives::primitives(true, true)))?;
        }
        let mut at = 0;
        let mut lines = String::new();
        print(&self.tree.nodes, &mut at, 0, &mut lines);
        writeln!(f, "{}", lines.trim_start())
    }
}

/// Appends the part at a node. The second part of an `if` follows the first on a line of its own, and chains of them
/// stay at one indentation, so that a list of choices reads as one.
fn print(nodes: &[Node], at: &mut usize, indent: usize, text: &mut String) {
    if let Some(word) = chain(nodes, at) {
        text.push_str(&word);
        return;
    }
    let primitive = nodes[*at].primitive;
    *at += 1;
    match primitive {
        ROOT_IF | IF => {
            text.push_str("(if ");
            print(nodes, at, indent + 1, text);
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            print(nodes, at, indent, text);
            text.push(')');
        }
        AND => {
            text.push_str("(and ");
            print(nodes, at, indent + 1, text);
            text.push(' ');
            print(nodes, at, indent + 1, text);
            text.push(')');
        }
        word => text.push_str(WORDS[usize::from(word - FIRST_WORD)]),
    }
}

/// The word for an `and` of single moves, unless that is a terminal; then `at` is behind it.
fn chain(nodes: &[Node], at: &mut usize) -> Option<String> {
    let is_single = |at: usize| {
        let word = nodes.get(at)?.primitive.checked_sub(FIRST_WORD)?;
        Move::ALL.get(usize::from(word)).copied()
    };
    let mut next = *at;
    let mut moves = Vec::new();
    while nodes.get(next).is_some_and(|node| node.primitive == AND) {
        moves.push(is_single(next + 1)?);
        next += 2;
    }
    moves.push(is_single(next)?);
    let word = moves::text(&moves);
    if moves.len() > 1 && WORDS.contains(&word.as_str()) {
        return None;
    }
    *at = next + 1;
    Some(word)
}
