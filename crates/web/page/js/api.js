// @ts-check
// Client of the JSON API, including streamed lines and server-sent events. The server that the page comes from answers; a page
// without a server answers itself, with the engine in `local.js`.
import { download } from './dom.js';
import { language, named, t } from './i18n.js';
import { BASE, isStatic } from './place.js';

const ROOT = `${BASE}api/v1`;

/** The requests are answered here; loaded at once, because every tab makes some. */
const local = isStatic ? import('./local.js') : null;

/** Sends a request to the API. @param {string} path @param {RequestInit} init @returns {Promise<Response>} */
const send = async (path, init) => (local ? (await local).send(path, init) : fetch(ROOT + path, init));

/** The message of an error response. The server explains errors in English; in other languages, the status explains the common ones. @param {number} status @param {string} [error] */
function messageOf(status, error) {
  if (status === 0) return t('error.no-response');
  if (error && language === 'en') return error;
  return named('error', String(status), error ? t('error.server', { message: error }) : t('error.status', { status }));
}

/** An error response of the server; status 0 if there was no response. */
export class ApiError extends Error {
  /** @param {number} status @param {{error?: string, help?: string | null, detail?: string | null}} body */
  constructor(status, body) {
    super(messageOf(status, body.error));
    this.name = 'ApiError';
    this.status = status;
    /** How to fix it. */
    this.help = body.help ?? null;
    /** The report as the command line prints it, with the caret. */
    this.detail = body.detail ?? null;
  }
}

/** @typedef {{signal?: AbortSignal}} CallOptions */

/** Whether an error means that the page itself aborted the request. @param {unknown} error */
export const isAbort = (error) => error instanceof DOMException && error.name === 'AbortError';

/** @param {string} path @param {RequestInit} init @returns {Promise<Response>} */
async function call(path, init) {
  for (let attempt = 0; ; attempt++) {
    let response;
    try {
      response = await send(path, init);
    } catch (error) {
      if (isAbort(error)) throw error;
      throw new ApiError(0, { help: t('error.no-response-help') });
    }
    if (response.ok) return response;
    // A full queue empties soon: retry before reporting an error.
    if ((response.status === 429 || response.status === 503) && attempt < 3) {
      const seconds = Math.min(Number(response.headers.get('retry-after')) || 1, 5);
      await pause(seconds * 1000 * (0.5 + Math.random()), init.signal);
      continue;
    }
    // A response that is not from the API has no JSON body; then the status must do.
    throw new ApiError(response.status, await response.json().catch(() => ({})));
  }
}

/** @param {number} ms @param {AbortSignal | null | undefined} signal */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('aborted', 'AbortError'));
    });
  });
}

/** @param {unknown} body @param {CallOptions} options @returns {RequestInit} */
const postInit = (body, { signal }) => ({ method: 'POST', signal, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

export const api = {
  /** @param {string} path such as `/daily` @param {CallOptions} [options] @returns {Promise<any>} */
  async get(path, { signal } = {}) {
    return (await call(path, { signal })).json();
  },

  /** Fetches all pages of a list. @param {string} path @param {CallOptions} [options] @returns {Promise<any[]>} */
  async list(path, options) {
    const all = [];
    for (let next = ''; next !== null; ) {
      const page = await api.get(`${path}?limit=500${next && `&after=${encodeURIComponent(next)}`}`, options);
      all.push(...page.items);
      next = page.next;
    }
    return all;
  },

  /** @param {string} path @param {unknown} body @param {CallOptions} [options] @returns {Promise<any>} */
  async post(path, body, options = {}) {
    return (await call(path, postInit(body, options))).json();
  },

  /** @param {string} path @param {CallOptions} [options] */
  async remove(path, { signal } = {}) {
    await call(path, { method: 'DELETE', signal });
  },

  /**
   * Posts, and yields the objects of a streamed response, one per line, as they arrive.
   * @param {string} path
   * @param {unknown} body
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<any>}
   */
  async *lines(path, body, options = {}) {
    const response = await call(path, postInit(body, options));
    if (!response.body) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    try {
      for (;;) {
        const { value, done } = await reader.read();
        rest += value ?? '';
        const lines = rest.split('\n');
        rest = lines.pop() ?? '';
        if (done) lines.push(rest);
        for (const line of lines) if (line.trim()) yield JSON.parse(line);
        if (done) return;
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  },

  /**
   * Listens to server-sent events; each event name has a handler for the parsed data.
   * @param {string} path
   * @param {Record<string, (data: any) => void>} handlers
   * @returns {{close(): void}}
   */
  events(path, handlers) {
    const source = new EventSource(ROOT + path);
    for (const [name, handle] of Object.entries(handlers)) {
      // The browser's own `error` event carries no data.
      source.addEventListener(name, (event) => {
        const data = /** @type {MessageEvent} */ (event).data;
        if (typeof data === 'string') handle(data ? JSON.parse(data) : null);
      });
    }
    return { close: () => source.close() };
  },

  /** The URL of a path, for links to files of the server. @param {string} path */
  address: (path) => ROOT + path,

  /** Downloads a file. @param {string} path @param {CallOptions} [options] */
  async download(path, { signal } = {}) {
    const response = await call(path, { signal });
    const name = /filename\*=UTF-8''([^;]*)/.exec(response.headers.get('content-disposition') ?? '');
    download(decodeURIComponent(name?.[1] ?? 'download'), await response.blob());
  },
};
