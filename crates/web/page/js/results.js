// @ts-check
// Results: what the player has solved, with export, import and deletion.
import { address } from './address.js';
import { isAbort } from './api.js';
import { Board } from './board.js';
import { button, fact, iconButton, note, problem, tableOf } from './controls.js';
import { streaks } from './days.js';
import { download, fill, h } from './dom.js';
import { aidText, clock, resultText } from './game.js';
import { language, t } from './i18n.js';
import { icon } from './icons.js';
import { generatedTitle, puzzleTitle } from './library.js';
import { deleteResults, loadResults } from './player.js';
import { bestOf, isOnItsDay, isPerfect, recordOf, recordedBoards, tally } from './puzzle-records.js';
import { askRatings, ratedGames } from './rating.js';
import { exportResults, importResults } from './results-file.js';
import { settingsPanel } from './settings.js';
import { thumbnail } from './view.js';

/** @import { FinishedGame, PuzzleRecord } from './puzzle-records.js' */
/** @import { Ratings } from './rating.js' */

/** A puzzle with its record. @typedef {PuzzleRecord & {board: string}} Played */

/** The number of rows of a list that are shown at first. */
const SHOWN = 30;
/** Maximum size of a file to import, in bytes. */
const MAX_FILE = 20_000_000;

/** @param {HTMLElement} root @param {Context} context */
export async function show(root, context) {
  const { signal } = context;
  const facts = h('div.fact-row');
  const status = h('p.soft', { role: 'status' });
  const fault = h('div');
  const puzzles = h('section.panel', { 'aria-labelledby': 'results-puzzles' });
  const history = h('section.panel', { 'aria-labelledby': 'results-history' });
  const exporting = button(t('results.export'), 'export', () => download('clearway-results.json', new Blob([exportResults()], { type: 'application/json' })), 'small');
  const file = h('input.unseen', { type: 'file', accept: '.json,application/json', onchange: () => read() });
  const deleting = button(t('results.delete-all'), 'trash', () => remove(null, t('results.delete-all-ask'), t('results.deleted-all')), 'small danger');
  const settings = settingsPanel(signal, context.announce);
  /** Whether all rows are shown. */
  let complete = false;
  /** The ratings after the games that were asked about last; null until they arrive. @type {{games: string, ratings: Ratings | null}} */
  let rated = { games: '[]', ratings: null };

  fill(
    root,
    h('div.head.row.spread', h('h1', { tabindex: '-1' }, t('tab.results')), h('div.row', exporting, h('label.button.small.file', icon('import'), t('results.import'), file), deleting)),
    h('div.stack', fault, status, facts, h('div.results.columns', puzzles, history), settings.element),
  );
  draw();
  // Another page may have added a result.
  addEventListener('storage', draw, { signal });
  loadResults(signal).then(draw, () => {});

  function draw() {
    /** @type {Played[]} */
    const played = recordedBoards().flatMap((board) => {
      const record = recordOf(board);
      return record ? [{ board, ...record }] : [];
    });
    const finished = played.flatMap((puzzle) => puzzle.games.map((game) => ({ puzzle, game }))).sort((a, b) => b.game.at - a.game.at);
    const last = (/** @type {Played} */ { games }) => games.at(-1)?.at ?? 0;
    const { solved, perfect } = tally(played.map(({ board }) => board));
    const { current, longest } = streaks(finished.flatMap(({ game }) => (isOnItsDay(game) && game.daily) || []));
    const rates = ratingsOf(played);
    fill(facts, fact(solved, t('results.solved', { count: solved })), fact(perfect, t('results.perfect')), fact(t('count.days', { count: current }), t('results.streak')), fact(t('count.days', { count: longest }), t('results.longest')), rates && fact(rates.player ? `${Math.round(rates.player.rating)} ± ${Math.round(1.96 * rates.player.deviation)}` : '…', t('results.rating')));
    exporting.disabled = deleting.disabled = played.length === 0;
    settings.draw();
    list(puzzles, 'results-puzzles', t('word.puzzles'), t('results.no-puzzles'), played.sort((a, b) => last(b) - last(a)), (shown) => h('div.scroll', tableOf([t('results.puzzle'), t('results.best'), t('word.time'), t('results.rating-column'), ''], shown.map((puzzle) => puzzleRow(puzzle, rates?.puzzles.get(puzzle.board))))));
    list(history, 'results-history', t('results.history'), t('results.no-games'), finished, (shown) => h('ol.history', ...shown.map(gameItem)));
  }

  /** The ratings if they are known, or without the player while they are being computed; null if no game is rated. @param {Played[]} played @returns {Ratings | null} */
  function ratingsOf(played) {
    const games = ratedGames(played);
    const asked = JSON.stringify(games);
    if (rated.games !== asked) {
      /** @type {typeof rated} */
      const now = { games: asked, ratings: null };
      rated = now;
      const arrived = (/** @type {Ratings} */ ratings) => {
        now.ratings = ratings;
        if (rated === now) draw();
      };
      if (games.length) askRatings(games, signal).then(arrived, (error) => isAbort(error) || fill(fault, problem(error)));
    }
    return games.length ? (rated.ratings ?? { player: null, puzzles: new Map() }) : null;
  }

  /**
   * Fills a section with a list.
   * @template T
   * @param {HTMLElement} section
   * @param {string} id of the title
   * @param {string} title
   * @param {string} none shown if the list is empty
   * @param {T[]} all
   * @param {(shown: T[]) => HTMLElement} make
   */
  function list(section, id, title, none, all, make) {
    const shown = complete ? all : all.slice(0, SHOWN);
    const more = shown.length < all.length && button(t('results.show-all', { all: `${all.length}` }), 'plus', showAll, 'small');
    fill(section, h('h2', { id, tabindex: '-1' }, title), all.length ? make(shown) : note(none), more);
    function showAll() {
      complete = true;
      draw();
      /** @type {HTMLElement | null} */ (section.querySelector('h2'))?.focus();
    }
  }

  /** @param {Played} puzzle @param {number} [rating] */
  function puzzleRow(puzzle, rating) {
    const { board, optimum, games } = puzzle;
    const best = bestOf(games);
    const aid = best && aidText(best);
    const named = { puzzle: nameOf(puzzle) };
    return h(
      'tr',
      h('td', h('div.row.puzzle-name', h('span.mini', { 'aria-hidden': 'true' }, thumbnail(board)), h('span', link(puzzle), note(t('count.games', { count: games.length }))))),
      h('td', best ? h('span.number', best.moves, optimum !== null && ` / ${optimum}`) : t('results.not-solved'), best && isPerfect(best, optimum) && h('span.tick.perfect', icon('star'), h('span.unseen', t('word.perfect'))), aid && note(t('aid.with', { aid }))),
      h('td', best && clock(best.seconds)),
      h('td', rating && Math.round(rating)),
      h('td', iconButton(t('results.delete-of', named), 'trash', () => remove(board, t('results.delete-of-ask', named), t('results.deleted-of', named)), 'plain', t('word.delete'))),
    );
  }

  /** @param {{puzzle: Played, game: FinishedGame}} entry */
  function gameItem({ puzzle, game }) {
    const time = new Date(game.at);
    const about = [resultText(game), isPerfect(game, puzzle.optimum) && t('word.perfect'), game.daily && t('results.daily')].filter(Boolean).join(', ');
    return h('li', h('time.soft.little', { datetime: time.toISOString() }, time.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })), link(puzzle), h('span', about));
  }

  async function read() {
    const chosen = file.files?.[0];
    if (!chosen) return;
    fill(fault);
    fill(status);
    try {
      if (chosen.size > MAX_FILE) throw new Error(t('results.too-large'));
      fill(status, importResults(await chosen.text()));
      draw();
      // The server may have more results of the player.
      loadResults(signal).then(draw, () => {});
    } catch (error) {
      fill(fault, problem(error));
    }
    // The same file can be chosen again.
    file.value = '';
  }

  /** @param {string | null} board null: all of them @param {string} question @param {string} done */
  async function remove(board, question, done) {
    if (!confirm(question)) return;
    fill(fault);
    try {
      await deleteResults(board, signal);
      fill(status, done);
      draw();
      /** @type {HTMLElement | null} */ (root.querySelector('h1'))?.focus();
    } catch (error) {
      if (!isAbort(error)) fill(fault, problem(error));
    }
  }
}

/** A link that opens a puzzle. @param {Played} puzzle */
const link = (puzzle) => h('a', { href: address('play', puzzle.board, { ...puzzle.source }) }, nameOf(puzzle));

/** @param {Played} puzzle */
function nameOf({ name, source, board }) {
  const { width, height } = Board.parse(board);
  return name === null ? (generatedTitle(source) ?? t('results.board', { width, height })) : puzzleTitle(name, source);
}
