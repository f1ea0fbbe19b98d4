// @ts-check
// The server's API: JSON in, JSON out, lines as they come, events as they happen.

const ROOT = '/api/v1';

/** What the server refused, in its own words. */
export class ApiError extends Error {
  /** @param {number} status @param {{error?: string, help?: string | null, detail?: string | null}} body */
  constructor(status, body) {
    super(body.error ?? (status === 0 ? 'the server does not answer' : `the server answered ${status}`));
    this.name = 'ApiError';
    this.status = status;
    /** What to do about it. */
    this.help = body.help ?? null;
    /** The report as the command line prints it, with the caret. */
    this.detail = body.detail ?? null;
  }
}

/** @typedef {{signal?: AbortSignal}} CallOptions */

/** Whether an error only says that the page itself called the request off. @param {unknown} error */
export const isAbort = (error) => error instanceof DOMException && error.name === 'AbortError';

/** @param {string} path @param {RequestInit} init @returns {Promise<Response>} */
async function call(path, init) {
  for (let attempt = 0; ; attempt++) {
    let response;
    try {
      response = await fetch(ROOT + path, init);
    } catch (error) {
      if (isAbort(error)) throw error;
      throw new ApiError(0, { help: 'is it still running?' });
    }
    if (response.ok) return response;
    // A full queue empties soon: try again before telling anybody.
    if ((response.status === 429 || response.status === 503) && attempt < 3) {
      const seconds = Math.min(Number(response.headers.get('retry-after')) || 1, 5);
      await pause(seconds * 1000 * (0.5 + Math.random()), init.signal);
      continue;
    }
    // What is not from the API itself has no body that is understood: the status has to do.
    throw new ApiError(response.status, await response.json().catch(() => ({})));
  }
}

/** @param {number} ms @param {AbortSignal | null | undefined} signal */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('called off', 'AbortError'));
    });
  });
}

/** @param {unknown} body @param {CallOptions} options @returns {RequestInit} */
const posting = (body, { signal }) => ({ method: 'POST', signal, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

export const api = {
  /** @param {string} path such as `/daily` @param {CallOptions} [options] @returns {Promise<any>} */
  async get(path, { signal } = {}) {
    return (await call(path, { signal })).json();
  },

  /** All items of a list, page by page. @param {string} path @param {CallOptions} [options] @returns {Promise<any[]>} */
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
    return (await call(path, posting(body, options))).json();
  },

  /** @param {string} path @param {CallOptions} [options] */
  async remove(path, { signal } = {}) {
    await call(path, { method: 'DELETE', signal });
  },

  /**
   * Posts, and yields the objects of the streamed answer, one a line, as they come.
   * @param {string} path
   * @param {unknown} body
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<any>}
   */
  async *lines(path, body, options = {}) {
    const response = await call(path, posting(body, options));
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
   * Listens to server-sent events; each name has a handler that gets the parsed data.
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

  /** The address of a path, for links to files. @param {string} path */
  address: (path) => ROOT + path,
};
