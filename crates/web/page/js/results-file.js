// @ts-check
// Results as a file: export, and import into the results that are already there.
import { Board } from './board.js';
import { plural } from './dom.js';
import { checkedRecord, deleteRecord, mergedRecord, recordOf, recordedBoards, setRecord } from './puzzle-records.js';
import { remember } from './storage.js';

/** @import { PuzzleRecord } from './puzzle-records.js' */

const FORMAT = 'clearway results';
const VERSION = 1;

/** All results as the text of a file. */
export function exportResults() {
  const puzzles = recordedBoards().flatMap((board) => {
    const record = recordOf(board);
    return record ? [{ board, ...record }] : [];
  });
  return JSON.stringify({ format: FORMAT, version: VERSION, exported: new Date().toISOString(), puzzles }, null, 1);
}

/** Adds the results of a file; a file that is not valid changes nothing. @param {string} text @returns {string} what was imported */
export function importResults(text) {
  const read = readResults(text);
  const before = read.map(({ board }) => ({ board, record: recordOf(board) }));
  let added = 0;
  for (const { board, record } of read) {
    const old = recordOf(board);
    const merged = mergedRecord(old, record);
    // No games in progress are removed to make room.
    if (!setRecord(board, merged, remember)) {
      for (const { board, record } of before) record ? setRecord(board, record) : deleteRecord(board);
      throw new Error("the browser's storage is full; nothing was imported");
    }
    added += merged.games.length - (old?.games.length ?? 0);
  }
  return `Imported ${plural(added, 'new game')} from a file with ${plural(read.length, 'puzzle')}.`;
}

/** Reads and checks a whole file. @param {string} text @returns {{board: string, record: PuzzleRecord}[]} */
function readResults(text) {
  const file = parsed(text);
  if (file?.format !== FORMAT || !Array.isArray(file.puzzles)) throw new Error('the file does not contain clearway results');
  if (file.version !== VERSION) throw new Error(`the file has version ${file.version}; expected ${VERSION}`);
  return file.puzzles.map((/** @type {any} */ puzzle, /** @type {number} */ at) => {
    try {
      return { board: String(Board.parse(String(puzzle?.board))), record: checkedRecord(puzzle) };
    } catch (error) {
      throw new Error(`puzzle ${at + 1} of the file: ${/** @type {Error} */ (error).message}`);
    }
  });
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the file is not JSON; choose a file that this page has exported');
  }
}
