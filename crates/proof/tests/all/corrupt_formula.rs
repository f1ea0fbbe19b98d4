//! Formulas and tables of variables that do not belong to the claim.

use crate::common::{Certificate, JAM01, METRICS, board, optimum};
use clearway_rush::Metric;

fn certificate() -> Certificate {
    Certificate::new(&board(JAM01), Metric::Moves, 4)
}

/// Changes the lines of a text.
fn lines(text: &str, change: impl FnOnce(&mut Vec<String>)) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    change(&mut lines);
    lines.join("\n") + "\n"
}

#[test]
fn changed_added_and_removed_clauses_are_rejected() {
    let certificate = certificate();
    let formula = certificate.read("formula.cnf");
    let count = formula.lines().count() - 1;
    let header = |lines: &mut Vec<String>| {
        let words: Vec<String> = lines[0].split(' ').map(str::to_owned).collect();
        lines[0] = format!("p cnf {} {}", words[2], lines.len() - 1);
    };
    let changed = |change: &dyn Fn(&mut Vec<String>)| lines(&formula, |lines| change(lines));
    let unexpected = "the claim has no such clause";
    let negated = |at: usize| {
        move |lines: &mut Vec<String>| {
            lines[at] = lines[at].strip_prefix('-').map_or_else(|| format!("-{}", lines[at]), str::to_owned);
        }
    };
    for at in [1, 2, count / 3, count / 2, count - 1, count] {
        let place = format!("formula.cnf, line {}: {unexpected}", at + 1);
        certificate.rejects("formula.cnf", changed(&negated(at)), &place);
        let removed = changed(&|lines| {
            let gone = lines[at].clone();
            lines.retain(|line| *line != gone);
            header(lines);
        });
        certificate.rejects("formula.cnf", removed, "formula.cnf: a clause of the claim is missing: ");
    }
    let added = |clause: &'static str| {
        changed(&move |lines: &mut Vec<String>| {
            lines.push(clause.to_owned());
            header(lines);
        })
    };
    certificate.rejects("formula.cnf", added("1 0"), "the claim has no such clause: (position ");
    certificate.rejects("formula.cnf", added("0"), "the claim has no such clause: the empty clause");
    certificate.rejects("formula.cnf", added("1 -1 0"), unexpected);
    // The unit clauses of the claim: its goal and its bound.
    let units: Vec<usize> = (count - 1..=count).collect();
    for at in units {
        let weaker = changed(&|lines| {
            lines.remove(at);
            header(lines);
        });
        certificate.rejects("formula.cnf", weaker, "a clause of the claim is missing");
    }
}

#[test]
fn the_comparison_ignores_the_order_and_repetition_of_clauses() {
    let certificate = certificate();
    // The proof refers to clauses by number, so it fails instead.
    let reversed = lines(&certificate.read("formula.cnf"), |lines| lines[1..].reverse());
    certificate.rejects("formula.cnf", reversed, "proof.lrat, line ");
}

#[test]
fn broken_formulas_are_rejected() {
    let certificate = certificate();
    let formula = certificate.read("formula.cnf");
    let header = formula.lines().next().unwrap();
    let rest = &formula[header.len()..];
    let rejects = |text: &str, message: &str| certificate.rejects("formula.cnf", text, message);
    rejects("", "formula.cnf, line 1: expected 'p cnf '");
    rejects(&format!("c comment\n{formula}"), "formula.cnf, line 1: expected 'p cnf '");
    rejects(&format!("p cnf 1 1{rest}"), "line 1: 1 variables, but variables.tsv has");
    let words: Vec<&str> = header.split(' ').collect();
    rejects(&format!("p cnf {} 1{rest}", words[2]), "but the header declares 1");
    rejects(&format!("p cnf {} x{rest}", words[2]), "unexpected character 'x'");
    rejects(&format!("p cnf {}\n{rest}", words[2]), "expected 'p cnf VARIABLES CLAUSES'");
    rejects(&formula[..formula.len() - 3], "expected literals and 0");
    rejects(&formula[..formula.len() - 1], "expected the end of the line");
    rejects(&formula[..formula.len() / 2], "formula.cnf, line ");
    for (literal, message) in [
        ("999999999", "there is no variable 999999999"),
        ("-999999999", "there is no variable 999999999"),
        ("99999999999999999999999999", "more than 18 digits"),
        ("-", "expected digits"),
        ("1-", "unexpected character '-' in a number"),
        ("\0", "unexpected character"),
        ("d", "expected literals and 0"),
    ] {
        rejects(&format!("{header}\n{literal} 0{rest}"), message);
    }
    let long = "1 ".repeat(200_000);
    rejects(&format!("{header}\n{long}0{rest}"), "more literals than there are variables");
}

