// @ts-check
// Games in progress. Each puzzle has its own entry, so that two open pages never overwrite each other's other puzzles.
import { Game } from './game.js';
import { forget, recall, remember, storedAs, storedNames } from './storage.js';

/** @import { Board } from './board.js' */

/** Maximum number of games; the oldest are removed. */
const MAX_GAMES = 300;
/** Maximum number of games to remove when the storage is full. */
const MAX_REMOVED = 20;
const PREFIX = 'game.';
/** Whether removing games did not make enough room, so that no more are removed. */
let isFull = false;

/** @param {Board} start */
const nameOf = (start) => PREFIX + String(start);

/** Continues the stored game of a puzzle, or starts a new one. @param {Board} start */
export function openGame(start) {
  const stored = recall(nameOf(start), null);
  const game = Game.from(start, stored ?? {});
  return game.board.solved ? new Game(start) : game;
}

/** Whether an event of the storage is about the game of a puzzle: another page has made a move. @param {StorageEvent} event @param {Board} start */
export const isAboutGame = ({ key, newValue }, start) => newValue !== null && key === storedAs(nameOf(start));

/** Stores a game, or removes it if it is new or solved; returns false if the storage is full. @param {Game} game */
export function saveGame(game) {
  const name = nameOf(game.start);
  if (game.isNew || game.board.solved) {
    forget(name);
    return true;
  }
  if (recall(name, null) === null) for (const old of oldestFirst().slice(0, 1 - MAX_GAMES)) forget(old);
  return store(name, { ...game.toJSON(), saved: Date.now() });
}

/** Stores a value; when the storage is full, the oldest games make room. @param {string} name @param {unknown} value */
export function store(name, value) {
  if (remember(name, value)) return true;
  const removed = new Map();
  for (const old of isFull ? [] : oldestFirst().slice(0, MAX_REMOVED)) {
    if (old === name) continue;
    removed.set(old, recall(old, null));
    forget(old);
    if (remember(name, value)) return true;
  }
  // It was in vain: other data fill the storage.
  for (const [old, game] of removed) remember(old, game);
  isFull = true;
  return false;
}

/** The names of all stored games. */
function oldestFirst() {
  const time = (/** @type {string} */ name) => Number(recall(name, /** @type {{saved?: unknown} | null} */ (null))?.saved) || 0;
  const games = storedNames(PREFIX).map((name) => ({ name, time: time(name) }));
  return games.sort((a, b) => a.time - b.time).map(({ name }) => name);
}
