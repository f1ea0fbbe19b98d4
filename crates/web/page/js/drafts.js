// @ts-check
// Drafts: boards that are kept in the browser while they are edited, and saved into packs on the server.
import { button, field, form, iconButton, note, problem, select } from './controls.js';
import { fill, h, plural, set } from './dom.js';
import { icon } from './icons.js';
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
  const what = select({ 'aria-label': 'What to save' }, { board: '', drafts: '' });
  const packs = select({ 'aria-label': 'Pack', onchange: () => drawName() }, { '': 'New pack' });
  const name = h('input', { type: 'text', maxlength: 100, placeholder: 'Name of the pack', 'aria-label': 'Name of the pack' });
  const save = h('button.button', { type: 'submit' }, icon('save'), 'Save');
  const errors = h('div');

  const drawName = () => (name.hidden = packs.value !== '');

  function draw() {
    const drafts = storedDrafts();
    fill(list, ...drafts.toReversed().map((line, i) => item(line, drafts.length - i)));
    const [, all] = what.options;
    fill(what.options[0], 'this board');
    fill(all, `all ${plural(drafts.length, 'draft')}`);
    set(all, { disabled: !drafts.length });
    if (!drafts.length) what.value = 'board';
  }

  /** @param {string} line @param {number} number */
  function item(line, number) {
    const remove = () => {
      remember(NAME, storedDrafts().filter((other) => other !== line));
      announce(`Draft ${number} removed`);
      draw();
    };
    return h('li', h('button', { 'aria-label': `Open draft ${number}`, onclick: () => open(line) }, thumbnail(line)), iconButton(`Remove draft ${number}`, 'close', remove, 'plain'));
  }

  /** Keeps boards as drafts. @param {string[]} lines */
  function add(lines) {
    remember(NAME, [...storedDrafts().filter((line) => !lines.includes(line)), ...lines].slice(-MAX_DRAFTS));
    draw();
  }

  async function loadPacks() {
    /** @type {PackLine[]} */
    const all = await api.list('/packs', { signal });
    const chosen = packs.value;
    fill(packs, h('option', { value: '' }, 'New pack'), ...all.map((pack) => h('option', { value: pack.id }, `${pack.name} (${pack.puzzles})`)));
    packs.value = all.some(({ id }) => String(id) === chosen) ? chosen : '';
    drawName();
  }

  async function send() {
    fill(errors);
    const boards = what.value === 'drafts' ? storedDrafts() : [board()];
    const title = name.value.trim() || `Pack from ${new Date().toLocaleDateString('en', { day: 'numeric', month: 'long' })}`;
    set(save, { 'aria-busy': 'true' });
    try {
      const pack = packs.value ? await api.post(`/packs/${packs.value}/boards`, { boards }, { signal }) : await api.post('/packs', { name: title, boards }, { signal });
      toast(`“${pack.name}” has ${plural(pack.puzzles.length, 'puzzle')} now`, 'good');
      name.value = '';
      await loadPacks();
      packs.value = String(pack.id);
      drawName();
    } catch (error) {
      if (!signal.aborted) fill(errors, problem(error, 'bad little'));
    }
    set(save, { 'aria-busy': null });
  }

  const keep = button('Keep this board as a draft', 'plus', () => (add([board()]), announce('Kept as a draft')));
  const element = h(
    'details.panel',
    { ontoggle: () => element.open && loadPacks().catch((error) => signal.aborted || fill(errors, problem(error, 'bad little'))) },
    h('summary', icon('save'), h('h2', 'Drafts and packs')),
    h('div.stack.tight', note('Drafts stay in this browser. Packs are on the server and appear in Play and Forge.'), keep, list, form('stack tight', send, h('h3', 'Save into a pack'), h('div.fields', field('Save', what), field('into', packs)), h('div.row', name, save)), errors),
  );
  draw();
  addEventListener('storage', draw, { signal });
  return {
    /** Keeps several boards. @param {string[]} lines */
    add(lines) {
      element.open = true;
      add(lines);
      toast(`${plural(lines.length, 'board')} kept as drafts`, 'good');
    },
    element,
  };
}
