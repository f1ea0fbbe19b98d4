//! Execution of programs: all four styles compared with a simple interpreter.

use clearway_gp::Tree;
use clearway_gp::generate::{self, Method};
use clearway_gp::rng::stream;
use clearway_tiles::heuristics::PaperMeasure;
use clearway_tiles::program::primitives::{AND, IF, ROOT_IF, WHOLE, moves_of, primitives};
use clearway_tiles::program::{Execution, Style};
use clearway_tiles::{Board, Move, Program, Puzzle, Size, moves};
use proptest::prelude::*;

/// A part of a program as a tree of boxes.
enum Part {
    If(Box<Part>, Box<Part>),
    And(Box<Part>, Box<Part>),
    Word(&'static [Move]),
}

fn part(tree: &Tree, at: &mut usize) -> Part {
    let primitive = tree.nodes[*at].primitive;
    *at += 1;
    let mut next = || Box::new(part(tree, at));
    match primitive {
        ROOT_IF | IF => Part::If(next(), next()),
        AND => Part::And(next(), next()),
        word => Part::Word(moves_of(word)),
    }
}

/// Returns the board after the possible moves, and these moves.
fn after(board: &Board, moves: &[Move]) -> (Board, Vec<Move>) {
    let mut board = *board;
    let made = moves.iter().copied().filter(|&mv| board.make(mv)).collect();
    (board, made)
}

impl Part {
    /// String mode: the moves that the part chooses for one board.
    fn string(&self, puzzle: &Puzzle, board: &Board) -> Vec<Move> {
        match self {
            Part::If(first, second) => {
                let [first, second] = [first, second].map(|part| part.string(puzzle, board));
                let [a, b] = [&first, &second].map(|moves| PaperMeasure::evaluate(puzzle, &after(board, moves).0));
                if a < b { first } else { second }
            }
            Part::And(first, second) => [first.string(puzzle, board), second.string(puzzle, board)].concat(),
            Part::Word(moves) => moves.to_vec(),
        }
    }

    /// Acting mode: the resulting board and the moves made.
    fn act(&self, puzzle: &Puzzle, board: &Board) -> (Board, Vec<Move>) {
        match self {
            Part::If(first, second) => {
                let [first, second] = [first, second].map(|part| part.act(puzzle, board));
                if PaperMeasure::evaluate(puzzle, &first.0) < PaperMeasure::evaluate(puzzle, &second.0) {
                    first
                } else {
                    second
                }
            }
            Part::And(first, second) => {
                let (between, mut moves) = first.act(puzzle, board);
                let (board, others) = second.act(puzzle, &between);
                moves.extend(others);
                (board, moves)
            }
            Part::Word(moves) => after(board, moves),
        }
    }

