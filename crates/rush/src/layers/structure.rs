//! What the encoding has to know of a board: the vehicles that can move, where, and what they share.

use crate::{Board, Orientation, vehicle_ranges};
use std::ops::RangeInclusive;

/// A vehicle that can move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover {
    /// Index of the vehicle on the board.
    pub vehicle: usize,
    /// Position on the board.
    pub start: u8,
    /// First and last position that it can ever have.
    pub first: u8,
    pub last: u8,
    pub length: u8,
}

impl Mover {
    /// The cells of its line that it can ever cover.
    fn span(&self) -> RangeInclusive<u8> {
        self.first..=self.last + self.length - 1
    }
}

/// A cell that both a horizontal and a vertical vehicle can cover.
#[derive(Clone, Debug)]
pub(super) struct SharedCell {
    /// The horizontal vehicles, as indices of movers, and the cell's coordinate along their row.
    pub horizontal: (Vec<usize>, u8),
    /// The vertical vehicles, and the cell's coordinate along their column.
    pub vertical: (Vec<usize>, u8),
}

/// The parts of a board that matter to the encoding.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    /// The vehicles that can move.
    pub movers: Vec<Mover>,
    /// The target among the movers, and the position at which it has left; `None` if the target cannot move.
    pub target: Option<(usize, u8)>,
    pub shared: Vec<SharedCell>,
    /// Pairs of movers that follow each other in a line and can touch.
    pub in_line: Vec<(usize, usize)>,
    /// By mover: the movers that share a cell or a line with it.
    pub neighbours: Vec<Vec<usize>>,
}

impl Structure {
    pub fn new(board: &Board) -> Structure {
        let movers: Vec<Mover> = vehicle_ranges(board)
            .into_iter()
            .enumerate()
            .filter(|(_, (first, last))| first < last)
            .map(|(vehicle, (first, last))| {
                let (start, length) = (board.vehicles()[vehicle].position(), board.vehicles()[vehicle].length);
                Mover { vehicle, start, first, last, length }
            })
            .collect();
        let target = movers.iter().position(|mover| mover.vehicle == 0).map(|at| (at, board.goal_position()));
        let mut structure = Structure {
            target,
            shared: Vec::new(),
            in_line: Vec::new(),
            neighbours: vec![Vec::new(); movers.len()],
            movers,
        };
        structure.find_shared_cells(board);
        structure.find_lines(board);
        for neighbours in &mut structure.neighbours {
            neighbours.sort_unstable();
            neighbours.dedup();
        }
        structure
    }

    /// Whether the target can stand at the exit, as far as the ranges are concerned.
    pub fn is_goal_in_range(&self) -> bool {
        self.target.is_some_and(|(target, goal)| (self.movers[target].first..=self.movers[target].last).contains(&goal))
    }

    fn find_shared_cells(&mut self, board: &Board) {
        let covering = |x: u8, y: u8, orientation: Orientation| {
            let (line, along) = if orientation == Orientation::Horizontal { (y, x) } else { (x, y) };
            let can_cover = |mover: &Mover| {
                let vehicle = &board.vehicles()[mover.vehicle];
                vehicle.orientation == orientation && vehicle.line() == line && mover.span().contains(&along)
            };
            let found = self.movers.iter().enumerate().filter(|(_, mover)| can_cover(mover)).map(|(index, _)| index);
            (found.collect::<Vec<_>>(), along)
        };
        let mut shared = Vec::new();
        for y in 0..board.height() {
            for x in 0..board.width() {
                let (horizontal, vertical) =
                    (covering(x, y, Orientation::Horizontal), covering(x, y, Orientation::Vertical));
                if !horizontal.0.is_empty() && !vertical.0.is_empty() {
                    shared.push(SharedCell { horizontal, vertical });
                }
            }
        }
        self.shared = shared;
        for cell in &self.shared {
            for &one in &cell.horizontal.0 {
                for &other in &cell.vertical.0 {
                    self.neighbours[one].push(other);
                    self.neighbours[other].push(one);
                }
            }
        }
    }

    fn find_lines(&mut self, board: &Board) {
        let line = |index: usize| {
            let vehicle = &board.vehicles()[self.movers[index].vehicle];
            (vehicle.orientation, vehicle.line(), vehicle.position())
        };
        let mut order: Vec<usize> = (0..self.movers.len()).collect();
        order.sort_unstable_by_key(|&index| line(index));
        for pair in order.windows(2) {
            let (one, other) = (pair[0], pair[1]);
            let same_line = (line(one).0, line(one).1) == (line(other).0, line(other).1);
            if same_line && self.movers[one].span().end() >= &self.movers[other].first {
                self.in_line.push((one, other));
                self.neighbours[one].push(other);
                self.neighbours[other].push(one);
            }
        }
    }
}
