// @ts-check
// The puzzles generated in Forge, in the browser's storage until the player removes them.
import { store } from './saved-games.js';
import { forget, recall, storedAs } from './storage.js';

/** Maximum number of puzzles; the oldest are removed. */
const MAX_PUZZLES = 500;
const NAME = 'forge.puzzles';

/** The generated puzzles; those for which the storage has no room last until the page is closed. */
export const generated = storedPuzzles();

/** Whether an event of the storage is about the generated puzzles: another page has added or removed some. @param {StorageEvent} event */
export const isAboutGenerated = ({ key }) => key === null || key === storedAs(NAME);

// This is also done while another tab than Forge is shown.
addEventListener('storage', (event) => isAboutGenerated(event) && generated.splice(0, Infinity, ...storedPuzzles()));

/** @returns {Puzzle[]} */
function storedPuzzles() {
  const stored = recall(NAME, /** @type {unknown} */ ([]));
  return Array.isArray(stored) ? stored.filter((puzzle) => typeof puzzle?.board === 'string' && Array.isArray(puzzle.solution)) : [];
}

/** Adds a puzzle, unless it is there already; returns whether it is new. @param {Puzzle} puzzle @param {() => void} full called if the storage has no room for it */
export function addGenerated(puzzle, full) {
  if (generated.some(({ board }) => board === puzzle.board)) return false;
  generated.push(puzzle);
  // Another page may have added some.
  const others = storedPuzzles().filter(({ board }) => board !== puzzle.board);
  if (!store(NAME, [...others, puzzle].slice(-MAX_PUZZLES))) full();
  return true;
}

/** Removes all generated puzzles. */
export function removeGenerated() {
  generated.length = 0;
  forget(NAME);
}
