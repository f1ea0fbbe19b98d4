// @ts-check
// The layout of Play: title, statistics, board, buttons.
import { address } from './address.js';
import { button, control, help, iconButton, shareButton } from './controls.js';
import { fill, h } from './dom.js';
import { t } from './i18n.js';
import { icon } from './icons.js';
import { KEYS, keysChoice } from './play-keys.js';
import { feedbackChoices } from './settings.js';

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
    undo: control(t('word.undo'), 'undo', act.undo),
    redo: control(t('word.redo'), 'redo', act.redo),
    restart: control(t('play.restart'), 'restart', act.restart),
    hint: control(t('hint.hint'), 'hint', act.hint),
    solve: control(t('play.solve'), 'solve', act.solve),
    /** The area for hints, solutions and messages. */
    aside: h('div.aside'),
    /** The player's progress. */
    count: h('a.soft.little.number', { href: address('results') }),
    previous: iconButton(t('play.previous'), 'back', act.previous, '', t('play.previous-puzzle')),
    daily: button(t('play.daily'), 'calendar', act.daily),
    next: h('button.button.onward', { onclick: act.next }, t('word.next'), icon('next')),
  };
  const { opener, popover } = help('play-help', t('play.help'), t('play.how-to'), h('p', t('play.rules')), KEYS);
  parts.stage.append(parts.blocked);
  popover.append(keysChoice(), feedbackChoices(context.signal));
  fill(
    parts.play,
    h('header.play-head', h('div.play-title', parts.title, parts.about, parts.known, parts.aid), h('div.row', button(t('word.puzzles'), 'grid', act.choose), shareButton(t('share.puzzle'), context), opener)),
    h('dl.stats', figure(t('play.moves'), parts.moves), figure(t('word.time'), parts.time), figure(t('play.best'), parts.best)),
    parts.stage,
    h('div.controls', { role: 'toolbar', 'aria-label': t('play.game') }, parts.undo, parts.redo, parts.restart, parts.hint, parts.solve),
    parts.aside,
    h('div.play-foot.row.spread', parts.count, h('span.row', parts.previous, parts.daily, parts.next)),
  );
  fill(root, parts.play, popover);
  return parts;
}

/** @param {string} name @param {HTMLElement} value */
const figure = (name, value) => h('div', h('dt', name), value);
