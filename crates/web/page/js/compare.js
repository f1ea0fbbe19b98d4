// @ts-check
// Compare: algorithms, heuristics and policies on one board, and a search step by step.
import { isAbort } from './api.js';
import { boardBar, boardOf, headOf } from './board-bar.js';
import { barChart, short, timeText } from './charts.js';
import { button, field, form, iconButton, legend, note, problem, segmented, tableOf } from './controls.js';
import { fill, h } from './dom.js';
import { aboutAlgorithm, aboutHeuristic, explained } from './explain.js';
import { named, number, t } from './i18n.js';
import { icon } from './icons.js';
import { replay } from './replay.js';
import { recall, remember } from './storage.js';

/** @typedef {{text: string, state: 'waiting' | 'running' | 'done' | 'failed', run?: Compared, error?: unknown}} Entry */

const DEFAULT_ALGORITHMS = ['bfs', 'astar(blockers)', 'astar(max(landmarks, pattern-database))', 'ida(h1, both, increment=8)', 'greedy(h1)', 'exact'];

/** The stored algorithms, which another page may have changed. */
const lineup = () => recall('lineup', DEFAULT_ALGORITHMS);
/** Time limit of each algorithm in seconds. */
const TIME_LIMIT = 10;
const COUNTERS = /** @type {const} */ (['expanded', 'generated', 'evaluated', 'goal_tests', 'duplicates', 'reopened', 'peak_open']);

/** @param {HTMLElement} root @param {Context} context */
export async function show(root, context) {
  const { api, signal } = context;
  const of = await boardOf(root, 'compare', context);
  if (!of) return;
  const { line, metric } = of;
  /** @type {Known} */
  const known = await api.get('/algorithms', { signal });
  /** @type {Entry[]} */
  const entries = lineup().map((text) => ({ text, state: 'waiting' }));
  const champion = known.policies.find(({ name }) => name === context.params.get('policy'));
  if (champion) entries.unshift({ text: searchOf(champion), state: 'waiting' });
  let log = recall('compare.log', true);
  /** @type {AbortController | null} */
  let running = null;

  /** The excess of a solution's length over the optimum. @param {Compared} run */
  const excess = (run) => (run.optimum === null ? 0 : (run[metric] ?? 0) - run.optimum);
  const bars = (/** @type {string} */ title, /** @type {(run: Compared) => number} */ value, /** @type {(value: number) => string} */ text, unit = short) =>
    barChart({
      title,
      unit,
      log: () => log,
      bars: () =>
        entries.map(({ text: name, state, run }) => ({
          name,
          value: run ? value(run) : null,
          text: run ? `${text(value(run))}${run.status === 'solved' ? '' : ` · ${statusText(run)}`}` : t(`entry.${state}`),
          kind: run && (run.status !== 'solved' ? 'unsolved' : excess(run) ? 'longer' : ''),
        })),
    });
  const nodes = bars(t('compare.states-chart'), (run) => run.expanded, number);
  const times = bars(t('compare.time-chart'), (run) => run.seconds, timeText, timeText);
  const list = h('ul.lineup', { 'aria-label': t('compare.selected') });
  const refused = h('div');
  const go = h('button.button.primary', { onclick: () => (running ? running.abort() : run(entries)) });
  const table = h('div.scroll', { tabindex: 0, role: 'region', 'aria-label': t('compare.all-counters') });
  const steps = h('section.panel.stack', { 'aria-label': t('replay.section') });
  const player = replay(steps, context, line, metric);

  const draw = () => {
    if (signal.aborted) return;
    const unfolded = new Set([...list.querySelectorAll('[open] > summary')].map((summary) => summary.textContent));
    fill(list, ...entries.map((entry) => h('li', { 'data-state': entry.state }, explained(entry.text, known, unfolded.has(entry.text)), iconButton(t('compare.remove', { algorithm: entry.text }), 'close', () => remove(entry), 'plain'))));
    fill(go, icon(running ? 'stop' : 'play'), running ? t('word.stop') : t('compare.run-all'));
    fill(table, countersOf(entries, metric, excess));
    nodes.redraw();
    times.redraw();
    player.offer(entries.map(({ text }) => text));
  };
  const remove = (/** @type {Entry} */ entry) => {
    entries.splice(entries.indexOf(entry), 1);
    remember('lineup', lineup().filter((text) => text !== entry.text));
    draw();
  };

  /** Runs algorithms one after the other; an error stays with its entry. @param {Entry[]} selected */
  const run = async (selected) => {
    running = new AbortController();
    const until = AbortSignal.any([signal, running.signal]);
    for (const entry of [...selected]) {
      if (until.aborted) break;
      entry.state = 'running';
      draw();
      try {
        const { records } = await api.post('/compare', { board: line, algorithms: [entry.text], metric, time_limit: TIME_LIMIT }, { signal: until });
        Object.assign(entry, { state: 'done', run: records[0] });
      } catch (error) {
        Object.assign(entry, isAbort(error) ? { state: entry.run ? 'done' : 'waiting' } : { state: 'failed', run: undefined, error });
      }
    }
    running = null;
    draw();
    const solved = entries.flatMap(({ text, run }) => (run?.status === 'solved' ? [{ text, count: run.expanded }] : [])).toSorted((a, b) => a.count - b.count);
    if (solved.length && !signal.aborted) context.announce(t('compare.announced', { count: solved.length, algorithm: solved[0].text, states: String(solved[0].count) }));
  };

  /** Adds an algorithm, if the server accepts it. @param {string} text */
  const add = async (text) => {
    fill(refused);
    if (!text || running) return;
    const existing = entries.find((entry) => entry.text === text);
    /** @type {Entry} */
    const entry = existing ?? { text, state: 'waiting' };
    if (!existing) entries.push(entry);
    await run([entry]);
    if (entry.state !== 'failed') return void (lineup().includes(text) || remember('lineup', [...lineup(), text]));
    fill(refused, problem(entry.error));
    remove(entry);
  };

  const scale = segmented(t('compare.scale'), { log: t('compare.log'), linear: t('compare.linear') }, log ? 'log' : 'linear', (name) => {
    log = name === 'log';
    remember('compare.log', log);
    nodes.redraw();
    times.redraw();
  });
  fill(
    root,
    headOf('compare', context, of),
    h(
      'div.compare.columns',
      h('div.stack', boardBar(line, context, 'compare'), h('section.panel.stack', { 'aria-label': t('compare.algorithms') }, h('h2', t('compare.algorithms')), list, go, chooser(known, add), refused)),
      h(
        'div.stack',
        h(
          'section.panel.stack',
          { 'aria-label': t('compare.results') },
          h('div.row.spread', h('h2', t('compare.results')), scale),
          h('div.bars', h('figure', h('h3', t('compare.states-expanded')), nodes.element), h('figure', h('h3', t('word.time')), times.element)),
          legend({ shortest: t('compare.optimal'), longer: t('compare.longer'), unsolved: t('compare.not-solved') }),
          table,
          note(t('compare.units')),
        ),
        steps,
      ),
    ),
  );
  draw();
  run(entries);
  return { close: () => player.close() };
}

