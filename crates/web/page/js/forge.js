// @ts-check
// Forge: generation of puzzles, which are saved as packs and printed as cards.
import { address } from './address.js';
import { isAbort } from './api.js';
import { SIDES } from './board.js';
import { button, field, filled, form, iconButton, meter, problem, select } from './controls.js';
import { fill, h } from './dom.js';
import { addGenerated, generated, isAboutGenerated, removeGenerated } from './generated.js';
import { language, named, t } from './i18n.js';
import { icon } from './icons.js';
import { LEVELS, levelTag, timeNeeded } from './levels.js';
import { isStatic } from './place.js';
import { recall, remember } from './storage.js';
import { thumbnail } from './view.js';

/** @typedef {{entries: Puzzle[], pack: {id: number, name: string} | null}} Shelf content of the gallery: new puzzles or a pack */

const SIZES = ['4x4', '5x5', '6x6', '7x7', '8x8', '9x9', '10x10', '11x11', '12x12', '14x14', '16x16', '6x7', '7x6', '8x6', '10x8'];
/** The formats of PDF; without a server the browser prints cards instead. */
const PDF = {
  pdf: t('download.a4'),
  'pdf&paper=letter': t('download.letter'),
  'pdf&black_and_white=true': t('download.plain-a4'),
  'pdf&paper=letter&black_and_white=true': t('download.plain-letter'),
};
const FORMATS = {
  '': t('download.download'),
  ...(isStatic ? {} : PDF),
  html: t('download.html'),
  svg: t('download.svg'),
  csv: t('download.csv'),
  txt: t('download.txt'),
  jsonl: t('download.jsonl'),
};
/** The characters that the fonts of PDF have. */
const WINDOWS_1252 = /^[ -~\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;
const PRINTS = { '': t('print.choose'), colour: t('print.colour'), plain: t('print.plain') };
const ORDERS = { found: t('order.found'), easy: t('order.easy'), hard: t('order.hard'), short: t('order.short'), long: t('order.long') };
/** @type {Record<string, (a: Puzzle, b: Puzzle) => number>} */
const COMPARE = { easy: (a, b) => a.seconds - b.seconds, hard: (a, b) => b.seconds - a.seconds, short: (a, b) => a.moves - b.moves, long: (a, b) => b.moves - a.moves };
/** Why fewer puzzles were found than requested. @type {Record<string, string>} */
const LIMITS = { time: t('forge.time'), incomplete: t('forge.incomplete') };
const DEFAULTS = { size: '6x6', level: '', from: '', to: '', count: '12', seed: '', walls: '0', exit: 'right' };

/** @param {HTMLElement} root @param {Context} context */
export async function show(root, context) {
  const { api, signal, attempt } = context;
  /** @type {Shelf} */
  let shelf = { entries: generated, pack: null };
  /** The selected boards. */
  const chosen = new Set(generated.map(({ board }) => board));
  /** The generated boards that are or were selected at first; others are when they arrive. */
  const known = new Set(chosen);
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
  const name = h('input', { type: 'text', maxlength: 100, placeholder: t('pack.name'), 'aria-label': t('pack.name') });
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
    fill(status, t('forge.generating'));
    draw();
    let found = 0;
    try {
      for await (const { puzzle, progress, done } of api.lines('/generate', body, { signal: AbortSignal.any([signal, working.signal]) })) {
        if (puzzle) {
          found++;
          add(puzzle);
        }
        bar.show(found / count);
        if (progress) fill(status, t('forge.progress', { found, all: count, attempts: t('forge.attempts', { count: progress.attempts }) }));
        if (!done) continue;
        const values = { puzzles: t('count.puzzles', { count: found }), attempts: t('forge.attempts', { count: done.attempts }), seed: String(done.seed) };
        fill(status, [t(done.seed === undefined ? 'forge.found' : 'forge.found-with-seed', values), LIMITS[done.limit]].filter(Boolean).join(' '));
        context.announce(status.textContent ?? '');
      }
    } catch (error) {
      if (signal.aborted) return;
      fill(status, isAbort(error) ? t('forge.stopped', { puzzles: t('count.puzzles', { count: found }) }) : problem(error));
    }
    working = null;
    bar.element.hidden = true;
    draw();
  };

  let isWarned = false;
  const warn = () => {
    if (!isWarned) context.toast(t('forge.full'), 'bad');
    isWarned = true;
  };
  /** Adds a puzzle to the gallery without redrawing the others. @param {Puzzle} entry */
  const add = (entry) => {
    if (!addGenerated(entry, warn)) return;
    chosen.add(entry.board);
    known.add(entry.board);
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
    const length = t('count.moves', { count: moves });
    const box = h('input', { type: 'checkbox', 'aria-label': t('forge.select', { moves: length }), checked: chosen.has(board), onchange });
    return h(
      'li.puzzle',
      h('a', { href: address('play', board), 'aria-label': t('forge.play', { moves: length, level: named('level', level) }) }, thumbnail(board)),
      h('div.row.spread', levelTag(level), box),
      h('p.number', h('strong', length), h('span.soft', ` · ${timeNeeded(human)}`)),
    );
  };

  const drawHead = () => {
    const { entries, pack } = shelf;
    const title = h('div.row', pack && iconButton(t('forge.back'), 'back', back, 'plain'), h('h2', pack?.name ?? t('forge.new')));
    if (!entries.length) return fill(head, title);
    const count = picked().length;
    const all = count > 0 && count === visible().length;
    const levels = LEVELS.filter((level) => entries.some((entry) => entry.level === level));
    const filters = levels.map((level) => {
      const toggle = () => {
        if (!hidden.delete(level)) hidden.add(level);
        draw();
      };
      return h('button.tag.level-choice', { 'data-level': level, 'aria-pressed': String(!hidden.has(level)), onclick: toggle }, `${named('level', level)} ${entries.filter((entry) => entry.level === level).length}`);
    });
    const onchange = () => {
      order = sort.value;
      remember('forge.order', order);
      draw();
    };
    const sort = select({ 'aria-label': t('word.order'), onchange }, ORDERS, order);
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
    const printer = select({ 'aria-label': t('print.cards'), onchange: () => attempt(print) }, PRINTS);
    const save = form('row save', savePack, name, h('button.button.small', { type: 'submit', disabled: count === 0 }, icon('save'), count ? t('forge.save', { count }) : t('word.save')));
    fill(
      head,
      title,
      h(
        'div.row.shelf-tools',
        ...(levels.length > 1 ? filters : []),
        sort,
        h('button.button.small.plain', { onclick: choose }, all ? t('forge.select-none') : t('forge.select-all')),
        printer,
        !pack && save,
        !pack && !working && iconButton(t('forge.clear'), 'trash', clear, 'plain'),
      ),
    );
  };
  const draw = () => {
    if (signal.aborted) return;
    fill(go, icon(working ? 'stop' : 'forge'), working ? t('word.stop') : t('forge.generate'));
    drawHead();
    fill(gallery, ...visible().map(card));
    if (!gallery.firstChild && !working) fill(gallery, h('li.empty.soft', shelf.entries.length ? t('forge.none-at-levels') : t('forge.none')));
  };
  /** Shows the puzzles that another page has stored; new ones are selected. */
  const adopt = () => {
    for (const { board } of generated) {
      if (!known.has(board)) chosen.add(board);
      known.add(board);
    }
    if (shelf.entries === generated) draw();
  };
  const back = () => {
    shelf = { entries: generated, pack: null };
    draw();
  };
  const clear = () => {
    if (!confirm(t('forge.clear-ask', { count: generated.length }))) return;
    removeGenerated();
    draw();
  };
  /** Saves the selected puzzles as a pack. */
  const savePack = () =>
    attempt(async () => {
      const title = name.value.trim() || t('pack.from', { date: new Date().toLocaleDateString(language, { day: 'numeric', month: 'long' }) });
      await api.post('/packs', { name: title, boards: picked().map(({ board }) => board), license: 'CC0-1.0' }, { signal });
      name.value = '';
      context.toast(t('forge.saved', { pack: title }), 'good');
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
      if (!confirm(t('forge.delete-ask', { pack: pack.name }))) return;
      await api.remove(`/packs/${pack.id}`, { signal });
      if (shelf.pack?.id === pack.id) back();
      context.announce(t('forge.deleted', { pack: pack.name }));
      await list();
    });

  const list = async () => {
    /** @type {PackLine[]} */
    const all = await api.list('/packs', { signal });
    const lines = all.map((pack) => {
      const onchange = () => {
        if (as.value.startsWith('pdf') && !WINDOWS_1252.test(pack.name)) context.toast(t('forge.fonts'));
        attempt(() => api.download(`/packs/${pack.id}/file?format=${as.value}&language=${language}`, { signal }));
        as.value = '';
      };
      const as = select({ 'aria-label': t('forge.download-as', { pack: pack.name }), class: 'as', onchange }, FORMATS);
      const mix = LEVELS.filter((level) => pack.levels[level]).map((level) => {
        const part = h('span', { 'data-level': level });
        part.style.flexGrow = String(pack.levels[level]);
        return part;
      });
      return h(
        'li',
        h('button.pack-open', { onclick: () => open(pack.id) }, h('strong', pack.name), h('span.soft.little', `${t('count.puzzles', { count: pack.puzzles })} · ${new Date(pack.created).toLocaleDateString(language)}`)),
        h('span.mix', { role: 'img', 'aria-label': Object.entries(pack.levels).map(([level, count]) => `${count} ${named('level', level)}`).join(', ') }, ...mix),
        as,
        iconButton(t('forge.delete-pack', { pack: pack.name }), 'trash', () => remove(pack), 'plain'),
      );
    });
    fill(packs, ...(lines.length ? lines : [h('li.empty.soft', t('forge.no-packs'))]));
  };

  fill(
    root,
    h('div.head.row', h('h1', t('tab.forge'))),
    h('div.forge.columns', h('div.stack.side', wishForm, h('section.panel', { 'aria-label': t('forge.packs') }, h('h2', t('forge.packs')), packs)), h('section.forge-main', { 'aria-label': t('word.puzzles') }, head, gallery)),
  );
  draw();
  addEventListener('storage', (event) => isAboutGenerated(event) && adopt(), { signal });
  attempt(list);
  const pack = context.params.get('pack');
  if (pack) open(pack);
}

