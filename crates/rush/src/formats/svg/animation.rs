//! A solution as an animation, by keyframes of CSS.

use super::shapes::{CELL, Lot};
use super::{Picture, SvgOptions, boards_along};
use crate::{Board, Move, MoveError, Orientation};
use std::fmt::Write;

/// Milliseconds before the first move, between moves, for a move, more for each of its cells, for the way out and
/// after it.
const BEFORE: u64 = 1200;
const BETWEEN: u64 = 250;
const MOVE: u64 = 250;
const PER_CELL: u64 = 120;
const WAY_OUT: u64 = 900;
const AFTER: u64 = 2000;

/// The height of the line below the board that says the move.
const CAPTION: u32 = 40;

/// The line below the board, and rest for readers who asked for it: they see the board and the number of moves.
const STYLE: &str = "
.rush-caption{font-size:26px}
.rush-vehicle>g,.rush-script{animation-iteration-count:infinite;animation-timing-function:ease-in-out}
.rush-script{animation-timing-function:step-end}
@media (prefers-reduced-motion:reduce){.rush-vehicle>g,.rush-script{animation:none!important}}
";

/// An animation of a solution, which pauses at its end and begins again. When the moves solve the board, the target
/// drives out by the exit. The error is that of the first move that cannot be made.
pub fn animation(board: &Board, moves: &[Move], options: &SvgOptions) -> Result<String, MoveError> {
    let boards = boards_along(board, moves)?;
    let lot = Lot::new(board);
    let mut picture = Picture::new(board, options, "a");
    picture.style.push_str(STYLE);
    let top = picture.heading(lot.width);
    let clock = Clock::new(moves, boards.last().is_some_and(Board::is_solved));
    let _ = write!(picture.body, "<g transform=\"translate(0 {top})\">");
    let ground = lot.ground(board, &picture.prefix);
    picture.body.push_str(&ground);
    // The target last: it leaves above the frame, not under a vehicle.
    for (index, vehicle) in board.vehicles().iter().enumerate().rev() {
        let (x, y) = lot.corner(*vehicle);
        let shape = picture.vehicle(board, index);
        let frames = clock.vehicle_frames(board, moves, index);
        let Picture { prefix, style, body, .. } = &mut picture;
        let mut motion = String::new();
        if !frames.is_empty() {
            let _ = writeln!(style, "@keyframes {prefix}v{index}{{{frames}}}");
            motion = format!(" style=\"animation-name:{prefix}v{index};animation-duration:{}ms\"", clock.total);
        }
        let label = vehicle.label;
        let _ = write!(
            body,
            "<g class=\"rush-vehicle\" data-label=\"{label}\" transform=\"translate({x} {y})\"><g{motion}>{shape}</g></g>"
        );
    }
    let height = lot.height + CAPTION;
    script(&mut picture, &clock, moves, lot.width / 2, lot.height);
    picture.body.push_str("</g>");
    Ok(picture.finish(lot.width, height + top))
}

/// The line that says the move: all lines are one below the other, and a window moves along them.
fn script(picture: &mut Picture<'_>, clock: &Clock, moves: &[Move], middle: u32, y: u32) {
    let Picture { prefix, style, body, .. } = picture;
    let count = moves.len();
    let mut frames = String::from("0%{transform:none}");
    let mut lines = vec![if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }];
    for (index, (mv, start)) in moves.iter().zip(&clock.starts).enumerate() {
        let shift = (index as u32 + 1) * CAPTION;
        let _ = write!(frames, "{}{{transform:translateY(-{shift}px)}}", clock.percent(*start));
        lines.push(format!("{mv}  ({} of {count})", index + 1));
    }
    let last = count as u32 * CAPTION;
    let _ = write!(frames, "100%{{transform:translateY(-{last}px)}}");
    let _ = writeln!(style, "@keyframes {prefix}script{{{frames}}}");
    let _ = write!(
        body,
        "<clipPath id=\"{prefix}window\"><rect x=\"0\" y=\"{y}\" width=\"{}\" height=\"{CAPTION}\"/></clipPath>\
         <g clip-path=\"url(#{prefix}window)\"><g class=\"rush-script\" \
         style=\"animation-name:{prefix}script;animation-duration:{}ms\">",
        2 * middle,
        clock.total
    );
    for (index, line) in lines.iter().enumerate() {
        let y = y + index as u32 * CAPTION + 26;
        let _ = write!(body, "<text class=\"rush-ink rush-caption\" x=\"{middle}\" y=\"{y}\">{line}</text>");
    }
    body.push_str("</g></g>");
}

/// When everything happens, in milliseconds.
struct Clock {
    starts: Vec<u64>,
    ends: Vec<u64>,
    /// When the target begins to drive out, if it does.
    way_out: Option<u64>,
    total: u64,
}

impl Clock {
    fn new(moves: &[Move], solves: bool) -> Clock {
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        let mut now = BEFORE;
        for mv in moves {
            starts.push(now);
            now += MOVE + PER_CELL * u64::from(mv.cells.unsigned_abs());
            ends.push(now);
            now += BETWEEN;
        }
        let way_out = solves.then_some(now);
        if solves {
            now += WAY_OUT;
        }
        Clock { starts, ends, way_out, total: now + AFTER }
    }

    fn percent(&self, time: u64) -> String {
        format!("{:.3}%", time as f64 * 100.0 / self.total as f64)
    }

    /// The keyframes of a vehicle relative to where it starts; nothing for one that never moves.
    fn vehicle_frames(&self, board: &Board, moves: &[Move], index: usize) -> String {
        let vehicle = &board.vehicles()[index];
        let axis = if vehicle.orientation == Orientation::Horizontal { 'X' } else { 'Y' };
        let shift = |cells: i32| format!("transform:translate{axis}({}px)", cells * CELL as i32);
        let mut frames = String::new();
        let mut cells = 0;
        let own = moves.iter().enumerate().filter(|(_, mv)| mv.label == vehicle.label);
        for (number, mv) in own {
            let _ = write!(frames, "{}{{{}}}", self.percent(self.starts[number]), shift(cells));
            cells += i32::from(mv.cells);
            let _ = write!(frames, "{}{{{}}}", self.percent(self.ends[number]), shift(cells));
        }
        let mut opacity = "";
        if let Some(start) = self.way_out.filter(|_| index == 0) {
            // Far enough to be out of the picture, and gone by then.
            let out = i32::from(vehicle.length) + 1;
            let _ = write!(frames, "{}{{{};opacity:1}}", self.percent(start), shift(cells));
            cells += if board.exit().side().is_forward() { out } else { -out };
            opacity = ";opacity:0";
            let _ = write!(frames, "{}{{{}{opacity}}}", self.percent(start + WAY_OUT), shift(cells));
        }
        if !frames.is_empty() {
            let _ = write!(frames, "100%{{{}{opacity}}}", shift(cells));
        }
        frames
    }
}
