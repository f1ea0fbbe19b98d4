// @ts-check
// The board of a tab: its source, its picture, the metric, and the choice of another board.
import { button, problem, segmented, select } from './controls.js';
import { fill, h } from './dom.js';
import { read } from './exchange.js';
import { named, t } from './i18n.js';
import { titled } from './library.js';
import { thumbnail } from './view.js';

/** Shown when no board is given and the daily puzzle is not available. */
const CLASSIC = 'BB...CD..E.CDAAE.CD..E..F...GGF.HHH.';

/**
 * The board of the URL, in any format, or today's easy puzzle, and the metric. If it is not a board, shows why, with ways to go on, and
 * returns null.
 * @param {HTMLElement} root
 * @param {string} tab
 * @param {Context} context
 * @returns {Promise<{line: string, metric: Metric} | null>}
 */
export async function boardOf(root, tab, context) {
  const metric = context.params.get('metric') === 'steps' ? 'steps' : 'moves';
  const daily = () => context.api.get('/daily', { signal: context.signal }).then(({ puzzles }) => puzzles[0].board, () => CLASSIC);
  const given = context.board ?? (await daily());
  try {
    const line = String(await read(given, context.api, context.signal));
    context.keep(line, metricPart(metric));
    return { line, metric };
  } catch (error) {
    context.signal.throwIfAborted();
    const correct = button(t('bar.correct'), 'edit', () => context.go('edit', given), 'primary');
    const ways = [correct, button(t('bar.today'), 'calendar', () => context.go(tab)), button(t('word.puzzles'), 'grid', () => context.go('play'))];
    fill(root, h('div.head.row', h('h1', named('tab', tab))), h('section.panel.stack', { 'aria-label': t('play.invalid') }, h('h2', t('bar.not-a-board')), h('pre', { tabindex: '0' }, given), problem(error), h('div.row', ...ways)));
    return null;
  }
}

/** @param {Metric} metric @returns {Record<string, string>} */
const metricPart = (metric) => (metric === 'steps' ? { metric } : {});

/**
 * The head of a tab, with the choice of the metric.
 * @param {string} tab
 * @param {Context} context
 * @param {{line: string, metric: Metric}} of
 */
export const headOf = (tab, context, { line, metric }) =>
  h(
    'div.head.row.spread',
    h('h1', named('tab', tab)),
    segmented(t('metric.label'), { moves: t('metric.moves'), steps: t('metric.steps') }, metric, (name) => context.go(tab, line, metricPart(/** @type {Metric} */ (name)))),
  );

/**
 * A picture of the board with buttons for Play and Edit, and a choice of the embedded boards.
 * @param {string} line
 * @param {Context} context
 * @param {string} tab that opens another board
 */
export function boardBar(line, context, tab) {
  const { api, signal } = context;
  const prepare = () => context.attempt(load);
  const suites = select({ 'aria-label': t('bar.suite'), onfocus: prepare, onpointerenter: prepare, onchange: () => context.attempt(list) }, { '': t('bar.another') });
  const boards = h('select', { 'aria-label': t('bar.in-suite'), hidden: true, onchange: () => boards.value && context.go(tab, boards.value) });
  const load = async () => {
    if (suites.options.length > 1) return;
    /** @type {{name: string, boards: number}[]} */
    const all = await api.list('/suites', { signal });
    if (suites.options.length === 1) suites.append(...all.map(({ name, boards }) => h('option', { value: name }, `${titled(name)} (${boards})`)));
  };
  const list = async () => {
    boards.hidden = !suites.value;
    if (!suites.value) return;
    /** @type {{boards: {name: string | null, board: string, moves: number | null}[]}} */
    const suite = await api.get(`/suites/${suites.value}`, { signal });
    const options = suite.boards.map(({ name, board, moves }, i) => h('option', { value: board }, `${name ?? i + 1}${moves === null ? '' : ` · ${t('count.moves', { count: moves })}`}`));
    fill(boards, h('option', { value: '' }, t('bar.choose')), ...options);
    boards.focus();
  };
  return h(
    'section.panel.board-bar',
    { 'aria-label': t('bar.board') },
    h('div.board-bar-picture', thumbnail(line, t('bar.board'))),
    h('div.row', suites, boards),
    h('div.row', button(t('tab.play'), 'play', () => context.go('play', line), 'small'), button(t('tab.edit'), 'edit', () => context.go('edit', line), 'small')),
  );
}
