// @ts-check
// Editing a board with a tool: by pointer, or by keyboard with a cursor.
import { cellsOf, nameOf } from './board.js';
import { TOO_SHORT, erased, fits, fitted, freeLabel, inside, placed, stretched, turned, walled } from './draft.js';
import { s, set } from './dom.js';
import { t } from './i18n.js';
import { CELL, MARGIN, sizeOf } from './shapes.js';

/** @import { Board, Vehicle } from './board.js' */
/** @import { Cell } from './draft.js' */
/** @import { BoardView } from './view.js' */

/** @typedef {'select' | 'car' | 'truck' | 'wall' | 'erase'} Tool */

/**
 * A gesture in progress: `move` previews it, `end` returns the resulting board.
 * @typedef {{move(cell: Cell, event: PointerEvent): void, end(): Board | null}} Gesture
 */

export class Drawing {
  /** @type {Tool} */
  tool = 'select';
  /** The label of the selected vehicle. @type {string | null} */
  selected = null;
  /** Orientation of vehicles that are placed by a tap. */
  horizontal = true;
  /** @type {Cell} */
  #cursor = { x: 0, y: 0 };
  /** @type {Gesture | null} */
  #gesture = null;
  /** @type {number | null} */
  #pointer = null;
  #ghost = s('g');
  #handles = s('g');
  #cell = s('rect.cursor', { width: CELL, height: CELL, rx: 12 });

