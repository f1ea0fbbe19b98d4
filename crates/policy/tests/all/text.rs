//! Policies as text: what is written is read back, what is broken is refused with its place, nothing panics.

use crate::common::policies;
use clearway_policy::{MOST_NODES, MOST_RULES, Policy};
use proptest::prelude::*;

fn canonical(text: &str) -> String {
    text.parse::<Policy>().unwrap_or_else(|error| panic!("{text}: {error}")).to_string()
}

/// The message for a broken text, with the place, and the help behind a bar.
fn complaint(text: &str) -> String {
    let error = text.parse::<Policy>().expect_err(text);
    let help = error.help.as_ref().map_or(String::new(), |help| format!(" | {help}"));
    format!("{error}{help}")
}

#[test]
fn a_policy_prints_in_one_form() {
    for (text, expected) in [
        ("DEFAULT h1", "DEFAULT blockers-lower-bound\n"),
        ("default 2 × H1 − 0.5*h2 - 3", "DEFAULT 2*blockers-lower-bound - 0.5*goal-distance - 3\n"),
        ("DEFAULT -h1 - h2", "DEFAULT -1*blockers-lower-bound - 1*goal-distance\n"),
        ("DEFAULT h1*-2 + (h2 + h3)", "DEFAULT blockers-lower-bound*(-2) + (goal-distance + hybrid)\n"),
        ("DEFAULT (h1+3)*2*(h2*h3)", "DEFAULT (blockers-lower-bound + 3)*2*(goal-distance*hybrid)\n"),
        ("DEFAULT --3", "DEFAULT 3\n"),
        (
            "# by hand\nif is-releasing-move\n  and g<=.3 # early\nthen 2\nDEFAULT 1 # end",
            "IF is-releasing-move AND g <= 0.3 THEN 2\nDEFAULT 1\n",
        ),
        (
            "IF g >= 0.1 OR g ≤ 0.2 AND (g >= -0.3 OR h1 <= h2) THEN 1 IF (g >= 1 AND g >= 2) THEN 0 DEFAULT 2",
            "IF g >= 0.1 OR g <= 0.2 AND (g >= -0.3 OR blockers-lower-bound <= goal-distance) THEN 1\n\
             IF g >= 1 AND g >= 2 THEN 0\nDEFAULT 2\n",
        ),
        ("IF g >= 1 AND (g >= 2 AND g >= 3) THEN 0 DEFAULT 2", "IF g >= 1 AND (g >= 2 AND g >= 3) THEN 0\nDEFAULT 2\n"),
        (
            "\n# comment\n  Search:  ida(policy, prune)  # comment\nabout: one # two\nabout:\nABOUT: three\n\nDEFAULT 1",
            "about: one # two\nabout:\nabout: three\nsearch: ida(policy, prune)\nDEFAULT 1\n",
        ),
    ] {
        assert_eq!(canonical(text), expected);
        assert_eq!(canonical(expected), expected);
    }
}

