// @ts-check
// The language of the page, and its messages in that language. The modules that import this one are evaluated when the messages are
// loaded, so their constants may be messages. Another language takes effect when the page is loaded again.
import { recall, remember } from './storage.js';

/** The languages with their own names. Each has a folder in `messages/`. @type {Record<string, string>} */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français' };

/** @typedef {typeof import('../messages/en/play.js').default} PlayMessages */
/** @typedef {typeof import('../messages/en/tools.js').default} ToolMessages */
/** @typedef {typeof import('../messages/en/algorithms.js').default} AlgorithmMessages */
/** @typedef {keyof PlayMessages | keyof ToolMessages | keyof AlgorithmMessages} Key */
/** A text with `{placeholders}`, or a text for each plural category of the value `count`. @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Message */

/** The chosen language, or else the first of the browser's languages that the page has. */
export const language = [recall('language', ''), ...navigator.languages].map((tag) => String(tag).split('-')[0]).find((tag) => Object.hasOwn(LANGUAGES, tag)) ?? 'en';

/** The messages that are loaded. @type {Record<string, Message>} */
const messages = {};
const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

/** Loads a part of the messages; what a language lacks is in English. @param {'play' | 'tools' | 'algorithms'} part */
export async function loadMessages(part) {
  const files = [...new Set(['en', language])].map((tag) => import(`../messages/${tag}/${part}.js`));
  for (const { default: loaded } of await Promise.all(files)) Object.assign(messages, loaded);
}

await loadMessages('play');

/** Changes the language, and loads the page again. @param {string} tag */
export function chooseLanguage(tag) {
  remember('language', tag);
  location.reload();
}

/** `12,345`. @param {number} value */
export const number = (value) => numbers.format(value);

/** A number with a fixed number of decimals: `12.0`. @param {number} value @param {number} digits */
export const decimal = (value, digits) => value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });

/** A message. Numbers among the values are formatted; texts stay as they are. @param {Key} key @param {Record<string, string | number>} [values] */
export function t(key, values = {}) {
  const message = messages[key] ?? key;
  const text = typeof message === 'string' ? message : (message[plurals.select(Number(values.count))] ?? message.other ?? key);
  return text.replace(/\{(\w+)\}/g, (_, name) => (typeof values[name] === 'number' ? number(values[name]) : String(values[name])));
}

/** The message for a name that the server sends, such as a level, or another text for a name that the page does not know. @param {string} group @param {string} name @param {string} [otherwise] */
export function named(group, name, otherwise = name) {
  const key = `${group}.${name}`;
  return Object.hasOwn(messages, key) ? t(/** @type {Key} */ (key)) : otherwise;
}
