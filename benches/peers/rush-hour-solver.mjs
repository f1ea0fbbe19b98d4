// Solves boards with npm rush-hour-solver 3.0.0 and prints one JSON object: the length of each board, the median of its
// times in microseconds, and their mean and median. It installs the package into the folder given.
//
// node rush-hour-solver.mjs --boards FILE --install FOLDER [--rounds 3]
//
// FILE holds square boards in the line format ([moves] cells [name]), the exit at the right end of the target's row.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const PEER = 'rush-hour-solver';
const VERSION = '3.0.0';
const WARM_UP_BOARDS = 300;

const { values: options } = parseArgs({
  options: {
    boards: { type: 'string' },
    install: { type: 'string' },
    rounds: { type: 'string', default: '3' },
  },
});
if (!options.boards || !options.install) {
  console.error('usage: node rush-hour-solver.mjs --boards FILE --install FOLDER [--rounds 3]');
  process.exit(2);
}

const { Game, solve } = load(resolve(options.install));
const boards = readFileSync(options.boards, 'utf8').split('\n').filter(Boolean).map(blocksOf);
boards.slice(0, WARM_UP_BOARDS).forEach(timed);

const lengths = [];
const times = boards.map(() => []);
for (let round = 0; round < Number(options.rounds); round += 1) {
  boards.forEach((board, index) => {
    const { length, microseconds } = timed(board);
    lengths[index] = length;
    times[index].push(microseconds);
  });
}
const medians = times.map(median);
const mean = medians.reduce((sum, time) => sum + time, 0) / medians.length;
const summary = { name: `${PEER} ${VERSION}`, mean_us: mean, median_us: median(medians) };
console.log(JSON.stringify({ ...summary, lengths, times_us: medians }));

/** The package, installed if it is not there yet. */
function load(folder) {
  mkdirSync(folder, { recursive: true });
  const require = createRequire(join(folder, 'any.js'));
  const installed = () => require(`${PEER}/package.json`).version === VERSION;
  try {
    if (!installed()) throw new Error('another version');
  } catch {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync(npm, ['install', '--prefix', folder, ...quiet, `${PEER}@${VERSION}`], { stdio: ['ignore', 2, 2] });
  }
  return require(PEER).default;
}

/** A line as the package wants it: the size, and the vehicles with their first cells as [row, column]. */
function blocksOf(line) {
  const cells = line.trim().split(/\s+/).find((word) => !/^\d+$/.test(word));
  const size = Math.sqrt(cells.length);
  if (!Number.isInteger(size)) throw new Error(`not a square board: ${line}`);
  const blocks = new Map();
  [...cells].forEach((label, index) => {
    const [row, column] = [Math.floor(index / size), index % size];
    if (label === '.') return;
    const block = blocks.get(label);
    if (block) {
      block.length += 1;
      block.direction = block.position[0] === row ? 'H' : 'V';
    } else {
      blocks.set(label, { length: 1, position: [row, column], direction: 'H', isTarget: label === 'A' });
    }
  });
  return { size, blocks: [...blocks.values()] };
}

function timed({ size, blocks }) {
  const start = process.hrtime.bigint();
  const solution = solve(new Game({ size, blocks }));
  const nanoseconds = process.hrtime.bigint() - start;
  return { length: solution.length, microseconds: Number(nanoseconds) / 1000 };
}

/** The median; of an even count, the upper of the two in the middle. */
function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
