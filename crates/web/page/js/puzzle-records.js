// @ts-check
// The record of each puzzle: its finished games, and the best of them. Each puzzle has its own entry in the browser's storage.
import { dateOf } from './days.js';
import { t } from './i18n.js';
import { store } from './saved-games.js';
import { forget, recall, storedNames } from './storage.js';

/** @import { Aid } from './game.js' */
/** @import { Source } from './library.js' */

/**
 * A finished game: `at` in milliseconds since 1970; `daily` is the date if it was a daily puzzle; `activeSeconds` is the time of all
 * attempts, if the player agreed to keep it.
 * @typedef {Aid & {at: number, moves: number, seconds: number, daily?: string, activeSeconds?: number}} FinishedGame
 */
/** What is known about a puzzle. @typedef {{name: string | null, source: Source | null, optimum: number | null}} About */
/** `games` in order of time, the last one most recent. @typedef {About & {games: FinishedGame[]}} PuzzleRecord */

/** Maximum number of games of a puzzle, besides those that count for something. */
const MAX_GAMES = 20;
const PREFIX = 'record.';
/** The kinds of sources of puzzles, as in the URL. */
export const SOURCES = /** @type {const} */ (['level', 'daily', 'pack', 'suite']);

/** Whether a game was played without help. @param {Aid} game */
export const isUnaided = ({ hints, solutionShown }) => hints === 0 && !solutionShown;

/** Whether a game was played without help in the fewest moves. @param {Aid & {moves: number}} game @param {number | null} optimum */
export const isPerfect = (game, optimum) => isUnaided(game) && game.moves === optimum;

/** Orders games from the best: games without help first, then by moves, then by time. @param {FinishedGame} a @param {FinishedGame} b */
export const compareGames = (a, b) => Number(isUnaided(b)) - Number(isUnaided(a)) || a.moves - b.moves || a.seconds - b.seconds;

/** The best game of a puzzle; games in which the solution was shown do not count. @param {FinishedGame[]} games @returns {FinishedGame | undefined} */
export const bestOf = (games) => games.filter((game) => !game.solutionShown).toSorted(compareGames)[0];

/** Whether a game was the daily puzzle of the day on which it was solved. @param {FinishedGame} game */
export const isOnItsDay = (game) => !game.solutionShown && game.daily === dateOf(game.at);

/** The record of a puzzle, if it has one. @param {string} board @returns {PuzzleRecord | null} */
export function recordOf(board) {
  try {
    return checkedRecord(recall(PREFIX + board, null));
  } catch {
    return null;
  }
}

/** The boards of all puzzles with a record. */
export const recordedBoards = () => storedNames(PREFIX).map((name) => name.slice(PREFIX.length));

/** The stars of a game: three if it is perfect, two if it is nearly as short as possible. @param {Aid & {moves: number}} game @param {number | null} optimum */
export function starsOf(game, optimum) {
  if (isPerfect(game, optimum)) return 3;
  return game.solutionShown || optimum === null || game.moves > optimum * 1.3 ? 1 : 2;
}

/** The best game of a puzzle with its stars, and whether it is perfect; null if the puzzle is not solved. @param {string} board */
export function bestResult(board) {
  const record = recordOf(board);
  const best = record && bestOf(record.games);
  return best ? { ...best, perfect: isPerfect(best, record.optimum), stars: starsOf(best, record.optimum) } : null;
}

/** The number of puzzles that are solved and solved perfectly, and their stars. @param {string[]} [boards] */
export function tally(boards = recordedBoards()) {
  const results = boards.map(bestResult).filter((result) => result !== null);
  return { solved: results.length, perfect: results.filter(({ perfect }) => perfect).length, stars: results.reduce((sum, { stars }) => sum + stars, 0) };
}

/** Replaces the record of a puzzle; returns false if the storage is full. @param {string} board @param {PuzzleRecord} record @param {typeof store} [write] */
export const setRecord = (board, record, write = store) => write(PREFIX + board, record);

/** @param {string} board */
export const deleteRecord = (board) => forget(PREFIX + board);

/**
 * Returns both records as one; of what is known about the puzzle, the second has precedence.
 * @param {PuzzleRecord | null} old
 * @param {PuzzleRecord} added
 * @returns {PuzzleRecord}
 */
export function mergedRecord(old, added) {
  /** @type {Map<string, FinishedGame>} */
  const games = new Map();
  for (const game of [...(old?.games ?? []), ...added.games]) {
    const key = `${game.at} ${game.moves} ${game.seconds}`;
    // Only one of two copies of a game may have its solving time.
    games.set(key, { ...games.get(key), ...game });
  }
  return {
    name: added.name ?? old?.name ?? null,
    source: added.source ?? old?.source ?? null,
    optimum: added.optimum ?? old?.optimum ?? null,
    games: bounded([...games.values()].sort((a, b) => a.at - b.at)),
  };
}

/** Keeps the most recent games, the first one, which is rated, the best one, the one that counts for the daily streak, and the one with a solving time. @param {FinishedGame[]} games */
function bounded(games) {
  const kept = new Set([games[0], bestOf(games), games.find(isOnItsDay), games.find(({ activeSeconds }) => activeSeconds !== undefined), ...games.slice(-MAX_GAMES)]);
  return games.filter((game) => kept.has(game));
}

/** Returns a record with its known fields only; throws an error that names the fault. @param {any} value @returns {PuzzleRecord} */
export function checkedRecord(value) {
  const { name, source, optimum, games } = value ?? {};
  if (!Array.isArray(games) || games.length === 0) throw new Error(t('record-error.games'));
  if (!isNullOr(name, (text) => typeof text === 'string' && text.length <= 200)) throw new Error(t('record-error.name'));
  if (!isNullOr(optimum, isCount)) throw new Error(t('record-error.optimum'));
  return { name: name ?? null, source: checkedSource(source), optimum: optimum ?? null, games: games.map(checkedGame) };
}

/** @param {any} value @param {number} at @returns {FinishedGame} */
function checkedGame(value, at) {
  const { at: time, moves, seconds, hints, solutionShown, daily, activeSeconds } = value ?? {};
  const isTime = typeof time === 'number' && time >= 0 && time <= 8.64e15;
  const isDate = daily === undefined || (/^\d{4}-\d\d-\d\d$/.test(daily) && !Number.isNaN(Date.parse(daily)));
  const isMeasured = activeSeconds === undefined || (typeof activeSeconds === 'number' && activeSeconds > 0 && activeSeconds <= 86_400);
  const isSound = isTime && isDate && isMeasured && isCount(moves) && typeof seconds === 'number' && seconds >= 0 && isCount(hints) && typeof solutionShown === 'boolean';
  if (!isSound) throw new Error(t('record-error.game', { number: at + 1 }));
  return { at: time, moves, seconds, hints, solutionShown, ...(daily === undefined ? {} : { daily }), ...(activeSeconds === undefined ? {} : { activeSeconds }) };
}

/** @param {any} value @returns {Source | null} */
function checkedSource(value) {
  if (value === null || value === undefined) return null;
  const [[kind, name] = [], ...others] = Object.entries(value);
  if (others.length || !SOURCES.some((known) => known === kind) || typeof name !== 'string') throw new Error(t('record-error.source'));
  return { [String(kind)]: name };
}

/** @param {unknown} value @param {(value: any) => boolean} holds */
const isNullOr = (value, holds) => value === null || value === undefined || holds(value);

/** @param {unknown} value */
const isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
