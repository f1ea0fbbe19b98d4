// @ts-check
// Printing of puzzles: cards, followed by the solutions.
import { Board, arrowText, parseMove, worded } from './board.js';
import { h } from './dom.js';
import { t } from './i18n.js';
import { levelTag, timeNeeded } from './levels.js';
import { BoardView } from './view.js';

/** @param {Puzzle[]} entries @param {string} title @param {boolean} plain whether the boards are black lines on white */
export function printCards(entries, title, plain) {
  const cards = entries.map(({ board, moves, level, human }, i) =>
    h(
      'article.print-card',
      h('header', h('strong', i + 1), h('span', title), levelTag(level)),
      new BoardView(Board.parse(board)).element,
      h('footer', h('strong', t('count.moves', { count: moves })), h('span', timeNeeded(human))),
    ),
  );
  const solutions = entries.map((entry, i) => {
    const board = Board.parse(entry.board);
    const moves = entry.solution.map(parseMove).map((move) => h('span.print-move', { title: worded(move, board) }, h('strong', move.label), ` ${arrowText(move, board)}`));
    return h('li', h('strong', `${i + 1}.`), ...moves);
  });
  const sheet = h(
    'div',
    { class: `print-sheet${plain ? ' plain' : ''}` },
    h('div.print-cards', ...cards),
    h('h2', t('print.solutions')),
    h('p', t('print.notation')),
    h('ol.print-solutions', ...solutions),
  );
  document.body.append(sheet);
  addEventListener('afterprint', () => sheet.remove(), { once: true });
  window.print();
}
