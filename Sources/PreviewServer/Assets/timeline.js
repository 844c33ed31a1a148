// The timeline below the player: a ruler, which segments are rendered, and a strip for each row of the draft. It is also the
// slider by which a person goes to another place.
import {clamp} from './timecode.js';
import {Palette, drawRendering, drawRuler, drawWaveform} from './drawing.js';

const find = id => document.getElementById(id);

// The most pixels that a frame is wide.
const widestFrame = 64;

export class Timeline {
  constructor(player) {
    this.player = player;
    this.scroll = find('scroll');
    this.area = find('area');
    this.rows = [];
    this.strips = [];
    this.waveform = null;
    // Says whether a segment is ready, busy, missing or failed.
    this.condition = () => 'missing';
    // Pixels a second; null shows the whole film.
    this.scale = null;
    this.built = null;
    this.palette = new Palette(() => this.request());
    this.scroll.addEventListener('scroll', () => this.request());
    new ResizeObserver(() => this.resize()).observe(this.scroll);
    this.scroll.addEventListener('wheel', event => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(2 ** (-event.deltaY / 240), event.clientX);
    }, {passive: false});
    this.listen();
    find('zoom-in').addEventListener('click', () => this.zoom(2));
    find('zoom-out').addEventListener('click', () => this.zoom(0.5));
    find('zoom-fit').addEventListener('click', () => this.fit());
  }

  // Takes the rows of a draft.
  update(state) {
    this.rows = state.timeline;
    const names = [['', 'ruler'], ['', 'rendering-strip'], ...this.rows.map(({name, kind}) => [name, `strip ${kind}`])];
    this.strips = this.rows.map(({kind}) => {
      const strip = document.createElement('div');
      strip.className = `strip ${kind}`;
      return strip;
    });
    const all = [...this.strips];
    if (state.sound) {
      this.canvas ??= Object.assign(document.createElement('canvas'), {className: 'canvas waveform'});
      names.push(['Mix', 'waveform']);
      all.push(this.canvas);
    }
    find('strips').replaceChildren(...all);
    find('lane-names').replaceChildren(...names.map(([name, className]) => {
      const lane = document.createElement('div');
      lane.className = className;
      lane.textContent = name;
      lane.title = name;
      return lane;
    }));
    this.built = null;
    this.resize();
  }

  setWaveform(waveform) {
    this.waveform = waveform;
    this.request();
  }

  // The part that is seen

  get width() { return this.scroll.clientWidth; }
  get fitting() { return this.width / Math.max(0.04, this.player.duration); }
  get pixels() { return Math.max(this.scale ?? 0, this.fitting); }

  get view() {
    const from = this.scroll.scrollLeft / this.pixels;
    return {from, to: from + this.width / this.pixels, scale: this.pixels, width: this.width};
  }

  resize() {
    this.area.style.width = `${Math.max(this.width, Math.floor(this.player.duration * this.pixels))}px`;
    this.built = null;
    this.request();
  }

  // Zooms around a place on the screen, by default around the playhead.
  zoom(factor, clientX) {
    const {left} = this.scroll.getBoundingClientRect();
    const playhead = this.player.time * this.pixels - this.scroll.scrollLeft;
    const isSeen = playhead >= 0 && playhead <= this.width;
    const offset = clientX !== undefined ? clientX - left : isSeen ? playhead : this.width / 2;
    const time = (this.scroll.scrollLeft + offset) / this.pixels;
    const most = Math.max(this.fitting, widestFrame * this.player.rate.perSecond);
    const scale = clamp(this.pixels * factor, this.fitting, most);
    this.scale = scale <= this.fitting * 1.001 ? null : scale;
    this.resize();
    this.scroll.scrollLeft = time * this.pixels - offset;
    this.place();
  }

  fit() {
    this.scale = null;
    this.resize();
    this.place();
  }

  // Draws with the next picture of the screen.
  request() {
    if (this.isRequested) return;
    this.isRequested = true;
    requestAnimationFrame(() => {
      this.isRequested = false;
      this.draw();
    });
  }

  draw() {
    const {view, palette, player} = this;
    if (view.width === 0) return;
    this.build(view);
    drawRuler(find('ruler'), view, player.rate, palette);
    drawRendering(find('rendering-strip'), view, player.tracks, this.condition, palette);
    if (this.canvas?.isConnected) drawWaveform(this.canvas, view, this.waveform, palette);
    this.place(false);
  }

  // Makes the elements that are seen, and those beside them.
  build(view) {
    if (this.built && view.from >= this.built.from && view.to <= this.built.to) return;
    const length = view.to - view.from;
    this.built = {from: view.from - length, to: view.to + length};
    this.rows.forEach(({name, items}, number) => {
      const heading = document.createElement('span');
      heading.className = 'row-name';
      heading.textContent = name;
      const near = items.filter(({start, duration}) => start < this.built.to && start + duration > this.built.from);
      this.strips[number].replaceChildren(heading, ...near.map(item => this.item(item, view.scale)));
    });
  }

  item({start, duration, label, path}, scale) {
    const made = document.createElement('div');
    made.className = 'item';
    const {rate} = this.player;
    made.title = [label, `from ${rate.label(rate.frame(start))}`, path].filter(Boolean).join('\n');
    made.style.left = `${start * scale}px`;
    made.style.width = `${Math.max(2, duration * scale - 1)}px`;
    const words = document.createElement('span');
    words.textContent = label;
    made.append(words);
    return made;
  }

  // The playhead and the loop

  // Shows where the player is. `follows` brings it into view.
  place(follows = true) {
    const {player, pixels} = this;
    const {rate, frame, frameCount, mark} = player;
    const place = rate.time(frame) * pixels;
    find('playhead').style.transform = `translateX(${place}px)`;
    find('playhead').style.width = `${Math.max(1, pixels * player.frameDuration)}px`;
    const range = find('range');
    range.hidden = mark.in === null && mark.out === null;
    range.style.left = `${rate.time(player.loopStart) * pixels}px`;
    range.style.width = `${Math.max(2, (player.loopEndTime - rate.time(player.loopStart)) * pixels)}px`;
    this.area.setAttribute('aria-valuemax', String(Math.max(0, frameCount - 1)));
    const now = performance.now();
    // A screen reader says each change.
    if (!player.isPlaying || now - (this.told ?? 0) > 1000) {
      this.told = now;
      this.area.setAttribute('aria-valuenow', String(frame));
      this.area.setAttribute('aria-valuetext', `${rate.label(frame)}, frame ${frame}`);
    }
    const {scrollLeft} = this.scroll;
    if (follows && !this.isDragging && (place < scrollLeft || place > scrollLeft + this.width - 8)) {
      this.scroll.scrollLeft = place - this.width * (player.isPlaying ? 0.1 : 0.5);
    }
  }

  // A mouse drags the playhead anywhere. A finger drags it on the ruler; elsewhere it moves the timeline, and a touch goes to
  // its place.
  listen() {
    const {area} = this;
    area.addEventListener('pointerdown', event => {
      const isRuler = event.clientY < find('rendering-strip').getBoundingClientRect().bottom;
      if (event.button !== 0 || (event.pointerType === 'touch' && !isRuler)) return;
      area.setPointerCapture(event.pointerId);
      this.isDragging = true;
      this.goTo(event.clientX);
    });
    area.addEventListener('pointermove', event => {
      if (this.isDragging) this.goTo(event.clientX);
    });
    for (const name of ['pointerup', 'pointercancel']) {
      area.addEventListener(name, () => { this.isDragging = false; });
    }
    area.addEventListener('click', event => {
      if (event.pointerType === 'touch') this.goTo(event.clientX);
    });
  }

  // Goes to the frame at a place on the screen, at most once for each picture of the screen.
  goTo(clientX) {
    const isWaiting = this.target !== undefined;
    this.target = clientX;
    if (isWaiting) return;
    requestAnimationFrame(() => {
      const offset = this.target - this.area.getBoundingClientRect().left;
      this.target = undefined;
      const {player} = this;
      const frame = player.rate.frame(Math.max(0, offset) / this.pixels);
      if (frame !== player.frame || player.isPlaying) player.seekFrame(frame);
    });
  }
}
