// @ts-check
// A run of evolution: its live curves, its champion, its tests.
import { lineChart, short, timeText } from './charts.js';
import { button, fact, legend, meter, note, tableOf } from './controls.js';
import { copy, fill, h, nounFor, plural } from './dom.js';
import { icon } from './icons.js';

/** @import { IconName } from './icons.js' */

/** Interval in milliseconds at which the champion of an active run is fetched. */
const REFRESH = 3000;
/** Upper limit of the chart: initial policies may be very bad. */
const WORST = 2000;
/** The server's limits on a run. */
const MAX_SECONDS = 3600;
const MAX_GENERATIONS = 10_000;

/** @param {Run['state']} state */
export const stateTag = (state) => h('span', { class: `tag state-${state}${state === 'done' ? ' good' : state === 'failed' ? ' bad' : ''}` }, state);

/** `6x6 · default · seed 3 · 20 generations`. @param {Pick<Run, 'settings' | 'generations' | 'state'>} run */
export function describe({ settings, generations, state }) {
  const { training, preset, search, budget, seed } = settings;
  // While the run is active, a count would soon be out of date.
  const count = state === 'running' ? null : Array.isArray(generations) ? generations.length : generations;
  return [training.join(', '), preset === 'paper' && preset, search, `seed ${seed}`, budget, count !== null && plural(count, 'generation')].filter(Boolean).join(' · ');
}

/** The seconds of a budget such as `60s`; 0 for a budget of nodes. @param {string | null} budget */
const secondsOf = (budget) => Number(/^([\d.]+)s$/.exec(budget ?? '')?.[1] ?? 0);

