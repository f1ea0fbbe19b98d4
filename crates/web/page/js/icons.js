// @ts-check
// The icons: paths on a 24 by 24 grid.
import { s } from './dom.js';

const PATHS = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M8 5v14M16 5v14',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  forge: 'M12 3v5M12 16v5M3 12h5M16 12h5M6 6l2.5 2.5M15.5 15.5L18 18M18 6l-2.5 2.5M8.5 15.5L6 18',
  explore: 'M12 6a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM5 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM19 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM12 22a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM10.5 5.5l-4 5M13.5 5.5l4 5M6.5 13.5l4 5M17.5 13.5l-4 5',
  compare: 'M5 20V11M12 20V4M19 20v-6',
  evolve: 'M7 3c0 6 10 6 10 12v6M17 3c0 6-10 6-10 12v6M8.5 6.5h7M8.5 17.5h7',
  results: 'M8 4h8v6a4 4 0 0 1-8 0zM8 6H4v1a4 4 0 0 0 4 4M16 6h4v1a4 4 0 0 1-4 4M12 14v6M8 20h8',
  undo: 'M9 6L4 11l5 5M4 11h10a5 5 0 0 1 0 10h-3',
  redo: 'M15 6l5 5-5 5M20 11H10a5 5 0 0 0 0 10h3',
  restart: 'M4 4v6h6M5 10a8 8 0 1 1-1 6',
  hint: 'M9.5 21h5M9 17.5h6c0-3 3-4.5 3-8.5a6 6 0 0 0-12 0c0 4 3 5.5 3 8.5z',
  solve: 'M5 13l4.5 4.5L19 7',
  share: 'M12 15V3M8 7l4-4 4 4M6 11H5a1 1 0 0 0-1 1v8a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-8a1 1 0 0 0-1-1h-1',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20z',
  book: 'M12 6c-2-1.500-5-2-8-2v14c3 0 6 .5 8 2 2-1.500 5-2 8-2V4c-3 0-6 .5-8 2zM12 6v14',
  next: 'M5 12h14M13 6l6 6-6 6',
  back: 'M19 12H5M11 6l-6 6 6 6',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3.5 9h17M3.5 15h17M12 3c-5 5.500-5 12.500 0 18 5-5.500 5-12.500 0-18z',
  first: 'M18 5l-8 7 8 7zM6 5v14',
  stepback: 'M15 5l-8 7 8 7',
  stepforward: 'M9 5l8 7-8 7',
  close: 'M6 6l12 12M18 6L6 18',
  grid: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
  sun: 'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M19 5l-1.5 1.5M6.5 17.5L5 19',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  auto: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 3v18M12 8h7M12 12.5h8.5M12 17h6',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2',
  star: 'M12 3l2.7 5.7 6.3.800-4.6 4.3 1.2 6.2L12 17l-5.6 3 1.2-6.2L3 9.5l6.3-.8z',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  select: 'M6 3l13 8-6 1.5L10 19z',
  car: 'M3 9.5h18v5a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zM6 9.5l2-3h8l2 3M7 16.5v2M17 16.5v2',
  truck: 'M2 7h12v10H2zM14 10h5l3 3.5V17h-8M6 17v2M18 17v2',
  wall: 'M3 5h18v14H3zM3 9.7h18M3 14.3h18M9 5v4.7M15 9.7v4.6M9 14.3V19',
  erase: 'M8 20l-5-5L14 4l6 6-10 10zM8.5 9.5l6 6M10 20h10',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  rotate: 'M4 9a8.5 8.5 0 0 1 15-2M20 3v4.5h-4.5M20 15a8.5 8.5 0 0 1-15 2M4 21v-4.5h4.5',
  paste: 'M8 4h8v4H8zM8 6H5v15h14V6h-3M9 13h6M9 17h6',
  export: 'M12 4v11M8 11l4 4 4-4M4 19h16',
  import: 'M12 15V4M8 8l4-4 4 4M4 19h16',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  stop: 'M6 6h12v12H6z',
  print: 'M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z',
  save: 'M5 3h11l4 4v14H4V4a1 1 0 0 1 1-1zM8 3v5h7V3M8 21v-7h8v7',
};

/** @typedef {keyof typeof PATHS} IconName */

/** An icon, hidden from screen readers because the element around it has the label. @param {IconName} name */
export const icon = (name) => s('svg', { class: `icon icon-${name}`, viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: PATHS[name] }));
