// @ts-check
// Who plays, and what they have solved: kept by the server, and here for when it does not answer.
import { api } from './api.js';
import { recall, remember } from './dom.js';

/** @typedef {{moves: number, seconds: number, perfect: boolean}} Result */

/** A random name that only this browser knows. */
function player() {
  let name = recall('player', '');
  if (!/^[0-9a-f]{32}$/.test(name)) {
    name = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    remember('player', name);
  }
  return name;
}

/** The best results, by board. @type {Map<string, Result>} */
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

  /** How many boards are solved, and how many in the fewest moves: of some, or of all. @param {string[]} [boards] */
  count(boards = [...results.keys()]) {
    const known = boards.map((board) => results.get(board)).filter((result) => result !== undefined);
    return { solved: known.length, perfect: known.filter((result) => result.perfect).length };
  },

  /** Takes over what the server remembers. @param {AbortSignal} signal */
  async load(signal) {
    /** @type {{board: string, best: {moves: number, seconds: number}, perfect: boolean}[]} */
    const known = await api.list(`/players/${player()}/results`, { signal });
    for (const { board, best, perfect } of known) keep(board, { moves: best.moves, seconds: best.seconds, perfect });
    remember('results', Object.fromEntries(results));
  },

  /**
   * Hands in a solved game. The answer comes from the server, which replays it; without it from what is known here.
   * @param {string} board
   * @param {string[]} moves
   * @param {number} seconds
   * @param {number | null} optimum
   * @returns {Promise<{perfect: boolean, best: boolean}>}
   */
  async solved(board, moves, seconds, optimum) {
    let answer = { perfect: moves.length === optimum, best: false };
    const rounded = Math.round(seconds * 10) / 10;
    try {
      answer = await api.post(`/players/${player()}/results`, { board, moves, seconds: rounded });
    } catch (error) {
      console.error(error);
    }
    const best = keep(board, { moves: moves.length, seconds: rounded, perfect: answer.perfect });
    remember('results', Object.fromEntries(results));
    return { perfect: answer.perfect, best };
  },
};
