//! How much alike two puzzles are.
//!
//! What a puzzle is like is decided by which vehicles it has in which lines; where they stand follows from that. So two
//! puzzles are compared by the vehicles that both have: those of the same length in the same row or column. Their
//! number is divided by that of the vehicles that either has (the Jaccard index of two multisets), with the target left
//! out. A puzzle may be mirrored; the larger likeness counts.

use crate::turn;
use clearway_rush::{Board, Orientation, Side};

/// The vehicles of a puzzle by line and length, sorted, as it is and mirrored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Makeup {
    upright: Vec<u16>,
    mirrored: Vec<u16>,
}

impl Makeup {
    /// That of a board.
    pub fn of(board: &Board) -> Makeup {
        let upright = turn::facing(board, Side::Right);
        Makeup { mirrored: codes(&turn::flipped(&upright)), upright: codes(&upright) }
    }

    /// From 0 (no vehicle in common) to 1 (all).
    pub fn likeness(&self, other: &Makeup) -> f64 {
        let common = common(&self.upright, &other.upright).max(common(&self.upright, &other.mirrored));
        let either = self.upright.len() + other.upright.len() - common;
        if either == 0 { 1.0 } else { common as f64 / either as f64 }
    }
}

/// How much alike two puzzles are, from 0 (they have no vehicle in common but the target) to 1 (all).
///
/// ```
/// use clearway_forge::pack::likeness;
/// use clearway_rush::formats;
/// let board = |text| formats::read_one(text, None).unwrap().board;
/// let card = board("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.");
/// assert_eq!(likeness(&card, &board(".BB..CD..E.CDAAE.CD..E..F...GGFHHH..")), 1.0, "vehicles elsewhere in their lines");
/// assert_eq!(likeness(&card, &board("BB...CD..E.CDAAE.CD..E......GG..HHH.")), 6.0 / 7.0, "one vehicle fewer");
/// ```
pub fn likeness(one: &Board, other: &Board) -> f64 {
    Makeup::of(one).likeness(&Makeup::of(other))
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

/// How many elements two sorted lists have in common.
fn common(one: &[u16], other: &[u16]) -> usize {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while let (Some(a), Some(b)) = (one.get(i), other.get(j)) {
        count += usize::from(a == b);
        (i, j) = (i + usize::from(a <= b), j + usize::from(b <= a));
    }
    count
}
