// @ts-check
// Changes to a board in the editor. Each takes a board and returns another, or null if the change does not fit.
import { LABELS, MAX_SIDE, byLabel, cellsOf, isHorizontal, nameOf, slid } from './board.js';
import { t } from './i18n.js';

/** @import { Board, Exit, Vehicle } from './board.js' */

/** @typedef {{x: number, y: number}} Cell */

/** Why a vehicle cannot be made shorter. */
export const TOO_SHORT = t('edit.too-short');

/** Whether a cell is on the board. @param {Board} board @param {Cell} cell */
export const inside = (board, { x, y }) => x >= 0 && y >= 0 && x < board.width && y < board.height;

/** Whether a vehicle fits on the board, ignoring its own current cells. @param {Board} board @param {Vehicle} vehicle */
export const fits = (board, vehicle) =>
  cellsOf(vehicle).every((cell) => {
    const there = inside(board, cell) ? board.at(cell.x, cell.y) : 'wall';
    return there === null || (there !== 'wall' && there.label === vehicle.label);
  });

/** An unused label; `A` if there is no target and the new vehicle can be it. @param {Board} board @param {boolean} horizontal */
export function freeLabel(board, horizontal) {
  const mayBeTarget = board.exit.line !== null || horizontal === isHorizontal(board.exit.side);
  return LABELS.find((label) => (label !== 'A' || mayBeTarget) && !board.vehicle(label)) ?? null;
}

/** Adds a vehicle, or replaces the one with its label. @param {Board} board @param {Vehicle} vehicle */
export function placed(board, vehicle) {
  if (vehicle.length < 2 || !fits(board, vehicle)) return null;
  const others = board.vehicles.filter(({ label }) => label !== vehicle.label);
  const vehicles = [...others, vehicle].sort(byLabel);
  return board.with({ vehicles });
}

/**
 * A new vehicle that covers a cell, shifted or turned until it fits.
 * @param {Board} board
 * @param {Cell} cell
 * @param {number} length
 * @param {boolean} horizontal preferred orientation
 * @returns {Vehicle | null}
 */
export function fitted(board, { x, y }, length, horizontal) {
  for (const flat of [horizontal, !horizontal]) {
    const label = freeLabel(board, flat);
    if (!label) continue;
    for (let shift = 0; shift < length; shift++) {
      const vehicle = { label, x: flat ? x - shift : x, y: flat ? y : y - shift, length, horizontal: flat };
      if (fits(board, vehicle)) return vehicle;
    }
  }
  return null;
}

/** Removes the vehicle or the wall in a cell. @param {Board} board @param {Cell} cell */
export function erased(board, { x, y }) {
  const there = board.at(x, y);
  if (there === null) return null;
  if (there === 'wall') return board.with({ walls: board.walls.filter((wall) => wall.x !== x || wall.y !== y) });
  return board.with({ vehicles: board.vehicles.filter((vehicle) => vehicle !== there) });
}

/** Adds a wall. @param {Board} board @param {Cell} cell */
export const walled = (board, { x, y }) => (board.at(x, y) === null ? board.with({ walls: [...board.walls, { x, y }] }) : null);

/** Turns a vehicle about the first of its cells for which it fits. @param {Board} board @param {Vehicle} vehicle */
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

/** Makes a vehicle longer or shorter by one cell, at either end. @param {Board} board @param {Vehicle} vehicle @param {1 | -1} by */
export function stretched(board, vehicle, by) {
  const length = vehicle.length + by;
  return placed(board, { ...vehicle, length }) ?? placed(board, { ...slid(vehicle, -1), length });
}

/** Makes a vehicle the target: it swaps labels with the current target. @param {Board} board @param {Vehicle} vehicle */
export function asTarget(board, vehicle) {
  const vehicles = board.vehicles.map((one) => (one === vehicle ? { ...one, label: 'A' } : one.label === 'A' ? { ...one, label: vehicle.label } : one));
  return board.with({ vehicles: vehicles.sort(byLabel) });
}

/** Resizes the board; removes everything that is no longer on it. @param {Board} board @param {number} width @param {number} height */
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

/** Removes all vehicles and walls. @param {Board} board */
export const cleared = (board) => board.with({ vehicles: [], walls: [] });

/** Reasons why a board is not a puzzle. @param {Board} board @returns {string[]} */
export function problems(board) {
  const { exit } = board;
  const axis = isHorizontal(exit.side) ? 'row' : 'column';
  if (!board.vehicles.length) return [t('draft-error.empty')];
  if (exit.line !== null) return board.target ? [] : [t(`draft-error.${axis}`, { line: exit.line + 1 })];
  const target = board.target;
  if (!target) return [t('draft-error.no-target')];
  if (target.horizontal === isHorizontal(exit.side)) return [];
  return [t('draft-error.across', { vehicle: nameOf(target) })];
}
