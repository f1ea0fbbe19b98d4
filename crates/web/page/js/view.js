// @ts-check
// A board on the screen: drawn as SVG, animated between states, and if interactive moved by pointer or keyboard.
import { Board, isForward, nameOf, positionOf, slid, slideText } from './board.js';
import { calm, clamp, s, set, wait } from './dom.js';
import { t } from './i18n.js';
import { palette } from './palette.js';
import { CELL, MARGIN, body, sizeOf, tray, viewBox } from './shapes.js';

/** @import { Move, Vehicle } from './board.js' */
/** @import { Paint } from './palette.js' */

/**
 * @typedef {object} ViewOptions
 * @property {boolean} [interactive] whether vehicles can be moved; otherwise the board is a picture
 * @property {string} [label] its name for screen readers
 * @property {boolean} [small] a thumbnail: without labels and details
 */

/** A view shows a board and reports moves; its owner then shows the board after the move. */
export class BoardView {
  /** Called when the user moves a vehicle. @type {(move: Move) => void} */
  onmove = () => {};
  /** Called when the user tries to move a blocked vehicle back (-1: left or up) or forward (1). @type {(label: string, sign: number) => void} */
  onblocked = () => {};
  /** @type {Map<string, SVGGElement>} */
  #vehicles = new Map();
  /** @type {Map<string, Paint>} */
  #paints = new Map();
  /** An overlay for the owner, kept when the board is redrawn. */
  overlay = s('g.overlay');
  #reach = s('g.reach');
  #marks = s('g.marks');
  /** @type {{label: string, pointer: number, from: number, at: number, delta: number, speed: number, time: number, low: number, high: number, out: number, beyond: number} | null} */
  #drag = null;
  #locked = false;
  /** @type {string | null} */
  #selected = null;
  /** The vehicle that the Tab key reaches: the last one selected, or else the target. @type {string | null} */
  #reachable = null;

  /** @param {Board} board @param {ViewOptions} [options] */
  constructor(board, options = {}) {
    this.options = options;
    this.board = board;
    this.element = s('svg', { class: `board${options.small ? ' small' : ''}${options.interactive ? ' interactive' : ''}` });
    if (options.interactive) this.#listen();
    this.#draw();
  }

  /** Shows another state of the board, with animated slides, or another board. @param {Board} board @param {{animate?: boolean}} [how] */
  show(board, { animate = true } = {}) {
    const same = this.board.sameLayout(board);
    const before = this.board;
    this.board = board;
    if (!same) return this.#draw();
    this.element.classList.toggle('instant', !animate);
    for (const vehicle of board.vehicles) {
      const element = this.#vehicles.get(vehicle.label);
      if (!element) continue;
      const was = before.vehicle(vehicle.label);
      const cells = was ? Math.abs(positionOf(was) - positionOf(vehicle)) : 0;
      if (cells) element.style.transitionDuration = `${110 + 55 * cells}ms`;
      element.classList.remove('gone');
      place(element, vehicle);
    }
    this.#describe();
    this.#showReach();
  }

  /** Whether vehicles cannot be moved at the moment. */
  get locked() {
    return this.#locked;
  }

  set locked(locked) {
    this.#locked = locked;
    this.element.classList.toggle('locked', locked);
    if (locked) this.#endDrag(false);
    this.#showReach();
  }

  /** The colour of a vehicle. @param {string} label */
  colour(label) {
    return this.#paints.get(label)?.fill ?? 'gray';
  }

  /** The colour of a vehicle's label. @param {string} label */
  ink(label) {
    return this.#paints.get(label)?.ink ?? 'white';
  }

