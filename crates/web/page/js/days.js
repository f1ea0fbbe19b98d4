// @ts-check
// The days of the daily puzzles, as dates in UTC such as 2025-05-01.
import { language } from './i18n.js';

const DAY = 86_400_000;

/** The date of a time in milliseconds. @param {number} time */
export const dateOf = (time) => new Date(time).toISOString().slice(0, 10);

/** The date a number of days later, or earlier if the number is negative. @param {string} date @param {number} days */
export const daysLater = (date, days) => dateOf(Date.parse(`${date}T00:00:00Z`) + days * DAY);

/** `Thursday, May 1`. @param {string} date @param {'long' | 'short'} [style] */
export function dateText(date, style = 'long') {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString(language, { weekday: style, day: 'numeric', month: style, timeZone: 'UTC' });
}

/**
 * The number of consecutive days up to today or yesterday, and the most consecutive days ever.
 * @param {Iterable<string>} dates
 * @param {string} [today]
 */
export function streaks(dates, today = dateOf(Date.now())) {
  const days = new Set(dates);
  /** @param {string} date */
  const upTo = (date) => {
    let length = 0;
    while (days.has(daysLater(date, -length))) length++;
    return length;
  };
  const current = upTo(today) || upTo(daysLater(today, -1));
  // A streak is measured from its last day.
  const ends = [...days].filter((date) => !days.has(daysLater(date, 1)));
  return { current, longest: Math.max(0, ...ends.map(upTo)) };
}
