//! The text format of programs: round trips, and error messages with positions.

use clearway_gp::Tree;
use clearway_gp::generate::{self, Method};
use clearway_gp::rng::stream;
use clearway_tiles::program::primitives::{AND, FIRST_WORD, IF, ROOT_IF, WHOLE, WORDS, primitives};
use clearway_tiles::program::{MAX_TEXT_LENGTH, Style};
use clearway_tiles::{Board, Program, Puzzle, Size, moves};
use proptest::prelude::*;

const STYLES: [Style; 4] = [
    Style { looped: true, acting: false },
    Style { looped: true, acting: true },
    Style { looped: false, acting: false },
    Style { looped: false, acting: true },
];

/// Returns a random tree; without macros, it has long chains of single moves.
fn any_tree(seed: u64, macros: bool) -> Tree {
    let method = [Method::Grow, Method::Full, Method::Weighted][(seed % 3) as usize];
    let rng = &mut stream(seed, 0, 0);
    generate::tree(&primitives(true, macros), WHOLE, method, 7, 300, rng).expect("programs fit into 7 levels")
}

/// Returns the tree as it is parsed back: a macro that is two terminals is parsed as the first of them.
fn readable(tree: &Tree) -> Tree {
    let mut tree = tree.clone();
    for node in &mut tree.nodes {
        if let Some(word) = node.primitive.checked_sub(FIRST_WORD) {
            let first = WORDS.iter().position(|other| *other == WORDS[usize::from(word)]).expect("itself");
            node.primitive = FIRST_WORD + first as u16;
        }
    }
    tree
}

proptest! {
    #[test]
    fn printed_programs_parse_to_the_same_program(
        seed in any::<u64>(), macros in any::<bool>(), style in 0..4_usize, about in "([a-z#:(]{1,9}( [a-z]{1,5})?\n?){0,3}",
    ) {
        let mut program = Program::parse("(if u d)").unwrap();
        program.about = about.trim_end().to_owned();
        (program.style, program.tree) = (STYLES[style], any_tree(seed, macros));
        let text = program.to_string();
        let read = Program::parse(&text).unwrap();
        prop_assert_eq!(&read, &Program { tree: readable(&program.tree), ..program.clone() });
        prop_assert_eq!(read.to_string(), text);
        for number in 0..3 {
            let goal = Board::ordered(Size::new(3, 3).unwrap());
            let puzzle = Puzzle::new(Board::random(&goal, &mut stream(seed, 1, number))).unwrap();
            prop_assert_eq!(read.run(&puzzle, 100), program.run(&puzzle, 100));
        }
    }

    #[test]
    fn the_parser_does_not_panic_on_any_text(text in "[(ifandulr)# \n:é]{0,60}") {
        if let Err(fault) = Program::parse(&text) {
            prop_assert!(fault.span.start <= fault.span.end && fault.span.end <= text.len());
            prop_assert!(text.is_char_boundary(fault.span.start) && text.is_char_boundary(fault.span.end));
        }
    }
}

fn primitives_of(text: &str) -> Vec<u16> {
    Program::parse(text).unwrap().tree.nodes.iter().map(|node| node.primitive).collect()
}

fn word(text: &str) -> u16 {
    FIRST_WORD + WORDS.iter().position(|word| *word == text).unwrap() as u16
}

#[test]
fn words_and_long_ands_are_parsed_as_nested_ands() {
    let (u, d, l, r) = (word("u"), word("d"), word("l"), word("r"));
    assert_eq!(primitives_of("(if lur urdrulldrur)"), [ROOT_IF, word("lur"), word("urdrulldrur")]);
    assert_eq!(primitives_of("(if uud u)"), [ROOT_IF, AND, u, AND, u, d, u]);
    assert_eq!(primitives_of("(if (and u (if l r) d) u)"), [ROOT_IF, AND, u, AND, IF, l, r, d, u]);
    assert_eq!(primitives_of("(if (and u d l r) u)"), primitives_of("(if (and u (and d (and l r))) u)"));
    assert_eq!(primitives_of("(if U d)"), [ROOT_IF, u, d], "upper-case letters are moves too");
}

