//! Draws policies as SVG: one row per rule, with its condition and its value as trees that grow to the right.

use crate::explain::symbolic_comparison;
use crate::policy::Policy;
use crate::subtree::{Subtree, SubtreeRoot};
use crate::terminals::TERMINALS;
use crate::terminals::primitive::{AND, AT_LEAST, AT_MOST, OR, PLUS, TIMES};
use crate::text::number_text;
use clearway_util::text::escape_xml;
use std::fmt::Write as _;

/// Height of a box, and distance between the tops of two boxes, in pixels like all lengths here.
const BOX: f64 = 24.0;
const ROW: f64 = 32.0;
/// Width of a character, and padding on both sides of the text in a box.
const CHARACTER: f64 = 7.25;
const PAD: f64 = 9.0;
/// Gap between two columns of a tree.
const GAP: f64 = 30.0;
/// Margin around the drawing and between the rules.
const MARGIN: f64 = 16.0;
/// Widths of the columns of the keywords IF and THEN.
const IF_WIDTH: f64 = 74.0;
const THEN_WIDTH: f64 = 64.0;
const TITLE: f64 = 34.0;

/// Colours that are readable on light and dark backgrounds. The class names have a prefix of their own, so that the drawing can
/// be embedded in a page.
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

/// Draws a policy as an SVG document.
///
/// ```
/// use clearway_policy::{Policy, svg};
/// let policy: Policy = "IF g >= 0.5 AND h1 <= 0.4 THEN 2*h1 + relaxed-plan DEFAULT h1".parse()?;
/// let picture = svg(&policy, "two rules");
/// assert!(picture.starts_with("<svg ") && picture.contains(">blockers-lower-bound ≤ 16<"));
/// # Ok::<(), clearway_util::syntax::ParseError>(())
/// ```
pub fn svg(policy: &Policy, title: &str) -> String {
    let conditions: Vec<TreeLayout> =
        policy.rules.iter().map(|rule| TreeLayout::new(tree_box(Subtree::new(&rule.condition)))).collect();
    let values = policy.rules.iter().map(|rule| &rule.value).chain([&policy.default]);
    let values: Vec<TreeLayout> = values.map(|value| TreeLayout::new(tree_box(Subtree::new(value)))).collect();
    let widest = |all: &[TreeLayout]| all.iter().map(|layout| layout.width).fold(0.0, f64::max);
    let then_at = MARGIN + IF_WIDTH + widest(&conditions) + if conditions.is_empty() { 0.0 } else { MARGIN };
    let value_at = if conditions.is_empty() { MARGIN + IF_WIDTH } else { then_at + THEN_WIDTH };
    let width =
        (value_at + widest(&values) + MARGIN).max(2.0 * MARGIN + CHARACTER * 1.2 * title.chars().count() as f64);

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
                keyword(&mut body, MARGIN, middle, &format!("{}  IF", number + 1));
                keyword(&mut body, then_at, middle, "THEN");
                condition.draw(&mut body, MARGIN + IF_WIDTH, middle - condition.height / 2.0);
            }
            None => keyword(&mut body, MARGIN, middle, "DEFAULT"),
        }
        value.draw(&mut body, value_at, middle - value.height / 2.0);
        y += height + MARGIN;
    }
    let title = escape_xml(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{:.0}\" viewBox=\"0 0 {width:.0} {:.0}\" \
         role=\"img\" aria-label=\"{title}\">\n<style>{STYLE}</style>\n\
         <text class=\"policy-title\" x=\"{MARGIN}\" y=\"22\">{title}</text>\n{body}</svg>\n",
        y + MARGIN / 2.0,
        y + MARGIN / 2.0,
    )
}

fn keyword(body: &mut String, x: f64, middle: f64, text: &str) {
    let _ = writeln!(body, "<text class=\"policy-word\" x=\"{x:.1}\" y=\"{:.1}\">{text}</text>", middle + 4.0);
}

/// A box and its children.
struct TreeBox {
    label: String,
    class: &'static str,
    children: Vec<TreeBox>,
}

