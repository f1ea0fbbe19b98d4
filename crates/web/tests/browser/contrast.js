// Finds texts with too little contrast to their background (WCAG AA: 4.5, large text 3).

const pixel = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
const rgba = (colour) => { pixel.clearRect(0, 0, 1, 1); pixel.fillStyle = colour; pixel.fillRect(0, 0, 1, 1); const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255]; };
const over = ([r, g, b, a], below) => [r, g, b].map((c, i) => c * a + below[i] * (1 - a));
const light = (colour) => { const [r, g, b] = colour.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const behind = (e) => { const layers = []; for (let at = e; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor)); return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]); };
const wrong = new Set();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const e = walker.currentNode.parentElement;
  if (!walker.currentNode.textContent.trim() || !e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || e.closest('svg, .unseen, .skip, script, noscript, :disabled, option')) continue;
  const style = getComputedStyle(e);
  const back = behind(e);
  let faded = 1;
  for (let at = e; at; at = at.parentElement) faded *= Number(getComputedStyle(at).opacity);
  const [r, g, b, a] = rgba(style.color);
  const text = over([r, g, b, a * faded], back);
  const [high, low] = [light(text), light(back)].sort((a, b) => b - a);
  const ratio = (high + 0.05) / (low + 0.05);
  const size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  if (ratio < (large ? 3 : 4.5)) wrong.add(`${plain(walker.currentNode.textContent).slice(0, 40)} (${e.className || e.tagName}): ${ratio.toFixed(2)}`);
}
return [...wrong]
