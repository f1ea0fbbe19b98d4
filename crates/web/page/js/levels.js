// @ts-check
// Levels of difficulty.
import { h } from './dom.js';
import { named, t } from './i18n.js';

export const LEVELS = ['beginner', 'intermediate', 'advanced', 'expert', 'fiendish'];

/** @param {string} level @param {string} [text] */
export const levelTag = (level, text = named('level', level)) => h('span.tag', { 'data-level': level }, text);

/** The time that people need, formatted like `HumanTime` in Rust. @param {HumanTime} time */
export function timeNeeded({ seconds, low, high, beyond }) {
  if (seconds >= 3600) return t('time.hour');
  if (!beyond.length && high < 600) return t('time.about', { seconds: rounded(seconds), low: rounded(low), high: rounded(high) });
  if (!beyond.length) return t('time.about-minutes', { minutes: rounded(seconds / 60), low: rounded(low / 60), high: rounded(high / 60) });
  if (seconds < 90) return t('time.seconds', { seconds: rounded(seconds, 5) });
  return t('time.minutes', { minutes: minutes(seconds) });
}

/** The same in a few characters, without the interval. @param {HumanTime} time */
export function shortTime({ seconds }) {
  if (seconds >= 3600) return t('time.hour');
  return seconds < 90 ? t('time.short-seconds', { seconds: rounded(seconds, 5) }) : t('time.short-minutes', { minutes: minutes(seconds) });
}

/** Rounds to a multiple of a step, at least the step itself. @param {number} n */
const rounded = (n, step = 1) => String(Math.max(Math.round(n / step) * step, step));

/** Minutes below an hour. @param {number} seconds */
const minutes = (seconds) => (seconds < 600 ? rounded(seconds / 60) : rounded(Math.min(seconds / 60, 55), 5));
