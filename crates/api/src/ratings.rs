//! Ratings of a player and of puzzles by Glicko-2.

use crate::RequestError;
use clearway_forge::grade::TimeModel;
use serde::{Deserialize, Serialize};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};
use utoipa::ToSchema;

/// Maximum number of games.
const MAX_GAMES: usize = 5_000;
/// Maximum number of moves of a shortest solution.
const MAX_MOVES: u32 = 1_000_000;
/// Rating of a new puzzle that takes people a minute.
const OF_A_MINUTE: f64 = 1_500.0;
/// Points that a factor of ten in the time adds.
const TENFOLD: f64 = 400.0;

/// The games of a player, one for each puzzle.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RatingsRequest {
    /// Games in the order in which they were played, 5000 at most. Each is a rating period.
    #[schema(max_items = 5000)] // MAX_GAMES
    games: Vec<RatedGame>,
}

/// A game of the player against a puzzle.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RatedGame {
    /// Moves of a shortest solution, from which the rating of the puzzle before the game follows.
    #[schema(minimum = 0, maximum = 1_000_000, example = 8)] // MAX_MOVES
    moves: u32,
    /// The outcome for the player.
    outcome: Outcome,
}

/// Outcome of a game for the player.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The player wins, and the puzzle loses.
    Won,
    /// A draw.
    Drawn,
    /// The player loses, and the puzzle wins.
    Lost,
}

/// Ratings after all games.
#[derive(Serialize, ToSchema)]
pub struct Ratings {
    /// The player, or null if there are no games.
    player: Option<PlayerRating>,
    /// The rating of the puzzle of each game.
    puzzles: Vec<f64>,
}

/// A rating of Glicko-2.
#[derive(Serialize, ToSchema)]
pub struct PlayerRating {
    /// The rating; 1500 for a new player.
    rating: f64,
    /// Its standard deviation: a 95 % interval is 1.96 deviations wide on both sides.
    deviation: f64,
    /// The expected fluctuation of the rating.
    volatility: f64,
}

/// Rates the player and the puzzles.
pub fn ratings(RatingsRequest { games }: &RatingsRequest) -> Result<Ratings, RequestError> {
    if games.len() > MAX_GAMES {
        return Err(RequestError::bad_request(format!("at most {MAX_GAMES} games can be rated, not {}", games.len())));
    }
    if let Some(game) = games.iter().find(|game| game.moves > MAX_MOVES) {
        let message = format!("a shortest solution of {} moves is too long; expected at most {MAX_MOVES}", game.moves);
        return Err(RequestError::bad_request(message));
    }
    let mut player = Glicko2Rating::new();
    let mut puzzles = Vec::with_capacity(games.len());
    for game in games {
        let outcome = match game.outcome {
            Outcome::Won => Outcomes::WIN,
            Outcome::Drawn => Outcomes::DRAW,
            Outcome::Lost => Outcomes::LOSS,
        };
        let (after, puzzle) = glicko2(&player, &new_puzzle(game.moves), &outcome, &Glicko2Config::new());
        player = after;
        puzzles.push(puzzle.rating);
    }
    let Glicko2Rating { rating, deviation, volatility } = player;
    Ok(Ratings { player: (!games.is_empty()).then_some(PlayerRating { rating, deviation, volatility }), puzzles })
}

/// Returns the rating of a puzzle before its first game, from the time that its moves take people.
fn new_puzzle(moves: u32) -> Glicko2Rating {
    let seconds = TimeModel::default().moves_only.seconds(moves.max(1));
    Glicko2Rating { rating: OF_A_MINUTE + TENFOLD * (seconds / 60.0).log10(), deviation: 150.0, volatility: 0.06 }
}
