//! Policies as pictures: a row for each rule, with its condition and its value as trees that grow to the right.

use crate::explain::short_check;
use crate::part::{Part, Shape};
use crate::policy::Policy;
use crate::terminals::TERMINALS;
use crate::terminals::primitive::{AND, AT_LEAST, AT_MOST, OR, PLUS, TIMES};
use crate::text::number_text;
use std::fmt::Write as _;

/// The height of a box, and from one to the next.
const BOX: f64 = 24.0;
const ROW: f64 = 32.0;
/// The width of a letter, and the blanks in a box on both sides of its text.
const LETTER: f64 = 7.25;
const PAD: f64 = 9.0;
/// From one column of a tree to the next.
const GAP: f64 = 30.0;
/// Around everything, and between the rules.
const MARGIN: f64 = 16.0;
/// The columns of the words IF and THEN.
const IF_WIDTH: f64 = 74.0;
const THEN_WIDTH: f64 = 64.0;
const TITLE: f64 = 34.0;

/// Colours that can be read on light and on dark ground; the names are ours alone, so that it may stand in a page.
const STYLE: &str = "\
.policy-text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#24292f}\
.policy-word{font:600 12px system-ui,sans-serif;fill:#57606a}\
.policy-title{font:600 14px system-ui,sans-serif;fill:#24292f}\
.policy-line{fill:none;stroke:#8c959f}\
.policy-rule{stroke:#8c959f;stroke-opacity:.4}\
.policy-box{stroke:#8c959f;fill:#8c959f;fill-opacity:.16}\
.policy-check{stroke:#bf8700;fill:#d4a72c;fill-opacity:.2}\
.policy-value{stroke:#2f81f7;fill:#2f81f7;fill-opacity:.16}\
@media(prefers-color-scheme:dark){.policy-text,.policy-title{fill:#e6edf3}.policy-word{fill:#9ea7b3}}";

/// The picture of a policy as SVG.
///
/// ```
/// use clearway_policy::{Policy, svg};
/// let policy: Policy = "IF g >= 0.5 AND h1 <= 0.4 THEN 2*h1 + relaxed-plan DEFAULT h1".parse()?;
/// let picture = svg(&policy, "two rules");
/// assert!(picture.starts_with("<svg ") && picture.contains(">blockers-lower-bound ≤ 16<"));
/// # Ok::<(), clearway_policy::PolicyError>(())
/// ```
pub fn svg(policy: &Policy, title: &str) -> String {
    let conditions: Vec<Placed> =
        policy.rules.iter().map(|rule| Placed::new(tree(Part::of(&rule.condition)))).collect();
    let values = policy.rules.iter().map(|rule| &rule.value).chain([&policy.default]);
    let values: Vec<Placed> = values.map(|value| Placed::new(tree(Part::of(value)))).collect();
    let widest = |all: &[Placed]| all.iter().map(|placed| placed.width).fold(0.0, f64::max);
    let then_at = MARGIN + IF_WIDTH + widest(&conditions) + if conditions.is_empty() { 0.0 } else { MARGIN };
    let value_at = if conditions.is_empty() { MARGIN + IF_WIDTH } else { then_at + THEN_WIDTH };
    let width = (value_at + widest(&values) + MARGIN).max(2.0 * MARGIN + LETTER * 1.2 * title.chars().count() as f64);

    let (mut body, mut y) = (String::new(), TITLE);
    for (number, value) in values.iter().enumerate() {
        let condition = conditions.get(number);
        let height = condition.map_or(0.0, |condition| condition.height).max(value.height);
        let middle = y + MARGIN / 2.0 + height / 2.0;
        // Writing to a string cannot fail.
        let _ = writeln!(
            body,
            "<line class=\"policy-rule\" x1=\"{MARGIN}\" y1=\"{y}\" x2=\"{:.1}\" y2=\"{y}\"/>",
            width - MARGIN
        );
        match condition {
            Some(condition) => {
                word(&mut body, MARGIN, middle, &format!("{}  IF", number + 1));
                word(&mut body, then_at, middle, "THEN");
                condition.draw(&mut body, MARGIN + IF_WIDTH, middle - condition.height / 2.0);
            }
            None => word(&mut body, MARGIN, middle, "DEFAULT"),
        }
        value.draw(&mut body, value_at, middle - value.height / 2.0);
        y += height + MARGIN;
    }
    let title = escape(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{:.0}\" viewBox=\"0 0 {width:.0} {:.0}\" \
         role=\"img\" aria-label=\"{title}\">\n<style>{STYLE}</style>\n\
         <text class=\"policy-title\" x=\"{MARGIN}\" y=\"22\">{title}</text>\n{body}</svg>\n",
        y + MARGIN / 2.0,
        y + MARGIN / 2.0,
    )
}