  /**
   * @param {BoardView} view
   * @param {{change: (board: Board) => void, select: () => void, say: (text: string) => void, tool: (tool: Tool) => void, undo: () => void, redo: () => void}} owner
   */
  constructor(view, owner) {
    this.view = view;
    this.owner = owner;
    const { element } = view;
    view.overlay.append(this.#ghost, this.#handles, this.#cell);
    element.classList.add('drawing');
    set(element, {
      tabindex: 0,
      // Makes screen readers pass the arrow keys to the page.
      role: 'application',
      'aria-roledescription': t('edit.editor'),
      'aria-describedby': 'drawing-help',
      onpointerdown: (event) => this.#down(event),
      onpointermove: (event) => event.pointerId === this.#pointer && this.#gesture?.move(view.cellAt(event), event),
      onpointerup: (event) => this.#up(event, true),
      onpointercancel: (event) => this.#up(event, false),
      onkeydown: (event) => {
        element.classList.add('by-key');
        this.#key(event);
      },
      onfocus: () => element.classList.toggle('by-key', element.matches(':focus-visible') && this.#pointer === null),
    });
    this.draw();
  }

  get board() {
    return this.view.board;
  }

  get vehicle() {
    return this.selected === null ? undefined : this.board.vehicle(this.selected);
  }

  /** Draws the overlay: the selection and the cursor. */
  draw() {
    const { x, y } = (this.#cursor = { x: Math.min(this.#cursor.x, this.board.width - 1), y: Math.min(this.#cursor.y, this.board.height - 1) });
    set(this.#cell, { x: MARGIN + x * CELL, y: MARGIN + y * CELL });
    this.view.mark('selected', this.selected === null ? [] : [this.selected]);
    const vehicle = this.vehicle;
    this.#handles.replaceChildren(...(vehicle ? [this.#handle(vehicle, false), this.#handle(vehicle, true)] : []));
  }

  /** Selects a vehicle, or none. @param {string | null} label */
  select(label) {
    this.selected = label;
    this.draw();
    this.owner.select();
  }

  /** The resize handle at an end of a vehicle. @param {Vehicle} vehicle @param {boolean} last */
  #handle({ x, y, length, horizontal }, last) {
    const end = last ? length * CELL : 0;
    const [cx, cy] = horizontal ? [x * CELL + end, (y + 0.5) * CELL] : [(x + 0.5) * CELL, y * CELL + end];
    const at = { cx: MARGIN + cx, cy: MARGIN + cy };
    return s('g.handle', { 'data-end': last ? 'last' : 'first' }, s('circle', { ...at, r: 24, class: 'grip' }), s('circle', { ...at, r: 10 }));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (this.#gesture || event.button !== 0) return;
    this.view.element.classList.remove('by-key');
    const cell = this.view.cellAt(event);
    const handle = event.target instanceof Element && event.target.closest('.handle');
    const gesture = handle && this.vehicle ? this.#resize(this.vehicle, handle.getAttribute('data-end') === 'last') : inside(this.board, cell) ? this.#start(cell, event) : null;
    if (!inside(this.board, cell) && !handle) this.select(null);
    event.preventDefault();
    this.view.element.focus({ preventScroll: true });
    this.view.element.classList.remove('by-key');
    if (inside(this.board, cell)) this.#cursor = cell;
    this.draw();
    if (!gesture) return;
    this.#gesture = gesture;
    this.#pointer = event.pointerId;
    this.view.element.setPointerCapture(event.pointerId);
    gesture.move(cell, event);
  }

  /** @param {PointerEvent} event @param {boolean} commit whether to apply the gesture */
  #up(event, commit) {
    if (event.pointerId !== this.#pointer) return;
    const made = this.#gesture?.end() ?? null;
    this.#gesture = null;
    this.#pointer = null;
    this.#ghost.replaceChildren();
    if (commit && made) this.owner.change(made);
    this.draw();
  }

  /** @param {Cell} cell @param {PointerEvent} event @returns {Gesture | null} */
  #start(cell, event) {
    const there = this.board.at(cell.x, cell.y);
    if (this.tool === 'wall' || this.tool === 'erase') return this.#paint(there === 'wall' || this.tool === 'erase' ? erased : walled);
    if (there && there !== 'wall') {
      this.select(there.label);
      return this.#carry(there, cell, event);
    }
    this.select(null);
    return this.tool === 'select' || there === 'wall' ? null : this.#stretch(cell, this.tool === 'car' ? 2 : 3);
  }

  /** Sets or clears every cell that the pointer passes over. @param {(board: Board, cell: Cell) => Board | null} apply @returns {Gesture} */
  #paint(apply) {
    let { board } = this;
    return {
      move: (cell) => {
        const next = inside(board, cell) ? apply(board, cell) : null;
        if (!next) return;
        board = next;
        this.view.show(board);
      },
      end: () => board,
    };
  }

  /** Draws a new vehicle; a tap places one of the default length. @param {Cell} from @param {number} length @returns {Gesture} */
  #stretch(from, length) {
    /** @type {Vehicle | null} */
    let vehicle = null;
    return {
      move: (to) => {
        const [dx, dy] = [to.x - from.x, to.y - from.y];
        if (!dx && !dy) vehicle = fitted(this.board, from, length, this.horizontal);
        else {
          const horizontal = Math.abs(dx) >= Math.abs(dy);
          const label = freeLabel(this.board, horizontal);
          const cells = horizontal ? dx : dy;
          const start = Math.min(cells, 0);
          vehicle = label && { label, x: from.x + (horizontal ? start : 0), y: from.y + (horizontal ? 0 : start), length: Math.abs(cells) + 1, horizontal } || null;
        }
        this.#outline(vehicle ?? { label: '', ...from, length: 1, horizontal: true });
      },
      end: () => {
        const made = vehicle && placed(this.board, vehicle);
        if (made && vehicle) this.selected = vehicle.label;
        if (!made) this.owner.say(t('edit.no-room-here'));
        return made;
      },
    };
  }

  /** Moves a vehicle anywhere. @param {Vehicle} vehicle @param {Cell} from @param {PointerEvent} event @returns {Gesture} */
  #carry(vehicle, from, event) {
    const start = this.view.unitsAt(event);
    let next = vehicle;
    return {
      move: (to, event) => {
        const point = this.view.unitsAt(event);
        const [dx, dy] = [point.x - start.x, point.y - start.y];
        if (Math.hypot(dx, dy) < 8) return;
        this.#handles.replaceChildren();
        this.view.lift(vehicle.label, dx, dy);
        next = { ...vehicle, x: vehicle.x + to.x - from.x, y: vehicle.y + to.y - from.y };
        this.#outline(next);
      },
      end: () => {
        this.view.lift(vehicle.label, 0, 0);
        return next === vehicle ? null : placed(this.board, next);
      },
    };
  }

