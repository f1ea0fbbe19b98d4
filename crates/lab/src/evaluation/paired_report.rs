//! Comparisons of policies as tables and as a page.

use super::paired::{PairedComparison, PairedMeasure, SearchSummary};
use super::{EvaluationTable, or_dash};
use crate::Table;
use crate::compare::ComparisonRecord;
use crate::page::page;
use crate::plot::{Point, scatter};
use crate::statistics::Interval;
use crate::table::{count, ratio};
use std::fmt::Write as _;

/// Policies on a set of boards.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedSet {
    /// Name of the set of boards.
    pub suite: String,
    /// Results of all searches, one column each.
    pub table: EvaluationTable,
    /// Comparisons of two searches each.
    pub comparisons: Vec<PairedComparison>,
}

impl ComparedSet {
    /// Tables of the set: the searches, and the comparisons of their nodes, lengths and solved boards.
    pub fn tables(&self) -> Vec<Table> {
        let measure = |name: &str, of: fn(&PairedComparison) -> &PairedMeasure| {
            let title =
                format!("{}: {name} of the first relative to the second, on boards that both solve", self.suite);
            let columns =
                ["pair", "boards", "less/equal/more", "median ratio", "95 % interval", "effect", "W", "p", "p, Holm"];
            let mut table = Table::new(title, &columns);
            table.rows = self.comparisons.iter().map(|one| measure_row(one, of(one))).collect();
            table
        };
        vec![
            self.search_table(),
            measure("nodes", |one| &one.nodes),
            measure("length", |one| &one.length),
            self.solved_table(),
        ]
    }

    fn search_table(&self) -> Table {
        let note = self.table.left_out_note();
        let title = format!("{}: {} boards{note}; states expanded per board", self.suite, self.table.boards);
        let columns =
            ["policy", "solved", "median nodes", "quartiles", "mean nodes", "length/optimum", "mean seconds", "search"];
        let mut table = Table::new(title, &columns);
        for SearchSummary { name, algorithm, solved, solvable, nodes, length_ratio, seconds } in self.table.summaries()
        {
            let whole = |number: f64| count(number.round() as u64);
            table.rows.push(vec![
                name,
                format!("{solved}/{solvable}"),
                or_dash(nodes.map(|nodes| nodes.median), whole),
                nodes.map_or("-".to_owned(), |nodes| {
                    format!("{} to {}", whole(nodes.quartiles[0]), whole(nodes.quartiles[1]))
                }),
                or_dash(nodes.map(|nodes| nodes.mean), whole),
                or_dash(length_ratio, |ratio| format!("{ratio:.3}")),
                or_dash(seconds, |seconds| format!("{seconds:.5}")),
                algorithm,
            ]);
        }
        table
    }

    fn solved_table(&self) -> Table {
        let title = format!("{}: boards solved", self.suite);
        let mut table = Table::new(title, &["pair", "both", "only the first", "only the second", "p", "p, Holm"]);
        for one in &self.comparisons {
            let solved = &one.solved;
            let counts = [solved.both, solved.only_first, solved.only_second].map(|count| count.to_string());
            let mut row = vec![pair(one)];
            row.extend(counts.into_iter().chain([p_text(solved.p), p_text(solved.adjusted_p)]));
            table.rows.push(row);
        }
        table
    }

    /// Scatter plots of the nodes of each pair.
    fn plots(&self) -> String {
        let mut body = String::from("<div class=\"plots\">\n");
        for PairedComparison { first, second, .. } in &self.comparisons {
            let pairs = self.table.runs_of(second).zip(self.table.runs_of(first));
            let solved = (1..).zip(pairs).filter(|(_, (x, y))| x.solved() && y.solved());
            let point = |(number, (x, y)): (u32, (&ComparisonRecord, &ComparisonRecord))| Point {
                x: x.statistics.expanded.max(1) as f64,
                y: y.statistics.expanded.max(1) as f64,
                name: x.name.clone().unwrap_or_else(|| format!("#{number}")),
            };
            let (x, y) = (format!("{second}, nodes"), format!("{first}, nodes"));
            body += &scatter(&x, &y, &solved.map(point).collect::<Vec<_>>());
        }
        body + "</div>\n"
    }
}

