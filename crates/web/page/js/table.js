// @ts-check
// The layout of Play: title, statistics, board, buttons.
import { button, control, help, shareButton } from './controls.js';
import { fill, h } from './dom.js';

/** @type {[string, string][]} */
const KEYS = [
  ['Tab', 'next vehicle'],
  ['← → ↑ ↓', 'move the selected vehicle by one cell'],
  ['Shift + arrow', 'move it as far as possible'],
  ['U, R', 'undo, redo'],
  ['H', 'show a hint; press again to make the move'],
  ['S', 'show the solution; Space pauses it'],
  ['0', 'restart'],
  ['N', 'next puzzle'],
  ['?', 'show or hide this help'],
];

const RULES = 'Get the red vehicle with the star to the exit. Vehicles slide back and forth in their row or column, and never turn. Drag a vehicle, or tap it and then tap a dot.';

/** @typedef {Record<'undo' | 'redo' | 'restart' | 'hint' | 'solve' | 'choose', () => void>} Acts */

/**
 * Lays out the tab; returns its parts.
 * @param {HTMLElement} root
 * @param {Context} context
 * @param {SVGElement} board
 * @param {HTMLElement} dialog
 * @param {Acts} act
 */
export function table(root, context, board, dialog, act) {
  const parts = {
    play: h('div.play'),
    title: h('h1'),
    about: h('p.soft.little.row'),
    moves: h('dd.number'),
    time: h('dd.number'),
    /** What is known of a shortest solution. */
    known: h('p.soft.little.row'),
    best: h('dd.number'),
    stage: h('div.stage', board),
    undo: control('Undo', 'undo', act.undo),
    redo: control('Redo', 'redo', act.redo),
    restart: control('Restart', 'restart', act.restart),
    hint: control('Hint', 'hint', act.hint),
    solve: control('Solve', 'solve', act.solve),
    /** The area for hints, solutions and messages. */
    aside: h('div.aside'),
    footer: h('div.play-foot.row.spread'),
  };
  const { opener, popover } = help('play-help', 'Help', 'How to play', h('p', RULES), KEYS);
  fill(
    parts.play,
    h('header.play-head', h('div.play-title', parts.title, parts.about, parts.known), h('div.row', button('Puzzles', 'grid', act.choose), shareButton('this puzzle', context), opener)),
    h('dl.stats', figure('Moves', parts.moves), figure('Time', parts.time), figure('Your best', parts.best)),
    parts.stage,
    h('div.controls', { role: 'toolbar', 'aria-label': 'Game' }, parts.undo, parts.redo, parts.restart, parts.hint, parts.solve),
    parts.aside,
    parts.footer,
  );
  fill(root, parts.play, popover, dialog);
  return parts;
}

/** @param {string} name @param {HTMLElement} value */
const figure = (name, value) => h('div', h('dt', name), value);