  /** @param {Vehicle} vehicle @param {boolean} last @returns {Gesture} */
  #resize(vehicle, last) {
    const cells = cellsOf(vehicle);
    const fixed = cells.at(last ? 0 : -1) ?? vehicle;
    let next = vehicle;
    return {
      move: (to) => {
        const [at, anchor] = vehicle.horizontal ? [to.x, fixed.x] : [to.y, fixed.y];
        // The dragged end stays on its side of the fixed end.
        const end = last ? Math.max(at, anchor + 1) : Math.min(at, anchor - 1);
        const wanted = { ...vehicle, [vehicle.horizontal ? 'x' : 'y']: Math.min(end, anchor), length: Math.abs(end - anchor) + 1 };
        if (fits(this.board, wanted)) next = wanted;
        this.#outline(next);
      },
      end: () => (next === vehicle ? null : placed(this.board, next)),
    };
  }

  /** @param {Vehicle} vehicle */
  #outline(vehicle) {
    const [w, h] = sizeOf(vehicle);
    const ok = vehicle.length > 1 && fits(this.board, vehicle);
    this.#ghost.replaceChildren(
      s('rect', { class: ok ? 'outline' : 'outline refused', x: MARGIN + vehicle.x * CELL + 4, y: MARGIN + vehicle.y * CELL + 4, width: w - 8, height: h - 8, rx: 14 }),
    );
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { owner } = this;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const arrows = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
    const tools = /** @type {Record<string, Tool>} */ ({ v: 'select', c: 'car', t: 'truck', w: 'wall', e: 'erase' });
    const longer = /** @type {Record<string, 1 | -1>} */ ({ '+': 1, '=': 1, '-': -1 });
    const vehicle = this.vehicle;
    if (command && key === 'z') event.shiftKey ? owner.redo() : owner.undo();
    else if (command || event.altKey) return;
    else if (arrows[key] && event.shiftKey && vehicle) {
      const [dx, dy] = arrows[key];
      this.#try(placed(this.board, { ...vehicle, x: vehicle.x + dx, y: vehicle.y + dy }), () => this.#step(dx, dy));
    } else if (arrows[key]) this.#step(...arrows[key]);
    else if (key === 'Enter' || key === ' ') this.#apply();
    else if (key === 'Delete' || key === 'Backspace') this.#erase(vehicle ?? this.#cursor);
    else if (longer[key]) vehicle ? this.#try(stretched(this.board, vehicle, longer[key]), undefined, vehicle.length + longer[key] < 2 ? TOO_SHORT : undefined) : owner.say(t('edit.nothing-selected'));
    else if (key === 'o') this.turn();
    else if (key === 'u') owner.undo();
    else if (key === 'r') owner.redo();
    else if (key === 'Escape') this.select(null);
    else if (tools[key]) owner.tool(tools[key]);
    else return;
    event.preventDefault();
  }

  /** Turns the selected vehicle, or the next one to be placed. */
  turn() {
    const vehicle = this.vehicle;
    if (vehicle) return this.#try(turned(this.board, vehicle));
    this.horizontal = !this.horizontal;
    this.owner.say(this.horizontal ? t('edit.new-horizontal') : t('edit.new-vertical'));
  }

  /** @param {number} dx @param {number} dy */
  #step(dx, dy) {
    const next = { x: this.#cursor.x + dx, y: this.#cursor.y + dy };
    if (!inside(this.board, next)) return;
    this.#cursor = next;
    this.draw();
    this.#describeCursor();
  }

  /** Announces the position of the cursor and the content of its cell. */
  #describeCursor() {
    const { x, y } = this.#cursor;
    const there = this.board.at(x, y);
    const content = there === null ? t('edit.empty-cell') : there === 'wall' ? t('tool.wall') : nameOf(there);
    this.owner.say(t('edit.at', { column: x + 1, row: y + 1, content }));
  }

  /** Applies the tool at the cursor. */
  #apply() {
    const cell = this.#cursor;
    const there = this.board.at(cell.x, cell.y);
    if (this.tool === 'erase') return this.#erase(cell);
    if (this.tool === 'wall') return this.#try(there === 'wall' ? erased(this.board, cell) : walled(this.board, cell));
    if (there && there !== 'wall') {
      this.select(there.label);
      return this.owner.say(t('edit.selected', { vehicle: nameOf(there) }));
    }
    if (this.tool === 'select') return this.select(null);
    const vehicle = fitted(this.board, cell, this.tool === 'car' ? 2 : 3, this.horizontal);
    this.#try(vehicle && placed(this.board, vehicle), () => this.select(vehicle?.label ?? null));
  }

  /** @param {Cell} cell */
  #erase(cell) {
    this.#try(erased(this.board, cell), () => this.select(null), t('edit.nothing-to-erase'));
  }

  /** @param {Board | null | undefined} board @param {() => void} [then] @param {string} [otherwise] announced if there is no board */
  #try(board, then, otherwise = t('edit.no-room')) {
    if (!board) return this.owner.say(otherwise);
    this.owner.change(board);
    then?.();
    this.#describeCursor();
  }
}
