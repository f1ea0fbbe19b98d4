// @ts-check
// Draws a component off the main thread: edges as a density map, states as discs. The page shows the last picture, moved and
// scaled, until the next one arrives, so that it responds at once at any size.
import { clamp } from './dom.js';
import { order, place } from './graph-layout.js';
import { ramp } from './ramp.js';

/** @import { Graph, Order, Places } from './graph-layout.js' */

/** @typedef {{x: number, y: number, scale: number}} View the point at the top left corner, and the CSS pixels per unit */
/** @typedef {{colour: [number, number, number], alpha: number, size: number}} Style of states with a mark */

/**
 * @typedef {object} Task
 * @property {View} view
 * @property {number} ratio pixels of the picture per CSS pixel
 * @property {number} width in pixels of the picture
 * @property {number} height
 * @property {boolean} dark
 * @property {Uint8Array | null} marks an index into `styles` for each state; null: coloured by distance
 * @property {Style[]} styles
 */

/** @typedef {{type: 'graph', graph: Graph, aspect: number} | {type: 'shape', aspect: number} | {type: 'draw', task: Task}} WorkerRequest */

/** @type {Graph | null} */
let graph = null;
/** @type {Order | null} */
let sorted = null;
/** @type {Places | null} */
let places = null;
/** The picture of the edges, reused while only the marks change. @type {{key: string, pixels: Uint8ClampedArray<ArrayBuffer>} | null} */
let edges = null;

self.addEventListener('message', async (/** @type {MessageEvent<WorkerRequest>} */ { data }) => {
  if (data.type === 'draw') {
    const image = draw(data.task);
    const bitmap = image && (await createImageBitmap(image));
    self.postMessage({ type: 'picture', bitmap, view: data.task.view, ratio: data.task.ratio }, { transfer: bitmap ? [bitmap] : [] });
    return;
  }
  if (data.type === 'graph') {
    graph = data.graph;
    sorted = order(graph);
  }
  if (!sorted) return;
  places = place(sorted, data.aspect);
  edges = null;
  self.postMessage({ type: 'layout', order: sorted, places });
});

/** @param {Task} task */
function draw(task) {
  if (!graph || !places) return null;
  const { view, ratio, width, height, dark, marks } = task;
  const key = [view.x, view.y, view.scale, ratio, width, height, dark, marks !== null].join();
  if (edges?.key !== key) edges = { key, pixels: develop(graph, places, task) };
  const image = new ImageData(edges.pixels.slice(), width, height);
  discs(image, graph, places, task);
  return image;
}

/** Draws the edges; a pixel gets stronger with each edge. @param {Graph} graph @param {Places} places @param {Task} task */
function develop(graph, places, task) {
  const { view, ratio, width, height, dark, marks } = task;
  const { cells, exposure } = density(graph, places, task);
  const tints = new Float32Array(width * 3);
  const grey = dark ? 150 : 110;
  for (let px = 0; px < width; px++) {
    tints.set(marks ? [grey, grey, grey] : ramp((view.x + px / view.scale / ratio) / places.width, dark), px * 3);
  }
  const most = (marks ? 0.42 : 0.72) * 255;
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let i = 0, px = 0; i < cells.length; i++, px = px + 1 === width ? 0 : px + 1) {
    if (cells[i] === 0) continue;
    pixels[4 * i] = tints[3 * px];
    pixels[4 * i + 1] = tints[3 * px + 1];
    pixels[4 * i + 2] = tints[3 * px + 2];
    pixels[4 * i + 3] = most * (1 - Math.exp(-exposure * cells[i]));
  }
  return pixels;
}

