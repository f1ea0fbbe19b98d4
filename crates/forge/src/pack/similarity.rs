//! Similarity of two puzzles.
//!
//! The character of a puzzle is determined by the lengths and lines of its vehicles; their positions follow from these. So the
//! similarity of two puzzles is the Jaccard index of their multisets of vehicles without the target: the number of vehicles that
//! both have (of the same length in the same row or column), divided by the number of vehicles that either has. One of the
//! puzzles may be mirrored; the larger value counts.

use crate::turn;
use clearway_rush::{Board, Orientation, Side};

/// Lines and lengths of the vehicles of a puzzle, encoded and sorted, for the puzzle and its mirror image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VehicleProfile {
    upright: Vec<u16>,
    mirrored: Vec<u16>,
}

impl VehicleProfile {
    /// Computes the profile of a board.
    pub fn new(board: &Board) -> VehicleProfile {
        let upright = turn::facing(board, Side::Right);
        VehicleProfile { mirrored: codes(&turn::flipped(&upright)), upright: codes(&upright) }
    }

    /// Returns the similarity to another puzzle, from 0 (no common vehicle) to 1 (all vehicles are common).
    pub fn similarity(&self, other: &VehicleProfile) -> f64 {
        let common = common(&self.upright, &other.upright).max(common(&self.upright, &other.mirrored));
        let either = self.upright.len() + other.upright.len() - common;
        if either == 0 { 1.0 } else { common as f64 / either as f64 }
    }
}

/// Returns the similarity of two puzzles, from 0 (no common vehicle but the target) to 1 (all vehicles are common).
///
/// ```
/// use clearway_forge::pack::similarity;
/// use clearway_rush::formats;
/// let board = |text| formats::read_one(text, None).unwrap().board;
/// let card = board("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.");
/// assert_eq!(similarity(&card, &board(".BB..CD..E.CDAAE.CD..E..F...GGFHHH..")), 1.0, "vehicles elsewhere in their lines");
/// assert_eq!(similarity(&card, &board("BB...CD..E.CDAAE.CD..E......GG..HHH.")), 6.0 / 7.0, "one vehicle fewer");
/// ```
pub fn similarity(one: &Board, other: &Board) -> f64 {
    VehicleProfile::new(one).similarity(&VehicleProfile::new(other))
}

fn codes(board: &Board) -> Vec<u16> {
    let code = |v: &clearway_rush::Vehicle| {
        let column = u16::from(v.orientation == Orientation::Vertical);
        column << 10 | u16::from(v.line()) << 5 | u16::from(v.length)
    };
    let mut codes: Vec<u16> = board.vehicles()[1..].iter().map(code).collect();
    codes.sort_unstable();
    codes
}

/// Returns the number of elements that two sorted lists have in common.
fn common(one: &[u16], other: &[u16]) -> usize {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while let (Some(a), Some(b)) = (one.get(i), other.get(j)) {
        count += usize::from(a == b);
        (i, j) = (i + usize::from(a <= b), j + usize::from(b <= a));
    }
    count
}
