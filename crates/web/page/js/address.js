// @ts-check
// The URLs of the page.

/**
 * The URL of a tab. Boards stay readable: only characters that a URL cannot contain are escaped.
 * @param {string} tab
 * @param {string | null} [board]
 * @param {Record<string, string>} [more]
 */
export function address(tab, board, more = {}) {
  const query = String(new URLSearchParams({ ...(board ? { board } : {}), ...more }));
  return `/${tab}${query && '?'}${query.replaceAll('%3A', ':').replaceAll('%40', '@')}`;
}
