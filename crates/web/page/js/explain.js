// @ts-check
// Explains expressions of algorithms such as `ida(h1, both, increment=8)`: what each part means.
import { h } from './dom.js';
import { named, t } from './i18n.js';

/** The parts of a list, split at the commas outside parentheses. @param {string} text */
function parts(text) {
  const found = [''];
  let depth = 0;
  for (const c of text) {
    depth += c === '(' ? 1 : c === ')' ? -1 : 0;
    if (c === ',' && depth === 0) found.push('');
    else found[found.length - 1] += c;
  }
  return found.map((part) => part.trim()).filter(Boolean);
}

/** What a part of an expression means; `lang` is the language of the text, if it is not that of the page. @typedef {{part: string, text: string, lang?: string}} Meaning */

/** A description of an algorithm. @param {Known['algorithms'][number]} algorithm @param {Known} known */
export function aboutAlgorithm(algorithm, { algorithms }) {
  // The second algorithm with a name searches paths instead of states.
  const first = algorithms.find(({ name }) => name === algorithm.name);
  return named('algorithm', algorithm === first ? algorithm.name : `${algorithm.name}-paths`, algorithm.about);
}

/** A description of a heuristic. @param {Named} heuristic */
export const aboutHeuristic = ({ name, about }) => named('heuristic', name, about);

/** A description of an option, which may mean something else in another algorithm. @param {{usage: string, about: string}} option @param {string} algorithm */
function aboutOption({ usage, about }, algorithm) {
  const [name, values] = usage.split('=');
  const key = values === undefined ? usage.replaceAll('|', '-') : name;
  return named('option', `${key}-${algorithm}`, named('option', key, about));
}

/** The parts of an expression, each with its meaning. @param {string} text @param {Known} known @returns {Meaning[]} */
export function meanings(text, known) {
  const { algorithms, heuristics, policies } = known;
  const [, name = text, inside = ''] = /^([\w-]+)\((.*)\)$/s.exec(text.trim()) ?? [];
  const sameName = algorithms.filter((one) => one.name === name.trim());
  const algorithm = sameName.find(({ usage }) => parts(inside)[0] === 'tree' && usage.includes('(tree')) ?? sameName[0];

  /** @param {string} part @returns {Meaning[]} */
  const explain = (part) => {
    const [, outer, inner] = /^([\w-]+)\((.*)\)$/s.exec(part) ?? [];
    if (outer) return [{ part: `${outer}(…)`, text: outer === 'max' ? t('explain.largest') : t('explain.combination') }, ...parts(inner).flatMap(explain)];
    const [key, value] = part.split('=');
    if (key === 'policy') {
      const about = policies.find((one) => one.name === value)?.about.split('\n')[0];
      // Policies are described by those who made them, in English.
      return [about ? { part, text: about, lang: 'en' } : { part, text: t('explain.policy') }];
    }
    const option = algorithm?.options.find(({ usage }) => (value === undefined ? usage.split('|').includes(key) : usage.startsWith(`${key}=`)));
    if (algorithm && option) return [{ part, text: aboutOption(option, algorithm.name) }];
    const guide = heuristics.find((one) => one.name === part || one.aliases?.includes(part));
    return guide ? [{ part, text: `${guide.name === part ? '' : `${guide.name}: `}${aboutHeuristic(guide)}` }] : [];
  };
  return [...(algorithm ? [{ part: algorithm.name, text: aboutAlgorithm(algorithm, known) }] : []), ...parts(inside).flatMap(explain)];
}

/** An expression that can be unfolded to explain it. @param {string} text @param {Known} known @param {boolean} open */
export function explained(text, known, open) {
  const rows = meanings(text, known).flatMap(({ part, text, lang }) => [h('dt', h('code', part)), h('dd', { lang }, text)]);
  return h('details.explained', { open }, h('summary', { title: t('explain.what') }, h('code', text)), h('dl.little', ...rows));
}
