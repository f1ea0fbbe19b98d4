//! Draws a board with lines and filled areas, similar to the SVG pictures. A drawing unit is 1/60 of a cell.

use super::super::cards::{label, width_of};
use super::show;
use clearway_rush::formats::{palette, svg};
use clearway_rush::{Board, Orientation, Side, Vehicle};
use pdf_writer::Content;
use pdf_writer::types::{LineCapStyle, LineJoinStyle};

const CELL: f64 = 60.0;
/// Margin around the lot.
const MARGIN: f64 = 20.0;
/// Length of the road beyond the lot on the side of the exit.
const ROAD: f64 = 52.0;
/// Distance from the lot to the centre of the frame.
const FRAME: f64 = 8.0;

type Rgb = [u8; 3];
const INK: Rgb = [0x1b, 0x1f, 0x24];
const WHITE: Rgb = [0xff; 3];
const GLASS: Rgb = [0x12, 0x20, 0x2e];
const LAMP: Rgb = [0xff, 0xf6, 0xc9];

/// Colours of the boards.
pub(super) struct Look {
    lot: Rgb,
    tile: Rgb,
    /// Outline of a tile.
    edge: Rgb,
    frame: Rgb,
    arrows: Rgb,
    brick: Rgb,
    mortar: Rgb,
    /// Whether the vehicles are white, and the target is black.
    is_plain: bool,
}

/// Boards in colour.
pub(super) const COLOUR: Look = Look {
    lot: [0xdf, 0xe3, 0xe8],
    tile: [0xee, 0xf1, 0xf4],
    edge: [0xee, 0xf1, 0xf4],
    frame: [0x39, 0x41, 0x4d],
    arrows: palette::TARGET.rgb,
    brick: [0xa9, 0x74, 0x6a],
    mortar: [0xe9, 0xdc, 0xd5],
    is_plain: false,
};

/// Boards as lines on white, which any printer can print and which save ink.
pub(super) const BLACK_AND_WHITE: Look = Look {
    lot: WHITE,
    tile: WHITE,
    edge: [0xb4; 3],
    frame: INK,
    arrows: INK,
    brick: [0x8c; 3],
    mortar: WHITE,
    is_plain: true,
};

/// Draws with coordinates that increase to the right and downwards.
pub(super) struct Pen<'a>(pub &'a mut Content);

impl Pen<'_> {
    pub fn fill_colour(&mut self, [r, g, b]: Rgb) {
        let [r, g, b] = [r, g, b].map(|channel| f32::from(channel) / 255.0);
        self.0.set_fill_rgb(r, g, b);
    }

    pub fn stroke_colour(&mut self, [r, g, b]: Rgb, width: f64) {
        let [r, g, b] = [r, g, b].map(|channel| f32::from(channel) / 255.0);
        self.0.set_stroke_rgb(r, g, b).set_line_width(width as f32);
    }

    fn move_to(&mut self, x: f64, y: f64) {
        self.0.move_to(x as f32, y as f32);
    }

    fn line_to(&mut self, x: f64, y: f64) {
        self.0.line_to(x as f32, y as f32);
    }

    /// Adds a quadratic Bézier curve, converted to a cubic one.
    fn quadratic_to(&mut self, from: (f64, f64), control: (f64, f64), to: (f64, f64)) {
        let third = |a: f64, b: f64| (a + 2.0 * (b - a) / 3.0) as f32;
        let (x1, y1) = (third(from.0, control.0), third(from.1, control.1));
        let (x2, y2) = (third(to.0, control.0), third(to.1, control.1));
        self.0.cubic_to(x1, y1, x2, y2, to.0 as f32, to.1 as f32);
    }

    /// Adds the path of a rectangle with rounded corners.
    pub fn rounded(&mut self, x: f64, y: f64, width: f64, height: f64, radius: f64) {
        let (right, bottom, r) = (x + width, y + height, radius);
        // Distance of the control points from the corner, so that each curve approximates a quarter of a circle.
        let k = r * 0.447_7;
        let cubic = |content: &mut Content, values: [f64; 6]| {
            let [x1, y1, x2, y2, x3, y3] = values.map(|value| value as f32);
            content.cubic_to(x1, y1, x2, y2, x3, y3);
        };
        self.move_to(x + r, y);
        self.line_to(right - r, y);
        cubic(self.0, [right - k, y, right, y + k, right, y + r]);
        self.line_to(right, bottom - r);
        cubic(self.0, [right, bottom - k, right - k, bottom, right - r, bottom]);
        self.line_to(x + r, bottom);
        cubic(self.0, [x + k, bottom, x, bottom - k, x, bottom - r]);
        self.line_to(x, y + r);
        cubic(self.0, [x, y + k, x + k, y, x + r, y]);
        self.0.close_path();
    }

    /// Fills a rectangle with rounded corners.
    fn area(&mut self, colour: Rgb, (x, y): (f64, f64), width: f64, height: f64, radius: f64) {
        self.fill_colour(colour);
        self.rounded(x, y, width, height, radius);
        self.0.fill_nonzero();
    }

    /// Strokes polylines.
    pub fn strokes(&mut self, lines: &[&[(f64, f64)]]) {
        for points in lines {
            for (i, &(x, y)) in points.iter().enumerate() {
                if i == 0 { self.move_to(x, y) } else { self.line_to(x, y) }
            }
        }
        self.0.stroke();
    }
}

