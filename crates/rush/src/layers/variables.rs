//! The meaning of every variable of an encoding, as lines of a table.
//!
//! Variables are created in a fixed order: those of each layer, then those of the counts. The table follows this order, so its
//! line n describes variable n.

use super::encoding::Encoding;
use super::structure::Mover;
use crate::{Board, Metric};
use std::io::{self, Write};

/// Writes the table of the variables of an encoding whose cost is counted up to `most`. Returns the number of variables.
pub(super) fn write_variables(
    board: &Board,
    encoding: &Encoding,
    metric: Metric,
    most: usize,
    out: &mut impl Write,
) -> io::Result<usize> {
    let mut table = VariableTable { labels: labels(board, encoding), encoding, out, count: 0 };
    for layer in 0..encoding.layers() {
        table.write_layer(layer, metric)?;
    }
    table.write_counts(most)?;
    Ok(table.count)
}

/// Label of the vehicle of each mover.
fn labels(board: &Board, encoding: &Encoding) -> Vec<char> {
    encoding.structure().movers.iter().map(|mover| board.vehicles()[mover.vehicle].label).collect()
}

struct VariableTable<'a, W> {
    labels: Vec<char>,
    encoding: &'a Encoding,
    out: &'a mut W,
    /// Number of variables so far.
    count: usize,
}

impl<W: Write> VariableTable<'_, W> {
    fn line(&mut self, meaning: std::fmt::Arguments<'_>) -> io::Result<()> {
        self.count += 1;
        writeln!(self.out, "{}\t{meaning}", self.count)
    }

    /// Layers and times count from 1 in the table: layer t leads to time t.
    fn write_layer(&mut self, layer: usize, metric: Metric) -> io::Result<()> {
        let (encoding, time) = (self.encoding, layer + 1);
        let movers = &encoding.structure().movers;
        for (index, Mover { first, last, .. }) in movers.iter().enumerate() {
            for position in first + 1..=*last {
                let label = self.labels[index];
                self.line(format_args!("position\t{label}\t{position}\t{time}"))?;
            }
        }
        for index in 0..movers.len() {
            let label = self.labels[index];
            self.line(format_args!("moved\t{label}\t{time}"))?;
        }
        if metric == Metric::Steps {
            for (index, Mover { first, last, .. }) in movers.iter().enumerate() {
                for position in first + 1..=*last {
                    let label = self.labels[index];
                    self.line(format_args!("crossed\t{label}\t{position}\t{time}"))?;
                }
            }
        }
        for cell in &encoding.structure().shared {
            let (x, y) = (cell.horizontal.1, cell.vertical.1);
            for &index in cell.horizontal.0.iter().chain(&cell.vertical.0) {
                let label = self.labels[index];
                self.line(format_args!("touches\t{label}\t{x}\t{y}\t{time}"))?;
            }
        }
        Ok(())
    }

    /// The counts of each vehicle over its possible costs, numbered from 1, and those over several vehicles.
    fn write_counts(&mut self, most: usize) -> io::Result<()> {
        let mut totals = Vec::new();
        for index in 0..self.labels.len() {
            let label = self.labels[index];
            let mut name = |table: &mut Self, node: &CountNode, k: usize| {
                table.line(format_args!("count\t{label}\t{}\t{}\t{k}", node.first, node.last))
            };
            let layers = self.encoding.layers();
            let mut of_mover = Vec::new();
            for kind in 0..self.encoding.kinds_of_cost(index) {
                let (first, last) = (kind * layers + 1, (kind + 1) * layers);
                let leaves = (first..=last).map(|input| CountNode { first: input, last: input, outputs: 1 }).collect();
                of_mover.push(CountNode { first, last, outputs: self.write_tree(leaves, most, &mut name)? });
            }
            let outputs = self.write_tree(of_mover, most, &mut name)?;
            totals.push(CountNode { first: index, last: index, outputs });
        }
        self.write_tree(totals, most, |table, node, k| {
            let (first, last) = (table.labels[node.first], table.labels[node.last]);
            table.line(format_args!("total\t{first}\t{last}\t{k}"))
        })?;
        Ok(())
    }

    /// Names the outputs of a balanced tree of merges, level by level. Returns the number of outputs of its root.
    fn write_tree(
        &mut self,
        mut nodes: Vec<CountNode>,
        most: usize,
        mut name: impl FnMut(&mut Self, &CountNode, usize) -> io::Result<()>,
    ) -> io::Result<usize> {
        while nodes.len() > 1 {
            let mut merged = Vec::new();
            for pair in nodes.chunks(2) {
                let node = match pair {
                    [one, other] => {
                        let outputs = (one.outputs + other.outputs).min(most);
                        let node = CountNode { first: one.first, last: other.last, outputs };
                        for k in 1..=outputs {
                            name(self, &node, k)?;
                        }
                        node
                    }
                    rest => rest[0],
                };
                merged.push(node);
            }
            nodes = merged;
        }
        Ok(nodes.first().map_or(0, |root| root.outputs))
    }
}

/// A node of a tree of counts: its first and last leaf, and how far it counts.
#[derive(Clone, Copy)]
struct CountNode {
    first: usize,
    last: usize,
    outputs: usize,
}
