// @ts-check
// Playback of a solution: pause, step, speed.
import { arrowText, moveText, spoken, worded } from './board.js';
import { button, transport } from './controls.js';
import { clamp, h, set } from './dom.js';
import { number, t } from './i18n.js';

/** @import { Board, Move } from './board.js' */

const SPEEDS = [0.5, 1, 2, 4];

/**
 * The controls of a playback; `show` is called with each board.
 * @param {Board} start
 * @param {Move[]} moves
 * @param {{show: (board: Board) => void, say: (text: string) => void, done: () => void, leave: () => void}} owner
 */
export function playback(start, moves, { show, say, done, leave }) {
  const boards = [start];
  for (const move of moves) boards.push(/** @type {Board} */ (boards.at(-1)).after(move));
  let at = 0;
  let speed = 1;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const toggle = () => (timer ? pause() : play());
  const controls = transport(t('word.step-back'), t('word.step-forward'), { at: () => at, jump: step, toggle });
  controls.run.classList.add('primary-round');
  const rate = h('button.button.small.rate', { onclick: faster });
  const count = h('span.soft.number.little');
  const about = h('p.soft.little.row');
  const chips = moves.map((move, i) => {
    const arrow = h('strong', { 'aria-hidden': 'true' }, arrowText(move, start));
    return h('button', { onclick: () => step(i + 1) }, h('span.soft', `${i + 1}.`), arrow, h('span.in-words', worded(move, start)), h('span.soft', moveText(move)));
  });
  const track = h('div.solution-moves.number', ...chips);
  const element = h(
    'section.panel.playback',
    { 'aria-label': t('playback.solution') },
    h('div.row.spread', h('h2', t('playback.title', { moves: t('count.moves', { count: moves.length }) })), count),
    about,
    h('div.row.transport', ...controls.buttons, rate),
    track,
    button(t('playback.leave'), 'back', () => (pause(), leave())),
  );

  function draw() {
    count.textContent = `${at} / ${moves.length}`;
    controls.draw(timer !== undefined, moves.length);
    rate.textContent = `${number(speed)}×`;
    set(rate, { 'aria-label': t('playback.speed', { speed }) });
    chips.forEach((chip, i) => {
      set(chip, { class: i < at && 'past', 'aria-current': i === at - 1 && 'step' });
    });
    const chip = chips[at - 1];
    if (chip) track.scrollTo({ top: chip.offsetTop - track.offsetTop - track.clientHeight / 2 + 18, behavior: 'smooth' });
  }

  /** @param {number} to */
  function go(to) {
    at = clamp(to, 0, moves.length);
    show(boards[at]);
    if (at > 0) say(spoken(moves[at - 1], start));
    if (at === moves.length) {
      pause();
      done();
    }
    draw();
  }

  /** @param {number} to */
  function step(to) {
    pause();
    go(to);
  }

  function tick() {
    timer = setTimeout(tick, 750 / speed);
    go(at + 1);
  }

  function play() {
    if (at === moves.length) go(0);
    timer = setTimeout(tick, 350 / speed);
    draw();
  }

  function pause() {
    clearTimeout(timer);
    timer = undefined;
    draw();
  }

  function faster() {
    speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
    draw();
  }

  draw();
  return { element, play, pause, toggle, focus: () => controls.run.focus({ preventScroll: true }), about, length: moves.length, started: () => at > 0 };
}