/// Draws a board scaled to fit into a rectangle, and centred in it.
pub(super) fn draw(board: &Board, corner: (f64, f64), room: (f64, f64), look: &Look, content: &mut Content) {
    let (width, height) = svg::size(board);
    let (width, height) = (f64::from(width), f64::from(height));
    let scale = (room.0 / width).min(room.1 / height);
    let (x, y) = (corner.0 + (room.0 - width * scale) / 2.0, corner.1 + (room.1 - height * scale) / 2.0);
    content.save_state();
    content.transform([scale as f32, 0.0, 0.0, scale as f32, x as f32, y as f32]);
    content.set_line_cap(LineCapStyle::RoundCap).set_line_join(LineJoinStyle::RoundJoin);
    let lot = Lot::new(board);
    lot.ground(board, look, &mut Pen(content));
    for (index, (vehicle, colour)) in board.vehicles().iter().zip(palette::colours(board)).enumerate() {
        content.save_state();
        let (x, y) = (lot.left + f64::from(vehicle.x) * CELL, lot.top + f64::from(vehicle.y) * CELL);
        content.transform([1.0, 0.0, 0.0, 1.0, x as f32, y as f32]);
        let paint = Paint::new(index == 0, colour, look);
        draw_vehicle(board, index, *vehicle, &paint, content);
        content.restore_state();
    }
    content.restore_state();
}

/// Edges of the area of a board's cells.
struct Lot {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Lot {
    fn new(board: &Board) -> Lot {
        let margin = |side: Side| if board.exit().side() == side { ROAD } else { MARGIN };
        let (left, top) = (margin(Side::Left), margin(Side::Top));
        let (right, bottom) = (left + f64::from(board.width()) * CELL, top + f64::from(board.height()) * CELL);
        Lot { left, top, right, bottom }
    }

    /// Draws everything but the vehicles.
    fn ground(&self, board: &Board, look: &Look, pen: &mut Pen) {
        let &Lot { left, top, right, bottom } = self;
        pen.area(look.lot, (left - 6.0, top - 6.0), right - left + 12.0, bottom - top + 12.0, 8.0);
        self.road(board, look, pen);
        for y in 0..board.height() {
            for x in 0..board.width() {
                let (corner_x, corner_y) = (left + f64::from(x) * CELL, top + f64::from(y) * CELL);
                if board.walls().contains(x, y) {
                    bricks(corner_x, corner_y, look, pen);
                } else {
                    pen.fill_colour(look.tile);
                    pen.stroke_colour(look.edge, 1.0);
                    pen.rounded(corner_x + 2.0, corner_y + 2.0, 56.0, 56.0, 9.0);
                    pen.0.fill_nonzero_and_stroke();
                }
            }
        }
        self.frame(board, look, pen);
    }