/** Sums up all edges; long edges weigh less. @param {Graph} graph @param {Places} places @param {Task} task */
function density({ edges, distances }, { x, y, height: tall }, { view, ratio, width, height }) {
  const scale = view.scale * ratio;
  const cells = new Float32Array(width * height);
  const whole = tall * scale;
  for (let i = 0; i < edges.length; i += 2) {
    const [a, b] = [edges[i], edges[i + 1]];
    let x0 = (x[a] - view.x) * scale;
    let y0 = (y[a] - view.y) * scale;
    let x1 = (x[b] - view.x) * scale;
    let y1 = (y[b] - view.y) * scale;
    if ((x0 < 0 && x1 < 0) || (y0 < 0 && y1 < 0) || (x0 > width && x1 > width) || (y0 > height && y1 > height)) continue;
    const length = Math.hypot(x1 - x0, y1 - y0);
    const weight = (distances[a] === distances[b] ? 0.3 : 1) / (1 + (14 * length) / whole);
    // Along the longer axis, each point is divided between two cells of the other axis.
    const steep = Math.abs(y1 - y0) > Math.abs(x1 - x0);
    if (steep) [x0, y0, x1, y1] = [y0, x0, y1, x1];
    if (x1 < x0) [x0, y0, x1, y1] = [x1, y1, x0, y0];
    const [long, wide] = steep ? [height, width] : [width, height];
    const [along, aside] = steep ? [width, 1] : [1, width];
    const slope = (y1 - y0) / (x1 - x0 || 1);
    const to = Math.min(Math.floor(x1), long - 1);
    for (let px = Math.max(Math.ceil(x0), 0); px <= to; px++) {
      const at = y0 + (px - x0) * slope;
      const row = Math.floor(at);
      if (row < 0 || row >= wide - 1) continue;
      const rest = at - row;
      const cell = row * aside + px * along;
      cells[cell] += weight * (1 - rest);
      cells[cell + aside] += weight * rest;
    }
  }
  let [sum, used] = [0, 1];
  for (const cell of cells) {
    if (cell === 0) continue;
    sum += cell;
    used++;
  }
  // The exposure depends on the visible edges, but a few edges do not become solid lines.
  return { cells, exposure: Math.min((0.7 * used) / (sum || 1), 3) };
}

/** Draws the states. @param {ImageData} image @param {Graph} graph @param {Places} places @param {Task} task */
function discs(image, { distances, depth }, { x, y, unit }, { view, ratio, width, height, dark, marks, styles }) {
  const scale = view.scale * ratio;
  const usual = clamp(0.34 * unit * scale, 0.7 * ratio, 10 * ratio);
  /** @type {Style[]} */
  const looks = marks ? styles : [];
  if (!marks) for (let d = 0; d <= depth; d++) looks.push({ colour: ramp((d + 0.5) / (depth + 1), dark), alpha: 0.95, size: 1 });
  const out = image.data;
  // The most important marks are drawn last.
  const rounds = marks ? styles.length : 1;
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < distances.length; i++) {
      if (marks && marks[i] !== round) continue;
      const look = looks[marks ? round : distances[i]];
      const r = usual * look.size;
      const cx = (x[i] - view.x) * scale;
      const cy = (y[i] - view.y) * scale;
      if (cx < -r || cy < -r || cx > width + r || cy > height + r) continue;
      const [red, green, blue] = look.colour;
      const bottom = Math.min(Math.ceil(cy + r), height - 1);
      const right = Math.min(Math.ceil(cx + r), width - 1);
      for (let row = Math.max(Math.floor(cy - r), 0); row <= bottom; row++) {
        for (let px = Math.max(Math.floor(cx - r), 0); px <= right; px++) {
          const cover = Math.min(r + 0.5 - Math.hypot(px - cx, row - cy), 1) * look.alpha;
          if (cover <= 0) continue;
          const at = 4 * (row * width + px);
          const under = (out[at + 3] / 255) * (1 - cover);
          const alpha = cover + under;
          out[at] = (red * cover + out[at] * under) / alpha;
          out[at + 1] = (green * cover + out[at + 1] * under) / alpha;
          out[at + 2] = (blue * cover + out[at + 2] * under) / alpha;
          out[at + 3] = 255 * alpha;
        }
      }
    }
  }
}
