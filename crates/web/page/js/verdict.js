// @ts-check
// The server's verdict on an edited board: whether it is solvable, how hard it is, and which vehicles are useless.
import { isAbort } from './api.js';
import { note } from './controls.js';
import { capital, fill, h, plural, set } from './dom.js';
import { problems } from './draft.js';
import { icon } from './icons.js';
import { levelTag, timeNeeded } from './levels.js';
import { solveLive } from './plans.js';

/** @import { ApiError } from './api.js' */
/** @import { Board } from './board.js' */
/** @import { IconName } from './icons.js' */

/** The panel with the verdict. @param {Context} context @param {{useless: (labels: string[]) => void}} owner */
export function verdict(context, owner) {
  const headline = h('p.headline', { role: 'status' });
  const more = h('div.stack.tight');
  const element = h('section.panel.verdict', { 'aria-label': 'Verdict' }, headline, more);
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
    head('', 'clock', 'Checking…');
    fill(more);
  }

  /** @param {string} board @param {AbortSignal} signal */
  async function ask(board, signal) {
    try {
      unsolved = true;
      const solved = await solveLive(board, signal, (found, about) => {
        if (found.moves === null) return;
        unsolved = false;
        head('good', 'solve', `Solvable in ${found.optimal ? '' : 'at most '}${plural(found.moves, 'move')}`);
        fill(more, note(...about));
      });
      unsolved = false;
      if (solved?.status === 'unsolvable') return conclude('bad', 'close', 'Unsolvable', 'No sequence of moves leads to the exit.');
      if (solved?.moves === null) return conclude('warn', 'clock', 'Search limit reached', `No solution found; at least ${solved.lower_bound} moves are needed.`);
      if (!solved?.optimal) return owner.useless([]);
      if (solved.moves === 0) return conclude('good', 'solve', 'Already solved', 'The target is at the exit.');
      fill(more, note(`${plural(solved.steps ?? 0, 'step')} of one cell each`));
      grade(await context.api.post('/grade', { board }, { signal }));
    } catch (error) {
      if (isAbort(error)) return;
      const { message, help } = /** @type {ApiError} */ (error);
      conclude('bad', 'close', capital(message), help);
    } finally {
      if (!signal.aborted) set(element, { 'aria-busy': null });
    }
  }

  /** Unknown values are absent. @param {{level?: string, steps?: number, states?: number, human?: HumanTime, removable?: string[], reasons: {harder: boolean, text: string}[]}} found */
  function grade({ level, steps, states, human, removable, reasons }) {
    const useless = removable ?? [];
    owner.useless(useless);
    if (!level) return;
    fill(
      more,
      h('p.row', levelTag(level), human && h('span.tag', icon('clock'), `takes people ${timeNeeded(human)}`)),
      note([steps && plural(steps, 'step'), states && plural(states, 'reachable state')].filter(Boolean).join(', ')),
      useless.length > 0 && h('p.message.warn.little', `${list(useless)} ${useless.length > 1 ? 'are' : 'is'} useless (striped): removing ${useless.length > 1 ? 'any one of them' : 'it'} does not change the number of moves.`),
      useless.length === 0 && removable && note('Every vehicle is needed.'),
      reasons.length > 0 && h('ul.whys', ...reasons.map(({ harder, text }) => h('li', { class: harder ? 'harder' : 'easier' }, h('strong', harder ? 'Harder:' : 'Easier:'), ` ${text}`))),
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

/** @param {string[]} names */
const list = (names) => (names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`);
