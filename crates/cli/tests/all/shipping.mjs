// Plays every puzzle of pack.jsonl on the page of the chapter "Shipping a pack in your game", with a document that has only what
// the page uses, and compares the rules with a slow and simple version.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Board, parsePack } from './game.mjs';

const PIXELS = 50;

const listeners = {};
const element = (name) => ({ innerHTML: '', textContent: '', addEventListener: (event, run) => (listeners[`${name} ${event}`] = run) });
const elements = Object.fromEntries(['#board', '#status', '#next'].map((name) => [name, element(name)]));
globalThis.document = { querySelector: (name) => elements[name] };
globalThis.window = element('window');
globalThis.fetch = async (name) => ({ text: async () => readFileSync(name, 'utf8') });
await import('./page.mjs');

const status = () => elements['#status'].textContent;
/** Returns the labels of the cells of the board that is shown, as the attributes of the picture say. */
function drawn(width, height) {
  const cells = Array.from({ length: height }, () => Array(width).fill('.'));
  for (const [, x, y, w, h, rest] of elements['#board'].innerHTML.matchAll(/<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)" (.*?)\/>/g)) {
    const label = /data-vehicle="(.)"/u.exec(rest)?.[1] ?? 'x';
    for (let row = Math.floor(y); row < Number(y) + Number(h); row++) for (let column = Math.floor(x); column < Number(x) + Number(w); column++) {
      assert.equal(cells[row][column], '.', 'nothing overlaps');
      cells[row][column] = label;
    }
  }
  return cells;
}

/** Returns the cells after a slide by one cell, or null if it is impossible. */
function slid(cells, label, across, sign) {
  const [height, width] = [cells.length, cells[0].length];
  const after = cells.map((row) => row.map((cell) => (cell === label ? '.' : cell)));
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
    if (cells[y][x] !== label) continue;
    const [column, row] = across ? [x + sign, y] : [x, y + sign];
    if (after[row]?.[column] !== '.') return null;
    after[row][column] = label;
  }
  return after;
}

/** Compares all moves of a board with those of the simple version. Returns the number of impossible moves. */
function checkMoves(board, cells) {
  let impossible = 0;
  for (const [label, { across }] of board.vehicles) for (const sign of [1, -1]) {
    let now = cells;
    for (let by = 1; by <= 16; by++) {
      now = now && slid(now, label, across, sign);
      assert.equal(board.canMove(label, sign * by), now !== null, `${label} by ${sign * by}`);
      impossible += now === null;
    }
  }
  for (const wrong of [0, 0.5, NaN]) assert.equal(board.canMove('A', wrong), false);
  assert.equal(board.canMove('?', 1), false);
  return impossible;
}

const drag = (label, across, by, pixels) => {
  listeners['#board pointerdown']({ target: { dataset: { vehicle: label } }, clientX: 7, clientY: 7 });
  listeners['window pointerup']({ clientX: 7 + (across ? by * pixels : 3), clientY: 7 + (across ? 3 : by * pixels) });
};

let impossible = 0;
const puzzles = parsePack(readFileSync('pack.jsonl', 'utf8'));
for (const [index, { board: text, size, exit, moves, solution, grade }] of puzzles.entries()) {
  const board = new Board({ board: text, size, exit });
  const [width, height] = size;
  elements['#board'].clientWidth = width * PIXELS;
  const cells = [...text.replace(/^\d+x\d+:/, '').replace(/@.*$/, '')];
  assert.equal(drawn(width, height).flat().join(''), cells.join(''), 'the picture shows the board');
  for (const [made, move] of solution.entries()) {
    assert.equal(status(), `Puzzle ${index + 1} of ${puzzles.length}, ${grade}: ${made} moves, ${moves} are enough.`);
    impossible += checkMoves(board, drawn(width, height));
    const [label, by] = [[...move][0], Number([...move].slice(1).join(''))];
    const { across } = board.vehicles.get(label);
    // A move through another vehicle or off the board changes nothing.
    drag(label, across, 16 * Math.sign(by), PIXELS);
    assert.equal(board.isSolved(), false);
    assert.throws(() => board.move(label, 16), /cannot move/);
    board.move(label, by);
    drag(label, across, by, PIXELS);
  }
  assert.equal(board.isSolved(), true);
  assert.equal(status(), `Solved in ${moves} moves; perfect!`);
  listeners['#next click']();
}
assert.ok(impossible > 100, `${impossible} impossible moves were refused`);
console.log(`${puzzles.length} puzzles solved`);
