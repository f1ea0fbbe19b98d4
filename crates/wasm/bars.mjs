// Measures the engine in Node: the forty cards, in the same run also natively, and a hint for JAM40. After `./site` and
// `cargo build --release`: `node crates/wasm/bars.mjs target/release/clearway`.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const REPETITIONS = 20;
const SITE = new URL('../../target/site/', import.meta.url);
const { instance } = await WebAssembly.instantiate(readFileSync(new URL('engine.wasm', SITE)), {
  clearway: {
    open: (address, length) => (file = readFileSync(new URL(`data/${text(address, length)}`, SITE))).length,
    read: (address) => new Uint8Array(memory.buffer).set(file, address >>> 0),
    monotonic: () => performance.now(),
    unix: () => Date.now(),
    line: () => {},
    panicked: (address, length) => console.error(text(address, length)),
    respond: (status, address, length) => void (answer = { status, body: text(address, length) }),
  },
});
const { memory, request, call } = instance.exports;
const text = (address, length) => new TextDecoder().decode(new Uint8Array(memory.buffer, address >>> 0, length));
let answer;
let file;

function ask(method, path, body = '') {
  const bytes = new TextEncoder().encode(`${method} ${path}\n${body && JSON.stringify(body)}`);
  const address = request(bytes.length) >>> 0;
  new Uint8Array(memory.buffer).set(bytes, address);
  call();
  if (answer.status !== 200) throw new Error(answer.body);
  return JSON.parse(answer.body);
}

/** The seconds that the engine reports for the forty cards. */
const solve = () => boards.reduce((sum, { board }) => sum + ask('POST', '/solve', { board }).seconds, 0);

/** The seconds that the program reports for the same. @param {string} program */
function solveNatively(program) {
  const { stdout } = spawnSync(program, ['solve', '--suite', 'cards', '--json', '--threads', '1', '--quiet'], { encoding: 'utf8' });
  return stdout.trim().split('\n').reduce((sum, line) => sum + JSON.parse(line).seconds, 0);
}

/** The least of several measurements. @param {() => number} measure */
const least = (measure) => Math.min(...Array.from({ length: REPETITIONS }, measure));

/** The seconds of a hint for JAM40, with everything around it. */
function hint() {
  const started = performance.now();
  ask('POST', '/hint', { board: boards[39].board });
  return (performance.now() - started) / 1000;
}

const { boards } = ask('GET', '/suites/cards');
const milliseconds = (seconds) => `${(1000 * seconds).toFixed(2)} ms`;
console.log(`hint for JAM40: ${milliseconds(hint())} the first time, ${milliseconds(least(hint))} at least`);
const program = process.argv[2];
const cards = { wasm: Infinity, native: Infinity };
// Alternately, so that other programs slow down both.
for (let i = 0; i < REPETITIONS; i++) {
  cards.wasm = Math.min(cards.wasm, solve());
  if (program) cards.native = Math.min(cards.native, solveNatively(program));
}
console.log(`forty cards: ${milliseconds(cards.wasm)}${program ? `, natively ${milliseconds(cards.native)}: ${(cards.wasm / cards.native).toFixed(2)} times as long` : ''}`);
