//! Times that players took for puzzles, measured by the page with their consent, and the model of the time fitted to them.
//!
//! - `results_file`: reads the times from the files that the page exports
//! - `regression`: the robust regression with the speed of each player
//! - `fit`: the model fitted to all times, and its error compared with that of the default model
//! - `model_file`: models as files

mod fit;
mod model_file;
mod regression;
mod results_file;

pub use fit::{FitError, FitReport, Measures, PredictionErrors, fit};
pub use model_file::{ModelFileError, model_from_json};
pub use results_file::{MAX_RESULTS_BYTES, PlayerResults, ResultsError, read_results};

use clearway_rush::{Board, formats};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

/// The time that a player took to solve a board for the first time, without help.
#[derive(Clone, Debug, PartialEq)]
pub struct SolvingTime {
    /// Board at the start.
    pub board: Board,
    /// When the game ended, in milliseconds since 1970.
    pub at: u64,
    /// Number of moves made.
    pub moves: u32,
    /// Time in seconds, all attempts added up.
    pub seconds: f64,
}

/// Times of several players.
#[derive(Clone, Debug, Default)]
pub struct SolvingTimes {
    /// The times of each player, with the number of the player.
    times: Vec<(usize, SolvingTime)>,
    /// The places of the games in `times`: when it ended, and the board.
    games: HashMap<(u64, String), usize>,
    /// Number of files added, which is the number of the next player.
    files: usize,
}

impl SolvingTimes {
    /// Adds the times of a file. Files that share a game are of the same player.
    pub fn add(&mut self, results: PlayerResults) {
        let player = self.files;
        self.files += 1;
        for added in results.times {
            match self.games.entry((added.at, formats::line(&added.board))) {
                Entry::Occupied(known) => {
                    let same = self.times[*known.get()].0;
                    for (other, _) in self.times.iter_mut().filter(|(other, _)| *other == same && same != player) {
                        *other = player;
                    }
                }
                Entry::Vacant(place) => {
                    place.insert(self.times.len());
                    self.times.push((player, added));
                }
            }
        }
    }

    /// Returns the first time of each player on each board, sorted by player and board, with players numbered from 0 in the order
    /// of their last files.
    pub fn first_times(&self) -> Vec<(usize, &SolvingTime)> {
        let mut first: BTreeMap<(usize, String), &SolvingTime> = BTreeMap::new();
        for (player, time) in &self.times {
            let known = first.entry((*player, formats::line(&time.board))).or_insert(time);
            if time.at < known.at {
                *known = time;
            }
        }
        first.into_iter().map(|((player, _), time)| (player, time)).collect()
    }

    /// Returns all boards once, in the order of their lines.
    pub fn boards(&self) -> Vec<Board> {
        let boards = self.times.iter().map(|(_, time)| (formats::line(&time.board), &time.board));
        boards.collect::<BTreeMap<_, _>>().into_values().cloned().collect()
    }
}
