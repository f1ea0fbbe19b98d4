//! The programs that come with clearway do what they say.

use clearway_gp::rng::stream;
use clearway_tiles::exact::Exact;
use clearway_tiles::library::NamedProgram;
use clearway_tiles::program::Compiled;
use clearway_tiles::{Board, Puzzle, Size, moves};
use std::thread;

/// The moves of all solutions, and of the longest. Each is replayed by code that neither programs nor solvers share.
fn solve_all(boards: &[Board], program: &Compiled) -> (usize, usize) {
    let goal = Board::ordered(boards[0].size());
    let puzzle = Puzzle::new(goal).unwrap();
    boards.iter().fold((0, 0), |(all, longest), board| {
        let solution = program.run(&puzzle.from_board(*board), 10_000).direct();
        assert_eq!(moves::replay(board, &solution), Ok(goal), "{board}");
        (all + solution.len(), longest.max(solution.len()))
    })
}

#[test]
fn the_program_for_3x3_solves_every_board() {
    let program = NamedProgram::open("tiles-3x3").unwrap().program;
    let exact = Exact::new(&Board::ordered(Size::new(3, 3).unwrap())).unwrap();
    let boards: Vec<Board> = exact.boards().collect();
    assert_eq!(boards.len(), 181_440);
    let compiled = &Compiled::new(&program);
    let (moves, longest) = thread::scope(|scope| {
        let parts = boards.chunks(boards.len().div_ceil(4));
        let threads: Vec<_> = parts.map(|part| scope.spawn(move || solve_all(part, compiled))).collect();
        let results = threads.into_iter().map(|thread| thread.join().unwrap());
        results.fold((0, 0), |(all, longest), (moves, most)| (all + moves, longest.max(most)))
    });
    let said = format!(
        "All 181,440 boards: 181,440 solved, mean length {:.2}, longest {longest}; optimal 21.97 and 31",
        moves as f64 / boards.len() as f64
    );
    assert!(program.about.contains(&said), "{said}\n{}", program.about);
}

#[test]
fn the_program_for_4x4_solves_most_boards() {
    let program = Compiled::new(&NamedProgram::open("tiles-4x4").unwrap().program);
    let goal = Board::ordered(Size::new(4, 4).unwrap());
    let mut rng = stream(4, 0, 0);
    let is_solved = |board: Board| {
        let solution = program.run(&Puzzle::new(board).unwrap(), 10_000).direct();
        moves::replay(&board, &solution) == Ok(goal)
    };
    let solved = (0..200).filter(|_| is_solved(Board::random(&goal, &mut rng))).count();
    assert!(solved >= 140, "about 77 % of all boards are, and {solved} of 200 were");
}
