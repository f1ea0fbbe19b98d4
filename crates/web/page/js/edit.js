// @ts-check
// Edit: create a board, with an immediate verdict on it.
import { Board, MAX_SIDE, SIDES, isHorizontal, nameOf } from './board.js';
import { button, control, help, iconButton, note, segmented, shareButton } from './controls.js';
import { capital, fill, h, set } from './dom.js';
import { TOO_SHORT, asTarget, cleared, erased, problems, sized, stretched, withExit } from './draft.js';
import { draftsPanel } from './drafts.js';
import { Drawing } from './drawing.js';
import { exporter, importer } from './exchange.js';
import { icon } from './icons.js';
import { recall, remember } from './storage.js';
import { verdict } from './verdict.js';
import { BoardView } from './view.js';

/** @import { Exit, Side } from './board.js' */
/** @import { Tool } from './drawing.js' */

const EMPTY = '............AA......................';

/** @type {{name: Tool, key: string, about: string}[]} */
const TOOLS = [
  { name: 'select', key: 'V', about: 'Tap a vehicle to select it. Drag it to move it, or drag its ends to resize it.' },
  { name: 'car', key: 'C', about: 'Tap a cell to place a car, or drag to draw one of any length.' },
  { name: 'truck', key: 'T', about: 'Tap a cell to place a truck, or drag to draw one of any length.' },
  { name: 'wall', key: 'W', about: 'Tap a cell to add or remove a wall.' },
  { name: 'erase', key: 'E', about: 'Tap or drag over what you want to remove.' },
];

/** @type {[string, string][]} */
const KEYS = [
  ['← → ↑ ↓', 'move the cursor'],
  ['Enter, Space', 'use the tool at the cursor'],
  ['Shift + arrow', 'move the selected vehicle'],
  ['+, -, O', 'lengthen, shorten or turn the selected vehicle'],
  ['Delete', 'delete the selected vehicle, or what is at the cursor'],
  ['V, C, T, W, E', 'select, car, truck, wall, erase'],
  ['U, R', 'undo, redo'],
  ['Ctrl + V', 'import boards from the clipboard'],
];

