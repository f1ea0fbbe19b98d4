// @ts-check
// Evolve: evolution of policies; the list of runs, and one of them live.
import { field, filled, form, select } from './controls.js';
import { fill, h } from './dom.js';
import { t } from './i18n.js';
import { icon } from './icons.js';
import { isStatic } from './place.js';
import { describe, openRun, stateTag } from './run.js';

const SEARCHES = { '': t('evolve.as-preset'), 'ida-both': t('search.ida-both'), 'ida-order': t('search.ida-order'), 'ida-prune': t('search.ida-prune'), wastar: t('search.wastar'), greedy: t('search.greedy') };
const TIMES = { '30s': t('budget.30s'), '60s': t('budget.60s'), '3m': t('budget.3m'), '10m': t('budget.10m'), '1h': t('budget.1h'), '': t('budget.none') };

/** @param {HTMLElement} root @param {Context} context */
export async function show(root, context) {
  const head = h('div.head.row', h('h1', t('tab.evolve')));
  if (isStatic) {
    fill(root, head, welcome(h('p', t('evolve.needs-server'), ' ', h('code', 'clearway serve'))));
    return null;
  }
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
    context.announce(t('evolve.started', { run: String(run.id) }));
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
          h('strong', t('evolve.run', { run: String(run.id) })),
          stateTag(run.state),
          h('span.soft.little', describe(run)),
        ),
      ),
    );
    fill(list, ...(lines.length ? lines : [h('li.soft.little', t('evolve.no-runs'))]));
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

  // On small screens the list comes after the stage, so it waits for that.
  const others = h('section.panel', { 'aria-label': t('evolve.runs'), hidden: true }, h('h2', t('evolve.runs')), list);
  fill(root, head, h('div.evolve.columns', h('div.stack.side', settingsForm, others), stage));
  const runs = await refresh();
  await open(current ?? (runs.length ? String(runs[0].id) : null));
  others.hidden = false;
  return { close: () => opened?.close() };
}

/** The form to start a run. @param {() => void} send */
function newRunForm(send) {
  const number = (/** @type {string} */ name, /** @type {number} */ min, placeholder = t('evolve.in-preset')) => h('input', { type: 'number', name, min, placeholder, inputmode: 'numeric' });
  return form(
    'panel stack wish',
    send,
    h('h2', t('evolve.new')),
    h('div.fields', field(t('evolve.boards'), select({ name: 'boards' }, { '6x6': '6×6', '8x8': '8×8', cards: t('evolve.cards'), it3105: 'it3105' })), field(t('evolve.budget'), select({ name: 'budget' }, TIMES, '60s'))),
    field(t('evolve.preset'), select({ name: 'preset' }, { default: t('evolve.preset-default'), paper: t('evolve.preset-paper') })),
    h(
      'details',
      h('summary', t('word.more-options')),
      field(t('evolve.search'), select({ name: 'search' }, SEARCHES)),
      h('div.fields', field(t('evolve.generations'), number('generations', 1)), field(t('evolve.population'), number('population', 2))),
      h('div.fields', field(t('evolve.test-boards'), select({ name: 'test' }, { '': t('evolve.as-preset'), cards: t('evolve.cards'), vandijk: 'vandijk' })), field(t('forge.seed'), number('seed', 0, '0'))),
    ),
    h('button.button.primary', { type: 'submit' }, icon('evolve'), t('evolve.start')),
  );
}

/** The introduction, shown before there is a run. @param {HTMLElement[]} more */
const welcome = (...more) =>
  h(
    'div.panel.stack.tight.welcome',
    h('h2', t('evolve.welcome')),
    h('p', t('evolve.about')),
    h('p.soft', t('evolve.about-end')),
    ...more,
  );
