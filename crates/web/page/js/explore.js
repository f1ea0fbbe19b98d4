// @ts-check
// Explore: all states reachable from a board, in columns by their distance to the exit.
import { Board, arrowText, moveText, spoken } from './board.js';
import { boardBar, boardOf, headOf } from './board-bar.js';
import { columnChart } from './charts.js';
import { distanceText, fetchComponent, moveBetween } from './component.js';
import { button, fact, note, problem, tableOf } from './controls.js';
import { capital, clamp, fill, h } from './dom.js';
import { GraphView } from './graph-view.js';
import { number, t } from './i18n.js';
import { css, isDark, ramp } from './ramp.js';
import { BoardView } from './view.js';

/** The size of the preview at the pointer. */
const TIP = { width: 146, height: 180 };

/** @param {HTMLElement} root @param {Context} context */
export async function show(root, context) {
  const { signal } = context;
  const of = await boardOf(root, 'explore', context);
  if (!of) return;
  const { line, metric } = of;
  const board = Board.parse(line);

  const graph = new GraphView(t('explore.graph'));
  const tip = new BoardView(board, { small: true });
  const tipText = h('span');
  const tipBox = h('div.graph-tip', { hidden: true, 'aria-hidden': 'true' }, tip.element, tipText);
  const status = h('div.graph-status', t('explore.exploring'));
  graph.element.append(tipBox, status);

  const view = new BoardView(board, { label: t('explore.selected') });
  const where = h('h2');
  const rank = note();
  const moves = h('div.moves-from');
  const facts = h('div.facts');
  const words = h('details.panel');
  const histogram = columnChart({
    title: t('explore.histogram'),
    up: t('explore.states'),
    across: t(`metric.${metric}`),
    columns: () => {
      const { layers = [], depth = 0, distances = [] } = graph.graph ?? {};
      const dark = isDark();
      return layers.map((value, d) => ({ value, label: `${d}: ${t('count.states', { count: value })}`, colour: css(ramp((d + 0.5) / (depth + 1), dark)), marked: distances[graph.selected] === d }));
    },
    pick: (d) => {
      const states = graph.layer(d);
      if (states.length) graph.choose(states[states.length >> 1]);
    },
  });
  addEventListener('themechange', histogram.redraw);

  /** The board of a state. @param {number} state */
  const at = (state) => (graph.graph ? board.placed(graph.graph.vehicles, graph.graph.positions[state]) : board);
  const open = (/** @type {string} */ tab) => context.go(tab, graph.selected < 0 ? line : at(graph.selected).toString());

  /** Shows a state beside the graph, and announces it. @param {number} state */
  const describe = (state) => {
    const all = graph.graph;
    if (!all) return;
    const now = at(state);
    view.show(now);
    const text = distanceText(all, state);
    where.textContent = capital(text);
    const layer = graph.layer(all.distances[state]);
    const special = state === all.start ? 'explore.place-start' : all.path.includes(state) ? 'explore.place-path' : 'explore.place';
    const place = t(special, { number: layer.indexOf(state) + 1, all: layer.length });
    rank.textContent = `${capital(place)}.`;
    const next = graph.neighbours(state).map((other) => ({ other, by: all.distances[other] - all.distances[state], move: moveBetween(all, state, other) }));
    next.sort((a, b) => a.move.label.localeCompare(b.move.label) || a.move.cells - b.move.cells);
    const groups = [t('explore.closer'), t('explore.same'), t('explore.farther')].map((name, i) => {
      const chips = next.filter(({ by }) => by === i - 1).map(({ other, move }) => h('button.chip', { 'aria-label': `${moveText(move)}: ${spoken(move, now)}, ${name}`, onclick: () => graph.choose(other) }, moveText(move), h('span.soft', ` ${arrowText(move, now)[0]}`)));
      return chips.length > 0 && h('div.row', h('span.soft.little.moves-name', name), ...chips);
    });
    fill(moves, ...groups);
    histogram.redraw();
    context.announce(t('explore.described', { distance: text, place, closer: next.filter(({ by }) => by < 0).length, farther: next.filter(({ by }) => by > 0).length }));
  };

  graph.onselect = describe;
  graph.onenter = () => open('play');
  graph.onhover = (state, place) => {
    tipBox.hidden = state === null;
    if (state === null || !graph.graph) return;
    tip.show(at(state), { animate: false });
    tipText.textContent = distanceText(graph.graph, state);
    const { width, height } = graph.camera.size;
    tipBox.style.left = `${place.x + 24 + TIP.width > width ? place.x - 20 - TIP.width : place.x + 20}px`;
    tipBox.style.top = `${clamp(place.y - 70, 6, height - 6 - TIP.height)}px`;
  };

  fill(
    root,
    headOf('explore', context, of),
    h(
      'div.explore.columns',
      h('div.stack.tight', graph.element, keysHelp()),
      h(
        'div.stack',
        h(
          'section.panel.state-panel',
          { 'aria-label': t('explore.selected') },
          view.element,
          h('div.stack.tight', where, rank, h('div.row', button(t('explore.play'), 'play', () => open('play'), 'small'), button(t('tab.compare'), 'compare', () => open('compare'), 'small'))),
          moves,
        ),
        h('section.panel', { 'aria-label': t('explore.all') }, facts, histogram.element),
        boardBar(line, context, 'explore'),
        words,
      ),
    ),
  );

  const load = async () => {
    try {
      const found = await fetchComponent(context, line, metric);
      status.textContent = t('explore.drawing');
      await graph.load(found);
      fill(facts, ...factsOf(found));
      fill(words, ...textOf(found, board));
      graph.choose(found.start);
    } catch (error) {
      if (!signal.aborted) fill(graph.element, problem(error));
    }
    status.remove();
  };
  load();

  return {
    close() {
      graph.close();
      removeEventListener('themechange', histogram.redraw);
    },
  };
}