    /// Draws the road out of the lot with arrows. Its shape is defined for an exit on the right, and is rotated for the others.
    fn road(&self, board: &Board, look: &Look, pen: &mut Pen) {
        let line = f64::from(board.exit_line()) * CELL;
        let (x, y, (cos, sin)) = match board.exit().side() {
            Side::Right => (self.right, self.top + line, (1.0, 0.0)),
            Side::Left => (self.left, self.top + line + CELL, (-1.0, 0.0)),
            Side::Top => (self.left + line, self.top, (0.0, -1.0)),
            Side::Bottom => (self.left + line + CELL, self.bottom, (0.0, 1.0)),
        };
        pen.0.save_state();
        pen.0.transform([cos, sin, -sin, cos, x as f32, y as f32]);
        pen.area(look.lot, (-6.0, 3.0), ROAD + 2.0, 54.0, 8.0);
        pen.stroke_colour(look.arrows, 6.0);
        pen.strokes(&[&[(10.0, 19.0), (21.0, 30.0), (10.0, 41.0)], &[(26.0, 19.0), (37.0, 30.0), (26.0, 41.0)]]);
        pen.0.restore_state();
    }

    /// Draws the frame, clockwise from one side of the exit to the other.
    fn frame(&self, board: &Board, look: &Look, pen: &mut Pen) {
        let (left, top, right, bottom) = (self.left - FRAME, self.top - FRAME, self.right + FRAME, self.bottom + FRAME);
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        let line = f64::from(board.exit_line()) * CELL;
        let (near, far) = (line + 3.0, line + CELL - 3.0);
        // Ends of the frame, and its first corner after the exit.
        let (from, to, first) = match board.exit().side() {
            Side::Right => ((right, self.top + far), (right, self.top + near), 2),
            Side::Left => ((left, self.top + near), (left, self.top + far), 0),
            Side::Top => ((self.left + far, top), (self.left + near, top), 1),
            Side::Bottom => ((self.left + near, bottom), (self.left + far, bottom), 3),
        };
        pen.stroke_colour(look.frame, 10.0);
        pen.move_to(from.0, from.1);
        let mut here = from;
        for i in 0..4 {
            let corner = corners[(first + i) % 4];
            let next = if i == 3 { to } else { corners[(first + i + 1) % 4] };
            let (before, after) = (towards(corner, here), towards(corner, next));
            pen.line_to(before.0, before.1);
            pen.quadratic_to(before, corner, after);
            here = corner;
        }
        pen.line_to(to.0, to.1);
        pen.0.stroke();
    }
}

/// Returns the point where the rounding of a corner starts, on the line from the corner to another point.
fn towards(corner: (f64, f64), other: (f64, f64)) -> (f64, f64) {
    let radius = FRAME + 2.0;
    let step = |from: f64, to: f64| from + (to - from).clamp(-radius, radius);
    (step(corner.0, other.0), step(corner.1, other.1))
}

fn bricks(x: f64, y: f64, look: &Look, pen: &mut Pen) {
    pen.area(look.brick, (x + 2.0, y + 2.0), 56.0, 56.0, 6.0);
    pen.stroke_colour(look.mortar, 3.0);
    let rows = [2.0, 16.5, 30.0, 43.5, 58.0];
    for (row, pair) in rows.windows(2).enumerate() {
        if row > 0 {
            pen.strokes(&[&[(x + 3.5, y + pair[0]), (x + 56.5, y + pair[0])]]);
        }
        let joints: &[f64] = if row % 2 == 0 { &[21.0, 42.0] } else { &[11.0, 31.5, 50.0] };
        for joint in joints {
            pen.strokes(&[&[(x + joint, y + pair[0].max(3.5)), (x + joint, y + pair[1].min(56.5))]]);
        }
    }
}

/// Colours of a vehicle.
struct Paint {
    body: Rgb,
    outline: Rgb,
    /// Width of the outline.
    width: f64,
    label: Rgb,
    lamp: Rgb,
}

impl Paint {
    fn new(is_target: bool, colour: palette::Colour, look: &Look) -> Paint {
        if look.is_plain {
            return Paint {
                body: if is_target { INK } else { WHITE },
                outline: INK,
                width: 3.0,
                label: INK,
                lamp: WHITE,
            };
        }
        // The label of the target is on a white disc.
        let label = if is_target {
            colour.rgb
        } else if colour.is_light() {
            INK
        } else {
            WHITE
        };
        Paint { body: colour.rgb, outline: mixed(INK, colour.rgb, 0.55), width: 1.5, label, lamp: LAMP }
    }
}

/// Draws a vehicle with the top left corner of its cells at the origin.
fn draw_vehicle(board: &Board, index: usize, vehicle: Vehicle, paint: &Paint, content: &mut Content) {
    let is_target = index == 0;
    let length = f64::from(vehicle.length) * CELL;
    // The target faces the exit; the others face right or up.
    let forward =
        if is_target { board.exit().side().is_forward() } else { vehicle.orientation == Orientation::Horizontal };
    // Shapes are defined for a vehicle in a row that faces right.
    let turn = match (vehicle.orientation, forward) {
        (Orientation::Horizontal, true) => [1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        (Orientation::Horizontal, false) => [-1.0, 0.0, 0.0, -1.0, length, CELL],
        (Orientation::Vertical, true) => [0.0, 1.0, -1.0, 0.0, CELL, 0.0],
        (Orientation::Vertical, false) => [0.0, -1.0, 1.0, 0.0, 0.0, length],
    };
    content.save_state();
    content.transform(turn.map(|value| value as f32));
    body(vehicle.length, paint, is_target, &mut Pen(content));
    content.restore_state();
    let (x, y) = match vehicle.orientation {
        Orientation::Horizontal => (length / 2.0, CELL / 2.0),
        Orientation::Vertical => (CELL / 2.0, length / 2.0),
    };
    let mut pen = Pen(content);
    if is_target {
        // The stripes would run through the label.
        pen.area(WHITE, (x - 17.0, y - 17.0), 34.0, 34.0, 17.0);
    }
    pen.fill_colour(paint.label);
    let text = label(vehicle.label);
    show(content, &text, (x - width_of(&text, 26.0, true) / 2.0, y + 9.3), 26.0, true);
}

/// Draws a car of two cells or a longer truck, in a row, facing right.
fn body(length: u8, paint: &Paint, is_target: bool, pen: &mut Pen) {
    let colour = paint.body;
    let end = f64::from(length) * CELL;
    let is_car = length == 2;
    pen.fill_colour(colour);
    pen.stroke_colour(paint.outline, paint.width);
    pen.rounded(4.0, 4.0, end - 8.0, 52.0, if is_car { 15.0 } else { 12.0 });
    pen.0.fill_nonzero_and_stroke();
    if is_target {
        for y in [20.0, 34.0] {
            pen.area(mixed(WHITE, colour, 0.92), (4.8, y), end - 9.6, 6.0, 0.0);
        }
    }
    let shine = mixed(WHITE, colour, 0.2);
    let glass = mixed(GLASS, colour, 0.62);
    if is_car {
        pen.area(shine, (33.0, 9.0), 48.0, 6.0, 3.0);
        pane(pen, glass, 81.0, [10.0, 9.0, 16.0]);
        pane(pen, glass, 33.0, [-6.0, -9.0, -15.0]);
    } else {
        let cab = end - 44.0;
        pen.area(shine, (10.0, 9.0), end - 60.0, 6.0, 3.0);
        pen.stroke_colour(mixed([0; 3], colour, 0.22), 2.0);
        pen.strokes(&[&[(cab, 5.0), (cab, 55.0)]]);
        pane(pen, glass, cab + 10.0, [6.0, 10.0, 17.0]);
    }
    for y in [11.0, 40.0] {
        pen.area(paint.lamp, (end - 12.0, y), 5.0, 9.0, 2.5);
    }
}

/// Draws a window whose inner edge is at `x`. The offsets from `x` are those of the control point of the inner edge, the ends of
/// the outer edge, and the control point of the outer edge.
fn pane(pen: &mut Pen, colour: Rgb, x: f64, [inner, edge, outer]: [f64; 3]) {
    let inset = if inner > 0.0 { 10.0 } else { 12.0 };
    let (top, bottom) = (inset, CELL - inset);
    let (upper, lower) = (top + 3.5, bottom - 3.5);
    pen.fill_colour(colour);
    pen.move_to(x, top);
    pen.quadratic_to((x, top), (x + inner, 30.0), (x, bottom));
    pen.line_to(x + edge, lower);
    pen.quadratic_to((x + edge, lower), (x + outer, 30.0), (x + edge, upper));
    pen.0.close_path().fill_nonzero();
}

/// Blends a colour over another with the given opacity, because the page has no transparency.
fn mixed(over: Rgb, under: Rgb, opacity: f64) -> Rgb {
    std::array::from_fn(|i| (f64::from(over[i]) * opacity + f64::from(under[i]) * (1.0 - opacity)).round() as u8)
}
