// @ts-check
// The dialog to choose a puzzle: the daily puzzles, levels, packs and suites.
import { api, isAbort } from './api.js';
import { button, iconButton, meter, note, problem, select } from './controls.js';
import { dateText, daysLater } from './days.js';
import { capital, fill, h, set } from './dom.js';
import { named, t } from './i18n.js';
import { icon } from './icons.js';
import { LEVELS, levelTag, shortTime } from './levels.js';
import { TUTORIAL, collection, titled } from './library.js';
import { firstPuzzle } from './neighbours.js';
import { bestResult, tally } from './puzzle-records.js';
import { recall, remember } from './storage.js';
import { thumbnail } from './view.js';

/** @import { Child } from './dom.js' */
/** @import { Collection, Item, Source } from './library.js' */

/** What the puzzles of the levels can be chosen by: ranges as `from-to`, without the end itself. @type {Record<'moves' | 'seconds' | 'theme', {label: string, options: Record<string, string>}>} */
const FILTERS = {
  moves: {
    label: t('filter.length'),
    options: { '': t('filter.any-length'), '0-11': t('filter.to-10-moves'), '11-21': t('filter.11-to-20-moves'), '21-31': t('filter.21-to-30-moves'), '31-': t('filter.31-moves') },
  },
  seconds: {
    label: t('word.time'),
    options: { '': t('filter.any-time'), '0-60': t('filter.to-1-minute'), '60-180': t('filter.1-to-3-minutes'), '180-300': t('filter.3-to-5-minutes'), '300-': t('filter.5-minutes') },
  },
  theme: {
    label: t('filter.theme'),
    options: {
      '': t('filter.any-theme'),
      'target-back': t('filter.target-back'),
      'truck-key': t('filter.truck-key'),
      'one-empty-cell': t('filter.one-empty-cell'),
      'one-blocker': t('filter.one-blocker'),
      'one-solution': t('filter.one-solution'),
      'all-move': t('filter.all-move'),
    },
  },
};

/** Number of new puzzles that are generated until one has the chosen properties and is not solved already. */
const MOST_GENERATED = 40;

/** Maximum number of moves of a new puzzle, if there is no other limit: hardly any board of 6x6 needs more. */
const LONGEST = 50;

/** Suites for players; the others are for research. */
const FOR_PLAYERS = ['cards', 'it3105', 'traffic-jam', 'walls'];
const ORDERS = { '': t('order.listed'), name: t('order.name'), many: t('order.many'), few: t('order.few') };
/** @type {Record<string, (a: SuiteLine, b: SuiteLine) => number>} */
const COMPARE = { name: (a, b) => titled(a.name).localeCompare(titled(b.name)), many: (a, b) => b.boards - a.boards, few: (a, b) => a.boards - b.boards };

/** @typedef {{name: string, about: string, boards: number}} SuiteLine */

/**
 * @param {{pick: (item: Item, source: Source) => void, fail: (error: unknown) => void, current: () => {board: string, source: Source | null}}} owner
 */
