//! The exit codes of `clearway`. They are part of its interface: scripts may rely on them.

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitCode {
    /// Everything that was asked for was done.
    Done = 0,
    /// The program itself is at fault: a panic, or a result that contradicts a proven one.
    Internal = 1,
    /// The command line was wrong. (The argument parser ends the program with this code as well.)
    Usage = 2,
    /// An input was refused: a board that breaks the rules, a file that is not there, moves that do not solve.
    BadInput = 3,
    /// The only board that was given is proven unsolvable.
    Unsolvable = 4,
    /// A limit on nodes, time or memory was reached before an answer was known.
    Limit = 5,
    /// Ctrl-C.
    Interrupted = 130,
}

impl ExitCode {
    /// Ends the program.
    pub fn exit(self) -> ! {
        std::process::exit(self as i32)
    }
}

/// The exit codes as they are printed below the help of the program.
pub const EXIT_CODES: &str = "\
Exit codes:
  0    done: every board got its answer
  1    internal error
  2    wrong usage
  3    bad input
  4    the only board given is proven unsolvable
  5    a limit on nodes, time or memory was reached
  130  interrupted";