  /** Adds a class to some vehicles, and removes it from all others. @param {string} name @param {Iterable<string>} labels */
  mark(name, labels) {
    const marked = new Set(labels);
    for (const [label, element] of this.#vehicles) element.classList.toggle(name, marked.has(label));
  }

  /**
   * Highlights a vehicle, its move with an arrow, and the chain of vehicles behind it; null removes the highlight.
   * @param {{label: string, move: Move | null, chain: string[]} | null} hint
   */
  point(hint) {
    this.#marks.replaceChildren();
    this.mark('chain', hint ? hint.chain : []);
    this.mark('pointed', hint ? [hint.label] : []);
    this.element.classList.toggle('pointing', hint !== null);
    const vehicle = hint && this.board.vehicle(hint.label);
    if (!hint?.move || !vehicle) return;
    const { cells } = hint.move;
    const long = vehicle.length * CELL;
    const [gx, gy] = corner(slid(vehicle, cells));
    const [w, h] = sizeOf(vehicle);
    this.#marks.append(s('rect.ghost', { x: gx + 5, y: gy + 5, width: w - 10, height: h - 10, rx: 14 }));
    const [x, y] = corner(vehicle);
    const sign = Math.sign(cells);
    const reach = Math.abs(cells) * CELL;
    // From the leading edge along the line, drawn to the right and rotated.
    const start = vehicle.horizontal ? [x + (sign > 0 ? long - 22 : 22), y + CELL / 2] : [x + CELL / 2, y + (sign > 0 ? long - 22 : 22)];
    const turn = (vehicle.horizontal ? 0 : 90) + (sign < 0 ? 180 : 0);
    const d = `M0-6h${reach - 16}v-10l22 16-22 16v-10H0z`;
    this.#marks.append(s('g', { transform: `translate(${start[0]} ${start[1]}) rotate(${turn})` }, s('path.arrow', { d })));
  }

  /** Moves the focus to the vehicle with a letter; if there are an `A` and an `a`, to the other one each time. @param {string} letter @returns {boolean} whether there is one */
  focus(letter) {
    const named = this.board.vehicles.filter(({ label }) => label.toLowerCase() === letter.toLowerCase());
    const next = named[named.findIndex(({ label }) => label === this.#selected) + 1] ?? named[0];
    if (next) this.#vehicles.get(next.label)?.focus({ preventScroll: true });
    return next !== undefined;
  }

  /** Animates the target leaving through the exit. */
  async driveOut() {
    const target = this.board.target;
    const element = target && this.#vehicles.get(target.label);
    if (!target || !element) return;
    const { side } = this.board.exit;
    const far = (target.length + 0.6) * (isForward(side) ? 1 : -1);
    element.classList.add('gone');
    if (calm()) return;
    element.style.transitionDuration = '650ms';
    place(element, slid(target, far));
    await wait(650);
  }

  /** Shows a vehicle displaced by a number of units; 0, 0 puts it back. @param {string} label @param {number} dx @param {number} dy */
  lift(label, dx, dy) {
    const element = this.#vehicles.get(label);
    const vehicle = this.board.vehicle(label);
    if (!element || !vehicle) return;
    element.classList.toggle('dragging', dx !== 0 || dy !== 0);
    element.parentNode?.append(element);
    place(element, { ...vehicle, x: vehicle.x + dx / CELL, y: vehicle.y + dy / CELL });
  }

  /** The cell at the pointer, which may be outside the board. @param {PointerEvent} event */
  cellAt(event) {
    const point = this.unitsAt(event);
    return { x: Math.floor((point.x - MARGIN) / CELL), y: Math.floor((point.y - MARGIN) / CELL) };
  }

  /** The position of the pointer in units of the drawing. @param {PointerEvent} event */
  unitsAt({ clientX, clientY }) {
    const matrix = this.element.getScreenCTM();
    return matrix ? new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse()) : new DOMPoint(-1, -1);
  }

  #draw() {
    const { board, options } = this;
    const small = options.small ?? false;
    set(this.element, { viewBox: viewBox(board) });
    this.#paints = palette(board);
    const hadFocus = [...this.#vehicles].find(([, element]) => element === document.activeElement)?.[0];
    this.#vehicles.clear();
    this.#reach.replaceChildren();
    this.#marks.replaceChildren();
    const backwards = !isForward(board.exit.side);
    const target = board.target;
    const layer = s('g.vehicles');
    for (const vehicle of board.vehicles) {
      const paint = this.#paints.get(vehicle.label);
      if (!paint) continue;
      const element = s('g', { class: vehicle === target ? 'vehicle target' : 'vehicle', 'data-label': vehicle.label });
      element.append(body(vehicle, paint, { small, target: vehicle === target, backwards: vehicle === target && backwards }));
      if (!small) {
        const [w, h] = sizeOf(vehicle);
        element.append(s('rect.hatch', { x: 5, y: 5, width: w - 10, height: h - 10, rx: 15, fill: 'url(#hatch)' }));
        element.append(s('rect.ring', { x: 1, y: 1, width: w - 2, height: h - 2, rx: 17 }));
      }
      place(element, vehicle);
      this.#vehicles.set(vehicle.label, element);
      layer.append(element);
    }
    this.element.replaceChildren(tray(board, small), this.#reach, layer, this.#marks, this.overlay);
    this.#describe();
    if (hadFocus) this.#vehicles.get(hadFocus)?.focus();
  }

  /** Updates the descriptions for screen readers. */
  #describe() {
    const { board, options, element } = this;
    const where = board.exitLine === null ? /** @type {const} */ ('board.no-exit') : /** @type {const} */ (`board.exit-${board.exit.side}`);
    const label = t(where, { board: options.label ?? t('board.board'), width: board.width, height: board.height, line: (board.exitLine ?? 0) + 1 });
    set(element, { 'aria-label': label, role: element.getAttribute('role') ?? (options.interactive ? 'group' : 'img') });
    if (!options.interactive) return;
    element.classList.toggle('open', isOpen(board));
    const reachable = board.vehicle(this.#reachable ?? '') ?? board.target ?? board.vehicles[0];
    for (const vehicle of board.vehicles) {
      const item = this.#vehicles.get(vehicle.label);
      if (!item) continue;
      const position = positionOf(vehicle) + 1;
      set(item, {
        tabindex: vehicle === reachable ? 0 : -1,
        // Screen readers pass arrow keys and swipes on a slider to the page.
        role: 'slider',
        'aria-roledescription': t('board.vehicle'),
        'aria-orientation': vehicle.horizontal ? 'horizontal' : 'vertical',
        'aria-valuemin': 1,
        'aria-valuemax': board.along(vehicle) - vehicle.length + 1,
        'aria-valuenow': position,
        'aria-valuetext': t(vehicle.horizontal ? 'board.column' : 'board.row', { line: position }),
        'aria-label': describe(vehicle, board),
      });
    }
  }

  #listen() {
    // Touching a vehicle moves it, touching elsewhere scrolls the page. Browsers ignore `touch-action` inside an SVG.
    const hold = (/** @type {TouchEvent} */ event) => !this.#locked && labelOf(event.target) && event.preventDefault();
    this.element.addEventListener('touchstart', hold, { passive: false });
    set(this.element, {
      onpointerdown: (event) => this.#pointerDown(event),
      onpointermove: (event) => this.#pointerMove(event),
      onpointerup: (event) => {
        if (event.pointerId !== this.#drag?.pointer) return;
        // A vehicle that was held still is not flicked.
        if (event.timeStamp - this.#drag.time > 60) this.#drag.speed = 0;
        this.#endDrag(true);
      },
      onpointercancel: (event) => event.pointerId === this.#drag?.pointer && this.#endDrag(false),
      onkeydown: (event) => this.#key(event),
      onfocusin: (event) => this.#select(labelOf(event.target)),
      onfocusout: () => this.#select(null),
    });
  }

  /** @param {string | null} label */
  #select(label) {
    this.#selected = label;
    if (label) {
      this.#reachable = label;
      for (const [other, element] of this.#vehicles) set(element, { tabindex: other === label ? 0 : -1 });
    }
    this.#showReach();
  }

  /** Marks the cells that the selected vehicle can reach; a tap there moves it. */
  #showReach() {
    this.#reach.replaceChildren();
    const vehicle = this.#selected && !this.#locked && this.board.vehicle(this.#selected);
    if (!vehicle) return;
    const { back, forward } = this.board.range(vehicle.label);
    for (let cells = -back; cells <= forward; cells++) {
      if (cells === 0) continue;
      const [x, y] = corner(slid(vehicle, cells < 0 ? cells : vehicle.length - 1 + cells));
      const spot = s('g.spot', { 'data-cells': cells });
      spot.append(s('rect', { x, y, width: CELL, height: CELL }), s('circle', { cx: x + CELL / 2, cy: y + CELL / 2, r: 8 }));
      this.#reach.append(spot);
    }
  }

  /** @param {PointerEvent} event */
  #pointerDown(event) {
    if (this.#locked || this.#drag || event.button !== 0) return;
    const spot = event.target instanceof Element && event.target.closest('.spot');
    if (spot && this.#selected) {
      event.preventDefault();
      return this.onmove({ label: this.#selected, cells: Number(spot.getAttribute('data-cells')) });
    }
    const label = labelOf(event.target);
    const vehicle = label && this.board.vehicle(label);
    if (!label || !vehicle) return;
    event.preventDefault();
    const item = this.#vehicles.get(label);
    item?.focus({ preventScroll: true });
    item?.classList.add('dragging');
    this.element.setPointerCapture(event.pointerId);
    const { back, forward } = this.board.range(label);
    const point = this.unitsAt(event);
    const from = vehicle.horizontal ? point.x : point.y;
    // The target may be dragged into the open exit.
    const out = this.board.target === vehicle && isOpen(this.board) ? (isForward(this.board.exit.side) ? 1 : -1) : 0;
    this.#drag = { label, pointer: event.pointerId, from, at: from, delta: 0, speed: 0, time: event.timeStamp, low: -back, high: forward, out, beyond: 0 };
  }

  /** @param {PointerEvent} event */
  #pointerMove(event) {
    const drag = this.#drag;
    const vehicle = drag && this.board.vehicle(drag.label);
    if (!drag || !vehicle || event.pointerId !== drag.pointer) return;
    const point = this.unitsAt(event);
    const at = vehicle.horizontal ? point.x : point.y;
    const time = Math.max(event.timeStamp - drag.time, 1);
    drag.speed = 0.6 * ((at - drag.at) / time) + 0.4 * drag.speed;
    drag.at = at;
    drag.time = event.timeStamp;
    const wanted = at - drag.from;
    const [low, high] = [drag.low * CELL, drag.high * CELL];
    drag.delta = clamp(wanted, low, high);
    const beyond = (drag.beyond = wanted - drag.delta);
    // A blocked vehicle yields a little, the exit more.
    const give = Math.sign(beyond) === drag.out ? Math.min(Math.abs(beyond), CELL) : Math.min(Math.abs(beyond) * 0.08, 4);
    const shift = (drag.delta + Math.sign(beyond) * give) / CELL;
    const element = this.#vehicles.get(drag.label);
    if (element) place(element, slid(vehicle, shift));
  }

  /** @param {boolean} commit whether the vehicle stays where it was dragged, or goes back */
  #endDrag(commit) {
    const drag = this.#drag;
    if (!drag) return;
    this.#drag = null;
    const element = this.#vehicles.get(drag.label);
    const vehicle = this.board.vehicle(drag.label);
    element?.classList.remove('dragging');
    if (this.element.hasPointerCapture(drag.pointer)) this.element.releasePointerCapture(drag.pointer);
    if (!element || !vehicle) return;
    element.style.transitionDuration = '130ms';
    // A flick completes a cell that the drag has begun, but goes no further.
    const carried = drag.delta / CELL + clamp((drag.speed * 90) / CELL, -0.3, 0.3);
    const cells = clamp(Math.round(carried), drag.low, drag.high);
    if (commit && cells !== 0) this.onmove({ label: drag.label, cells });
    else place(element, vehicle);
    if (commit && !cells && Math.abs(drag.beyond) > CELL / 3 && Math.sign(drag.beyond) !== drag.out) this.onblocked(drag.label, Math.sign(drag.beyond));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const label = labelOf(event.target);
    const vehicle = label && this.board.vehicle(label);
    if (!label || !vehicle || event.ctrlKey || event.metaKey || event.altKey) return;
    const { back, forward } = this.board.range(label);
    const across = /** @type {Record<string, number>} */ (vehicle.horizontal ? { ArrowUp: -1, ArrowDown: 1 } : { ArrowLeft: -1, ArrowRight: 1 });
    const along = /** @type {Record<string, number>} */ (vehicle.horizontal ? { ArrowLeft: -1, ArrowRight: 1, Home: -1, End: 1 } : { ArrowUp: -1, ArrowDown: 1, Home: -1, End: 1 });
    const sign = along[event.key];
    if (!sign && !across[event.key]) return;
    event.preventDefault();
    if (!sign) return this.#vehicles.get(neighbour(vehicle, across[event.key], this.board)?.label ?? '')?.focus({ preventScroll: true });
    if (this.#locked) return;
    const most = event.shiftKey || !event.key.startsWith('Arrow') ? Infinity : 1;
    const cells = sign * Math.min(most, sign < 0 ? back : forward);
    if (cells) return this.onmove({ label, cells });
    this.#vehicles.get(label)?.animate?.([{ opacity: 1 }, { opacity: 0.7 }, { opacity: 1 }], { duration: calm() ? 0 : 160 });
    this.onblocked(label, sign);
  }
}

/** The nearest vehicle across a vehicle's line. @param {Vehicle} from @param {number} sign -1: above or to the left @param {Board} board */
function neighbour(from, sign, board) {
  const middle = (/** @type {Vehicle} */ { x, y, length, horizontal }) => (horizontal ? [x + length / 2, y + 0.5] : [x + 0.5, y + length / 2]);
  const distance = (/** @type {Vehicle} */ vehicle) => {
    const [dx, dy] = middle(vehicle).map((value, i) => value - middle(from)[i]);
    const [ahead, aside] = from.horizontal ? [sign * dy, dx] : [sign * dx, dy];
    return ahead > 0 ? ahead + 1.5 * Math.abs(aside) : Infinity;
  };
  const [nearest] = board.vehicles.filter((vehicle) => distance(vehicle) < Infinity).sort((a, b) => distance(a) - distance(b));
  return nearest;
}

/** A small picture of a board. @param {string} line @param {string} [label] */
export const thumbnail = (line, label) => new BoardView(Board.parse(line), { small: true, label }).element;

/** The top left corner of a vehicle. @param {Vehicle} vehicle */
const corner = ({ x, y }) => [MARGIN + x * CELL, MARGIN + y * CELL];

/** @param {SVGGElement} element @param {Vehicle} vehicle */
function place(element, vehicle) {
  const [x, y] = corner(vehicle);
  element.style.transform = `translate(${x}px, ${y}px)`;
}

/** Whether the path of the target to the exit is clear. @param {Board} board */
function isOpen(board) {
  const { target, exit } = board;
  if (!target) return false;
  const { back, forward } = board.range(target.label);
  return isForward(exit.side) ? positionOf(target) + target.length + forward === board.along(target) : positionOf(target) === back;
}

/** The label of the vehicle that an event targets. @param {EventTarget | null} target */
function labelOf(target) {
  return (target instanceof Element && target.closest('.vehicle')?.getAttribute('data-label')) || null;
}

/** `car B, vertical, column 3, can move up 1, down 2`. @param {Vehicle} vehicle @param {Board} board */
function describe(vehicle, board) {
  const { back, forward } = board.range(vehicle.label);
  const moves = [-back, forward].filter((cells) => cells !== 0).map((cells) => slideText({ label: vehicle.label, cells }, board));
  const slides = moves.length ? t('board.can-move', { slides: moves.join(', ') }) : t('board.cannot-move');
  const name = board.target === vehicle ? t('board.target', { vehicle: nameOf(vehicle) }) : nameOf(vehicle);
  return vehicle.horizontal ? t('board.in-row', { vehicle: name, line: vehicle.y + 1, slides }) : t('board.in-column', { vehicle: name, line: vehicle.x + 1, slides });
}
