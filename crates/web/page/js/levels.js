// @ts-check
// Levels of difficulty.
import { h } from './dom.js';

export const LEVELS = ['beginner', 'intermediate', 'advanced', 'expert', 'fiendish'];

/** @param {string} level @param {string} [text] */
export const levelTag = (level, text = level) => h('span.tag', { 'data-level': level }, text);

/** The time that people need, formatted like `HumanTime` in Rust. @param {HumanTime} time */
export function timeNeeded({ seconds, low, high, beyond }) {
  const round = (/** @type {number} */ n, step = 1) => Math.max(Math.round(n / step) * step, step);
  if (seconds >= 3600) return 'more than an hour';
  if (!beyond.length) return `about ${round(seconds)} s (${round(low)} to ${round(high)} s)`;
  return `about ${seconds < 90 ? `${round(seconds, 5)} s` : `${round(seconds / 60, seconds < 600 ? 1 : 5)} min`} (extrapolated)`;
}