/** The form for the puzzles to generate. @param {() => void} send @param {...HTMLElement} end elements after the fields */
function requestForm(send, ...end) {
  /** @type {Record<string, string>} */
  const old = recall('forge.wish', DEFAULTS);
  const choice = (/** @type {string} */ name, /** @type {Record<string, string>} */ options) => select({ name }, options, old[name]);
  const number = (/** @type {string} */ name, /** @type {number} */ min, /** @type {number} */ max, placeholder = '') => h('input', { type: 'number', name, min, max, placeholder, value: old[name], inputmode: 'numeric' });
  const levels = ['', ...LEVELS].map((level) => h('label.tag.level-choice', { 'data-level': level || null }, h('input', { type: 'radio', name: 'level', value: level, checked: level === old.level, class: 'unseen' }), level ? named('level', level) : t('forge.any')));
  return form(
    'panel stack wish',
    send,
    h('fieldset', h('legend', t('forge.wish-level')), h('div.row.levels', ...levels)),
    h('div.fields', field(t('forge.from'), number('from', 1, 1000, t('forge.any'))), field(t('forge.to'), number('to', 1, 1000, t('forge.any')))),
    h('div.fields', field(t('forge.size'), choice('size', Object.fromEntries(SIZES.map((size) => [size, size])))), field(t('forge.count'), number('count', 1, 500, '12'))),
    h(
      'details',
      h('summary', t('word.more-options')),
      h('div.fields', field(t('edit.exit'), choice('exit', Object.fromEntries(SIDES.map((side) => [side, t(`side.${side}`)])))), field(t('forge.walls'), number('walls', 0, 12, '0'))),
      field(t('forge.seed'), number('seed', 0, 2 ** 53, t('forge.random'))),
    ),
    ...end,
  );
}
