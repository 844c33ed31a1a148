// The player: a <video> whose source is made of the segments around the playhead (Media Source Extensions). It knows the
// film by the state that the server sends, and fires `seek`, `frame`, `playing`, `buffer` and `trouble`.
import {FrameRate, clamp} from './timecode.js';
import {Track} from './track.js';

// Seconds around the playhead that are fetched, and how many more are kept.
const ahead = 30;
const behind = 10;
const slack = 10;
// Seconds behind the playhead that may have been decoded already.
const decoded = 0.7;

export class Player extends EventTarget {
  constructor(video) {
    super();
    this.video = video;
    this.tracks = [];
    this.source = null;
    this.state = null;
    this.rate = new FrameRate({numerator: 30, denominator: 1});
    this.frameCount = 0;
    this.reach = 1;
    this.mark = {in: null, out: null};
    // The time to go to once the source is there.
    this.pending = 0;
    this.lastError = -Infinity;
    video.addEventListener('loadedmetadata', () => this.arrive());
    for (const name of ['play', 'pause', 'ratechange', 'waiting', 'playing', 'seeking', 'seeked', 'canplay']) {
      video.addEventListener(name, () => this.fire('playing'));
    }
    video.addEventListener('play', () => this.tick());
    video.addEventListener('timeupdate', () => { this.loop(); this.schedule(); });
    video.addEventListener('seeking', () => this.schedule());
    video.addEventListener('ended', () => {
      this.fire('frame');
      if (this.isLooping) { this.seekFrame(this.loopStart); this.play(video.playbackRate); }
    });
    video.addEventListener('error', () => this.recover());
  }

  fire(name, detail) { this.dispatchEvent(new CustomEvent(name, {detail})); }

  get frameDuration() { return 1 / this.rate.perSecond; }
  get duration() { return this.rate.time(this.frameCount); }
  get time() { return this.pending ?? this.video.currentTime; }
  get frame() { return clamp(this.rate.frame(this.time), 0, Math.max(0, this.frameCount - 1)); }
  get isPlaying() { return !this.video.paused; }
  // Whether the picture or the sound of now is still missing.
  get isWaiting() { return this.source !== null && (this.video.seeking || this.video.readyState < (this.isPlaying ? 3 : 2)); }

  // The film

  // Takes a new state of the draft. What has not changed stays in the buffer; place and playing stay as well.
  update(state) {
    const {time, isPlaying} = this;
    this.state = state;
    if (!state.pictures) {
      this.close();
      // The film goes on at this place once it can be played again.
      this.pending = time;
      this.playsOnArrival ||= isPlaying;
      return;
    }
    const lists = Player.lists(state);
    const oldDuration = this.duration;
    this.rate = new FrameRate(state.frameRate);
    this.frameCount = state.frameCount;
    this.limitMarks();
    const isSame = this.source && lists.length === this.tracks.length;
    if (!isSame) {
      const last = this.rate.middle(Math.max(0, this.frameCount - 1));
      return this.open(lists, Math.min(time, last), isPlaying || this.playsOnArrival);
    }
    const end = time + decoded;
    let isTouched = false;
    this.tracks.forEach((track, place) => {
      const {type, header, segments} = lists[place];
      const removed = track.update(type, header, segments);
      isTouched ||= removed.some(segment => segment.start <= end && segment.end >= time - this.frameDuration);
    });
    if (Math.abs(oldDuration - this.duration) > 1e-6) this.changeDuration();
    if (this.rate.frame(time) >= this.frameCount) this.seekFrame(this.frameCount - 1);
    // The decoder still has pictures of what was removed. Going to the same place again makes it read anew.
    else if (isTouched) this.hold(() => this.goTo(this.isPlaying ? this.time : this.rate.middle(this.frame)));
    this.schedule();
    this.fire('buffer');
  }

