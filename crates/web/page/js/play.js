// @ts-check
// Play: a board to solve, with hints, a playback of the solution, and a choice of puzzles.
import { isAbort } from './api.js';
import { Board, moveText, parseMove, spoken } from './board.js';
import { button, problem } from './controls.js';
import { calm, fill, h, plural, recall, remember, set, wait } from './dom.js';
import { read } from './exchange.js';
import { Game, clock } from './game.js';
import { hintPanel } from './hint.js';
import { icon } from './icons.js';
import { chooser, collection, facts, sourceOf } from './library.js';
import { Plans, solveLive } from './plans.js';
import { playback } from './playback.js';
import { progress } from './player.js';
import { table } from './table.js';
import { confetti, victory } from './victory.js';
import { BoardView } from './view.js';

/** @import { Move } from './board.js' */
/** @import { Child } from './dom.js' */
/** @import { Collection, Item, Source } from './library.js' */

/** @param {HTMLElement} root @param {Context} context */
export async function show(root, context) {
  let game = new Game(new Board(6, 6, []));
  /** @type {Source | null} */
  let origin = null;
  /** @type {Collection | null} */
  let shelf = null;
  /** @type {number | null} */
  let optimum = null;
  let plans = new Plans();
  /** The solution being shown. @type {ReturnType<typeof playback> | null} */
  let watched = null;
  /** The hint being shown. @type {Move | null} */
  let hinted = null;
  /** Aborted when another board is loaded. */
  let loading = new AbortController();
  /** Aborted when the position changes. */
  let asking = new AbortController();

  const view = new BoardView(game.board, { interactive: true });
  view.onmove = make;
  view.onblocked = (label) => context.announce(`${label} is blocked`);
  const dialog = chooser({ pick: (item, source) => load(item.board, source), fail: context.fail, current: () => ({ board: String(game.start), source: origin }) });
  const parts = table(root, context, view.element, dialog.element, { undo, redo, restart, hint: askHint, solve, choose: () => dialog.show(origin) });
  const { signal } = context;
  document.addEventListener('keydown', onKey, { signal });
  document.addEventListener('visibilitychange', updateClock, { signal });
  const timer = setInterval(() => (parts.time.textContent = clock(game.seconds)), 250);
  progress.load(signal).then(count, () => {});
  open();
  return {
    close() {
      watched?.pause();
      game.pause();
      loading.abort();
      asking.abort();
      clearInterval(timer);
      dialog.close();
    },
  };

  /** Opens the board of the URL, or the last one played, or the first card. */
  function open() {
    const { board, params } = context;
    const last = recall('last', /** @type {{board: string, source: Source | null} | null} */ (null));
    const source = sourceOf(params);
    // Other tabs pass only the board, without its source.
    if (board) return load(board, source ?? (last?.board === board ? last.source : null));
    if (!source && last) return load(last.board, last.source);
    return first(source ?? { suite: 'cards' });
  }

  /** Opens the first puzzle of a source. @param {Source} wanted */
  function first(wanted) {
    return context.attempt(async () => {
      const { items, source } = await collection(wanted);
      await load(items[0].board, source);
    });
  }

  /** Pauses the clock while the page is hidden or the solution is shown. */
  function updateClock() {
    if (document.hidden || watched) game.pause();
    else if (game.moves.length) game.run();
  }

  /** @param {string} line @param {Source | null} source */
  async function load(line, source) {
    loading.abort();
    loading = new AbortController();
    const { signal } = loading;
    leavePlayback();
    let board;
    try {
      board = await read(line, context.api, signal);
    } catch (error) {
      if (!signal.aborted) fill(parts.title, 'Invalid board');
      return refused(error);
    }
    if (signal.aborted) return;
    game.pause();
    game = Game.open(board);
    origin = source;
    shelf = null;
    optimum = null;
    plans = new Plans();
    fill(parts.known);
    parts.stage.querySelector('.won')?.remove();
    view.locked = false;
    view.show(game.board, { animate: false });
    reset();
    fill(parts.title, 'Your puzzle');
    fill(parts.about, `${board.width} × ${board.height}`);
    context.keep(String(board), { ...source });
    remember('last', { board: String(board), source });
    draw();
    if (!game.moves.length && !progress.count().solved) say('info', 'Slide the other vehicles out of the way and get the red one with the star to the exit.');
    await Promise.all([findSource(signal), findOptimum(signal)]);
  }

  /** Shows the name of the puzzle in its source. @param {AbortSignal} signal */
  async function findSource(signal) {
    if (!origin) return count();
    try {
      const found = await collection(origin);
      if (signal.aborted) return;
      shelf = found;
      const at = index();
      const item = found.items[at];
      if (item) {
        fill(parts.title, item.name);
        fill(parts.about, found.items.length > 1 ? `${found.title}, ${at + 1} of ${found.items.length}` : found.title, ...facts({ ...item, moves: null }));
        optimum ??= item.moves;
        draw();
      }
    } catch (error) {
      if (isAbort(error)) return;
      // The puzzle can be played without its source.
      origin = null;
    }
    count();
  }

  /** @param {AbortSignal} signal */
  async function findOptimum(signal) {
    const { start } = game;
    try {
      const found = await solveLive(String(start), signal, (found, about) => {
        plans.learn(start, found);
        fill(parts.known, ...about);
      });
      if (found?.status === 'unsolvable') say('warn', 'This board has no solution: the exit can never be reached.');
      else if (found?.moves === 0) say('info', 'This board is already solved.');
      if (found?.optimal) optimum = found.moves;
      draw();
    } catch (error) {
      refused(error);
    }
  }

  /** The index of the puzzle in its collection, or -1. */
  function index() {
    return shelf?.items.findIndex((item) => item.board === String(game.start)) ?? -1;
  }

  /** @param {Move} move */
  function make(move) {
    const { board } = game;
    if (!board.allows(move)) return;
    reset();
    game.play(move);
    changed(`${spoken(move, board)}. ${plural(game.moves.length, 'move')}.`);
    if (game.board.solved) won();
  }

  function undo() {
    change('Undone', () => game.undo());
  }

  function redo() {
    change('Redone', () => game.redo());
  }

  /** Undoes or redoes a move. @param {string} verb @param {() => Move | undefined} apply */
  function change(verb, apply) {
    const move = view.locked ? undefined : apply();
    if (!move) return;
    reset();
    changed(`${verb}: ${spoken(move, game.board)}.`);
    if (game.board.solved) won();
  }

  function restart() {
    leavePlayback();
    parts.stage.querySelector('.won')?.remove();
    view.locked = false;
    game.restart();
    reset();
    changed('Back at the start.');
  }

  /** Shows and stores the game after a change. @param {string} text announces the change */
  function changed(text) {
    view.show(game.board);
    game.save();
    context.announce(text);
    draw();
  }

  /** Removes the hint, and aborts requests about the position. */
  function reset() {
    asking.abort();
    asking = new AbortController();
    hinted = null;
    view.point(null);
    parts.play.classList.remove('hinting');
    for (const part of [parts.hint, parts.solve]) set(part, { 'aria-busy': null });
    if (!watched) fill(parts.aside);
  }

  /** Asks the server about the position. @param {'hint' | 'solve'} what @param {(board: Board, signal: AbortSignal) => Promise<void>} work */
  async function ask(what, work) {
    reset();
    const { signal } = asking;
    set(parts[what], { 'aria-busy': 'true' });
    try {
      await work(game.board, signal);
    } catch (error) {
      refused(error);
    }
    if (!signal.aborted) set(parts[what], { 'aria-busy': null });
  }

  function askHint() {
    if (view.locked) return;
    if (hinted) return make(hinted);
    ask('hint', async (board, signal) => {
      const hint = await context.api.post('/hint', { board: String(board) }, { signal });
      plans.learn(board, hint);
      // Hints that follow the shortest plan known cannot undo each other.
      const plan = plans.from(board);
      if (plan && plan.length < (hint.moves ?? Infinity)) showHint({ ...hint, move: moveText(plan[0]), moves: plan.length, why: 'This is the next move of the plan.', reasons: [] });
      else if (hint.move) showHint(hint);
      else say('warn', hint.why ?? 'No solution was found from here.');
    });
  }

  /** @param {Hint} hint */
  function showHint(hint) {
    const move = parseMove(hint.move);
    hinted = move;
    fill(parts.aside, hintPanel(hint, view, { make: () => make(move), close: reset }));
    parts.play.classList.add('hinting');
    parts.aside.scrollIntoView({ block: 'nearest', behavior: calm() ? 'instant' : 'smooth' });
    context.announce(`Hint: ${hint.why} ${plural(hint.moves, 'move')} to go.`);
  }

  function solve() {
    if (watched || game.board.solved) return;
    ask('solve', async (board, signal) => {
      const found = await solveLive(String(board), signal, (found, about) => offer(plans.learn(board, found), about));
      if (found && !found.solution) say('warn', found.status === 'unsolvable' ? 'No solution from here: the exit can never be reached.' : `No solution was found within the limit; at least ${found.lower_bound} moves are needed.`);
    });
  }

  /** Plays a solution, or offers to if a longer one is being played. @param {Move[] | undefined} moves @param {Child[]} about */
  function offer(moves, about) {
    if (!moves) return;
    if (!watched || (moves.length < watched.length && !watched.started())) startPlayback(moves);
    if (!watched) return;
    const shorter = moves.length < watched.length && button(`Play ${plural(moves.length, 'move')}`, 'play', () => (startPlayback(moves), offer(moves, about)), 'small');
    fill(watched.about, ...about, shorter);
  }

  /** @param {Move[]} moves */
  function startPlayback(moves) {
    watched?.pause();
    game.helped = true;
    game.pause();
    view.locked = true;
    view.show(game.board);
    watched = playback(game.board, moves, {
      show: (board) => view.show(board),
      say: context.announce,
      done: () => setTimeout(() => watched && view.board.solved && view.driveOut(), 420),
      leave: leavePlayback,
    });
    fill(parts.aside, watched.element);
    watched.play();
    draw();
  }

  function leavePlayback() {
    if (!watched) return;
    watched.pause();
    watched = null;
    view.locked = false;
    view.show(game.board);
    reset();
    updateClock();
    draw();
  }

  async function won() {
    const solved = game;
    view.locked = true;
    draw();
    const { seconds, helped } = solved;
    const moves = solved.moves.map(moveText);
    const counted = helped ? Promise.resolve(null) : progress.solved(String(solved.start), moves, seconds, optimum);
    await wait(160);
    await view.driveOut();
    // The server may need longer to find the optimum of a large board.
    const result = await Promise.race([counted, wait(1500)]);
    counted.then(count);
    if (game !== solved || !solved.board.solved || context.signal.aborted) return;
    const shown = victory(
      { moves: moves.length, seconds, helped, optimum, best: result?.best ?? false },
      { again: restart, next: nextPuzzle(), more: () => dialog.show(null) },
    );
    parts.stage.append(shown.element);
    confetti(parts.stage, shown.pieces);
    context.announce(shown.spoken);
    shown.onward.focus({ preventScroll: true });
    draw();
    count();
  }

  /** Returns a function that opens the next puzzle: the next unsolved one of the collection, or else the following one. */
  function nextPuzzle() {
    const items = shelf?.items ?? [];
    const after = items.slice(index() + 1);
    const unsolved = (/** @type {Item} */ { board }) => !progress.of(board);
    const next = after.find(unsolved) ?? after[0] ?? items.find(unsolved);
    return next ? () => void load(next.board, origin) : null;
  }

  function draw() {
    const { moves, undone, board, seconds, start } = game;
    fill(parts.moves, moves.length, optimum === null ? null : h('small', { title: 'Fewest moves possible' }, ` / ${optimum}`));
    parts.moves.classList.toggle('over', optimum !== null && moves.length > optimum);
    parts.time.textContent = clock(seconds);
    const best = progress.of(String(start));
    fill(parts.best, best ? best.moves : '–', best?.perfect ? h('span.tick.perfect', icon('star')) : null);
    const watching = watched !== null;
    parts.play.classList.toggle('watching', watching);
    parts.undo.disabled = !moves.length || view.locked;
    parts.redo.disabled = !undone.length || view.locked;
    parts.restart.disabled = !moves.length && !undone.length;
    parts.hint.disabled = watching || board.solved;
    parts.solve.disabled = watching || board.solved;
  }

  /** Shows the player's progress, and the button for the next puzzle. */
  function count() {
    const items = shelf?.items ?? [];
    const all = progress.count();
    const here = progress.count(items.map((item) => item.board));
    const next = nextPuzzle();
    const text = items.length > 1 ? `${here.solved} of ${items.length} solved, ${here.perfect} perfect` : `${plural(all.solved, 'puzzle')} solved, ${all.perfect} perfect`;
    const onward = next && h('button.button', { onclick: next }, 'Next', icon('next'));
    const today = origin?.daily === undefined && button('Daily', 'calendar', () => first({ daily: 'today' }));
    fill(parts.footer, h('span.soft.little.number', text), h('span.row', today, onward));
    draw();
  }

  /** @param {'info' | 'warn'} kind @param {string} text */
  function say(kind, text) {
    fill(parts.aside, h('div', { class: `message ${kind}` }, text));
    context.announce(text);
  }

  /** @param {unknown} error */
  function refused(error) {
    if (!isAbort(error)) fill(parts.aside, problem(error));
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog[open]');
    if (typing || event.altKey || event.defaultPrevented) return;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    const onButton = event.target instanceof HTMLButtonElement;
    if (command && key === 'z') event.shiftKey ? redo() : undo();
    else if (command) return;
    else if (key === 'u') undo();
    else if (key === 'r') redo();
    else if (key === 'h') askHint();
    else if (key === 's') solve();
    else if (key === '0') restart();
    else if (key === '?') /** @type {HTMLElement | null} */ (document.querySelector('#play-help'))?.togglePopover();
    else if (key === 'n') nextPuzzle()?.();
    else if (key === ' ' && watched && !onButton) watched.toggle();
    else if (key === 'escape' && watched) leavePlayback();
    else return;
    event.preventDefault();
  }
}
