// @ts-check
// Play: a board to solve, with hints, a playback of the solution, and a choice of puzzles.
import { timeKeeper } from './active-time.js';
import { isAbort } from './api.js';
import { blockedMessage } from './blocked.js';
import { Board, moveText, parseMove, spoken } from './board.js';
import { button, problem } from './controls.js';
import { dateText } from './days.js';
import { calm, fill, h, set, wait } from './dom.js';
import { read } from './exchange.js';
import { signalEvent } from './feedback.js';
import { Game, aidText, clock } from './game.js';
import { hintPanel } from './hint.js';
import { named, t } from './i18n.js';
import { icon } from './icons.js';
import { TUTORIAL, collection, facts, generatedTitle, sourceOf } from './library.js';
import { firstPuzzle, nextPuzzle, previousPuzzle } from './neighbours.js';
import { Plans, solveLive } from './plans.js';
import { listenToKeys } from './play-keys.js';
import { playback } from './playback.js';
import { addResult, loadResults } from './player.js';
import { bestResult, isUnaided, tally } from './puzzle-records.js';
import { isAboutGame, openGame, saveGame } from './saved-games.js';
import { recall, remember } from './storage.js';
import { table } from './table.js';
import { confetti, victory } from './victory.js';
import { BoardView } from './view.js';

/** @import { Move } from './board.js' */
/** @import { Child } from './dom.js' */
/** @import { HintLevel } from './hint.js' */
/** @import { Collection, Source } from './library.js' */
/** @import { Choice } from './neighbours.js' */
/** @import { FinishedGame } from './puzzle-records.js' */