export function chooser(owner) {
  const body = h('div.dialog-body');
  const title = h('h2', { id: 'chooser-title', tabindex: '-1' }, t('word.puzzles'));
  const back = iconButton(t('choose.all'), 'back', () => overview(), 'plain');
  const close = iconButton(t('word.close'), 'close', () => dialog.close(), 'plain');
  const dialog = h(
    'dialog.chooser',
    { 'aria-labelledby': 'chooser-title', onclick: (event) => event.target === dialog && dialog.close() },
    h('div.dialog-head', back, title, close),
    body,
  );
  /** The number of times that the dialog was filled; what takes long gives way to a later choice. */
  let turns = 0;
  /** @type {Record<string, string>} */
  const wish = recall('chooser', {});
  const lazy = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      lazy.unobserve(target);
      const board = /** @type {HTMLElement} */ (target).dataset.board;
      if (board) target.replaceChildren(picture(board));
    }
  });

  /** Fills the dialog when everything is loaded, or shows the error. @param {string} name the title @param {boolean} inside @param {() => Promise<{title?: string, content: Child[]}>} make */
  async function fillBody(name, inside, make) {
    const turn = ++turns;
    title.textContent = name;
    // The button that was pressed may disappear.
    if (dialog.contains(document.activeElement)) title.focus();
    back.hidden = !inside;
    fill(body, h('p.soft', t('choose.loading')));
    const made = await make().catch((error) => ({ title: name, content: [!isAbort(error) && problem(error)] }));
    // The player may have gone on.
    if (turn !== turns) return;
    title.textContent = made.title ?? name;
    fill(body, ...made.content);
    body.scrollTop = 0;
    body.querySelector('.gallery [aria-current="true"]')?.scrollIntoView({ block: 'center' });
  }

  const overview = () =>
    fillBody(t('word.puzzles'), false, async () => {
      // The daily puzzles and the packs are optional: omit them if they fail to load.
      const optional = (/** @type {Promise<any>} */ loading) => loading.catch(() => null);
      const [daily, packs, all, ...levels] = await Promise.all([
        optional(collection({ daily: 'today' })),
        optional(api.list('/packs')),
        api.list('/suites'),
        ...[TUTORIAL, ...LEVELS].map((level) => collection({ level })),
      ]);
      /** @type {SuiteLine[]} */
      const suites = all;
      const isFor = (/** @type {SuiteLine} */ { name }) => FOR_PLAYERS.includes(name);
      const content = [
        daily && dailySection(daily),
        levelSection(levels),
        packs?.length > 0 && section(t('choose.packs'), h('div.shelf', ...packs.map(packRow))),
        section(t('choose.more'), h('div.shelf', ...suites.filter(isFor).map(suiteRow))),
        research(suites.filter((suite) => !isFor(suite))),
      ];
      return { content };
    });

  /** @param {Collection} daily */
  function dailySection({ source, items, about }) {
    const card = (/** @type {Item} */ item) =>
      h('button', { onclick: () => choose(item, source) }, picture(item.board), h('span.card-name', capital(named('difficulty', item.difficulty ?? ''))), h('span.soft.number', lengthAndTime(item)), stars(item.board));
    const days = Array.from({ length: 6 }, (_, i) => daysLater(source.daily ?? '', -i - 1));
    const earlier = (/** @type {string} */ date) =>
      h('button.button.small', { onclick: () => firstPuzzle({ daily: date }).then(({ item, source }) => choose(item, source), owner.fail) }, dateText(date, 'short'));
    return section(t('choose.daily', { date: about }), h('div.gallery.daily', ...items.map(card)), h('div.row.days', { role: 'group', 'aria-label': t('choose.earlier') }, ...days.map(earlier)));
  }

  /** The levels, with the progress in each. @param {Collection[]} levels */
  function levelSection(levels) {
    const rows = h('ul.levels');
    const draw = () => fill(rows, ...levels.map(levelRow));
    draw();
    return section(t('choose.levels'), filters(draw), rows);
  }

  /** @param {Collection} level */
  function levelRow({ title, about, source, items }) {
    const isTutorial = source.level === TUTORIAL;
    const shown = isTutorial ? items : items.filter(fits);
    const { solved, perfect, stars } = tally(shown.map(({ board }) => board));
    const { element, show } = meter();
    show(solved / Math.max(shown.length, 1));
    const fresh = button(t('choose.new'), 'plus', () => newPuzzle(source, shown, fresh), 'small');
    set(fresh, { 'aria-label': t('choose.new-of-level', { level: named('level', source.level ?? '') }) });
    fresh.disabled = !shown.length;
    return h(
      'li.shelf-row',
      h(
        'button.level-open',
        { 'data-level': source.level, onclick: () => open(source, title) },
        isTutorial ? h('strong', title) : levelTag(source.level ?? '', title),
        element,
        h('span.soft.little', isTutorial && `${about}. `, t('choose.progress', { solved, all: shown.length, perfect, stars, most: 3 * shown.length })),
      ),
      !isTutorial && fresh,
    );
  }

  /** Whether a puzzle is wanted. @param {Pick<Item, 'moves' | 'human' | 'themes'>} item */
  function fits({ moves, human, themes }) {
    const within = (/** @type {string | undefined} */ range, /** @type {number} */ value) => {
      const [from, to] = (range || '0-').split('-');
      return value >= Number(from) && (!to || value < Number(to));
    };
    return within(wish.moves, moves ?? 0) && within(wish.seconds, human?.seconds ?? 0) && (!wish.theme || (themes ?? []).includes(wish.theme));
  }

  /** @param {() => void} draw */
  function filters(draw) {
    const choice = (/** @type {[string, {label: string, options: Record<string, string>}]} */ [name, { label, options }]) => {
      const onchange = () => {
        wish[name] = list.value;
        remember('chooser', { ...recall('chooser', {}), [name]: list.value });
        draw();
      };
      const list = select({ 'aria-label': label, onchange }, options, wish[name]);
      return list;
    };
    return h('div.row.filters', { role: 'group', 'aria-label': t('choose.filters') }, ...Object.entries(FILTERS).map(choice));
  }

  /** Opens a puzzle that is not solved, or generates one if all are. @param {Source} source @param {Item[]} items @param {HTMLButtonElement} pressed */
  async function newPuzzle(source, items, pressed) {
    const unsolved = items.filter(({ board }) => !bestResult(board));
    if (unsolved.length) return choose(unsolved[Math.floor(Math.random() * unsolved.length)], source);
    set(pressed, { 'aria-busy': 'true' });
    pressed.disabled = true;
    // Ends the generation when a puzzle is found.
    const ending = new AbortController();
    try {
      for await (const { puzzle } of api.lines('/generate', { level: source.level, count: MOST_GENERATED, ...movesWanted() }, { signal: ending.signal })) {
        if (!dialog.open) return;
        // The generator may find a puzzle that is solved already.
        if (!puzzle || bestResult(puzzle.board)) continue;
        const { themes } = wish.theme ? await api.post('/grade', { board: puzzle.board }) : puzzle;
        if (dialog.open && fits({ ...puzzle, themes })) return choose(puzzle, source);
      }
      throw new Error(t('choose.none-in-time'));
    } catch (error) {
      owner.fail(error);
    } finally {
      ending.abort();
      set(pressed, { 'aria-busy': null });
      pressed.disabled = false;
    }
  }

  /** The range of lengths for the generator, if one is chosen. */
  function movesWanted() {
    if (!wish.moves) return {};
    const [from, end] = wish.moves.split('-').map(Number);
    return { moves: { from: Math.max(from, 1), to: end ? end - 1 : LONGEST } };
  }

  /** The suites for research, with a search and an order. @param {SuiteLine[]} suites */
  function research(suites) {
    const rows = h('div.shelf');
    const draw = () => {
      const found = suites.filter(({ name, about }) => `${titled(name)} ${name} ${named('suite', name, about)}`.toLowerCase().includes(search.value.trim().toLowerCase()));
      fill(rows, ...found.sort(COMPARE[order.value] ?? (() => 0)).map(suiteRow), !found.length && note(t('choose.no-suite')));
    };
    const search = h('input', { type: 'search', 'aria-label': t('choose.search-suites'), placeholder: t('choose.search'), oninput: draw });
    const order = select({ 'aria-label': t('word.order'), onchange: draw }, ORDERS);
    draw();
    return section(t('choose.research'), h('div.row.filters', search, order), rows);
  }

  /** @param {string} name @param {...Child} content */
  const section = (name, ...content) => h('section', { 'aria-label': name }, h('h3', name), ...content);

  /** @param {string} name @param {string} about @param {string} size @param {Source} source @param {Node} [extra] */
  function row(name, about, size, source, extra) {
    const here = JSON.stringify(owner.current().source) === JSON.stringify(source);
    return h(
      'button.shelf-row',
      { 'aria-current': here ? 'true' : null, onclick: () => open(source, name) },
      h('strong', name),
      h('span.soft.little', about),
      h('span.soft.little.number', size),
      extra,
    );
  }

  /** @param {SuiteLine} suite */
  const suiteRow = ({ name, about, boards }) => row(titled(name), capital(named('suite', name, about)), t('count.boards', { count: boards }), { suite: name });

  /** @param {PackLine} pack */
  function packRow(pack) {
    const levels = LEVELS.filter((level) => pack.levels[level]).map((level) => levelTag(level, `${pack.levels[level]} ${named('level', level)}`));
    return row(pack.name, '', t('count.puzzles', { count: pack.puzzles }), { pack: String(pack.id) }, h('span.row', ...levels));
  }

  /** @param {Source} source @param {string} [name] */
  const open = (source, name = t('word.puzzles')) =>
    fillBody(name, true, async () => {
      const { title, items, about } = await collection(source);
      const progress = h('div.stack.tight');
      const list = h('div.stack');
      const draw = () => {
        const found = items.filter((item) => !item.themes || fits(item));
        const { solved, perfect } = tally(found.map((item) => item.board));
        const { element, show } = meter();
        show(solved / Math.max(found.length, 1));
        fill(progress, element, note(t('progress.solved', { solved, all: found.length, perfect })));
        fill(list, ...bands(found).map(([name, items]) => section(name, h('div.gallery', ...items.map((item) => card(item, source))))), !found.length && note(t('choose.no-puzzle')));
      };
      draw();
      return { title, content: [h('div.stack.tight', h('p.soft', about), items[0]?.themes && filters(draw), progress), list] };
    });

  /** @param {Item} item @param {Source} source */
  function card(item, source) {
    const preview = h('span.picture', { 'data-board': item.board });
    lazy.observe(preview);
    return h(
      'button',
      { 'aria-current': item.board === owner.current().board ? 'true' : null, onclick: () => choose(item, source) },
      preview,
      h('span.card-name', item.title),
      item.moves !== null && h('span.soft.number', lengthAndTime(item)),
      stars(item.board),
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
    close() {
      dialog.close();
      lazy.disconnect();
    },
  };
}