/** The algorithm of a policy: the search that it was evolved for. @param {{name: string, search: string | null}} policy */
const searchOf = ({ name, search }) => (search ?? 'ida(policy, both)').replace(/\bpolicy\b/, `policy=${name}`);

/** @param {Compared} run */
const statusText = ({ status, limit }) => (limit ? named('limit', limit) : named('status', status));

/** The controls to add an algorithm. @param {Known} known @param {(text: string) => void} add */
function chooser(known, add) {
  const { algorithms, heuristics, policies } = known;
  const algorithm = h('select', { onchange: () => describe() }, ...algorithms.map((one) => h('option', { value: one.name, title: aboutAlgorithm(one, known) }, one.name)));
  const heuristic = h('select', { onchange: () => describe() }, ...heuristics.map((one) => h('option', { value: one.name, title: aboutHeuristic(one) }, one.name)));
  // Policies are described by those who made them, in English.
  const policy = h('select', { 'aria-label': t('compare.policy') }, h('option', { value: '' }, t('compare.add-policy')), ...policies.map(({ name, about }) => h('option', { value: name, title: about, lang: 'en' }, name)));
  const free = h('input', { type: 'text', placeholder: 'wastar(h1, weight=3)', 'aria-label': t('compare.expression'), autocomplete: 'off', spellcheck: 'false', autocapitalize: 'off' });
  const about = note();
  const chosen = () => {
    const [one, guide] = [algorithms.find(({ name }) => name === algorithm.value), heuristics.find(({ name }) => name === heuristic.value)];
    return { one, guide: one?.heuristic ? guide : undefined };
  };
  const describe = () => {
    const { one, guide } = chosen();
    heuristic.disabled = !guide;
    about.textContent = [one && `${one.name}: ${aboutAlgorithm(one, known)}.`, guide && `${guide.name}: ${aboutHeuristic(guide)}.`].filter(Boolean).join(' ');
  };
  algorithm.value = 'astar';
  heuristic.value = 'landmarks';
  describe();
  policy.addEventListener('change', () => {
    const found = policies.find(({ name }) => name === policy.value);
    if (found) add(searchOf(found));
    policy.value = '';
  });
  const write = form('add-row', () => add(free.value.trim()), free, h('button.button.small', { type: 'submit' }, icon('plus'), t('compare.add')));
  const addPair = button(t('compare.add'), 'plus', () => {
    const { one, guide } = chosen();
    add(guide ? `${one?.name}(${guide.name})` : (one?.name ?? ''));
  }, 'small');
  return h(
    'details.chooser',
    { open: matchMedia('(min-width: 1000px)').matches },
    h('summary', t('compare.add-algorithm')),
    h('div.add-pair', field(t('counter.algorithm'), algorithm), field(t('compare.heuristic'), heuristic), addPair),
    about,
    policy,
    write,
  );
}

/** The table of all counters. @param {Entry[]} entries @param {Metric} metric @param {(run: Compared) => number} excess */
function countersOf(entries, metric, excess) {
  const names = [t('counter.algorithm'), t(`counter.${metric}`), t('word.time'), ...COUNTERS.map((name) => t(`counter.${name}`)), t('counter.memory')];
  const rows = entries.map(({ text, run, state, error }) => {
    const name = h('th', { scope: 'row' }, h('code', text));
    if (!run) return h('tr', name, h('td', { colspan: names.length - 1, class: 'soft' }, error ? /** @type {Error} */ (error).message : t(`entry.${state}`)));
    const more = excess(run);
    const length = run.status !== 'solved' ? h('span.tag.bad', statusText(run)) : h('span', { class: more ? 'tag longer' : 'tag good' }, `${run[metric]}${more ? ` (+${more})` : ''}`);
    const cells = [length, timeText(run.seconds), ...COUNTERS.map((key) => number(run[key])), `${short(run.peak_memory / 1024)} kB`];
    return h('tr', name, ...cells.map((cell) => h('td', cell)));
  });
  return tableOf(names, rows);
}
