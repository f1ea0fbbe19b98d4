// @ts-check
// The model: a board in line format, its vehicles, and their moves.
import { t } from './i18n.js';

export const MAX_SIDE = 16;

/** @typedef {'right' | 'left' | 'top' | 'bottom'} Side */
/** @typedef {{side: Side, line: number | null}} Exit `line`: an exit for any vehicle in that line; null: for the target, in its line */
/** @typedef {{label: string, x: number, y: number, length: number, horizontal: boolean}} Vehicle */
/** @typedef {{label: string, cells: number}} Move positive is right or down */

/** @type {Side[]} */
export const SIDES = ['right', 'left', 'top', 'bottom'];

/** Labels for new vehicles, in order of use. */
export const LABELS = [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnpqrstuvwyz123456789',
  ...'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρςστυφχψω',
  ...'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ',
];

/** The error of a text that is not a board. */
class BoardError extends Error {}

/** A board and the positions of its vehicles. Immutable: a move returns a new board. */
export class Board {
  /** @param {number} width @param {number} height @param {Vehicle[]} vehicles @param {{x: number, y: number}[]} [walls] @param {Exit} [exit] */
  constructor(width, height, vehicles, walls = [], exit = { side: 'right', line: null }) {
    this.width = width;
    this.height = height;
    this.vehicles = vehicles;
    this.walls = walls;
    this.exit = exit;
  }

  /** Parses `[WxH:]cells[@exit]`. @param {string} text */
  static parse(text) {
    const match = /^(?:(\d+)x(\d+):)?([^@:\s]+)(?:@(right|left|top|bottom)(?::(\d+))?)?$/.exec(text.trim());
    if (!match) throw new BoardError(t('board-error.line'));
    const cells = [...match[3]];
    const side = Math.round(Math.sqrt(cells.length));
    const [width, height] = match[1] ? [Number(match[1]), Number(match[2])] : [side, side];
    if (width * height !== cells.length) throw new BoardError(t('board-error.cells', { cells: cells.length, width, height }));
    if (Math.min(width, height) < 2 || Math.max(width, height) > MAX_SIDE) throw new BoardError(t('board-error.size'));
    /** @type {Map<string, {x: number, y: number}[]>} */
    const found = new Map();
    const walls = [];
    for (const [at, mark] of cells.entries()) {
      const cell = { x: at % width, y: Math.floor(at / width) };
      if (mark === 'x') walls.push(cell);
      else if (mark !== '.' && mark !== 'o') found.set(mark, [...(found.get(mark) ?? []), cell]);
    }
    const vehicles = [...found].map(([label, own]) => straight(label, own));
    vehicles.sort(byLabel);
    const exit = { side: /** @type {Side} */ (match[4] ?? 'right'), line: match[5] === undefined ? null : Number(match[5]) };
    return new Board(width, height, vehicles, walls, exit);
  }

  /** Returns the board with some properties replaced. @param {Partial<Pick<Board, 'width' | 'height' | 'vehicles' | 'walls' | 'exit'>>} change */
  with(change) {
    const { width, height, vehicles, walls, exit } = { ...this, ...change };
    return new Board(width, height, vehicles, walls, exit);
  }

  /** Returns the board in line format. */
  toString() {
    const cells = Array(this.width * this.height).fill('.');
    for (const { x, y } of this.walls) cells[y * this.width + x] = 'x';
    for (const vehicle of this.vehicles) for (const { x, y } of cellsOf(vehicle)) cells[y * this.width + x] = vehicle.label;
    const size = this.width === this.height ? '' : `${this.width}x${this.height}:`;
    const exit = exitText(this.exit);
    return `${size}${cells.join('')}${exit === 'right' ? '' : `@${exit}`}`;
  }

  /** The vehicle that must reach the exit: `A`, or for an exit of any vehicle the one nearest to it. */
  get target() {
    const { side, line } = this.exit;
    if (line === null) return this.vehicles.find((vehicle) => vehicle.label === 'A');
    const along = this.vehicles.filter((v) => v.horizontal === isHorizontal(side) && lineOf(v) === line);
    along.sort((a, b) => positionOf(a) - positionOf(b));
    return isForward(side) ? along.at(-1) : along[0];
  }

