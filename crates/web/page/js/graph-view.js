// @ts-check
// A component on the screen. A worker draws it (graph-worker.js); this view shows the worker's pictures at their place, with
// the axis below and the selection on top.
import { Camera, PAD } from './camera.js';
import { axisName } from './component.js';
import { iconButton } from './controls.js';
import { clamp, h } from './dom.js';
import { listen } from './graph-input.js';
import { t } from './i18n.js';
import { css, isDark, ramp } from './ramp.js';

/** @import { Point } from './camera.js' */
/** @import { Order, Places } from './graph-layout.js' */
/** @import { Style, View } from './graph-worker.js' */

/** @typedef {{bitmap: ImageBitmap, view: View, ratio: number}} Picture `ratio`: its pixels per CSS pixel */

/** Larger pictures are drawn at a lower resolution while the view moves. */
const MANY_PIXELS = 600_000;
/** A frame that takes longer, in milliseconds, is slow. */
const SLOW = 24;

export class GraphView {
  /** Called when the user selects a state. @type {(state: number) => void} */
  onselect = () => {};
  /** Called with the state at the pointer, or null, and its position. @type {(state: number | null, at: Point) => void} */
  onhover = () => {};
  /** Called when Enter is pressed. */
  onenter = () => {};
  /** @type {Component | null} */
  graph = null;
  /** The selected state, or -1. */
  selected = -1;
  /** Whether the shortest solution is drawn. */
  pathShown = true;
  /** States linked to the selected one by lines; null: all its neighbours. @type {number[] | null} */
  links = null;
  camera = new Camera();

  #worker = new Worker(new URL('./graph-worker.js', import.meta.url), { type: 'module' });
  /** @type {((failure?: Error) => void) | null} */
  #ready = null;
  /** @type {Order | null} */
  #order = null;
  /** @type {Picture | null} */
  #picture = null;
  /** The picture of everything, for areas outside the last picture. @type {Picture | null} */
  #whole = null;
  #drawing = false;
  #stale = false;
  #frame = 0;
  #hovered = -1;
  /** @type {Uint8Array | null} */
  #marks = null;
  /** @type {Style[]} */
  #styles = [];
  #aspect = 0;
  /** Pixels per CSS pixel, and the maximum of that. */
  #ratio = 1;
  #finest = 2;
  /** Time of the last frame, and mean duration of frames. */
  #pace = { last: 0, mean: 16 };
  #colours = { ink: '', soft: '', card: '', red: '', accent: '', sans: '' };

  /** @param {string} label its name for screen readers */
  constructor(label) {
    this.canvas = h('canvas', { tabindex: 0, role: 'application', 'aria-roledescription': t('graph.graph'), 'aria-label': label });
    const tools = [iconButton(t('graph.zoom-in'), 'plus', () => this.zoom(1.7)), iconButton(t('graph.zoom-out'), 'minus', () => this.zoom(1 / 1.7)), iconButton(t('graph.show-all'), 'grid', () => this.camera.fit())];
    this.element = h('div.graph', this.canvas, h('div.graph-tools', ...tools));
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
    this.#worker.addEventListener('message', ({ data }) => (data.type === 'layout' ? this.#placed(data) : this.#show(data)));
    this.#worker.addEventListener('error', ({ message }) => this.#ready?.(new Error(message || t('graph.failed'))));
    this.camera.onmove = () => {
      this.canvas.classList.toggle('zoomed', this.camera.zoomed);
      this.refresh();
      this.#ask();
    };
    listen(this);
    this.#sizes.observe(this.element);
    addEventListener('themechange', this.#recolour);
  }

  #sizes = new ResizeObserver(() => {
    const was = this.#aspect;
    this.#measure();
    if (!this.camera.places) return;
    if (Math.abs(this.#aspect / was - 1) > 0.02) this.#worker.postMessage({ type: 'shape', aspect: this.#aspect });
    else if (this.camera.fitted) this.camera.fit(false);
    this.refresh();
  });

  #recolour = () => {
    const style = getComputedStyle(this.canvas);
    // A canvas resolves neither CSS variables nor colours of the theme.
    const get = (/** @type {string} */ name) => {
      this.canvas.style.color = `var(--${name})`;
      return style.color;
    };
    this.#colours = { ink: get('ink'), soft: get('soft'), card: get('card'), red: get('red'), accent: get('accent'), sans: style.fontFamily };
    this.#whole = null;
    // The axis does not depend on the picture.
    this.refresh();
    this.#ask();
  };

