//! A solution as an animation with CSS keyframes.

use super::shapes::{CELL, Geometry};
use super::{Picture, SvgOptions, boards_along};
use crate::{Board, Move, MoveError, Orientation};
use std::fmt::Write;

// Durations in milliseconds: before the first move, between moves, for a move, for each of its cells in addition, for the target
// to drive out, and after the end.
const BEFORE: u64 = 1200;
const BETWEEN: u64 = 250;
const MOVE: u64 = 250;
const PER_CELL: u64 = 120;
const EXIT: u64 = 900;
const AFTER: u64 = 2000;

/// Height of the caption below the board, which shows the move.
const CAPTION: u32 = 40;

/// Style of the caption and the motion. With `prefers-reduced-motion`, only the board and the number of moves are shown.
const STYLE: &str = "
.rush-caption{font-size:26px}
.rush-vehicle>g,.rush-script{animation-iteration-count:infinite;animation-timing-function:ease-in-out}
.rush-script{animation-timing-function:step-end}
@media (prefers-reduced-motion:reduce){.rush-vehicle>g,.rush-script{animation:none!important}}
";

/// Draws a solution as an animation that pauses at its end and repeats. If the moves solve the board, the target drives out
/// through the exit. Fails with the error of the first move that is impossible.
pub fn animation(board: &Board, moves: &[Move], options: &SvgOptions) -> Result<String, MoveError> {
    let boards = boards_along(board, moves)?;
    let geometry = Geometry::new(board);
    let mut picture = Picture::new(board, options, "a");
    picture.style.push_str(STYLE);
    let top = picture.heading(geometry.width);
    let timeline = Timeline::new(moves, boards.last().is_some_and(Board::is_solved));
    let _ = write!(picture.body, "<g transform=\"translate(0 {top})\">");
    let ground = geometry.background(board, &picture.prefix);
    picture.body.push_str(&ground);
    // The target is drawn last, so that it leaves above the other vehicles.
    for (index, vehicle) in board.vehicles().iter().enumerate().rev() {
        let (x, y) = geometry.corner(*vehicle);
        let shape = picture.vehicle(board, index);
        let frames = timeline.vehicle_frames(board, moves, index);
        let Picture { prefix, style, body, .. } = &mut picture;
        let mut motion = String::new();
        if !frames.is_empty() {
            let _ = writeln!(style, "@keyframes {prefix}v{index}{{{frames}}}");
            motion = format!(" style=\"animation-name:{prefix}v{index};animation-duration:{}ms\"", timeline.total);
        }
        let label = vehicle.label;
        let _ = write!(
            body,
            "<g class=\"rush-vehicle\" data-label=\"{label}\" transform=\"translate({x} {y})\"><g{motion}>{shape}</g></g>"
        );
    }
    let height = geometry.height + CAPTION;
    write_captions(&mut picture, &timeline, moves, geometry.width / 2, geometry.height);
    picture.body.push_str("</g>");
    Ok(picture.finish(geometry.width, height + top))
}

/// Writes the captions: all of them below each other, with a window that moves along them.
fn write_captions(picture: &mut Picture<'_>, timeline: &Timeline, moves: &[Move], middle: u32, y: u32) {
    let Picture { prefix, style, body, .. } = picture;
    let count = moves.len();
    let mut frames = String::from("0%{transform:none}");
    let mut lines = vec![if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }];
    for (index, (mv, start)) in moves.iter().zip(&timeline.starts).enumerate() {
        let shift = (index as u32 + 1) * CAPTION;
        let _ = write!(frames, "{}{{transform:translateY(-{shift}px)}}", timeline.percent(*start));
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
        timeline.total
    );
    for (index, line) in lines.iter().enumerate() {
        let y = y + index as u32 * CAPTION + 26;
        let _ = write!(body, "<text class=\"rush-ink rush-caption\" x=\"{middle}\" y=\"{y}\">{line}</text>");
    }
    body.push_str("</g></g>");
}

/// The times of all events, in milliseconds.
struct Timeline {
    starts: Vec<u64>,
    ends: Vec<u64>,
    /// Time at which the target starts to drive out, if the board is solved.
    exit: Option<u64>,
    total: u64,
}

impl Timeline {
    fn new(moves: &[Move], solves: bool) -> Timeline {
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        let mut now = BEFORE;
        for mv in moves {
            starts.push(now);
            now += MOVE + PER_CELL * u64::from(mv.cells.unsigned_abs());
            ends.push(now);
            now += BETWEEN;
        }
        let exit = solves.then_some(now);
        if solves {
            now += EXIT;
        }
        Timeline { starts, ends, exit, total: now + AFTER }
    }

    fn percent(&self, time: u64) -> String {
        format!("{:.3}%", time as f64 * 100.0 / self.total as f64)
    }

    /// The keyframes of a vehicle relative to its initial place; empty if it never moves.
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
        if let Some(start) = self.exit.filter(|_| index == 0) {
            // Far enough to be outside of the picture, and faded out by then.
            let out = i32::from(vehicle.length) + 1;
            let _ = write!(frames, "{}{{{};opacity:1}}", self.percent(start), shift(cells));
            cells += if board.exit().side().is_forward() { out } else { -out };
            opacity = ";opacity:0";
            let _ = write!(frames, "{}{{{}{opacity}}}", self.percent(start + EXIT), shift(cells));
        }
        if !frames.is_empty() {
            let _ = write!(frames, "100%{{{}{opacity}}}", shift(cells));
        }
        frames
    }
}