fn word(body: &mut String, x: f64, middle: f64, text: &str) {
    let _ = writeln!(body, "<text class=\"policy-word\" x=\"{x:.1}\" y=\"{:.1}\">{text}</text>", middle + 4.0);
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A box and what hangs on it.
struct Drawn {
    label: String,
    class: &'static str,
    parts: Vec<Drawn>,
}

/// What is drawn for a part of a tree: chains of one function as one box with many parts, comparisons and multiples of
/// a heuristic as one box.
fn tree(part: Part<'_>) -> Drawn {
    let leaf = |label, class| Drawn { label, class, parts: Vec::new() };
    match part.shape() {
        Shape::Number(number) => leaf(number_text(number), "policy-value"),
        Shape::Terminal(terminal) => leaf(
            TERMINALS[terminal].name.to_owned(),
            if TERMINALS[terminal].flag { "policy-check" } else { "policy-value" },
        ),
        Shape::Function(function @ (AT_MOST | AT_LEAST), left, right) => {
            leaf(short_check(function, left, right), "policy-check")
        }
        Shape::Function(function, left, right) => {
            if let (TIMES, Shape::Number(number), Shape::Terminal(terminal))
            | (TIMES, Shape::Terminal(terminal), Shape::Number(number)) = (function, left.shape(), right.shape())
            {
                return leaf(format!("{} × {}", number_text(number), TERMINALS[terminal].name), "policy-value");
            }
            let label = match function {
                AND => "AND",
                OR => "OR",
                PLUS => "+",
                _ => "×",
            };
            let mut parts = Vec::new();
            for part in [left, right] {
                let drawn = tree(part);
                if drawn.label == label { parts.extend(drawn.parts) } else { parts.push(drawn) }
            }
            Drawn { label: label.to_owned(), class: "policy-box", parts }
        }
    }
}

impl Drawn {
    fn width(&self) -> f64 {
        self.label.chars().count() as f64 * LETTER + 2.0 * PAD
    }
}

/// A tree with its places.
struct Placed {
    root: Drawn,
    /// Where each column begins.
    columns: Vec<f64>,
    width: f64,
    height: f64,
}

impl Placed {
    fn new(root: Drawn) -> Placed {
        let (mut inner, mut leaves) = (Vec::new(), 0);
        measure(&root, 0, &mut inner, &mut leaves);
        let mut columns = vec![0.0];
        for width in &inner {
            columns.push(columns[columns.len() - 1] + width + GAP);
        }
        let width = right(&root, 0, &columns);
        Placed { root, columns, width, height: f64::from(leaves) * ROW }
    }

    fn draw(&self, body: &mut String, x: f64, y: f64) {
        let mut next = y + ROW / 2.0;
        self.draw_part(&self.root, 0, x, &mut next, body);
    }

    /// Draws a part from the next free row on, and says at which height its box is.
    fn draw_part(&self, part: &Drawn, column: usize, x: f64, next: &mut f64, body: &mut String) -> f64 {
        let left = x + self.columns[column];
        let places: Vec<f64> =
            part.parts.iter().map(|inner| self.draw_part(inner, column + 1, x, next, body)).collect();
        let middle = if let (Some(first), Some(last)) = (places.first(), places.last()) {
            f64::midpoint(*first, *last)
        } else {
            *next += ROW;
            *next - ROW
        };
        let from = left + part.width();
        for place in places {
            let to = x + self.columns[column + 1];
            let bend = to - GAP / 2.0;
            let _ = writeln!(
                body,
                "<path class=\"policy-line\" d=\"M{from:.1} {middle:.1}H{:.1}C{bend:.1} {middle:.1} {bend:.1} {place:.1} {to:.1} {place:.1}\"/>",
                to - GAP,
            );
        }
        let _ = writeln!(
            body,
            "<rect class=\"{}\" x=\"{left:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{BOX}\" rx=\"5\"/>\
             <text class=\"policy-text\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            part.class,
            middle - BOX / 2.0,
            part.width(),
            left + PAD,
            middle + 4.0,
            escape(&part.label),
        );
        middle
    }
}

/// By column: the greatest width of the boxes that something hangs on; and how many boxes have nothing hanging on them.
/// Those take a row of their own, in which nothing is to the right of them.
fn measure(part: &Drawn, column: usize, inner: &mut Vec<f64>, leaves: &mut u32) {
    if part.parts.is_empty() {
        *leaves += 1;
        return;
    }
    if inner.len() == column {
        inner.push(0.0);
    }
    inner[column] = inner[column].max(part.width());
    for part in &part.parts {
        measure(part, column + 1, inner, leaves);
    }
}

/// Where the rightmost box of a part ends.
fn right(part: &Drawn, column: usize, columns: &[f64]) -> f64 {
    let own = columns[column] + part.width();
    part.parts.iter().map(|inner| right(inner, column + 1, columns)).fold(own, f64::max)
}
