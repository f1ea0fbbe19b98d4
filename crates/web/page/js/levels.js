// @ts-check
// Levels of difficulty.
import { h } from './dom.js';
import { named, t } from './i18n.js';

export const LEVELS = ['beginner', 'intermediate', 'advanced', 'expert', 'fiendish'];

/** @param {string} level @param {string} [text] */
export const levelTag = (level, text = named('level', level)) => h('span.tag', { 'data-level': level }, text);

/** The time that people need, formatted like `HumanTime` in Rust. @param {HumanTime} time */
export function timeNeeded({ seconds, low, high, beyond }) {
  const round = (/** @type {number} */ n, step = 1) => String(Math.max(Math.round(n / step) * step, step));
  if (seconds >= 3600) return t('time.hour');
  if (!beyond.length && high < 600) return t('time.about', { seconds: round(seconds), low: round(low), high: round(high) });
  if (!beyond.length) return t('time.about-minutes', { minutes: round(seconds / 60), low: round(low / 60), high: round(high / 60) });
  if (seconds < 90) return t('time.seconds', { seconds: round(seconds, 5) });
  return t('time.minutes', { minutes: round(seconds / 60, seconds < 600 ? 1 : 5) });
}
