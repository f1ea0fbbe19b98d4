// @ts-check
// The card shown when a puzzle is solved, and confetti.
import { button, note } from './controls.js';
import { calm, h } from './dom.js';
import { resultText } from './game.js';
import { t } from './i18n.js';
import { icon } from './icons.js';
import { isPerfect, isUnaided, starsOf } from './puzzle-records.js';

/** @import { FinishedGame } from './puzzle-records.js' */

const COLOURS = ['#d8343a', '#f5c52b', '#84ccf5', '#178a66', '#b197ea', '#eb9cc2'];

/**
 * @param {FinishedGame} game
 * @param {{optimum: number | null, best: boolean}} result
 * @param {{again: () => void, next: () => void}} actions
 */
export function victory(game, { optimum, best }, { again, next }) {
  const perfect = isPerfect(game, optimum);
  const stars = starsOf(game, optimum);
  const title = perfect ? t('victory.perfect') : t('victory.solved');
  const result = resultText(game);
  const onward = h('button.button.primary', { onclick: next }, t('word.next'), icon('next'));
  const text = comment(game, optimum, best);
  const element = h(
    'div.won',
    { role: 'group', 'aria-label': title },
    h('div.stars', { 'aria-label': t('victory.stars', { stars }), role: 'img' }, ...[1, 2, 3].map((n) => h('span', { class: n <= stars ? 'lit' : '' }, icon('star')))),
    h('strong', title),
    h('p.number', result),
    note(text),
    h('div.row', button(t('victory.again'), 'restart', again), onward),
  );
  return { element, onward, pieces: perfect ? 70 : 36, spoken: `${title} ${result}. ${text}` };
}

/** @param {FinishedGame} game @param {number | null} optimum @param {boolean} best */
function comment(game, optimum, best) {
  if (game.solutionShown) return t('victory.shown');
  if (game.moves === optimum) return isUnaided(game) ? t('victory.shortest') : t('victory.shortest-aided');
  return [best && t('victory.best'), optimum !== null && t('victory.optimum', { count: optimum })].filter(Boolean).join(' ');
}

/** Shows confetti over an element, unless the user prefers reduced motion. @param {HTMLElement} over @param {number} pieces */
export function confetti(over, pieces) {
  if (calm()) return;
  // The layer covers the window and clips the pieces, which would otherwise make the page wider.
  const layer = h('div.confetti', { 'aria-hidden': 'true' });
  document.body.append(layer);
  const { left, top, width, height } = over.getBoundingClientRect();
  for (let i = 0; i < pieces; i++) {
    const piece = h('span');
    piece.style.cssText = `left: ${left + width / 2}px; top: ${top + 0.46 * height}px; background: ${COLOURS[i % COLOURS.length]}`;
    layer.append(piece);
    const angle = Math.random() * 2 * Math.PI;
    const [x, y] = [Math.cos(angle) * (60 + 200 * Math.random()), Math.sin(angle) * (60 + 160 * Math.random()) - 60];
    const spin = 720 * (Math.random() - 0.5);
    piece.animate(
      [
        { transform: 'translate(0, 0) scale(0.4)', opacity: 1 },
        { transform: `translate(${x}px, ${y}px) rotate(${spin}deg)`, opacity: 1, offset: 0.45, easing: 'ease-in' },
        { transform: `translate(${x * 1.15}px, ${y + 260}px) rotate(${2 * spin}deg)`, opacity: 0 },
      ],
      { duration: 1400 + 700 * Math.random(), easing: 'cubic-bezier(0.1, 0.8, 0.3, 1)', fill: 'forwards' },
    );
  }
  setTimeout(() => layer.remove(), 2300);
}
