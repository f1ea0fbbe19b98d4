//! Proofs with wrong steps.

use crate::common::{Certificate, JAM01, board};
use clearway_rush::Metric;

fn certificate() -> Certificate {
    Certificate::new(&board(JAM01), Metric::Moves, 7)
}

/// The steps of a proof that derive clauses, as line numbers from 0.
fn additions(proof: &str) -> Vec<usize> {
    let is_addition = |line: &str| line.split(' ').nth(1) != Some("d");
    proof.lines().enumerate().filter(|(_, line)| is_addition(line)).map(|(at, _)| at).collect()
}

/// The literals and the hints of a step.
fn parts(line: &str) -> (Vec<&str>, Vec<&str>) {
    let words: Vec<&str> = line.split(' ').skip(1).collect();
    let end = words.iter().position(|&word| word == "0").unwrap();
    (words[..end].to_vec(), words[end + 1..words.len() - 1].to_vec())
}

#[test]
fn steps_that_do_not_follow_are_rejected() {
    let certificate = certificate();
    let proof = certificate.read("proof.lrat");
    let lines: Vec<&str> = proof.lines().collect();
    let additions = additions(&proof);
    assert!(additions.len() > 100, "a proof of {} steps is too short for this test", additions.len());
    let rejects = |at: usize, line: String, message: &str| {
        let mut changed = lines.clone();
        changed[at] = &line;
        certificate.rejects("proof.lrat", changed.join("\n") + "\n", message);
    };
    for &at in additions.iter().step_by(additions.len() / 40) {
        let number = lines[at].split(' ').next().unwrap();
        let (literals, hints) = parts(lines[at]);
        let step = |literals: &[&str], hints: &[&str]| {
            let words = [&[number][..], literals, &["0"], hints, &["0"]].concat();
            words.join(" ")
        };
        let place = format!("proof.lrat, line {}: ", at + 1);
        rejects(at, step(&literals, &[]), &format!("{place}clause {number}: the hints lead to no contradiction"));
        rejects(at, step(&literals, &hints[..hints.len() - 1]), &format!("{place}clause {number}: "));
        rejects(at, step(&literals, &["999999999"]), "hint 999999999 is not a clause at this point");
        rejects(at, step(&literals, &[number]), "is not a clause at this point");
        rejects(at, step(&literals, &["-1"]), "negative hints");
        let extended = [&hints[..], &[hints[0]]].concat();
        rejects(at, step(&literals, &extended), &place);
        if let Some((first, rest)) = literals.split_first() {
            let negated = first.strip_prefix('-').map_or_else(|| format!("-{first}"), str::to_owned);
            rejects(at, step(&[&[negated.as_str()][..], rest].concat(), &hints), &place);
            rejects(at, step(&[&[*first, *first][..], rest].concat(), &hints), "contains literal");
            rejects(at, step(&[&[*first, &negated][..], rest].concat(), &hints), "contains variable");
            rejects(at, step(&[&["999999999"], rest].concat(), &hints), "there is no variable 999999999");
        }
        rejects(at, format!("{} x", lines[at]), "unexpected character 'x'");
        rejects(at, lines[at][..lines[at].len() - 2].to_owned(), "expected hints and 0");
        rejects(at, "1 0 1 0".to_owned(), "clause 1 comes after clause");
        rejects(at, format!("-{}", lines[at]), "expected the number of a clause");
        rejects(at, "5 d 999999999 0".to_owned(), "there is no clause 999999999 to delete");
        rejects(at, "5 d -3 0".to_owned(), "expected numbers of clauses and 0");
        rejects(at, "5 d 1".to_owned(), "expected numbers of clauses and 0");
    }
}

#[test]
fn a_proof_ends_with_the_empty_clause() {
    let certificate = certificate();
    let proof = certificate.read("proof.lrat");
    let rejects = |text: &str, message: &str| certificate.rejects("proof.lrat", text, message);
    let last = proof.trim_end().rfind('\n').unwrap() + 1;
    rejects("", "the proof ends without the empty clause");
    rejects(&proof[..last], "the proof ends without the empty clause");
    rejects(&proof[..proof.len() - 1], "expected the end of the line after 0");
    rejects(&format!("{proof}1 0 1 0\n"), "expected the end of the proof after the empty clause");
    for part in 1..20 {
        rejects(&proof[..proof.len() * part / 20], "proof.lrat, line ");
    }
    rejects(&"9".repeat(1 << 20), "more than 18 digits");
    rejects(&" ".repeat(1 << 20), "unexpected character ' '");
    let count = certificate.read("formula.cnf").lines().count();
    rejects(&format!("{count} {}0 0\n", "1 ".repeat(1 << 20)), "more literals than there are variables");
    rejects(&format!("{count} 1 0 {}0\n", "1 ".repeat(1 << 20)), "more hints than there are variables");
    rejects(&format!("{count} 0 0\n"), "the hints lead to no contradiction");
}

#[test]
fn a_deleted_clause_cannot_be_used() {
    let certificate = certificate();
    let proof = certificate.read("proof.lrat");
    let first = additions(&proof)[0];
    let line = proof.lines().nth(first).unwrap();
    let hint = parts(line).1[0];
    let before: usize = proof.lines().take(first).map(|line| line.len() + 1).sum();
    let changed = format!("{}1 d {hint} 0\n{}", &proof[..before], &proof[before..]);
    certificate.rejects("proof.lrat", changed, &format!("hint {hint} is not a clause at this point"));
}

#[test]
fn a_formula_with_the_empty_clause_needs_no_steps() {
    let certificate = Certificate::new(&board("4x3:...BAA.B...."), Metric::Moves, 3);
    certificate.check().unwrap();
    certificate.rejects("proof.lrat", "1 0 1 0\n", "expected the end of the proof");
}
