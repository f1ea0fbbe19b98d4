//! Programs of moves: trees of `if` and `and` over moves and macros that solve boards.
//!
//! - `(if a b)`: the part that leaves the board with the lower [measure](PaperMeasure); `b` if they are equal
//! - `(and a b)`: `a`, then `b`
//! - `lur`: a word, these moves of the blank in order
//!
//! An impossible move is skipped, also inside of a macro; the rest of the word is still executed.
//!
//! The [`Style`] determines how a program is run. In a loop, it is repeated as long as the measure decreases. In string mode, as
//! in experiments A and B of Barnes, Hasan and Lee, all parts of a program see the board as it was before the program ran; in
//! acting mode, as in their experiment C, each part works on the board that the previous part left.
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

pub use compiled::CompiledProgram;
pub use rounds::RoundTable;
pub use run::Execution;
pub use text::MAX_TEXT_LENGTH;

use clearway_gp::Tree;
use serde::{Deserialize, Serialize};
use std::fmt;

#[expect(unused_imports, reason = "the documentation links to it")]
use crate::heuristics::PaperMeasure;

/// A program: a tree of moves, and how it is run.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Description and provenance, any number of lines; may be empty.
    pub about: String,
    /// How the program is run.
    pub style: Style,
    /// Formula of features by which parts are compared, a tree of [`primitives`]; `None` for the measure of the paper.
    pub measure: Option<Tree>,
    /// Tree of the program, of [`primitives`].
    pub tree: Tree,
}

/// How a program is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Style {
    /// Whether the program is repeated as long as the measure decreases; otherwise it runs once.
    pub looped: bool,
    /// Whether each part works on the board that the previous part left; otherwise all parts see the initial board.
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
