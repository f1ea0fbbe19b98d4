// Types shared by the modules of the page: the interface of the shell, and the server's responses. Not served.

type Metric = 'moves' | 'steps';

/** The interface of the shell for a tab. */
interface Context {
  /** The board of the URL, in line format. */
  board: string | null;
  /** The query of the URL. */
  params: URLSearchParams;
  /** Opens a tab. */
  go: (tab: string, board?: string | null, more?: Record<string, string>) => void;
  /** Puts a board into the URL without leaving the tab. */
  keep: (board: string | null, more?: Record<string, string>) => void;
  /** Puts another board into the URL, so that the browser's Back button returns to the present one. */
  visit: (board: string | null, more?: Record<string, string>) => void;
  /** Sets the title of the browser's tab. */
  title: (text: string) => void;
  /** Shows that there is no page at this address. */
  missing: () => void;
  /** Announces a text to screen readers. */
  announce: (text: string) => void;
  /** Shows a short message. */
  toast: (text: string, kind?: 'info' | 'good' | 'bad') => void;
  /** Shows an error, unless it is an abort. */
  fail: (error: unknown) => void;
  /** Runs work that may fail, and shows its error. */
  attempt: (work: () => Promise<unknown>) => Promise<void>;
  /** The server's API. */
  api: typeof import('./page/js/api.js').api;
  /** Aborted when the tab is closed. */
  signal: AbortSignal;
}

interface Tab {
  show(root: HTMLElement, context: Context): Promise<{ close(): void } | void>;
}

/** The next move, and the chain of blocking vehicles behind it. */
interface Hint {
  move: string;
  moves: number;
  optimal: boolean;
  lower_bound: number;
  why: string;
  reasons: { move: string; vehicle: string; purpose: 'exit' | 'unneeded' | 'again' | 'exit-path' | 'target-path' | 'room' }[];
}

/** What is known about a board while it is solved. */
interface Progress {
  moves: number | null;
  steps: number | null;
  lower_bound: number | null;
  solution: string[] | null;
  optimal?: boolean;
}

/** The answer to a board. At a limit, it has the best solution found. */
interface Answer extends Progress {
  status: 'solved' | 'unsolvable' | 'limit';
}

/** The predicted time that people need, in seconds; `beyond` is not empty if the prediction extrapolates. */
interface HumanTime {
  seconds: number;
  low: number;
  high: number;
  beyond: string[];
}

/** A puzzle of a pack: the fields that the page uses. */
interface Puzzle {
  board: string;
  moves: number;
  level: string;
  seconds: number;
  human: HumanTime;
  solution: string[];
}

/** An item of the list of packs. */
interface PackLine {
  id: number;
  name: string;
  created: string;
  puzzles: number;
  levels: Record<string, number>;
}

/** All states reachable from a board. */
type Component = import('./page/js/graph-layout.js').Graph & {
  board: string;
  metric: Metric;
  vehicles: string;
  states: number;
  complete: boolean;
  sampled: boolean;
  by: 'goal' | 'start';
  layers: number[];
  start: number;
  path: number[];
  edges_left_out: number;
};

/** A search step by step. */
interface Trace {
  vehicles: string;
  status: string;
  cut: boolean;
  expansions: { state: string; found: string[] }[];
}

/** The result of an algorithm, as `clearway compare --json` prints it. */
interface Compared {
  status: string;
  limit?: string | null;
  moves: number | null;
  steps: number | null;
  optimum: number | null;
  seconds: number;
  expanded: number;
  generated: number;
  evaluated: number;
  goal_tests: number;
  duplicates: number;
  reopened: number;
  peak_open: number;
  peak_memory: number;
}

interface Named {
  name: string;
  about: string;
}

/** The available algorithms, heuristics and policies. */
interface Known {
  algorithms: (Named & { heuristic: boolean; usage: string; options: { usage: string; about: string }[] })[];
  heuristics: (Named & { aliases: string[] })[];
  policies: (Named & { search: string | null })[];
}

/** A line of the log of a run of evolution. */
interface Generation {
  generation: number;
  best: number;
  mean: number;
  evaluations: number;
  seconds: number;
  'test-nodes-percent'?: number | null;
}

/** A guide of a search, and its results on test boards. */
interface Tested {
  name: string;
  algorithm: string;
  solved: number;
  solvable: number;
  nodes_percent: number;
  nodes: number;
  seconds: number;
  length_ratio: number | null;
}

/** A run of evolution. */
interface Run {
  id: number;
  state: 'running' | 'stopped' | 'done' | 'failed';
  phase?: 'preparing' | 'breeding' | 'testing' | null;
  created: string;
  settings: { preset: string; training: string[]; search: string; seed: number; generations: number; budget: string | null };
  generations: Generation[] | number;
  tests?: { boards: string; columns: Tested[] }[] | null;
  champion?: string | null;
  error?: string | null;
}
