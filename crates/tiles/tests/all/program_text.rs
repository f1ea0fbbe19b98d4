//! Programs as text: what is written is read back, and what is wrong is told with its place.

use clearway_gp::Tree;
use clearway_gp::generate::{self, Method};
use clearway_gp::rng::stream;
use clearway_tiles::program::primitives::{AND, FIRST_WORD, IF, ROOT_IF, WHOLE, WORDS, primitives};
use clearway_tiles::program::{LONGEST_TEXT, Style};
use clearway_tiles::{Board, Program, Puzzle, Size, moves};
use proptest::prelude::*;

const STYLES: [Style; 4] = [
    Style { looped: true, acting: false },
    Style { looped: true, acting: true },
    Style { looped: false, acting: false },
    Style { looped: false, acting: true },
];

/// A random tree, with long chains of single moves where there are no macros.
fn any_tree(seed: u64, macros: bool) -> Tree {
    let method = [Method::Grow, Method::Full, Method::Weighted][(seed % 3) as usize];
    let rng = &mut stream(seed, 0, 0);
    generate::tree(&primitives(true, macros), WHOLE, method, 7, 300, rng).expect("programs fit into 7 levels")
}

/// The tree as it is read back: of the two terminals that are one macro, text knows the first.
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
    fn a_program_is_read_back_as_it_was_written(
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
    fn no_text_whatever_makes_the_reader_panic(text in "[(ifandulr)# \n:é]{0,60}") {
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
fn words_and_long_ands_are_short_for_ands() {
    let (u, d, l, r) = (word("u"), word("d"), word("l"), word("r"));
    assert_eq!(primitives_of("(if lur urdrulldrur)"), [ROOT_IF, word("lur"), word("urdrulldrur")]);
    assert_eq!(primitives_of("(if uud u)"), [ROOT_IF, AND, u, AND, u, d, u]);
    assert_eq!(primitives_of("(if (and u (if l r) d) u)"), [ROOT_IF, AND, u, AND, IF, l, r, d, u]);
    assert_eq!(primitives_of("(if (and u d l r) u)"), primitives_of("(if (and u (and d (and l r))) u)"));
    assert_eq!(primitives_of("(if U d)"), [ROOT_IF, u, d], "capital letters are moves too");
}

#[test]
fn a_program_reads_as_a_list_of_choices() {
    let text = "# how to go home\nabout: one\nabout: two\nrun: once do # no loop\n\n(if\tlur # a macro\n (if (and u ur) ud))\n";
    let program = Program::parse(text).unwrap();
    assert_eq!((program.about.as_str(), program.style), ("one\ntwo", Style { looped: false, acting: true }));
    assert_eq!(program.to_string(), "about: one\nabout: two\nrun: once do\n(if lur\n(if uur\nud))\n");
    // A chain that spells a macro is not taken for it.
    let chain = Program::parse("(if (and l (and u r)) lur)").unwrap();
    assert_eq!(chain.to_string(), "run: loop do\n(if (and l ur)\nlur)\n");
}

/// What is wrong with a text, and the part of it that is.
fn fault(text: &str) -> (String, &str) {
    let fault = Program::parse(text).expect_err(text);
    (fault.message, &text[fault.span])
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (text, message, place) in [
        ("", "the program ends too early: a part is missing", ""),
        ("# only a comment\n", "the program ends too early: a part is missing", ""),
        ("(if u", "the program ends too early: a part is missing", ""),
        ("(if u d", "this parenthesis is not closed", "("),
        ("(if (and u d l r) (and u d", "this parenthesis is not closed", "("),
        ("(if u (", "this parenthesis holds nothing", "("),
        ("(if u ())", "this parenthesis holds nothing", "("),
        ("(if u )", "a part is missing here", ")"),
        ("(if u d l)", "an if has two parts, and this is a third", "l"),
        ("(if u (not d))", "'not' is no function", "not"),
        ("(if u lurx)", "'x' is no move", "x"),
        ("(if u lé)", "'é' is no move", "é"),
        ("(if u d) l", "'l' stands after the end of the program", "l"),
        ("about: x\n(and u d)", "a program begins with (if ...)", "(and u d)"),
        ("lur", "a program begins with (if ...)", "lur"),
        ("run: twice\n(if u d)", "this is no way to run a program", " twice"),
        ("run:\n(if u d)", "this is no way to run a program", ""),
        ("run: loop loop\n(if u d)", "this is no way to run a program", " loop loop"),
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
    // The recursion ends there, however much deeper the text goes.
    assert_eq!(Program::parse(&nested(100_000)).unwrap_err().span, Program::parse(&deep).unwrap_err().span);
    let long_and = format!("(if u (and{}))", " u".repeat(200));
    assert_eq!(fault(&long_and).0, "the program is more than 100 levels deep");
    let long_word = format!("(if u {})", "u".repeat(200));
    assert!(fault(&long_word).0.contains("levels; the limits are 100000 and 100"), "{:?}", fault(&long_word));
    let endless = " ".repeat(LONGEST_TEXT + 1);
    let (message, place) = fault(&endless);
    assert!(message.starts_with("a program has at most") && place.is_empty(), "{message}");
}
