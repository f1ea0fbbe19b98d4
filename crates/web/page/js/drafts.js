// @ts-check
// Drafts: boards that are kept in the browser while they are edited, and saved into packs on the server.
import { button, field, form, iconButton, note, problem, select } from './controls.js';
import { fill, h, set } from './dom.js';
import { language, t } from './i18n.js';
import { icon } from './icons.js';
import { store } from './saved-games.js';
import { recall, remember } from './storage.js';
import { thumbnail } from './view.js';

/** Maximum number of drafts; the oldest are removed. */
const MAX_DRAFTS = 100;
const NAME = 'drafts';

/** The drafts, oldest first. @returns {string[]} */
function storedDrafts() {
  const stored = recall(NAME, /** @type {unknown} */ ([]));
  return Array.isArray(stored) ? stored.filter((board) => typeof board === 'string') : [];
}

/**
 * The panel with the drafts.
 * @param {Context} context
 * @param {{board: () => string, open: (line: string) => void}} owner
 */
export function draftsPanel({ api, signal, announce, toast }, { board, open }) {
  const list = h('ul.gallery.drafts');
  const what = select({ 'aria-label': t('drafts.what') }, { board: '', drafts: '' });
  const packs = select({ 'aria-label': t('drafts.pack'), onchange: () => drawName() }, { '': t('drafts.new-pack') });
  const name = h('input', { type: 'text', maxlength: 100, placeholder: t('pack.name'), 'aria-label': t('pack.name') });
  const save = h('button.button', { type: 'submit' }, icon('save'), t('word.save'));
  const errors = h('div');

  const drawName = () => (name.hidden = packs.value !== '');

  function draw() {
    const drafts = storedDrafts();
    fill(list, ...drafts.toReversed().map((line, i) => item(line, drafts.length - i)));
    const [, all] = what.options;
    fill(what.options[0], t('drafts.this-board'));
    fill(all, t('drafts.all', { count: drafts.length }));
    set(all, { disabled: !drafts.length });
    if (!drafts.length) what.value = 'board';
  }

  /** @param {string} line @param {number} number */
  function item(line, number) {
    const remove = () => {
      remember(NAME, storedDrafts().filter((other) => other !== line));
      announce(t('drafts.removed', { number }));
      draw();
    };
    return h('li', h('button', { 'aria-label': t('drafts.open', { number }), onclick: () => open(line) }, thumbnail(line)), iconButton(t('drafts.remove', { number }), 'close', remove, 'plain'));
  }

  /** Keeps boards as drafts; returns false, with a message, if the browser's storage is full. @param {string[]} lines */
  function add(lines) {
    const isKept = store(NAME, [...storedDrafts().filter((line) => !lines.includes(line)), ...lines].slice(-MAX_DRAFTS));
    if (!isKept) toast(t('drafts.full'), 'bad');
    draw();
    return isKept;
  }

  async function loadPacks() {
    /** @type {PackLine[]} */
    const all = await api.list('/packs', { signal });
    const chosen = packs.value;
    fill(packs, h('option', { value: '' }, t('drafts.new-pack')), ...all.map((pack) => h('option', { value: pack.id }, `${pack.name} (${pack.puzzles})`)));
    packs.value = all.some(({ id }) => String(id) === chosen) ? chosen : '';
    drawName();
  }

  async function send() {
    fill(errors);
    const boards = what.value === 'drafts' ? storedDrafts() : [board()];
    const title = name.value.trim() || t('pack.from', { date: new Date().toLocaleDateString(language, { day: 'numeric', month: 'long' }) });
    set(save, { 'aria-busy': 'true' });
    try {
      const pack = packs.value ? await api.post(`/packs/${packs.value}/boards`, { boards }, { signal }) : await api.post('/packs', { name: title, boards }, { signal });
      toast(t('drafts.saved', { pack: pack.name, puzzles: t('count.puzzles', { count: pack.puzzles.length }) }), 'good');
      name.value = '';
      await loadPacks();
      packs.value = String(pack.id);
      drawName();
    } catch (error) {
      if (!signal.aborted) fill(errors, problem(error, 'bad little'));
    }
    set(save, { 'aria-busy': null });
  }

  const keep = button(t('drafts.keep'), 'plus', () => void (add([board()]) && announce(t('drafts.kept'))));
  const element = h(
    'details.panel',
    { ontoggle: () => element.open && loadPacks().catch((error) => signal.aborted || fill(errors, problem(error, 'bad little'))) },
    h('summary', icon('save'), h('h2', t('drafts.title'))),
    h('div.stack.tight', note(t('drafts.about')), keep, list, form('stack tight', send, h('h3', t('drafts.save-into')), h('div.fields', field(t('word.save'), what), field(t('drafts.into'), packs)), h('div.row', name, save)), errors),
  );
  draw();
  addEventListener('storage', draw, { signal });
  return {
    /** Keeps several boards. @param {string[]} lines */
    add(lines) {
      element.open = true;
      if (add(lines)) toast(t('drafts.kept-boards', { count: lines.length }), 'good');
    },
    element,
  };
}
