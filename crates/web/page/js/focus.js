// @ts-check
// Keeps the focus on the page: if the control that has it is removed, hidden or disabled, one nearby gets it.

const CONTROLS = 'button, a[href], input, select, textarea, summary, [tabindex="0"]';

/**
 * The control that had the focus last, its name, and its index among the controls of each element around it.
 * @type {{element: Element, name: string, around: [Element, number][]} | null}
 */
let last = null;

/** @param {Element} element */
const nameOf = (element) => element.getAttribute('aria-label') ?? element.textContent ?? '';

/** Whether an element can have the focus. @param {Element} element */
const isUsable = (element) => element.isConnected && !element.matches(':disabled') && element.checkVisibility();

/** @param {HTMLElement} main gets the focus if no control is near */
export function keepFocus(main) {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element) || target === main) return void (last = null);
    /** @type {[Element, number][]} */
    const around = [];
    for (let at = target.parentElement; at && at !== main && at !== document.body; at = at.parentElement) {
      around.push([at, [...at.querySelectorAll(CONTROLS)].indexOf(target)]);
    }
    last = { element: target, name: nameOf(target), around };
  });
  // A click beside all controls takes the focus away on purpose.
  document.addEventListener('focusout', ({ relatedTarget }) => {
    if (!relatedTarget) queueMicrotask(() => last && isUsable(last.element) && document.activeElement === document.body && (last = null));
  });
  new MutationObserver(restore).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled', 'hidden'] });

  function restore() {
    const active = document.activeElement;
    if (!last || (active !== document.body && active !== last.element) || isUsable(last.element)) return;
    const { name, around } = last;
    for (const [element, index] of around) {
      const controls = /** @type {HTMLElement[]} */ ([...element.querySelectorAll(CONTROLS)].filter(isUsable));
      const next = controls.find((control) => nameOf(control) === name) ?? controls[Math.min(index, controls.length - 1)];
      if (next && element.isConnected) return next.focus({ preventScroll: true });
    }
    main.focus({ preventScroll: true });
  }
}
