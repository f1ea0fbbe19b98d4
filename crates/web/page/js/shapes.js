// @ts-check
// The shapes of a board as SVG: the tray, the exit, walls and vehicles. One cell is `CELL` units wide.
import { isForward, isHorizontal } from './board.js';
import { s } from './dom.js';

/** @import { Board, Vehicle } from './board.js' */
/** @import { Paint } from './palette.js' */

export const CELL = 64;
/** The space around the cells: the rim of the tray, and the exit. */
export const MARGIN = 26;
const RIM = 13;

/** Width and height of a vehicle. @param {Vehicle} vehicle */
export const sizeOf = ({ length, horizontal }) => (horizontal ? [length * CELL, CELL] : [CELL, length * CELL]);

/** The view box of a board. @param {Board} board */
export const viewBox = ({ width, height }) => `0 0 ${width * CELL + 2 * MARGIN} ${height * CELL + 2 * MARGIN}`;

/** The tray with its exit and walls: everything that never moves. @param {Board} board @param {boolean} small a thumbnail */
export function tray(board, small) {
  const [w, h] = [board.width * CELL, board.height * CELL];
  const rim = { x: MARGIN - RIM, y: MARGIN - RIM, width: w + 2 * RIM, height: h + 2 * RIM, rx: 20 };
  const line = board.exitLine;
  return s(
    'g.ground',
    s('rect.rim-shadow', { ...rim, y: rim.y + 5 }),
    s('rect.rim', rim),
    s('rect.floor', { x: MARGIN, y: MARGIN, width: w, height: h, rx: 9 }),
    !small && bays(board),
    line !== null && exit(board, line, small),
    ...board.walls.map(({ x, y }) => wall(x, y)),
  );
}

/** The parking bays: small marks where four cells meet. @param {Board} board */
function bays({ width, height }) {
  let d = '';
  for (let y = 1; y < height; y++) {
    for (let x = 1; x < width; x++) d += `M${MARGIN + x * CELL - 5} ${MARGIN + y * CELL}h10m-5-5v10`;
  }
  return s('path.bays', { d });
}

/** The gap in the rim, with arrows. @param {Board} board @param {number} line @param {boolean} small */
function exit(board, line, small) {
  const { side } = board.exit;
  const turn = { right: 0, bottom: 90, left: 180, top: 270 }[side];
  const along = (isHorizontal(side) ? board.width : board.height) * CELL;
  const centre = MARGIN + (line + 0.5) * CELL;
  // Drawn for an exit on the right, then rotated about the point where the line meets the edge.
  const at = isHorizontal(side)
    ? [isForward(side) ? MARGIN + along : MARGIN, centre]
    : [centre, isForward(side) ? MARGIN + along : MARGIN];
  return s(
    'g.exit',
    { transform: `translate(${at[0]} ${at[1]}) rotate(${turn})` },
    s('rect.gap', { x: -4, y: -CELL / 2 + 2, width: MARGIN + 4, height: CELL - 4 }),
    s('path.kerb', { d: `M0 ${-CELL / 2 + 2}h${RIM}M0 ${CELL / 2 - 2}h${RIM}` }),
    s('path.arrows', { d: small ? 'M4-16L20 0 4 16z' : 'M1-11L11 0 1 11M12-11L22 0 12 11' }),
  );
}

/** @param {number} x @param {number} y */
function wall(x, y) {
  const [left, top] = [MARGIN + x * CELL, MARGIN + y * CELL];
  return s(
    'g.wall',
    s('rect', { x: left + 3, y: top + 3, width: CELL - 6, height: CELL - 6, rx: 9 }),
    s('path', { d: `M${left + 9} ${top + 23}h46M${left + 9} ${top + 41}h46M${left + 24} ${top + 9}v14M${left + 42} ${top + 23}v18M${left + 24} ${top + 41}v14` }),
  );
}

/** A five-pointed star around the origin. @param {number} r */
function star(r) {
  const points = Array.from({ length: 10 }, (_, i) => {
    const [angle, reach] = [(Math.PI / 5) * i - Math.PI / 2, i % 2 ? r * 0.5 : r];
    return `${(reach * Math.cos(angle)).toFixed(1)},${(reach * Math.sin(angle)).toFixed(1)}`;
  });
  return points.join(' ');
}

/** A vehicle, drawn at the origin. @param {Vehicle} vehicle @param {Paint} paint @param {{small: boolean, target: boolean, backwards: boolean}} look */
export function body(vehicle, paint, { small, target, backwards }) {
  const { length, horizontal } = vehicle;
  const long = length * CELL;
  const [w, h] = sizeOf(vehicle);
  const group = s('g.body');
  const inset = { x: 5, y: 5, width: w - 10, height: h - 10, rx: 15 };
  if (small) {
    group.append(s('rect', { ...inset, fill: paint.fill }));
    if (target) group.append(s('polygon', { points: star(19), fill: paint.ink, transform: `translate(${w / 2} ${h / 2})` }));
    return group;
  }
  // Details are drawn for a vehicle that heads right, then rotated.
  const transform = `${horizontal ? '' : `translate(${CELL}) rotate(90)`}${backwards ? ` rotate(180 ${long / 2} ${CELL / 2})` : ''}`;
  const detail = s('g', { transform });
  const wheels = `M18 4h12M18 60h12M${long - 30} 4h12M${long - 30} 60h12`;
  group.append(s('rect.shade', { x: 5, y: 9, width: w - 10, height: h - 10, rx: 15 }));
  group.append(s('g', { transform }, s('path.wheels', { d: wheels })));
  group.append(s('rect', { ...inset, fill: paint.fill }));
  group.append(s('rect', { ...inset, fill: `url(#gloss-${horizontal ? 'h' : 'v'})` }));
  if (target) detail.append(s('path.stripes', { d: `M6 26h${long - 12}M6 38h${long - 12}` }));
  if (length > 2) {
    // A truck: a cab at the front and ribs on the load.
    const ribs = Array.from({ length: length - 2 }, (_, i) => `M${CELL * (i + 1) - 14} 12v40`).join('');
    detail.append(s('path.seam', { d: `M${long - 52} 6v52${ribs}` }));
    detail.append(s('path.glass', { d: `M${long - 30} 13q9 19 0 38l11-4q4-15 0-30z` }));
  } else {
    detail.append(s('path.glass', { d: `M${long - 41} 12q8 20 0 40l13-5q5-15 0-30z` }));
    detail.append(s('path.glass', { d: `M26 13q-6 19 0 38l-9-5q-3-14 0-28z` }));
  }
  detail.append(s('path.lamps', { d: `M${long - 9} 16v7M${long - 9} 41v7` }));
  group.append(detail);
  // The label is upright, in the middle of the roof or of the load.
  const middle = (length > 2 ? (long - 52 + 6) / 2 : (26 + long - 41) / 2 - 1) - long / 2;
  const shift = backwards ? -middle : middle;
  const [cx, cy] = horizontal ? [long / 2 + shift, CELL / 2] : [CELL / 2, long / 2 + shift];
  if (target) group.append(s('polygon.star', { points: star(23), transform: `translate(${cx} ${cy + 1})` }));
  group.append(s('text', { class: target ? 'label on-star' : 'label', x: cx, y: cy + (target ? 7 : 8.5), fill: target ? paint.fill : paint.ink }, vehicle.label));
  return group;
}
