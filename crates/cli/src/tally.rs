//! How the searches of many boards ended, all together.

use crate::exit::ExitCode;
use crate::quantity;
use clearway_search::Verdict;
use std::fmt::Write;
use std::time::Duration;

/// What was found, over all boards.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Boards with a solution.
    pub solved: u64,
    /// Boards proven to have none.
    pub unsolvable: u64,
    /// Boards that ended at a limit.
    pub limits: u64,
    /// Boards that a program did not solve, although they can be.
    pub unsolved: u64,
    /// Boards and files that were refused.
    pub refused: u64,
    /// Boards that a panic left without an answer.
    pub failed: u64,
    /// Answers that contradict a proven one.
    pub contradictions: u64,
    /// States expanded, or rounds of a program.
    pub expanded: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// Walks of all states that ended at a limit.
    pub analysis_limits: u64,
}

impl Tally {
    /// Counts a board by how its search ended.
    pub fn count(&mut self, verdict: Verdict, expanded: u64) {
        match verdict {
            Verdict::Solved => self.solved += 1,
            Verdict::Unsolvable => self.unsolvable += 1,
            Verdict::Limit(_) => self.limits += 1,
        }
        self.expanded += expanded;
    }

    /// Boards that got an answer, or none.
    pub fn boards(self) -> u64 {
        self.solved + self.unsolvable + self.unsolved + self.limits
    }

    /// The worst that happened.
    pub fn exit_code(self) -> ExitCode {
        if self.contradictions + self.failed > 0 {
            ExitCode::Internal
        } else if self.refused > 0 {
            ExitCode::BadInput
        } else if self.limits + self.unsolved + self.analysis_limits > 0 {
            ExitCode::Limit
        } else if self.unsolvable == 1 && self.boards() == 1 {
            ExitCode::Unsolvable
        } else {
            ExitCode::Done
        }
    }

    /// All of it in a line, with what the work is counted in.
    pub fn summary(self, unit: &str) -> String {
        let mut text = format!("{}: {} solved", quantity::of(self.boards(), "board"), quantity::count(self.solved));
        for (count, what) in [
            (self.unsolvable, "unsolvable"),
            (self.unsolved, "not solved"),
            (self.limits, "ended at a limit"),
            (self.refused, "refused"),
            (self.failed, "failed"),
        ] {
            if count > 0 {
                let _ = write!(text, ", {} {what}", quantity::count(count));
            }
        }
        text + &format!("; {} in {}", quantity::of(self.expanded, unit), quantity::time(self.time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_that_happened_is_the_exit_code() {
        let done = Tally { solved: 2, ..Tally::default() };
        let limit = Tally { limits: 1, ..done };
        let refused = Tally { refused: 1, ..limit };
        let internal = Tally { contradictions: 1, ..refused };
        let codes = [done, limit, refused, internal].map(Tally::exit_code);
        assert_eq!(codes, [ExitCode::Done, ExitCode::Limit, ExitCode::BadInput, ExitCode::Internal]);
        assert_eq!(Tally { failed: 1, ..refused }.exit_code(), ExitCode::Internal);
        assert_eq!(Tally { unsolved: 1, ..done }.exit_code(), ExitCode::Limit);
        assert_eq!(Tally { unsolvable: 1, ..Tally::default() }.exit_code(), ExitCode::Unsolvable);
        assert_eq!(Tally { unsolvable: 1, ..done }.exit_code(), ExitCode::Done);
        assert_eq!(Tally { unsolvable: 2, ..Tally::default() }.exit_code(), ExitCode::Done);
    }
}
