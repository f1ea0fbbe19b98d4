// @ts-check
// Changes to a board that is being made. Each takes a board and gives another, or null where there is no room.
import { LABELS, MAX_SIDE, byLabel, cellsOf, isHorizontal, nameOf, slid } from './board.js';

/** @import { Board, Exit, Vehicle } from './board.js' */

/** @typedef {{x: number, y: number}} Cell */

/** Whether a cell lies on the board. @param {Board} board @param {Cell} cell */
export const inside = (board, { x, y }) => x >= 0 && y >= 0 && x < board.width && y < board.height;

/** Whether a vehicle has room, were it not for itself. @param {Board} board @param {Vehicle} vehicle */
export const fits = (board, vehicle) =>
  cellsOf(vehicle).every((cell) => {
    const there = inside(board, cell) ? board.at(cell.x, cell.y) : 'wall';
    return there === null || (there !== 'wall' && there.label === vehicle.label);
  });

/** A label that no vehicle has; `A` if the target is missing and this one could be it. @param {Board} board @param {boolean} horizontal */
export function freeLabel(board, horizontal) {
  const mayBeTarget = board.exit.line !== null || horizontal === isHorizontal(board.exit.side);
  return LABELS.find((label) => (label !== 'A' || mayBeTarget) && !board.vehicle(label)) ?? null;
}

/** The board with a vehicle added, or put in place of the one of its label. @param {Board} board @param {Vehicle} vehicle */
export function placed(board, vehicle) {
  if (vehicle.length < 2 || !fits(board, vehicle)) return null;
  const others = board.vehicles.filter(({ label }) => label !== vehicle.label);
  const vehicles = [...others, vehicle].sort(byLabel);
  return board.with({ vehicles });
}

/**
 * A new vehicle that covers a cell, shifted or turned until it has room.
 * @param {Board} board
 * @param {Cell} cell
 * @param {number} length
 * @param {boolean} horizontal the way it should lie
 * @returns {Vehicle | null}
 */
export function fitted(board, { x, y }, length, horizontal) {
  for (const way of [horizontal, !horizontal]) {
    const label = freeLabel(board, way);
    if (!label) continue;
    for (let shift = 0; shift < length; shift++) {
      const vehicle = { label, x: way ? x - shift : x, y: way ? y : y - shift, length, horizontal: way };
      if (fits(board, vehicle)) return vehicle;
    }
  }
  return null;
}

/** What lies in a cell taken away. @param {Board} board @param {Cell} cell */
export function erased(board, { x, y }) {
  const there = board.at(x, y);
  if (there === null) return null;
  if (there === 'wall') return board.with({ walls: board.walls.filter((wall) => wall.x !== x || wall.y !== y) });
  return board.with({ vehicles: board.vehicles.filter((vehicle) => vehicle !== there) });
}

/** A wall set. @param {Board} board @param {Cell} cell */
export const walled = (board, { x, y }) => (board.at(x, y) === null ? board.with({ walls: [...board.walls, { x, y }] }) : null);

/** A vehicle turned about one of its cells: the first at which it has room. @param {Board} board @param {Vehicle} vehicle */
export function turned(board, vehicle) {
  for (let pivot = 0; pivot < vehicle.length; pivot++) {
    for (let shift = 0; shift < vehicle.length; shift++) {
      const { x, y, horizontal } = vehicle;
      const next = horizontal ? { ...vehicle, x: x + pivot, y: y - shift, horizontal: false } : { ...vehicle, x: x - shift, y: y + pivot, horizontal: true };
      const made = placed(board, next);
      if (made) return made;
    }
  }
  return null;
}

/** A vehicle made longer or shorter by a cell, at either end. @param {Board} board @param {Vehicle} vehicle @param {1 | -1} by */
export function stretched(board, vehicle, by) {
  const length = vehicle.length + by;
  return placed(board, { ...vehicle, length }) ?? placed(board, { ...slid(vehicle, -1), length });
}

/** The vehicle as the target: it swaps labels with the one that was it. @param {Board} board @param {Vehicle} vehicle */
export function asTarget(board, vehicle) {
  const vehicles = board.vehicles.map((one) => (one === vehicle ? { ...one, label: 'A' } : one.label === 'A' ? { ...one, label: vehicle.label } : one));
  return board.with({ vehicles: vehicles.sort(byLabel) });
}

/** Another size; what no longer lies on the board is left out. @param {Board} board @param {number} width @param {number} height */
export function sized(board, width, height) {
  if (Math.min(width, height) < 2 || Math.max(width, height) > MAX_SIDE) return null;
  const size = { width, height };
  const on = (/** @type {Cell} */ cell) => cell.x < width && cell.y < height;
  const vehicles = board.vehicles.filter((vehicle) => cellsOf(vehicle).every(on));
  const lines = isHorizontal(board.exit.side) ? height : width;
  const line = board.exit.line === null ? null : Math.min(board.exit.line, lines - 1);
  return board.with({ ...size, vehicles, walls: board.walls.filter(on), exit: { ...board.exit, line } });
}

/** @param {Board} board @param {Exit} exit */
export const withExit = (board, exit) => board.with({ exit });

/** The board without vehicles and walls. @param {Board} board */
export const cleared = (board) => board.with({ vehicles: [], walls: [] });

/** What keeps a board from being a puzzle, in words. @param {Board} board @returns {string[]} */
export function problems(board) {
  const { exit } = board;
  const across = isHorizontal(exit.side) ? 'row' : 'column';
  if (!board.vehicles.length) return ['The board is empty: place the car that has to leave, and others in its way.'];
  if (exit.line !== null) return board.target ? [] : [`No vehicle lies along ${across} ${exit.line + 1}, the line of the exit.`];
  const target = board.target;
  if (!target) return ['There is no target: select a vehicle and make it the target.'];
  if (target.horizontal === isHorizontal(exit.side)) return [];
  return [`The target, ${nameOf(target)}, lies across the way to the exit: turn it, or move the exit to another side.`];
}
