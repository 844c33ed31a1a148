// One track of the film in the player: a SourceBuffer, what was appended to it, and the files that are fetched for it.

// After this many milliseconds a file is asked for again that failed, or that did not come or find room.
const pauseAfterFailure = 10000;
const shortPause = 1000;

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export class Track {
  // `slots` is how many files are fetched at a time. A browser makes six connections to a host, of which the events take
  // one. `changed` is called when a file has come or failed.
  constructor(kind, slots, player, changed) {
    this.kind = kind;
    this.slots = slots;
    this.player = player;
    this.changed = changed;
    this.segments = [];
    this.names = new Set();
    // The segments in the SourceBuffer, by their files.
    this.appended = new Map();
    this.fetching = new Map();
    this.failed = new Map();
    this.last = Promise.resolve();
    this.buffer = null;
  }

  // Takes a new list of segments, {file, start, end} in seconds of the film. What is not in it leaves the buffer; what is
  // in it stays. Returns the ranges that were removed.
  update(type, header, segments) {
    if (header !== this.header) this.headerBytes = null;
    this.type = type;
    this.header = header;
    this.segments = segments;
    this.names = new Set(segments.map(segment => segment.file));
    for (const [file, {abort}] of this.fetching) {
      if (!this.names.has(file) && file !== header) abort.abort();
    }
    for (const file of this.failed.keys()) {
      if (!this.names.has(file) && file !== header) this.failed.delete(file);
    }
    const removed = [...this.appended.values()].filter(segment => !this.names.has(segment.file));
    for (const segment of removed) this.remove(segment);
    return removed;
  }

  // The queue of the SourceBuffer, which does one thing at a time

  queue(task) {
    const result = this.last.then(task);
    // The one who queued the task gets its error.
    this.last = result.catch(() => {});
    return result;
  }

  perform(operation) {
    const buffer = this.buffer;
    return new Promise((done, failed) => {
      if (!buffer) return done();
      let error = null;
      const bad = () => { error = new Error('the browser cannot decode this file'); };
      const over = () => {
        buffer.removeEventListener('error', bad);
        buffer.removeEventListener('updateend', over);
        if (error) failed(error);
        else done();
      };
      buffer.addEventListener('error', bad);
      buffer.addEventListener('updateend', over);
      try {
        operation(buffer);
        if (!buffer.updating) over();
      } catch (thrown) {
        error = thrown;
        over();
      }
    });
  }

  // Removes a segment. A quarter of a frame is left at the beginning and taken at the end, so that no error of rounding
  // takes the first picture of the next segment away, without which that cannot be decoded.
  remove({file, start, end}) {
    this.appended.delete(file);
    const margin = this.player.frameDuration / 4;
    const first = Math.max(0, start - margin);
    return this.queue(() => this.perform(buffer => buffer.remove(first, Math.max(first + 0.001, end - margin))))
      .catch(() => {}); // the source is closed, and its content with it
  }

  // Removes everything from a time on, which also opens a source that was ended.
  trim(time) {
    return this.queue(() => this.perform(buffer => {
      const {duration} = this.player.source;
      buffer.remove(Math.max(0, Math.min(time - this.player.frameDuration / 4, duration)), Infinity);
    })).catch(() => {}); // the source is closed
  }

  isBuffered(time) {
    let ranges;
    try {
      ranges = this.buffer?.buffered;
    } catch {
      return false; // the source is closed
    }
    for (let place = 0; place < (ranges?.length ?? 0); place += 1) {
      if (ranges.start(place) <= time && time < ranges.end(place)) return true;
    }
    return false;
  }

  // Browsers remove segments by themselves when their memory is short.
  forgetRemoved() {
    for (const [file, {start, end}] of this.appended) {
      if (!this.isBuffered((start + end) / 2)) this.appended.delete(file);
    }
  }

  // Appends the header of the segments that follow, unless the last one was the same.
  async appendHeader() {
    const {header, type, headerBytes} = this;
    if (this.appendedHeader === header || !headerBytes || !this.buffer) return;
    if (this.appendedType !== type) this.buffer.changeType?.(type);
    this.appendedType = type;
    await this.perform(buffer => buffer.appendBuffer(headerBytes));
    this.appendedHeader = header;
  }

  append(segment, bytes) {
    return this.queue(async () => {
      // The draft may have changed while the file was fetched.
      if (!this.names.has(segment.file) || !this.headerBytes || !this.buffer) return;
      await this.appendHeader();
      await this.perform(buffer => buffer.appendBuffer(bytes));
      this.appended.set(segment.file, segment);
      this.forgetRemoved();
      if (!this.names.has(segment.file)) this.remove(segment);
      else if (!this.appended.has(segment.file)) throw new Error('the browser cannot play this file');
    });
  }

  // Fetching

  // Fetches what the player wants next, in its order, and drops requests that still wait while something else is more
  // urgent. What is far from the playhead leaves the buffer.
  schedule() {
    if (!this.buffer) return;
    const {wanted, kept} = this.player.window(this.segments);
    for (const segment of [...this.appended.values()]) {
      if (!kept.has(segment.file)) this.remove(segment);
    }
    const now = performance.now();
    const canAsk = file => !(this.failed.get(file)?.until > now);
    const missing = wanted.filter(({file}) => !this.appended.has(file) && canAsk(file));
    const urgent = !this.headerBytes
      ? (missing.length && canAsk(this.header) ? [{file: this.header, isHeader: true}] : [])
      : missing.slice(0, this.slots);
    for (const [file, {abort, isAnswered}] of this.fetching) {
      if (!isAnswered && !urgent.some(segment => segment.file === file)) abort.abort();
    }
    for (const segment of urgent) {
      if (this.fetching.size >= this.slots) break;
      if (!this.fetching.has(segment.file)) this.load(segment);
    }
  }

  async load(segment) {
    const request = {abort: new AbortController(), isAnswered: false};
    const {header} = this;
    this.fetching.set(segment.file, request);
    try {
      const answer = await fetch(`/media/${segment.file}`, {signal: request.abort.signal});
      request.isAnswered = true;
      if (!answer.ok) throw new Refusal(answer.status, (await answer.text()).trim());
      const bytes = await answer.arrayBuffer();
      if (!segment.isHeader) await this.append(segment, bytes);
      else if (header === this.header) {
        this.headerBytes = bytes;
        await this.queue(() => this.appendHeader());
      }
      this.failed.delete(segment.file);
    } catch (error) {
      this.fail(segment, error);
    } finally {
      this.fetching.delete(segment.file);
      this.changed();
    }
  }

  fail({file}, error) {
    if (error.name === 'AbortError') return;
    // The wait for the file was too long; it is still being rendered.
    if (error.status === 504) return;
    // The browser holds as much as it may.
    const isFull = error.name === 'QuotaExceededError';
    if (isFull) this.player.makeRoom(this);
    const isLost = error.status === 503 || error instanceof TypeError;
    const pause = isLost || isFull ? shortPause : pauseAfterFailure;
    this.failed.set(file, {message: isLost || isFull ? null : error.message, until: performance.now() + pause});
    setTimeout(this.changed, pause + 10);
  }

  stop() {
    for (const {abort} of this.fetching.values()) abort.abort();
    this.buffer = null;
    this.appended.clear();
  }
}
