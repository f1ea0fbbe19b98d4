// @ts-check
// Import of boards from any text format, and export as text and pictures.
import { Board } from './board.js';
import { button, note, problem, select } from './controls.js';
import { copy, download, fill, h } from './dom.js';
import { named, t } from './i18n.js';
import { icon } from './icons.js';

/** The formats, with their file extensions. @type {Record<string, string>} */
const FORMATS = {
  line: 'txt',
  grid: 'txt',
  json: 'json',
  tsv: 'tsv',
  course: 'csv',
  it3105: 'txt',
  'van-dijk': 'txt',
  'traffic-jam': 'txt',
  pddl: 'pddl',
  'pddl-domain': 'pddl',
  ansi: 'txt',
  svg: 'svg',
  png: 'png',
};

/** The titles of formats that are names. @type {Record<string, string>} */
const NAMES = { json: 'JSON', it3105: 'IT3105', 'van-dijk': 'van Dijk', 'traffic-jam': 'Traffic Jam' };

/** The panel that imports boards. @param {Context} context @param {(boards: Board[]) => void} take receives the boards */
export function importer(context, take) {
  const text = h('textarea', { rows: 5, spellcheck: 'false', autocomplete: 'off', placeholder: 'BB...CD..E.CDAAE.CD..E..F...GGF.HHH.', 'aria-label': t('import.text') });
  const errors = h('div');

  /** @param {string} pasted */
  async function paste(pasted) {
    if (!pasted.trim()) return;
    text.value = pasted;
    fill(errors);
    try {
      const boards = await readAll(pasted, context);
      take(boards);
      if (boards.length === 1) context.toast(t('import.done'), 'good');
    } catch (error) {
      if (!context.signal.aborted) fill(errors, problem(error, 'bad little'));
    }
  }

  const element = h(
    'details.panel',
    h('summary', icon('paste'), h('h2', t('import.title'))),
    h('div.stack.tight', note(t('import.about')), text, h('div.row', h('button.button', { onclick: () => paste(text.value) }, t('import.import'))), errors),
  );
  return {
    element,
    /** Imports a text that was pasted anywhere on the page. @param {string} pasted */
    paste(pasted) {
      element.open = true;
      return paste(pasted);
    },
  };
}

/** The panel that exports the board. @param {Context} context @param {() => string} board */
export function exporter(context, board) {
  const titles = Object.fromEntries(Object.keys(FORMATS).map((name) => [name, NAMES[name] ?? named('format', name)]));
  const choice = select({ 'aria-label': t('export.format'), onchange: () => preview() }, titles);
  const shown = h('div.export-preview');
  const copying = h('button.button', { onclick: () => clip() }, t('word.copy'));
  const saving = button(t('word.save'), 'export', () => save());
  let asking = new AbortController();
  /** The exported text, and its file. @type {{text: string, blob: Blob} | null} */
  let ready = null;

  async function preview() {
    if (!element.open) return;
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    const format = choice.value;
    try {
      const { text, media_type } = await context.api.post('/convert', { board: board(), to: format === 'png' ? 'svg' : format }, { signal });
      const svg = new Blob([text], { type: media_type });
      const made = { text, blob: format === 'png' ? await png(svg) : svg };
      if (signal.aborted) return;
      ready = made;
      if (format === 'svg' || format === 'png') {
        const picture = h('img', { alt: t('bar.board'), src: URL.createObjectURL(made.blob) });
        picture.addEventListener('load', () => URL.revokeObjectURL(picture.src));
        fill(shown, picture);
      } else fill(shown, h('pre', { tabindex: '0' }, text));
    } catch (error) {
      if (signal.aborted) return;
      ready = null;
      fill(shown, problem(error, 'warn little'));
    }
    copying.disabled = !ready || format === 'png';
    saving.disabled = !ready;
  }

  async function clip() {
    if (ready) context.toast((await copy(ready.text)) ? t('word.copied') : t('word.copy-blocked'), 'info');
  }

  function save() {
    if (ready) download(`board.${FORMATS[choice.value]}`, ready.blob);
  }

  const element = h(
    'details.panel',
    { ontoggle: () => preview() },
    h('summary', icon('export'), h('h2', t('export.title'))),
    h('div.stack.tight', h('div.row.export-row', choice, copying, saving), shown),
  );
  return { element, update: preview, close: () => asking.abort() };
}

/**
 * Parses a board: line format in the page, any other format on the server.
 * @param {string} text
 * @param {typeof import('./api.js').api} api
 * @param {AbortSignal} signal
 * @returns {Promise<Board>}
 */
export async function read(text, api, signal) {
  try {
    const board = Board.parse(text);
    if (board.target && board.exitLine !== null) return board;
  } catch {
    // The server supports more formats, and reports errors better.
  }
  const converted = await api.post('/convert', { board: text, to: 'line' }, { signal });
  return Board.parse(boardOf(converted.text));
}

/**
 * Parses a text with one board or several: one per line, or separated by empty lines.
 * @param {string} text
 * @param {Context} context
 * @returns {Promise<Board[]>}
 */
async function readAll(text, { api, signal }) {
  try {
    return [await read(text, api, signal)];
  } catch (error) {
    const filled = (/** @type {string[]} */ parts) => parts.map((part) => part.trim()).filter((part) => part && !part.startsWith('#'));
    const blocks = filled(text.split(/\n\s*\n/));
    const parts = blocks.length > 1 ? blocks : filled(text.split('\n'));
    const several = error instanceof Error && error.message.includes('more than one board');
    if (parts.length < 2 || !several) throw error;
    /** @type {Board[]} */
    const boards = [];
    for (const [i, part] of parts.entries()) {
      try {
        boards.push(await read(part, api, signal));
      } catch (error) {
        if (error instanceof Error) error.message = t('import.board-error', { number: i + 1, message: error.message });
        throw error;
      }
    }
    return boards;
  }
}

/** The board in a line that may start with a number and end with a name. @param {string} line */
function boardOf(line) {
  const words = line.trim().split(/\s+/);
  return /^(<=)?\d{1,9}$/.test(words[0]) && words.length > 1 ? words[1] : words[0];
}

/** Renders an SVG as a PNG, 1200 pixels wide. @param {Blob} svg @returns {Promise<Blob>} */
async function png(svg) {
  const source = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = h('canvas', { width: 1200, height: Math.round((1200 * image.height) / image.width) });
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(t('export.no-picture')))), 'image/png'));
  } finally {
    URL.revokeObjectURL(source);
  }
}
