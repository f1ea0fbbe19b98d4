// @ts-check
// Levels of difficulty.
import { h } from './dom.js';

export const LEVELS = ['beginner', 'intermediate', 'advanced', 'expert', 'fiendish'];

/** @param {string} level @param {string} [text] */
export const levelTag = (level, text = level) => h('span.tag', { 'data-level': level }, text);

/** The time that people need, rounded: `5 min`. @param {number} seconds */
export const timeNeeded = (seconds) => (seconds < 90 ? `${Math.max(Math.round(seconds / 5) * 5, 5)} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`);
