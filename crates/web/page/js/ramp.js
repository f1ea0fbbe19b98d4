// @ts-check
// The colours of distances: a uniform ramp from the goal to the farthest state. Lightness changes with hue, so that
// colour-blind users can tell them apart. Used by the page and by the drawing worker.
import { clamp } from './dom.js';

/** @typedef {[number, number, number]} Rgb 0 to 255 */

/** @param {number} t 0 at the goal, 1 at the farthest @param {boolean} dark for a dark background @returns {Rgb} */
export function ramp(t, dark) {
  const at = clamp(t, 0, 1);
  const lightness = dark ? 0.85 - 0.21 * at : 0.64 - 0.2 * at;
  const chroma = dark ? 0.125 : 0.14;
  return oklch(lightness, chroma, 165 + 200 * at);
}

/** @param {Rgb} colour */
export const css = (colour) => `rgb(${colour.map(Math.round).join(' ')})`;

/** Whether the page is currently dark. */
export const isDark = () => (document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

/**
 * Converts from OKLCH (lightness, chroma, hue) to sRGB.
 * @param {number} lightness
 * @param {number} chroma
 * @param {number} hue in degrees
 * @returns {Rgb}
 */
function oklch(lightness, chroma, hue) {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return /** @type {Rgb} */ (
    linear.map((v) => 255 * clamp(v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055, 0, 1))
  );
}
