// @ts-check
// The shell: tabs, URLs, theme, messages.
import { address } from './address.js';
import { api, isAbort } from './api.js';
import { button, select } from './controls.js';
import { capital, fill, h, set } from './dom.js';
import { keepFocus } from './focus.js';
import { LANGUAGES, chooseLanguage, language, loadMessages, t } from './i18n.js';
import { icon } from './icons.js';
import { BASE, isStatic, partsOf } from './place.js';
import { remember } from './storage.js';

/** @import { Key } from './i18n.js' */

/** The tabs in the navigation. */
const MAIN_TABS = /** @type {const} */ (['play', 'edit', 'forge', 'explore', 'compare', 'evolve']);
const TABS = /** @type {const} */ ([...MAIN_TABS, 'results', 'docs']);

/** The tabs that need the messages of the tools. */
const TOOLS = ['edit', 'forge', 'explore', 'compare', 'evolve'];

/** Loads a tab, its styles and its messages when it is first opened. @param {string} name @returns {Promise<Tab>} */
async function load(name) {
  const parts = /** @type {const} */ ([TOOLS.includes(name) && 'tools', name === 'compare' && 'algorithms']);
  const messages = Promise.all(parts.map((part) => part && loadMessages(part)));
  const [tab] = await Promise.all([messages.then(() => import(`./${name}.js`)), styles(name)]);
  return tab;
}

/** Enables the styles of a tab and disables those of others. @param {string} name @returns {Promise<void> | undefined} */
function styles(name) {
  const links = [...document.querySelectorAll('link')].filter((link) => link.dataset.tab);
  for (const link of links) link.media = link.dataset.tab === name ? 'all' : 'not all';
  if (links.some((link) => link.dataset.tab === name)) return;
  return new Promise((resolve, reject) => {
    const onerror = () => {
      link.remove();
      reject(new Error(t('shell.styles')));
    };
    const link = h('link', { rel: 'stylesheet', href: `${BASE}css/${name}.css`, 'data-tab': name, onload: () => resolve(), onerror });
    document.head.append(link);
  });
}

const part = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
const [main, nav, live, toasts] = ['#main', 'nav.tabs', '#live', '#toasts'].map(part);

/** The board that is passed to the other tabs. @type {string | null} */
let board = null;
/** @type {{close(): void} | null} */
let open = null;
let leaving = new AbortController();

