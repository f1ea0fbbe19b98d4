// @ts-check
// Ratings of the player and of puzzles by Glicko-2 (M. Glickman, "Example of the Glicko-2 system", 2022), computed from the stored games.
import { isUnaided, starsOf } from './puzzle-records.js';

/** @import { FinishedGame, PuzzleRecord } from './puzzle-records.js' */

/** @typedef {{rating: number, deviation: number, volatility: number}} Rating */

/** The rating points of a unit of Glicko-2, and the rating in the middle. */
const [SCALE, MIDDLE] = [173.7178, 1500];
/** How much volatilities change. */
const TAU = 0.5;
/** @type {Rating} */
const NEW_PLAYER = { rating: MIDDLE, deviation: 350, volatility: 0.06 };

/**
 * The rating after games, each against an opponent, with a score of 0 to 1.
 * @param {Rating} before
 * @param {{opponent: Rating, score: number}[]} games
 * @returns {Rating}
 */
export function rated({ rating, deviation, volatility }, games) {
  const [mu, phi] = [(rating - MIDDLE) / SCALE, deviation / SCALE];
  let [precision, surprise] = [0, 0];
  for (const { opponent, score } of games) {
    const g = 1 / Math.sqrt(1 + 3 * (opponent.deviation / SCALE / Math.PI) ** 2);
    const expected = 1 / (1 + Math.exp(-g * (mu - (opponent.rating - MIDDLE) / SCALE)));
    precision += g * g * expected * (1 - expected);
    surprise += g * (score - expected);
  }
  const v = 1 / precision;
  const sigma = newVolatility(phi, v, v * surprise, volatility);
  const phiNow = 1 / Math.sqrt(1 / (phi * phi + sigma * sigma) + precision);
  return { rating: MIDDLE + SCALE * (mu + phiNow * phiNow * surprise), deviation: SCALE * phiNow, volatility: sigma };
}

/** Step 5 of the paper: the root of a function, by the Illinois method. @param {number} phi @param {number} v @param {number} delta @param {number} sigma */
function newVolatility(phi, v, delta, sigma) {
  const a = Math.log(sigma * sigma);
  const f = (/** @type {number} */ x) => {
    const d = phi * phi + v + Math.exp(x);
    return (Math.exp(x) * (delta * delta - d)) / (2 * d * d) - (x - a) / TAU ** 2;
  };
  let [low, high] = [a, Math.log(delta * delta - phi * phi - v)];
  if (!(delta * delta > phi * phi + v)) for (high = a - TAU; f(high) < 0; ) high -= TAU;
  let [atLow, atHigh] = [f(low), f(high)];
  while (Math.abs(high - low) > 1e-6) {
    const middle = low + ((low - high) * atLow) / (atHigh - atLow);
    const at = f(middle);
    if (at * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [middle, at];
  }
  return Math.exp(low / 2);
}

/** The rating of a puzzle before the first game: 400 points for a factor of ten in the time that its moves take people, from 1500 for a minute. @param {number} moves @returns {Rating} */
export function newPuzzle(moves) {
  const seconds = Math.exp(0.0571 + 1.584 * Math.log(Math.max(moves, 1)));
  return { rating: MIDDLE + 400 * Math.log10(seconds / 60), deviation: 150, volatility: 0.06 };
}

/** The player's score against a puzzle: 1 with two or three stars, ½ for a longer solution, and nothing with help. @param {FinishedGame} game @param {number} optimum */
const scoreOf = (game, optimum) => (!isUnaided(game) ? 0 : starsOf(game, optimum) > 1 ? 1 : 0.5);

/**
 * The ratings after all games, in order of time; each is a rating period. Only the first game of a puzzle counts: later ones are known.
 * @param {(PuzzleRecord & {board: string})[]} played
 */
export function ratings(played) {
  let player = NEW_PLAYER;
  /** @type {Map<string, Rating>} */
  const puzzles = new Map();
  const first = played.flatMap(({ board, optimum, games: [game] }) => (optimum && game ? [{ board, optimum, game }] : []));
  for (const { board, optimum, game } of first.sort((a, b) => a.game.at - b.game.at)) {
    const [puzzle, score] = [newPuzzle(optimum), scoreOf(game, optimum)];
    puzzles.set(board, rated(puzzle, [{ opponent: player, score: 1 - score }]));
    player = rated(player, [{ opponent: puzzle, score }]);
  }
  return { player: puzzles.size ? player : null, puzzles };
}
