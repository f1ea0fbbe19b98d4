// @ts-check
// Edit: create a board, with an immediate verdict on it.
import { Board, MAX_SIDE, SIDES, isHorizontal, nameOf } from './board.js';
import { button, control, help, iconButton, note, segmented, shareButton } from './controls.js';
import { capital, fill, h, set } from './dom.js';
import { TOO_SHORT, asTarget, cleared, erased, problems, sized, stretched, withExit } from './draft.js';
import { draftsPanel } from './drafts.js';
import { Drawing } from './drawing.js';
import { exporter, importer } from './exchange.js';
import { t } from './i18n.js';
import { icon } from './icons.js';
import { recall, remember } from './storage.js';
import { verdict } from './verdict.js';
import { BoardView } from './view.js';

/** @import { Exit, Side } from './board.js' */
/** @import { Tool } from './drawing.js' */

const EMPTY = '............AA......................';

/** @type {{name: Tool, key: string}[]} */
const TOOLS = [
  { name: 'select', key: 'V' },
  { name: 'car', key: 'C' },
  { name: 'truck', key: 'T' },
  { name: 'wall', key: 'W' },
  { name: 'erase', key: 'E' },
];

/** @type {[string, string][]} */
const KEYS = [
  ['← → ↑ ↓', t('edit-keys.arrows')],
  [t('key.enter-space'), t('edit-keys.use')],
  [t('key.shift-arrow'), t('edit-keys.move')],
  ['+, -, O', t('edit-keys.length')],
  [t('key.delete'), t('edit-keys.delete')],
  ['V, C, T, W, E', t('edit-keys.tools')],
  ['U, R', t('edit-keys.undo')],
  [t('key.paste'), t('edit-keys.paste')],
];

/** @param {Tool} name */
const titleOf = (name) => capital(t(`tool.${name}`));

/** A text with the key that does the same. @param {string} text @param {string} key */
const withKey = (text, key) => t('edit.with-key', { text, key });

