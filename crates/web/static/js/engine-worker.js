// @ts-check
// The host of the engine: passes requests to the WebAssembly module, and its lines and its answer back. See `crates/wasm`.

/** @typedef {{memory: WebAssembly.Memory, request(length: number): number, call(): void}} Exports */

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** @type {Promise<Exports>} */
let engine;
/** The answer to the present request. @type {{status: number, body: string, broken?: boolean} | null} */
let answer = null;
/** The memory of the module. @type {WebAssembly.Memory} */
let memory;
/** The file that the module reads. */
let file = new Uint8Array();

/** A text in the memory of the module. @param {number} address @param {number} length */
const text = (address, length) => decoder.decode(new Uint8Array(memory.buffer, address >>> 0, length));

/** Loads a file of the site at once: the module waits for it. @param {string} name @returns {Uint8Array<ArrayBuffer>} */
function load(name) {
  const request = new XMLHttpRequest();
  request.open('GET', new URL(`../data/${name}`, import.meta.url), false);
  request.responseType = 'arraybuffer';
  request.send();
  if (request.status !== 200) throw new Error(`cannot load ${name}: status ${request.status}`);
  return new Uint8Array(request.response);
}

const imports = {
  clearway: {
    open: (/** @type {number} */ address, /** @type {number} */ length) => (file = load(text(address, length))).length,
    read: (/** @type {number} */ address) => new Uint8Array(memory.buffer).set(file, address >>> 0),
    monotonic: () => performance.now(),
    unix: () => Date.now(),
    line: (/** @type {number} */ address, /** @type {number} */ length) => postMessage(text(address, length)),
    respond: (/** @type {number} */ status, /** @type {number} */ address, /** @type {number} */ length) => void (answer = { status, body: text(address, length) }),
    panicked: (/** @type {number} */ address, /** @type {number} */ length) => console.error(text(address, length)),
  },
};

/** @param {WebAssembly.Module} module */
async function instantiate(module) {
  const exports = /** @type {Exports} */ (/** @type {unknown} */ ((await WebAssembly.instantiate(module, imports)).exports));
  memory = exports.memory;
  return exports;
}

addEventListener('message', async ({ data }) => {
  if (data instanceof WebAssembly.Module) {
    engine = instantiate(data);
    return;
  }
  answer = null;
  try {
    const { request, call } = await engine;
    const bytes = encoder.encode(`${data.method} ${data.path}\n${data.body}`);
    const address = request(bytes.length) >>> 0;
    new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
    call();
    postMessage(answer);
  } catch (error) {
    console.error(error);
    // After a panic the memory of the module may be inconsistent.
    postMessage({ status: 500, body: JSON.stringify({ error: 'internal error of the engine', help: null, detail: null }), broken: true });
  }
});
