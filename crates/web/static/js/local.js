// @ts-check
// The API without a server: the engine in the browser answers, and packs and results are stored in its database.
import { all, exclusively, find, put, remove } from './database.js';
import { ask } from './engine.js';

/** @typedef {{method: string, path: string, query: URLSearchParams, text: string, signal?: AbortSignal | null}} Call */
/** A pack; the entries are for the engine only. @typedef {{id: number, name: string, created: string, puzzles: number, levels: Record<string, number>, entries: string}} StoredPack */

const MAX_PACKS = 1000;
const STREAMED = ['/solve/stream', '/generate'];
/** The answers that are files, so that the first puzzle does not wait for the engine. @type {Record<string, URL>} */
const FILES = { '/suites/cards': new URL('../data/cards.json', import.meta.url) };

/** A failed request. */
class Refusal extends Error {
  /** @param {number} status @param {string} error @param {string | null} [help] */
  constructor(status, error, help = null) {
    super(error);
    this.response = json({ error, help, detail: null }, status);
  }
}

/** @param {unknown} record @param {number} [status] */
const json = (record, status = 200) => new Response(JSON.stringify(record), { status, headers: { 'content-type': 'application/json' } });

/** @param {import('./engine.js').Answer} answer */
const respond = ({ status, body }) => new Response(body, { status, headers: { 'content-type': 'application/json' } });

const now = () => `${new Date().toISOString().slice(0, 19)}Z`;

/** The endpoints that store something; the engine has the others. @type {[string, RegExp, (call: Call, ...parts: string[]) => Promise<Response>][]} */
const ENDPOINTS = [
  ['GET', /^\/packs$/, listPacks],
  ['POST', /^\/packs$/, createPack],
  ['GET', /^\/packs\/(\d+)$/, async (call, id) => respond(await compute('/local/pack', await packOf(id), call))],
  ['DELETE', /^\/packs\/(\d+)$/, deletePack],
  ['POST', /^\/packs\/(\d+)\/boards$/, extendPack],
  ['GET', /^\/packs\/(\d+)\/file$/, packFile],
  ['GET', /^\/players\/([^/]+)\/results$/, listResults],
  ['POST', /^\/players\/([^/]+)\/results$/, addResult],
  ['DELETE', /^\/players\/([^/]+)\/results$/, deleteResults],
  ['GET', /^\/runs$/, async () => json({ items: [], next: null })],
  [
    'POST',
    /^\/runs$/,
    async () => {
      throw new Refusal(501, 'evolution needs a server', 'start one with the command clearway serve');
    },
  ],
];

/**
 * Answers a request as the server would.
 * @param {string} path
 * @param {RequestInit} init
 * @returns {Promise<Response>}
 */
export async function send(path, { method = 'GET', body = '', signal }) {
  const url = new URL(path, 'http://local');
  const text = String(body ?? '');
  try {
    if (method === 'GET' && Object.hasOwn(FILES, path)) return await fetch(FILES[path], { signal });
    for (const [allowed, pattern, answer] of ENDPOINTS) {
      const match = method === allowed && pattern.exec(url.pathname);
      if (match) return await answer({ method, path, query: url.searchParams, text, signal }, ...match.slice(1));
    }
    if (method === 'POST' && STREAMED.includes(path)) return await stream(path, text, signal);
    return respond(await ask(method, path, text, { signal }));
  } catch (error) {
    if (error instanceof Refusal) return error.response;
    throw error;
  }
}

/** Asks the engine for something to store or to show; a text is the body as it is. @param {string} path @param {unknown} body @param {Call} call */
const compute = (path, body, { signal }) => ask('POST', path, typeof body === 'string' ? body : JSON.stringify(body), { signal });

/** The result of a computation. @param {string} path @param {unknown} body @param {Call} call @returns {Promise<any>} */
async function computed(path, body, call) {
  const answer = await compute(path, body, call);
  const result = JSON.parse(answer.body);
  if (answer.status !== 200) throw new Refusal(answer.status, result.error, result.help);
  return result;
}

/** Answers with the lines of the engine as they arrive, or with its error. @param {string} path @param {string} body @param {AbortSignal | null} [signal] @returns {Promise<Response>} */
function stream(path, body, signal) {
  const cancelled = new AbortController();
  const encoder = new TextEncoder();
  return new Promise((resolve, reject) => {
    /** @type {ReadableStreamDefaultController<Uint8Array>} */
    let lines;
    const chunks = new ReadableStream({ start: (controller) => void (lines = controller), cancel: () => cancelled.abort() });
    let begun = false;
    const begin = () => {
      if (!begun) resolve(new Response(chunks, { headers: { 'content-type': 'application/x-ndjson' } }));
      begun = true;
    };
    const onLine = (/** @type {string} */ line) => {
      begin();
      lines.enqueue(encoder.encode(line));
    };
    const signals = [cancelled.signal, ...(signal ? [signal] : [])];
    const end = (/** @type {import('./engine.js').Answer} */ answer) => {
      if (answer.status !== 200) return resolve(respond(answer));
      begin();
      lines.close();
    };
    ask('POST', path, body, { signal: AbortSignal.any(signals), onLine }).then(end).catch((error) => {
      reject(error);
      if (!cancelled.signal.aborted) lines.error(error);
    });
  });
}

