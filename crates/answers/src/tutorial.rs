//! The tutorial: five boards, each of which needs one more idea.

use clearway_rush::{Board, formats};
use serde::Serialize;

/// Board of the tutorial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Lesson {
    /// The idea, in a few words.
    pub name: &'static str,
    /// What the player should do, and why.
    pub about: &'static str,
    /// Board in line format.
    pub board: &'static str,
    /// Number of moves of a shortest solution.
    pub moves: u32,
}

static LESSONS: [Lesson; 5] = [
    Lesson {
        name: "Slide",
        about: "Slide the red vehicle with the star to the exit on the right.",
        board: "............AA......................",
        moves: 1,
    },
    Lesson {
        name: "Clear the way",
        about: "A car and a truck are in the way. Vehicles slide along their own line only: move both up or down.",
        board: "...B.....B..AA.B.C.....C............",
        moves: 3,
    },
    Lesson {
        name: "Make room",
        about: "The truck must go all the way down, but a car is in its way. Make room for it first.",
        board: "....B.....B.AA..B...........CC......",
        moves: 3,
    },
    Lesson {
        name: "Move back",
        about: "Sometimes the red vehicle is in the way itself. Move it back to let another one pass.",
        board: "....B.....B...AAB....C.....CDD......",
        moves: 5,
    },
    Lesson {
        name: "Think ahead",
        about: "Start at the exit: what is in the way, where can it go, and what has to move before it?",
        board: "B.C...B.CDDDBAA.E.....E.....F.....F.",
        moves: 6,
    },
];

/// Returns the boards of the tutorial, in order.
///
/// ```
/// let moves: Vec<u32> = clearway_answers::tutorial().iter().map(|lesson| lesson.moves).collect();
/// assert_eq!(moves, [1, 3, 3, 5, 6]);
/// ```
pub fn tutorial() -> &'static [Lesson] {
    &LESSONS
}

impl Lesson {
    /// Returns the board.
    ///
    /// # Panics
    /// Never: a test reads every board.
    pub fn board(&self) -> Board {
        formats::read_one(self.board, None).expect("the boards of the tutorial are well formed").board
    }
}