/** Shows a run, live while it is active. @param {HTMLElement} stage @param {Context} context @param {string} id @param {{changed(): void, gone(): void}} owner */
export async function openRun(stage, context, id, owner) {
  const { api, signal } = context;
  /** @type {Run} */
  let run = await api.get(`/runs/${id}`, { signal });
  /** @type {Generation[]} */
  let log = Array.isArray(run.generations) ? run.generations : [];
  /** When the page started to watch, and the seconds logged until then. */
  let watched = { at: performance.now(), worked: 0 };
  /** @type {{close(): void} | null} */
  let source = null;
  let fetching = 0;

  const worked = () => log.reduce((sum, { seconds }) => sum + seconds, 0);
  /** The total time after another minute, in seconds. */
  const extended = () => Math.ceil(worked() + 60);
  // All lines are nodes in per cent of a search without a heuristic: fitness is the negative of that, or 100 minus it for the paper.
  const cost = (/** @type {number} */ fitness) => (run.settings.preset === 'paper' ? 100 - fitness : -fitness);
  const curves = lineChart({
    title: 'Nodes searched by the best policy and on average in each generation, and by the best policy on test boards',
    across: 'generation',
    up: 'nodes, % of a search without a heuristic',
    log: true,
    height: 300,
    lines: () => [
      { name: 'mean', kind: 'mean', points: log.map(({ generation, mean }) => [generation, Math.min(cost(mean), WORST)]) },
      { name: 'best', kind: 'best', points: log.map(({ generation, best }) => [generation, cost(best)]) },
      { name: 'test', kind: 'test', dots: true, points: log.flatMap(({ generation, 'test-nodes-percent': test }) => (test == null ? [] : [[generation, test]])) },
    ],
  });
  const heading = h('div');
  const actions = h('div.row');
  /** The state that the actions are drawn for. They are redrawn only when it changes, because a redraw may lose a click. */
  let offered = '';
  const failure = h('p.message.bad');
  const facts = h('div.fact-row');
  const bar = meter();
  const champion = h('section.panel.stack', { 'aria-label': 'Champion' });
  const tests = h('div.stack');
  fill(stage, h('section.panel.stack', { 'aria-label': `Run ${id}` }, h('div.row.spread', heading, actions), failure, facts, bar.element, curves.element, legend({ best: 'best', mean: 'mean', test: 'best on test boards (lower is better)' })), champion, tests);

  /** Changes the state of the run. @param {string} verb @param {object} [body] */
  const ask = async (verb, body = {}) => {
    run = await api.post(`/runs/${id}/${verb}`, body, { signal });
    draw();
    owner.changed();
    if (run.state === 'running') listen();
  };
  // Both limits are totals. The number of generations must not end the run before the minute is over.
  const extend = () => ask('resume', { budget: `${extended()}s`, generations: MAX_GENERATIONS });
  const remove = async () => {
    if (!confirm(`Delete run ${id} and its champion?`)) return;
    await api.remove(`/runs/${id}`, { signal });
    owner.gone();
  };
  const act = (/** @type {string} */ text, /** @type {IconName} */ image, /** @type {() => Promise<void>} */ work, kind = '') => button(text, image, () => context.attempt(work), `small ${kind}`);
  const link = (/** @type {string} */ name, /** @type {string} */ path) => h('a.button.small', { href: api.address(`/runs/${id}/${path}`), download: '' }, icon('export'), name);

  const draw = () => {
    const { state, error } = run;
    fill(heading, h('div.row.run-head', h('h2', `Run ${id}`), stateTag(state)), note(describe(run)));
    if (offered !== state) {
      offered = state;
      const running = [act('Stop', 'stop', () => ask('stop'))];
      const ended = [
        state === 'done' && extended() <= MAX_SECONDS && log.length < MAX_GENERATIONS && act('Continue for 1 min', 'play', extend),
        state === 'stopped' && act('Resume', 'play', () => ask('resume')),
        link('Report', 'report'),
        act('Delete', 'trash', remove, 'plain danger'),
      ];
      fill(actions, ...(state === 'running' ? running : ended));
    }
    failure.hidden = !error;
    fill(failure, error);
    drawFacts();
    fill(tests, ...(run.tests ?? []).map(testTable));
    curves.redraw();
  };

  const drawFacts = () => {
    const last = log.at(-1);
    const recent = log.slice(-5);
    const rate = recent.reduce((sum, line) => sum + line.evaluations, 0) / Math.max(recent.reduce((sum, line) => sum + line.seconds, 0), 1e-9);
    const test = log.findLast((line) => line['test-nodes-percent'] != null)?.['test-nodes-percent'];
    const { part, left } = progress();
    const going = run.state === 'running';
    fill(
      facts,
      fact(log.length, nounFor(log.length, 'generation')),
      last && fact(`${short(cost(last.best))} %`, 'of the nodes (best)'),
      test != null && fact(`${short(test)} %`, 'on test boards'),
      last && fact(short(rate), 'evaluations per second'),
      last && fact(timeText(Math.round(worked() * 10) / 10), 'computing time'),
      going && (run.phase === 'breeding' ? fact(timeText(Math.ceil(Math.max(left, 1))), 'remaining (estimated)') : fact('…', run.phase === 'testing' ? 'testing the champion' : 'preparing boards')),
    );
    bar.element.hidden = !going;
    bar.show(part);
  };

  /** The progress, and the remaining seconds: by the budget or by the generations, whichever ends first. */
  const progress = () => {
    const { budget, generations } = run.settings;
    const seconds = secondsOf(budget);
    const spent = run.phase === 'breeding' ? Math.max(worked(), watched.worked + (performance.now() - watched.at) / 1000) : worked();
    const ends = [{ part: 0, left: Infinity }];
    if (seconds) ends.push({ part: spent / seconds, left: seconds - spent });
    if (log.length) ends.push({ part: log.length / generations, left: (generations - log.length) * (worked() / log.length) });
    return ends.sort((a, b) => a.left - b.left)[0];
  };

  const drawChampion = () => {
    const rules = run.champion;
    champion.hidden = !rules;
    if (!rules) return;
    // A text that is open stays open when a new champion arrives.
    const open = champion.querySelector('details')?.open;
    const copied = async () => context.toast((await copy(rules)) ? 'Copied' : 'The browser blocked copying');
    fill(
      champion,
      h(
        'div.row.spread',
        h('h2', 'Champion'),
        h('div.row', button('Use in Compare', 'compare', () => context.go('compare', context.board, { policy: `run-${id}` }), 'small primary'), link('Download', 'champion?format=text'), act('Copy', 'paste', copied)),
      ),
      h('div.scroll.drawing', { tabindex: 0, role: 'region', 'aria-label': 'Rules as a drawing' }, h('img', { src: api.address(`/runs/${id}/champion?format=svg#${log.length}`), alt: 'The rules of the champion as trees; they are given as text below' })),
      h('details', { open }, h('summary', 'As text'), h('pre', { tabindex: 0, 'aria-label': 'Rules of the champion' }, rules)),
    );
  };

  const fetchRun = async () => {
    fetching = 0;
    run = await api.get(`/runs/${id}`, { signal });
    if (Array.isArray(run.generations) && run.generations.length >= log.length) log = run.generations;
    draw();
    drawChampion();
  };
  const listen = () => {
    source?.close();
    watched = { at: performance.now(), worked: worked() };
    source = api.events(`/runs/${id}/events`, {
      generation: (/** @type {Generation} */ line) => {
        if (log.some(({ generation }) => generation === line.generation)) return;
        const better = !log.length || line.best > log[log.length - 1].best;
        log.push(line);
        curves.redraw();
        drawFacts();
        if (better) context.announce(`Generation ${line.generation}: best ${short(cost(line.best))} per cent of the nodes`);
        if (better || champion.hidden) fetching ||= window.setTimeout(() => context.attempt(fetchRun), champion.hidden ? 0 : REFRESH);
      },
      state: (/** @type {Pick<Run, 'state' | 'phase'>} */ now) => {
        // The time before a new phase does not count.
        if (now.phase !== run.phase) watched = { at: performance.now(), worked: worked() };
        Object.assign(run, now);
        draw();
      },
      end: async () => {
        source?.close();
        await context.attempt(fetchRun);
        owner.changed();
        context.announce(`Run ${id}: ${run.state}`);
      },
    });
  };

  // Update the time between generations.
  const clock = setInterval(() => run.state === 'running' && drawFacts(), 1000);
  draw();
  drawChampion();
  if (run.state === 'running') listen();
  return {
    close() {
      source?.close();
      clearInterval(clock);
      clearTimeout(fetching);
    },
  };
}