/** The requested page of a list: the most items, and where to continue. @param {Call} call @param {RegExp} cursor the form of `after` @returns {Promise<{limit: number, after: RegExpExecArray | null}>} */
async function paging({ query, signal }, cursor) {
  const [limit, after] = [query.get('limit') ?? '100', query.get('after')];
  const match = cursor.exec(after ?? '');
  if ((after !== null && !match) || (after?.length ?? 0) > 64) throw new Refusal(400, 'invalid after; expected the `next` value of the previous page');
  const isKnown = [...query.keys()].every((name) => ['limit', 'after'].includes(name));
  if (isKnown && /^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 500) return { limit: Number(limit), after: match };
  // The engine says what is wrong, as for its own lists.
  query.delete('after');
  const { status, body } = await ask('GET', `/suites?${query}`, '', { signal });
  const { error, help } = JSON.parse(body);
  throw new Refusal(status, error, help);
}

/** The first items of a list, and `after` for the rest. @template T @param {T[]} items @param {number} limit @param {(last: T, shown: T[]) => string} cursor */
function page(items, limit, cursor) {
  const shown = items.slice(0, limit);
  return { shown, next: items.length > limit ? cursor(shown[limit - 1], shown) : null };
}

/** @param {Call} call */
async function listPacks(call) {
  const { limit, after } = await paging(call, /^[+-]?\d+$/);
  /** @type {StoredPack[]} */
  const packs = (await all('packs')).filter(({ id }) => !after || id < Number(after[0]));
  const { shown, next } = page(packs.sort((a, b) => b.id - a.id), limit, ({ id }) => String(id));
  return json({ items: shown.map(({ entries: _, ...pack }) => pack), next });
}

/** @param {string} id @returns {Promise<StoredPack>} */
async function packOf(id) {
  const pack = await find('packs', Number(id));
  if (!pack) throw new Refusal(404, `pack ${id} not found`);
  return pack;
}

/** @param {Call} call */
async function createPack(call) {
  const graded = await computed('/local/entries', { request: call.text }, call);
  if ((await all('packs')).length >= MAX_PACKS) throw new Refusal(507, `the limit of ${MAX_PACKS} packs is reached`, 'delete one first');
  const pack = { ...graded, created: now() };
  const id = await put('packs', pack);
  return respond({ ...(await compute('/local/pack', { ...pack, id }, call)), status: 201 });
}

/** @param {Call} call @param {string} id */
function extendPack(call, id) {
  return exclusively(async () => {
    const known = await packOf(id);
    const graded = await computed('/local/entries', { stored: { name: known.name, entries: known.entries }, request: call.text }, call);
    const pack = { ...known, ...graded };
    await put('packs', pack);
    return respond(await compute('/local/pack', pack, call));
  });
}

/** @param {Call} _ @param {string} id */
async function deletePack(_, id) {
  await packOf(id);
  await remove('packs', Number(id));
  return new Response(null, { status: 204 });
}

/** @param {Call} call @param {string} id */
async function packFile(call, id) {
  const query = Object.fromEntries([...call.query].map(([name, value]) => [name, value === 'true' || (value === 'false' ? false : value)]));
  const { name, media_type, text } = await computed('/local/file', { pack: await packOf(id), query }, call);
  return new Response(text, { headers: { 'content-type': media_type, 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}` } });
}

/** @param {string} player */
function checkPlayer(player) {
  if (!/^[\w-]{1,64}$/.test(player)) throw new Refusal(400, 'invalid player name; expected 1 to 64 letters, digits, - or _');
}

/** The results of a player, most recent first. @param {string} player @returns {Promise<any[]>} */
async function resultsOf(player) {
  const results = (await all('results')).filter((result) => result.player === player);
  return results.sort((a, b) => b.last.localeCompare(a.last) || a.board.localeCompare(b.board));
}

/** @param {Call} call @param {string} player */
async function listResults(call, player) {
  checkPlayer(player);
  // Several results may have the same time; the cursor also says how many of them are on the pages before.
  const { limit, after } = await paging(call, /^([^~]*)~(\d+)$/);
  const [, time, listed] = after ?? [];
  const sorted = await resultsOf(player);
  const rest = sorted.filter(({ last }) => !after || last <= time);
  const first = after ? Math.min(Number(listed), rest.filter(({ last }) => last === time).length) : 0;
  const { shown, next } = page(rest.slice(first), limit, ({ last }, shown) => `${last}~${shown.filter((other) => other.last === last).length + (last === time ? first : 0)}`);
  const items = shown.map(({ board, name, optimum, moves, seconds, solved, last }) => ({ board, name, optimum, best: { moves, seconds }, perfect: optimum === moves, solved, last }));
  return json({ items, next });
}

/** @param {Call} call @param {string} player */
async function addResult(call, player) {
  checkPlayer(player);
  const { board, name, optimum, moves, seconds } = await computed('/local/result', call.text, call);
  return exclusively(async () => {
    const before = await find('results', [player, board]);
    const best = !before || moves < before.moves || (moves === before.moves && seconds < before.seconds);
    const shortest = best ? { moves, seconds } : { moves: before.moves, seconds: before.seconds };
    await put('results', { player, board, name: name ?? before?.name ?? null, optimum: optimum ?? before?.optimum ?? null, ...shortest, solved: (before?.solved ?? 0) + 1, last: now() });
    return json({ optimum, moves, perfect: optimum === moves, best });
  });
}

/** @param {Call} call @param {string} player */
async function deleteResults({ query }, player) {
  checkPlayer(player);
  const board = query.get('board');
  const results = (await resultsOf(player)).filter((result) => board === null || result.board === board);
  if (!results.length) throw new Refusal(404, 'no such results');
  for (const result of results) await remove('results', [player, result.board]);
  return new Response(null, { status: 204 });
}
