// @ts-check
// The component of a board: all states reachable from it, as the server sends them.
import { plural } from './dom.js';

/** Maximum number of states to draw. */
const MAX_STATES = 25_000;

/** @param {Context} context @param {string} board @param {Metric} metric @returns {Promise<Component>} */
export const fetchComponent = ({ api, signal }, board, metric) => api.post('/graph', { board, metric, most_states: MAX_STATES }, { signal });

/** The meaning of the distances. @param {Component} graph */
export const axisName = ({ metric, by }) => `${metric} ${by === 'goal' ? 'to the exit' : 'from the start'}`;

/** The move from a state to a neighbour. @param {Component} graph @param {number} from @param {number} to */
export function moveBetween({ positions, vehicles }, from, to) {
  const [a, b] = [positions[from], positions[to]];
  const at = [...a].findIndex((digit, i) => digit !== b[i]);
  return { label: [...vehicles][at], cells: parseInt(b[at], 36) - parseInt(a[at], 36) };
}

/** `12 moves to the exit`. @param {Component} graph @param {number} state */
export function distanceText({ distances, metric, by }, state) {
  const far = plural(distances[state], metric.slice(0, -1));
  return by === 'start' ? `${far} from the start` : distances[state] === 0 ? 'at the exit' : `${far} to the exit`;
}
