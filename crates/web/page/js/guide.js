// @ts-check
// The guide to each tab, in a popover: what it is for, how to start, and the chapter that explains more.
import { capital, fill, h } from './dom.js';

/** What each tab is for, the first steps, and its chapters. @type {Record<string, {about: string, steps: string[], chapters: [string, string][]}>} */
const GUIDES = {
  play: {
    about: 'Get the red vehicle with the star out of the car park. Vehicles only slide along their own row or column.',
    steps: ['Drag a vehicle, or press its letter and then the arrow keys.', 'Stuck? Hint shows first which vehicle to look at, then which way it moves, then why.', 'The number after the slash is the fewest moves possible: solve a puzzle in as many, without help, and it is perfect.'],
    chapters: [['playing#play', 'Play'], ['boards', 'Boards and the rules']],
  },
  edit: {
    about: 'Make your own puzzle. While you build, the page solves it and says how hard it is.',
    steps: ['Choose Car, Truck or Wall and tap a cell; drag to draw a longer vehicle.', 'The red car is the target. Turn it, or move the exit, until the two are in line.', '“Useless” vehicles are hatched: without them the puzzle is just as long.', 'Keep boards as drafts, or save them into a pack to play and print them.'],
    chapters: [['playing#edit', 'Edit'], ['grading', 'Grading'], ['formats', 'Formats']],
  },
  forge: {
    about: 'Let the computer invent puzzles, from easy to very hard, and print them as cards.',
    steps: ['Choose a level or a number of moves, then Generate puzzles.', 'Untick the puzzles that you do not like, and save the others as a pack.', 'Print cards, or download a pack as PDF: the solutions are on the last page.'],
    chapters: [['packs', 'Packs'], ['generating', 'Random boards and minimal puzzles']],
  },
  explore: {
    about: 'Every position that can be reached from a board is a point of this map, a “state”. A line is a move.',
    steps: ['The left column holds the solved states; each column to the right is one move farther from the exit.', 'Point at a state to see its board, click to select it. Arrow keys walk along the lines.', 'The dark line is a shortest solution from the start.'],
    chapters: [['playing#explore', 'Explore'], ['glossary', 'Glossary']],
  },
  compare: {
    about: 'Let several search algorithms solve the same board, and see how much work each of them has.',
    steps: ['A search “expands” a state when it looks at all moves from it. Fewer expanded states mean a better guided search.', 'Unfold an expression such as ida(h1, both, increment=8) to read what its parts mean.', 'A heuristic estimates how far a state is from the exit. One that never overestimates lets A* find shortest solutions.', 'Below, watch a search step by step.'],
    chapters: [['comparing', 'Comparing algorithms'], ['HEURISTICS', 'Heuristics']],
  },
  evolve: {
    about: 'Breed rules that guide a search: the best rules of a generation are combined and changed to make the next one.',
    steps: ['Start a run with the settings as they are; one minute is enough for a first result.', 'The curve shows how many states the search needs with the best rule, in per cent of a search without one: lower is better.', 'Use the champion in Compare on a board of yours.'],
    chapters: [['evolving', 'Evolving policies'], ['policies', 'Policies']],
  },
  results: {
    about: 'Everything that you have solved: your best games, the perfect ones, and the days in a row with a daily puzzle.',
    steps: ['Results are in this browser. Export them to take them to another one.'],
    chapters: [['playing#results', 'Results']],
  },
};

/** Shows the guide to a tab in a popover. @param {HTMLElement} popover @param {string} tab */
export function showGuide(popover, tab) {
  const { about, steps, chapters } = GUIDES[tab] ?? GUIDES.play;
  const links = chapters.map(([path, title]) => h('a', { href: `/docs/${path}`, onclick: () => popover.hidePopover() }, title));
  fill(popover, h('h2', capital(tab)), h('p', about), h('ul.guide-steps', ...steps.map((step) => h('li', step))), h('p.row.little', 'More in the book:', ...links));
}
