// @ts-check
// The library of puzzles: levels, the tutorial, the daily puzzles, packs and suites.
import { api } from './api.js';
import { dateText } from './days.js';
import { capital, h } from './dom.js';
import { named, t } from './i18n.js';
import { icon } from './icons.js';
import { levelTag, shortTime, timeNeeded } from './levels.js';
import { SOURCES } from './puzzle-records.js';

/** `name` is stored with results, `title` is shown; `about` is the text of a lesson of the tutorial. @typedef {{name: string, title: string, board: string, moves: number | null, level?: string | null, human?: HumanTime, themes?: string[], difficulty?: string, about?: string}} Item */
/** The source of a puzzle, as in the URL; the tutorial is a level. @typedef {{[K in typeof SOURCES[number]]?: string}} Source */
/** @typedef {{title: string, about: string, source: Source, items: Item[]}} Collection */

/** @type {Map<string, Promise<Collection>>} */
const loaded = new Map();

/** The source in a URL, if there is one. @param {URLSearchParams} params @returns {Source | null} */
export function sourceOf(params) {
  for (const kind of SOURCES) {
    const name = params.get(kind);
    if (name) return { [kind]: name };
  }
  return null;
}

/** Fetches all puzzles of a source. @param {Source} source @returns {Promise<Collection>} */
export function collection(source) {
  const key = JSON.stringify(source);
  const known = loaded.get(key);
  if (known) return known;
  const made = fetchCollection(source).then((found) => ({ ...found, items: found.items.map((item, i) => titledItem(item.name ?? `Puzzle ${i + 1}`, item, found.source)) }));
  // Packs may change, and so does today.
  if (source.suite ?? source.level) loaded.set(key, made);
  made.catch(() => loaded.delete(key));
  return made;
}

/** @param {Source} source @returns {Promise<Collection>} */
async function fetchCollection(source) {
  if (source.suite) {
    const suite = await api.get(`/suites/${encodeURIComponent(source.suite)}`);
    return { title: titled(suite.name), about: capital(named('suite', suite.name, suite.about)), source, items: suite.boards };
  }
  if (source.pack) {
    const pack = await api.get(`/packs/${encodeURIComponent(source.pack)}`);
    return { title: pack.name, about: t('count.puzzles', { count: pack.puzzles.length }), source, items: pack.puzzles };
  }
  if (source.level) {
    const { lessons, puzzles } = await api.get(source.level === TUTORIAL ? '/tutorial' : `/levels/${encodeURIComponent(source.level)}`);
    const title = capital(named('level', source.level));
    return { title, about: lessons ? t('tutorial.about') : t('count.puzzles', { count: puzzles.length }), source, items: lessons ?? puzzles };
  }
  const { date, puzzles } = await api.get(source.daily === 'today' ? '/daily' : `/daily?date=${source.daily}`);
  return { title: t('daily.title'), about: dateText(date), source: { daily: date }, items: puzzles.map((/** @type {Item} */ item) => ({ ...item, name: `${dateText(date, 'short')}, ${item.difficulty}` })) };
}

/** The name of the tutorial as a level. */
export const TUTORIAL = 'tutorial';

/** @param {string} name @param {Item} item @param {Source} source @returns {Item} */
const titledItem = (name, item, source) => ({ ...item, name, title: puzzleTitle(name, source), about: item.about && named('lesson-about', dashed(name), item.about) });

/** The title of a puzzle in the language of the page. The name is in English, but a date in it may be in any language. @param {string} name @param {Source | null} source */
export function puzzleTitle(name, source) {
  const number = /\d+$/.exec(name)?.[0];
  if (source?.level === TUTORIAL) return named('lesson', dashed(name), name);
  if (source?.level && number) return t('level.puzzle', { level: capital(named('level', source.level)), number });
  if (source?.daily) return t('daily.puzzle', { date: dateText(source.daily, 'short'), difficulty: named('difficulty', name.split(', ').at(-1) ?? '') });
  return number && name === `Puzzle ${number}` ? t('puzzle.number', { number }) : name;
}

/** The title of a puzzle that was generated at a level; null for one of another source. @param {Source | null} source */
export const generatedTitle = (source) => (source?.level && source.level !== TUTORIAL ? t('level.new', { level: capital(named('level', source.level)) }) : null);

/** `move-back` for `Move back`. @param {string} name */
const dashed = (name) => name.toLowerCase().replaceAll(' ', '-');

/** Titles of suites that are proper names. @type {Record<string, string>} */
const NAMES = { it3105: 'IT3105', vandijk: 'van Dijk' };

/** The title of a suite: `Hard 8x8` for `hard-8x8`. @param {string} name */
export const titled = (name) => NAMES[name] ?? named('suite-title', name, capital(name).replaceAll('-', ' '));

/** Tags with the level and the predicted time of a puzzle. @param {Item} item */
export const facts = ({ level, human }) => [level && levelTag(level), human && h('span.tag', { title: timeNeeded(human) }, icon('clock'), shortTime(human))];
