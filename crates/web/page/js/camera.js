// @ts-check
// What part of a drawing is in sight: pan, zoom, glide.
import { calm, clamp } from './dom.js';

/** @import { Places } from './graph-layout.js' */
/** @import { View } from './graph-worker.js' */

/** @typedef {{x: number, y: number}} Point */

/** The space around the drawing, for the axis and for what sticks out. */
export const PAD = { x: 18, top: 34, bottom: 52 };

export class Camera {
  /** Called when something else comes into sight. */
  onmove = () => {};
  /** @type {View} */
  view = { x: 0, y: 0, scale: 1 };
  /** Whether everything is in sight, as at the beginning. */
  fitted = true;
  /** Of the window, in the page's pixels. */
  size = { width: 1, height: 1 };
  /** @type {Places | null} */
  places = null;
  /** When it last moved. */
  movedAt = 0;
  #glide = 0;

  /** The view of everything. @returns {View} */
  get whole() {
    const { width, height } = this.size;
    const places = this.places ?? { width: 1, height: 1 };
    const scale = Math.min((width - 2 * PAD.x) / places.width, (height - PAD.top - PAD.bottom) / places.height);
    return { x: places.width / 2 - width / 2 / scale, y: -PAD.top / scale, scale };
  }

  get zoomed() {
    return this.view.scale > this.whole.scale * 1.02;
  }

  /** Where a state is on the screen. @param {number} state @returns {Point} */
  screen(state) {
    const { x, y, scale } = this.view;
    return this.places ? { x: (this.places.x[state] - x) * scale, y: (this.places.y[state] - y) * scale } : { x: -1, y: -1 };
  }

  /** @param {boolean} [smooth] */
  fit(smooth = true) {
    this.#move(this.whole, smooth);
    this.fitted = true;
  }

  /** @param {number} factor @param {Point} at what stays where it is @param {boolean} [smooth] */
  zoom(factor, at, smooth = false) {
    this.pinch(at, at, factor, smooth);
  }

  /** Brings what is at one point to another, larger or smaller. @param {Point} from @param {Point} to @param {number} [factor] @param {boolean} [smooth] */
  pinch(from, to, factor = 1, smooth = false) {
    const { x, y, scale } = this.view;
    const least = this.whole.scale;
    const next = clamp(scale * factor, least * 0.7, Math.max(least * 2, 70 / (this.places?.unit ?? 1)));
    this.#move({ x: x + from.x / scale - to.x / next, y: y + from.y / scale - to.y / next, scale: next }, smooth);
  }

  /** Brings a state into sight. @param {number} state */
  reveal(state) {
    const { width, height } = this.size;
    const { x, y } = this.screen(state);
    const edge = Math.min(60, width / 4, height / 4);
    const to = { x: clamp(x, edge, width - edge), y: clamp(y, edge, height - edge) };
    if (!this.fitted && (to.x !== x || to.y !== y)) this.pinch({ x, y }, to, 1, true);
  }

  /** @param {View} to @param {boolean} smooth */
  #move(to, smooth) {
    cancelAnimationFrame(this.#glide);
    this.fitted = false;
    if (!smooth || calm()) return this.#go(to);
    const { width, height } = this.size;
    const from = this.view;
    const began = performance.now();
    const step = () => {
      const t = Math.min((performance.now() - began) / 220, 1);
      const eased = 1 - (1 - t) ** 3;
      const scale = from.scale * (to.scale / from.scale) ** eased;
      // The middle of the window goes straight.
      const between = (/** @type {'x' | 'y'} */ axis, /** @type {number} */ side) => {
        const [a, b] = [from[axis] + side / 2 / from.scale, to[axis] + side / 2 / to.scale];
        return a + (b - a) * eased - side / 2 / scale;
      };
      this.#go(t < 1 ? { x: between('x', width), y: between('y', height), scale } : to);
      if (t < 1) this.#glide = requestAnimationFrame(step);
    };
    step();
  }

  /** @param {View} view */
  #go({ x, y, scale }) {
    const places = this.places ?? { width: 1, height: 1 };
    // Something always stays in sight.
    const within = (/** @type {number} */ at, /** @type {number} */ window, /** @type {number} */ whole) => clamp(at, -0.7 * window, whole - 0.3 * window);
    this.view = { x: within(x, this.size.width / scale, places.width), y: within(y, this.size.height / scale, places.height), scale };
    this.movedAt = performance.now();
    this.onmove();
  }
}
