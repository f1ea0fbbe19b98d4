//! `clearway show`: draws boards and solutions.

use crate::args::ShowArgs;
use crate::exit::ExitCode;
use crate::failure::{CommandResult, Failure, message_with_help};
use crate::input::{Boards, Fallback, InputEntry};
use crate::json::{self, ShowRecord};
use crate::output::{self, Context};
use crate::searcher::SharedLimits;
use clearway_answers::records::Moves;
use clearway_answers::{SolveMethod, TypedMoves};

use clearway_rush::formats::{self, ansi, svg};
use clearway_rush::{Board, Move, Portfolio, Solution};
use clearway_search::{Limit, Verdict};
use std::fmt::Write as _;
use std::io::Write;

/// Draws every board.
pub fn run(args: &ShowArgs, context: &Context) -> CommandResult {
    let boards = Boards::open(&args.input, Fallback::Nothing)?;
    if let Some(path) = &args.svg {
        let entry = boards.only()?;
        let board = &entry.puzzle.board;
        let options = svg::SvgOptions { title: entry.puzzle.name.clone(), ..svg::SvgOptions::default() };
        let picture = if args.strip || args.animate {
            let moves = solution(args, &entry, context)?.0;
            let draw = if args.strip { svg::strip } else { svg::animation };
            draw(board, &moves, &options).map_err(|error| Failure::bad_input(miette::miette!("{error}")))?
        } else {
            svg::board(board, &options)
        };
        output::write_file(path, &picture, context)?;
        return Ok(ExitCode::Done);
    }
    let mut out = context.stdout();
    let mut code = ExitCode::Done;
    for item in boards {
        let drawn = item.map_err(Failure::bad_input).and_then(|entry| draw(&entry, args, context));
        match drawn {
            Ok(text) => out.write_all(text.as_bytes())?,
            Err(Failure::Report(worse, report)) if args.input.keep_going && !context.interrupt.is_raised() => {
                out.flush()?;
                context.report(&report);
                code = code.max(worse);
            }
            Err(failure) => {
                out.flush()?;
                return Err(failure);
            }
        }
        out.flush()?;
    }
    Ok(code)
}

/// Formats one board, or with `--strip` all boards of its solution.
fn draw(entry: &InputEntry, args: &ShowArgs, context: &Context) -> Result<String, Failure> {
    let board = &entry.puzzle.board;
    let moves = if args.strip { solution(args, entry, context)?.0 } else { Vec::new() };
    let boards = boards_along(board, &moves)?;
    if context.global.json {
        let record = ShowRecord {
            name: entry.puzzle.name.as_deref(),
            board: formats::line(board),
            pictures: boards.iter().map(|board| ansi::board(board, false)).collect(),
            solution: args.strip.then_some(Moves(&moves)),
        };
        return Ok(json::line(&record));
    }
    let mut text = format!("{}\n", entry.title());
    for (index, board) in boards.iter().enumerate() {
        if index > 0 {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{index}. {}", moves[index - 1]);
        }
        text += ansi::board(board, context.stdout_colour()).trim_end_matches('\n');
        text += "\n\n";
    }
    Ok(text)
}

/// Returns the board before the first move and after each move.
fn boards_along(board: &Board, moves: &[Move]) -> Result<Vec<Board>, Failure> {
    let mut boards = vec![board.clone()];
    let mut board = board.clone();
    for &mv in moves {
        board.apply(mv).map_err(|error| Failure::bad_input(miette::miette!("{mv} is not possible: {error}")))?;
        boards.push(board.clone());
    }
    Ok(boards)
}

/// Returns the solution to draw: the one given, else the one in the input, else a shortest one.
fn solution(args: &ShowArgs, entry: &InputEntry, context: &Context) -> Result<Solution, Failure> {
    let board = &entry.puzzle.board;
    let given = args.solution.clone().or_else(|| entry.puzzle.solution.as_ref().map(Solution::to_string));
    if let Some(text) = given {
        let typed = TypedMoves::parse(&text).map_err(Failure::bad_input)?;
        typed.replay(board).map_err(Failure::bad_input)?;
        return Ok(Solution(typed.moves));
    }
    let method = SolveMethod::Portfolio(Portfolio { threads: context.threads(), ..Portfolio::default() });
    let answer = SharedLimits::new(1, context).searcher().solve(&method, board, args.metric, &|_| {}).answer;
    let (code, message) = match (answer.verdict, answer.solution) {
        (_, Some(solution)) => return Ok(solution),
        (Verdict::Limit(Limit::Cancelled), None) => (ExitCode::Interrupted, "interrupted".to_owned()),
        (Verdict::Limit(limit), None) => {
            (ExitCode::Limit, format!("{}: {limit} before a solution was found", entry.title()))
        }
        (_, None) => {
            (ExitCode::Unsolvable, format!("{} is unsolvable, so there is no solution to draw", entry.title()))
        }
    };
    Err(Failure::Report(code, message_with_help(message, "pass the moves to draw, such as --solution 'C-1 A+2'")))
}