  /** The row or column of the exit; null if there is no target. */
  get exitLine() {
    const target = this.target;
    return this.exit.line ?? (target && target.horizontal === isHorizontal(this.exit.side) ? lineOf(target) : null);
  }

  /** Whether the target touches the side of the exit. */
  get solved() {
    const target = this.target;
    if (!target || target.horizontal !== isHorizontal(this.exit.side)) return false;
    const end = isForward(this.exit.side) ? this.along(target) - target.length : 0;
    return positionOf(target) === end;
  }

  /** The number of cells in a vehicle's line. @param {Vehicle} vehicle */
  along(vehicle) {
    return vehicle.horizontal ? this.width : this.height;
  }

  /** @param {string} label */
  vehicle(label) {
    return this.vehicles.find((vehicle) => vehicle.label === label);
  }

  /** The content of a cell: a vehicle, `'wall'` or null. @param {number} x @param {number} y */
  at(x, y) {
    if (this.walls.some((wall) => wall.x === x && wall.y === y)) return 'wall';
    return this.vehicles.find((v) => (v.horizontal ? v.y === y && x >= v.x && x < v.x + v.length : v.x === x && y >= v.y && y < v.y + v.length)) ?? null;
  }

  /** How far a vehicle can slide: cells back (left or up) and forward (right or down). @param {string} label */
  range(label) {
    const vehicle = this.vehicle(label);
    if (!vehicle) return { back: 0, forward: 0 };
    const free = (/** @type {number} */ position) => {
      if (position < 0 || position >= this.along(vehicle)) return false;
      return this.at(vehicle.horizontal ? position : vehicle.x, vehicle.horizontal ? vehicle.y : position) === null;
    };
    const position = positionOf(vehicle);
    let back = 0;
    let forward = 0;
    while (free(position - back - 1)) back++;
    while (free(position + vehicle.length + forward)) forward++;
    return { back, forward };
  }

  /** What stops a vehicle in a direction: another vehicle, a wall, or null for the edge. @param {string} label @param {number} sign -1: left or up, 1: right or down */
  blocker(label, sign) {
    const vehicle = this.vehicle(label);
    if (!vehicle) return null;
    const { back, forward } = this.range(label);
    const position = positionOf(vehicle) + (sign < 0 ? -back - 1 : vehicle.length + forward);
    return this.at(vehicle.horizontal ? position : vehicle.x, vehicle.horizontal ? vehicle.y : position);
  }

  /** Returns the board after a move, without checking that the move is legal. @param {Move} move */
  after({ label, cells }) {
    const vehicles = this.vehicles.map((vehicle) => (vehicle.label === label ? slid(vehicle, cells) : vehicle));
    return this.with({ vehicles });
  }

  /** Whether a move is legal. @param {Move} move */
  allows({ label, cells }) {
    const { back, forward } = this.range(label);
    return cells !== 0 && cells >= -back && cells <= forward;
  }

  /** Returns the board with other positions: a base-36 digit per label. @param {string} labels @param {string} positions */
  placed(labels, positions) {
    const order = [...labels];
    const vehicles = this.vehicles.map((vehicle) => {
      const position = parseInt(positions[order.indexOf(vehicle.label)], 36);
      return slid(vehicle, position - positionOf(vehicle));
    });
    return this.with({ vehicles });
  }

  /** Whether another board has the same vehicles in the same lines, so that one can slide into the other. @param {Board} other */
  sameLayout(other) {
    return (
      this.width === other.width &&
      this.height === other.height &&
      exitText(this.exit) === exitText(other.exit) &&
      this.exitLine === other.exitLine &&
      this.vehicles.length === other.vehicles.length &&
      this.walls.length === other.walls.length &&
      this.walls.every((wall, i) => wall.x === other.walls[i].x && wall.y === other.walls[i].y) &&
      this.vehicles.every((v, i) => {
        const o = other.vehicles[i];
        return v.label === o.label && v.length === o.length && v.horizontal === o.horizontal && lineOf(v) === lineOf(o);
      })
    );
  }
}

/** Orders vehicles by label: the target first, the others in the order of `LABELS`. @param {Vehicle} a @param {Vehicle} b */
export const byLabel = (a, b) => rank(a.label) - rank(b.label);

