// @ts-check
// Printing of puzzles: cards, followed by the solutions.
import { Board } from './board.js';
import { h, plural } from './dom.js';
import { levelTag } from './levels.js';
import { BoardView } from './view.js';

/** @param {Puzzle[]} entries @param {string} title */
export function printCards(entries, title) {
  const cards = entries.map(({ board, moves, level }, i) =>
    h(
      'article.print-card',
      h('header', h('strong', i + 1), h('span', title), levelTag(level)),
      new BoardView(Board.parse(board)).element,
      h('footer', h('strong', plural(moves, 'move')), h('span', 'clearway')),
    ),
  );
  const solutions = entries.map(({ solution }, i) => h('li', h('strong', `${i + 1}. `), solution.join(' ')));
  const sheet = h('div.print-sheet', h('div.print-cards', ...cards), h('h2', 'Solutions'), h('ol.print-solutions', ...solutions));
  document.body.append(sheet);
  addEventListener('afterprint', () => sheet.remove(), { once: true });
  window.print();
}
