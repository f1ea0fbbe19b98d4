//! The text format of programs.
//!
//! ```text
//! program = { "about:" line } [ "run:" ( "loop" | "once" ) [ "do" ] ] [ "measure:" number ] part
//! part    = "(" "if" part part ")" | "(" "and" part part { part } ")" | word
//! word    = letters u, d, l, r
//! number  = "(" ( "+" | "-" | "*" ) number number ")" | feature | digits
//! ```
//!
//! Lines may be broken anywhere within a part, and `#` starts a comment. A word that is not a terminal of the paper is short for
//! an `and` of its moves.

use super::primitives::{
    self, AND, FEATURES, FIRST_FEATURE, FIRST_WORD, IF, MINUS, NUMBER_CONSTANT, PLUS, ROOT_IF, TIMES, WHOLE, WORDS,
    single_move,
};
use super::{Program, Style};
use crate::{Move, SyntaxError, moves};
use clearway_gp::{GenomeLayout, Node, Tree};
use clearway_util::syntax::{Cursor, Piece};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Largest number allowed in a measure.
const MAX_NUMBER: f64 = 1e9;

/// Maximum length of the text of a program, in bytes.
pub const MAX_TEXT_LENGTH: usize = 1 << 20;

impl Program {
    /// Parses the text of a program.
    pub fn parse(text: &str) -> Result<Program, SyntaxError> {
        if text.len() > MAX_TEXT_LENGTH {
            return Err(SyntaxError::new(0..0, format!("program too long; the maximum is {MAX_TEXT_LENGTH} bytes")));
        }
        let mut program =
            Program { about: String::new(), style: Style::default(), measure: None, tree: Tree::default() };
        let mut about: Vec<&str> = Vec::new();
        let mut start = 0;
        let mut body = text.len();
        for line in text.split_inclusive('\n') {
            let trimmed = line.trim();
            let at = start + line.len() - line.trim_start().len();
            if let Some(line) = trimmed.strip_prefix("about:") {
                about.push(line.trim());
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
        // Empty lines at the end are not printed, so they are dropped here to make the text round-trip.
        about.join("\n").trim_end_matches('\n').clone_into(&mut program.about);
        let mut parser = Parser::new(text, body..text.len());
        parser.part(1)?;
        parser.end("program")?;
        let mut nodes = parser.nodes;
        if nodes[0].primitive != IF {
            return Err(SyntaxError::new(body..text.len(), "a program must start with (if ...)")
                .with_help("(if a a) does the same as a"));
        }
        nodes[0].primitive = ROOT_IF;
        program.tree = Tree { nodes };
        let layout = GenomeLayout {
            roots: vec![WHOLE],
            groups: Vec::new(),
            depth: GenomeLayout::MAX_DEPTH,
            size: GenomeLayout::MAX_SIZE,
        };
        match program.tree.check(&primitives::primitives(true, true), WHOLE, &layout) {
            Ok(()) => Ok(program),
            Err(error) => Err(SyntaxError::new(body..text.len(), error.to_string())),
        }
    }
}

impl FromStr for Program {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Program, SyntaxError> {
        Program::parse(text)
    }
}

fn style(text: &str, start: usize) -> Result<Style, SyntaxError> {
    let text = text.split('#').next().unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        ["loop"] => Ok(Style { looped: true, acting: false }),
        ["loop", "do"] => Ok(Style { looped: true, acting: true }),
        ["once"] => Ok(Style { looped: false, acting: false }),
        ["once", "do"] => Ok(Style { looped: false, acting: true }),
        _ => Err(SyntaxError::new(start..start + text.len(), "invalid run mode")
            .with_help("expected loop, loop do, once or once do")),
    }
}

/// Splits a range of the text into words and parentheses.
fn tokens(text: &str, range: Range<usize>) -> Vec<Piece<'_>> {
    let mut cursor = Cursor::over(text, range);
    let mut tokens = Vec::new();
    loop {
        cursor.skip_blanks_and_comments();
        let start = cursor.position();
        if !cursor.eat("(") && !cursor.eat(")") {
            cursor.take_while(|c| !c.is_whitespace() && !matches!(c, '(' | ')' | '#'));
        }
        if cursor.position() == start {
            return tokens;
        }
        tokens.push(Piece::new(text).slice(start..cursor.position()));
    }
}

