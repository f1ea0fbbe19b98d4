// The messages of the page: complete in every language, all of them used, and no text of the page is outside of them.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { literals } from './scan.mjs';

const PAGE = new URL('../../page/', import.meta.url);
const PARTS = ['play', 'tools', 'algorithms'];
const LANGUAGES = readdirSync(new URL('messages/', PAGE));

const read = (path) => readFileSync(new URL(path, PAGE), 'utf8');
// `static/` has the scripts of the page without a server.
const scripts = ['js/', '../static/js/'].flatMap((folder) => readdirSync(new URL(folder, PAGE)).map((name) => ({ name, source: read(folder + name) })));
const load = async (language, part) => (await import(new URL(`messages/${language}/${part}.js`, PAGE))).default;
const english = Object.fromEntries(await Promise.all(PARTS.map(async (part) => [part, await load('en', part)])));
const keys = Object.values(english).flatMap(Object.keys);

/** All texts of a message. */
const textsOf = (message) => (typeof message === 'string' ? [message] : Object.values(message));
const placeholders = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

/** Parts whose messages are optional: the page shows the description that the server sends instead. */
const OPTIONAL = ['algorithms'];

test('every language has the messages of English, with the same placeholders', async () => {
  assert.ok(LANGUAGES.length >= 3, String(LANGUAGES));
  for (const language of LANGUAGES) {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const part of PARTS) {
      const messages = await load(language, part);
      const expected = Object.keys(english[part]).filter((key) => !OPTIONAL.includes(part) || key in messages);
      assert.deepEqual(Object.keys(messages), expected, `${language}/${part}: the keys differ from those of English, or their order`);
      for (const [key, message] of Object.entries(messages)) {
        const names = (texts) => [...new Set(texts.flatMap(placeholders))].sort();
        assert.deepEqual(names(textsOf(message)), names(textsOf(english[part][key])), `${language}: placeholders of ${key}`);
        assert.ok(textsOf(message).every((text) => text && text === text.trim()), `${language}: ${key} is empty, or begins or ends with a space`);
        if (typeof message === 'string') continue;
        assert.ok(message.other && Object.keys(message).every((name) => categories.includes(name)), `${language}: plural categories of ${key}`);
      }
    }
  }
});

test('the page offers the languages that have messages', () => {
  const [, list] = /LANGUAGES = \{([^}]*)\}/.exec(read('js/i18n.js')) ?? [];
  assert.deepEqual([...(list ?? '').matchAll(/(\w+):/g)].map(([, tag]) => tag).sort(), LANGUAGES);
});

test('no key is in two parts', () => {
  assert.deepEqual(keys.filter((key, i) => keys.indexOf(key) !== i), []);
});

/** The keys that the scripts may use; `{}` stands for a part that is inserted. */
const keysInPage = scripts.flatMap(({ source }) => literals(source)).map(({ text, callee, index }) => (callee === 'named' && index === 0 ? `${text}.{}` : text));
/** The keys that `index.html` names. */
const keysInDocument = [...read('index.html').matchAll(/data-(?:label-)?message="([^"]+)"/g)].map(([, key]) => key);

test('every message is used', () => {
  const patterns = [...keysInPage, ...keysInDocument].filter((text) => /^[\w-]+\.[\w{}-]+$/.test(text)).map((text) => new RegExp(`^${text.replace('.', '\\.').replaceAll('{}', '.+')}$`));
  assert.deepEqual(keys.filter((key) => !patterns.some((pattern) => pattern.test(key))), []);
});

test('every key in the page is a message', () => {
  const groups = new Set(keys.map((key) => key.split('.')[0]));
  const known = new Set(keys);
  for (const { name, source } of scripts) {
    for (const { text, callee, line } of literals(source)) {
      if (callee === 't' && groups.has(text.split('.')[0]) && !text.includes('{}')) assert.ok(known.has(text), `${name}:${line}: unknown message ${text}`);
    }
  }
  for (const key of keysInDocument) assert.ok(known.has(key), `index.html: unknown message ${key}`);
});

