// @ts-check
// What is in the way of a vehicle that cannot move: named, highlighted and signalled for a moment.
import { nameOf } from './board.js';
import { capital, fill } from './dom.js';
import { signalEvent } from './feedback.js';
import { t } from './i18n.js';

/** @import { Board } from './board.js' */
/** @import { BoardView } from './view.js' */

/** Time in milliseconds after which the message disappears. */
const SHOWN = 2500;

/** @param {BoardView} view @param {HTMLElement} element shows the message @param {(text: string) => void} announce */
export function blockedMessage(view, element, announce) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  function clear() {
    view.mark('blocker', []);
    fill(element);
  }
  return {
    clear,
    /** @param {Board} board @param {string} label of the vehicle @param {number} sign its direction */
    show(board, label, sign) {
      const vehicle = board.vehicle(label);
      if (!vehicle) return;
      const blocker = board.blocker(label, sign);
      const other = blocker !== 'wall' && blocker;
      const by = other ? 'play.blocked-by-vehicle' : blocker ? 'play.blocked-by-wall' : 'play.blocked-by-edge';
      const text = capital(t(by, { vehicle: nameOf(vehicle), blocker: other ? nameOf(other) : '' }));
      announce(text);
      view.mark('blocker', other ? [other.label] : []);
      fill(element, text);
      signalEvent('blocked');
      clearTimeout(timer);
      timer = setTimeout(clear, SHOWN);
    },
  };
}