/** @param {HTMLElement} root @param {Context} context */
export async function show(root, context) {
  /** @type {Board[]} */
  const past = [];
  /** @type {Board[]} */
  let future = [];
  let draft = Board.parse(EMPTY);
  /** The labels of useless vehicles. @type {string[]} */
  let useless = [];

  const view = new BoardView(draft, { label: 'Board to edit' });
  const drawing = new Drawing(view, { change, select: inspect, say: context.announce, tool: use, undo, redo });
  const judge = verdict(context, { useless: (labels) => view.mark('useless', (useless = labels)) });
  const drafts = draftsPanel(context, { board: () => String(draft), open: (line) => change(Board.parse(line)) });
  const reading = importer(context, (boards) => {
    if (boards.length > 1) drafts.add(boards.map(String));
    change(boards[0]);
  });
  const writing = exporter(context, () => String(draft));
  const tools = new Map(TOOLS.map(({ name, key }) => [name, control(capital(name), name, () => use(name), `${capital(name)} (${key})`)]));
  const undoButton = iconButton('Undo', 'undo', undo, '', 'Undo (U)');
  const redoButton = iconButton('Redo', 'redo', redo, '', 'Redo (R)');
  const clear = iconButton('Clear the board', 'trash', () => change(cleared(draft)));
  const inspector = h('div.inspector.row');
  const sizePart = h('div.row');
  const exitPart = h('div.stack.tight');
  const actions = /** @type {const} */ (['play', 'explore', 'compare']).map((tab) => button(capital(tab), tab, () => context.go(tab, String(draft)), tab === 'play' ? 'primary' : ''));
  const { opener, popover } = help('edit-help', 'Keyboard shortcuts', 'Keyboard shortcuts', h('p', { id: 'drawing-help' }, 'When the board has focus:'), KEYS);
  fill(
    root,
    h('h1.unseen', 'Edit a board'),
    h(
      'div.edit',
      h('div.edit-tools', { role: 'toolbar', 'aria-label': 'Tools' }, ...tools.values()),
      h('div.stage', view.element),
      h('div.edit-under.stack.tight', inspector, h('div.row.spread', h('div.row', undoButton, redoButton, clear), h('div.row', shareButton('this board', context), opener))),
      h('div.edit-side.stack', judge.element, h('div.row.ways', ...actions), h('section.panel.stack.tight', h('h2', 'Board'), sizePart, exitPart), drafts.element, reading.element, writing.element),
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
    swap(past, future, 'Undone');
  }

  function redo() {
    swap(future, past, 'Redone');
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
    context.announce(`Tool: ${name}`);
    if (name !== 'select') drawing.select(null);
    inspect();
  }

  /** Shows the actions for the selected vehicle, or without one the usage of the tool. */
  function inspect() {
    const vehicle = drawing.vehicle;
    const turn = h('button.button.small', { title: 'Turn (O)', 'aria-label': vehicle ? 'Turn' : null, onclick: () => (drawing.turn(), inspect()) }, icon('rotate'), vehicle ? h('span', 'Turn') : drawing.horizontal ? 'Horizontal' : 'Vertical');
    if (!vehicle) {
      const tool = TOOLS.find((tool) => tool.name === drawing.tool);
      const placing = tool?.name === 'car' || tool?.name === 'truck';
      return fill(inspector, note(tool?.about), placing && turn);
    }
    const act = (/** @type {Board | null} */ board) => (board ? change(board) : context.toast('There is no room'));
    const target = draft.target === vehicle;
    fill(
      inspector,
      h('strong.selected-name', nameOf(vehicle), target && h('span.tag', icon('star'), 'target')),
      iconButton('Shorter', 'minus', () => (vehicle.length > 2 ? act(stretched(draft, vehicle, -1)) : context.toast(TOO_SHORT))),
      iconButton('Longer', 'plus', () => act(stretched(draft, vehicle, 1))),
      turn,
      !target && draft.exit.line === null && h('button.button.small', { title: 'Make this the target', 'aria-label': 'Make this the target', onclick: () => (change(asTarget(draft, vehicle)), drawing.select('A')) }, icon('star'), h('span', 'Target')),
      iconButton('Delete', 'trash', () => act(erased(draft, vehicle))),
    );
  }

  function drawSize() {
    const { width, height } = draft;
    const side = (/** @type {string} */ name, /** @type {number} */ value, /** @type {(value: number) => Board | null} */ make) => {
      const step = (/** @type {number} */ to) => {
        const board = make(to);
        if (board) change(board);
      };
      const fewer = iconButton(`Fewer ${name}`, 'minus', () => step(value - 1));
      const more = iconButton(`More ${name}`, 'plus', () => step(value + 1));
      fewer.disabled = value <= 2;
      more.disabled = value >= MAX_SIDE;
      return h('div.stepper', { role: 'group', 'aria-label': name }, fewer, h('span.number', h('strong', value), ` ${name}`), more);
    };
    refocus(sizePart, () => fill(sizePart, side('columns', width, (value) => sized(draft, value, height)), side('rows', height, (value) => sized(draft, width, value))));
  }

  function drawExit() {
    const { exit, width, height } = draft;
    const leave = (/** @type {Exit} */ next) => change(withExit(draft, next));
    const lineCount = (/** @type {Side} */ side) => (isHorizontal(side) ? height : width);
    const sides = segmented('Side of the exit', SIDES, exit.side, (name) => {
      const side = /** @type {Side} */ (name);
      leave({ side, line: exit.line === null ? null : Math.min(exit.line, lineCount(side) - 1) });
    });
    const axis = isHorizontal(exit.side) ? 'row' : 'column';
    const lines = Array.from({ length: lineCount(exit.side) }, (_, i) => h('option', { value: i, selected: exit.line === i }, `any vehicle in ${axis} ${i + 1}`));
    const leaver = h('select', { 'aria-label': 'Vehicle that uses the exit', onchange: () => leave({ side: exit.side, line: leaver.value === '' ? null : Number(leaver.value) }) }, h('option', { value: '', selected: exit.line === null }, 'the target'), ...lines);
    refocus(exitPart, () => fill(exitPart, h('h3', 'Exit'), sides, h('label.row.little', 'for', leaver)));
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
