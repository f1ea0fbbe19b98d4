// @ts-check
// The keyboard shortcuts of Play. Letters alone select vehicles, so the commands are letters with Shift.
import { h } from './dom.js';
import { t } from './i18n.js';
import { recall, remember } from './storage.js';

/** The keys for the help: a key, and what it does. @type {[string, string][]} */
export const KEYS = [
  ['A … Z', t('keys.letter')],
  ['← → ↑ ↓', t('keys.arrows')],
  [t('key.shift-arrow'), t('keys.far')],
  [t('key.shift', { key: 'H' }), t('keys.hint')],
  [t('key.shift', { key: 'S' }), t('keys.solve')],
  [t('key.shift', { key: 'U, R' }), t('keys.undo')],
  [t('key.shift', { key: 'N, P' }), t('keys.next')],
  ['0', t('keys.restart')],
  ['Tab', t('keys.tab')],
  ['?', t('keys.help')],
];

/** The choice to turn the shortcuts off, for users whose keys are pressed by accident or by speech input. */
export function keysChoice() {
  const input = h('input', { type: 'checkbox', checked: recall('keys', true), onchange: () => remember('keys', input.checked) });
  return h('label.row.little.keys-choice', input, t('keys.choice'));
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
