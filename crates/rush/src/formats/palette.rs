//! The colours of vehicles, shared by the pictures.
//!
//! The target is always red. The other colours differ in lightness as well as in hue, so that they can be told apart with
//! any of the three kinds of colour blindness (a test simulates them).

use crate::Board;

/// A colour, for SVG and for 256-colour terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// Red, green and blue, in sRGB.
    pub rgb: [u8; 3],
    /// Index of a similar colour of the 256-colour terminal palette, chosen so that no two vehicle colours share one.
    pub ansi: u8,
}

impl Colour {
    const fn new(rgb: u32, ansi: u8) -> Colour {
        Colour { rgb: [(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8], ansi }
    }

    /// Formats the colour as `#rrggbb`.
    pub fn hex(self) -> String {
        let [r, g, b] = self.rgb;
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// Whether text on this colour is more readable in black than in white.
    pub fn is_light(self) -> bool {
        luminance(self.rgb) > 0.18
    }
}

/// The colour of the vehicle that has to reach the exit.
pub const TARGET: Colour = Colour::new(0x00c6_2828, 160);

/// The colours of the other vehicles, alternating between light and dark.
const OTHERS: [Colour; 10] = [
    Colour::new(0x0084_ccf5, 117), // sky
    Colour::new(0x0024_50ae, 25),  // blue
    Colour::new(0x00f5_c52b, 220), // gold
    Colour::new(0x0015_8060, 29),  // green
    Colour::new(0x00e3_8db8, 175), // pink
    Colour::new(0x0061_1c56, 53),  // plum
    Colour::new(0x00e6_e0c8, 187), // sand
    Colour::new(0x0055_606e, 240), // slate
    Colour::new(0x00a0_83db, 140), // lilac
    Colour::new(0x003f_af9b, 73),  // teal
];

/// Assigns a colour to every vehicle of a board, in the order of [`Board::vehicles`]. The colours are used in turn, but
/// adjacent vehicles get different ones as long as there are enough.
pub fn colours(board: &Board) -> Vec<Colour> {
    let vehicles = board.vehicles();
    let mut assigned = vec![TARGET];
    for (index, vehicle) in vehicles.iter().enumerate().skip(1) {
        let touches = |earlier: usize| {
            vehicle.cells().any(|(x, y)| vehicles[earlier].cells().any(|(a, b)| x.abs_diff(a) + y.abs_diff(b) == 1))
        };
        let taken: Vec<Colour> = (1..index).filter(|&earlier| touches(earlier)).map(|i| assigned[i]).collect();
        let in_turn = |offset: usize| OTHERS[(index - 1 + offset) % OTHERS.len()];
        let free = (0..OTHERS.len()).map(in_turn).find(|colour| !taken.contains(colour));
        assigned.push(free.unwrap_or(in_turn(0)));
    }
    assigned
}

/// The linear intensity of each channel, from 0 to 1, without the gamma of sRGB.
fn linear(rgb: [u8; 3]) -> [f64; 3] {
    rgb.map(|channel| {
        let c = f64::from(channel) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    })
}

/// Relative luminance as defined by WCAG for contrast ratios, from 0 to 1.
fn luminance(rgb: [u8; 3]) -> f64 {
    let [r, g, b] = linear(rgb);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cells, Exit, Orientation, Side, Vehicle};

    type Matrix = [[f64; 3]; 3];

    /// Normal vision, and simulations of dichromatic vision in linear RGB (Machado, Oliveira and Fernandes, 2009).
    const VISIONS: [(&str, Matrix); 4] = [
        ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        ("protan", [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]]),
        ("deutan", [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]),
        ("tritan", [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]]),
    ];
    /// Map linear RGB to cone responses, and their cube roots to Oklab, in which distances approximate perceived differences.
    const CONES: Matrix = [[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]];
    const OKLAB: Matrix = [[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]];

    fn multiply(matrix: &Matrix, v: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
    }

    /// The colour as perceived with a kind of vision, in Oklab.
    fn perceived(vision: &Matrix, colour: Colour) -> [f64; 3] {
        let rgb = multiply(vision, linear(colour.rgb)).map(|c| c.clamp(0.0, 1.0));
        multiply(&OKLAB, multiply(&CONES, rgb).map(f64::cbrt))
    }

    #[test]
    fn colours_are_distinguishable_with_colour_blindness() {
        let palette: Vec<Colour> = [TARGET].into_iter().chain(OTHERS).collect();
        for (name, vision) in &VISIONS {
            for (i, &one) in palette.iter().enumerate() {
                for &other in &palette[..i] {
                    let [a, b] = [one, other].map(|colour| perceived(vision, colour));
                    let distance = (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
                    assert!(distance > 0.05, "{one:?} and {other:?} look alike in {name} vision: {distance:.3}");
                }
            }
        }
    }

    #[test]
    fn labels_have_the_contrast_required_by_wcag() {
        let ink = luminance([0x1b, 0x1f, 0x24]) + 0.05;
        for colour in [TARGET].into_iter().chain(OTHERS) {
            let back = luminance(colour.rgb) + 0.05;
            let contrast = if colour.is_light() { back / ink } else { 1.05 / back };
            assert!(contrast >= 4.5, "{colour:?}: {contrast:.2}");
        }
    }

    #[test]
    fn neighbours_differ_and_only_the_target_is_red() {
        let mut vehicles = vec![Vehicle { label: 'A', x: 0, y: 0, length: 2, orientation: Orientation::Horizontal }];
        let spots = (0..16u8).flat_map(|y| (0..8u8).map(move |i| (i * 2, y))).skip(1);
        vehicles.extend(spots.zip(&crate::labels()[1..]).map(|((x, y), &label)| Vehicle {
            label,
            x,
            y,
            length: 2,
            orientation: Orientation::Horizontal,
        }));
        let board = Board::new(16, 16, Cells::default(), vehicles, Exit::Target(Side::Right)).unwrap();
        let chosen = colours(&board);
        assert_eq!(chosen.len(), board.vehicles().len());
        assert_eq!(chosen.iter().filter(|&&colour| colour == TARGET).count(), 1);
        let at = |x, y| board.vehicle_at(x, y).unwrap();
        for (x, y) in (0..16u8).flat_map(|y| (0..16u8).map(move |x| (x, y))) {
            let neighbours = [(x + 1, y), (x, y + 1)].into_iter().filter(|&(a, b)| a < 16 && b < 16);
            for (a, b) in neighbours.filter(|&(a, b)| at(a, b) != at(x, y)) {
                assert_ne!(chosen[at(x, y)], chosen[at(a, b)], "({x}, {y}) and ({a}, {b})");
            }
        }
    }
}