test('the texts of index.html are its messages in English', () => {
  const html = read('index.html');
  for (const [tag, key] of html.matchAll(/<[^>]*data-label-message="([^"]+)"[^>]*>/g)) {
    for (const [, label] of tag.matchAll(/(?:aria-label|title)="([^"]*)"/g)) assert.equal(label, english.play[key], key);
  }
  for (const [, key, text] of html.matchAll(/data-message="([^"]+)">([^<]*)</g)) assert.equal(text, english.play[key], key);
  const labelled = [...html.matchAll(/<[^>]*(?:aria-label|title)="[^>]*>/g)].filter(([tag]) => !tag.includes('data-label-message'));
  assert.deepEqual(labelled.map(([tag]) => tag), []);
  // What is shown without scripts cannot be translated by one.
  const body = html.slice(html.indexOf('<body>')).replace(/<noscript>.*<\/noscript>/, '').replace(/<[^>]*data-message=[^>]*>[^<]*/g, '');
  assert.deepEqual([...body.matchAll(/>([^<]*\p{L}[^<]*)</gu)].map(([, text]) => text), ['clearway']);
});

/** The arguments that are texts, by function; those from a number on if it ends with `+`. */
const TEXT_ARGUMENTS = {
  h: '1+', s: '1+', fill: '1+', append: '0+', note: '0+', fact: '0+', field: '0', button: '0', iconButton: '0 4', control: '0 3', shareButton: '0', segmented: '0', help: '1 2', transport: '0 1', figure: '0',
  announce: '0', toast: '0', say: '1', title: '0', confirm: '0', Error: '0', BoardError: '0', section: '0', head: '2', conclude: '2 3', message: '1', legend: '0', tableOf: '0', select: '1', name: '0+', changed: '0',
};
const TEXT_PROPERTIES = ['aria-label', 'aria-roledescription', 'aria-valuetext', 'title', 'alt', 'placeholder', 'label', 'up', 'across', 'help', 'why', 'about'];
/** Literals that look like texts: proper names, expressions, parts of formats, selectors, and titles of the book, which is in English. */
const ALLOWED = {
  'api.js': ['ApiError', 'AbortError'],
  'compare.js': ['astar(max(landmarks, pattern-database))', 'ida(h1, both, increment=8)', 'ida(policy, both)', 'wastar(h1, weight=3)'],
  'edit.js': ['input, textarea', 'button, select'],
  // The errors of the API are in English, like those of the server.
  'engine.js': ['cannot load the engine: status {}', 'AbortError'],
  'engine-worker.js': ['cannot load {}: status {}', 'internal error of the engine'],
  'evolve.js': ['clearway serve'],
  'exchange.js': ['BB...CD..E.CDAAE.CD..E..F...GGF.HHH.', 'van Dijk', 'Traffic Jam', 'more than one board'],
  'focus.js': ['button, a[href], input, select, textarea, summary, [tabindex="0"]'],
  'guide.js': ['Play', 'Boards and the rules', 'Edit', 'Grading', 'Formats', 'Packs', 'Random boards and minimal puzzles', 'Explore', 'Glossary', 'Comparing algorithms', 'Heuristics', 'Evolving policies', 'Policies', 'Results', 'Introduction', 'Getting started'],
  'library.js': ['Puzzle {}', 'van Dijk'],
  'local.js': ['evolution needs a server', 'start one with the command clearway serve', 'pack {} not found', 'the limit of {} packs is reached', 'delete one first', 'no such results', 'invalid after; expected the `next` value of the previous page', 'invalid player name; expected 1 to 64 letters, digits, - or _'],
  'main.js': ['not all'],
  'play-keys.js': ['input:not([type=checkbox]), textarea, select, dialog[open]'],
  'results-file.js': ['clearway results'],
};
/** Names of keys, classes of buttons, and transformations. */
const NO_TEXT = /^(?:Arrow\w*|Enter|Escape|Delete|Backspace|Home|End|Tab|(?:(?:small|plain|primary|danger) ?)+|translate\(.*)$/;

/** Whether a literal is a text that users see, from its place or its form. */
function isText({ text, callee, index, property, isCompared }) {
  const own = text.replaceAll('{}', '');
  if (!/\p{L}{2}/u.test(own) || NO_TEXT.test(own) || isCompared) return false;
  // The first words of an element are its classes, and so are those of some functions.
  if (property === 'class' || (['h', 's', 'form'].includes(callee) && index === 0) || (callee === 'problem' && index === 1)) return false;
  if (TEXT_PROPERTIES.includes(property)) return true;
  const places = property ? '' : (TEXT_ARGUMENTS[callee.split('.').at(-1)] ?? '');
  const isPlace = places.split(' ').some((place) => place && (place.endsWith('+') ? index >= parseInt(place) : index === Number(place)));
  return isPlace || /\p{L}{2,},? \p{L}{2,}/u.test(own) || /^\p{Lu}\p{Ll}+/u.test(own);
}

test('no text of the page is outside of the messages', () => {
  const found = scripts
    .filter(({ name }) => name !== 'icons.js' && name !== 'i18n.js')
    .flatMap(({ name, source }) => literals(source).filter(isText).filter(({ text }) => !ALLOWED[name]?.includes(text)).map(({ text, callee, line }) => `${name}:${line}: ${JSON.stringify(text)} in ${callee}`));
  assert.deepEqual(found, []);
});

test('every exception is in use', () => {
  const texts = new Map(scripts.map(({ name, source }) => [name, literals(source).map(({ text }) => text)]));
  for (const [name, allowed] of Object.entries(ALLOWED)) assert.deepEqual(allowed.filter((text) => !texts.get(name)?.includes(text)), [], name);
});

test('texts outside of the messages are found', () => {
  const samples = ["h('p', 'one')", "h('p.soft', isNew ? 'new' : t('word.old'))", "button('Undo', 'undo', undo)", "set(e, { 'aria-label': `Remove ${name}` })", "const TITLE = 'The end of it';", "throw new Error('no games');", 'fill(e, `${count} solved`)'];
  for (const sample of samples) assert.ok(literals(sample).some(isText), sample);
  const others = ["h('p.soft', t('word.save'))", "button(t('word.undo'), 'undo', undo, 'small')", "problem(error, 'bad little')", "set(e, { class: 'tag good' })", "// h('p', 'one')", "text.replace(/'a b c'/g, x)", "if (key === 'Enter') go()", "fill(e, state === 'done' && t('word.copied'))"];
  for (const sample of others) assert.ok(!literals(sample).some(isText), sample);
});