fn pair(one: &PairedComparison) -> String {
    format!("{} / {}", one.first, one.second)
}

fn measure_row(one: &PairedComparison, measure: &PairedMeasure) -> Vec<String> {
    let [less, equal, more] = measure.less_equal_more;
    vec![
        pair(one),
        one.solved.both.to_string(),
        format!("{less}/{equal}/{more}"),
        or_dash(measure.median_ratio, |median| ratio(median, 1.0)),
        interval_text(measure.interval),
        or_dash(measure.effect, |effect| format!("{effect:.2}")),
        or_dash(measure.test.map(|test| test.statistic()), |w| format!("{w}")),
        or_dash(measure.test.map(|test| test.p), p_text),
        or_dash(measure.adjusted_p, p_text),
    ]
}

/// Formats a confidence interval; a dash if it is unknown.
pub(crate) fn interval_text(interval: Option<Interval>) -> String {
    interval.map_or("-".to_owned(), |Interval { low, high }| format!("{} to {}", ratio(low, 1.0), ratio(high, 1.0)))
}

/// Formats a p-value.
pub(crate) fn p_text(p: f64) -> String {
    if p < 0.0001 { format!("{p:.1e}") } else { format!("{p:.4}") }
}

/// Explains the columns of comparisons.
const LEGEND: &str = "<p>Ratios are of the first policy to the second on the same board; below 1, the first has less. The interval is a \
    percentile bootstrap interval of the median ratio (10,000 resamples). W and p: Wilcoxon's signed-rank test of the logarithms \
    of the ratios; effect: rank-biserial correlation, -1 if the first always has less, 1 if it always has more. Boards solved: \
    exact test of McNemar. p, Holm: adjusted for all tests on this page.</p>\n";

/// Returns a self-contained page with the tables, and with plots of the nodes of each pair.
pub fn paired_html(title: &str, sets: &[ComparedSet]) -> String {
    let mut body = String::from(LEGEND);
    for set in sets {
        set.tables().iter().for_each(|table| body += &table.to_html());
        body += &set.plots();
    }
    page(title, &body)
}

/// Returns all tables as LaTeX.
pub fn paired_latex(sets: &[ComparedSet]) -> String {
    sets.iter().flat_map(ComparedSet::tables).map(|table| table.to_latex()).collect::<Vec<_>>().join("\n")
}

/// Returns all comparisons as CSV: a line for each pair and measure on each set of boards.
pub fn paired_csv(sets: &[ComparedSet]) -> String {
    use clearway_util::text::csv_field;
    let mut text = String::from(
        "suite,first,second,measure,boards,less,equal,more,median_ratio,interval_low,interval_high,effect,w,p,adjusted_p\n",
    );
    let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
    for one in sets.iter().flat_map(|set| &set.comparisons) {
        let names = [&one.suite, &one.first, &one.second].map(|name| csv_field(name)).join(",");
        for (measure, of) in [("nodes", &one.nodes), ("length", &one.length)] {
            let counts = of.less_equal_more.map(|count| count.to_string()).join(",");
            let interval = [of.interval.map(|interval| interval.low), of.interval.map(|interval| interval.high)];
            let test = [of.test.map(|test| test.statistic()), of.test.map(|test| test.p), of.adjusted_p];
            let numbers = [of.median_ratio].into_iter().chain(interval).chain([of.effect]).chain(test);
            let numbers = numbers.map(number).collect::<Vec<_>>().join(",");
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{names},{measure},{},{counts},{numbers}", one.solved.both);
        }
        let solved = &one.solved;
        let boards = solved.both + solved.only_first + solved.only_second;
        let counts = format!("{boards},{},{},{}", solved.only_second, solved.both, solved.only_first);
        let _ = writeln!(text, "{names},solved,{counts},,,,,,{},{}", solved.p, solved.adjusted_p);
    }
    text
}
