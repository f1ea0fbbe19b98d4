// @ts-check
// A popover with the keyboard shortcuts.
import { h } from './dom.js';

/**
 * @param {string} id the `popovertarget` of the button that opens it
 * @param {string} title
 * @param {Node} text
 * @param {[string, string][]} keys a key, and what it does
 */
export function helpPopover(id, title, text, keys) {
  const list = keys.flatMap(([key, what]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, what)]);
  return h('div', { id, popover: 'auto', class: 'help-popover' }, h('h2', {}, title), text, h('dl', { class: 'keys' }, ...list));
}
