// @ts-check
// The URLs of the page.
import { BASE, isStatic } from './place.js';

/**
 * The URL of a tab. Boards stay readable: only characters that a URL cannot contain are escaped.
 * @param {string} tab
 * @param {string | null} [board]
 * @param {Record<string, string>} [more]
 */
export function address(tab, board, more = {}) {
  const query = String(new URLSearchParams({ ...(board ? { board } : {}), ...more }));
  return `${pathOf(tab)}${query && '?'}${query.replaceAll('%3A', ':').replaceAll('%40', '@')}`;
}

/** The URL of a chapter of the book. @param {string} chapter such as `playing`, or `playing#hints` */
export function chapterAddress(chapter) {
  const [name, part] = chapter.split('#');
  return `${pathOf(`docs/${name}`)}${part ? `#${part}` : ''}`;
}

/** The path of a tab or a chapter. Without a server each is a folder with a document. @param {string} name */
const pathOf = (name) => `${BASE}${name}${isStatic ? '/' : ''}`;