#[test]
fn every_variable_has_the_meaning_of_the_claim() {
    let certificate = certificate();
    let table = certificate.read("variables.tsv");
    let rejects = |change: &dyn Fn(&mut Vec<String>), message: &str| {
        certificate.rejects("variables.tsv", lines(&table, |lines| change(lines)), message);
    };
    let meaning = |line: &str| line.split_once('\t').unwrap().1.to_owned();
    let last = table.lines().count() - 1;
    for (one, other) in [(0, 1), (0, last), (5, last / 2), (last - 1, last)] {
        let swapped = |lines: &mut Vec<String>| {
            let (first, second) = (meaning(&lines[one]), meaning(&lines[other]));
            lines[one] = format!("{}\t{second}", one + 1);
            lines[other] = format!("{}\t{first}", other + 1);
        };
        rejects(&swapped, "the claim has no such clause");
    }
    rejects(&|lines| lines[1] = format!("2\t{}", meaning(&lines[0])), "variables 1 and 2 have the same meaning");
    rejects(&|lines| lines[0] = "1\tmoved\tZ\t1".to_owned(), "variables.tsv: the variable 'position");
    rejects(&|lines| lines[0] = "1\tflew\tA\t1".to_owned(), "variables.tsv, line 1: unknown meaning");
    rejects(&|lines| lines[0] = "1\tposition\tA\t01\t1".to_owned(), "variables.tsv, line 1: unknown meaning");
    rejects(&|lines| lines[0] = "1\tposition\tAB\t1\t1".to_owned(), "variables.tsv, line 1: unknown meaning");
    rejects(&|lines| lines[0] = "7\tposition\tA\t1\t1".to_owned(), "expected variable 1, found '7'");
    rejects(&|lines| lines[0] = "x".repeat(1000), "expected a line of less than 100 bytes");
    rejects(&|lines| drop(lines.pop()), "variables, but variables.tsv has");
    rejects(&|lines| lines.push(format!("{}\tmoved\tZ\t1", last + 2)), "variables, but variables.tsv has");
    certificate.rejects("variables.tsv", &table[..table.len() - 1], "ends with a line feed");
    certificate.rejects("variables.tsv", [&[255, b'\n'], table.as_bytes()].concat(), "invalid UTF-8");
    certificate.rejects("variables.tsv", "", "but variables.tsv has 0");
}

#[test]
fn a_variable_that_the_claim_does_not_have_is_rejected() {
    for metric in METRICS {
        let card = board(JAM01);
        assert!(optimum(&card, metric).is_some_and(|optimum| optimum > 4));
        let certificate = Certificate::new(&card, metric, 4);
        let table = certificate.read("variables.tsv");
        let count = table.lines().count();
        let formula = certificate.read("formula.cnf");
        certificate
            .write("formula.cnf", formula.replacen(&format!("p cnf {count} "), &format!("p cnf {} ", count + 1), 1));
        let more = format!("{table}{}\tmoved\tZ\t1\n", count + 1);
        certificate.rejects(
            "variables.tsv",
            more,
            &format!("line {}: the claim has no variable 'moved Z 1'", count + 1),
        );
    }
}
