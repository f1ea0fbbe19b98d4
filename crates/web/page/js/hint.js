// @ts-check
// A hint: the next move, and the chain of blocking vehicles behind it.
import { parseMove } from './board.js';
import { button, iconButton, note } from './controls.js';
import { h, plural } from './dom.js';

/** @import { BoardView } from './view.js' */

/**
 * The panel that explains a hint; the move is also highlighted on the board.
 * @param {Hint} hint
 * @param {BoardView} view
 * @param {{make: () => void, close: () => void}} owner
 */
export function hintPanel({ move: text, moves, optimal, lower_bound, why, reasons }, view, { make, close }) {
  const move = parseMove(text);
  view.point({ move, chain: reasons.map((reason) => reason.vehicle) });
  const more = reasons.filter((reason) => reason.because && reason.because !== why);
  const chain = h('details', h('summary.little.soft', 'Why this move?'), h('ol.reasons', ...more.map((reason) => h('li', badge(reason.vehicle, view), h('span', reason.because)))));
  // There is room for it beside the board, but not below.
  chain.open = matchMedia('(min-width: 960px)').matches;
  return h(
    'section.panel.hint',
    { 'aria-label': 'Hint' },
    h('div.row.spread', h('h2', 'Hint'), h('span.tag.number', `${plural(moves, 'move')} to go`)),
    h('p', why),
    !optimal && note(`From the best plan known so far: ${plural(moves, 'move')}; at least ${lower_bound} are needed.`),
    h('div.row', button('Make this move', 'next', make, 'primary'), iconButton('Close the hint', 'close', close)),
    more.length > 0 && chain,
  );
}

/** The label of a vehicle on its colour. @param {string} label @param {BoardView} view */
function badge(label, view) {
  const element = h('span.badge', label);
  element.style.background = view.colour(label);
  element.style.color = view.ink(label);
  return element;
}
