// @ts-check
// Settings of the player, each of which is off until it is turned on.
import { countTimes, keepsTimes, removeTimes, setKeepsTimes } from './active-time.js';
import { button, note } from './controls.js';
import { fill, h } from './dom.js';
import { canVibrate, isOn, signalEvent, turn } from './feedback.js';
import { t } from './i18n.js';

/** @import { Feedback } from './feedback.js' */

/** A checkbox that shows a stored setting, also if another page changes it. @param {string} text @param {() => boolean} read @param {(on: boolean) => void} write @param {AbortSignal} signal */
function choice(text, read, write, signal) {
  const input = h('input', { type: 'checkbox', onchange: () => write(input.checked) });
  const draw = () => void (input.checked = read());
  addEventListener('storage', draw, { signal });
  draw();
  return h('label.row.little.choice', input, text);
}

/** The choices of sound and vibration. A change is confirmed by a sample. @param {AbortSignal} signal */
export function feedbackChoices(signal) {
  const one = (/** @type {string} */ text, /** @type {Feedback} */ kind) => choice(text, () => isOn(kind), (on) => (turn(kind, on), on && signalEvent('slide')), signal);
  return h('div.stack.tight', one(t('settings.sound'), 'sound'), canVibrate() && one(t('settings.vibration'), 'vibration'));
}

/** The panel with all settings. @param {AbortSignal} signal @param {(text: string) => void} announce */
export function settingsPanel(signal, announce) {
  const times = h('div.stack.tight');
  const element = h(
    'section.panel.stack.tight.settings',
    { 'aria-labelledby': 'settings-title' },
    h('h2', { id: 'settings-title', tabindex: '-1' }, t('settings.title')),
    feedbackChoices(signal),
    choice(t('settings.times'), keepsTimes, setKeepsTimes, signal),
    times,
  );
  function draw() {
    const count = countTimes();
    fill(
      times,
      note(t('settings.times-about')),
      count > 0 && h('div.row.spread', note(t('settings.times-kept', { count })), button(t('settings.delete-times'), 'trash', remove, 'small')),
    );
  }
  function remove() {
    removeTimes();
    draw();
    announce(t('settings.times-deleted'));
    /** @type {HTMLElement | null} */ (element.querySelector('h2'))?.focus();
  }
  addEventListener('storage', draw, { signal });
  draw();
  return { element, draw };
}
