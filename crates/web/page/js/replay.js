// @ts-check
// A search step by step: its expanded and generated states in the graph of the component.
import { Board } from './board.js';
import { lineChart } from './charts.js';
import { axisName, distanceText, fetchComponent } from './component.js';
import { button, legend, note, problem, segmented, transport } from './controls.js';
import { clamp, fill, h } from './dom.js';
import { GraphView } from './graph-view.js';
import { t } from './i18n.js';
import { isDark } from './ramp.js';
import { BoardView } from './view.js';

/** @import { Style } from './graph-worker.js' */

const MAX_EXPANSIONS = 2000;
/** Steps per second. @type {Record<string, number>} */
const SPEEDS = { slow: 4, medium: 30, fast: 200 };
/** Unseen, generated, expanded: colour-blind users can tell grey, orange and blue apart. @returns {Style[]} */
const styles = () => [
  { colour: isDark() ? [120, 130, 145] : [165, 160, 148], alpha: 0.45, size: 0.8 },
  { colour: isDark() ? [255, 178, 62] : [222, 128, 0], alpha: 1, size: 1.15 },
  { colour: isDark() ? [104, 168, 255] : [39, 90, 180], alpha: 1, size: 1.15 },
];
const NEVER = 0x7fffffff;

/** @param {HTMLElement} root @param {Context} context @param {string} line @param {Metric} metric */
export function replay(root, context, line, metric) {
  const { api, signal } = context;
  const board = Board.parse(line);
  const choice = h('select', { 'aria-label': t('replay.algorithm') });
  const watch = button(t('replay.watch'), 'play', () => load());
  const message = h('div', { role: 'status' });
  const stage = h('div.stage');
  fill(
    root,
    h('div.row.spread', h('h2', t('replay.title')), h('div.row.watch', choice, watch)),
    note(t('replay.about')),
    message,
    stage,
  );
  /** @type {GraphView | null} */
  let graph = null;
  /** @type {Component | null} */
  let states = null;
  let stop = () => {};

  const load = async () => {
    stop();
    fill(message, h('p.message', t('replay.searching')));
    watch.disabled = true;
    try {
      /** @type {Trace} */
      const trace = await api.post('/trace', { board: line, algorithm: choice.value, metric, most_expansions: MAX_EXPANSIONS }, { signal });
      states ??= await fetchComponent(context, line, metric);
      if (!graph) {
        graph = new GraphView(t('replay.graph'));
        graph.pathShown = false;
        fill(stage, graph.element);
        await graph.load(states);
      }
      fill(message);
      stop = play(stage, context, board, graph, states, trace);
    } catch (error) {
      if (!signal.aborted) fill(message, problem(error));
    } finally {
      watch.disabled = false;
    }
  };

  return {
    /** Sets the algorithms to choose from. @param {string[]} texts */
    offer(texts) {
      // The solvers cannot be traced.
      const traceable = texts.filter((text) => !/^(exact|portfolio|layers)\b/i.test(text.trim()));
      const chosen = traceable.includes(choice.value) ? choice.value : traceable[0];
      fill(choice, ...traceable.map((text) => h('option', { value: text }, text)));
      if (chosen) choice.value = chosen;
    },
    close() {
      stop();
      graph?.close();
    },
  };
}

/**
 * Plays a trace; returns a function that stops it.
 * @param {HTMLElement} stage
 * @param {Context} context
 * @param {Board} board
 * @param {GraphView} graph
 * @param {Component} states
 * @param {Trace} trace
 */
