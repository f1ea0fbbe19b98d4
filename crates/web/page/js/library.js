// @ts-check
// The library of puzzles: the daily puzzle, packs and suites, and the dialog to choose one.
import { api, isAbort } from './api.js';
import { iconButton, meter, note, problem } from './controls.js';
import { dateText, daysLater } from './days.js';
import { capital, fill, h, plural, set } from './dom.js';
import { icon } from './icons.js';
import { LEVELS, levelTag } from './levels.js';
import { bestResult, tally } from './puzzle-records.js';
import { thumbnail } from './view.js';

/** @import { Child } from './dom.js' */

/** @typedef {{name: string, board: string, moves: number | null, level?: string | null}} Item */
/** The source of a puzzle, as in the URL. @typedef {{suite?: string, pack?: string, daily?: string}} Source */
/** @typedef {{title: string, about: string, source: Source, items: Item[]}} Collection */

/** @type {Map<string, Promise<Collection>>} */
const loaded = new Map();

/** The source in a URL, if there is one. @param {URLSearchParams} params @returns {Source | null} */
export function sourceOf(params) {
  for (const kind of /** @type {const} */ (['suite', 'pack', 'daily'])) {
    const name = params.get(kind);
    if (name) return { [kind]: name };
  }
  return null;
}

/** Fetches all puzzles of a source. @param {Source} source @returns {Promise<Collection>} */
export function collection(source) {
  const key = JSON.stringify(source);
  const known = loaded.get(key);
  if (known) return known;
  const made = fetchCollection(source).then((found) => ({ ...found, items: found.items.map((item, i) => ({ ...item, name: item.name ?? `Puzzle ${i + 1}` })) }));
  // Packs may change; suites do not.
  if (source.suite) loaded.set(key, made);
  made.catch(() => loaded.delete(key));
  return made;
}

/** @param {Source} source @returns {Promise<Collection>} */
async function fetchCollection(source) {
  if (source.suite) {
    const suite = await api.get(`/suites/${encodeURIComponent(source.suite)}`);
    return { title: titled(suite.name), about: capital(suite.about), source, items: suite.boards };
  }
  if (source.pack) {
    const pack = await api.get(`/packs/${encodeURIComponent(source.pack)}`);
    return { title: pack.name, about: plural(pack.puzzles.length, 'puzzle'), source, items: pack.puzzles };
  }
  const daily = await api.get(source.daily === 'today' ? '/daily' : `/daily?date=${source.daily}`);
  const title = 'Daily puzzle';
  return { title, about: dateText(daily.date), source: { daily: daily.date }, items: [{ ...daily, name: dateText(daily.date) }] };
}

/** Titles of suites that are proper names. @type {Record<string, string>} */
const NAMES = { it3105: 'IT3105', vandijk: 'van Dijk' };

/** The title of a suite: `Hard 8x8` for `hard-8x8`. @param {string} name */
const titled = (name) => NAMES[name] ?? capital(name).replaceAll('-', ' ');

/**
 * The dialog to choose a puzzle.
 * @param {{pick: (item: Item, source: Source) => void, fail: (error: unknown) => void, current: () => {board: string, source: Source | null}}} owner
 */
