// @ts-check
// A game: a board, the moves made on it, and the time they took.
import { moveText, parseMove } from './board.js';
import { recall, remember } from './dom.js';

/** @import { Board, Move } from './board.js' */

export class Game {
  /** @type {Move[]} */
  moves = [];
  /** @type {Move[]} */
  undone = [];
  /** Whether the solution was shown: such a game is not counted. */
  helped = false;
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

  restart() {
    this.moves = [];
    this.undone = [];
    this.board = this.start;
    this.helped = false;
    this.#seconds = 0;
    this.#since = null;
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

  /** Stores the game, so that it continues when the page is opened again. */
  save() {
    remember('game', { board: String(this.start), moves: this.moves.map(moveText), seconds: Math.round(this.seconds), helped: this.helped });
  }

  /** Returns the stored game if it is on this board, or else a new one. @param {Board} start */
  static open(start) {
    const game = new Game(start);
    const stored = recall('game', { board: '', moves: [], seconds: 0, helped: false });
    if (stored.board !== String(start)) return game;
    for (const move of stored.moves.map(parseMove)) {
      if (!game.board.allows(move)) break;
      game.moves.push(move);
      game.board = game.board.after(move);
    }
    // A solved game starts again.
    if (game.board.solved) return new Game(start);
    game.#seconds = stored.seconds;
    game.helped = stored.helped;
    return game;
  }
}

/** `1:05`. @param {number} seconds */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60);
  const rest = String(whole % 60).padStart(2, '0');
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}