/** @param {string} label */
function rank(label) {
  const known = LABELS.indexOf(label);
  return known < 0 ? LABELS.length + (label.codePointAt(0) ?? 0) : known;
}

/** @param {string} label @param {{x: number, y: number}[]} cells @returns {Vehicle} */
function straight(label, cells) {
  const { x, y } = cells[0];
  const horizontal = cells.length > 1 && cells[1].y === y;
  const inLine = cells.every((cell, i) => cell.x === x + (horizontal ? i : 0) && cell.y === y + (horizontal ? 0 : i));
  if (cells.length < 2) throw new BoardError(t('board-error.short', { label }));
  if (!inLine) throw new BoardError(t('board-error.bent', { label }));
  return { label, x, y, length: cells.length, horizontal };
}

/** Returns a vehicle moved along its line. @param {Vehicle} vehicle @param {number} cells @returns {Vehicle} */
export const slid = (vehicle, cells) => (vehicle.horizontal ? { ...vehicle, x: vehicle.x + cells } : { ...vehicle, y: vehicle.y + cells });

/** The cells that a vehicle covers. @param {Vehicle} vehicle */
export const cellsOf = ({ x, y, length, horizontal }) => Array.from({ length }, (_, i) => (horizontal ? { x: x + i, y } : { x, y: y + i }));

/** The coordinate that changes when a vehicle moves. @param {Vehicle} vehicle */
export const positionOf = (vehicle) => (vehicle.horizontal ? vehicle.x : vehicle.y);

/** The row or column of a vehicle. @param {Vehicle} vehicle */
const lineOf = (vehicle) => (vehicle.horizontal ? vehicle.y : vehicle.x);

/** Whether vehicles that leave by a side are horizontal. @param {Side} side */
export const isHorizontal = (side) => side === 'right' || side === 'left';

/** Whether vehicles that leave by a side move towards larger coordinates. @param {Side} side */
export const isForward = (side) => side === 'right' || side === 'bottom';

/** @param {Exit} exit */
const exitText = ({ side, line }) => (line === null ? side : `${side}:${line}`);

/** Parses `C+2`. @param {string} text @returns {Move} */
export function parseMove(text) {
  const [label, sign, ...digits] = [...text];
  return { label, cells: (sign === '+' ? 1 : -1) * Number(digits.join('')) };
}

/** Formats a move: `C+2`. @param {Move} move */
export const moveText = ({ label, cells }) => `${label}${cells < 0 ? '-' : '+'}${Math.abs(cells)}`;

/** The name of a vehicle by its length: `car C`, `truck H`. @param {Pick<Vehicle, 'label' | 'length'>} vehicle */
export const nameOf = ({ label, length }) => t(length > 2 ? 'vehicle.truck' : 'vehicle.car', { label });

/** The name of the vehicle that a move is for. @param {Move} move @param {Board} board */
export const moverOf = ({ label }, board) => nameOf({ length: 2, ...board.vehicle(label), label });

/** The direction of a move. @param {Move} move @param {Board} board @returns {'left' | 'right' | 'up' | 'down'} */
function directionOf({ label, cells }, board) {
  if (board.vehicle(label)?.horizontal) return cells < 0 ? 'left' : 'right';
  return cells < 0 ? 'up' : 'down';
}

/** The direction and distance of a move: `down 2`. @param {Move} move @param {Board} board */
export const slideText = (move, board) => t(`slide.${directionOf(move, board)}`, { count: Math.abs(move.cells) });

/** A move in words: `C down 2`. @param {Move} move @param {Board} board */
export const spoken = (move, board) => t('move.words', { vehicle: move.label, slide: slideText(move, board) });

/** The same with the kind of the vehicle: `truck C down 2`. @param {Move} move @param {Board} board */
export const worded = (move, board) => t('move.words', { vehicle: moverOf(move, board), slide: slideText(move, board) });

/** A move as an arrow: `↓ 2`. @param {Move} move @param {Board} board */
export const arrowText = (move, board) => `${{ left: '←', right: '→', up: '↑', down: '↓' }[directionOf(move, board)]} ${Math.abs(move.cells)}`;
