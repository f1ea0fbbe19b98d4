// @ts-check
// The layout of Play: title, statistics, board, buttons.
import { address } from './address.js';
import { button, control, help, iconButton, shareButton } from './controls.js';
import { fill, h } from './dom.js';
import { icon } from './icons.js';
import { KEYS, keysChoice } from './play-keys.js';

const RULES = 'Get the red vehicle with the star to the exit. Vehicles slide back and forth in their row or column, and never turn. Drag a vehicle, or tap it and then tap a dot.';

/** @typedef {Record<'undo' | 'redo' | 'restart' | 'hint' | 'solve' | 'choose' | 'daily' | 'next' | 'previous', () => void>} Acts */

/**
 * Lays out the tab; returns its parts.
 * @param {HTMLElement} root
 * @param {Context} context
 * @param {SVGElement} board
 * @param {Acts} act
 */
export function table(root, context, board, act) {
  const parts = {
    play: h('div.play'),
    // Gets the focus when the control that had it disappears.
    title: h('h1', { tabindex: '-1' }),
    about: h('p.soft.little.row'),
    moves: h('dd.number'),
    time: h('dd.number'),
    /** What is known of a shortest solution. */
    known: h('p.soft.little.row'),
    /** The help used so far. */
    aid: h('p.soft.little'),
    best: h('dd.number'),
    stage: h('div.stage', board),
    /** What is in the way of a vehicle; screen readers get it as an announcement. */
    blocked: h('div.blocked', { 'aria-hidden': 'true' }),
    undo: control('Undo', 'undo', act.undo),
    redo: control('Redo', 'redo', act.redo),
    restart: control('Restart', 'restart', act.restart),
    hint: control('Hint', 'hint', act.hint),
    solve: control('Solve', 'solve', act.solve),
    /** The area for hints, solutions and messages. */
    aside: h('div.aside'),
    /** The player's progress. */
    count: h('a.soft.little.number', { href: address('results') }),
    previous: iconButton('Previous', 'back', act.previous, '', 'Previous puzzle'),
    daily: button('Daily', 'calendar', act.daily),
    next: h('button.button.onward', { onclick: act.next }, 'Next', icon('next')),
  };
  const { opener, popover } = help('play-help', 'Help', 'How to play', h('p', RULES), KEYS);
  parts.stage.append(parts.blocked);
  popover.append(keysChoice());
  fill(
    parts.play,
    h('header.play-head', h('div.play-title', parts.title, parts.about, parts.known, parts.aid), h('div.row', button('Puzzles', 'grid', act.choose), shareButton('this puzzle', context), opener)),
    h('dl.stats', figure('Moves', parts.moves), figure('Time', parts.time), figure('Your best', parts.best)),
    parts.stage,
    h('div.controls', { role: 'toolbar', 'aria-label': 'Game' }, parts.undo, parts.redo, parts.restart, parts.hint, parts.solve),
    parts.aside,
    h('div.play-foot.row.spread', parts.count, h('span.row', parts.previous, parts.daily, parts.next)),
  );
  fill(root, parts.play, popover);
  return parts;
}

/** @param {string} name @param {HTMLElement} value */
const figure = (name, value) => h('div', h('dt', name), value);
