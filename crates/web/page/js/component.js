// @ts-check
// The component of a board: all states reachable from it, as the server sends them.
import { t } from './i18n.js';

/** Maximum number of states to draw. */
const MAX_STATES = 25_000;

/** @param {Context} context @param {string} board @param {Metric} metric @returns {Promise<Component>} */
export const fetchComponent = ({ api, signal }, board, metric) => api.post('/graph', { board, metric, most_states: MAX_STATES }, { signal });

/** The meaning of the distances. @param {Component} graph */
export const axisName = ({ metric, by }) => t(`axis.${metric}-${by}`);

/** The move from a state to a neighbour. @param {Component} graph @param {number} from @param {number} to */
export function moveBetween({ positions, vehicles }, from, to) {
  const [a, b] = [positions[from], positions[to]];
  const at = [...a].findIndex((digit, i) => digit !== b[i]);
  return { label: [...vehicles][at], cells: parseInt(b[at], 36) - parseInt(a[at], 36) };
}

/** `12 moves to the exit`. @param {Component} graph @param {number} state */
export function distanceText({ distances, metric, by }, state) {
  return by === 'goal' && distances[state] === 0 ? t('distance.exit') : t(`distance.${metric}-${by}`, { count: distances[state] });
}
