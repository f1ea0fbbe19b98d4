// @ts-check
// A game: a board, the moves made on it, the time they took, and the help that the player used.
import { moveText, parseMove } from './board.js';
import { t } from './i18n.js';

/** @import { Board, Move } from './board.js' */

/** The help used in a game. @typedef {{hints: number, solutionShown: boolean}} Aid */
/** A game in a form that can be stored. @typedef {Aid & Attempt & {beforeRestart: Attempt | null}} StoredGame */
/** @typedef {{moves: string[], seconds: number}} Attempt */

export class Game {
  /** @type {Move[]} */
  moves = [];
  /** @type {Move[]} */
  undone = [];
  /** The number of hints shown. Restarting keeps it, since the player has seen them. */
  hints = 0;
  /** Whether the solution was shown: such a game does not count. */
  solutionShown = false;
  /** What the last restart discarded. @type {{moves: Move[], seconds: number} | null} */
  #beforeRestart = null;
  #seconds = 0;
  /** @type {number | null} */
  #since = null;

  /** @param {Board} start */
  constructor(start) {
    this.start = start;
    this.board = start;
  }

  /** Makes a move. Consecutive slides of one vehicle count as one move. @param {Move} move */
  play(move) {
    this.board = this.board.after(move);
    this.undone = [];
    const last = this.moves.at(-1);
    if (last?.label !== move.label) this.moves.push(move);
    else if (last.cells + move.cells === 0) this.moves.pop();
    else this.moves[this.moves.length - 1] = { label: move.label, cells: last.cells + move.cells };
    this.run();
  }

  /** Undoes the last move. @returns {Move | undefined} */
  undo() {
    const move = this.moves.pop();
    if (!move) return;
    this.undone.push(move);
    this.board = this.board.after({ label: move.label, cells: -move.cells });
    return move;
  }

  /** Redoes the last undone move. @returns {Move | undefined} */
  redo() {
    const move = this.undone.pop();
    if (!move) return;
    this.moves.push(move);
    this.board = this.board.after(move);
    return move;
  }

  /** Goes back to the start; `undoRestart` returns to the position before. */
  restart() {
    if (this.moves.length) this.#beforeRestart = { moves: this.moves, seconds: this.seconds };
    this.moves = [];
    this.undone = [];
    this.board = this.start;
    this.#seconds = 0;
    this.#since = null;
  }

  /** Returns to the position before the last restart, from the start. @returns {boolean} whether it was possible */
  undoRestart() {
    if (this.moves.length || !this.#beforeRestart) return false;
    this.moves = this.#beforeRestart.moves;
    this.#seconds = this.#beforeRestart.seconds;
    this.#since = null;
    this.#beforeRestart = null;
    this.undone = [];
    this.board = this.moves.reduce((board, move) => board.after(move), this.start);
    this.run();
    return true;
  }

  get canUndo() {
    return this.moves.length > 0 || this.#beforeRestart !== null;
  }

  /** Whether there is nothing to store. */
  get isNew() {
    return !this.canUndo && this.hints === 0 && !this.solutionShown;
  }

  /** Starts the clock. */
  run() {
    if (!this.board.solved) this.#since ??= performance.now();
    else this.pause();
  }

  /** Stops the clock. */
  pause() {
    this.#seconds = this.seconds;
    this.#since = null;
  }

  get seconds() {
    return this.#seconds + (this.#since === null ? 0 : (performance.now() - this.#since) / 1000);
  }

  /** @returns {StoredGame} */
  toJSON() {
    const attempt = (/** @type {Move[]} */ moves, /** @type {number} */ seconds) => ({ moves: moves.map(moveText), seconds: Math.round(seconds) });
    const { moves, seconds, hints, solutionShown } = this;
    const before = this.#beforeRestart;
    return { ...attempt(moves, seconds), hints, solutionShown, beforeRestart: before && attempt(before.moves, before.seconds) };
  }

  /** Continues a stored game; a damaged one as far as its moves are legal. @param {Board} start @param {Partial<StoredGame>} stored */
  static from(start, { moves, seconds, hints, solutionShown, beforeRestart }) {
    const game = new Game(start);
    game.moves = legal(start, moves);
    game.board = game.moves.reduce((board, move) => board.after(move), start);
    game.#seconds = count(seconds);
    game.hints = count(hints);
    game.solutionShown = solutionShown === true;
    const before = legal(start, beforeRestart?.moves);
    if (before.length) game.#beforeRestart = { moves: before, seconds: count(beforeRestart?.seconds) };
    return game;
  }
}

/** Returns the moves up to the first that is not legal. @param {Board} board @param {unknown} texts */
function legal(board, texts) {
  /** @type {Move[]} */
  const moves = [];
  for (const text of Array.isArray(texts) ? texts : []) {
    const move = parseMove(String(text));
    if (!board.allows(move)) break;
    moves.push(move);
    board = board.after(move);
  }
  return moves;
}

/** @param {unknown} value */
const count = (value) => (typeof value === 'number' && value >= 0 ? value : 0);

/** The help used in a game: `3 hints and the solution`; empty if there was none. @param {Aid} aid */
export function aidText({ hints, solutionShown }) {
  if (hints === 0) return solutionShown ? t('aid.solution') : '';
  return t(solutionShown ? 'aid.both' : 'aid.hints', { count: hints });
}

/** `8 moves in 0:45 with 3 hints`. @param {Aid & {moves: number, seconds: number}} game */
export function resultText(game) {
  const aid = aidText(game);
  return t(aid ? 'result.aided' : 'result.plain', { moves: t('count.moves', { count: game.moves }), time: clock(game.seconds), aid });
}

/** `1:05`. @param {number} seconds */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60);
  const rest = String(whole % 60).padStart(2, '0');
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}
