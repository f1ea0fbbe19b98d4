// @ts-check
// Explains expressions of algorithms such as `ida(h1, both, increment=8)`: what each part means.
import { h } from './dom.js';

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

/** The parts of an expression, each with its meaning. @param {string} text @param {Known} known @returns {[string, string][]} */
export function meanings(text, { algorithms, heuristics, policies }) {
  const [, name = text, inside = ''] = /^([\w-]+)\((.*)\)$/s.exec(text.trim()) ?? [];
  const named = algorithms.filter((one) => one.name === name.trim());
  const algorithm = named.find(({ usage }) => parts(inside)[0] === 'tree' && usage.includes('(tree')) ?? named[0];

  /** @param {string} part @returns {[string, string][]} */
  const explain = (part) => {
    const [, outer, inner] = /^([\w-]+)\((.*)\)$/s.exec(part) ?? [];
    if (outer) return [[`${outer}(…)`, outer === 'max' ? 'the largest of several estimates' : 'a combination of estimates'], ...parts(inner).flatMap(explain)];
    const [key, value] = part.split('=');
    if (key === 'policy') return [[part, policies.find((one) => one.name === value)?.about.split('\n')[0] ?? 'an evolved rule that guides the search']];
    const option = algorithm?.options.find(({ usage }) => (value === undefined ? usage.split('|').includes(key) : usage.startsWith(`${key}=`)));
    if (option) return [[part, option.about]];
    const guide = heuristics.find((one) => one.name === part || one.aliases?.includes(part));
    return guide ? [[part, `${guide.name === part ? '' : `${guide.name}: `}${guide.about}`]] : [];
  };
  return [...(algorithm ? [/** @type {[string, string]} */ ([algorithm.name, algorithm.about])] : []), ...parts(inside).flatMap(explain)];
}

/** An expression that can be unfolded to explain it. @param {string} text @param {Known} known @param {boolean} open */
export function explained(text, known, open) {
  const rows = meanings(text, known).flatMap(([part, meaning]) => [h('dt', h('code', part)), h('dd', meaning)]);
  return h('details.explained', { open }, h('summary', { title: 'What does it mean?' }, h('code', text)), h('dl.little', ...rows));
}