/// Builds the boxes of a tree: a chain of the same function becomes one box with many children, a comparison or a multiple of
/// a heuristic becomes a single box.
fn tree_box(tree: Subtree<'_>) -> TreeBox {
    let leaf = |label, class| TreeBox { label, class, children: Vec::new() };
    match tree.shape() {
        SubtreeRoot::Number(number) => leaf(number_text(number), "policy-value"),
        SubtreeRoot::Terminal(terminal) => leaf(
            TERMINALS[terminal].name.to_owned(),
            if TERMINALS[terminal].flag { "policy-check" } else { "policy-value" },
        ),
        SubtreeRoot::Function(function @ (AT_MOST | AT_LEAST), left, right) => {
            leaf(symbolic_comparison(function, left, right), "policy-check")
        }
        SubtreeRoot::Function(function, left, right) => {
            if let (TIMES, SubtreeRoot::Number(number), SubtreeRoot::Terminal(terminal))
            | (TIMES, SubtreeRoot::Terminal(terminal), SubtreeRoot::Number(number)) =
                (function, left.shape(), right.shape())
            {
                return leaf(format!("{} × {}", number_text(number), TERMINALS[terminal].name), "policy-value");
            }
            let label = match function {
                AND => "AND",
                OR => "OR",
                PLUS => "+",
                _ => "×",
            };
            let mut children = Vec::new();
            for tree in [left, right] {
                let drawn = tree_box(tree);
                if drawn.label == label { children.extend(drawn.children) } else { children.push(drawn) }
            }
            TreeBox { label: label.to_owned(), class: "policy-box", children }
        }
    }
}

impl TreeBox {
    fn width(&self) -> f64 {
        self.label.chars().count() as f64 * CHARACTER + 2.0 * PAD
    }
}

/// A tree of boxes with the positions of its columns.
struct TreeLayout {
    root: TreeBox,
    /// Left edge of each column.
    columns: Vec<f64>,
    width: f64,
    height: f64,
}

impl TreeLayout {
    fn new(root: TreeBox) -> TreeLayout {
        let (mut inner, mut leaves) = (Vec::new(), 0);
        measure(&root, 0, &mut inner, &mut leaves);
        let mut columns = vec![0.0];
        for width in &inner {
            columns.push(columns[columns.len() - 1] + width + GAP);
        }
        let width = right_edge(&root, 0, &columns);
        TreeLayout { root, columns, width, height: f64::from(leaves) * ROW }
    }

    fn draw(&self, body: &mut String, x: f64, y: f64) {
        let mut next = y + ROW / 2.0;
        self.draw_box(&self.root, 0, x, &mut next, body);
    }

    /// Draws a tree from the next free row on, and returns the vertical middle of its root box.
    fn draw_box(&self, tree: &TreeBox, column: usize, x: f64, next: &mut f64, body: &mut String) -> f64 {
        let left = x + self.columns[column];
        let places: Vec<f64> =
            tree.children.iter().map(|inner| self.draw_box(inner, column + 1, x, next, body)).collect();
        let middle = if let (Some(first), Some(last)) = (places.first(), places.last()) {
            f64::midpoint(*first, *last)
        } else {
            *next += ROW;
            *next - ROW
        };
        let from = left + tree.width();
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
            tree.class,
            middle - BOX / 2.0,
            tree.width(),
            left + PAD,
            middle + 4.0,
            escape_xml(&tree.label),
        );
        middle
    }
}

/// Computes the maximum width of the inner boxes in each column, and the number of leaves. A leaf has a row of its own with
/// nothing to the right of it, so its width does not count.
fn measure(tree: &TreeBox, column: usize, inner: &mut Vec<f64>, leaves: &mut u32) {
    if tree.children.is_empty() {
        *leaves += 1;
        return;
    }
    if inner.len() == column {
        inner.push(0.0);
    }
    inner[column] = inner[column].max(tree.width());
    for tree in &tree.children {
        measure(tree, column + 1, inner, leaves);
    }
}

/// Returns the right edge of the rightmost box of a tree.
fn right_edge(tree: &TreeBox, column: usize, columns: &[f64]) -> f64 {
    let own = columns[column] + tree.width();
    tree.children.iter().map(|inner| right_edge(inner, column + 1, columns)).fold(own, f64::max)
}
