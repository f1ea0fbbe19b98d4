// @ts-check
// Records in the browser's database, for a page without a server.

const NAME = 'clearway';
const VERSION = 1;

/** @typedef {'packs' | 'results'} Store */

/** @type {Promise<IDBDatabase> | null} */
let opened = null;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @returns {Promise<IDBDatabase>} */
function open() {
  const request = indexedDB.open(NAME, VERSION);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('packs', { keyPath: 'id', autoIncrement: true });
    request.result.createObjectStore('results', { keyPath: ['player', 'board'] });
  };
  return done(request);
}

/** @template T @param {Store} store @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} work @returns {Promise<T>} */
async function transact(store, mode, work) {
  opened ??= open();
  const transaction = (await opened).transaction(store, mode);
  const result = await done(work(transaction.objectStore(store)));
  if (mode === 'readwrite') await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  return result;
}

/** All records. @param {Store} store @returns {Promise<any[]>} */
export const all = (store) => transact(store, 'readonly', (records) => records.getAll());

/** The record with a key, or undefined. @param {Store} store @param {IDBValidKey} key @returns {Promise<any>} */
export const find = (store, key) => transact(store, 'readonly', (records) => records.get(key));

/** Stores a record, and returns its key. @param {Store} store @param {unknown} record */
export const put = (store, record) => transact(store, 'readwrite', (records) => records.put(record));

/** Removes the record with a key. @param {Store} store @param {IDBValidKey} key */
export const remove = (store, key) => transact(store, 'readwrite', (records) => records.delete(key));

/** Runs work that reads and writes without another tab of the browser in between. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
export const exclusively = (work) => (navigator.locks ? navigator.locks.request('clearway.database', work) : work());