#[test]
fn what_is_broken_is_refused_with_its_place() {
    let shape = "a policy is rules IF condition THEN value, one below the other, and at last DEFAULT value";
    for (text, expected) in [
        ("", format!("there are no rules (line 1, column 1) | {shape}")),
        ("# nothing\n\n", format!("there are no rules (line 3, column 1) | {shape}")),
        ("IF g <= 1 THEN 2\n", format!("the default is missing (line 2, column 1) | {shape}")),
        ("h1", format!("IF or DEFAULT is expected, not 'h1' (line 1, column 1) | {shape}")),
        (
            "DEFAULT 1\nIF g <= 1 THEN 2",
            s("a rule after the default never fires (line 2, column 1) | the default comes last"),
        ),
        ("DEFAULT 1\nDEFAULT 2", s("the default is given twice (line 2, column 1)")),
        ("DEFAULT 1 2", s("a rule, DEFAULT or the end is expected, not 2 (line 1, column 11)")),
        ("DEFAULT (1 + 2", s("')' is expected here (line 1, column 15)")),
        (
            "DEFAULT relaxd-plan",
            s("there is no heuristic 'relaxd-plan' (line 1, column 9) | did you mean 'relaxed-plan'?"),
        ),
        ("DEFAULT 1.2.3", s("'1.2.3' is not a number (line 1, column 9)")),
        ("DEFAULT 9999999999", s("the number is too large: 1000000000 is the most (line 1, column 9)")),
        ("DEFAULT 1 / 2", s("a policy does not divide (line 1, column 11) | multiply instead: 0.5*h1")),
        ("DEFAULT 1 ; 2", s("';' has no meaning in a policy (line 1, column 11)")),
        ("IF g < 1 THEN 1 DEFAULT 2", s("'<' compares nothing (line 1, column 6) | there are '<=' and '>='")),
        ("IF g <= 1 DEFAULT 2", s("THEN is expected, or AND or OR, not DEFAULT (line 1, column 11)")),
        ("IF THEN 1 DEFAULT 2", s("a condition is expected, not THEN (line 1, column 4)")),
        ("IF g <= THEN 1 DEFAULT 2", s("a condition is expected, not THEN (line 1, column 9)")),
        ("IF g <= -h1 THEN 1 DEFAULT 2", s("a number is expected, not 'h1' (line 1, column 10)")),
        (
            "IF 3 THEN 1 DEFAULT 2",
            s(
                "this is a number, but a condition is expected (line 1, column 4) | a heuristic is compared with a number or with \
               another: h1 <= 0.3",
            ),
        ),
        (
            "IF g <= 1 OR\n h1 THEN 1 DEFAULT 2",
            s(
                "this is a number, but a condition is expected (line 2, column 2) | a heuristic is compared with a number or with \
               another: h1 <= 0.3",
            ),
        ),
        (
            "IF g + 1 <= 1 THEN 1 DEFAULT 2",
            s(
                "a condition does not calculate (line 1, column 6) | a heuristic is compared with a number or with another: h1 <= 0.3",
            ),
        ),
        (
            "IF is-releasing-move >= 1 THEN 1 DEFAULT 2",
            s(
                "is-releasing-move is true or false: it cannot be compared (line 1, column 4) | it is a condition of its own",
            ),
        ),
        (
            "IF 1 <= is-releasing-move THEN 1 DEFAULT 2",
            s(
                "is-releasing-move is true or false, but a number is expected (line 1, column 9) | it is a condition of its own",
            ),
        ),
        (
            "IF (g <= 1) >= 2 THEN 1 DEFAULT 2",
            s("a condition cannot be compared (line 1, column 13) | join conditions with AND and OR"),
        ),
        ("DEFAULT g", format!("g may only stand in conditions (line 1, column 9) | {VALUE}")),
        (
            "DEFAULT 2*is-releasing-move",
            format!("is-releasing-move may only stand in conditions (line 1, column 11) | {VALUE}"),
        ),
        ("DEFAULT h1 <= 3", format!("this is a condition, but a value is expected (line 1, column 12) | {VALUE}")),
        ("DEFAULT (h1 <= 3)", format!("this is a condition, but a value is expected (line 1, column 13) | {VALUE}")),
        ("DEFAULT", format!("a value is expected, not the end (line 1, column 8) | {VALUE}")),
        ("DEFAULT h1 +\n", format!("a value is expected, not the end (line 2, column 1) | {VALUE}")),
        (
            "author: me\nDEFAULT 1",
            s("there is nothing to be said about 'author' (line 1, column 1) | there are 'about:' and 'search:'"),
        ),
        (
            "search:\nDEFAULT 1",
            s("a search is expected here (line 1, column 8) | such as: search: ida(policy, prune, increment=5)"),
        ),
        ("search: bfs\nsearch: bfs\nDEFAULT 1", s("the search is given twice (line 2, column 1)")),
        ("DEFAULT 1\nsearch: bfs", s("':' has no meaning in a policy (line 2, column 7)")),
        ("\u{1b}[31mDEFAULT 1", s("'[' has no meaning in a policy (line 1, column 2)")),
    ] {
        assert_eq!(complaint(text), expected, "{text}");
    }
    assert!(
        complaint("DEFAULT perfect")
            .starts_with("policies do not use the heuristic 'perfect' (line 1, column 9) | there are ")
    );
    assert!(complaint("DEFAULT quux").contains("| there are blockers-lower-bound, goal-distance, "));
}

