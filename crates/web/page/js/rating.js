// @ts-check
// Ratings of the player and of puzzles by Glicko-2. The server computes them from the first game of each puzzle.
import { api } from './api.js';
import { isUnaided, starsOf } from './puzzle-records.js';

/** @import { FinishedGame, PuzzleRecord } from './puzzle-records.js' */

/** Maximum number of games that the server rates; the most recent ones are sent. */
const MAX_GAMES = 5000;
/** The server takes no larger number of moves than a puzzle can have. */
const MAX_MOVES = 1e6;

/** @typedef {{player: {rating: number, deviation: number} | null, puzzles: Map<string, number>}} Ratings */

/** The outcome of a game for the player: won with two or three stars, drawn for a longer solution, and lost with help. @param {FinishedGame} game @param {number} optimum */
const outcomeOf = (game, optimum) => (!isUnaided(game) ? 'lost' : starsOf(game, optimum) > 1 ? 'won' : 'drawn');

/**
 * The games that count, in order of time: the first one of each puzzle, since the player knows the puzzle later.
 * @param {(PuzzleRecord & {board: string})[]} played
 */
export function ratedGames(played) {
  const first = played.flatMap(({ board, optimum, games: [game] }) => (optimum && game ? [{ board, optimum, game }] : []));
  const inOrder = first.sort((a, b) => a.game.at - b.game.at).slice(-MAX_GAMES);
  return inOrder.map(({ board, optimum, game }) => ({ board, moves: Math.min(optimum, MAX_MOVES), outcome: outcomeOf(game, optimum) }));
}

/** Asks for the ratings after all games. @param {ReturnType<typeof ratedGames>} games @param {AbortSignal} signal @returns {Promise<Ratings>} */
export async function askRatings(games, signal) {
  const { player, puzzles } = await api.post('/ratings', { games: games.map(({ moves, outcome }) => ({ moves, outcome })) }, { signal });
  return { player, puzzles: new Map(games.map(({ board }, i) => [board, puzzles[i]])) };
}
