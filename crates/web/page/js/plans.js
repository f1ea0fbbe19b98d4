// @ts-check
// Searches that report improvements, and the best plans known.
import { ApiError, api } from './api.js';
import { moveText, parseMove } from './board.js';
import { button } from './controls.js';
import { t } from './i18n.js';

/** @import { Board, Move } from './board.js' */
/** @import { Child } from './dom.js' */

/**
 * Solves a board; null if the user stops it. `show` gets each improvement and the answer, with a description of what is not proven.
 * `known` adds what is known from elsewhere.
 * @param {string} board
 * @param {AbortSignal} signal
 * @param {(found: Progress, about: Child[]) => void} show
 * @param {<T extends Progress>(found: T) => T} [known]
 * @returns {Promise<Answer | null>}
 */
export async function solveLive(board, signal, show, known = (found) => found) {
  const stopped = new AbortController();
  const stop = button(t('word.stop'), 'stop', () => stopped.abort(), 'small');
  /** @type {Progress | null} */
  let last = null;
  try {
    for await (const { improvement: better, answer: end, error } of api.lines('/solve/stream', { board }, { signal: AbortSignal.any([signal, stopped.signal]) })) {
      signal.throwIfAborted();
      if (error) throw new ApiError(500, error);
      const [improvement, answer] = [better && known(better), end && known(end)];
      last = improvement ?? answer;
      if (improvement) show(improvement, [t('plans.searching', { bounds: bounds(improvement) }), stop]);
      else show(answer, answer.status === 'limit' ? [bounds(answer)] : []);
      if (answer) return answer;
    }
    throw new ApiError(0, {});
  } catch (error) {
    if (last && !signal.aborted) show(last, [bounds(last)]);
    if (!stopped.signal.aborted || signal.aborted) throw error;
    return null;
  }
}

/** @param {Progress} found */
const bounds = ({ moves, lower_bound }) => (moves === null ? t('plans.none', { bound: `${lower_bound}` }) : t('plans.found', { moves: t('count.moves', { count: moves }), bound: `${lower_bound}` }));

/** The shortest plan known from each position. */
export class Plans {
  /** @type {Map<string, Move[]>} */
  #rest = new Map();
  /** The number of moves that every solution from the start needs, as far as it is known. */
  bound = 0;

  /** Adds a solution, if there is one, for all positions on its way. @param {Board} board @param {{solution: string[] | null}} found */
  learn(board, { solution }) {
    const moves = solution?.map(parseMove);
    moves?.forEach((move, i) => {
      const known = this.from(board);
      if (!known || known.length > moves.length - i) this.#rest.set(String(board), moves.slice(i));
      board = board.after(move);
    });
  }

  /**
   * Adds what was found, and returns it with the shortest plan and the best bound known.
   * @template {Progress} T
   * @param {Board} board
   * @param {T} found
   * @param {number} bound a number of moves that every solution from here needs
   * @returns {T}
   */
  best(board, found, bound) {
    this.learn(board, found);
    const plan = this.from(board);
    return plan ? { ...found, moves: plan.length, solution: plan.map(moveText), lower_bound: Math.max(found.lower_bound ?? 0, bound) } : found;
  }

  /** @param {Board} board */
  from(board) {
    return this.#rest.get(String(board));
  }

  /** The first move of the shortest plan known as a hint, without a reason. @param {Board} board @param {number} bound a number of moves that every solution from here needs @returns {Hint | null} */
  hint(board, bound) {
    const plan = this.from(board);
    if (!plan?.length) return null;
    return { move: moveText(plan[0]), moves: plan.length, optimal: false, lower_bound: Math.max(bound, 1), why: t('hint.best-plan'), reasons: [] };
  }
}
