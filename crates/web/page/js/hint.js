// @ts-check
// A hint in three levels: which vehicle, which way, and why.
import { arrowText, moverOf, parseMove, slideText, worded } from './board.js';
import { button, iconButton, note } from './controls.js';
import { capital, h } from './dom.js';
import { t } from './i18n.js';

/** @import { Board } from './board.js' */
/** @import { BoardView } from './view.js' */

/** @typedef {Hint['reasons'][number]} Reason */
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
  const [because = why, ...others] = reasons.map((reason, i) => purposeText(reason, reasons[i + 1], reasons[i + 2], view.board));
  const links = others.map((text, i) => h('li', badge(reasons[i + 1].vehicle, view), h('span', text)));
  view.point({ label: move.label, move: level > 1 ? move : null, chain: level > 2 ? reasons.slice(0, LINKS + 1).map((reason) => reason.vehicle) : [] });
  const said = [t('hint.look', { vehicle: moverOf(move, view.board) }), t('hint.move', { move: worded(move, view.board) }), because][level - 1];
  const hidden = links.slice(LINKS);
  const next = level < 3 ? button(level === 1 ? t('hint.which-way') : t('hint.why'), 'hint', more, level === 1 ? 'primary' : '') : null;
  const element = h(
    'section.panel.hint',
    { 'aria-label': t('hint.hint'), 'data-shown': level },
    h('div.row.spread', h('h2', t('hint.hint')), h('span.tag.number', t('hint.to-go', { count: moves }))),
    h('p.row.hint-text', badge(move.label, view), h('span', said), level === 2 && h('span.soft.number', { 'aria-hidden': 'true' }, arrowText(move, view.board))),
    level > 2 && links.length > 0 && h('ol.reasons', ...links.slice(0, LINKS)),
    hidden.length > 0 && level > 2 && h('details', h('summary.little.soft', t('hint.more', { count: hidden.length })), h('ol.reasons', ...hidden)),
    !optimal && note(t('hint.bounds', { moves: t('count.moves', { count: moves }), bound: lower_bound })),
    h('div.row', level > 1 && button(t('hint.make'), 'next', make, 'primary'), next, iconButton(t('hint.close'), 'close', close)),
  );
  return { element, said, main: /** @type {HTMLElement} */ (element.querySelector('.primary')) };
}

/**
 * The purpose of a move in a sentence, as the server writes it in English. If the same vehicle moves again, that is the purpose of the later move.
 * @param {Reason} reason
 * @param {Reason | undefined} next the move that it is made for
 * @param {Reason | undefined} afterNext the move that this one is made for
 * @param {Board} board
 */
function purposeText({ move: text, purpose }, next, afterNext, board) {
  const move = parseMove(text);
  const isAgain = purpose === 'again' && next !== undefined;
  const other = isAgain ? afterNext : next;
  const later = { ...(next && { next: slideText(parseMove(next.move), board) }), ...(other && { other: moverOf(parseMove(other.move), board) }) };
  const key = isAgain && next.purpose !== 'again' && next.purpose !== 'unneeded' ? /** @type {const} */ (`purpose.again-${next.purpose}`) : /** @type {const} */ (`purpose.${purpose}`);
  return capital(t(key, { vehicle: moverOf(move, board), slide: slideText(move, board), ...later }));
}

/** The label of a vehicle on its colour. @param {string} label @param {BoardView} view */
function badge(label, view) {
  const element = h('span.badge', { 'aria-hidden': 'true' }, label);
  element.style.background = view.colour(label);
  element.style.color = view.ink(label);
  return element;
}
