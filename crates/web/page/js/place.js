// @ts-check
// Where the page is: on a server of clearway, or in a folder of static files that `./site` wrote.

/** Whether the page has no server; the static files say so. */
export const isStatic = document.querySelector('meta[name="clearway-engine"]') !== null;

/** The path of the page, with a slash at its end. */
export const BASE = new URL('..', import.meta.url).pathname;

/** The parts of a path below the page. @param {string} path */
export function partsOf(path) {
  const parts = (path.startsWith(BASE) ? path.slice(BASE.length) : path).split('/');
  return parts.filter((part) => part && part !== 'index.html');
}
