// @ts-check
// Controls that the tabs share.
import { capital, clamp, copy, fill, h, set } from './dom.js';
import { language, number, t } from './i18n.js';
import { icon } from './icons.js';

/** @import { Child, Props } from './dom.js' */
/** @import { IconName } from './icons.js' */

/** @param {string} text @param {IconName} image @param {() => void} onclick @param {string} [kind] */
export const button = (text, image, onclick, kind = '') => h('button', { class: `button ${kind}`, onclick }, icon(image), text);

/** A button that is only an icon. @param {string} label @param {IconName} image @param {() => void} onclick @param {string} [kind] @param {string} [title] */
export const iconButton = (label, image, onclick, kind = '', title = label) => h('button', { class: `icon-button ${kind}`, 'aria-label': label, title, onclick }, icon(image));

/** A button with the text below the icon. @param {string} text @param {IconName} image @param {() => void} onclick @param {string} [title] */
export const control = (text, image, onclick, title) => h('button.button.control', { title, onclick }, icon(image), h('span', text));

/** @param {string} label @param {Context} context */
export const shareButton = (label, context) =>
  iconButton(label, 'share', async () => {
    const done = await copy(location.href);
    context.toast(done ? t('share.copied') : t('share.blocked'), done ? 'good' : 'info');
  });

/**
 * A button that opens a popover with the keyboard shortcuts.
 * @param {string} id
 * @param {string} label of the button
 * @param {string} title
 * @param {Node} text
 * @param {[string, string][]} keys a key, and what it does
 */
export function help(id, label, title, text, keys) {
  const opener = h('button.icon-button', { 'aria-label': label, title: label, popovertarget: id }, icon('help'));
  const list = keys.flatMap(([key, what]) => [h('dt', h('kbd', key)), h('dd', what)]);
  return { opener, popover: h('div', { id, popover: 'auto', class: 'help-popover' }, h('h2', title), text, h('dl.keys', ...list)) };
}

/**
 * The buttons to step through a sequence.
 * @param {string} backLabel
 * @param {string} forwardLabel
 * @param {{at(): number, jump(to: number): void, toggle(): void}} act
 */
export function transport(backLabel, forwardLabel, { at, jump, toggle }) {
  const first = iconButton(t('steps.first'), 'first', () => jump(0));
  const back = iconButton(backLabel, 'stepback', () => jump(at() - 1));
  const run = iconButton(t('steps.play'), 'play', toggle);
  const forward = iconButton(forwardLabel, 'stepforward', () => jump(at() + 1));
  return {
    buttons: [first, back, run, forward],
    run,
    /** @param {boolean} playing @param {number} last */
    draw(playing, last) {
      first.disabled = back.disabled = at() === 0;
      forward.disabled = at() === last;
      const word = playing ? t('steps.pause') : t('steps.play');
      if (run.title === word) return;
      set(run, { 'aria-label': word, title: word });
      fill(run, icon(playing ? 'pause' : 'play'));
    },
  };
}

/** A choice of one of a few options. @param {string} label @param {Record<string, string>} options texts by name @param {string} chosen @param {(name: string) => void} choose */
export function segmented(label, options, chosen, choose) {
  const buttons = Object.entries(options).map(([name, text]) => {
    const onclick = () => {
      for (const other of buttons) set(other, { 'aria-pressed': String(other === one) });
      choose(name);
    };
    const one = h('button', { 'aria-pressed': String(name === chosen), onclick }, text);
    return one;
  });
  return h('div.segmented', { role: 'group', 'aria-label': label }, ...buttons);
}

/** @param {Props} props @param {Record<string, string>} options texts by value @param {string} [value] */
export function select(props, options, value) {
  const element = h('select', props, ...Object.entries(options).map(([key, text]) => h('option', { value: key }, text)));
  if (value !== undefined && value in options) element.value = value;
  return element;
}

/** A form that is handled by the page instead of being submitted. @param {string} kind @param {() => void} send @param {...Child} children */
export function form(kind, send, ...children) {
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    send();
  };
  return h('form', { class: kind, onsubmit }, ...children);
}

/** @param {string} text @param {HTMLElement} input */
export const field = (text, input) => h('label.field', text, input);

/** The non-empty fields of a form. @param {HTMLFormElement} form @returns {Record<string, string>} */
export const filled = (form) => Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]).filter(([, value]) => value));

/** @param {string | number} value @param {string} name */
export const fact = (value, name) => h('div.fact', h('strong.number', typeof value === 'number' ? number(value) : value), h('span', name));

/** A note in small print. @param {...Child} children */
export const note = (...children) => h('p.soft.little', ...children);

/** The legend of the colours. @param {Record<string, string>} names by the CSS class of the colour */
export const legend = (names) => h('p.soft.little.legend', ...Object.entries(names).map(([kind, name]) => h('span', h('span', { class: `key ${kind}` }), name)));

/** @param {string[]} names of the columns @param {HTMLElement[]} rows */
export const tableOf = (names, rows) => h('table', h('thead', h('tr', ...names.map((name) => h('th', { scope: 'col' }, name)))), h('tbody', ...rows));

/** A progress bar. */
export function meter() {
  const bar = h('span');
  return {
    element: h('div.meter', bar),
    /** @param {number} part 0 to 1 */
    show: (part) => void (bar.style.width = `${clamp(100 * part, 0, 100)}%`),
  };
}

/** An error message, with the server's report and its caret if there is one. What the server says is in English, and marked as such. @param {unknown} error @param {string} [kind] */
export function problem(error, kind = 'bad') {
  const { message, help, detail, status } = /** @type {{message: string, help?: string | null, detail?: string | null, status?: number}} */ (error);
  const [text, ...lines] = message.split('\n');
  const report = detail ?? lines.join('\n');
  const introduction = t('error.server', { message: '' });
  const at = language !== 'en' && text.includes(introduction) ? text.indexOf(introduction) + introduction.length : text.length;
  const end = help && !report ? h('span', { lang: status ? 'en' : null }, capital(help)) : null;
  return h('div', { class: `message ${kind}`, role: 'alert' }, capital(text.slice(0, at)), at < text.length && h('span', { lang: 'en' }, text.slice(at)), end && '. ', end, report && h('pre', { lang: 'en', tabindex: '0' }, report));
}