export function chooser(owner) {
  const body = h('div.dialog-body');
  const title = h('h2', { id: 'chooser-title' }, 'Puzzles');
  const back = iconButton('All puzzles', 'back', () => overview(), 'plain');
  const close = iconButton('Close', 'close', () => dialog.close(), 'plain');
  const dialog = h(
    'dialog.chooser',
    { 'aria-labelledby': 'chooser-title', onclick: (event) => event.target === dialog && dialog.close() },
    h('div.dialog-head', back, title, close),
    body,
  );
  const lazy = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      lazy.unobserve(target);
      const board = /** @type {HTMLElement} */ (target).dataset.board;
      if (!board) continue;
      const picture = thumbnail(board);
      set(picture, { 'aria-hidden': 'true' });
      target.replaceChildren(picture);
    }
  });

  /** Fills the dialog when everything is loaded, or shows the error. @param {() => Promise<Child[]>} make */
  async function fillBody(make) {
    fill(body, h('p.soft', 'Loading…'));
    fill(body, ...(await make().catch((error) => [!isAbort(error) && problem(error)])));
  }

  async function overview() {
    title.textContent = 'Puzzles';
    back.hidden = true;
    // The daily puzzle and the packs are optional: omit them if they fail to load.
    const optional = (/** @type {Promise<any>} */ loading) => loading.catch(() => null);
    await fillBody(async () => {
      const [daily, packs, suites] = await Promise.all([optional(collection({ daily: 'today' })), optional(api.list('/packs')), api.list('/suites')]);
      return [
        daily && dailyCard(daily),
        daily && earlier(daily.source.daily),
        packs?.length > 0 && section('Your packs', packs.map(packRow)),
        section('Built-in puzzles', suites.map((/** @type {any} */ suite) => row(titled(suite.name), capital(suite.about), plural(suite.boards, 'board'), { suite: suite.name }))),
      ];
    });
  }

  /** @param {Collection} daily */
  function dailyCard({ source, items: [item], about }) {
    const done = bestResult(item.board);
    return h(
      'button.daily',
      { onclick: () => choose(item, source) },
      thumbnail(item.board),
      h('span.stack.tight', h('span.row', icon('calendar'), h('strong', 'Daily puzzle')), h('span', about), h('span.row', ...facts(item), done && tick(done.perfect))),
    );
  }

  /** Buttons for the puzzles of the previous days. @param {string} today */
  function earlier(today) {
    const days = Array.from({ length: 6 }, (_, i) => daysLater(today, -i - 1));
    const button = (/** @type {string} */ date) => {
      const open = () => collection({ daily: date }).then(({ items: [item], source }) => choose(item, source), owner.fail);
      return h('button.button.small', { onclick: open }, dateText(date, 'short'));
    };
    return h('div.row', { role: 'group', 'aria-label': 'Earlier days' }, ...days.map(button));
  }

  /** @param {string} name @param {HTMLElement[]} rows */
  const section = (name, rows) => h('section', h('h3', name), h('div.shelf', ...rows));

  /** @param {string} name @param {string} about @param {string} size @param {Source} source @param {Node} [extra] */
  function row(name, about, size, source, extra) {
    const here = JSON.stringify(owner.current().source) === JSON.stringify(source);
    return h(
      'button.shelf-row',
      { 'aria-current': here ? 'true' : null, onclick: () => open(source) },
      h('strong', name),
      h('span.soft.little', about),
      h('span.soft.little.number', size),
      extra,
    );
  }

  /** @param {PackLine} pack */
  function packRow(pack) {
    const levels = LEVELS.filter((level) => pack.levels[level]).map((level) => levelTag(level, `${pack.levels[level]} ${level}`));
    return row(pack.name, '', plural(pack.puzzles, 'puzzle'), { pack: String(pack.id) }, h('span.row', ...levels));
  }

  /** @param {Source} source */
  async function open(source) {
    back.hidden = false;
    await fillBody(async () => {
      const shown = await collection(source);
      title.textContent = shown.title;
      const { solved, perfect } = tally(shown.items.map((item) => item.board));
      const { element, show } = meter();
      show(solved / Math.max(shown.items.length, 1));
      const head = h('div.stack.tight', h('p.soft', shown.about), element, note(`${solved} of ${shown.items.length} solved, ${perfect} perfect`));
      return [head, ...bands(shown.items).map(([name, items]) => h('section', h('h3', name), h('div.gallery', ...items.map((item) => card(item, shown.source)))))];
    });
    body.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'center' });
  }

  /** @param {Item} item @param {Source} source */
  function card(item, source) {
    const done = bestResult(item.board);
    const picture = h('span.picture', { 'data-board': item.board });
    lazy.observe(picture);
    return h(
      'button',
      { 'aria-current': item.board === owner.current().board ? 'true' : null, onclick: () => choose(item, source) },
      picture,
      h('span.card-name', item.name),
      item.moves !== null && h('span.soft.number', plural(item.moves, 'move')),
      done && tick(done.perfect),
    );
  }

  /** @param {Item} item @param {Source} source */
  function choose(item, source) {
    dialog.close();
    owner.pick(item, source);
  }

  return {
    element: dialog,
    /** Opens the dialog at a collection, or at the overview. @param {Source | null} source */
    show(source) {
      dialog.showModal();
      if (source && !source.daily) open(source);
      else overview();
    },
    close: () => lazy.disconnect(),
  };
}

/** The mark of a solved puzzle. @param {boolean} perfect */
const tick = (perfect) =>
  h('span', { class: perfect ? 'tick perfect' : 'tick' }, icon(perfect ? 'star' : 'solve'), h('span.unseen', perfect ? 'perfect' : 'solved'));

/** Tags with the level and the length of a puzzle. @param {Item} item */
export const facts = (item) => [item.level && levelTag(item.level), item.moves !== null && h('span.tag', plural(item.moves, 'move'))];

/** Groups puzzles by level, or by length if they have none. @param {Item[]} items @returns {[string, Item[]][]} */
function bands(items) {
  const name = (/** @type {Item} */ { level, moves }) => {
    if (level) return level;
    if (moves === null) return 'unknown length';
    const from = Math.floor(moves / 10) * 10;
    return `${Math.max(from, 1)} to ${from + 9} moves`;
  };
  /** @type {Map<string, Item[]>} */
  const found = new Map();
  for (const item of items) found.set(name(item), [...(found.get(name(item)) ?? []), item]);
  return [...found];
}
