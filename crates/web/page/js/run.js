// @ts-check
// A run of evolution: its live curves, its champion, its tests.
import { lineChart, short, timeText } from './charts.js';
import { button, fact, legend, meter, note, tableOf } from './controls.js';
import { copy, fill, h } from './dom.js';
import { decimal, t } from './i18n.js';
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
export const stateTag = (state) => h('span', { class: `tag state-${state}${state === 'done' ? ' good' : state === 'failed' ? ' bad' : ''}` }, t(`run-state.${state}`));

/** `6x6 · default · seed 3 · 20 generations`. @param {Pick<Run, 'settings' | 'generations' | 'state'>} run */
export function describe({ settings, generations, state }) {
  const { training, preset, search, budget, seed } = settings;
  // While the run is active, a count would soon be out of date.
  const count = state === 'running' ? null : Array.isArray(generations) ? generations.length : generations;
  return [training.join(', '), preset === 'paper' && t('evolve.paper'), search, t('evolve.seed', { seed: `${seed}` }), budget, count !== null && t('count.generations', { count })].filter(Boolean).join(' · ');
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
  let reading = new AbortController();

  const worked = () => log.reduce((sum, { seconds }) => sum + seconds, 0);
  /** The total time after another minute, in seconds. */
  const extended = () => Math.ceil(worked() + 60);
  // All lines are nodes in per cent of a search without a heuristic: fitness is the negative of that, or 100 minus it for the paper.
  const cost = (/** @type {number} */ fitness) => (run.settings.preset === 'paper' ? 100 - fitness : -fitness);
  const curves = lineChart({
    title: t('run.curves'),
    across: t('run.generation-axis'),
    up: t('run.nodes-axis'),
    log: true,
    height: 300,
    lines: () => [
      { name: t('run.mean'), kind: 'mean', points: log.map(({ generation, mean }) => [generation, Math.min(cost(mean), WORST)]) },
      { name: t('run.best'), kind: 'best', points: log.map(({ generation, best }) => [generation, cost(best)]) },
      { name: t('run.test'), kind: 'test', dots: true, points: log.flatMap(({ generation, 'test-nodes-percent': test }) => (test == null ? [] : [[generation, test]])) },
    ],
  });
  const heading = h('div');
  const actions = h('div.row');
  /** The state that the actions are drawn for. They are redrawn only when it changes, because a redraw may lose a click. */
  let offered = '';
  const failure = h('p.message.bad');
  const facts = h('div.fact-row');
  const bar = meter();
  const champion = h('section.panel.stack', { 'aria-label': t('run.champion') });
  const tests = h('div.stack');
  fill(stage, h('section.panel.stack', { 'aria-label': t('evolve.run', { run: id }) }, h('div.row.spread', heading, actions), failure, facts, bar.element, curves.element, legend({ best: t('run.best'), mean: t('run.mean'), test: t('run.best-on-test') })), champion, tests);

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
    if (!confirm(t('run.delete-ask', { run: id }))) return;
    // A request that is still open would find that the run does not exist.
    stopWatching();
    await api.remove(`/runs/${id}`, { signal });
    owner.gone();
  };
  const act = (/** @type {string} */ text, /** @type {IconName} */ image, /** @type {() => Promise<void>} */ work, kind = '') => button(text, image, () => context.attempt(work), `small ${kind}`);
  const link = (/** @type {string} */ name, /** @type {string} */ path) => h('a.button.small', { href: api.address(`/runs/${id}/${path}`), download: '' }, icon('export'), name);

  const draw = () => {
    const { state, error } = run;
    fill(heading, h('div.row.run-head', h('h2', t('evolve.run', { run: id })), stateTag(state)), note(describe(run)));
    if (offered !== state) {
      offered = state;
      const running = [act(t('word.stop'), 'stop', () => ask('stop'))];
      const ended = [
        state === 'done' && extended() <= MAX_SECONDS && log.length < MAX_GENERATIONS && act(t('run.continue'), 'play', extend),
        state === 'stopped' && act(t('run.resume'), 'play', () => ask('resume')),
        link(t('run.report'), 'report'),
        act(t('word.delete'), 'trash', remove, 'plain danger'),
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
      fact(log.length, t('run.fact-generations', { count: log.length })),
      last && fact(`${short(cost(last.best))} %`, t('run.fact-best')),
      test != null && fact(`${short(test)} %`, t('run.fact-test')),
      last && fact(short(rate), t('run.fact-rate')),
      last && fact(timeText(Math.round(worked() * 10) / 10), t('run.fact-time')),
      going && (run.phase === 'breeding' ? fact(timeText(Math.ceil(Math.max(left, 1))), t('run.fact-left')) : fact('…', run.phase === 'testing' ? t('run.fact-testing') : t('run.fact-preparing'))),
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
    const copied = async () => context.toast((await copy(rules)) ? t('word.copied') : t('word.copy-blocked'));
    fill(
      champion,
      h(
        'div.row.spread',
        h('h2', t('run.champion')),
        h('div.row', button(t('run.compare'), 'compare', () => context.go('compare', context.board, { policy: `run-${id}` }), 'small primary'), link(t('run.download'), 'champion?format=text'), act(t('word.copy'), 'paste', copied)),
      ),
      h('div.scroll.drawing', { tabindex: 0, role: 'region', 'aria-label': t('run.drawing') }, h('img', { src: api.address(`/runs/${id}/champion?format=svg#${log.length}`), alt: t('run.drawing-alt') })),
      h('details', { open }, h('summary', t('run.as-text')), h('pre', { tabindex: 0, 'aria-label': t('run.rules') }, rules)),
    );
  };

  const fetchRun = async () => {
    fetching = 0;
    run = await api.get(`/runs/${id}`, { signal: AbortSignal.any([signal, reading.signal]) });
    if (Array.isArray(run.generations) && run.generations.length >= log.length) log = run.generations;
    draw();
    drawChampion();
  };
  const stopWatching = () => {
    source?.close();
    clearTimeout(fetching);
    reading.abort();
  };
  const listen = () => {
    stopWatching();
    reading = new AbortController();
    watched = { at: performance.now(), worked: worked() };
    source = api.events(`/runs/${id}/events`, {
      generation: (/** @type {Generation} */ line) => {
        if (log.some(({ generation }) => generation === line.generation)) return;
        const better = !log.length || line.best > log[log.length - 1].best;
        log.push(line);
        curves.redraw();
        drawFacts();
        if (better) context.announce(t('run.better', { generation: `${line.generation}`, percent: short(cost(line.best)) }));
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
        context.announce(t('run.ended', { run: id, state: t(`run-state.${run.state}`) }));
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
      stopWatching();
      clearInterval(clock);
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
      h('td.bar-cell', h('span.bar-text', percent === null ? '–' : `${decimal(percent, 1)} %`), h('span.bar-track', bar)),
      ...[nodes === null ? '–' : short(Math.round(nodes)), seconds === null ? '–' : timeText(seconds), `${solved}/${solvable}`, ratio == null ? null : decimal(ratio, 3)].map((cell) => h('td', cell)),
    );
  });
  const names = [t('run.guided-by'), t('run.percent-column'), t('run.nodes-column'), t('word.time'), t('run.solved-column'), t('run.length-column')];
  return h('div.panel', h('h2', t('run.test-title', { boards })), h('div.scroll', { tabindex: 0, role: 'region', 'aria-label': t('run.test-on', { boards }) }, tableOf(names, rows)));
}