    fn round(&self, acting: bool, puzzle: &Puzzle, board: &Board) -> (Board, Vec<Move>) {
        if acting { self.act(puzzle, board) } else { after(board, &self.string(puzzle, board)) }
    }
}

/// Runs a program; returns its moves, the final board, and the number of rounds.
fn reference_run(program: &Program, puzzle: &Puzzle) -> (Vec<Move>, Board, u32) {
    let root = part(&program.tree, &mut 0);
    let (mut all, mut board, mut rounds) = (Vec::new(), *puzzle.board(), 0);
    while board != *puzzle.goal() {
        let (next, moves) = root.round(program.style.acting, puzzle, &board);
        rounds += 1;
        if program.style.looped && PaperMeasure::evaluate(puzzle, &next) >= PaperMeasure::evaluate(puzzle, &board) {
            break;
        }
        all.extend(moves);
        board = next;
        if !program.style.looped {
            break;
        }
    }
    (all, board, rounds)
}

fn is_solved(run: &Execution) -> bool {
    run.board == Board::ordered(run.board.size())
}

proptest! {
    #[test]
    fn programs_agree_with_the_reference_interpreter(seed in any::<u64>(), looped in any::<bool>(), acting in any::<bool>(), size in 0..3_usize) {
        let rng = &mut stream(seed, 0, 0);
        let method = if seed.is_multiple_of(2) { Method::Grow } else { Method::Full };
        let tree = generate::tree(&primitives(true, true), WHOLE, method, 6, 200, rng).unwrap();
        let mut program = Program::parse("(if u d)").unwrap();
        (program.style, program.tree) = (Style { looped, acting }, tree);
        let goal = Board::ordered([Size::new(3, 3), Size::new(2, 4), Size::new(4, 4)][size].unwrap());
        let puzzle = Puzzle::new(Board::random(&goal, rng)).unwrap();
        let run = program.run(&puzzle, usize::MAX);
        prop_assert!(!run.stopped);
        prop_assert_eq!((run.moves.clone(), run.board, run.rounds), reference_run(&program, &puzzle));
        prop_assert_eq!(moves::replay(puzzle.board(), &run.moves), Ok(run.board));
        // A limit can only end the run after an earlier round.
        let limit = run.moves.len() / 2;
        let short = program.run(&puzzle, limit);
        prop_assert!(run.moves.starts_with(&short.moves));
        let is_correct = if short.stopped { short.moves.len() >= limit } else { short == run };
        prop_assert!(is_correct);
    }
}

fn run(text: &str, board: &str) -> Execution {
    Program::parse(text).unwrap().run(&Puzzle::new(Board::parse(board).unwrap()).unwrap(), 1000)
}

fn made(text: &str, board: &str) -> String {
    moves::text(&run(text, board).moves)
}

#[test]
fn a_program_runs_once_or_loops_while_the_measure_decreases() {
    // The goal is two moves away: right and down.
    let board = "123406758";
    let choice = "(if u (if d (if l r)))";
    assert_eq!(made(&format!("run: once\n{choice}"), board), "d");
    assert_eq!(run(&format!("run: loop\n{choice}"), "123450786").rounds, 1);
    let looped = run(&format!("run: loop\n{choice}"), board);
    assert_eq!((looped.moves.len(), looped.rounds, is_solved(&looped)), (2, 2, true));
    // Without a loop, the moves are made even if they do not decrease the measure; in a loop they are not.
    assert_eq!(made("run: once\n(if u u)", "123450786"), "u");
    let refused = run("run: loop\n(if u u)", "123450786");
    assert_eq!((refused.moves.len(), refused.rounds, refused.stopped), (0, 1, false));
    // A solved board is left alone.
    assert_eq!(run("run: once\n(if u u)", "123456780").rounds, 0);
}

#[test]
fn an_if_chooses_its_second_part_among_equals() {
    assert_eq!(made("run: once do\n(if lr ud)", "123405786"), "ud");
    assert_eq!(made("run: once do\n(if ud lr)", "123405786"), "lr");
    assert_eq!(made("run: once\n(if lr ud)", "123405786"), "ud");
}

#[test]
fn string_mode_sees_the_initial_board_and_acting_mode_the_current_one() {
    // After r, the blank is above its goal position and d solves the board; on the initial board, u is better than d.
    let (board, program) = ("123405786", "(if (and r (if d u)) (and r (if d u)))");
    let acting = run(&format!("run: once do\n{program}"), board);
    assert_eq!((moves::text(&acting.moves).as_str(), is_solved(&acting)), ("rd", true));
    let by_strings = run(&format!("run: once\n{program}"), board);
    assert_eq!((moves::text(&by_strings.moves).as_str(), is_solved(&by_strings)), ("ru", false));
}

#[test]
fn impossible_moves_are_skipped() {
    // The blank is at the right edge: r is impossible, l and d are possible.
    for how in ["once", "once do"] {
        assert_eq!(made(&format!("run: {how}\n(if rrld rrld)"), "123450786"), "ld");
        assert_eq!(made(&format!("run: {how}\n(if (and r ld) (and r ld))"), "123450786"), "ld");
        assert_eq!(made(&format!("run: {how}\n(if rr rrr)"), "123450786"), "");
    }
}

#[test]
fn a_program_is_stopped_by_the_move_limit() {
    let puzzle = Puzzle::new(Board::parse("867254301").unwrap()).unwrap();
    let words =
        "u d l r lur rul uld ruuld dllur drrul urrdluld uuldrdlur lurrdluld urdrulldrur llurdrulldrur".split(' ');
    let choices = words.fold("uldlurdrulldrur".to_owned(), |others, word| format!("(if {word} {others})"));
    // Twenty moves back and forth before each choice make every round long.
    let program = Program::parse(&format!("run: loop do\n(if {choices} (and {} {choices}))", "ud".repeat(10))).unwrap();
    let free = program.run(&puzzle, usize::MAX);
    assert!(free.rounds > 2 && !free.stopped, "{free:?}");
    let stopped = program.run(&puzzle, 1);
    assert!(stopped.stopped && stopped.rounds == 1 && free.moves.starts_with(&stopped.moves), "{stopped:?}");
    // Every round decreases the measure, so there are at most as many rounds as its initial value.
    assert!(free.rounds as usize <= PaperMeasure::evaluate(&puzzle, puzzle.board()));
}