/** The help on navigating the graph. */
function keysHelp() {
  const keys = (/** @type {string} */ all) => [...all.split(' ').flatMap((name) => [h('kbd', name), ' '])];
  return h(
    'p.soft.little.graph-help',
    h('span.coarse-pointer', t('explore.tap')),
    h('span.fine-pointer', t('explore.drag'), ' ', ...keys('← →'), t('explore.arrows-across'), ' ', ...keys('↑ ↓'), t('explore.arrows-along'), ' ', ...keys('+ − 0'), t('explore.zoom-keys'), ' ', ...keys('Enter'), t('explore.enter')),
  );
}

/** @param {Component} graph */
function factsOf({ states, complete, sampled, metric, by, depth, layers, distances, start, edges, edges_left_out: left }) {
  const solvable = by === 'goal';
  const notes = [
    !complete && t('explore.incomplete', { states: t('count.states', { count: states }) }),
    sampled && t(solvable ? 'explore.sampled-solution' : 'explore.sampled', { states: distances.length }),
    left > 0 && t('explore.left-out', { count: left }),
    !solvable && t(complete ? 'explore.no-exit' : 'explore.no-solution'),
  ].filter(Boolean);
  return [
    h('div.fact-row', fact(states, complete ? t('explore.fact-states', { count: states }) : t('explore.fact-more-states')), solvable && fact(distances[start], t(`explore.fact-${metric}`, { count: distances[start] })), fact(depth, t('explore.fact-depth')), solvable && fact(layers[0], t('explore.fact-goals', { count: layers[0] }))),
    notes.length ? h('p.message.warn.little', notes.join(' ')) : note(t(`explore.complete-${metric}`, { edges: edges.length / 2 })),
  ];
}

/** The same as text, for users who cannot see the drawing. @param {Component} graph @param {Board} board */
function textOf(graph, board) {
  const { path, layers, metric, states, depth, by } = graph;
  const distance = t(`count.${metric}`, { count: depth });
  const moves = path.slice(1).map((state, i) => spoken(moveBetween(graph, path[i], state), board));
  const rows = layers.map((count, d) => h('tr', h('th', { scope: 'row' }, d), h('td', number(count))));
  return [
    h('summary', t('explore.as-text')),
    h(
      'div.stack.tight.words',
      h('p', t(by === 'goal' ? 'explore.text-exit' : 'explore.text-start', { states: t('count.states', { count: states }), distance })),
      moves.length > 0 && h('p', t('explore.text-solution', { moves: moves.join(', ') })),
      h('div.scroll', tableOf([t(`explore.distance-${metric}`), t('explore.states-column')], rows)),
    ),
  ];
}