struct Parser<'a> {
    tokens: Vec<Piece<'a>>,
    next: usize,
    end: usize,
    nodes: Vec<Node>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, range: Range<usize>) -> Parser<'a> {
        Parser { end: range.end, tokens: tokens(text, range), next: 0, nodes: Vec::new() }
    }

    /// Checks that no token follows.
    fn end(&self, what: &str) -> Result<(), SyntaxError> {
        self.tokens.get(self.next).map_or(Ok(()), |token| {
            Err(token.error(format!("unexpected '{}' after the end of the {what}", token.text)))
        })
    }

    /// Parses a number of a measure. The recursion is no deeper than the maximum depth of a tree.
    fn number(&mut self, level: u32) -> Result<(), SyntaxError> {
        let help = || {
            let names: Vec<&str> = FEATURES.iter().map(|(_, name)| *name).collect();
            format!("expected (+ a b), (- a b), (* a b), digits, or one of {}", names.join(", "))
        };
        let missing =
            |end| SyntaxError::new(end..end, "the measure ends too early; expected a number").with_help(help());
        let Some(&token) = self.tokens.get(self.next) else { return Err(missing(self.end)) };
        self.next += 1;
        if level > GenomeLayout::MAX_DEPTH {
            return Err(token.error(format!("the measure is more than {} levels deep", GenomeLayout::MAX_DEPTH)));
        }
        if token.text == "(" {
            let Some(name) = self.tokens.get(self.next) else { return Err(missing(self.end)) };
            let primitive = match name.text {
                "+" => PLUS,
                "-" => MINUS,
                "*" => TIMES,
                other => {
                    return Err(name.error(format!("unknown function '{other}'")).with_help(help()));
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
                Some(token) => Err(token.error("too many numbers; a function has two")),
                None => Err(token.error("unclosed parenthesis")),
            };
        }
        if let Some(feature) = FEATURES.iter().position(|(_, name)| *name == token.text) {
            self.push(FIRST_FEATURE + feature as u16);
            return Ok(());
        }
        let value = token.text.parse::<f64>().ok().filter(|value| value.abs() <= MAX_NUMBER);
        let value = value.ok_or_else(|| token.error(format!("invalid number '{}'", token.text)).with_help(help()))?;
        self.nodes.push(Node { primitive: NUMBER_CONSTANT, value: value + 0.0 });
        Ok(())
    }

    /// Parses a part. The recursion is no deeper than the maximum depth of a tree.
    fn part(&mut self, level: u32) -> Result<(), SyntaxError> {
        let Some(&token) = self.tokens.get(self.next) else {
            return Err(SyntaxError::new(self.end..self.end, "the program ends too early; expected a part"));
        };
        self.next += 1;
        if level > GenomeLayout::MAX_DEPTH {
            let most = GenomeLayout::MAX_DEPTH;
            return Err(token.error(format!("the program is more than {most} levels deep")));
        }
        match token.text {
            "(" => self.function(level, token),
            ")" => Err(token.error("expected a part")),
            _ => self.word(token),
        }
    }

    fn function(&mut self, level: u32, open: Piece) -> Result<(), SyntaxError> {
        let help = "a part is (if a b), (and a b) or a word of moves such as lur";
        let Some(name) = self.tokens.get(self.next).filter(|name| name.text != ")") else {
            return Err(open.error("expected a function after the parenthesis").with_help(help));
        };
        let primitive = match name.text {
            "if" => IF,
            "and" => AND,
            other => {
                return Err(name.error(format!("unknown function '{other}'")).with_help(help));
            }
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
                None => return Err(open.error("unclosed parenthesis")),
                Some(token) if token.text == ")" => break,
                Some(token) if primitive == IF => {
                    return Err(token.error("too many parts; an if has two"));
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

    fn word(&mut self, token: Piece) -> Result<(), SyntaxError> {
        let found = moves::parse(token.text).map_err(|error| error.shifted(token.start))?;
        let word = moves::text(&found);
        if let Some(known) = WORDS.iter().position(|other| *other == word) {
            self.push(FIRST_WORD + known as u16);
            return Ok(());
        }
        let Some((&last, others)) = found.split_last() else {
            return Err(token.error("expected a word of moves"));
        };
        for &mv in others {
            self.push(AND);
            self.push(single_move(mv));
        }
        self.push(single_move(last));
        Ok(())
    }

    fn push(&mut self, primitive: u16) {
        self.nodes.push(Node { primitive, value: 0.0 });
    }
}

/// Prints the program in the form that [`Program::parse`] accepts.
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

/// Prints the part at a node and advances `at` past it. The second part of an `if` is on a line of its own, and chains of `if`s
/// keep the same indentation, so that they read as a list of choices.
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

/// Returns the word of an `and` of single moves and advances `at` past it. `None` if the part is something else, or if the word
/// would be parsed as a terminal.
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
