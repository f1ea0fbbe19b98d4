//! Tests of hints: legal moves of shortest solutions, with reasons that hold.

use crate::common;
use clearway_answers::{Hint, MovePurpose, hint};
use clearway_rush::suites::Suite;
use clearway_rush::{Board, Metric, Move, Solver, formats, replay};
use clearway_search::{Limit, Limits};

fn hint_for(board: &Board, metric: Metric) -> Hint {
    hint(board, metric, &mut Solver::new(), &Limits::default())
}

fn read(text: &str) -> Board {
    formats::read_one(text, None).unwrap().board
}

#[test]
fn hints_shorten_the_solution_and_their_reasons_are_moves_of_it_in_order() {
    let traffic_jam = Suite::find("traffic-jam").unwrap().puzzles().into_iter().map(|puzzle| puzzle.board);
    let boards: Vec<Board> =
        common::cards(3).into_iter().chain(traffic_jam).chain(common::random_boards(300)).collect();
    let (mut hints, mut chained) = (0, 0);
    for board in &boards {
        for metric in [Metric::Moves, Metric::Steps] {
            let hint = hint_for(board, metric);
            let Some(text) = &hint.mv else {
                assert!(hint.status == "unsolvable" || board.is_solved());
                continue;
            };
            hints += 1;
            let mv: Move = text.parse().unwrap();
            let mut after = board.clone();
            after.apply(mv).unwrap();
            let cost = if metric == Metric::Moves { 1 } else { u32::from(mv.cells.unsigned_abs()) };
            assert_eq!(hint_for(&after, metric).moves, hint.moves.map(|moves| moves - cost), "{}", hint.board);
            let moves: Vec<Move> = hint.solution.iter().map(|text| text.parse().unwrap()).collect();
            assert!(replay(board, &moves).unwrap().solved);
            // The reasons start with the move, end at the exit, and are in the order of the solution.
            assert_eq!((&hint.reasons[0].mv, &hint.reasons[0].because), (text, &hint.why));
            assert_eq!(hint.reasons.last().map(|reason| &reason.mv), hint.solution.last());
            let mut rest = hint.solution.iter();
            assert!(hint.reasons.iter().all(|reason| rest.any(|mv| *mv == reason.mv)), "{hint:?}");
            assert!(hint.reasons.iter().all(|reason| reason.mv.starts_with(reason.vehicle)));
            assert_eq!(hint.reasons.last().map(|reason| reason.purpose), Some(MovePurpose::Exit));
            for pair in hint.reasons.windows(2) {
                let (is_same, is_last) = (pair[0].vehicle == pair[1].vehicle, pair[1].purpose == MovePurpose::Exit);
                assert_eq!(pair[0].purpose == MovePurpose::Again, is_same, "{hint:?}");
                assert_eq!(pair[0].purpose == MovePurpose::ExitPath, is_last && !is_same, "{hint:?}");
            }
            for reason in &hint.reasons {
                let sentence = reason.because.strip_suffix('.').unwrap();
                assert!(!sentence.contains('.'), "one sentence: {sentence}");
            }
            // A shortest solution has no useless move.
            assert!(hint.reasons.iter().all(|reason| !reason.because.contains("no later move")), "{hint:?}");
            chained += usize::from(hint.reasons.len() > 2);
        }
    }
    assert!(hints > 100 && chained > 50, "{hints} {chained}");
}

#[test]
fn the_next_move_of_the_chain_needs_the_first() {
    for board in common::cards(4) {
        let hint = hint_for(&board, Metric::Moves);
        let moves: Vec<Move> = hint.solution.iter().map(|text| text.parse().unwrap()).collect();
        let next = hint.solution.iter().position(|mv| *mv == hint.reasons[1].mv).unwrap();
        let without_first: Vec<Move> = moves[1..=next].to_vec();
        assert!(replay(&board, &without_first).is_err(), "{}", hint.board);
    }
}

#[test]
fn reasons_are_sentences() {
    let hint = hint_for(&read("6x6:.BBC.....C..AA.C..DDEE......FF......"), Metric::Moves);
    let sentences: Vec<&str> = hint.reasons.iter().map(|reason| reason.because.as_str()).collect();
    assert_eq!(
        sentences,
        [
            "Car E moves right 2 and makes room for truck C, which can then move down 3.",
            "Truck C moves down 3 and clears the way to the exit for car A.",
            "Car A moves right 4 and reaches the exit."
        ]
    );
    let purposes: Vec<MovePurpose> = hint.reasons.iter().map(|reason| reason.purpose).collect();
    assert_eq!(purposes, [MovePurpose::Room, MovePurpose::ExitPath, MovePurpose::Exit]);
}

#[test]
fn a_vehicle_that_moves_again_has_the_purpose_of_its_later_move() {
    let boards = common::cards(1).into_iter().chain(common::random_boards(300));
    let mut ends = std::collections::BTreeSet::new();
    for board in boards {
        let hint = hint_for(&board, Metric::Steps);
        for pair in hint.reasons.windows(2) {
            let [first, then] = pair else { unreachable!() };
            if first.purpose != MovePurpose::Again {
                continue;
            }
            let (end, others) = match then.purpose {
                MovePurpose::Exit => (" to reach the exit.", false),
                MovePurpose::ExitPath => (" to clear the way to the exit for ", true),
                MovePurpose::TargetPath => (" to get out of the way of ", true),
                MovePurpose::Room => (" to make room for ", true),
                _ => (", and later ", true),
            };
            assert!(first.because.contains(", and later ") && first.because.contains(end), "{first:?} {then:?}");
            assert!(others || first.because.ends_with(end), "{first:?} {then:?}");
            ends.insert(end);
        }
    }
    assert!(ends.len() > 1, "{ends:?}");
}

#[test]
fn a_hint_without_a_move_explains_why() {
    let solved = hint_for(&read("4x3:......AA...."), Metric::Moves);
    assert_eq!((solved.status, solved.moves, solved.mv), ("solved", Some(0), None));
    assert_eq!(solved.why, "Car A is at the exit: the board is solved.");
    let stuck = hint_for(&read("4x3:...BAA.B...B"), Metric::Moves);
    assert_eq!((stuck.status, stuck.moves, stuck.reasons.len()), ("unsolvable", None, 0));
    assert_eq!(stuck.why, "This board has no solution.");
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    let ended = hint(&common::cards(1)[39], Metric::Moves, &mut Solver::new(), &limits);
    assert_eq!((ended.status, ended.limit, ended.moves), ("limit", Some("nodes"), None));
    assert_eq!(ended.why, format!("No solution was found: {}.", Limit::Nodes));
}
