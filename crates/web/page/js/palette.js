// @ts-check
// The colours of vehicles. They differ in lightness as well as in hue, so that colour-blind users can tell them apart; every
// vehicle also has a label, and the target a star.
import { LABELS, cellsOf } from './board.js';

/** @import { Board } from './board.js' */

/** @typedef {{fill: string, ink: string}} Paint */

const DARK = '#14202b';
const LIGHT = '#ffffff';

/** @type {Paint} */
const TARGET = { fill: '#d8343a', ink: LIGHT };

/** The colours of the others, alternating between light and dark. @type {Paint[]} */
const OTHERS = [
  { fill: '#84ccf5', ink: DARK }, // sky
  { fill: '#3566cf', ink: LIGHT }, // blue
  { fill: '#f5c52b', ink: DARK }, // gold
  { fill: '#178a66', ink: LIGHT }, // green
  { fill: '#eb9cc2', ink: DARK }, // pink
  { fill: '#8a3a80', ink: LIGHT }, // plum
  { fill: '#ebe4cc', ink: DARK }, // sand
  { fill: '#7c8a9c', ink: DARK }, // slate
  { fill: '#b197ea', ink: DARK }, // lilac
  { fill: '#45b8a3', ink: DARK }, // teal
];

/**
 * Assigns a colour to every vehicle: all are used in turn, but neighbours get different ones if possible.
 * @param {Board} board
 * @returns {Map<string, Paint>}
 */
export function palette(board) {
  const target = board.target;
  /** @type {Map<string, Paint>} */
  const chosen = new Map();
  for (const vehicle of board.vehicles) {
    if (vehicle === target) {
      chosen.set(vehicle.label, TARGET);
      continue;
    }
    const near = new Set();
    for (const { x, y } of cellsOf(vehicle)) {
      for (const [a, b] of [[x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]]) {
        const other = board.at(a, b);
        if (other && other !== 'wall') near.add(chosen.get(other.label));
      }
    }
    // The label decides, so that the others keep their colours when a vehicle is removed.
    const turn = Math.max(LABELS.indexOf(vehicle.label) - 1, 0);
    const inTurn = OTHERS.map((_, i) => OTHERS[(turn + i) % OTHERS.length]);
    chosen.set(vehicle.label, inTurn.find((paint) => !near.has(paint)) ?? inTurn[0]);
  }
  return chosen;
}
