// @ts-check
// Results as a file: export, and import into the results that are already there.
import { Board } from './board.js';
import { t } from './i18n.js';
import { continueAs, isPlayer, player } from './player.js';
import { checkedRecord, deleteRecord, mergedRecord, recordOf, recordedBoards, setRecord } from './puzzle-records.js';
import { remember } from './storage.js';

/** @import { PuzzleRecord } from './puzzle-records.js' */

const FORMAT = 'clearway results';
const VERSION = 1;

/** All results as the text of a file, with the player's name, under which the server has those without help. */
export function exportResults() {
  const puzzles = recordedBoards().flatMap((board) => {
    const record = recordOf(board);
    return record ? [{ board, ...record }] : [];
  });
  return JSON.stringify({ format: FORMAT, version: VERSION, exported: new Date().toISOString(), player: player(), puzzles }, null, 1);
}

/**
 * Adds the results of a file; a file that is not valid changes nothing. A browser without results continues as the player of the file; one
 * with results keeps its own player, whose results on the server would be out of reach otherwise.
 * @param {string} text
 * @returns {string} what was imported
 */
export function importResults(text) {
  const { owner, read } = readResults(text);
  const isNew = recordedBoards().length === 0;
  const before = read.map(({ board }) => ({ board, record: recordOf(board) }));
  let added = 0;
  for (const { board, record } of read) {
    const old = recordOf(board);
    const merged = mergedRecord(old, record);
    // No games in progress are removed to make room.
    if (!setRecord(board, merged, remember)) {
      for (const { board, record } of before) record ? setRecord(board, record) : deleteRecord(board);
      throw new Error(t('results.full'));
    }
    added += merged.games.length - (old?.games.length ?? 0);
  }
  if (owner && isNew) continueAs(owner);
  return t('results.imported', { games: t('results.new-games', { count: added }), puzzles: t('count.puzzles', { count: read.length }) });
}

/** Reads and checks a whole file. @param {string} text @returns {{owner: string | null, read: {board: string, record: PuzzleRecord}[]}} */
function readResults(text) {
  const file = parsed(text);
  if (file?.format !== FORMAT || !Array.isArray(file.puzzles)) throw new Error(t('results.not-results'));
  if (file.version !== VERSION) throw new Error(t('results.version', { version: String(file.version), expected: VERSION }));
  // Older files have no player.
  const owner = file.player ?? null;
  if (owner !== null && !isPlayer(owner)) throw new Error(t('record-error.player'));
  const read = file.puzzles.map((/** @type {any} */ puzzle, /** @type {number} */ at) => {
    try {
      return { board: String(Board.parse(String(puzzle?.board))), record: checkedRecord(puzzle) };
    } catch (error) {
      throw new Error(t('results.puzzle-error', { number: at + 1, message: /** @type {Error} */ (error).message }));
    }
  });
  return { owner, read };
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(t('results.not-json'));
  }
}