  static lists(state) {
    const rate = new FrameRate(state.frameRate);
    const lists = [{
      kind: 'pictures', type: `video/mp4; codecs="${state.pictures.codec}"`, header: state.pictures.header,
      segments: state.pictures.segments.map(({file, first, count}) => (
        {file, start: rate.time(first), end: rate.time(first + count)})),
    }];
    if (state.sound) {
      lists.push({
        kind: 'sound', type: `audio/mp4; codecs="${state.sound.codec}"`, header: state.sound.header,
        segments: state.sound.segments.map(({file, start, duration}) => ({file, start, end: start + duration})),
      });
    }
    return lists;
  }

  open(lists, time, isPlaying) {
    this.close();
    const unknown = lists.find(({type}) => !window.MediaSource?.isTypeSupported(type));
    if (unknown) {
      return this.fire('trouble', `This browser cannot play ${unknown.type}; use a current Chromium, Firefox or Safari.`);
    }
    const source = new MediaSource();
    this.source = source;
    this.pending = time;
    this.playsOnArrival = isPlaying;
    this.tracks = lists.map(({kind}) => (
      new Track(kind, kind === 'pictures' ? 2 : 1, this, () => { this.schedule(); this.finish(); this.fire('buffer'); })));
    this.address = URL.createObjectURL(source);
    source.addEventListener('sourceopen', () => {
      if (this.source !== source) return;
      source.duration = this.duration;
      this.tracks.forEach((track, place) => {
        const {type} = lists[place];
        track.buffer = source.addSourceBuffer(type);
        track.appendedType = type;
      });
      this.schedule();
    }, {once: true});
    this.tracks.forEach((track, place) => track.update(lists[place].type, lists[place].header, lists[place].segments));
    this.video.src = this.address;
    this.fire('buffer');
  }

  close() {
    for (const track of this.tracks) track.stop();
    this.tracks = [];
    if (!this.source) return;
    this.source = null;
    this.video.removeAttribute('src');
    this.video.load();
    URL.revokeObjectURL(this.address);
  }

  // The header of the film is there: the place can be gone to.
  arrive() {
    if (this.pending === null) return;
    const time = this.pending;
    this.pending = null;
    if (time > 0) this.goTo(time);
    if (this.playsOnArrival) this.play();
    this.playsOnArrival = false;
  }

  // Runs a task when no track changes its buffer.
  hold(task) {
    const {source, tracks: [pictures, sound]} = this;
    const careful = () => { if (this.source === source && source.readyState !== 'closed') return task(); };
    pictures?.queue(() => (sound ? sound.queue(careful) : careful())).catch(() => {}); // the source is closed
  }

  changeDuration() {
    for (const track of this.tracks) track.trim(this.duration);
    this.hold(() => { if (this.source.readyState === 'open') this.source.duration = this.duration; });
  }

  // Tells the browser that nothing follows the last segment; otherwise it would wait there for more. An append takes that
  // back.
  finish() {
    const hasEnd = this.tracks.length > 0 && this.tracks.every(track => track.appended.has(track.segments.at(-1)?.file));
    if (!hasEnd || this.source?.readyState !== 'open') return;
    this.hold(() => { if (this.source.readyState === 'open') this.source.endOfStream(); });
  }

  // A segment that cannot be decoded ends the source for good. It is opened again, but not again and again.
  recover() {
    const {error} = this.video;
    if (!this.source || !error) return;
    const now = performance.now();
    const isFirst = now - this.lastError > 5000;
    this.lastError = now;
    if (isFirst) return this.open(Player.lists(this.state), this.time, this.isPlaying);
    this.fire('trouble', `The browser cannot play the film (${error.message || `error ${error.code}`}); load the page again.`);
  }

  // Segments

  schedule() { for (const track of this.tracks) track.schedule(); }

