// The page of `spool preview` (docs/preview.md): it follows the draft by the server's events, and joins the player, the
// timeline and the lists. What the draft says is read from /state; media files are fetched by the player.
import {announce, notice, showDiagnostics, showElements, showFacts, showFailures, showHere, showRendering} from './lists.js';
import {Keys} from './keys.js';
import {Player} from './player.js';
import {Timeline} from './timeline.js';

const find = id => document.getElementById(id);

// The place is sent at most once in this many milliseconds.
const pace = 250;

const player = new Player(find('video'));
const timeline = new Timeline(player);
const keys = new Keys(player, timeline, find('keys'));

let state = null;
const ready = new Set();
let busy = new Set();

// The state of the draft

let isReading = false;
let isReadAgain = false;

// Reads the state. One reading at a time: an event that comes meanwhile leads to another one.
async function read() {
  if (isReading) {
    isReadAgain = true;
    return;
  }
  isReading = true;
  try {
    do {
      isReadAgain = false;
      // Without an answer the connection is gone; the stream of events says so, and asks for the state again.
      const answer = await fetch('/state', {cache: 'no-store'}).catch(() => null);
      if (answer?.ok) take(await answer.json());
      else if (answer && answer.status !== 503) notice('state', (await answer.text()).trim());
      await readWaveform();
    } while (isReadAgain);
  } finally {
    isReading = false;
  }
}

function take(fresh) {
  const old = state;
  // A draft that was never good has its errors only.
  state = {...fresh, pictures: fresh.pictures ?? null, timeline: fresh.timeline ?? [], diagnostics: fresh.diagnostics ?? []};
  notice('state', null);
  notice('trouble', null);
  player.update(state);
  const isSameTimeline = old && JSON.stringify(old.timeline) === JSON.stringify(state.timeline)
    && JSON.stringify(old.frameRate) === JSON.stringify(state.frameRate);
  showFacts(state, player.rate);
  showDiagnostics(state);
  if (isSameTimeline) timeline.resize();
  else showElements(state, player.rate, frame => player.seekFrame(frame));
  if (!isSameTimeline || Boolean(old.sound) !== Boolean(state.sound)) timeline.update(state);
  const errors = state.diagnostics.filter(({severity}) => severity === 'error').length;
  if (old && old.revision !== state.revision) {
    announce(errors > 0 ? `The draft has changed and has ${errors} errors.` : 'The draft has changed.');
  }
  showConditions();
  showPlace();
}

async function readWaveform() {
  const answer = state?.sound ? await fetch('/waveform', {cache: 'no-store'}).catch(() => null) : null;
  timeline.setWaveform(answer?.ok ? await answer.json() : null);
}

async function readReady() {
  const answer = await fetch('/ready', {cache: 'no-store'}).catch(() => null);
  if (!answer?.ok) return;
  for (const file of (await answer.json()).files) ready.add(file);
  showConditions();
}

// Events of the server

function follow() {
  const events = new EventSource('/events');
  let alarm;
  events.addEventListener('open', () => {
    clearTimeout(alarm);
    notice('connection', null);
    read();
    readReady();
  });
  events.addEventListener('state', read);
  events.addEventListener('ready', event => {
    ready.add(JSON.parse(event.data).file);
    showConditions();
  });
  events.addEventListener('progress', event => {
    busy = new Set(JSON.parse(event.data).busy);
    showConditions();
  });
  events.addEventListener('error', () => {
    clearTimeout(alarm);
    const isOver = events.readyState === EventSource.CLOSED;
    alarm = setTimeout(() => notice('connection', isOver
      ? 'The preview has ended, or was started again: open the address that spool preview printed last.'
      : 'The preview does not answer. If it has ended, start spool preview again.'), isOver ? 0 : 2000);
  });
}

// The conditions of segments

function condition(file) {
  if (player.tracks.some(track => track.appended.has(file)) || ready.has(file)) return 'ready';
  if (busy.has(file)) return 'busy';
  return player.tracks.some(track => track.failed.get(file)?.message) ? 'failed' : 'missing';
}

let isCounting = false;