  /** Terminates the worker, and removes all listeners. */
  close() {
    this.#worker.terminate();
    this.#sizes.disconnect();
    removeEventListener('themechange', this.#recolour);
    cancelAnimationFrame(this.#frame);
  }

  /** Draws a component. @param {Component} graph */
  async load(graph) {
    this.graph = graph;
    this.selected = -1;
    this.links = this.camera.places = this.#marks = this.#order = this.#picture = null;
    this.#recolour();
    this.#measure();
    const { distances, positions, edges, depth } = graph;
    await new Promise((resolve, reject) => {
      this.#ready = (failure) => (failure ? reject(failure) : resolve(undefined));
      this.#worker.postMessage({ type: 'graph', graph: { distances, positions, edges, depth }, aspect: this.#aspect });
    });
  }

  /**
   * Colours states by marks instead of distances; null restores the distances.
   * @param {Uint8Array | null} marks an index into `styles` for each state
   * @param {Style[]} [styles] later ones are drawn on top
   */
  mark(marks, styles = []) {
    this.#marks = marks;
    this.#styles = styles;
    this.#ask();
  }

  /** The neighbours of a state. @param {number} state */
  neighbours(state) {
    const { starts, items } = this.#order?.neighbours ?? { starts: [], items: new Int32Array() };
    return [...items.subarray(starts[state], starts[state + 1])];
  }

  /** The states of a layer from top to bottom. @param {number} layer */
  layer(layer) {
    const { starts, items } = this.#order?.layers ?? { starts: [], items: new Int32Array() };
    return items.subarray(starts[layer], starts[layer + 1]);
  }

  /** Selects a state without calling `onselect`. @param {number} state @param {boolean} [reveal] whether to make it visible */
  select(state, reveal = true) {
    this.selected = state;
    if (reveal) this.camera.reveal(state);
    this.refresh();
  }

  /** Selects a state and calls `onselect`. @param {number} state @param {boolean} [reveal] */
  choose(state, reveal = true) {
    this.links = null;
    this.select(state, reveal);
    this.onselect(state);
  }

  /** @param {number} state or -1 */
  hover(state) {
    if (state === this.#hovered) return;
    this.#hovered = state;
    this.canvas.classList.toggle('pointing', state >= 0);
    this.onhover(state < 0 ? null : state, this.camera.screen(state));
    this.refresh();
  }

  /** Zooms about the selected state if it is visible, or else the centre. @param {number} factor */
  zoom(factor) {
    const { width, height } = this.camera.size;
    const { x, y } = this.camera.screen(this.selected);
    const inSight = this.selected >= 0 && x > 0 && y > 0 && x < width && y < height;
    this.camera.zoom(factor, inSight ? { x, y } : { x: width / 2, y: height / 2 }, true);
  }

  /** Moves to a neighbour in the next layer: the one on the solution, or else the nearest. @param {number} by */
  walk(by) {
    const { graph, selected } = this;
    if (!graph) return;
    const there = this.neighbours(selected).filter((other) => graph.distances[other] === graph.distances[selected] + by);
    const far = (/** @type {number} */ other) => (graph.path.includes(other) ? -1 : Math.abs(this.camera.screen(other).y - this.camera.screen(selected).y));
    there.sort((a, b) => far(a) - far(b));
    if (there.length) this.choose(there[0]);
  }

  /** Moves to the next state in the same layer. @param {number} by */
  within(by) {
    const states = this.layer(this.graph?.distances[this.selected] ?? 0);
    const next = states[states.indexOf(this.selected) + by];
    if (next !== undefined) this.choose(next);
  }

  /** The state nearest to a point, or -1. @param {Point} point @param {number} near */
  stateAt(point, near) {
    const { places, view } = this.camera;
    const depth = this.graph?.depth ?? -1;
    if (!places) return -1;
    const [x, y, reach] = [view.x + point.x / view.scale, view.y + point.y / view.scale, near / view.scale];
    const pitch = places.width / (depth + 1);
    let [best, least] = [-1, reach];
    const last = Math.min(Math.floor((x + reach) / pitch), depth);
    for (let layer = Math.max(Math.floor((x - reach) / pitch), 0); layer <= last; layer++) {
      const states = this.layer(layer);
      // Binary search for the first candidate: a layer is sorted from top to bottom.
      let [low, high] = [0, states.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (places.y[states[middle]] < y - reach) low = middle + 1;
        else high = middle;
      }
      for (let i = low; i < states.length && places.y[states[i]] <= y + reach; i++) {
        const far = Math.hypot(places.x[states[i]] - x, places.y[states[i]] - y);
        if (far < least) [best, least] = [states[i], far];
      }
    }
    return best;
  }

  /** Redraws in the next frame. */
  refresh() {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  /** @param {{order: Order, places: Places}} layout */
  #placed({ order, places }) {
    this.#order = order;
    this.camera.places = places;
    this.#whole = this.#picture = null;
    this.camera.fit(false);
    this.#ready?.();
    this.#ready = null;
  }

  /** @param {Picture} picture */
  #show(picture) {
    this.#drawing = false;
    if (picture.bitmap) {
      if (this.#picture !== this.#whole) this.#picture?.bitmap.close();
      this.#picture = picture;
      if (this.camera.fitted && this.#fits(picture)) this.#whole = picture;
    }
    this.refresh();
    if (this.#stale || !this.#fits(picture)) this.#ask();
    else if (picture.ratio < this.#ratio) setTimeout(() => this.#ask(), 140);
  }

  /** Whether a picture matches the current view. @param {Picture} picture */
  #fits({ view }) {
    const now = this.camera.view;
    return view.x === now.x && view.y === now.y && view.scale === now.scale;
  }

  /** Requests a picture of the current view, one at a time: at a lower resolution while the view moves. */
  #ask() {
    if (!this.camera.places) return;
    this.#stale = this.#drawing;
    if (this.#drawing) return;
    this.#drawing = true;
    const { width, height } = this.camera.size;
    const coarse = performance.now() - this.camera.movedAt < 120 && width * height * this.#ratio ** 2 > MANY_PIXELS;
    const ratio = coarse ? this.#ratio / 2 : this.#ratio;
    this.#worker.postMessage({
      type: 'draw',
      task: { view: this.camera.view, ratio, width: Math.round(width * ratio), height: Math.round(height * ratio), dark: isDark(), marks: this.#marks, styles: this.#styles },
    });
  }

  #measure() {
    const [width, height] = [Math.max(this.element.clientWidth, 50), Math.max(this.element.clientHeight, 50)];
    this.#ratio = Math.min(devicePixelRatio || 1, this.#finest);
    this.camera.size = { width, height };
    this.canvas.width = Math.round(width * this.#ratio);
    this.canvas.height = Math.round(height * this.#ratio);
    this.#aspect = (width - 2 * PAD.x) / (height - PAD.top - PAD.bottom);
  }

  /** Lowers the resolution on slow machines. */
  #keepPace() {
    const now = performance.now();
    const took = now - this.#pace.last;
    this.#pace.last = now;
    // Pauses do not count.
    if (took > 250 || now - this.camera.movedAt > 60) return;
    this.#pace.mean += 0.12 * (took - this.#pace.mean);
    if (this.#pace.mean < SLOW || this.#ratio <= 1) return;
    this.#finest = Math.max(1, this.#ratio * 0.7);
    this.#pace.mean = 16;
    this.#measure();
  }

  #draw() {
    this.#frame = 0;
    this.#keepPace();
    const { context, graph } = this;
    const { width, height } = this.camera.size;
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    if (!graph || !this.camera.places) return;
    const pitch = (this.camera.places.width / (graph.depth + 1)) * this.camera.view.scale;
    if (this.#picture) this.#paste(this.#picture);
    if (this.pathShown) this.#path(graph, pitch);
    this.#choice();
    this.#axis(graph, pitch);
  }

  /** Draws the last picture at its current place, and the rest from the picture of everything. @param {Picture} picture */
  #paste(picture) {
    const { context } = this;
    const { view, size } = this.camera;
    const box = (/** @type {Picture} */ { bitmap, view: was, ratio }) => {
      const grown = view.scale / was.scale / ratio;
      return /** @type {const} */ ([(was.x - view.x) * view.scale, (was.y - view.y) * view.scale, bitmap.width * grown, bitmap.height * grown]);
    };
    const there = box(picture);
    const whole = this.#whole;
    if (whole && whole !== picture && !this.#fits(picture)) {
      context.save();
      context.beginPath();
      context.rect(0, 0, size.width, size.height);
      context.rect(...there);
      context.clip('evenodd');
      context.drawImage(whole.bitmap, ...box(whole));
      context.restore();
    }
    context.drawImage(picture.bitmap, ...there);
  }

  /** Draws the axis of distances at the bottom. @param {Component} graph @param {number} pitch */
  #axis(graph, pitch) {
    const { context } = this;
    const { size, view } = this.camera;
    const { soft, card, sans } = this.#colours;
    const dark = isDark();
    const every = [1, 2, 5, 10, 20, 50, 100].find((step) => step * pitch >= 34) ?? 200;
    const at = (/** @type {number} */ d) => (d + 0.5) * pitch - view.x * view.scale;
    context.font = `600 12px ${sans}`;
    context.textAlign = 'center';
    context.globalAlpha = 0.88;
    context.fillStyle = card;
    context.fillRect(0, size.height - 44, size.width, 44);
    context.globalAlpha = 1;
    for (let d = 0; d <= graph.depth; d++) {
      const x = at(d);
      if (x < -pitch || x > size.width + pitch) continue;
      context.fillStyle = css(ramp((d + 0.5) / (graph.depth + 1), dark));
      context.fillRect(x - pitch / 2 + 0.5, size.height - 40, pitch - 1, 3);
      if (d % every) continue;
      context.fillStyle = soft;
      context.fillText(String(d), x, size.height - 24);
    }
    context.textAlign = 'left';
    context.fillStyle = soft;
    context.fillText(`${axisName(graph)} →`, 12, size.height - 7);
    context.fillStyle = css(ramp(0, dark));
    if (at(0) > -60) context.fillText(graph.by === 'goal' ? t('graph.goals') : t('graph.start'), Math.max(at(0) - 14, 8), 16);
  }

  /** Draws the shortest solution and the start. @param {Component} graph @param {number} pitch */
  #path({ path, start }, pitch) {
    const { ink, card, red } = this.#colours;
    this.#lines(ink, 2.2, path.slice(1).map((state, i) => [path[i], state]));
    // Smaller dots where they would touch.
    for (const state of path) this.#dot(state, clamp(0.28 * pitch, 1.4, 3.4), ink, card, Math.min(0.12 * pitch, 1.4));
    this.#dot(start, 6, red, card, 2.2);
  }

  /** Draws the selected state and the one at the pointer. */
  #choice() {
    const { accent, ink, card } = this.#colours;
    if (this.selected >= 0) {
      const links = this.links ?? this.neighbours(this.selected);
      this.#lines(accent, 1.6, links.map((other) => [this.selected, other]));
      for (const other of links) this.#dot(other, 3.6, accent, card, 1.2);
      this.#dot(this.selected, 7.5, accent, card, 2.5);
      this.#dot(this.selected, 3, card, card, 1);
    }
    if (this.#hovered >= 0) this.#dot(this.#hovered, 6, 'transparent', ink, 2.4);
  }

  /** Draws lines between states, with a rim. @param {string} colour @param {number} width @param {number[][]} pairs */
  #lines(colour, width, pairs) {
    const { context } = this;
    context.beginPath();
    for (const [a, b] of pairs) {
      const [from, to] = [this.camera.screen(a), this.camera.screen(b)];
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
    }
    for (const [style, wide] of /** @type {[string, number][]} */ ([[this.#colours.card, 2 * width + 1], [colour, width]])) {
      context.strokeStyle = style;
      context.lineWidth = wide;
      context.stroke();
    }
  }

  /** @param {number} state @param {number} radius @param {string} fill @param {string} rim @param {number} width */
  #dot(state, radius, fill, rim, width) {
    const { context } = this;
    const { x, y } = this.camera.screen(state);
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = fill;
    context.fill();
    context.strokeStyle = rim;
    context.lineWidth = width;
    context.stroke();
  }
}
