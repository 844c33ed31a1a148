// The canvases of the timeline: the ruler, the waveform, and what is rendered. A canvas is as wide as what is seen of the
// timeline, because browsers draw none as wide as an hour at a high zoom.

// The least distance between labels of the ruler, in pixels.
const gap = 92;
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];

// Colours of the style sheet, which depend on the theme.
export class Palette {
  constructor(changed) {
    this.probe = document.createElement('span');
    this.probe.hidden = true;
    document.body.append(this.probe);
    this.known = new Map();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.known.clear();
      changed();
    });
  }

  color(name) {
    if (!this.known.has(name)) {
      this.probe.style.color = `var(--${name})`;
      this.known.set(name, getComputedStyle(this.probe).color);
    }
    return this.known.get(name);
  }
}

// Fits a canvas to its place, and returns what draws on it in pixels of the style sheet.
function prepare(canvas, width) {
  const height = canvas.clientHeight;
  const ratio = window.devicePixelRatio || 1;
  const size = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  canvas.style.width = `${width}px`;
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return {context, height};
}

// `view` is what is seen: the times `from` and `to`, the `scale` in pixels a second, and the `width` in pixels.
export function drawRuler(canvas, view, rate, palette) {
  const {context, height} = prepare(canvas, view.width);
  context.font = '11px system-ui, sans-serif';
  context.textBaseline = 'middle';
  const tick = (time, label) => {
    const place = Math.round((time - view.from) * view.scale) + 0.5;
    context.strokeStyle = palette.color('line-strong');
    context.beginPath();
    context.moveTo(place, label === null ? height - 4 : height - 9);
    context.lineTo(place, height);
    context.stroke();
    if (label === null) return;
    context.fillStyle = palette.color('soft');
    context.fillText(label, place + 4, height / 2 - 1);
  };
  const frames = [1, 2, 5, 10].find(count => count < rate.perSecond && rate.time(count) * view.scale >= gap);
  if (frames) {
    const first = Math.floor(rate.frame(view.from) / frames) * frames;
    for (let frame = first; rate.time(frame) <= view.to; frame += frames) tick(rate.time(frame), rate.label(frame));
    return;
  }
  const step = steps.find(seconds => seconds * view.scale >= gap) ?? 7200;
  const parts = step * view.scale / 5 >= 5 ? 5 : 1;
  for (let number = Math.floor(view.from / step) * parts; number * step / parts <= view.to; number += 1) {
    const time = number * step / parts;
    const isLabelled = number % parts === 0;
    tick(time, isLabelled ? rate.label(Math.ceil(time * rate.perSecond - 1e-6)) : null);
  }
}

// The loudest sample of each column, above and below a line.
export function drawWaveform(canvas, view, waveform, palette) {
  const {context, height} = prepare(canvas, view.width);
  if (!waveform) return;
  const {samplesPerSecond, peaks} = waveform;
  context.fillStyle = palette.color('wave');
  for (let column = 0; column < view.width; column += 1) {
    const start = (view.from + column / view.scale) * samplesPerSecond;
    const first = Math.floor(start);
    const end = Math.max(first + 1, Math.floor(start + samplesPerSecond / view.scale));
    if (first >= peaks.length) break;
    let peak = 0;
    for (let place = first; place < Math.min(end, peaks.length); place += 1) peak = Math.max(peak, peaks[place]);
    const half = Math.max(0.5, Math.min(1, peak) * height / 2);
    context.fillRect(column, height / 2 - half, 1, 2 * half);
  }
}

// Draws which segments are there: those of the pictures above, and below them those of the sound. The condition of a segment
// has a height as well as a colour.
export function drawRendering(canvas, view, tracks, condition, palette) {
  const {context, height} = prepare(canvas, view.width);
  const [tall, low] = [Math.round(height * 0.6), Math.round(height * 0.3)];
  const lanes = [{top: 0, height: tall}, {top: height - low, height: low}];
  const share = {ready: 1, busy: 0.7, failed: 1, missing: 0.35};
  tracks.forEach(({segments}, number) => {
    const lane = lanes[number];
    for (const {file, start, end} of segments) {
      if (end < view.from || start > view.to) continue;
      const name = condition(file);
      const left = (start - view.from) * view.scale;
      const width = Math.max(0.6, (end - start) * view.scale - (view.scale > 12 ? 1 : 0));
      const size = Math.max(1, lane.height * share[name]);
      context.fillStyle = palette.color(name);
      context.fillRect(left, lane.top + lane.height - size, width, size);
    }
  });
}
