// @ts-check
// A hint in three levels: which vehicle, which way, and why.
import { arrowText, nameOf, parseMove, worded } from './board.js';
import { button, iconButton, note } from './controls.js';
import { h, plural } from './dom.js';

/** @import { BoardView } from './view.js' */

/** How much of a hint is shown: 1 the vehicle, 2 its move, 3 the reason. @typedef {1 | 2 | 3} HintLevel */

/** The number of links of the chain that are shown at once. */
const LINKS = 3;

/**
 * The panel that shows a hint, which is also highlighted on the board.
 * @param {Hint} hint
 * @param {HintLevel} level
 * @param {BoardView} view
 * @param {{more: () => void, make: () => void, close: () => void}} owner
 */
export function hintPanel({ move: text, moves, optimal, lower_bound, why, reasons }, level, view, { more, make, close }) {
  const move = parseMove(text);
  const vehicle = view.board.vehicle(move.label);
  const who = vehicle ? nameOf(vehicle) : move.label;
  const links = reasons.filter((reason) => reason.because !== why).map((reason) => h('li', badge(reason.vehicle, view), h('span', reason.because)));
  view.point({ label: move.label, move: level > 1 ? move : null, chain: level > 2 ? reasons.slice(0, LINKS + 1).map((reason) => reason.vehicle) : [] });
  const said = [`Look at ${who}.`, `Move ${worded(move, view.board)}.`, why][level - 1];
  const hidden = links.slice(LINKS);
  const next = level < 3 ? button(level === 1 ? 'Which way?' : 'Why?', 'hint', more, level === 1 ? 'primary' : '') : null;
  const element = h(
    'section.panel.hint',
    { 'aria-label': 'Hint', 'data-shown': level },
    h('div.row.spread', h('h2', 'Hint'), h('span.tag.number', `${plural(moves, 'move')} to go`)),
    h('p.row.hint-text', badge(move.label, view), h('span', said), level === 2 && h('span.soft.number', { 'aria-hidden': 'true' }, arrowText(move, view.board))),
    level > 2 && links.length > 0 && h('ol.reasons', ...links.slice(0, LINKS)),
    hidden.length > 0 && level > 2 && h('details', h('summary.little.soft', `${plural(hidden.length, 'more step')} to the exit`), h('ol.reasons', ...hidden)),
    !optimal && note(`From the best plan known so far: ${plural(moves, 'move')}; at least ${lower_bound} are needed.`),
    h('div.row', level > 1 && button('Make this move', 'next', make, 'primary'), next, iconButton('Close the hint', 'close', close)),
  );
  return { element, said, main: /** @type {HTMLElement} */ (element.querySelector('.primary')) };
}

/** The label of a vehicle on its colour. @param {string} label @param {BoardView} view */
function badge(label, view) {
  const element = h('span.badge', { 'aria-hidden': 'true' }, label);
  element.style.background = view.colour(label);
  element.style.color = view.ink(label);
  return element;
}