/** Whether the player knows that the browser's storage is full. */
let warnedOfFullStorage = false;

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
  /** The hint being shown, and how much of it. @type {{hint: Hint, level: HintLevel} | null} */
  let hinted = null;
  /** What the puzzle teaches, if it is one of the tutorial. @type {string | null} */
  let lesson = null;
  /** The number of puzzles chosen so far; a choice that takes long gives way to a later one. */
  let choices = 0;
  /** Aborted when another board is loaded. */
  let loading = new AbortController();
  /** Aborted when the position changes. */
  let asking = new AbortController();

  /** `3 moves`. */
  const movesMade = () => t('count.moves', { count: game.moves.length });
  const view = new BoardView(game.board, { interactive: true });
  view.onmove = make;
  /** The dialog to choose a puzzle, which is loaded when it is first opened. @type {ReturnType<typeof import('./chooser.js').chooser> | null} */
  let dialog = null;
  const next = () => choose(() => nextPuzzle(String(game.start), origin));
  const previous = () => choose(() => previousPuzzle(String(game.start), origin));
  const daily = () => choose(() => firstPuzzle({ daily: 'today' }));
  const acts = { undo, redo, restart, hint: askHint, solve, next, previous };
  const parts = table(root, context, view.element, { ...acts, daily, choose: openChooser });
  const blocked = blockedMessage(view, parts.blocked, context.announce);
  view.onblocked = (label, sign) => blocked.show(game.board, label, sign);
  const { signal } = context;
  const help = () => void (/** @type {HTMLElement | null} */ (document.querySelector('#play-help'))?.togglePopover());
  listenToKeys(signal, { ...acts, help }, (letter) => view.focus(letter), () => watched && { toggle: watched.toggle, leave: leavePlayback });
  const times = timeKeeper(signal);
  document.addEventListener('visibilitychange', updateClock, { signal });
  addEventListener('storage', (event) => isAboutGame(event, game.start) && adopt(), { signal });
  // Another page may have added a result.
  addEventListener('storage', count, { signal });
  const timer = setInterval(() => (parts.time.textContent = clock(game.seconds)), 250);
  loadResults(signal).then(count, () => {});
  open();
  return {
    close() {
      watched?.pause();
      game.pause();
      times.save();
      loading.abort();
      asking.abort();
      clearInterval(timer);
      dialog?.close();
    },
  };

  /** Opens the board of the URL, or the last one played, or the first card. */
  function open() {
    const { board, params } = context;
    const last = recall('last', /** @type {{board: string, source: Source | null} | null} */ (null));
    const source = sourceOf(params);
    // Other tabs pass only the board, without its source.
    if (board) return load(board, source ?? (last?.board === board ? last.source : null), context.keep);
    if (!source && typeof last?.board === 'string') return load(last.board, last.source, context.keep);
    return choose(() => firstPuzzle(source ?? { suite: 'cards' }), context.keep);
  }

  function openChooser() {
    return context.attempt(async () => {
      const { chooser } = await import('./chooser.js');
      if (context.signal.aborted) return;
      if (!dialog) {
        dialog = chooser({ pick: (item, source) => load(item.board, source), fail: context.fail, current: () => ({ board: String(game.start), source: origin }) });
        root.append(dialog.element);
      }
      dialog.show(origin);
    });
  }

  /** Opens a puzzle that has to be found first. @param {() => Promise<Choice | null>} find @param {Context['keep']} [address] */
  function choose(find, address) {
    const choice = ++choices;
    return context.attempt(async () => {
      const found = await find();
      if (found && choice === choices && !context.signal.aborted) await load(found.item.board, found.source, address);
    });
  }

  /** Pauses the clock while the page is hidden or the solution is shown. */
  function updateClock() {
    if (document.hidden || watched) game.pause();
    else if (game.moves.length) game.run();
  }

  /** @param {string} line @param {Source | null} source @param {Context['keep']} [address] puts the board into the URL */
  async function load(line, source, address = context.visit) {
    choices++;
    loading.abort();
    loading = new AbortController();
    const { signal } = loading;
    leavePlayback();
    let board;
    try {
      board = await read(line, context.api, signal);
    } catch (error) {
      if (!signal.aborted) name(t('play.invalid'));
      return refused(error);
    }
    if (signal.aborted) return;
    game.pause();
    game = openGame(board);
    times.open(game, source?.level !== TUTORIAL);
    origin = source;
    shelf = null;
    lesson = null;
    optimum = null;
    plans = new Plans();
    fill(parts.known);
    removeVictory();
    view.locked = false;
    view.show(game.board, { animate: false });
    reset();
    fill(parts.about, `${board.width} × ${board.height}`);
    address(String(board), { ...source });
    name(t('play.your-puzzle'));
    remember('last', { board: String(board), source });
    draw();
    if (!game.moves.length && !tally().solved && source?.level !== TUTORIAL) {
      say('info', t('play.intro'));
      parts.aside.firstElementChild?.append(' ', button(t('play.tutorial'), 'help', () => choose(() => firstPuzzle({ level: TUTORIAL })), 'small'));
    }
    await Promise.all([findSource(signal), findOptimum(signal)]);
  }

  /** Shows the name of the puzzle. @param {string} puzzle @param {string} [collection] */
  function name(puzzle, collection = t('tab.play')) {
    fill(parts.title, puzzle);
    context.title(`${puzzle} · ${collection}`);
  }

  /** Shows the name of the puzzle in its source. @param {AbortSignal} signal */
  async function findSource(signal) {
    if (!origin) return count();
    try {
      const found = await collection(origin);
      if (signal.aborted) return;
      shelf = found;
      origin = found.source;
      const at = index();
      const item = found.items[at];
      if (item) {
        name(item.title, found.title);
        fill(parts.about, found.items.length > 1 ? t('play.place', { title: found.title, number: at + 1, all: found.items.length }) : found.title, ...facts(origin.level || origin.daily ? { ...item, level: null } : item));
        optimum ??= item.moves;
        lesson = item.about ?? null;
        if (lesson) say('info', lesson);
        draw();
      } else if (origin.daily) name(dateText(origin.daily, 'short'), found.title);
      else name(generatedTitle(origin) ?? t('play.your-puzzle'), found.title);
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
        plans.bound = found.lower_bound ?? 0;
        fill(parts.known, ...about);
      });
      if (found?.status === 'unsolvable') say('warn', t('play.unsolvable'));
      else if (found?.moves === 0) say('info', t('play.already-solved'));
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
    signalEvent('slide');
    changed(t('play.moved', { move: spoken(move, board), moves: movesMade() }));
    if (game.board.solved) won();
  }

  function undo() {
    if (!view.locked && game.undoRestart()) {
      reset();
      changed(t('play.restart-undone', { moves: movesMade() }));
    } else change('play.undone', () => game.undo());
  }

  function redo() {
    change('play.redone', () => game.redo());
  }

  /** Undoes or redoes a move. @param {'play.undone' | 'play.redone'} said @param {() => Move | undefined} apply */
  function change(said, apply) {
    const move = view.locked ? undefined : apply();
    if (!move) return;
    reset();
    changed(t(said, { move: spoken(move, game.board) }));
    if (game.board.solved) won();
  }

  function restart() {
    leavePlayback();
    removeVictory();
    view.locked = false;
    if (game.board.solved) game = new Game(game.start);
    else game.restart();
    reset();
    changed(t('play.at-start'));
  }

  /** Shows and stores the game after a change. @param {string} text announces the change */
  function changed(text) {
    view.show(game.board);
    save();
    context.announce(text);
    draw();
  }

  /** Continues the game as another page has stored it, so that neither page overwrites the moves of the other. */
  function adopt() {
    leavePlayback();
    removeVictory();
    view.locked = false;
    game.pause();
    game = openGame(game.start);
    reset();
    view.show(game.board);
    draw();
    updateClock();
  }

  function save() {
    times.save();
    if (saveGame(game) || warnedOfFullStorage) return;
    warnedOfFullStorage = true;
    context.toast(t('play.storage-full'), 'bad');
  }

  /** Removes the card shown after a victory. */
  function removeVictory() {
    const card = parts.stage.querySelector('.won');
    const hadFocus = card?.contains(document.activeElement);
    card?.remove();
    if (hadFocus) parts.title.focus({ preventScroll: true });
  }

  /** Removes the hint, and aborts requests about the position. */
  function reset() {
    asking.abort();
    asking = new AbortController();
    hinted = null;
    blocked.clear();
    view.point(null);
    parts.play.classList.remove('hinting');
    for (const part of [parts.hint, parts.solve]) set(part, { 'aria-busy': null });
    if (watched) return;
    const hadFocus = parts.aside.contains(document.activeElement);
    fill(parts.aside, lesson && message('info', lesson));
    if (hadFocus) parts.hint.focus({ preventScroll: true });
  }

  /** Asks the server about the position. @param {'hint' | 'solve'} what @param {(board: Board, signal: AbortSignal) => Promise<void>} work */
  async function ask(what, work) {
    reset();
    const { signal } = asking;
    set(parts[what], { 'aria-busy': 'true' });
    try {
      await work(game.board, signal);
    } catch (error) {
      if (!hinted) refused(error);
    }
    if (!signal.aborted) set(parts[what], { 'aria-busy': null });
  }

  function askHint() {
    if (view.locked) return;
    if (hinted?.level === 3) return make(parseMove(hinted.hint.move));
    if (hinted) return showHint(hinted.hint, hinted.level === 1 ? 2 : 3);
    ask('hint', async (board, signal) => {
      // On a large board, the server needs longer than the player wants to wait.
      const known = optimum === null && plans.hint(board, plans.bound - game.moves.length);
      if (known) showHint(known, 1);
      const hint = await context.api.post('/hint', { board: String(board) }, { signal });
      plans.learn(board, hint);
      // Hints that follow the shortest plan known cannot undo each other.
      const planned = plans.hint(board, hint.lower_bound);
      const best = planned && planned.moves < (hint.moves ?? Infinity) ? planned : hint;
      if (!best.move) say('warn', named('no-hint', hint.limit ?? hint.status, hint.why));
      else if (!hinted) showHint(best, 1);
      // What is shown stays if the server knows nothing better, or if the player has read another move already.
      else if (best === hint && (hinted.level === 1 || hinted.hint.move === hint.move)) showHint(hint, hinted.level);
    });
  }

  /** @param {Hint} hint @param {HintLevel} level */
  function showHint(hint, level) {
    // A hint counts once, however much of it the player reads.
    if (!hinted) game.hints++;
    hinted = { hint, level };
    save();
    draw();
    const hadFocus = parts.aside.contains(document.activeElement);
    const panel = hintPanel(hint, level, view, { more: askHint, make: () => make(parseMove(hint.move)), close: reset });
    fill(parts.aside, panel.element);
    if (hadFocus) panel.main.focus({ preventScroll: true });
    parts.play.classList.add('hinting');
    parts.aside.scrollIntoView({ block: 'nearest', behavior: calm() ? 'instant' : 'smooth' });
    context.announce(level === 1 ? t('hint.said', { hint: panel.said, left: t('hint.to-go', { count: hint.moves }) }) : panel.said);
  }

  function solve() {
    if (watched || game.board.solved) return;
    ask('solve', async (board, signal) => {
      offer(plans.from(board), []);
      const found = await solveLive(String(board), signal, (_, about) => offer(plans.from(board), about), (found) => plans.best(board, found, plans.bound - game.moves.length));
      if (found && !found.solution) say('warn', found.status === 'unsolvable' ? t('play.no-solution') : t('play.limit', { bound: `${found.lower_bound}` }));
    });
  }

  /** Plays a solution, or offers to if a longer one is being played. @param {Move[] | undefined} moves @param {Child[]} about */
  function offer(moves, about) {
    if (!moves) return;
    if (!watched || (moves.length < watched.length && !watched.started())) startPlayback(moves);
    if (!watched) return;
    const shorter = moves.length < watched.length && button(t('play.play-moves', { count: moves.length }), 'play', () => (startPlayback(moves), offer(moves, about)), 'small');
    fill(watched.about, ...about, shorter);
  }

  /** @param {Move[]} moves */
  function startPlayback(moves) {
    watched?.pause();
    game.solutionShown = true;
    save();
    game.pause();
    view.locked = true;
    view.show(game.board);
    watched = playback(game.board, moves, {
      show: (board) => view.show(board), say: context.announce,
      done: () => setTimeout(() => watched && view.board.solved && view.driveOut(), 420),
      leave: leavePlayback,
    });
    const hadFocus = document.activeElement === parts.solve;
    fill(parts.aside, watched.element);
    if (hadFocus) watched.focus();
    watched.play();
    draw();
  }

  function leavePlayback() {
    if (!watched) return;
    watched.pause();
    watched = null;
    view.locked = false;
    view.show(game.board);
    // Enables the buttons, one of which gets the focus.
    draw();
    reset();
    updateClock();
  }

  async function won() {
    const { start, moves, seconds, hints, solutionShown } = game;
    const solved = game;
    signalEvent('solved');
    view.locked = true;
    draw();
    /** @type {FinishedGame} */
    const finished = { at: Date.now(), moves: moves.length, seconds: Math.round(seconds * 10) / 10, hints, solutionShown, ...(origin?.daily && { daily: origin.daily }), ...times.finish(game) };
    const about = { name: shelf?.items[index()]?.name ?? null, source: origin, optimum };
    const { isKept, result: counted } = addResult(String(start), moves.map(moveText), finished, about);
    if (!isKept) context.toast(t('play.result-full'), 'bad');
    await wait(160);
    if (game === solved) await view.driveOut();
    // The server may need longer to find the optimum of a large board.
    const result = await Promise.race([counted, wait(1500)]);
    counted.then(count);
    if (game !== solved || !solved.board.solved || context.signal.aborted) return;
    const shown = victory(finished, result ?? { optimum, best: false }, { again: restart, next });
    parts.stage.append(shown.element);
    confetti(parts.stage, shown.pieces);
    context.announce(shown.spoken);
    shown.onward.focus({ preventScroll: true });
    draw();
    count();
  }

  function draw() {
    const focused = document.activeElement;
    const { moves, undone, board, seconds, start, canUndo } = game;
    fill(parts.moves, moves.length, optimum === null ? null : h('small', { title: t('play.fewest') }, ` / ${optimum}`));
    parts.moves.classList.toggle('over', optimum !== null && moves.length > optimum);
    parts.time.textContent = clock(seconds);
    const best = bestResult(String(start));
    const aid = best && aidText(best);
    fill(parts.best, best ? best.moves : '–', best?.perfect && h('span.tick.perfect', icon('star')), aid && h('small', { title: t('aid.with', { aid }) }, icon('hint'), h('span.unseen', t('aid.with', { aid }))));
    fill(parts.aid, isUnaided(game) ? null : t('play.help-used', { aid: aidText(game) }));
    const watching = watched !== null;
    parts.play.classList.toggle('watching', watching);
    parts.undo.disabled = !canUndo || view.locked;
    parts.redo.disabled = !undone.length || view.locked;
    parts.restart.disabled = !moves.length && !undone.length;
    parts.hint.disabled = watching || board.solved;
    parts.solve.disabled = watching || board.solved;
    // While the collection is being loaded, the button stays as it is.
    if (shelf || !origin) parts.previous.disabled = !origin?.daily && index() < 1;
    parts.daily.hidden = origin?.daily !== undefined;
    keepFocus(focused);
  }

  /** Moves the focus on if the button that had it is disabled or hidden. @param {Element | null} focused */
  function keepFocus(focused) {
    const isLost = focused instanceof HTMLButtonElement && (focused.disabled || focused.hidden) && parts.play.contains(focused);
    const near = [parts.previous, parts.daily].some((button) => button === focused) ? [parts.next] : [parts.undo, parts.redo, parts.hint];
    if (isLost) [...near, parts.next].find((button) => !button.disabled)?.focus({ preventScroll: true });
  }

  /** Shows the player's progress. */
  function count() {
    const items = shelf?.items ?? [];
    const { solved, perfect } = items.length > 1 ? tally(items.map((item) => item.board)) : tally();
    fill(parts.count, items.length > 1 ? t('progress.solved', { solved, all: items.length, perfect }) : t('play.solved', { count: solved, perfect }));
    draw();
  }

  /** @param {'info' | 'warn'} kind @param {string} text */
  function say(kind, text) {
    fill(parts.aside, message(kind, text));
    context.announce(text);
  }

  /** @param {unknown} error */
  function refused(error) {
    if (!isAbort(error)) fill(watched?.about ?? parts.aside, problem(error));
  }
}

/** @param {'info' | 'warn'} kind @param {string} text */
const message = (kind, text) => h('div', { class: `message ${kind}` }, text);
