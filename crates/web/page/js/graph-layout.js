// @ts-check
// The layout of a component: a column for each distance, and within a column an order that places neighbours near each
// other.

/**
 * The part of the server's graph that the layout needs.
 * @typedef {object} Graph
 * @property {number[]} distances of each state
 * @property {string[]} positions of the vehicles in each state
 * @property {number[]} edges pairs of states, one after the other
 * @property {number} depth
 */

/**
 * Lists of lists in two flat arrays: list `i` is `items[starts[i]]` to `items[starts[i + 1]]`.
 * @typedef {{starts: Int32Array, items: Int32Array}} Lists
 */

/** @typedef {{neighbours: Lists, layers: Lists}} Order the neighbours of each state; the states of each layer from top to bottom */
/** @typedef {{x: Float32Array, y: Float32Array, width: number, height: number, unit: number}} Places `unit`: the space of a state */

/** Number of sorting sweeps over the columns, in both directions. */
const SWEEPS = 16;
/** The height of a drawing; its width follows from the aspect ratio. */
const HEIGHT = 1000;

/** @param {number} count @param {number} pairs @param {(pair: number, add: (list: number, item: number) => void) => void} each @returns {Lists} */
function gather(count, pairs, each) {
  const starts = new Int32Array(count + 1);
  for (let i = 0; i < pairs; i++) each(i, (list) => starts[list + 1]++);
  for (let i = 0; i < count; i++) starts[i + 1] += starts[i];
  const next = starts.slice(0, count);
  const items = new Int32Array(starts[count]);
  for (let i = 0; i < pairs; i++) each(i, (list, item) => (items[next[list]++] = item));
  return { starts, items };
}

/** Sorts columns by the mean height of neighbours, so that edges become short. @param {Graph} graph @returns {Order} */
export function order({ distances, positions, edges, depth }) {
  const count = distances.length;
  const neighbours = gather(count, edges.length / 2, (i, add) => {
    add(edges[2 * i], edges[2 * i + 1]);
    add(edges[2 * i + 1], edges[2 * i]);
  });
  // Initially, states with similar positions are near each other.
  const first = positions.map((_, i) => i).sort((a, b) => (positions[a] < positions[b] ? -1 : 1));
  const layers = gather(depth + 1, count, (i, add) => add(distances[first[i]], first[i]));
  const height = new Float64Array(count);
  /** @param {number} layer */
  const spread = (layer) => {
    const [from, to] = [layers.starts[layer], layers.starts[layer + 1]];
    for (let i = from; i < to; i++) height[layers.items[i]] = (i - from + 0.5) / (to - from);
  };
  /** @param {number} layer @param {number} before the layer with the largest weight */
  const sort = (layer, before) => {
    const [from, to] = [layers.starts[layer], layers.starts[layer + 1]];
    const keys = new Float64Array(to - from);
    for (let i = from; i < to; i++) {
      const state = layers.items[i];
      let [sum, weight] = [height[state] * 0.2, 0.2];
      for (let e = neighbours.starts[state]; e < neighbours.starts[state + 1]; e++) {
        const other = neighbours.items[e];
        const w = distances[other] === before ? 1 : distances[other] === layer ? 0.35 : 0.25;
        sum += w * height[other];
        weight += w;
      }
      // The key in the upper bits and the index in the lower ones, because typed arrays sort fast.
      keys[i - from] = Math.floor((sum / weight) * 2 ** 32) * 2 ** 17 + (i - from);
    }
    keys.sort();
    const was = layers.items.slice(from, to);
    for (let i = from; i < to; i++) layers.items[i] = was[keys[i - from] % 2 ** 17];
    spread(layer);
  };
  for (let layer = 0; layer <= depth; layer++) spread(layer);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let layer = 1; layer <= depth; layer++) sort(layer, layer - 1);
    for (let layer = depth - 1; layer >= 0; layer--) sort(layer, layer + 1);
  }
  return { neighbours, layers };
}

/** The width of a full layer at each height, with rounded ends; and the cumulative sums of the slices. */
const SLICES = Array.from({ length: 200 }, (_, i) => Math.sqrt(1 - ((2 * i + 1) / 200 - 1) ** 4));
const SUMS = SLICES.map(((sum) => (slice) => (sum += slice))(0));

/** The height, from -1 to 1, below which a given part of a full layer lies. @param {number} part from -1 to 1 */
function petal(part) {
  const wanted = ((part + 1) / 2) * SUMS[SUMS.length - 1];
  const at = SUMS.findIndex((sum) => sum >= wanted);
  return ((at + 1 - (SUMS[at] - wanted) / SLICES[at]) / SLICES.length) * 2 - 1;
}

/**
 * Positions of all states: the more states a layer has, the taller its column; the excess is spread sideways.
 * @param {Order} order
 * @param {number} aspect width by height
 * @returns {Places}
 */
export function place({ layers }, aspect) {
  const depth = layers.starts.length - 2;
  const count = layers.items.length;
  const [x, y] = [new Float32Array(count), new Float32Array(count)];
  const width = HEIGHT * aspect;
  const pitch = width / (depth + 1);
  let most = 1;
  for (let layer = 0; layer <= depth; layer++) most = Math.max(most, layers.starts[layer + 1] - layers.starts[layer]);
  const unit = Math.min(Math.sqrt((0.62 * pitch * HEIGHT) / most), 0.5 * pitch, 26);
  for (let layer = 0; layer <= depth; layer++) {
    const [from, to] = [layers.starts[layer], layers.starts[layer + 1]];
    const size = to - from;
    const tall = Math.min(HEIGHT * (size / most) ** 0.62, size * unit * 1.6);
    const across = Math.min(Math.max((size * unit) / tall - 1, 0) * unit, 0.72 * pitch);
    const round = Math.min(across / (4 * unit), 1);
    for (let i = from; i < to; i++) {
      const state = layers.items[i];
      const even = ((i - from + 0.5) / size) * 2 - 1;
      const v = even + round * (petal(even) - even);
      // Multiples of the golden ratio never coincide.
      const aside = ((i - from) * 0.6180339887) % 1;
      x[state] = (layer + 0.5) * pitch + (aside - 0.5) * across * (1 - round + round * Math.sqrt(1 - v ** 4));
      y[state] = HEIGHT / 2 + (v * tall) / 2;
    }
  }
  return { x, y, width, height: HEIGHT, unit };
}
