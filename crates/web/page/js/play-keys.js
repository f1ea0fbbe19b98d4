// @ts-check
// The keyboard shortcuts of Play. Letters alone select vehicles, so the commands are letters with Shift.
import { h } from './dom.js';
import { recall, remember } from './storage.js';

/** The keys for the help: a key, and what it does. @type {[string, string][]} */
export const KEYS = [
  ['A … Z', 'select the vehicle with this letter'],
  ['← → ↑ ↓', 'along its line: move it by one cell; across its line: go to the next vehicle'],
  ['Shift + arrow', 'move it as far as possible'],
  ['Shift + H', 'hint; again: which way, why, and then make the move'],
  ['Shift + S', 'show the solution; Space pauses it'],
  ['Shift + U, R', 'undo, redo; also Ctrl + Z, Ctrl + Y'],
  ['Shift + N, P', 'next, previous puzzle'],
  ['0', 'restart; Shift + U undoes it'],
  ['Tab', 'from the board to the buttons'],
  ['?', 'show or hide this help'],
];

/** The choice to turn the shortcuts off, for users whose keys are pressed by accident or by speech input. */
export function keysChoice() {
  const input = h('input', { type: 'checkbox', checked: recall('keys', true), onchange: () => remember('keys', input.checked) });
  return h('label.row.little.keys-choice', input, 'Use keys without Ctrl as shortcuts');
}

/**
 * Calls the action of each key that is pressed outside a form or a dialog.
 * @param {AbortSignal} signal
 * @param {Record<'undo' | 'redo' | 'restart' | 'hint' | 'solve' | 'next' | 'previous' | 'help', () => void>} act
 * @param {(letter: string) => boolean} select selects a vehicle, if there is one with this letter
 * @param {() => {toggle(): void, leave(): void} | null} watched the solution being shown
 */
export function listenToKeys(signal, act, select, watched) {
  /** @type {Record<string, () => void>} */
  const shifted = { u: act.undo, r: act.redo, h: act.hint, s: act.solve, n: act.next, p: act.previous };

  /** Whether a key was used. @param {KeyboardEvent} event */
  function use(event) {
    const key = event.key.toLowerCase();
    const run = (/** @type {(() => void) | undefined} */ action) => (action?.(), action !== undefined);
    if (event.ctrlKey || event.metaKey) return run(key === 'z' ? (event.shiftKey ? act.redo : act.undo) : key === 'y' ? act.redo : undefined);
    if (key === ' ' && !(event.target instanceof HTMLButtonElement)) return run(watched()?.toggle);
    if (key === 'escape') return run(watched()?.leave);
    if (!recall('keys', true)) return false;
    if (key === '?') return run(act.help);
    if (event.shiftKey) return run(shifted[key]);
    return key === '0' ? run(act.restart) : key.length === 1 && select(key);
  }

  document.addEventListener(
    'keydown',
    (event) => {
      const typing = event.target instanceof HTMLElement && event.target.closest('input:not([type=checkbox]), textarea, select, dialog[open]');
      if (!typing && !event.altKey && !event.defaultPrevented && use(event)) event.preventDefault();
    },
    { signal },
  );
}
