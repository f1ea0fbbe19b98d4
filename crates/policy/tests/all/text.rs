//! The text format of policies: round trips, error messages with positions, and no panics.

use crate::common::policies;
use clearway_policy::{MAX_NODES, MAX_RULES, Policy};
use proptest::prelude::*;

fn canonical(text: &str) -> String {
    text.parse::<Policy>().unwrap_or_else(|error| panic!("{text}: {error}")).to_string()
}

/// Returns the error message of an invalid text with its position, and the help after a bar.
fn error_text(text: &str) -> String {
    let error = text.parse::<Policy>().expect_err(text);
    let help = error.help.as_ref().map_or(String::new(), |help| format!(" | {help}"));
    format!("{error}{help}")
}

#[test]
fn policies_print_in_canonical_form() {
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
fn errors_name_the_fault_and_its_position() {
    let help = "a policy is a list of rules IF condition THEN value, followed by DEFAULT value";
    for (text, expected) in [
        ("", format!("the policy is empty (line 1, column 1) | {help}")),
        ("# nothing\n\n", format!("the policy is empty (line 3, column 1) | {help}")),
        ("IF g <= 1 THEN 2\n", format!("missing DEFAULT (line 2, column 1) | {help}")),
        ("h1", format!("expected IF or DEFAULT, found 'h1' (line 1, column 1) | {help}")),
        (
            "DEFAULT 1\nIF g <= 1 THEN 2",
            s("a rule after the default never fires (line 2, column 1) | put DEFAULT last"),
        ),
        ("DEFAULT 1\nDEFAULT 2", s("duplicate DEFAULT (line 2, column 1)")),
        ("DEFAULT 1 2", s("expected a rule, DEFAULT or the end, found 2 (line 1, column 11)")),
        ("DEFAULT (1 + 2", s("expected ')' (line 1, column 15)")),
        ("DEFAULT relaxd-plan", s("unknown heuristic 'relaxd-plan' (line 1, column 9) | did you mean 'relaxed-plan'?")),
        ("DEFAULT 1.2.3", s("invalid number '1.2.3' (line 1, column 9)")),
        ("DEFAULT 9999999999", s("number too large; the maximum is 1000000000 (line 1, column 9)")),
        ("DEFAULT 1 / 2", s("division is not supported (line 1, column 11) | multiply instead: 0.5*h1")),
        ("DEFAULT 1 ; 2", s("unexpected character ';' (line 1, column 11)")),
        ("IF g < 1 THEN 1 DEFAULT 2", s("unknown operator '<' (line 1, column 6) | use '<=' or '>='")),
        ("IF g <= 1 DEFAULT 2", s("expected THEN, AND or OR, found DEFAULT (line 1, column 11)")),
        ("IF THEN 1 DEFAULT 2", s("expected a condition, found THEN (line 1, column 4)")),
        ("IF g <= THEN 1 DEFAULT 2", s("expected a condition, found THEN (line 1, column 9)")),
        ("IF g <= -h1 THEN 1 DEFAULT 2", s("expected a number, found 'h1' (line 1, column 10)")),
        (
            "IF 3 THEN 1 DEFAULT 2",
            s(
                "expected a condition, found a number (line 1, column 4) | compare a heuristic with a number or another \
               heuristic: h1 <= 0.3",
            ),
        ),
        (
            "IF g <= 1 OR\n h1 THEN 1 DEFAULT 2",
            s(
                "expected a condition, found a number (line 2, column 2) | compare a heuristic with a number or another \
               heuristic: h1 <= 0.3",
            ),
        ),
        (
            "IF g + 1 <= 1 THEN 1 DEFAULT 2",
            s(
                "arithmetic is not allowed in conditions (line 1, column 6) | compare a heuristic with a number or another heuristic: h1 <= 0.3",
            ),
        ),
        (
            "IF is-releasing-move >= 1 THEN 1 DEFAULT 2",
            s(
                "is-releasing-move is true or false and cannot be compared (line 1, column 4) | it is a condition by itself",
            ),
        ),
        (
            "IF 1 <= is-releasing-move THEN 1 DEFAULT 2",
            s(
                "expected a number, but is-releasing-move is true or false (line 1, column 9) | it is a condition by itself",
            ),
        ),
        (
            "IF (g <= 1) >= 2 THEN 1 DEFAULT 2",
            s("a condition cannot be compared (line 1, column 13) | join conditions with AND and OR"),
        ),
        ("DEFAULT g", format!("g is only allowed in conditions (line 1, column 9) | {VALUE}")),
        (
            "DEFAULT 2*is-releasing-move",
            format!("is-releasing-move is only allowed in conditions (line 1, column 11) | {VALUE}"),
        ),
        ("DEFAULT h1 <= 3", format!("expected a value, found a condition (line 1, column 12) | {VALUE}")),
        ("DEFAULT (h1 <= 3)", format!("expected a value, found a condition (line 1, column 13) | {VALUE}")),
        ("DEFAULT", format!("expected a value, found the end (line 1, column 8) | {VALUE}")),
        ("DEFAULT h1 +\n", format!("expected a value, found the end (line 2, column 1) | {VALUE}")),
        ("author: me\nDEFAULT 1", s("unknown header 'author' (line 1, column 1) | expected 'about:' or 'search:'")),
        (
            "search:\nDEFAULT 1",
            s("expected a search (line 1, column 8) | for example, search: ida(policy, prune, increment=5)"),
        ),
        ("search: bfs\nsearch: bfs\nDEFAULT 1", s("duplicate header 'search' (line 2, column 1)")),
        ("DEFAULT 1\nsearch: bfs", s("unexpected character ':' (line 2, column 7)")),
        ("\u{1b}[31mDEFAULT 1", s("unexpected character '[' (line 1, column 2)")),
    ] {
        assert_eq!(error_text(text), expected, "{text}");
    }
    assert!(
        error_text("DEFAULT perfect")
            .starts_with("heuristic 'perfect' is not available in policies (line 1, column 9) | expected one of ")
    );
    assert!(error_text("DEFAULT quux").contains("| expected one of blockers-lower-bound, goal-distance, "));
}

const VALUE: &str = "a value consists of numbers, heuristics that estimate, '+', '-', '*' and parentheses: 2*h1 + 3";

fn s(text: &str) -> String {
    text.to_owned()
}

#[test]
fn oversized_texts_are_rejected() {
    let contains = |text: &str, part: &str| assert!(error_text(text).contains(part), "{}", error_text(text));
    contains(&format!("DEFAULT {}", "(".repeat(100_000)), "nested more than 200 levels deep");
    contains(&format!("DEFAULT {}", "-".repeat(100_000)), "nested more than 200 levels deep");
    contains(&format!("IF {}", "(".repeat(100_000)), "nested more than 200 levels deep");
    contains(&format!("DEFAULT {}1", "1+".repeat(100_000)), "at most 2000 parts");
    contains(&"IF g<=1 THEN 1\n".repeat(MAX_RULES + 1), "a policy has at most 64");
    contains(&" ".repeat(1 << 20), "the maximum is 262144 bytes");
    contains(&format!("DEFAULT {}", "x".repeat(100_000)), "unknown heuristic 'xxxx");
    assert!(error_text(&format!("DEFAULT {}", "x".repeat(100_000))).len() < 1000);
}

#[test]
fn the_largest_trees_round_trip() {
    let long = format!("DEFAULT {}h1\n", "1 + ".repeat(MAX_NODES / 2 - 1));
    let policy: Policy = long.parse().unwrap();
    assert_eq!(policy.to_string(), long.replace("h1", "blockers-lower-bound"));
    let deep = format!("DEFAULT {}h1{}", "(1 + ".repeat(150), ")".repeat(150));
    assert_eq!(canonical(&canonical(&deep)), canonical(&deep));
}

proptest! {
    #[test]
    fn printed_policies_parse_to_the_same_policy(policy in policies()) {
        let text = policy.to_string();
        prop_assert_eq!(text.parse::<Policy>().map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?, policy);
    }

    #[test]
    fn genomes_round_trip(policy in policies()) {
        prop_assert_eq!(Policy::from_genome(&policy.to_genome()), Ok(policy));
    }

    #[test]
    fn the_parser_does_not_panic_on_any_text(text in "\\PC*") {
        let _ = text.parse::<Policy>();
    }

    #[test]
    fn the_parser_does_not_panic_on_any_sequence_of_tokens(tokens in proptest::collection::vec(token(), 0..40)) {
        let text = tokens.concat();
        if let Ok(policy) = text.parse::<Policy>() {
            prop_assert_eq!(policy.to_string().parse::<Policy>().unwrap(), policy);
        }
    }

    #[test]
    fn the_parser_does_not_panic_on_truncated_or_changed_text(policy in policies(), cut in 0..400usize, put in "\\PC?") {
        let text = policy.to_string();
        let cut = text.char_indices().map(|(at, _)| at).nth(cut).unwrap_or(text.len());
        let _ = format!("{}{put}{}", &text[..cut], text[cut..].get(1..).unwrap_or_default()).parse::<Policy>();
    }
}

fn token() -> impl Strategy<Value = String> {
    let tokens = [
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
    proptest::sample::select(tokens.to_vec()).prop_map(str::to_owned)
}