/** @param {HTMLElement} root @param {Context} context */
export async function show(root, context) {
  /** @type {Board[]} */
  const past = [];
  /** @type {Board[]} */
  let future = [];
  let draft = Board.parse(EMPTY);
  /** The labels of useless vehicles. @type {string[]} */
  let useless = [];

  const view = new BoardView(draft, { label: t('edit.board-to-edit') });
  const drawing = new Drawing(view, { change, select: inspect, say: context.announce, tool: use, undo, redo });
  const judge = verdict(context, { useless: (labels) => view.mark('useless', (useless = labels)) });
  const drafts = draftsPanel(context, { board: () => String(draft), open: (line) => change(Board.parse(line)) });
  const reading = importer(context, (boards) => {
    if (boards.length > 1) drafts.add(boards.map(String));
    change(boards[0]);
  });
  const writing = exporter(context, () => String(draft));
  const tools = new Map(TOOLS.map(({ name, key }) => [name, control(titleOf(name), name, () => use(name), withKey(titleOf(name), key))]));
  const undoButton = iconButton(t('word.undo'), 'undo', undo, '', withKey(t('word.undo'), 'U'));
  const redoButton = iconButton(t('word.redo'), 'redo', redo, '', withKey(t('word.redo'), 'R'));
  const clear = iconButton(t('edit.clear'), 'trash', () => change(cleared(draft)));
  const inspector = h('div.inspector.row');
  const sizePart = h('div.row');
  const exitPart = h('div.stack.tight');
  const actions = /** @type {const} */ (['play', 'explore', 'compare']).map((tab) => button(t(`tab.${tab}`), tab, () => context.go(tab, String(draft)), tab === 'play' ? 'primary' : ''));
  const { opener, popover } = help('edit-help', t('edit.keys'), t('edit.keys'), h('p', { id: 'drawing-help' }, t('edit.keys-when')), KEYS);
  fill(
    root,
    h('h1.unseen', t('edit.title')),
    h(
      'div.edit',
      h('div.edit-tools', { role: 'toolbar', 'aria-label': t('edit.tools') }, ...tools.values()),
      h('div.stage', view.element),
      h('div.edit-under.stack.tight', inspector, h('div.row.spread', h('div.row', undoButton, redoButton, clear), h('div.row', shareButton(t('share.board'), context), opener))),
      h('div.edit-side.stack', judge.element, h('div.row.ways', ...actions), h('section.panel.stack.tight', h('h2', t('board.board')), sizePart, exitPart), drafts.element, reading.element, writing.element),
    ),
    popover,
  );
  document.addEventListener('paste', paste, { signal: context.signal });

  // The board of the URL, or the last draft.
  const text = context.board ?? recall('draft', EMPTY);
  try {
    put(Board.parse(text));
  } catch {
    put(draft);
    reading.paste(text);
  }
  use('select');
  return {
    close() {
      judge.close();
      writing.close();
    },
  };

  /** Applies a change that can be undone. @param {Board} board */
  function change(board) {
    if (String(board) === String(draft)) return;
    past.push(draft);
    future = [];
    put(board);
  }

  function undo() {
    swap(past, future, t('word.undone'));
  }

  function redo() {
    swap(future, past, t('word.redone'));
  }

  /** Moves the draft to one list, and takes the last board of the other. @param {Board[]} from @param {Board[]} to @param {string} text */
  function swap(from, to, text) {
    const board = from.pop();
    if (!board) return;
    to.push(draft);
    put(board);
    context.announce(text);
  }

  /** @param {Board} board */
  function put(board) {
    draft = board;
    view.show(board);
    // Keep the last verdict until the next one arrives.
    view.mark('useless', useless);
    if (!drawing.vehicle) drawing.selected = null;
    drawing.draw();
    context.keep(String(board));
    remember('draft', String(board));
    undoButton.disabled = !past.length;
    redoButton.disabled = !future.length;
    for (const action of actions) action.disabled = problems(board).length > 0;
    inspect();
    drawSize();
    drawExit();
    judge.check(board);
    writing.update();
  }

  /** @param {Tool} name */
  function use(name) {
    drawing.tool = name;
    for (const [tool, button] of tools) set(button, { 'aria-pressed': String(tool === name) });
    context.announce(t('edit.tool', { tool: t(`tool.${name}`) }));
    if (name !== 'select') drawing.select(null);
    inspect();
  }

  /** Shows the actions for the selected vehicle, or without one the usage of the tool. */
  function inspect() {
    const vehicle = drawing.vehicle;
    const turn = h('button.button.small', { title: withKey(t('edit.turn'), 'O'), 'aria-label': vehicle ? t('edit.turn') : null, onclick: () => (drawing.turn(), inspect()) }, icon('rotate'), vehicle ? h('span', t('edit.turn')) : drawing.horizontal ? t('edit.horizontal') : t('edit.vertical'));
    if (!vehicle) {
      const placing = drawing.tool === 'car' || drawing.tool === 'truck';
      return fill(inspector, note(t(`tool-about.${drawing.tool}`)), placing && turn);
    }
    const act = (/** @type {Board | null} */ board) => (board ? change(board) : context.toast(t('edit.no-room')));
    const target = draft.target === vehicle;
    fill(
      inspector,
      h('strong.selected-name', nameOf(vehicle), target && h('span.tag', icon('star'), t('edit.target'))),
      iconButton(t('edit.shorter'), 'minus', () => (vehicle.length > 2 ? act(stretched(draft, vehicle, -1)) : context.toast(TOO_SHORT))),
      iconButton(t('edit.longer'), 'plus', () => act(stretched(draft, vehicle, 1))),
      turn,
      !target && draft.exit.line === null && h('button.button.small', { title: t('edit.make-target'), 'aria-label': t('edit.make-target'), onclick: () => (change(asTarget(draft, vehicle)), drawing.select('A')) }, icon('star'), h('span', t('edit.as-target'))),
      iconButton(t('word.delete'), 'trash', () => act(erased(draft, vehicle))),
    );
  }

  function drawSize() {
    const { width, height } = draft;
    const side = (/** @type {'columns' | 'rows'} */ name, /** @type {number} */ value, /** @type {(value: number) => Board | null} */ make) => {
      const step = (/** @type {number} */ to) => {
        const board = make(to);
        if (board) change(board);
      };
      const fewer = iconButton(t(`edit.fewer-${name}`), 'minus', () => step(value - 1));
      const more = iconButton(t(`edit.more-${name}`), 'plus', () => step(value + 1));
      fewer.disabled = value <= 2;
      more.disabled = value >= MAX_SIDE;
      return h('div.stepper', { role: 'group', 'aria-label': t(`edit.${name}`) }, fewer, h('span.number', h('strong', value), ` ${t(`edit.${name}`)}`), more);
    };
    refocus(sizePart, () => fill(sizePart, side('columns', width, (value) => sized(draft, value, height)), side('rows', height, (value) => sized(draft, width, value))));
  }

  function drawExit() {
    const { exit, width, height } = draft;
    const leave = (/** @type {Exit} */ next) => change(withExit(draft, next));
    const lineCount = (/** @type {Side} */ side) => (isHorizontal(side) ? height : width);
    const sides = segmented(t('edit.exit-side'), Object.fromEntries(SIDES.map((side) => [side, t(`side.${side}`)])), exit.side, (name) => {
      const side = /** @type {Side} */ (name);
      leave({ side, line: exit.line === null ? null : Math.min(exit.line, lineCount(side) - 1) });
    });
    const axis = isHorizontal(exit.side) ? 'row' : 'column';
    const lines = Array.from({ length: lineCount(exit.side) }, (_, i) => h('option', { value: i, selected: exit.line === i }, t(`edit.any-in-${axis}`, { line: i + 1 })));
    const leaver = h('select', { 'aria-label': t('edit.exit-vehicle'), onchange: () => leave({ side: exit.side, line: leaver.value === '' ? null : Number(leaver.value) }) }, h('option', { value: '', selected: exit.line === null }, t('edit.the-target')), ...lines);
    refocus(exitPart, () => fill(exitPart, h('h3', t('edit.exit')), sides, h('label.row.little', t('edit.exit-for'), leaver)));
  }

  /** @param {ClipboardEvent} event */
  function paste(event) {
    if (event.target instanceof HTMLElement && event.target.closest('input, textarea')) return;
    const text = event.clipboardData?.getData('text/plain');
    if (!text?.trim()) return;
    event.preventDefault();
    reading.paste(text);
  }
}

/** Redraws controls, and restores the focus. @param {HTMLElement} part @param {() => void} draw */
function refocus(part, draw) {
  const at = [...part.querySelectorAll('button, select')].indexOf(/** @type {Element} */ (document.activeElement));
  draw();
  if (at >= 0) /** @type {HTMLElement} */ (part.querySelectorAll('button, select')[at])?.focus();
}
