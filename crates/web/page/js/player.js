// @ts-check
// The player and their results: stored by the server, and in the browser in case the server does not respond.
import { api } from './api.js';
import { recall, remember } from './dom.js';

/** @typedef {{moves: number, seconds: number, perfect: boolean}} Result */

/** The player's name: random, and known only to this browser. */
function player() {
  let name = recall('player', '');
  if (!/^[0-9a-f]{32}$/.test(name)) {
    name = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    remember('player', name);
  }
  return name;
}

/** The best result for each board. @type {Map<string, Result>} */
const results = new Map(Object.entries(recall('results', {})));

/** @param {string} board @param {Result} result */
function keep(board, result) {
  const old = results.get(board);
  const better = !old || result.moves < old.moves || (result.moves === old.moves && result.seconds < old.seconds);
  if (better) results.set(board, { ...result, perfect: result.perfect || (old?.perfect ?? false) });
  return better;
}

export const progress = {
  /** The best result on a board. @param {string} board */
  of: (board) => results.get(board),

  /** The number of boards that are solved, and solved in the fewest moves. @param {string[]} [boards] */
  count(boards = [...results.keys()]) {
    const known = boards.map((board) => results.get(board)).filter((result) => result !== undefined);
    return { solved: known.length, perfect: known.filter((result) => result.perfect).length };
  },

  /** Loads the results from the server. @param {AbortSignal} signal */
  async load(signal) {
    /** @type {{board: string, best: {moves: number, seconds: number}, perfect: boolean}[]} */
    const known = await api.list(`/players/${player()}/results`, { signal });
    for (const { board, best, perfect } of known) keep(board, { moves: best.moves, seconds: best.seconds, perfect });
    remember('results', Object.fromEntries(results));
  },

  /**
   * Submits a solved game. The server replays and assesses it; without the server, the assessment uses local results.
   * @param {string} board
   * @param {string[]} moves
   * @param {number} seconds
   * @param {number | null} optimum
   * @returns {Promise<{perfect: boolean, best: boolean}>}
   */
  async solved(board, moves, seconds, optimum) {
    let assessment = { perfect: moves.length === optimum, best: false };
    const rounded = Math.round(seconds * 10) / 10;
    try {
      assessment = await api.post(`/players/${player()}/results`, { board, moves, seconds: rounded });
    } catch (error) {
      console.error(error);
    }
    const best = keep(board, { moves: moves.length, seconds: rounded, perfect: assessment.perfect });
    remember('results', Object.fromEntries(results));
    return { perfect: assessment.perfect, best };
  },
};
