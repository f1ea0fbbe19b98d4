// The page without a network: all files are stored on the first visit, and every request for one of them is answered from there. A
// new version of the site has another name. It is stored beside the old one, and takes over when all tabs with the old one are
// closed, so that a page never gets files of two versions. `./site` fills in the names.

const VERSION = '@VERSION@';
const FILES = [
  // @FILES@
];

const TABS = ['play', 'edit', 'forge', 'explore', 'compare', 'evolve', 'results'];

/** Several sites may share an origin, and with it the storage. */
const PREFIX = `clearway ${registration.scope} `;

/** The storage of this version, opened once. @type {Promise<Cache> | undefined} */
let opened;
const storage = () => (opened ??= caches.open(PREFIX + VERSION));

addEventListener('install', (event) => {
  const store = async () => {
    const cache = await storage();
    await cache.addAll(FILES.map((file) => new Request(new URL(file, registration.scope), { cache: 'reload' })));
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
  const cache = await storage();
  const isPage = request.mode === 'navigate';
  // Only the addresses of pages have a query. Ignoring it takes longer: the storage then compares all addresses.
  const stored = await cache.match(request, { ignoreSearch: isPage });
  if (stored) return stored;
  if (!isPage) return fetch(request);
  const path = new URL(request.url).pathname.slice(new URL(registration.scope).pathname.length);
  const like = documentLike(path);
  if (!like) return fetch(request);
  // The files are found from the folder of a document, so its path ends with a slash.
  if (path && !/\/$|\.html$/.test(path)) return Response.redirect(request.url.replace(/(\?|#|$)/, '/$1'));
  return (await cache.match(new URL(like, registration.scope))) ?? fetch(request);
}

/** The stored document of a tab, or the one that is the same as that of a chapter. */
function documentLike(path) {
  const [folder = '', chapter] = path.split('/').filter((part) => part && part !== 'index.html');
  if (folder === '') return './';
  if (TABS.includes(folder)) return `${folder}/`;
  return folder === 'docs' && chapter ? 'docs/introduction/' : null;
}