  // The segments of a track that are wanted, the most urgent one first: that at the playhead, what follows, with a loop its
  // beginning, and what was played last. `kept` has the files that may stay.
  window(segments) {
    const {time} = this;
    const end = time + ahead * this.reach;
    const isIn = (segment, from, to) => segment.end > from && segment.start < to;
    const loopEnd = this.isLooping && time < this.loopEndTime ? this.loopEndTime : Infinity;
    const wanted = segments.filter(segment => isIn(segment, time, Math.min(end, loopEnd)));
    if (end > loopEnd) {
      const start = this.rate.time(this.loopStart);
      const rest = Math.min(loopEnd, start + end - loopEnd);
      wanted.push(...segments.filter(segment => isIn(segment, start, rest) && !wanted.includes(segment)));
    }
    const before = segments.filter(segment => isIn(segment, time - behind * this.reach, time) && !wanted.includes(segment));
    wanted.push(...before.reverse());
    const kept = new Set(wanted.map(segment => segment.file));
    for (const segment of segments) {
      if (isIn(segment, time - (behind + slack) * this.reach, time + (ahead + slack) * this.reach)) kept.add(segment.file);
    }
    return {wanted, kept};
  }

  // The browser holds as much as it may: what is farthest from the playhead goes, and less is fetched from now on.
  makeRoom(track) {
    const {time} = this;
    const distance = ({start, end}) => (time < start ? start - time : Math.max(0, time - end) * 2);
    const farthest = [...track.appended.values()].sort((one, other) => distance(other) - distance(one));
    this.reach = Math.max(0.1, this.reach / 2);
    for (const segment of farthest.slice(0, Math.ceil(farthest.length / 4))) {
      if (distance(segment) > 0) track.remove(segment);
    }
  }

  // Playing

  goTo(time) {
    if (this.source && this.video.readyState > 0) this.video.currentTime = time;
    else this.pending = time;
    this.schedule();
  }

  // Shows a frame. The promise is kept once it is seen.
  seekFrame(number) {
    const frame = clamp(Math.round(number), 0, Math.max(0, this.frameCount - 1));
    this.goTo(this.rate.middle(frame));
    this.fire('seek');
    this.fire('frame');
    return this.seen();
  }

  async seen() {
    if (this.video.seeking || this.pending !== null) {
      await new Promise(done => this.video.addEventListener('seeked', done, {once: true}));
    }
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  }

  step(frames) {
    if (this.isPlaying) this.video.pause();
    return this.seekFrame(this.frame + frames);
  }

  skip(seconds) { return this.seekFrame(this.frame + Math.round(seconds * this.rate.perSecond)); }

  play(speed = 1) {
    if (!this.source) return;
    this.video.playbackRate = speed;
    if (this.isLooping && (this.frame < this.loopStart || this.frame >= this.loopEnd)) this.seekFrame(this.loopStart);
    this.video.play().catch(error => {
      if (error.name !== 'NotAllowedError') return;
      this.fire('trouble', 'The browser asks for a click before it plays sound; press Play.');
    });
  }

  // Pauses on the frame whose number is shown.
  pause() {
    this.video.pause();
    this.video.playbackRate = 1;
    this.seekFrame(this.frame);
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  tick() {
    if (!this.isPlaying) return;
    this.loop();
    this.fire('frame');
    requestAnimationFrame(() => this.tick());
  }

  // The loop

  get isLooping() { return this.mark.in !== null || this.mark.out !== null; }
  get loopStart() { return this.mark.in ?? 0; }
  get loopEnd() { return this.mark.out ?? Math.max(0, this.frameCount - 1); }
  get loopEndTime() { return this.rate.time(this.loopEnd + 1); }

  loop() {
    if (this.isPlaying && this.isLooping && !this.video.seeking && this.time >= this.loopEndTime) this.seekFrame(this.loopStart);
  }

  // Sets or, with null, clears the first or the last frame of the loop. A mark that the other one contradicts takes its
  // place.
  setMark(name, frame) {
    this.mark = {...this.mark, [name]: frame};
    if (this.mark.in !== null && this.mark.out !== null && this.mark.in > this.mark.out) {
      this.mark[name === 'in' ? 'out' : 'in'] = null;
    }
    this.fire('frame');
    this.schedule();
  }

  limitMarks() {
    const last = this.frameCount - 1;
    if (this.mark.in !== null && this.mark.in > last) this.mark.in = null;
    if (this.mark.out !== null && this.mark.out > last) this.mark.out = last;
  }
}
