//! Counts of the results over many boards.

use crate::exit::ExitCode;
use crate::quantity;
use clearway_search::Verdict;
use std::fmt::Write;
use std::time::Duration;

/// The results of all boards of a command.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Boards with a solution.
    pub solved: u64,
    /// Boards proven unsolvable.
    pub unsolvable: u64,
    /// Boards whose search reached a limit.
    pub limits: u64,
    /// Solvable boards that a program did not solve.
    pub unsolved: u64,
    /// Invalid boards and files.
    pub invalid: u64,
    /// Boards without a result because of a panic.
    pub failed: u64,
    /// Results that contradict a proven one.
    pub contradictions: u64,
    /// States expanded, or rounds of a program.
    pub expanded: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// Analyses of all states that reached a limit.
    pub analysis_limits: u64,
}

impl Tally {
    /// Adds the result of a board.
    pub fn count(&mut self, verdict: Verdict, expanded: u64) {
        match verdict {
            Verdict::Solved => self.solved += 1,
            Verdict::Unsolvable => self.unsolvable += 1,
            Verdict::Limit(_) => self.limits += 1,
        }
        self.expanded += expanded;
    }

    /// Returns the number of valid boards.
    pub fn boards(self) -> u64 {
        self.solved + self.unsolvable + self.unsolved + self.limits
    }

    /// Returns whether the command had more than one result or error.
    pub fn is_several(self) -> bool {
        self.boards() + self.invalid + self.failed > 1
    }

    /// Returns the exit code of the most severe result.
    pub fn exit_code(self) -> ExitCode {
        if self.contradictions + self.failed > 0 {
            ExitCode::Internal
        } else if self.invalid > 0 {
            ExitCode::BadInput
        } else if self.limits + self.unsolved + self.analysis_limits > 0 {
            ExitCode::Limit
        } else if self.unsolvable == 1 && self.boards() == 1 {
            ExitCode::Unsolvable
        } else {
            ExitCode::Done
        }
    }

    /// Formats the counts as one line. `unit` is the noun for the expanded states or rounds.
    pub fn summary(self, unit: &str) -> String {
        let mut text = format!("{}: {} solved", quantity::plural(self.boards(), "board"), quantity::count(self.solved));
        for (count, label) in [
            (self.unsolvable, "unsolvable"),
            (self.unsolved, "not solved"),
            (self.limits, "stopped by a limit"),
            (self.invalid, "invalid"),
            (self.failed, "failed"),
        ] {
            if count > 0 {
                let _ = write!(text, ", {} {label}", quantity::count(count));
            }
        }
        text + &format!("; {} in {}", quantity::plural(self.expanded, unit), quantity::time(self.time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_severe_result_decides_the_exit_code() {
        let done = Tally { solved: 2, ..Tally::default() };
        let limit = Tally { limits: 1, ..done };
        let invalid = Tally { invalid: 1, ..limit };
        let internal = Tally { contradictions: 1, ..invalid };
        let codes = [done, limit, invalid, internal].map(Tally::exit_code);
        assert_eq!(codes, [ExitCode::Done, ExitCode::Limit, ExitCode::BadInput, ExitCode::Internal]);
        assert_eq!(Tally { failed: 1, ..invalid }.exit_code(), ExitCode::Internal);
        assert_eq!(Tally { analysis_limits: 1, ..done }.exit_code(), ExitCode::Limit);
        assert_eq!(Tally { unsolved: 1, ..done }.exit_code(), ExitCode::Limit);
        assert_eq!(Tally { unsolvable: 1, ..Tally::default() }.exit_code(), ExitCode::Unsolvable);
        assert_eq!(Tally { unsolvable: 1, ..done }.exit_code(), ExitCode::Done);
        assert_eq!(Tally { unsolvable: 2, ..Tally::default() }.exit_code(), ExitCode::Done);
    }
}
