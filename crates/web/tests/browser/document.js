// Finds accessibility errors in the document itself.

const wrong = [];
const count = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility()).length;
if (count('h1') !== 1) wrong.push(`${count('h1')} h1`);
if (count('main') !== 1) wrong.push('no main');
if (document.documentElement.lang !== 'en') wrong.push('no language');
for (const e of document.querySelectorAll('[tabindex]')) if (e.tabIndex > 0) wrong.push(`tabindex ${e.tabIndex}`);
for (const e of document.querySelectorAll('img:not([alt])')) wrong.push(`no alt: ${e.src}`);
const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
for (const id of new Set(ids)) if (ids.filter((other) => other === id).length > 1) wrong.push(`id ${id} twice`);
for (const name of ['aria-labelledby', 'aria-describedby', 'aria-controls', 'popovertarget', 'for'])
  for (const e of document.querySelectorAll(`[${name}]`)) for (const id of e.getAttribute(name).split(' ')) if (!ids.includes(id)) wrong.push(`${name} of ${id}`);
const levels = [...document.querySelectorAll('h1, h2, h3, h4')].filter((e) => e.checkVisibility()).map((e) => Number(e.tagName[1]));
levels.forEach((level, i) => { if (level > (levels[i - 1] ?? 0) + 1) wrong.push(`h${level} after h${levels[i - 1] ?? 0}`); });
return wrong
