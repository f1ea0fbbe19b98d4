// @ts-check
// The keyboard shortcuts of Play.

/** The keys for the help: a key, and what it does. @type {[string, string][]} */
export const KEYS = [
  ['Tab', 'next vehicle'],
  ['← → ↑ ↓', 'move the selected vehicle by one cell'],
  ['Shift + arrow', 'move it as far as possible'],
  ['U, R', 'undo, redo'],
  ['H', 'show a hint; press again to make the move'],
  ['S', 'show the solution; Space pauses it'],
  ['0', 'restart; U undoes it'],
  ['N, P', 'next, previous puzzle'],
  ['?', 'show or hide this help'],
];

/**
 * Calls the action of each key that is pressed outside a form or a dialog.
 * @param {AbortSignal} signal
 * @param {Record<'undo' | 'redo' | 'restart' | 'hint' | 'solve' | 'next' | 'previous' | 'help', () => void>} act
 * @param {() => {toggle(): void, leave(): void} | null} watched the solution being shown
 */
export function listenToKeys(signal, act, watched) {
  /** @type {Record<string, () => void>} */
  const actions = { u: act.undo, r: act.redo, h: act.hint, s: act.solve, 0: act.restart, n: act.next, p: act.previous, '?': act.help };

  /** @param {KeyboardEvent} event @returns {(() => void) | undefined} */
  function actionOf(event) {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) return key === 'z' ? (event.shiftKey ? act.redo : act.undo) : undefined;
    if (key === ' ' && !(event.target instanceof HTMLButtonElement)) return watched()?.toggle;
    if (key === 'escape') return watched()?.leave;
    return actions[key];
  }

  document.addEventListener(
    'keydown',
    (event) => {
      const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog[open]');
      const action = typing || event.altKey || event.defaultPrevented ? undefined : actionOf(event);
      if (!action) return;
      action();
      event.preventDefault();
    },
    { signal },
  );
}
