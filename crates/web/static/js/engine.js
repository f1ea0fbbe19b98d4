// @ts-check
// The engine in the browser: a WebAssembly module in a few workers, each of which answers one request at a time. Aborting a request
// ends its worker; the module is compiled only once.

/** The number of workers: a long search must not delay the answer to another request. */
const MAX_WORKERS = Math.min(Math.max(navigator.hardwareConcurrency ?? 2, 2), 4);
const ADDRESS = new URL('../engine.wasm', import.meta.url);

/** @typedef {{status: number, body: string}} Answer */
/** @typedef {{signal?: AbortSignal | null, onLine?: (line: string) => void}} AskOptions */

/** The module, loaded and compiled when this file is. @type {Promise<WebAssembly.Module>} */
const compiled = WebAssembly.compileStreaming(fetch(ADDRESS)).catch(async () => {
  // The host does not say that the file is WebAssembly.
  const response = await fetch(ADDRESS);
  if (!response.ok) throw new Error(`cannot load the engine: status ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
});
compiled.catch(() => {});

/** The workers that have nothing to do. @type {Worker[]} */
const idle = [];
/** The requests that wait for a worker. @type {((worker: Worker) => void)[]} */
const waiting = [];
let workers = 0;

async function start() {
  workers++;
  try {
    const module = await compiled;
    const worker = new Worker(new URL('./engine-worker.js', import.meta.url), { type: 'module' });
    worker.postMessage(module);
    return worker;
  } catch (error) {
    workers--;
    throw error;
  }
}

/** @returns {Promise<Worker>} */
async function borrow() {
  return idle.pop() ?? (workers < MAX_WORKERS ? start() : new Promise((resolve) => waiting.push(resolve)));
}

/** @param {Worker} worker */
function giveBack(worker) {
  const next = waiting.shift();
  if (next) next(worker);
  else idle.push(worker);
}

/** Ends a worker. Another one takes its place if a request waits. @param {Worker} worker */
function end(worker) {
  worker.terminate();
  workers--;
  const next = waiting.shift();
  if (next) start().then(next, console.error);
}

/**
 * Answers a request to the API.
 * @param {string} method
 * @param {string} path
 * @param {string} body
 * @param {AskOptions} [options]
 * @returns {Promise<Answer>}
 */
export async function ask(method, path, body, { signal, onLine } = {}) {
  signal?.throwIfAborted();
  const worker = await borrow();
  if (signal?.aborted) giveBack(worker);
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const release = (/** @type {boolean} */ broken) => {
      signal?.removeEventListener('abort', abort);
      worker.onmessage = worker.onerror = null;
      if (broken) end(worker);
      else giveBack(worker);
    };
    const abort = () => {
      release(true);
      reject(new DOMException('aborted', 'AbortError'));
    };
    signal?.addEventListener('abort', abort);
    worker.onmessage = ({ data }) => {
      if (typeof data === 'string') return onLine?.(data);
      release(data.broken);
      resolve(data);
    };
    worker.onerror = (event) => {
      release(true);
      reject(new Error(event.message));
    };
    worker.postMessage({ method, path, body });
  });
}
