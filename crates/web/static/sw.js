// The page without a network: all files are stored on the first visit, and every request for one of them is answered from there. A
// new version of the site has another name, and takes over when the page is opened the next time. `./site` fills in the names.

const VERSION = '@VERSION@';
const FILES = [
  // @FILES@
];

const TABS = ['play', 'edit', 'forge', 'explore', 'compare', 'evolve', 'results'];

/** Several sites may share an origin, and with it the storage. */
const PREFIX = `clearway ${registration.scope} `;

addEventListener('install', (event) => {
  const store = async () => {
    const cache = await caches.open(PREFIX + VERSION);
    await cache.addAll(FILES.map((file) => new Request(new URL(file, registration.scope), { cache: 'reload' })));
    await skipWaiting();
  };
  event.waitUntil(store());
});

addEventListener('activate', (event) => {
  const replace = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== PREFIX + VERSION);
    await Promise.all(old.map((name) => caches.delete(name)));
    await clients.claim();
  };
  event.waitUntil(replace());
});

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(registration.scope)) return;
  event.respondWith(answer(request));
});

async function answer(request) {
  const cache = await caches.open(PREFIX + VERSION);
  const stored = await cache.match(request, { ignoreSearch: true });
  if (stored) return stored;
  if (request.mode !== 'navigate') return fetch(request);
  const path = new URL(request.url).pathname.slice(new URL(registration.scope).pathname.length);
  const like = documentLike(path);
  if (!like) return fetch(request);
  // The files are found from the folder of a document, so its path ends with a slash.
  if (path && !/\/$|\.html$/.test(path)) return Response.redirect(request.url.replace(/(\?|#|$)/, '/$1'));
  return (await cache.match(new URL(like, registration.scope))) ?? fetch(request);
}

/** The stored document that is the same as that of a tab or a chapter. They differ only in the place of the page above them. */
function documentLike(path) {
  const [folder = '', chapter] = path.split('/').filter((part) => part && part !== 'index.html');
  if (folder === '') return './';
  if (TABS.includes(folder)) return 'play/';
  return folder === 'docs' && chapter ? 'docs/introduction/' : null;
}
