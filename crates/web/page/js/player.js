// @ts-check
// The player and their results: all of them in the browser, and those without help also on the server, which replays them.
import { ApiError, api } from './api.js';
import { bestOf, compareGames, deleteRecord, isUnaided, mergedRecord, recordOf, recordedBoards, setRecord } from './puzzle-records.js';
import { recall, remember } from './storage.js';

/** @import { About, FinishedGame } from './puzzle-records.js' */

/** The address of the player's results. The player's name is random, and known only to this browser. */
function address() {
  let name = recall('player', '');
  if (!/^[0-9a-f]{32}$/.test(name)) {
    name = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    remember('player', name);
  }
  return `/players/${name}/results`;
}

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
 * @returns {Promise<{best: boolean, optimum: number | null}>} whether it is the player's best, and the length of a shortest solution
 */
export async function addResult(board, moves, game, about) {
  const old = recordOf(board);
  const known = bestOf(old?.games ?? []);
  const best = !game.solutionShown && (!known || compareGames(game, known) < 0);
  setRecord(board, mergedRecord(old, { ...about, games: [game] }));
  if (!isUnaided(game)) return { best, optimum: about.optimum };
  try {
    const { optimum } = await api.post(address(), { board, moves, seconds: game.seconds });
    const record = recordOf(board);
    if (record && optimum !== null) setRecord(board, { ...record, optimum });
    return { best, optimum: optimum ?? about.optimum };
  } catch (error) {
    console.error(error);
    return { best, optimum: about.optimum };
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
