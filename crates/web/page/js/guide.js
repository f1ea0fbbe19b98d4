// @ts-check
// The guide to each tab, in a popover: what it is for, how to start, and the chapter that explains more.
import { chapterAddress } from './address.js';
import { fill, h } from './dom.js';
import { named, t } from './i18n.js';

/** The chapters for each tab: their paths, and their titles in the book, which is in English. @type {Record<string, [string, string][]>} */
const CHAPTERS = {
  play: [['playing#play', 'Play'], ['boards', 'Boards and the rules']],
  edit: [['playing#edit', 'Edit'], ['grading', 'Grading'], ['formats', 'Formats']],
  forge: [['packs', 'Packs'], ['generating', 'Random boards and minimal puzzles']],
  explore: [['playing#explore', 'Explore'], ['glossary', 'Glossary']],
  compare: [['comparing', 'Comparing algorithms'], ['HEURISTICS', 'Heuristics']],
  evolve: [['evolving', 'Evolving policies'], ['policies', 'Policies']],
  results: [['playing#results', 'Results']],
  docs: [['introduction', 'Introduction'], ['getting-started', 'Getting started'], ['glossary', 'Glossary']],
};

/** Shows the guide to a tab in a popover. @param {HTMLElement} popover @param {string} tab */
export function showGuide(popover, tab) {
  const about = CHAPTERS[tab] ? tab : 'play';
  const steps = [1, 2, 3, 4].map((step) => named('guide', `${about}-${step}`, '')).filter(Boolean);
  const links = CHAPTERS[about].map(([path, title]) => h('a', { href: chapterAddress(path), lang: 'en', onclick: () => popover.hidePopover() }, title));
  fill(popover, h('h2', named('tab', tab)), h('p', named('guide', about)), h('ul.guide-steps', ...steps.map((step) => h('li', step))), h('p.row.little', t('guide.more'), ...links));
}
