// @ts-check
// The time that the player spends on a puzzle until it is solved, with all attempts. It is measured only with the player's consent,
// while the puzzle is visible and in use, and in games without help on puzzles that the player has not finished before.
import { isUnaided, recordOf, recordedBoards, setRecord } from './puzzle-records.js';
import { forget, recall, remember, storedNames } from './storage.js';

/** @import { Game } from './game.js' */

const CONSENT = 'times';
const PREFIX = 'time.';
/** Maximum number of puzzles whose time goes on later; the oldest are removed. */
const MAX_TIMES = 300;
/** Longest time between two inputs that counts, in seconds: in a longer one, the player is likely to have left. */
const LONGEST_PAUSE = 180;
/** Longest time of a puzzle, in seconds: a day, the most that a record may have. */
const LONGEST_TIME = 86_400;

/** Whether the player agreed to keep solving times. */
export const keepsTimes = () => recall(CONSENT, /** @type {unknown} */ (false)) === true;

/** Stores whether the player agrees; without consent, the times of unfinished games are removed. @param {boolean} agreed */
export function setKeepsTimes(agreed) {
  if (agreed) return void remember(CONSENT, true);
  forget(CONSENT);
  for (const name of storedNames(PREFIX)) forget(name);
}

/** The number of stored solving times. */
export const countTimes = () => recordedBoards().reduce((sum, board) => sum + (recordOf(board)?.games.filter(({ activeSeconds }) => activeSeconds !== undefined).length ?? 0), 0);

/** Removes all solving times; the results stay. */
export function removeTimes() {
  for (const board of recordedBoards()) {
    const record = recordOf(board);
    if (record) setRecord(board, { ...record, games: record.games.map(({ activeSeconds, ...game }) => game) });
  }
  for (const name of storedNames(PREFIX)) forget(name);
}

/** The time of one puzzle. */
class ActiveTime {
  #name;
  #seconds = 0;
  /** The time of the last input, or null while the puzzle is not visible. @type {number | null} */
  #last = null;

  /** @param {string} board @param {number} seconds spent on it before */
  constructor(board, seconds) {
    this.#name = PREFIX + board;
    this.#seconds = seconds;
    this.notice();
  }

  /** Continues the time of a game. Returns null if the player has not agreed, knows the puzzle, or a part of the game was not measured. @param {Game} game */
  static of(game) {
    const board = String(game.start);
    if (!keepsTimes() || recordOf(board) || !isUnaided(game)) return null;
    const stored = recall(PREFIX + board, /** @type {{seconds?: unknown} | null} */ (null));
    const seconds = typeof stored?.seconds === 'number' && stored.seconds >= 0 ? stored.seconds : null;
    return seconds === null && !game.isNew ? null : new ActiveTime(board, seconds ?? 0);
  }

  /** Adds the time since the last input. Called at each input, and when the page is shown or hidden. */
  notice() {
    const now = performance.now() / 1000;
    if (this.#last !== null) this.#seconds += Math.min(now - this.#last, LONGEST_PAUSE);
    this.#last = document.hidden ? null : now;
  }

  /** Stores the time, so that it goes on when the puzzle is opened again. */
  save() {
    this.notice();
    if (!keepsTimes()) return;
    if (recall(this.#name, null) === null) for (const old of oldestFirst().slice(0, 1 - MAX_TIMES)) forget(old);
    remember(this.#name, { seconds: this.#seconds, saved: Date.now() });
  }

  /** Ends the measurement of a solved game. @param {Game} game @returns {number | undefined} the time in seconds, unless it must not be kept */
  finish(game) {
    this.notice();
    forget(this.#name);
    return keepsTimes() && isUnaided(game) ? Math.min(Math.max(Math.round(this.#seconds * 10) / 10, 0.1), LONGEST_TIME) : undefined;
  }
}

/** Measures the time of the puzzle that is open. @param {AbortSignal} signal ends the measurement */
export function timeKeeper(signal) {
  /** @type {ActiveTime | null} */
  let time = null;
  const notice = () => time?.notice();
  const save = () => time?.save();
  for (const kind of ['pointerdown', 'pointermove', 'keydown']) document.addEventListener(kind, notice, { signal, passive: true });
  document.addEventListener('visibilitychange', save, { signal });
  addEventListener('pagehide', save, { signal });
  return {
    /** Goes over to another puzzle. @param {Game} game @param {boolean} counts false for puzzles that are not measured */
    open(game, counts) {
      save();
      time = counts ? ActiveTime.of(game) : null;
    },
    save,
    /** The time of a solved game, as a part of its record. @param {Game} game @returns {{activeSeconds?: number}} */
    finish(game) {
      const activeSeconds = time?.finish(game);
      time = null;
      return activeSeconds === undefined ? {} : { activeSeconds };
    },
  };
}

/** The names of all stored times. */
function oldestFirst() {
  const time = (/** @type {string} */ name) => Number(recall(name, /** @type {{saved?: unknown} | null} */ (null))?.saved) || 0;
  return storedNames(PREFIX).toSorted((a, b) => time(a) - time(b));
}