const VALUE: &str = "a value is made of numbers, heuristics that estimate, '+', '-', '*' and parentheses: 2*h1 + 3";

fn s(text: &str) -> String {
    text.to_owned()
}

#[test]
fn endless_texts_are_refused_quickly() {
    let contains = |text: &str, part: &str| assert!(complaint(text).contains(part), "{}", complaint(text));
    contains(&format!("DEFAULT {}", "(".repeat(100_000)), "nested more than 200 deep");
    contains(&format!("DEFAULT {}", "-".repeat(100_000)), "nested more than 200 deep");
    contains(&format!("IF {}", "(".repeat(100_000)), "nested more than 200 deep");
    contains(&format!("DEFAULT {}1", "1+".repeat(100_000)), "at most 2000 parts");
    contains(&"IF g<=1 THEN 1\n".repeat(MOST_RULES + 1), "at most 64 rules");
    contains(&" ".repeat(1 << 20), "at most 262144 characters");
    contains(&format!("DEFAULT {}", "x".repeat(100_000)), "there is no heuristic 'xxxx");
    assert!(complaint(&format!("DEFAULT {}", "x".repeat(100_000))).len() < 1000);
}

#[test]
fn the_largest_trees_are_read_and_printed() {
    let long = format!("DEFAULT {}h1\n", "1 + ".repeat(MOST_NODES / 2 - 1));
    let policy: Policy = long.parse().unwrap();
    assert_eq!(policy.to_string(), long.replace("h1", "blockers-lower-bound"));
    let deep = format!("DEFAULT {}h1{}", "(1 + ".repeat(150), ")".repeat(150));
    assert_eq!(canonical(&canonical(&deep)), canonical(&deep));
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(policy in policies()) {
        let text = policy.to_string();
        prop_assert_eq!(text.parse::<Policy>().map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?, policy);
    }

    #[test]
    fn a_policy_is_its_genome(policy in policies()) {
        prop_assert_eq!(Policy::from_genome(&policy.to_genome()), Ok(policy));
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC*") {
        let _ = text.parse::<Policy>();
    }

    #[test]
    fn no_heap_of_words_makes_the_parser_panic(words in proptest::collection::vec(word(), 0..40)) {
        let text = words.concat();
        if let Ok(policy) = text.parse::<Policy>() {
            prop_assert_eq!(policy.to_string().parse::<Policy>().unwrap(), policy);
        }
    }

    #[test]
    fn a_text_that_is_cut_or_changed_does_no_harm(policy in policies(), cut in 0..400usize, put in "\\PC?") {
        let text = policy.to_string();
        let cut = text.char_indices().map(|(at, _)| at).nth(cut).unwrap_or(text.len());
        let _ = format!("{}{put}{}", &text[..cut], text[cut..].get(1..).unwrap_or_default()).parse::<Policy>();
    }
}

fn word() -> impl Strategy<Value = String> {
    let words = [
        "IF ",
        "THEN ",
        "DEFAULT ",
        "AND ",
        "OR ",
        "g ",
        "h1 ",
        "h2",
        "is-releasing-move ",
        "0.5 ",
        "3",
        "-",
        "+ ",
        "*",
        "×",
        "(",
        ")",
        "<= ",
        ">=",
        "\n",
        "# x\n",
        "about: x\n",
        "search: bfs\n",
        " ",
        "é",
        "if g <= 1 then h1\n",
        "DEFAULT 1\n",
    ];
    proptest::sample::select(words.to_vec()).prop_map(str::to_owned)
}
