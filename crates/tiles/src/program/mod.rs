//! Programs of moves: trees of `if` and `and` over moves and macros, which solve boards, or should.
//!
//! - `(if a b)`: whichever of the two leaves the board with the lower [measure](Paper); the second one if they are equal
//! - `(and a b)`: the first, then the second
//! - `lur`: these moves of the blank, one after the other
//!
//! An impossible move is skipped, in a macro as anywhere: the rest of the word is made as if it had not been there.
//!
//! How a program is run is its [`Style`]. In a loop it is run again and again as long as the measure falls. By strings,
//! as in experiments A and B of Barnes, Hasan and Lee, all parts of a program look at the board as it was before the
//! program ran; acting, as in their experiment C, each part works on the board that the part before it left.
//!
//! ```
//! use clearway_tiles::{Board, Program, Puzzle, moves};
//! let program = Program::parse("run: loop do\n(if u (if d (if l r)))")?;
//! let run = program.run(&Puzzle::new(Board::parse("123450786")?)?, 1_000);
//! assert_eq!((run.solved, moves::text(&run.moves)), (true, "d".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compiled;
pub(crate) mod measure;
pub mod primitives;
mod rounds;
pub(crate) mod run;
mod text;

pub use compiled::Compiled;
pub use rounds::Rounds;
pub use run::Run;
pub use text::LONGEST_TEXT;

use clearway_gp::Tree;
use serde::{Deserialize, Serialize};
use std::fmt;

#[expect(unused_imports, reason = "the documentation names it")]
use crate::heuristics::Paper;

/// A tree of moves, and how it is run.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// What it is and where it comes from, in any number of lines; empty if nothing is said.
    pub about: String,
    /// How it is run.
    pub style: Style,
    /// The formula of features that parts are compared by, a tree of [`primitives`]; none for the paper's measure.
    pub measure: Option<Tree>,
    /// The tree, of [`primitives`].
    pub tree: Tree,
}

/// How a program is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Style {
    /// Again and again, as long as the measure falls; else once.
    pub looped: bool,
    /// Each part works on the board that the part before it left; else all see the board as it was.
    pub acting: bool,
}

impl Default for Style {
    fn default() -> Self {
        Style { looped: true, acting: true }
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.looped { "loop" } else { "once" })?;
        f.write_str(if self.acting { " do" } else { "" })
    }
}
