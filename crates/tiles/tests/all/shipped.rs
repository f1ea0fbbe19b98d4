//! The shipped programs do what their descriptions claim.

use clearway_gp::rng::stream;
use clearway_tiles::exact::DistanceTable;
use clearway_tiles::library::NamedProgram;
use clearway_tiles::program::{CompiledProgram, RoundTable};
use clearway_tiles::{Board, Puzzle, Size, moves};
use std::sync::atomic::AtomicBool;

#[test]
fn the_program_for_3x3_solves_every_board() {
    let program = NamedProgram::open("tiles-3x3").unwrap().program;
    let goal = Board::ordered(Size::new(3, 3).unwrap());
    let puzzle = Puzzle::new(goal).unwrap();
    let boards: Vec<Puzzle> =
        DistanceTable::new(&goal).unwrap().boards().map(|board| puzzle.with_start(board)).collect();
    assert_eq!(boards.len(), 181_440);
    let compiled = CompiledProgram::new(&program);
    let rounds = RoundTable::new(&compiled, &boards, 4, &AtomicBool::new(false)).unwrap();
    let (mut moves, mut longest) = (0, 0);
    for (number, puzzle) in boards.iter().enumerate() {
        let run = rounds.run(puzzle.board(), 10_000);
        if number.is_multiple_of(500) {
            assert_eq!(run, compiled.run(puzzle, 10_000), "{}", puzzle.board());
        }
        // Each solution is verified by the independent replay.
        let solution = run.direct();
        assert_eq!(moves::replay(puzzle.board(), &solution), Ok(goal), "{}", puzzle.board());
        moves += solution.len();
        longest = longest.max(solution.len());
    }
    let claim = format!(
        "All 181,440 boards: 181,440 solved, mean length {:.2}, longest {longest}; optimal 21.97 and 31",
        moves as f64 / boards.len() as f64
    );
    assert!(program.about.contains(&claim), "{claim}\n{}", program.about);
}

#[test]
fn the_program_for_4x4_solves_nearly_all_boards() {
    let program = CompiledProgram::new(&NamedProgram::open("tiles-4x4").unwrap().program);
    let goal = Board::ordered(Size::new(4, 4).unwrap());
    let mut rng = stream(4, 0, 0);
    let is_solved = |board: Board| {
        let solution = program.run(&Puzzle::new(board).unwrap(), 10_000).direct();
        moves::replay(&board, &solution) == Ok(goal)
    };
    let solved = (0..200).filter(|_| is_solved(Board::random(&goal, &mut rng))).count();
    assert!(solved >= 195, "only {solved} of 200 boards were solved");
}
