// @ts-check
// The puzzles before and after a puzzle.
import { api } from './api.js';
import { daysLater } from './days.js';
import { LEVELS } from './levels.js';
import { TUTORIAL, collection } from './library.js';
import { bestResult } from './puzzle-records.js';

/** @import { Item, Source } from './library.js' */

/** A puzzle and its source. @typedef {{item: Item, source: Source}} Choice */

/** The first puzzle of a source; of a day, the first that is not solved. @param {Source} wanted @returns {Promise<Choice>} */
export async function firstPuzzle(wanted) {
  const { items, source } = await collection(wanted);
  return { item: (source.daily && items.find(isUnsolved)) || items[0], source };
}

/**
 * The next puzzle that is not solved. After the end of a level the next level follows, after that of a suite the next suite, and
 * after today's puzzles the first suite.
 * @param {string} board
 * @param {Source | null} source
 * @returns {Promise<Choice>}
 */
export async function nextPuzzle(board, source) {
  if (source) {
    const { items } = await collection(source);
    const at = items.findIndex((item) => item.board === board);
    const after = items.slice(at + 1);
    const item = after.find(isUnsolved) ?? after[0] ?? (source.daily ? undefined : items.slice(0, at).find(isUnsolved));
    if (item) return { item, source };
  }
  if (source?.daily) {
    const today = await firstPuzzle({ daily: 'today' });
    const date = daysLater(source.daily, 1);
    if (date === today.source.daily) return today;
    if (date < (today.source.daily ?? '')) return firstPuzzle({ daily: date });
  }
  if (source?.level) {
    const levels = [TUTORIAL, ...LEVELS];
    for (const level of levels.slice(levels.indexOf(source.level) + 1)) {
      const item = (await collection({ level })).items.find(isUnsolved);
      if (item) return { item, source: { level } };
    }
  }
  return nextSuite(source?.suite);
}

/** The first unsolved puzzle of the suites after another, or else the first puzzle of the next suite. @param {string} [name] @returns {Promise<Choice>} */
async function nextSuite(name) {
  /** @type {{name: string}[]} */
  const suites = await api.list('/suites');
  const at = suites.findIndex((suite) => suite.name === name);
  const following = [...suites.slice(at + 1), ...suites.slice(0, at + 1)].map((suite) => ({ suite: suite.name }));
  for (const source of following) {
    const item = (await collection(source)).items.find(isUnsolved);
    if (item) return { item, source };
  }
  return firstPuzzle(following[0]);
}

/** The puzzle before another in its collection, or the last one of the day before; null if there is none. @param {string} board @param {Source | null} source @returns {Promise<Choice | null>} */
export async function previousPuzzle(board, source) {
  if (!source) return null;
  const { items } = await collection(source);
  const item = items[items.findIndex((item) => item.board === board) - 1];
  if (item || !source.daily) return item ? { item, source } : null;
  const before = await collection({ daily: daysLater(source.daily, -1) });
  return { item: before.items[before.items.length - 1], source: before.source };
}

/** @param {Item} item */
const isUnsolved = ({ board }) => bestResult(board) === null;