/** @param {string} text */
function announce(text) {
  // Screen readers ignore a text that does not change.
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

/** @param {string} text @param {'info' | 'good' | 'bad'} [kind] */
function toast(text, kind = 'info') {
  const element = h('div', { class: `toast ${kind}`, role: kind === 'bad' ? 'alert' : 'status' }, text);
  toasts.append(element);
  setTimeout(() => element.classList.add('leaving'), 3600 + 30 * text.length);
  setTimeout(() => element.remove(), 4000 + 30 * text.length);
}

/** @param {unknown} error */
function fail(error) {
  if (isAbort(error)) return;
  const { message, help } = /** @type {{message: string, help?: string | null}} */ (error);
  toast(help ? `${capital(message)}. ${capital(help)}` : capital(message), 'bad');
  console.error(error);
}

/** @param {() => Promise<unknown>} work */
const attempt = (work) => work().then(() => {}, fail);

/** The tab of a path; only the chapters of the book have a path of two parts. @param {string} path */
function tabOf(path) {
  const [name = 'play', chapter, ...more] = partsOf(path);
  return TABS.find((tab) => tab === name && (chapter !== undefined) === (tab === 'docs') && !more.length);
}

/** Shows the tab of the URL. */
async function show() {
  open?.close();
  open = null;
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const tab = tabOf(location.pathname);
  const params = new URLSearchParams(location.search);
  board = params.get('board') ?? board;
  for (const link of tabLinks()) set(link, { 'aria-current': link.dataset.tab === tab ? 'page' : null });
  links();
  if (tab) title(t(`tab.${tab}`));
  document.body.dataset.tab = tab ?? '';
  const root = h('div', { class: `tab tab-${tab}` });
  fill(main, root);
  const missing = () => {
    title(t('shell.missing'));
    const ways = MAIN_TABS.map((tab) => h('a.button', { href: address(tab, board) }, icon(tab), t(`tab.${tab}`)));
    fill(root, h('div.notice', h('h1', t('shell.missing')), h('p', t('shell.missing-at', { path: decoded(location.pathname) })), h('div.row.centred', ...ways)));
  };
  if (!tab) return missing();
  /** @param {'replaceState' | 'pushState'} how @param {string | null} line @param {Record<string, string>} [more] */
  function move(how, line, more) {
    if (signal.aborted) return;
    board = line;
    history[how](null, '', address(tab ?? '', line, more));
    links();
  }
  /** @type {Context} */
  const context = {
    board: params.get('board'),
    params,
    go,
    keep: (line, more) => move('replaceState', line, more),
    visit: (line, more) => move(address(tab ?? '', line, more) === location.pathname + location.search ? 'replaceState' : 'pushState', line, more),
    title: (text) => signal.aborted || title(text),
    missing,
    announce,
    toast,
    fail,
    attempt,
    api,
    signal,
  };
  try {
    const module = await load(tab);
    if (signal.aborted) return;
    const opened = await module.show(root, context);
    if (signal.aborted) opened?.close();
    else open = opened ?? null;
  } catch (error) {
    if (isAbort(error) || signal.aborted) return;
    console.error(error);
    const { message } = /** @type {Error} */ (error);
    fill(root, h('h1.unseen', t(`tab.${tab}`)), h('div.notice', { role: 'alert' }, h('p', t('shell.broken', { tab: t(`tab.${tab}`), message })), button(t('shell.reload'), 'restart', () => location.reload())));
  }
}

/** A path without its escapes, unless they are damaged. @param {string} path */
function decoded(path) {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** @param {string} tab @param {string | null} [line] @param {Record<string, string>} [more] */
function go(tab, line, more) {
  history.pushState(null, '', address(tab, line, more));
  scrollTo(0, 0);
  arrive();
}

/** Updates the links to the tabs with the current board. */
function links() {
  for (const link of nav.querySelectorAll('a')) link.href = address(link.dataset.tab ?? '', board);
}

/** The links to all tabs. @returns {NodeListOf<HTMLAnchorElement>} */
const tabLinks = () => document.querySelectorAll('header a[data-tab]');

/** @param {string} text */
const title = (text) => (document.title = `${text} · clearway`);

/** The message that `index.html` names for an element. @param {Element} element @param {string} name @returns {Key} */
const messageOf = (element, name) => /** @type {Key} */ (/** @type {HTMLElement} */ (element).dataset[name]);

/** Cycles through the system's theme, light and dark. */
function theme() {
  const button = part('#theme');
  const root = document.documentElement;
  const draw = () => {
    const now = root.dataset.theme ?? 'auto';
    const words = t('theme.label', { theme: t(now === 'light' ? 'theme.light' : now === 'dark' ? 'theme.dark' : 'theme.system') });
    set(button, { 'aria-label': words, title: words });
    fill(button, icon(now === 'light' ? 'sun' : now === 'dark' ? 'moon' : 'auto'));
  };
  button.addEventListener('click', () => {
    const next = { auto: 'light', light: 'dark', dark: null }[root.dataset.theme ?? 'auto'];
    set(root, { 'data-theme': next });
    remember('theme', next);
    draw();
    announce(button.title);
    dispatchEvent(new Event('themechange'));
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => dispatchEvent(new Event('themechange')));
  draw();
}

document.documentElement.lang = language;
// Relative links would change with the tab in the URL.
for (const link of document.querySelectorAll('header a, link[rel=icon]')) set(link, { href: /** @type {HTMLAnchorElement} */ (link).href });
for (const element of document.querySelectorAll('[data-message]')) element.textContent = t(messageOf(element, 'message'));
for (const element of document.querySelectorAll('[data-label-message]')) {
  const label = t(messageOf(element, 'labelMessage'));
  set(element, { 'aria-label': label, title: element.hasAttribute('title') && label });
}
const languages = select({ 'aria-label': t('language.label'), title: t('language.label'), onchange: () => chooseLanguage(languages.value) }, LANGUAGES, language);
fill(part('#language'), icon('globe'), languages);
fill(nav, ...MAIN_TABS.map((tab) => h('a', { href: address(tab), 'data-tab': tab }, icon(tab), h('span', t(`tab.${tab}`)))));
fill(part('#results'), icon('results'));
fill(part('#guide-button'), icon('book'));
const guide = part('#guide');
guide.addEventListener('toggle', (event) => {
  const opens = /** @type {ToggleEvent} */ (event).newState === 'open';
  if (opens) attempt(async () => (await import('./guide.js')).showGuide(guide, tabOf(location.pathname) ?? 'play'));
});
theme();
/** Shows the tab of the URL, and moves the focus there. */
const arrive = () => show().then(() => main.contains(document.activeElement) || main.focus({ preventScroll: true }));

keepFocus(main);
addEventListener('popstate', arrive);
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('a');
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
  if (!tabOf(link.pathname)) return;
  event.preventDefault();
  // The skip link stays within the tab.
  if (link.hash === '#main') return main.focus();
  history.pushState(null, '', link.href);
  arrive();
});
show();
// Works without a network from then on.
if (isStatic) navigator.serviceWorker?.register(`${BASE}sw.js`).catch(console.error);
