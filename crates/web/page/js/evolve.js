// @ts-check
// Evolve: evolution of policies; the list of runs, and one of them live.
import { field, filled, form, select } from './controls.js';
import { fill, h } from './dom.js';
import { icon } from './icons.js';
import { describe, openRun, stateTag } from './run.js';

const SEARCHES = { '': 'as in the preset', 'ida-both': 'IDA*, ordered and pruned', 'ida-order': 'IDA*, ordered', 'ida-prune': 'IDA*, pruned', wastar: 'weighted A*', greedy: 'greedy best-first' };
const TIMES = { '30s': '30 seconds', '60s': '1 minute', '3m': '3 minutes', '10m': '10 minutes', '1h': '1 hour', '': 'no limit' };

/** @param {HTMLElement} root @param {Context} context */
export async function show(root, context) {
  const { api, signal, attempt } = context;
  const list = h('ul.runs');
  const stage = h('div.stack.run-stage');
  /** @type {{close(): void} | null} */
  let opened = null;
  let current = context.params.get('run');

  const start = async () => {
    const { boards, ...settings } = filled(settingsForm);
    settings[/^\d/.test(boards) ? 'size' : 'suite'] = boards;
    const numbers = ['seed', 'generations', 'population'].filter((name) => settings[name]).map((name) => [name, Number(settings[name])]);
    /** @type {Run} */
    const run = await api.post('/runs', { ...settings, ...Object.fromEntries(numbers) }, { signal });
    context.announce(`Run ${run.id} has started`);
    await open(String(run.id));
  };
  const settingsForm = newRunForm(() => attempt(start));

  /** Lists the runs, newest first. */
  const refresh = async () => {
    /** @type {Run[]} */
    const runs = await api.list('/runs', { signal });
    runs.sort((a, b) => b.created.localeCompare(a.created));
    const lines = runs.map((run) =>
      h(
        'li',
        h(
          'button.run-line',
          { 'aria-current': String(run.id) === current ? 'true' : null, onclick: () => attempt(() => open(String(run.id))) },
          h('strong', `Run ${run.id}`),
          stateTag(run.state),
          h('span.soft.little', describe(run)),
        ),
      ),
    );
    fill(list, ...(lines.length ? lines : [h('li.soft.little', 'No runs yet.')]));
    return runs;
  };

  /** Shows a run, or an introduction. @param {string | null} id @returns {Promise<void>} */
  const open = async (id) => {
    opened?.close();
    opened = null;
    current = id;
    context.keep(context.board, id ? { run: id } : {});
    const runs = await refresh();
    if (!id) return fill(stage, welcome());
    if (!runs.some((run) => String(run.id) === id)) return open(null);
    const now = await openRun(stage, context, id, { changed: () => attempt(refresh), gone: () => attempt(() => open(null)) });
    if (current === id && !signal.aborted) opened = now;
    else now.close();
  };

  fill(
    root,
    h('div.head.row', h('h1', 'Evolve')),
    h('div.evolve.columns', h('div.stack.side', settingsForm, h('section.panel', { 'aria-label': 'Runs' }, h('h2', 'Runs'), list)), stage),
  );
  const runs = await refresh();
  await open(current ?? (runs.length ? String(runs[0].id) : null));
  return { close: () => opened?.close() };
}

/** The form to start a run. @param {() => void} send */
function newRunForm(send) {
  const number = (/** @type {string} */ name, /** @type {number} */ min, placeholder = 'preset') => h('input', { type: 'number', name, min, placeholder, inputmode: 'numeric' });
  return form(
    'panel stack wish',
    send,
    h('h2', 'New run'),
    h('div.fields', field('Boards', select({ name: 'boards' }, { '6x6': '6×6', '8x8': '8×8', cards: 'cards', it3105: 'it3105' })), field('Time limit', select({ name: 'budget' }, TIMES, '60s'))),
    field('Preset', select({ name: 'preset' }, { default: 'default (best results)', paper: 'paper (as in GP-Rush)' })),
    h(
      'details',
      h('summary', 'More options'),
      field('Search to guide', select({ name: 'search' }, SEARCHES)),
      h('div.fields', field('Generations', number('generations', 1)), field('Population', number('population', 2))),
      h('div.fields', field('Test boards', select({ name: 'test' }, { '': 'as in the preset', cards: 'cards', vandijk: 'vandijk' })), field('Seed', number('seed', 0, '0'))),
    ),
    h('button.button.primary', { type: 'submit' }, icon('evolve'), 'Start'),
  );
}

/** The introduction, shown before there is a run. */
const welcome = () =>
  h(
    'div.panel.stack.tight.welcome',
    h('h2', 'Evolve a policy'),
    h('p', 'A policy is a small set of rules that guides a search. A run starts with random policies and evaluates them on training boards. The best ones reproduce, and the search expands fewer states from generation to generation.'),
    h('p.soft', 'At the end, the champion is tested on unseen boards and compared with hand-written heuristics.'),
  );
