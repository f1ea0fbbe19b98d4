// @ts-check
// The chapters of the book, rendered from Markdown.
import { chapterAddress } from './address.js';
import { fill, h } from './dom.js';
import { t } from './i18n.js';
import { BASE, isStatic, partsOf } from './place.js';

/** @import { Child } from './dom.js' */

/** The id of a heading, as in links to it. @param {string} text */
const idOf = (text) => text.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').trim().replaceAll(' ', '-');

/** A text with code, emphasis and links. @param {string} text @returns {Child[]} */
function inline(text) {
  /** @type {Child[]} */
  const found = [];
  let at = 0;
  for (const match of text.matchAll(/`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|!\[[^\]]*\]\([^)]*\)|\[([^\]]+)\]\(([^)]+)\)|<(https?:[^>]+)>/g)) {
    const [all, code, strong, weak, label, target, url] = match;
    found.push(text.slice(at, match.index));
    at = match.index + all.length;
    if (code) found.push(h('code', code));
    else if (strong) found.push(h('strong', ...inline(strong)));
    else if (weak) found.push(h('em', ...inline(weak)));
    else if (label) found.push(link(label, target));
    else if (url) found.push(h('a', { href: url }, url));
  }
  return [...found, text.slice(at)].map((part) => (typeof part === 'string' ? part.replace(/\\([\\`*_|<>[\]])/g, '$1') : part));
}

/** A link: to another chapter, within the chapter, or to another site. @param {string} label @param {string} target */
function link(label, target) {
  const chapter = /^([\w-]+)\.md(#.*)?$/.exec(target);
  if (!chapter && !target.startsWith('#') && !target.startsWith('http')) return h('span', ...inline(label));
  return h('a', { href: chapter ? chapterAddress(chapter[1] + (chapter[2] ?? '')) : target }, ...inline(label));
}

/** The cells of a row of a table; `\|` does not end a cell. @param {string} line */
const cells = (line) => line.trim().replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map((cell) => inline(cell.trim()));

/** The elements of a text. @param {string} text */
function blocks(text) {
  const lines = text.replace(/<!--[^]*?-->/g, '').split('\n');
  /** @type {HTMLElement[]} */
  const found = [];
  let at = 0;
  /** Takes the lines while a condition holds. @param {(line: string) => boolean} is */
  const take = (is) => {
    const from = at;
    while (at < lines.length && is(lines[at])) at++;
    return lines.slice(from, at);
  };
  const ITEM = /^\s*(?:[-*]|\d+\.) /;
  while (at < lines.length) {
    const line = lines[at];
    const heading = /^(#{1,4}) (.*)$/.exec(line);
    if (!line.trim()) at++;
    else if (heading) {
      at++;
      const tag = /** @type {'h1' | 'h2' | 'h3' | 'h4'} */ (`h${heading[1].length}`);
      found.push(h(tag, { id: idOf(heading[2]) }, ...inline(heading[2])));
    } else if (line.startsWith('```')) {
      at++;
      const code = take((next) => !next.startsWith('```'));
      at++;
      found.push(h('pre', { tabindex: 0 }, code.join('\n')));
    } else if (line.trim().startsWith('|')) {
      const [head, , ...rows] = take((next) => next.trim().startsWith('|'));
      const row = (/** @type {'th' | 'td'} */ tag, /** @type {string} */ text) => h('tr', ...cells(text).map((cell) => h(tag, ...cell)));
      found.push(h('div.scroll', { tabindex: 0, role: 'region', 'aria-label': t('docs.table') }, h('table', h('thead', row('th', head)), h('tbody', ...rows.map((text) => row('td', text))))));
    } else if (ITEM.test(line)) {
      const items = take((next) => ITEM.test(next) || /^\s+\S/.test(next)).join('\n').split(/\n(?=\s*(?:[-*]|\d+\.) )/);
      found.push(h(/^\d/.test(line) ? 'ol' : 'ul', ...items.map((item) => h('li', ...inline(item.replace(ITEM, '').replace(/\n\s*/g, ' '))))));
    } else {
      const text = take((next) => next.trim() !== '' && !/^(#|```|\|)/.test(next) && !ITEM.test(next)).join(' ');
      const picture = /^!\[([^\]]*)\]\((pictures\/[^)]+)\)$/.exec(text);
      // A server does not have the pictures.
      if (picture && isStatic) found.push(h('p', h('img', { src: `${BASE}docs/${picture[2]}`, alt: picture[1], loading: 'lazy' })));
      else if (!text.startsWith('![')) found.push(h('p', ...inline(text.replace(/^> ?/, ''))));
    }
  }
  return found;
}

/** @param {HTMLElement} root @param {Context} context */
export async function show(root, context) {
  const name = partsOf(location.pathname)[1];
  const response = await fetch(`${BASE}docs/${name}.md`, { signal: context.signal });
  if (response.status === 404) return context.missing();
  if (!response.ok) throw new Error(t('error.status', { status: response.status }));
  fill(root, h('article.panel.book', { lang: 'en' }, ...blocks(await response.text())));
  context.title(root.querySelector('h1')?.textContent ?? t('tab.docs'));
  document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}