// Counts and draws with the next picture of the screen, because many files may come at once.
function showConditions() {
  if (isCounting) return;
  isCounting = true;
  requestAnimationFrame(() => {
    isCounting = false;
    countConditions();
  });
}

function countConditions() {
  const counts = {all: 0, ready: 0, busy: 0, failed: 0, missing: 0};
  for (const track of player.tracks) {
    for (const {file} of track.segments) {
      counts.all += 1;
      counts[condition(file)] += 1;
    }
  }
  showRendering(counts);
  showFailures(player.tracks.flatMap(track => [...track.failed.values()].map(({message}) => message).filter(Boolean)));
  timeline.condition = condition;
  timeline.request();
}

// The place in the film

let sentAt = -Infinity;
let sending;

// Tells the server where the page is, so that what is seen next is rendered first.
function tell() {
  if (sending) return;
  sending = setTimeout(() => {
    sending = undefined;
    sentAt = performance.now();
    fetch('/playhead', {
      method: 'POST', headers: {'Content-Type': 'application/json'},
      body: JSON.stringify({time: player.time, playing: player.isPlaying}),
    }).catch(() => {}); // the stream of events says that the connection is gone
  }, Math.max(0, sentAt + pace - performance.now()));
}

let shownHere = -Infinity;
let lastPlace = null;

function showPlace() {
  const {rate, frame, frameCount, mark} = player;
  find('time').textContent = rate.label(frame);
  find('frame').textContent = frameCount > 0 ? `frame ${frame} of ${frameCount}` : '';
  find('clear-marks').disabled = !player.isLooping;
  find('marks').textContent = player.isLooping ? `${rate.label(player.loopStart)} – ${rate.label(player.loopEnd)}` : '';
  find('mark-in').setAttribute('aria-pressed', String(mark.in !== null));
  find('mark-out').setAttribute('aria-pressed', String(mark.out !== null));
  timeline.place();
  const now = performance.now();
  if (state && (!player.isPlaying || now - shownHere > pace)) {
    shownHere = now;
    showHere(state, player.time);
  }
  if (lastPlace !== frame) tell();
  lastPlace = frame;
}

let waitTimer;

function showPlaying() {
  const {video, isPlaying} = player;
  const button = find('play');
  button.setAttribute('aria-label', isPlaying ? 'Pause' : 'Play');
  button.classList.toggle('is-playing', isPlaying);
  find('mute').setAttribute('aria-pressed', String(video.muted));
  find('speed').hidden = video.playbackRate === 1;
  find('speed').textContent = `${video.playbackRate}×`;
  // A segment that is there is shown before this would be read.
  clearTimeout(waitTimer);
  if (!player.isWaiting) find('wait').hidden = true;
  else waitTimer = setTimeout(() => { find('wait').hidden = !player.isWaiting; }, 300);
}

player.addEventListener('frame', showPlace);
player.addEventListener('seek', tell);
player.addEventListener('playing', () => { showPlaying(); tell(); });
player.addEventListener('buffer', () => { showConditions(); showPlaying(); });
player.addEventListener('trouble', ({detail}) => notice('trouble', detail));
player.video.addEventListener('volumechange', showPlaying);

const clicks = {
  first: () => player.seekFrame(0),
  previous: () => player.step(-1),
  play: () => player.toggle(),
  next: () => player.step(1),
  last: () => player.seekFrame(player.frameCount - 1),
  mute: () => { player.video.muted = !player.video.muted; },
  'mark-in': () => player.setMark('in', player.frame),
  'mark-out': () => player.setMark('out', player.frame),
  'clear-marks': () => { player.setMark('in', null); player.setMark('out', null); },
  'show-keys': () => keys.showList(),
};
for (const [id, action] of Object.entries(clicks)) find(id).addEventListener('click', action);
player.video.addEventListener('click', () => player.toggle());

// Tests/Browser/preview.py uses this; the page itself does not.
window.spoolPreview = {
  get revision() { return state?.revision ?? null; },
  get state() { return state; },
  // The promise is kept once the frame is seen.
  seekFrame: number => player.seekFrame(number).then(() => player.frame),
  currentFrame: () => player.frame,
  bufferedSegments: () => player.tracks.flatMap(track => [...track.appended.keys()]),
};

showPlaying();
follow();
