// @ts-check
// Small SVG charts: lines, columns and bars. They are redrawn when their width changes.
import { clamp, h, s, set } from './dom.js';
import { language } from './i18n.js';

const SMALL = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });
const SHORT = new Intl.NumberFormat(language, { notation: 'compact', maximumSignificantDigits: 3 });

/** `1.25`, `12.3k`. @param {number} value */
export const short = (value) => (Math.abs(value) < 1000 ? SMALL : SHORT).format(value);

/** `350 µs`, `2.4 ms`, `3 min 20 s`. @param {number} seconds */
export function timeText(seconds) {
  if (seconds < 1e-3) return `${SMALL.format(seconds * 1e6)} µs`;
  if (seconds < 1) return `${SMALL.format(seconds * 1e3)} ms`;
  if (seconds < 60) return `${SMALL.format(seconds)} s`;
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  return hours ? `${hours} h ${minutes % 60} min` : `${minutes} min ${Math.round(seconds % 60)} s`;
}

/**
 * A figure that is drawn for its current width.
 * @param {string} title its name for screen readers
 * @param {(svg: SVGSVGElement, width: number) => number} draw fills the SVG and returns its height
 * @returns {{element: HTMLElement, redraw(): void}}
 */
function figure(title, draw) {
  const element = h('div.chart');
  const redraw = () => {
    const width = Math.round(element.clientWidth);
    if (width < 40) return;
    const svg = s('svg', { role: 'img', 'aria-label': title, width });
    const height = Math.round(draw(svg, width));
    set(svg, { height, viewBox: `0 0 ${width} ${height}` });
    element.replaceChildren(svg);
  };
  new ResizeObserver(redraw).observe(element);
  return { element, redraw };
}

/** Round numbers in a range: multiples of 1, 2 or 5. @param {number} low @param {number} high @param {number} count */
function ticks(low, high, count) {
  const rough = (high - low) / Math.max(count, 1) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((m) => m * power >= rough) ?? 10) * power;
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9) * step; at <= high + step * 1e-9; at += step) found.push(Number(at.toPrecision(12)));
  return found;
}

/** Powers of ten in a range, with their multiples by 2 and 5 if there are few. @param {number} low @param {number} high */
function logTicks(low, high) {
  const found = [];
  const few = Math.log10(high / low) < 2.2;
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const m of few ? [1, 2, 5] : [1]) if (m * 10 ** power >= low * 0.999 && m * 10 ** power <= high * 1.001) found.push(m * 10 ** power);
  }
  return found;
}

/** A scale from values to coordinates. @param {number} low @param {number} high @param {number} from @param {number} to @param {boolean} [log] */
function scale(low, high, from, to, log = false) {
  const f = log ? Math.log : (/** @type {number} */ v) => v;
  const [a, b] = [f(low), f(high)];
  return (/** @type {number} */ value) => from + ((f(value) - a) / (b - a || 1)) * (to - from);
}

/** Horizontal grid lines with their numbers. @param {SVGSVGElement} svg @param {number[]} ticks @param {(tick: number) => number} y @param {number} left @param {number} right */
function rows(svg, ticks, y, left, right) {
  for (const tick of ticks) svg.append(s('path.chart-grid', { d: `M${left} ${y(tick)}H${right}` }), s('text.chart-tick.end', { x: left - 6, y: y(tick) + 4 }, short(tick)));
}

/** @typedef {{name: string, kind: string, points: [number, number][], dots?: boolean}} Line `kind` is a class that gives the colour and the dashes */

/**
 * Lines over a common axis, with a readout at the pointer.
 * @param {{title: string, across: string, up: string, height?: number, log?: boolean, lines: () => Line[]}} options
 */
export function lineChart({ title, across, up, height = 260, log = false, lines }) {
  return figure(title, (svg, width) => {
    const all = lines().filter((line) => line.points.length);
    const [left, right, top, bottom] = [48, 12, 26, 40];
    svg.append(s('text.chart-name', { x: 2, y: 14 }, up), s('text.chart-name.end', { x: width - right, y: height - 4 }, across));
    const points = all.flatMap((line) => line.points);
    if (!points.length) return height;
    const ys = points.map(([, y]) => y).filter((y) => !log || y > 0);
    const xs = points.map(([x]) => x);
    const [lowX, highX] = [Math.min(...xs), Math.max(...xs, Math.min(...xs) + 1)];
    let [lowY, highY] = [Math.min(...ys), Math.max(...ys)];
    if (log) [lowY, highY] = [lowY / 1.15, highY * 1.15];
    else if (lowY === highY) highY++;
    const x = scale(lowX, highX, left, width - right);
    const y = scale(lowY, highY, height - bottom, top, log);
    rows(svg, log ? logTicks(lowY, highY) : ticks(lowY, highY, 5), y, left, width - right);
    for (const tick of ticks(lowX, highX, width / 90)) {
      if (Number.isInteger(tick)) svg.append(s('text.chart-tick.middle', { x: x(tick), y: height - bottom + 18 }, tick));
    }
    for (const { kind, points, dots } of all) {
      const shown = points.filter(([, v]) => !log || v > 0);
      svg.append(s('path', { class: `chart-line ${kind}`, d: shown.map(([px, py], i) => `${i ? 'L' : 'M'}${x(px).toFixed(1)} ${y(py).toFixed(1)}`).join('') }));
      if (dots) for (const [px, py] of shown) svg.append(s('circle', { class: `chart-dot ${kind}`, cx: x(px), cy: y(py), r: 3.6 }));
    }
    const rule = s('path.chart-rule');
    const read = s('text.chart-read', { x: width - right, y: 14 });
    svg.append(rule, read);
    svg.addEventListener('pointermove', (event) => {
      const at = Math.round(lowX + ((event.offsetX - left) / (width - right - left)) * (highX - lowX));
      const found = all.map(({ name, points }) => {
        const point = points.findLast(([px]) => px <= at);
        return point ? `${name} ${short(point[1])}` : '';
      });
      set(rule, { d: `M${x(clamp(at, lowX, highX))} ${top}V${height - bottom}` });
      read.textContent = `${at}: ${found.filter(Boolean).join(' · ')}`;
    });
    svg.addEventListener('pointerleave', () => {
      set(rule, { d: null });
      read.textContent = '';
    });
    return height;
  });
}