/** `8 moves · ≈ 30 s`. @param {Item} item */
const lengthAndTime = ({ moves, human }) => t('count.moves', { count: moves ?? 0 }) + (human ? ` · ${shortTime(human)}` : '');

/** @param {string} board */
function picture(board) {
  const made = thumbnail(board);
  set(made, { 'aria-hidden': 'true' });
  return made;
}

/** The stars of a solved puzzle. @param {string} board */
function stars(board) {
  const best = bestResult(board);
  return best && h('span.rating', h('span', { 'aria-hidden': 'true' }, '★'.repeat(best.stars), '☆'.repeat(3 - best.stars)), h('span.unseen', `${best.perfect ? t('word.perfect') : t('choose.solved')}, ${t('count.stars', { count: best.stars })}`));
}

/** Groups puzzles by level, or by length if they have none or the same. @param {Item[]} items @returns {[string, Item[]][]} */
function bands(items) {
  const isMixed = items.some(({ level }) => level !== items[0].level);
  const name = (/** @type {Item} */ { level, moves }) => {
    if (level && isMixed) return named('level', level);
    if (moves === null) return t('choose.unknown-length');
    const from = Math.floor(moves / 10) * 10;
    return t('choose.range', { from: Math.max(from, 1), to: from + 9 });
  };
  /** @type {Map<string, Item[]>} */
  const found = new Map();
  for (const item of items) found.set(name(item), [...(found.get(name(item)) ?? []), item]);
  return [...found];
}
