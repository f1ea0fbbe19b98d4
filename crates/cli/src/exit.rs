//! The exit codes of `clearway`, which are part of its interface.

/// The exit status of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitCode {
    /// The command did everything that was requested.
    Done = 0,
    /// A bug in the program: a panic, or a result that contradicts a proven one.
    Internal = 1,
    /// The command line is invalid. The argument parser exits with this code as well.
    Usage = 2,
    /// Some input is invalid: a board that breaks the rules, a missing file, moves that do not solve the board.
    BadInput = 3,
    /// The only board is proven unsolvable.
    Unsolvable = 4,
    /// A limit on nodes, time or memory was reached before the result was known.
    Limit = 5,
    /// The program was interrupted by Ctrl-C.
    Interrupted = 130,
}

impl ExitCode {
    /// Exits the process with this code.
    pub fn exit(self) -> ! {
        std::process::exit(self as i32)
    }
}

/// The table of exit codes below the long help of the program.
pub const EXIT_CODES: &str = "\
Exit codes:
  0    done: every board was decided
  1    internal error
  2    invalid command line
  3    invalid input
  4    the only board is proven unsolvable
  5    a limit on nodes, time or memory was reached
  130  interrupted";