function play(stage, context, board, graph, states, trace) {
  const index = new Map(states.positions.map((positions, i) => [positions, i]));
  const order = [...states.vehicles].map((label) => [...trace.vehicles].indexOf(label));
  /** The index of a state in the graph, or -1 if it is not shown. @param {string} positions */
  const find = (positions) => index.get(order.map((i) => positions[i]).join('')) ?? -1;
  const steps = trace.expansions.map(({ state, found }) => ({ state, at: find(state), found: found.map(find).filter((i) => i >= 0) }));
  const last = steps.length;
  // The step at which each state is first generated, and first expanded.
  const count = states.positions.length;
  const [found, expanded] = [new Int32Array(count).fill(NEVER), new Int32Array(count).fill(NEVER)];
  found[states.start] = 0;
  for (const [i, step] of steps.entries()) {
    if (step.at >= 0) expanded[step.at] = Math.min(expanded[step.at], i + 1);
    for (const other of step.found) found[other] = Math.min(found[other], i + 1);
  }
  let now = 0;
  let playing = false;
  let speed = 'medium';
  let frame = 0;

  const view = new BoardView(board, { label: t('replay.state') });
  const text = h('p.number');
  const counts = h('p.soft.little.number');
  const slider = h('input', { type: 'range', min: 0, max: last, value: 0, 'aria-label': t('replay.step') });
  const controls = transport(t('word.step-back'), t('word.step-forward'), { at: () => now, jump: (to) => jump(to), toggle: () => run(!playing) });

  /** Shows the search after a number of steps. @param {number} to @param {boolean} [say] */
  const go = (to, say = false) => {
    now = clamp(to, 0, last);
    slider.value = String(now);
    controls.draw(playing, last);
    const marks = Uint8Array.from(found, (at, i) => (expanded[i] <= now ? 2 : at <= now ? 1 : 0));
    const [done, waiting] = [marks.filter((mark) => mark === 2).length, marks.filter((mark) => mark === 1).length];
    const step = steps[Math.max(now - 1, 0)];
    if (step) {
      graph.links = now ? step.found : [];
      graph.select(step.at, false);
      view.show(board.placed(trace.vehicles, step.state), { animate: !playing });
    }
    graph.mark(marks, styles());
    const where = step?.at >= 0 ? distanceText(states, step.at) : t('replay.not-shown');
    const solved = now === last && trace.status === 'solved' && !trace.cut;
    text.textContent = now === 0 ? t('replay.start') : t('replay.at', { number: now, all: last, where: solved ? t('replay.solved') : where });
    counts.textContent = t(now > done ? 'replay.counts-again' : 'replay.counts', { expanded: done, again: now - done, generated: waiting, unseen: count - done - waiting });
    if (say) context.announce(`${text.textContent} ${counts.textContent}`);
  };
  /** @param {boolean} on */
  const run = (on) => {
    cancelAnimationFrame(frame);
    playing = on && last > 0;
    controls.draw(playing, last);
    if (!playing) return;
    if (now === last) go(0);
    let [before, due] = [performance.now(), 0];
    const tick = (/** @type {number} */ time) => {
      due += ((time - before) / 1000) * SPEEDS[speed];
      before = time;
      if (due >= 1) go(now + Math.floor(due));
      due %= 1;
      if (now === last) return run(false);
      frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
  };
  /** @param {number} to */
  const jump = (to) => {
    run(false);
    go(to, true);
  };
  slider.addEventListener('input', () => jump(Number(slider.value)));

  const every = Math.ceil(last / 600) || 1;
  const course = lineChart({
    title: t('replay.course'),
    across: t('replay.step-axis'),
    up: axisName(states),
    height: 150,
    lines: () => [{ name: t(`metric.${states.metric}`), kind: 'thin', points: steps.flatMap(({ at }, i) => (at >= 0 && i % every === 0 ? [[i + 1, states.distances[at]]] : [])) }],
  });
  const notes = [trace.cut && t('replay.cut', { steps: last }), states.sampled && t('replay.sampled')].filter(Boolean);
  fill(
    stage,
    h('div.stack.tight', graph.element, legend({ expanded: t('replay.expanded'), waiting: t('replay.generated'), 'unseen-state': t('replay.unseen') })),
    h(
      'div.stage-side.stack.tight',
      h('div.stage-board', view.element),
      text,
      counts,
      slider,
      h('div.row', ...controls.buttons),
      segmented(t('word.speed'), { slow: t('speed.slow'), medium: t('speed.medium'), fast: t('speed.fast') }, speed, (name) => (speed = name)),
      course.element,
      notes.length > 0 && h('p.message.warn.little', notes.join(' ')),
    ),
  );
  const theme = () => go(now);
  addEventListener('themechange', theme);
  // Selecting a state in the graph jumps to the step that expanded or generated it.
  graph.onselect = (state) => {
    const when = expanded[state] === NEVER ? found[state] : expanded[state];
    if (when !== NEVER) jump(when);
  };
  go(0);
  run(true);
  return () => {
    run(false);
    removeEventListener('themechange', theme);
  };
}
