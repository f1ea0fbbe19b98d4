// @ts-check
// The player and their results: all of them in the browser, and those without help also on the server, which replays them.
import { ApiError, api } from './api.js';
import { bestOf, compareGames, deleteRecord, isUnaided, mergedRecord, recordOf, recordedBoards, setRecord } from './puzzle-records.js';
import { recall, remember } from './storage.js';

/** @import { About, FinishedGame } from './puzzle-records.js' */

/** Whether a value is a player's name. @param {unknown} value */
export const isPlayer = (value) => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);

/** The player's name on the server. It is random, and known only to this browser and to exported files. */
export function player() {
  const known = recall('player', '');
  if (isPlayer(known)) return known;
  const name = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  remember('player', name);
  return name;
}

/** Continues as the player of an exported file. @param {string} name */
export const continueAs = (name) => void remember('player', name);

/** The address of the player's results. */
const address = () => `/players/${player()}/results`;

/** Adds the results on the server that are better than those in the browser. @param {AbortSignal} signal */
export async function loadResults(signal) {
  /** @type {{board: string, name: string | null, best: {moves: number, seconds: number}, optimum: number | null, last: string}[]} */
  const results = await api.list(address(), { signal });
  for (const { board, name, best, optimum, last } of results) {
    const game = { at: Date.parse(last), ...best, hints: 0, solutionShown: false };
    const old = recordOf(board);
    const known = bestOf(old?.games ?? []);
    if (!known || compareGames(game, known) < 0) setRecord(board, mergedRecord(old, { name, source: null, optimum, games: [game] }));
  }
}

/**
 * Stores a finished game, and sends it to the server if it was played without help.
 * @param {string} board
 * @param {string[]} moves
 * @param {FinishedGame} game
 * @param {About} about the puzzle
 * @returns {{isKept: boolean, result: Promise<{best: boolean, optimum: number | null}>}} whether the browser's storage had room, whether the
 * game is the player's best, and the length of a shortest solution
 */
export function addResult(board, moves, game, about) {
  const old = recordOf(board);
  const known = bestOf(old?.games ?? []);
  const best = !game.solutionShown && (!known || compareGames(game, known) < 0);
  const isKept = setRecord(board, mergedRecord(old, { ...about, games: [game] }));
  return { isKept, result: sent(board, moves, game, about.optimum).then((optimum) => ({ best, optimum })) };
}

/**
 * Sends a game to the server if it was played without help; returns the length of a shortest solution.
 * @param {string} board
 * @param {string[]} moves
 * @param {FinishedGame} game
 * @param {number | null} known the length, if it is known
 */
async function sent(board, moves, game, known) {
  if (!isUnaided(game)) return known;
  try {
    const { optimum } = await api.post(address(), { board, moves, seconds: game.seconds });
    const record = recordOf(board);
    if (record && optimum !== null) setRecord(board, { ...record, optimum });
    return /** @type {number | null} */ (optimum ?? known);
  } catch (error) {
    console.error(error);
    return known;
  }
}

/** Deletes the results of a puzzle, or all results, on the server and in the browser. @param {string | null} board @param {AbortSignal} signal */
export async function deleteResults(board, signal) {
  try {
    await api.remove(`${address()}${board === null ? '' : `?board=${encodeURIComponent(board)}`}`, { signal });
  } catch (error) {
    // The server has no results of games with help.
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
  for (const one of board === null ? recordedBoards() : [board]) deleteRecord(one);
}
