// @ts-check
// The server's verdict on an edited board: whether it is solvable, how hard it is, and which vehicles are useless.
import { isAbort } from './api.js';
import { note } from './controls.js';
import { capital, fill, h, set } from './dom.js';
import { problems } from './draft.js';
import { language, t } from './i18n.js';
import { icon } from './icons.js';
import { levelTag, timeNeeded } from './levels.js';
import { solveLive } from './plans.js';

/** @import { ApiError } from './api.js' */
/** @import { Board } from './board.js' */
/** @import { IconName } from './icons.js' */

/** A property that makes a board harder or easier than most. @typedef {{measure: 'moves' | 'depth' | 'vehicles' | 'counterintuitive' | 'choice', value: number, harder: boolean}} Reason */

/** The panel with the verdict. @param {Context} context @param {{useless: (labels: string[]) => void}} owner */
export function verdict(context, owner) {
  const headline = h('p.headline', { role: 'status' });
  const more = h('div.stack.tight');
  const element = h('section.panel.verdict', { 'aria-label': t('verdict.verdict') }, headline, more);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let asking = new AbortController();
  /** Whether the result of /solve is still pending. */
  let unsolved = false;

  /** @param {'good' | 'bad' | 'warn' | ''} kind @param {IconName} mark @param {string} text */
  function head(kind, mark, text) {
    headline.className = `headline ${kind}`;
    fill(headline, icon(mark), h('span', text));
  }

  /** Shows a complete verdict. @param {'good' | 'bad' | 'warn'} kind @param {IconName} mark @param {string} text @param {string | null} [why] */
  function conclude(kind, mark, text, why) {
    head(kind, mark, text);
    fill(more, why && note(why));
    owner.useless([]);
  }

  /** Checks a board: local problems at once, and the server when the user pauses. @param {Board} board */
  function check(board) {
    clearTimeout(timer);
    asking.abort();
    asking = new AbortController();
    const wrong = problems(board);
    set(element, { 'aria-busy': wrong.length ? null : 'true' });
    if (wrong.length) return conclude('warn', 'help', wrong[0]);
    const { signal } = asking;
    timer = setTimeout(() => {
      ask(String(board), signal);
      // Most responses arrive earlier, so the message rarely appears.
      timer = setTimeout(() => waiting(signal), 500);
    }, 220);
  }

  /** @param {AbortSignal} signal */
  function waiting(signal) {
    if (signal.aborted || !element.hasAttribute('aria-busy') || !unsolved) return;
    head('', 'clock', t('verdict.checking'));
    fill(more);
  }

  /** @param {string} board @param {AbortSignal} signal */
  async function ask(board, signal) {
    try {
      unsolved = true;
      const solved = await solveLive(board, signal, (found, about) => {
        if (found.moves === null) return;
        unsolved = false;
        head('good', 'solve', t(found.optimal ? 'verdict.solvable' : 'verdict.solvable-at-most', { moves: t('count.moves', { count: found.moves }) }));
        fill(more, note(...about));
      });
      unsolved = false;
      if (solved?.status === 'unsolvable') return conclude('bad', 'close', t('verdict.unsolvable'), t('verdict.no-way'));
      if (solved?.moves === null) return conclude('warn', 'clock', t('verdict.limit'), t('verdict.limit-bound', { bound: `${solved.lower_bound}` }));
      if (!solved?.optimal) return owner.useless([]);
      if (solved.moves === 0) return conclude('good', 'solve', t('verdict.solved'), t('verdict.at-exit'));
      fill(more, note(t('verdict.steps', { count: solved.steps ?? 0 })));
      grade(await context.api.post('/grade', { board }, { signal }));
    } catch (error) {
      if (isAbort(error)) return;
      const { message, help } = /** @type {ApiError} */ (error);
      conclude('bad', 'close', capital(message), help);
    } finally {
      if (!signal.aborted) set(element, { 'aria-busy': null });
    }
  }

  /** Unknown values are absent. @param {{level?: string, steps?: number, states?: number, human?: HumanTime, removable?: string[], reasons: Reason[]}} found */
  function grade({ level, steps, states, human, removable, reasons }) {
    const useless = removable ?? [];
    owner.useless(useless);
    if (!level) return;
    fill(
      more,
      h('p.row', levelTag(level), human && h('span.tag', icon('clock'), t('verdict.time', { time: timeNeeded(human) }))),
      note([steps && t('count.steps', { count: steps }), states && t('verdict.states', { count: states })].filter(Boolean).join(', ')),
      useless.length > 0 && h('p.message.warn.little', t('verdict.useless', { count: useless.length, vehicles: AND.format(useless) })),
      useless.length === 0 && removable && note(t('verdict.needed')),
      reasons.length > 0 && h('ul.whys', ...reasons.map((reason) => h('li', { class: reason.harder ? 'harder' : 'easier' }, h('strong', reason.harder ? t('verdict.harder') : t('verdict.easier')), ` ${reasonText(reason)}`))),
    );
  }

  return {
    element,
    check,
    close() {
      clearTimeout(timer);
      asking.abort();
    },
  };
}

/** `A, B and C`. British English has no comma before the `and`. */
const AND = new Intl.ListFormat(language === 'en' ? 'en-GB' : language);

/** @param {Reason} reason */
function reasonText({ measure, value, harder }) {
  if (measure === 'counterintuitive' && value === 0) return t('easier.no-counterintuitive');
  return harder ? t(`harder.${measure}`, { count: value }) : t(`easier.${measure}`, { count: value });
}
