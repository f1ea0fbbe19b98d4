// @ts-check
// Forge: generation of puzzles, which are saved as packs and printed as cards.
import { address } from './address.js';
import { isAbort } from './api.js';
import { button, field, filled, form, iconButton, meter, problem, select } from './controls.js';
import { fill, h, plural } from './dom.js';
import { removeStoredPuzzles, storePuzzle, storedPuzzles } from './generated.js';
import { icon } from './icons.js';
import { LEVELS, levelTag, timeNeeded } from './levels.js';
import { recall, remember } from './storage.js';
import { thumbnail } from './view.js';

/** @typedef {{entries: Puzzle[], pack: {id: number, name: string} | null}} Shelf content of the gallery: new puzzles or a pack */

const SIZES = ['4x4', '5x5', '6x6', '7x7', '8x8', '9x9', '10x10', '11x11', '12x12', '14x14', '16x16', '6x7', '7x6', '8x6', '10x8'];
const FORMATS = {
  '': 'Download…',
  pdf: 'PDF, cards on A4',
  'pdf&paper=letter': 'PDF, cards on US Letter',
  'pdf&black_and_white=true': 'PDF, black and white, A4',
  'pdf&paper=letter&black_and_white=true': 'PDF, black and white, US Letter',
  html: 'HTML, a page with pictures',
  svg: 'SVG, one picture',
  csv: 'CSV, for spreadsheets',
  txt: 'Text, one board per line',
  jsonl: 'JSON lines',
};
/** The characters that the fonts of PDF have. */
const WINDOWS_1252 = /^[ -~\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;
const PRINTS = { '': 'Print cards…', colour: 'in colour', plain: 'in black and white' };
const ORDERS = { found: 'as found', easy: 'easiest first', hard: 'hardest first', short: 'shortest first', long: 'longest first' };
/** @type {Record<string, (a: Puzzle, b: Puzzle) => number>} */
const COMPARE = { easy: (a, b) => a.seconds - b.seconds, hard: (a, b) => b.seconds - a.seconds, short: (a, b) => a.moves - b.moves, long: (a, b) => b.moves - a.moves };
/** Why fewer puzzles were found than requested. @type {Record<string, string>} */
const LIMITS = { time: ' The time limit was reached.', incomplete: ' No more were found: try a different number of moves.' };
const DEFAULTS = { size: '6x6', level: '', from: '', to: '', count: '12', seed: '', walls: '0', exit: 'right' };

/** The generated puzzles. */
const generated = storedPuzzles();

/** @param {HTMLElement} root @param {Context} context */
export async function show(root, context) {
  const { api, signal, attempt } = context;
  /** @type {Shelf} */
  let shelf = { entries: generated, pack: null };
  /** The selected boards. */
  const chosen = new Set(generated.map(({ board }) => board));
  /** The hidden levels. @type {Set<string>} */
  const hidden = new Set();
  let order = recall('forge.order', 'found');
  /** @type {AbortController | null} */
  let working = null;

  const head = h('div.row.spread.shelf-head');
  const gallery = h('ul.shelf');
  const packs = h('ul.packs');
  const status = h('div.soft.little', { role: 'status' });
  const bar = meter();
  bar.element.hidden = true;
  const go = h('button.button.primary', { type: 'submit' });
  const name = h('input', { type: 'text', maxlength: 100, placeholder: 'Name of the pack', 'aria-label': 'Name of the pack' });
  const wishForm = requestForm(() => (working ? working.abort() : generate()), go, bar.element, status);

  const generate = async () => {
    const wish = filled(wishForm);
    remember('forge.wish', { ...DEFAULTS, walls: '', ...wish });
    const { size, level, exit } = wish;
    const [from, to, count] = [Number(wish.from ?? 0), Number(wish.to ?? 0), Number(wish.count ?? DEFAULTS.count)];
    /** @type {Record<string, any>} */
    const body = { size, level, exit, count, walls: Number(wish.walls ?? 0) };
    if (wish.seed) body.seed = Number(wish.seed);
    // One of the two bounds is enough.
    if (from || to) body.moves = { from: from || Math.max(to - 10, 1), to: to || from + 10 };
    working = new AbortController();
    shelf = { entries: generated, pack: null };
    bar.element.hidden = false;
    bar.show(0);
    fill(status, 'Generating…');
    draw();
    let found = 0;
    try {
      for await (const { puzzle, progress, done } of api.lines('/generate', body, { signal: AbortSignal.any([signal, working.signal]) })) {
        if (puzzle) {
          found++;
          add(puzzle);
        }
        bar.show(found / count);
        if (progress) fill(status, `${found} of ${count} found, ${plural(progress.attempts, 'attempt')}…`);
        if (!done) continue;
        fill(status, `${plural(found, 'puzzle')} found in ${plural(done.attempts, 'attempt')}${done.seed === undefined ? '' : `, seed ${done.seed}`}.${LIMITS[done.limit] ?? ''}`);
        context.announce(status.textContent ?? '');
      }
    } catch (error) {
      if (signal.aborted) return;
      fill(status, isAbort(error) ? `Stopped: ${plural(found, 'puzzle')} found.` : problem(error));
    }
    working = null;
    bar.element.hidden = true;
    draw();
  };

  /** Adds a puzzle to the gallery without redrawing the others. @param {Puzzle} entry */
  const add = (entry) => {
    if (generated.some(({ board }) => board === entry.board)) return;
    generated.push(entry);
    storePuzzle(entry);
    chosen.add(entry.board);
    if (shelf.entries === generated && !hidden.has(entry.level)) gallery.append(card(entry));
    drawHead();
  };
  const visible = () => shelf.entries.filter(({ level }) => !hidden.has(level)).toSorted(COMPARE[order] ?? (() => 0));
  const picked = () => visible().filter(({ board }) => chosen.has(board));

  /** @param {Puzzle} entry */
  const card = ({ board, moves, level, human }) => {
    const onchange = () => {
      if (!chosen.delete(board)) chosen.add(board);
      drawHead();
    };
    const box = h('input', { type: 'checkbox', 'aria-label': `Select the puzzle with ${plural(moves, 'move')}`, checked: chosen.has(board), onchange });
    return h(
      'li.puzzle',
      h('a', { href: address('play', board), 'aria-label': `Play: ${plural(moves, 'move')}, ${level}` }, thumbnail(board)),
      h('div.row.spread', levelTag(level), box),
      h('p.number', h('strong', plural(moves, 'move')), h('span.soft', ` · ${timeNeeded(human)}`)),
    );
  };

  const drawHead = () => {
    const { entries, pack } = shelf;
    const title = h('div.row', pack && iconButton('Back to new puzzles', 'back', back, 'plain'), h('h2', pack?.name ?? 'New puzzles'));
    if (!entries.length) return fill(head, title);
    const count = picked().length;
    const all = count > 0 && count === visible().length;
    const levels = LEVELS.filter((level) => entries.some((entry) => entry.level === level));
    const filters = levels.map((level) => {
      const toggle = () => {
        if (!hidden.delete(level)) hidden.add(level);
        draw();
      };
      return h('button.tag.level-choice', { 'data-level': level, 'aria-pressed': String(!hidden.has(level)), onclick: toggle }, `${level} ${entries.filter((entry) => entry.level === level).length}`);
    });
    const onchange = () => {
      order = sort.value;
      remember('forge.order', order);
      draw();
    };
    const sort = select({ 'aria-label': 'Order', onchange }, ORDERS, order);
    const choose = () => {
      for (const { board } of visible()) chosen[all ? 'delete' : 'add'](board);
      draw();
    };
    const print = async () => {
      const { value } = printer;
      printer.value = '';
      const { printCards } = await import('./print.js');
      if (value && count) printCards(picked(), pack?.name ?? 'clearway', value === 'plain');
    };
    const printer = select({ 'aria-label': 'Print cards', onchange: () => attempt(print) }, PRINTS);
    const save = form('row save', savePack, name, h('button.button.small', { type: 'submit', disabled: count === 0 }, icon('save'), `Save ${count || ''}`));
    fill(
      head,
      title,
      h(
        'div.row.shelf-tools',
        ...(levels.length > 1 ? filters : []),
        sort,
        h('button.button.small.plain', { onclick: choose }, all ? 'Select none' : 'Select all'),
        printer,
        !pack && save,
        !pack && !working && iconButton('Clear', 'trash', clear, 'plain'),
      ),
    );
  };
  const draw = () => {
    if (signal.aborted) return;
    fill(go, icon(working ? 'stop' : 'forge'), working ? 'Stop' : 'Generate puzzles');
    drawHead();
    fill(gallery, ...visible().map(card));
    if (!gallery.firstChild && !working) fill(gallery, h('li.empty.soft', shelf.entries.length ? 'No puzzles at the selected levels.' : 'No puzzles yet. Choose the settings and generate some.'));
  };
  const back = () => {
    shelf = { entries: generated, pack: null };
    draw();
  };
  const clear = () => {
    if (!confirm(`Remove ${plural(generated.length, 'generated puzzle')}?`)) return;
    generated.length = 0;
    removeStoredPuzzles();
    draw();
  };
  /** Saves the selected puzzles as a pack. */
  const savePack = () =>
    attempt(async () => {
      const title = name.value.trim() || `Pack from ${new Date().toLocaleDateString('en', { day: 'numeric', month: 'long' })}`;
      await api.post('/packs', { name: title, boards: picked().map(({ board }) => board), license: 'CC0-1.0' }, { signal });
      name.value = '';
      context.toast(`Saved “${title}”`, 'good');
      await list();
    });
  const open = (/** @type {number | string} */ id) =>
    attempt(async () => {
      const pack = await api.get(`/packs/${id}`, { signal });
      shelf = { entries: pack.puzzles, pack };
      hidden.clear();
      for (const { board } of shelf.entries) chosen.add(board);
      draw();
      head.scrollIntoView({ block: 'nearest' });
    });
  const remove = (/** @type {PackLine} */ pack) =>
    attempt(async () => {
      if (!confirm(`Delete “${pack.name}”?`)) return;
      await api.remove(`/packs/${pack.id}`, { signal });
      if (shelf.pack?.id === pack.id) back();
      context.announce(`${pack.name} deleted`);
      await list();
    });

  const list = async () => {
    /** @type {PackLine[]} */
    const all = await api.list('/packs', { signal });
    const lines = all.map((pack) => {
      const onchange = () => {
        if (as.value.startsWith('pdf') && !WINDOWS_1252.test(pack.name)) context.toast('The PDF shows ? for the letters that its fonts lack; print the cards from this page, or download HTML.');
        h('a', { href: api.address(`/packs/${pack.id}/file?format=${as.value}`), download: '' }).click();
        as.value = '';
      };
      const as = select({ 'aria-label': `Download ${pack.name} as`, class: 'as', onchange }, FORMATS);
      const mix = LEVELS.filter((level) => pack.levels[level]).map((level) => {
        const part = h('span', { 'data-level': level });
        part.style.flexGrow = String(pack.levels[level]);
        return part;
      });
      return h(
        'li',
        h('button.pack-open', { onclick: () => open(pack.id) }, h('strong', pack.name), h('span.soft.little', `${plural(pack.puzzles, 'puzzle')} · ${new Date(pack.created).toLocaleDateString()}`)),
        h('span.mix', { role: 'img', 'aria-label': Object.entries(pack.levels).map(([level, count]) => `${count} ${level}`).join(', ') }, ...mix),
        as,
        iconButton(`Delete ${pack.name}`, 'trash', () => remove(pack), 'plain'),
      );
    });
    fill(packs, ...(lines.length ? lines : [h('li.empty.soft', 'No packs yet.')]));
  };

  fill(
    root,
    h('div.head.row', h('h1', 'Forge')),
    h('div.forge.columns', h('div.stack.side', wishForm, h('section.panel', { 'aria-label': 'Packs' }, h('h2', 'Packs'), packs)), h('section.forge-main', { 'aria-label': 'Puzzles' }, head, gallery)),
  );
  draw();
  attempt(list);
  const pack = context.params.get('pack');
  if (pack) open(pack);
}

/** The form for the puzzles to generate. @param {() => void} send @param {...HTMLElement} end elements after the fields */
function requestForm(send, ...end) {
  /** @type {Record<string, string>} */
  const old = recall('forge.wish', DEFAULTS);
  const choice = (/** @type {string} */ name, /** @type {string[]} */ options) => select({ name }, Object.fromEntries(options.map((option) => [option, option])), old[name]);
  const number = (/** @type {string} */ name, /** @type {number} */ min, /** @type {number} */ max, placeholder = '') => h('input', { type: 'number', name, min, max, placeholder, value: old[name], inputmode: 'numeric' });
  const levels = ['', ...LEVELS].map((level) => h('label.tag.level-choice', { 'data-level': level || null }, h('input', { type: 'radio', name: 'level', value: level, checked: level === old.level, class: 'unseen' }), level || 'any'));
  return form(
    'panel stack wish',
    send,
    h('fieldset', h('legend', 'Level'), h('div.row.levels', ...levels)),
    h('div.fields', field('Moves from', number('from', 1, 1000, 'any')), field('to', number('to', 1, 1000, 'any'))),
    h('div.fields', field('Size', choice('size', SIZES)), field('Number of puzzles', number('count', 1, 500, '12'))),
    h(
      'details',
      h('summary', 'More options'),
      h('div.fields', field('Exit', choice('exit', ['right', 'left', 'top', 'bottom'])), field('Walls', number('walls', 0, 12, '0'))),
      field('Seed', number('seed', 0, 2 ** 53, 'random')),
    ),
    ...end,
  );
}
