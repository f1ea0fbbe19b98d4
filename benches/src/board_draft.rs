//! Random 6x6 boards and small changes to them.

use crate::random::Random;
use clearway_rush::{Board, Cells, Exit, Orientation, Side, Vehicle, labels};

/// Width and height of all boards.
const SIDE: u8 = 6;
/// Row of the exit.
const EXIT_ROW: u8 = 2;
/// Number of positions tried for a vehicle before the board counts as full.
const MAX_TRIES: usize = 40;

/// Vehicles that do not overlap, the target first.
#[derive(Clone, Debug)]
pub struct BoardDraft(Vec<Vehicle>);

impl BoardDraft {
    /// Creates a draft with the target at a random position of the exit's row, but not at the exit.
    pub fn with_target(random: &mut Random) -> BoardDraft {
        let x = random.below(SIDE as usize - 2) as u8;
        BoardDraft(vec![Vehicle { label: 'A', x, y: EXIT_ROW, length: 2, orientation: Orientation::Horizontal }])
    }

    /// Creates a draft with the vehicles of a board.
    pub fn from_board(board: &Board) -> BoardDraft {
        BoardDraft(board.vehicles().to_vec())
    }

    /// Returns the board with its vehicles labelled in reading order.
    pub fn board(mut self) -> Option<Board> {
        self.0[1..].sort_unstable_by_key(|v| (v.y, v.x));
        for (vehicle, &label) in self.0.iter_mut().zip(labels()) {
            vehicle.label = label;
        }
        Board::new(SIDE, SIDE, Cells::default(), self.0, Exit::Target(Side::Right)).ok()
    }

    /// Adds a vehicle of this length at a random free position. Returns None if none is found.
    pub fn add(&mut self, length: u8, random: &mut Random) -> Option<()> {
        for _ in 0..MAX_TRIES {
            let (line, position) =
                (random.below(SIDE as usize) as u8, random.below((SIDE - length + 1) as usize) as u8);
            let vehicle = if random.below(2) == 0 {
                Vehicle { label: 'B', x: position, y: line, length, orientation: Orientation::Horizontal }
            } else {
                Vehicle { label: 'B', x: line, y: position, length, orientation: Orientation::Vertical }
            };
            if self.is_free(vehicle) {
                self.0.push(vehicle);
                return Some(());
            }
        }
        None
    }

    /// Makes one small change: adds, removes, moves or resizes a vehicle.
    pub fn mutate(&mut self, random: &mut Random) -> Option<()> {
        let length = if random.below(4) == 0 { 3 } else { 2 };
        match random.below(6) {
            0 | 1 => self.add(length, random),
            2 => self.remove(random).map(|_| ()),
            3 => self.remove(random).and_then(|removed| self.add(removed.length, random)),
            4 => self.remove(random).and_then(|_| self.add(length, random)),
            _ => {
                let mut vehicle = self.remove(random)?;
                if vehicle.length == 3 {
                    vehicle.length = 2;
                } else {
                    vehicle.length = 3;
                    vehicle = vehicle.at(vehicle.position().saturating_sub(random.below(2) as u8));
                }
                self.is_free(vehicle).then(|| self.0.push(vehicle))
            }
        }
    }

    fn remove(&mut self, random: &mut Random) -> Option<Vehicle> {
        let others = self.0.len() - 1;
        (others > 0).then(|| self.0.swap_remove(1 + random.below(others)))
    }

    fn is_free(&self, vehicle: Vehicle) -> bool {
        vehicle.position() + vehicle.length <= SIDE
            && vehicle.cells().all(|cell| self.0.iter().all(|other| other.cells().all(|taken| taken != cell)))
    }
}

/// Generates a random board with these numbers of cars (including the target) and trucks. Vehicles are placed one by one, and the
/// board is started again when it is full.
pub fn random_board(cars: usize, trucks: usize, random: &mut Random) -> Board {
    loop {
        let mut draft = BoardDraft::with_target(random);
        let mut lengths = vec![2; cars - 1];
        lengths.resize(cars - 1 + trucks, 3);
        random.shuffle(&mut lengths);
        let placed: Option<()> = lengths.into_iter().try_for_each(|length| draft.add(length, random));
        if let Some(board) = placed.and_then(|()| draft.board()) {
            return board;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_boards_have_the_requested_vehicles() {
        let mut random = Random::new(1, 0);
        for _ in 0..100 {
            let board = random_board(9, 4, &mut random);
            let of_length = |length| board.vehicles().iter().filter(|v| v.length == length).count();
            assert_eq!((of_length(2), of_length(3)), (9, 4));
            assert!(!board.is_solved());
        }
    }

    #[test]
    fn changed_boards_are_valid_and_keep_the_target() {
        let mut random = Random::new(2, 0);
        let mut board = random_board(7, 2, &mut random);
        let mut changes = 0;
        for _ in 0..1000 {
            let mut draft = BoardDraft::from_board(&board);
            if draft.mutate(&mut random).is_some() {
                let next = draft.board().expect("a changed board is valid");
                assert_eq!(next.target(), board.target());
                changes += usize::from(next != board);
                board = next;
            }
        }
        assert!(changes > 300, "{changes}");
    }
}
