// @ts-check
// The puzzles generated in Forge, in the browser's storage until the player removes them.
import { forget, recall, remember } from './storage.js';

/** Maximum number of puzzles; the oldest are removed. */
const MAX_PUZZLES = 500;
const NAME = 'forge.puzzles';

/** @returns {Puzzle[]} */
export function storedPuzzles() {
  const stored = recall(NAME, /** @type {unknown} */ ([]));
  return Array.isArray(stored) ? stored.filter((puzzle) => typeof puzzle?.board === 'string' && Array.isArray(puzzle.solution)) : [];
}

/** Adds a puzzle to those that are stored now, since another page may have added some. @param {Puzzle} puzzle */
export function storePuzzle(puzzle) {
  const others = storedPuzzles().filter(({ board }) => board !== puzzle.board);
  remember(NAME, [...others, puzzle].slice(-MAX_PUZZLES));
}

export const removeStoredPuzzles = () => forget(NAME);