/** @typedef {{value: number, label: string, colour?: string, marked?: boolean}} Column */

/**
 * Columns side by side, such as a histogram.
 * @param {{title: string, up: string, across: string, height?: number, columns: () => Column[], pick?: (column: number) => void}} options
 */
export function columnChart({ title, up, across, height = 150, columns, pick }) {
  return figure(title, (svg, width) => {
    const all = columns();
    if (!all.length) return height;
    const [left, right, top, bottom] = [40, 4, 24, 32];
    const most = Math.max(...all.map((column) => column.value), 1);
    const y = scale(0, most, height - bottom, top);
    const wide = (width - left - right) / all.length;
    rows(svg, ticks(0, most, 3).filter(Number.isInteger), y, left, width - right);
    const every = [1, 2, 5, 10, 20, 50, 100].find((step) => step * wide >= 26) ?? 200;
    const read = s('text.chart-read', { x: width - right, y: 14 });
    for (const [i, column] of all.entries()) {
      const at = left + i * wide;
      const bar = s('rect', { class: column.marked ? 'chart-bar marked' : 'chart-bar', x: at + Math.min(wide * 0.08, 1), width: Math.max(wide * 0.84, 1), y: y(column.value), height: Math.max(height - bottom - y(column.value), 1) });
      if (column.colour) bar.style.fill = column.colour;
      const area = s('rect.chart-area', { x: at, width: wide, y: top, height: height - bottom - top });
      area.addEventListener('pointerenter', () => (read.textContent = column.label));
      area.addEventListener('pointerleave', () => (read.textContent = ''));
      if (pick) area.addEventListener('click', () => pick(i));
      svg.append(bar, area);
      if (i % every === 0) svg.append(s('text.chart-tick.middle', { x: at + wide / 2, y: height - bottom + 15 }, i));
    }
    svg.append(read, s('text.chart-name', { x: 2, y: 14 }, up), s('text.chart-name.end', { x: width - right, y: height - 3 }, across));
    return height;
  });
}

/** @typedef {{name: string, value: number | null, text: string, kind?: string}} Bar `value` null: no bar */

/** Horizontal bars, each with its name and value above. `unit` writes a value of the axis. @param {{title: string, log: () => boolean, bars: () => Bar[], unit?: (value: number) => string}} options */
export function barChart({ title, log, bars, unit = short }) {
  return figure(title, (svg, width) => {
    const all = bars();
    const row = 40;
    const [right, bottom] = [12, 22];
    const height = all.length * row + bottom;
    const values = all.flatMap((bar) => (bar.value ? [bar.value] : []));
    const most = Math.max(...values, Number.MIN_VALUE);
    // A logarithmic axis starts at the power of ten below the smallest value.
    const least = log() ? 10 ** (Math.ceil(Math.log10(Math.min(...values, most))) - 1) : 0;
    const x = scale(least, most, 0, width - right - 2, log());
    if (values.length) {
      for (const tick of log() ? logTicks(least, most).filter((t) => Number.isInteger(Math.round(Math.log10(t) * 1e6) / 1e6)) : ticks(0, most, width / 110)) {
        svg.append(s('path.chart-grid', { d: `M${x(tick).toFixed(1)} 0V${height - bottom}` }));
        const anchor = x(tick) < 16 ? 'start' : x(tick) > width - 24 ? 'end' : 'middle';
        svg.append(s('text', { class: `chart-tick ${anchor}`, x: x(tick), y: height - 6 }, unit(tick)));
      }
    }
    for (const [i, bar] of all.entries()) {
      const y = i * row;
      const wide = bar.value ? Math.max(x(bar.value), 2) : 0;
      svg.append(s('rect', { class: `chart-bar ${bar.kind ?? ''}`, x: 0, y: y + 19, height: 14, rx: 3, width: wide }));
      const room = Math.floor((width - 7 * bar.text.length - 12) / 7.4);
      const name = bar.name.length > room ? `${bar.name.slice(0, room - 1)}…` : bar.name;
      svg.append(s('text.chart-label', { x: 0, y: y + 14 }, s('title', bar.name), s('tspan.code', name), s('tspan.value', { dx: 8 }, bar.text)));
    }
    return height;
  });
}
