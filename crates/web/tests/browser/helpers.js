// Helpers for the scripts of the tests.

const plain = (text) => (text ?? '').replace(/\s+/g, ' ').trim();
const own = (label) => label && [...label.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join('');
const name = (e) => plain(e.getAttribute('aria-label') ?? own(e.labels?.[0]) ?? (e.innerText || e.title));
const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest('[inert]');
const controls = () => [...document.querySelectorAll('button, a[href], input, select, textarea, summary, [role=slider]')].filter(seen);
const modal = (e) => !document.querySelector('dialog[open]') || e.closest('dialog[open]');
const called = (text) => {
  const found = controls().filter((e) => modal(e) && name(e) === text);
  const own = found.filter((e) => !e.closest('nav'));
  return own.length ? own : found;
};
// Returns an element if it does not move between two frames: a click on a moving element misses it.
const resting = (e) => {
  const place = () => JSON.stringify(e.getBoundingClientRect());
  const before = place();
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(e.isConnected && place() === before && e))));
};
const vehicle = (label) => document.querySelector(`.board.interactive .vehicle[data-label="${label}"]`);
const pixels = (canvas) => {
  const { width, height } = canvas;
  const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  return copy.getImageData(0, 0, width, height);
};
const text = (selector) => plain([...document.querySelectorAll(selector)].find(seen)?.innerText);
