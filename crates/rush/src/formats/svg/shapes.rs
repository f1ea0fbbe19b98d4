//! The shapes of the pictures: the background with its frame, exit and walls, and the vehicles.

use crate::formats::palette::Colour;
use crate::{Board, Orientation, Side, Vehicle};
use std::fmt::Write;

/// Side of a cell in drawing units.
pub(super) const CELL: u32 = 60;
/// Space between a vehicle and the edge of its cells.
const GAP: u32 = 4;
/// Margin around the board, with room for the frame.
const MARGIN: u32 = 20;
/// Margin on the side of the exit, with room for the road and its arrows.
const ROAD: u32 = 52;
/// Distance from the board to the middle of the frame.
const FRAME: f64 = 8.0;

/// Style of text and of shapes that follow the colour scheme of the viewer; the fill of a vehicle is an attribute. Selectors do
/// not use ancestors, since browsers do not match them from inside `<use>`.
pub(super) const STYLE: &str = "
.rush{font-family:ui-rounded,'SF Pro Rounded','Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;\
font-weight:700;text-anchor:middle}
.rush-label{font-size:26px}
.rush-lot{fill:#dfe3e8}
.rush-tile{fill:#eef1f4}
.rush-frame{fill:none;stroke:#39414d;stroke-width:10;stroke-linecap:round;stroke-linejoin:round}
.rush-wall{fill:#a9746a}
.rush-mortar{fill:none;stroke:#e9dcd5;stroke-width:3}
.rush-arrow{fill:none;stroke:#c62828;stroke-width:6;stroke-linecap:round;stroke-linejoin:round}
.rush-ink{fill:#1b1f24}
.rush-outline{stroke:#1b1f24;stroke-opacity:.55;stroke-width:1.5}
.rush-glass{fill:#12202e;fill-opacity:.62}
.rush-shine{fill:#fff;fill-opacity:.2}
.rush-shadow{fill:#000;fill-opacity:.2}
.rush-lamp{fill:#fff6c9}
.rush-seam{fill:none;stroke:#000;stroke-opacity:.22;stroke-width:2}
.rush-stripe{fill:#fff;fill-opacity:.92}
@media (prefers-color-scheme:dark){
.rush-lot{fill:#252b33}
.rush-tile{fill:#303842}
.rush-frame{stroke:#9aa6b5}
.rush-wall{fill:#8a5a52}
.rush-mortar{stroke:#2b2422}
.rush-arrow{stroke:#ff6f61}
.rush-ink{fill:#e9edf2}
.rush-outline{stroke:#fff;stroke-opacity:.5}
}
";

/// Definitions of the repeated backgrounds: a tile for a free cell and bricks for a wall.
pub(super) fn patterns(prefix: &str) -> String {
    format!(
        "<defs><pattern id=\"{prefix}tiles\" width=\"{CELL}\" height=\"{CELL}\" patternUnits=\"userSpaceOnUse\">\
         <rect class=\"rush-tile\" x=\"2\" y=\"2\" width=\"56\" height=\"56\" rx=\"9\"/></pattern>\
         <g id=\"{prefix}wall\">\
         <rect class=\"rush-wall\" x=\"2\" y=\"2\" width=\"56\" height=\"56\" rx=\"6\"/>\
         <path class=\"rush-mortar\" d=\"M2 16.5H58M2 30H58M2 43.5H58M21 2V16.5M42 2V16.5M11 16.5V30M31.5 16.5V30M50 16.5V30\
         M21 30V43.5M42 30V43.5M11 43.5V58M31.5 43.5V58M50 43.5V58\"/></g></defs>"
    )
}

/// The place of a board in the picture, in drawing units.
pub(super) struct Geometry {
    /// Width of the picture.
    pub width: u32,
    /// Height of the picture.
    pub height: u32,
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl Geometry {
    pub fn new(board: &Board) -> Geometry {
        let side = board.exit().side();
        let margin = |edge: Side| if edge == side { ROAD } else { MARGIN };
        let (left, top) = (margin(Side::Left), margin(Side::Top));
        let (right, bottom) = (left + board.width() as u32 * CELL, top + board.height() as u32 * CELL);
        Geometry { width: right + margin(Side::Right), height: bottom + margin(Side::Bottom), left, top, right, bottom }
    }

    /// The top left corner of a vehicle's cells.
    pub fn corner(&self, vehicle: Vehicle) -> (u32, u32) {
        (self.left + vehicle.x as u32 * CELL, self.top + vehicle.y as u32 * CELL)
    }

    /// Draws everything except the vehicles: ground, tiles, walls, road, arrows and frame.
    pub fn background(&self, board: &Board, prefix: &str) -> String {
        let Geometry { left, top, right, bottom, .. } = *self;
        let (width, height) = (right - left, bottom - top);
        let mut text = format!(
            "<rect class=\"rush-lot\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\"/>",
            left - 6,
            top - 6,
            width + 12,
            height + 12
        );
        text.push_str(&self.road(board));
        // The pattern starts at the corner of the board.
        let _ = write!(
            text,
            "<g transform=\"translate({left} {top})\"><rect class=\"rush-tiles\" width=\"{width}\" height=\"{height}\" \
             fill=\"url(#{prefix}tiles)\"/>"
        );
        for (x, y) in board.walls().iter() {
            let (x, y) = (x as u32 * CELL, y as u32 * CELL);
            let _ = write!(text, "<use class=\"rush-brick\" href=\"#{prefix}wall\" x=\"{x}\" y=\"{y}\"/>");
        }
        text.push_str("</g>");
        let _ = write!(text, "<path class=\"rush-frame\" d=\"{}\"/>", self.frame(board));
        text
    }

    /// The two ends of the gap in the frame at the exit, clockwise around the board.
    fn exit_gap(&self, board: &Board) -> [(f64, f64); 2] {
        let line = f64::from(board.exit_line() as u32 * CELL);
        let (near, far) = (line + 3.0, line + f64::from(CELL) - 3.0);
        let [left, top, right, bottom] = [self.left, self.top, self.right, self.bottom].map(f64::from);
        match board.exit().side() {
            Side::Right => [(right + FRAME, top + near), (right + FRAME, top + far)],
            Side::Left => [(left - FRAME, top + far), (left - FRAME, top + near)],
            Side::Top => [(left + near, top - FRAME), (left + far, top - FRAME)],
            Side::Bottom => [(left + far, bottom + FRAME), (left + near, bottom + FRAME)],
        }
    }

    /// The frame as a path, clockwise from one end of the exit gap to the other.
    fn frame(&self, board: &Board) -> String {
        let [left, top, right, bottom] = [self.left, self.top, self.right, self.bottom].map(f64::from);
        let corners = [
            (left - FRAME, top - FRAME),
            (right + FRAME, top - FRAME),
            (right + FRAME, bottom + FRAME),
            (left - FRAME, bottom + FRAME),
        ];
        // The first corner after the exit, clockwise.
        let first = match board.exit().side() {
            Side::Top => 1,
            Side::Right => 2,
            Side::Bottom => 3,
            Side::Left => 0,
        };
        let [before, after] = self.exit_gap(board);
        let mut path = format!("M{} {}", after.0, after.1);
        let mut here = after;
        for i in 0..4 {
            let corner = corners[(first + i) % 4];
            let next = if i == 3 { before } else { corners[(first + i + 1) % 4] };
            let (from, to) = (towards(corner, here), towards(corner, next));
            let _ = write!(path, "L{} {}Q{} {} {} {}", from.0, from.1, corner.0, corner.1, to.0, to.1);
            here = corner;
        }
        let _ = write!(path, "L{} {}", before.0, before.1);
        path
    }

    /// Draws the road outside of the exit, with arrows along it.
    fn road(&self, board: &Board) -> String {
        let line = board.exit_line() as u32 * CELL;
        let (x, y, turn) = match board.exit().side() {
            Side::Right => (self.right, self.top + line, 0),
            Side::Left => (self.left, self.top + line + CELL, 180),
            Side::Top => (self.left + line, self.top, 270),
            Side::Bottom => (self.left + line + CELL, self.bottom, 90),
        };
        // Drawn for an exit on the right, with the corner of the exit's cell at 0, 0.
        let (side, bend, end) = (board.exit().side().as_str(), ROAD - 12, ROAD - 4);
        format!(
            "<g class=\"rush-exit\" data-side=\"{side}\" transform=\"translate({x} {y}) rotate({turn})\">\
             <path class=\"rush-lot\" d=\"M0 3H{bend}Q{end} 3 {end} 11V49Q{end} 57 {bend} 57H0Z\"/>\
             <path class=\"rush-arrow\" d=\"M10 19L21 30L10 41M26 19L37 30L26 41\"/></g>"
        )
    }
}

/// The point at which the rounding of a corner starts in the direction of another point.
fn towards(corner: (f64, f64), other: (f64, f64)) -> (f64, f64) {
    let radius = FRAME + 2.0;
    let step = |from: f64, to: f64| from + (to - from).clamp(-radius, radius);
    (step(corner.0, other.0), step(corner.1, other.1))
}

/// Draws a vehicle with the top left corner of its cells at 0, 0.
pub(super) fn vehicle(board: &Board, index: usize, colour: Colour, labels: bool) -> String {
    let vehicle = &board.vehicles()[index];
    let is_target = index == 0;
    let length = vehicle.length as u32 * CELL;
    // The target faces the exit; the others face right or up.
    let forward =
        if is_target { board.exit().side().is_forward() } else { vehicle.orientation == Orientation::Horizontal };
    // Shapes are drawn for a horizontal vehicle that faces right.
    let turn = match (vehicle.orientation, forward) {
        (Orientation::Horizontal, true) => String::new(),
        (Orientation::Horizontal, false) => format!(" transform=\"translate({length} {CELL}) rotate(180)\""),
        (Orientation::Vertical, true) => format!(" transform=\"translate({CELL} 0) rotate(90)\""),
        (Orientation::Vertical, false) => format!(" transform=\"translate(0 {length}) rotate(270)\""),
    };
    let (width, height) = match vehicle.orientation {
        Orientation::Horizontal => (length, CELL),
        Orientation::Vertical => (CELL, length),
    };
    let (inner_width, inner_height) = (width - 2 * GAP, height - 2 * GAP);
    let mut text = format!(
        "<rect class=\"rush-shadow\" x=\"{}\" y=\"{}\" width=\"{inner_width}\" height=\"{inner_height}\" rx=\"14\"/><g{turn}>",
        GAP + 1,
        GAP + 3,
    );
    text.push_str(&if vehicle.length == 2 { car(colour, is_target) } else { truck(length, colour, is_target) });
    text.push_str("</g>");
    if labels {
        text.push_str(&label(vehicle.label, is_target, colour, (width / 2, height / 2)));
    }
    text
}

fn label(text: char, is_target: bool, colour: Colour, (x, y): (u32, u32)) -> String {
    if is_target {
        // On a disc, since the stripes would run through it.
        let fill = colour.hex();
        return format!(
            "<circle fill=\"#fff\" cx=\"{x}\" cy=\"{y}\" r=\"17\"/>\
             <text class=\"rush-label\" fill=\"{fill}\" x=\"{x}\" y=\"{}\">{text}</text>",
            y + 9
        );
    }
    let fill = if colour.is_light() { "#1b1f24" } else { "#fff" };
    format!("<text class=\"rush-label\" fill=\"{fill}\" x=\"{x}\" y=\"{}\">{text}</text>", y + 9)
}

/// Draws a vehicle of two cells: bonnet, windscreen, roof, rear window.
fn car(colour: Colour, is_target: bool) -> String {
    let mut text = format!(
        "<rect class=\"rush-outline\" fill=\"{}\" x=\"4\" y=\"4\" width=\"112\" height=\"52\" rx=\"15\"/>",
        colour.hex()
    );
    if is_target {
        text.push_str(&stripes(4, 112));
    }
    text.push_str(
        "<path class=\"rush-glass\" d=\"M81 10Q91 30 81 50L90 46Q97 30 90 14Z\"/>\
         <path class=\"rush-glass\" d=\"M33 12Q27 30 33 48L24 45Q18 30 24 15Z\"/>\
         <rect class=\"rush-shine\" x=\"33\" y=\"9\" width=\"48\" height=\"6\" rx=\"3\"/>\
         <rect class=\"rush-lamp\" x=\"108\" y=\"11\" width=\"5\" height=\"9\" rx=\"2.5\"/>\
         <rect class=\"rush-lamp\" x=\"108\" y=\"40\" width=\"5\" height=\"9\" rx=\"2.5\"/>",
    );
    text
}

/// Draws a vehicle of three cells or more: a cab in front of a long box.
fn truck(length: u32, colour: Colour, is_target: bool) -> String {
    let mut text = format!(
        "<rect class=\"rush-outline\" fill=\"{}\" x=\"4\" y=\"4\" width=\"{}\" height=\"52\" rx=\"12\"/>",
        colour.hex(),
        length - 8
    );
    if is_target {
        text.push_str(&stripes(4, length - 8));
    }
    let cab = length - 44;
    let _ = write!(
        text,
        "<rect class=\"rush-shine\" x=\"10\" y=\"9\" width=\"{}\" height=\"6\" rx=\"3\"/>\
         <path class=\"rush-seam\" d=\"M{cab} 5V55\"/>\
         <path class=\"rush-glass\" d=\"M{} 10Q{} 30 {} 50L{} 46Q{} 30 {} 14Z\"/>",
        length - 60,
        cab + 10,
        cab + 16,
        cab + 10,
        cab + 20,
        cab + 27,
        cab + 20
    );
    for y in [11, 40] {
        let _ = write!(
            text,
            "<rect class=\"rush-lamp\" x=\"{}\" y=\"{y}\" width=\"5\" height=\"9\" rx=\"2.5\"/>",
            length - 12
        );
    }
    text
}

/// Draws the mark of the target that does not depend on colour: two stripes from end to end.
fn stripes(x: u32, width: u32) -> String {
    format!(
        "<rect class=\"rush-stripe\" x=\"{x}\" y=\"20\" width=\"{width}\" height=\"6\"/>\
         <rect class=\"rush-stripe\" x=\"{x}\" y=\"34\" width=\"{width}\" height=\"6\"/>"
    )
}
