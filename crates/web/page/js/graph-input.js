// @ts-check
// Navigation of a graph by mouse, touch and keyboard.
import { clamp } from './dom.js';

/** @import { Point } from './camera.js' */
/** @import { GraphView } from './graph-view.js' */

/** Maximum distance of the pointer from a state, in pixels. */
const NEAR = 16;

/** @param {GraphView} graph */
export function listen(graph) {
  const { canvas, camera } = graph;
  /** @type {Map<number, Point>} */
  const fingers = new Map();
  let dragged = false;
  const at = (/** @type {MouseEvent} */ event) => ({ x: event.offsetX, y: event.offsetY });

  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const delta = clamp(event.deltaY * (event.deltaMode === 1 ? 18 : 1), -120, 120);
    camera.zoom(Math.exp(-delta * (event.ctrlKey ? 0.01 : 0.0022)), at(event));
  }, { passive: false });
  canvas.addEventListener('dblclick', (event) => camera.zoom(2.2, at(event), true));
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, at(event));
    dragged = fingers.size > 1;
  });
  canvas.addEventListener('pointermove', (event) => {
    const to = at(event);
    const from = fingers.get(event.pointerId);
    if (!from) {
      if (event.pointerType === 'mouse') graph.hover(graph.stateAt(to, NEAR));
      return;
    }
    if (!dragged && Math.hypot(to.x - from.x, to.y - from.y) < (event.pointerType === 'mouse' ? 4 : 9)) return;
    dragged = true;
    canvas.classList.add('dragging');
    graph.hover(-1);
    fingers.set(event.pointerId, to);
    const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    if (!other) return camera.pinch(from, to);
    // Two fingers: the content between them follows them.
    const apart = (/** @type {Point} */ p) => Math.max(Math.hypot(p.x - other.x, p.y - other.y), 8);
    const middle = (/** @type {Point} */ p) => ({ x: (p.x + other.x) / 2, y: (p.y + other.y) / 2 });
    camera.pinch(middle(from), middle(to), apart(to) / apart(from));
  });
  for (const type of /** @type {const} */ (['pointerup', 'pointercancel'])) {
    canvas.addEventListener(type, (event) => {
      canvas.classList.remove('dragging');
      if (!fingers.delete(event.pointerId) || dragged || type === 'pointercancel') return;
      const state = graph.stateAt(at(event), event.pointerType === 'mouse' ? NEAR : 2 * NEAR);
      if (state >= 0) graph.choose(state, false);
    });
  }
  canvas.addEventListener('pointerleave', () => graph.hover(-1));
  canvas.addEventListener('focus', () => {
    if (graph.selected < 0 && graph.graph) graph.choose(graph.graph.start);
  });

  const pan = (/** @type {number} */ dx, /** @type {number} */ dy) => camera.pinch({ x: dx * camera.size.width, y: dy * camera.size.height }, { x: 0, y: 0 }, 1, true);
  canvas.addEventListener('keydown', (event) => {
    const all = graph.graph;
    if (!all || event.ctrlKey || event.metaKey || event.altKey) return;
    const shift = event.shiftKey;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => (shift ? pan(-0.15, 0) : graph.walk(-1)),
      ArrowRight: () => (shift ? pan(0.15, 0) : graph.walk(1)),
      ArrowUp: () => (shift ? pan(0, -0.15) : graph.within(-1)),
      ArrowDown: () => (shift ? pan(0, 0.15) : graph.within(1)),
      Home: () => graph.choose(all.start),
      End: () => graph.choose(all.path.at(-1) ?? all.start),
      '+': () => graph.zoom(1.4),
      '=': () => graph.zoom(1.4),
      '-': () => graph.zoom(1 / 1.4),
      0: () => camera.fit(),
      Enter: () => graph.onenter(),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
}