#[test]
fn a_program_is_printed_as_a_list_of_choices() {
    let text = "# how to go home\nabout: one\nabout: two\nrun: once do # no loop\n\n(if\tlur # a macro\n (if (and u ur) ud))\n";
    let program = Program::parse(text).unwrap();
    assert_eq!((program.about.as_str(), program.style), ("one\ntwo", Style { looped: false, acting: true }));
    assert_eq!(program.to_string(), "about: one\nabout: two\nrun: once do\n(if lur\n(if uur\nud))\n");
    // A chain of moves that spells a macro is not printed as the macro.
    let chain = Program::parse("(if (and l (and u r)) lur)").unwrap();
    assert_eq!(chain.to_string(), "run: loop do\n(if (and l ur)\nlur)\n");
}

/// Returns the error message of an invalid text and the part of the text that it refers to.
fn fault(text: &str) -> (String, &str) {
    let fault = Program::parse(text).expect_err(text);
    (fault.message, &text[fault.span])
}

#[test]
fn errors_name_the_fault_and_its_position() {
    for (text, message, place) in [
        ("", "the program ends too early; expected a part", ""),
        ("# only a comment\n", "the program ends too early; expected a part", ""),
        ("(if u", "the program ends too early; expected a part", ""),
        ("(if u d", "unclosed parenthesis", "("),
        ("(if (and u d l r) (and u d", "unclosed parenthesis", "("),
        ("(if u (", "expected a function after the parenthesis", "("),
        ("(if u ())", "expected a function after the parenthesis", "("),
        ("(if u )", "expected a part", ")"),
        ("(if u d l)", "too many parts; an if has two", "l"),
        ("(if u (not d))", "unknown function 'not'", "not"),
        ("(if u lurx)", "'x' is not a move", "x"),
        ("(if u lé)", "'é' is not a move", "é"),
        ("(if u d) l", "unexpected 'l' after the end of the program", "l"),
        ("about: x\n(and u d)", "a program must start with (if ...)", "(and u d)"),
        ("lur", "a program must start with (if ...)", "lur"),
        ("run: twice\n(if u d)", "invalid run mode", " twice"),
        ("run:\n(if u d)", "invalid run mode", ""),
        ("run: loop loop\n(if u d)", "invalid run mode", " loop loop"),
    ] {
        assert_eq!(fault(text), (message.to_owned(), place), "{text}");
    }
    let help = Program::parse("(if u (not d))").unwrap_err().help.unwrap();
    assert!(help.contains("(if a b), (and a b) or a word"), "{help}");
    assert_eq!(Program::parse("(if u lurx)").unwrap_err().span, 9..10);
    assert!(moves::parse("(").is_err());
}

#[test]
fn programs_have_limits() {
    let nested = |levels: usize| format!("{}u{}", "(if d ".repeat(levels), ")".repeat(levels));
    assert!(Program::parse(&nested(99)).is_ok());
    let deep = nested(100);
    assert_eq!(fault(&deep).0, "the program is more than 100 levels deep");
    // The recursion ends there, however deep the text is nested.
    assert_eq!(Program::parse(&nested(100_000)).unwrap_err().span, Program::parse(&deep).unwrap_err().span);
    let long_and = format!("(if u (and{}))", " u".repeat(200));
    assert_eq!(fault(&long_and).0, "the program is more than 100 levels deep");
    let long_word = format!("(if u {})", "u".repeat(200));
    assert!(fault(&long_word).0.contains("depth 201; the limits are 100000 and 100"), "{:?}", fault(&long_word));
    let endless = " ".repeat(MAX_TEXT_LENGTH + 1);
    let (message, place) = fault(&endless);
    assert!(message.starts_with("program too long") && place.is_empty(), "{message}");
}