/** The test results of the champion and of its competitors. @param {{boards: string, columns: Tested[]}} test */
function testTable({ boards, columns }) {
  const most = Math.max(...columns.map(({ nodes_percent }) => nodes_percent));
  const rows = columns.map(({ name, algorithm, nodes_percent: percent, nodes, seconds, solved, solvable, length_ratio: ratio }, i) => {
    const bar = h('span');
    bar.style.width = percent === null ? '0' : `${Math.max((100 * percent) / most, 0.6)}%`;
    return h(
      'tr',
      { class: i === columns.length - 1 ? 'champion-row' : null },
      h('th', { scope: 'row', title: algorithm }, name),
      h('td.bar-cell', h('span.bar-text', percent === null ? '–' : `${percent.toFixed(1)} %`), h('span.bar-track', bar)),
      ...[nodes === null ? '–' : short(Math.round(nodes)), seconds === null ? '–' : timeText(seconds), `${solved}/${solvable}`, ratio?.toFixed(3)].map((cell) => h('td', cell)),
    );
  });
  const names = ['Guided by', 'Nodes, % of unguided', 'Nodes', 'Time', 'Solved', 'Length / optimum'];
  return h('div.panel', h('h2', `Test: ${boards}`), h('div.scroll', { tabindex: 0, role: 'region', 'aria-label': `Test on ${boards}` }, tableOf(names, rows)));
}
