// @ts-check
// The visible part of a drawing: pan, zoom, and smooth movement.
import { calm, clamp } from './dom.js';

/** @import { Places } from './graph-layout.js' */
/** @import { View } from './graph-worker.js' */

/** @typedef {{x: number, y: number}} Point */

/** The padding around the drawing, for the axis and for overhanging parts. */
export const PAD = { x: 18, top: 34, bottom: 52 };

export class Camera {
  /** Called when the view changes. */
  onmove = () => {};
  /** @type {View} */
  view = { x: 0, y: 0, scale: 1 };
  /** Whether the view shows everything, as it does initially. */
  fitted = true;
  /** Size of the canvas in CSS pixels. */
  size = { width: 1, height: 1 };
  /** @type {Places | null} */
  places = null;
  /** Time of the last movement. */
  movedAt = 0;
  #glide = 0;

  /** The view that shows everything. @returns {View} */
  get whole() {
    const { width, height } = this.size;
    const places = this.places ?? { width: 1, height: 1 };
    const scale = Math.min((width - 2 * PAD.x) / places.width, (height - PAD.top - PAD.bottom) / places.height);
    return { x: places.width / 2 - width / 2 / scale, y: -PAD.top / scale, scale };
  }

  get zoomed() {
    return this.view.scale > this.whole.scale * 1.02;
  }

  /** The position of a state on the screen. @param {number} state @returns {Point} */
  screen(state) {
    const { x, y, scale } = this.view;
    return this.places ? { x: (this.places.x[state] - x) * scale, y: (this.places.y[state] - y) * scale } : { x: -1, y: -1 };
  }

  /** @param {boolean} [smooth] */
  fit(smooth = true) {
    this.#move(this.whole, smooth);
    this.fitted = true;
  }

  /** @param {number} factor @param {Point} at the fixed point @param {boolean} [smooth] */
  zoom(factor, at, smooth = false) {
    this.pinch(at, at, factor, smooth);
  }

  /** Moves the content at one point to another, and scales it. @param {Point} from @param {Point} to @param {number} [factor] @param {boolean} [smooth] */
  pinch(from, to, factor = 1, smooth = false) {
    const { x, y, scale } = this.view;
    const least = this.whole.scale;
    const next = clamp(scale * factor, least * 0.7, Math.max(least * 2, 70 / (this.places?.unit ?? 1)));
    this.#move({ x: x + from.x / scale - to.x / next, y: y + from.y / scale - to.y / next, scale: next }, smooth);
  }

  /** Pans so that a state is visible. @param {number} state */
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
    const started = performance.now();
    const step = () => {
      const t = Math.min((performance.now() - started) / 220, 1);
      const eased = 1 - (1 - t) ** 3;
      const scale = from.scale * (to.scale / from.scale) ** eased;
      // The centre of the view moves in a straight line.
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
    // A part of the drawing always stays visible.
    const within = (/** @type {number} */ at, /** @type {number} */ window, /** @type {number} */ whole) => clamp(at, -0.7 * window, whole - 0.3 * window);
    this.view = { x: within(x, this.size.width / scale, places.width), y: within(y, this.size.height / scale, places.height), scale };
    this.movedAt = performance.now();
    this.onmove();
  }
}
