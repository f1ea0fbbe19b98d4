// @ts-check
// Small helpers: elements, and texts and numbers of any language.

/** @typedef {Node | string | number | null | undefined | false} Child */
/**
 * Attributes of an element by name, and its listeners such as `onclick`.
 * @typedef {{[K in keyof GlobalEventHandlersEventMap as `on${K}`]?: (event: GlobalEventHandlersEventMap[K]) => void} & Record<string, unknown>} Props
 */

/** Sets attributes and adds listeners; values null, undefined and false remove the attribute. @param {Element} element @param {Props} props */
export function set(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value === undefined || value === null || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}

/**
 * Builds an HTML element: `h('p.soft', { title: 'more' }, 'text')`. A button does not submit a form unless its type is set.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K | `${K}.${string}`} tag with classes
 * @param {...(Props | Child)} parts optional attributes, and children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, ...parts) {
  const [name, ...classes] = tag.split('.');
  const element = /** @type {HTMLElementTagNameMap[K]} */ (document.createElement(name));
  if (element instanceof HTMLButtonElement) element.type = 'button';
  return build(element, classes, parts);
}

/**
 * Builds an SVG element, with the same arguments.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K | `${K}.${string}`} tag
 * @param {...(Props | Child)} parts
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, ...parts) {
  const [name, ...classes] = tag.split('.');
  return build(/** @type {SVGElementTagNameMap[K]} */ (document.createElementNS('http://www.w3.org/2000/svg', name)), classes, parts);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {string[]} classes
 * @param {(Props | Child)[]} parts
 */
function build(element, classes, [first, ...others]) {
  if (classes.length) set(element, { class: classes.join(' ') });
  const hasProps = typeof first === 'object' && first !== null && !(first instanceof Node);
  if (hasProps) set(element, first);
  fill(element, .../** @type {Child[]} */ (hasProps ? others : [first, ...others]));
  return element;
}

/** Replaces the children of an element. @param {Element} element @param {...Child} children */
export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined && child !== false).map((child) => (child instanceof Node ? child : String(child))));
}

/** Whether the user prefers reduced motion. */
export const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Returns a promise that resolves after a number of milliseconds. @param {number} ms @returns {Promise<void>} */
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Saves a blob as a file. @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const address = URL.createObjectURL(blob);
  h('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Copies a text to the clipboard; returns false if the browser refuses. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h('textarea', { class: 'unseen' });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Limits a value to a range. @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
