// @ts-check
// Values in the browser's storage, by name.

const PREFIX = 'clearway.';

/** The browser's storage; if the browser blocks it, a replacement that lasts until the page is left. */
const storage = (() => {
  try {
    // Reading fails in a browser that blocks storage.
    return localStorage.length >= 0 ? localStorage : volatileStorage();
  } catch {
    return volatileStorage();
  }
})();

/** @returns {Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>} */
function volatileStorage() {
  /** @type {Map<string, string>} */
  const values = new Map();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    key: (at) => [...values.keys()][at] ?? null,
    get length() {
      return values.size;
    },
  };
}

/**
 * Returns the value stored under a name, or `otherwise` if there is none or it is not JSON.
 * @template T
 * @param {string} name
 * @param {T} otherwise
 * @returns {T}
 */
export function recall(name, otherwise) {
  try {
    const text = storage.getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Stores a value under a name; returns false if the storage is full. @param {string} name @param {unknown} value */
export function remember(name, value) {
  try {
    storage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Removes the value stored under a name. @param {string} name */
export function forget(name) {
  storage.removeItem(PREFIX + name);
}

/** The key of a value in the browser's storage. @param {string} name */
export const storedAs = (name) => PREFIX + name;

/** The names of all stored values that start with a prefix. @param {string} prefix */
export function storedNames(prefix) {
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
  return keys.filter((key) => key.startsWith(PREFIX + prefix)).map((key) => key.slice(PREFIX.length));
}
