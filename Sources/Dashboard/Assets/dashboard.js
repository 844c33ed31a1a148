// The script of the dashboard. Pages work without it: it keeps an open page up to date, asks before something is removed,
// counts what is chosen, and plays a film while it is rendered.
'use strict';

const main = () => document.getElementById('main');
const wait = milliseconds => new Promise(done => setTimeout(done, milliseconds));

function announce(text) {
  document.getElementById('announcement').textContent = text;
}

// Bringing an open page up to date

// A part that a person uses keeps what it has: a film that plays.
function isKept(element) {
  return element.hasAttribute('data-keep') && element.querySelector('video') !== null;
}

// Makes an element equal to a new one, and changes only what differs. What stays is the same element as before, so that
// focus, selection, scrolling, open details and chosen boxes stay, too.
function update(old, fresh) {
  for (const {name, value} of [...fresh.attributes]) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const {name} of [...old.attributes]) {
    const isOpen = name === 'open' && old.nodeName === 'DETAILS';
    if (!fresh.hasAttribute(name) && !isOpen) old.removeAttribute(name);
  }
  if (!isKept(old)) updateChildren(old, fresh);
}

function updateChildren(old, fresh) {
  const named = new Map([...old.children].filter(child => child.id).map(child => [child.id, child]));
  let place = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const known = child.id ? named.get(child.id) : null;
    if (known && known.nodeName === child.nodeName) {
      if (known === place) place = place.nextSibling;
      else old.insertBefore(known, place);
      update(known, child);
    } else if (!child.id && place && !place.id && place.nodeType === child.nodeType && place.nodeName === child.nodeName) {
      if (child.nodeType === Node.ELEMENT_NODE) update(place, child);
      else if (place.data !== child.data) place.data = child.data;
      place = place.nextSibling;
    } else {
      old.insertBefore(document.importNode(child, true), place);
    }
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

let isPaused = false;
let isRefreshing = false;
let failures = 0;
let refreshTimer;

async function refresh() {
  if (isRefreshing) return schedule(1);
  isRefreshing = true;
  try {
    const answer = await fetch(location.href, {headers: {'Spool-Part': 'content'}, cache: 'no-store', redirect: 'manual'});
    // The session has ended: the page itself leads to the login.
    if (answer.type === 'opaqueredirect' || answer.status === 401) return location.reload();
    // The page shows something that is gone, such as a worker that has ended.
    if (!answer.ok && answer.status !== 404) throw new Error(`status ${answer.status}`);
    const text = await answer.text();
    const fresh = new DOMParser().parseFromString(text, 'text/html').getElementById('main');
    if (!fresh) throw new Error('no content');
    const focused = document.activeElement?.id;
    update(main(), document.importNode(fresh, true));
    enhance();
    if (focused && document.activeElement === document.body) document.getElementById(focused)?.focus({preventScroll: true});
    if (fresh.dataset.title) document.title = `${fresh.dataset.title} – Spool`;
    failures = 0;
  } catch (error) {
    failures += 1;
    if (failures === 2) showStale();
  } finally {
    isRefreshing = false;
    schedule();
  }
}

function showStale() {
  const note = document.createElement('p');
  note.id = 'stale';
  note.className = 'fault';
  note.setAttribute('role', 'alert');
  note.textContent = 'The coordinator does not answer. This page shows what it said last.';
  main().prepend(note);
}

// Refreshes after the page's own interval, or sooner.
function schedule(seconds) {
  clearTimeout(refreshTimer);
  const interval = seconds ?? Number(main()?.dataset.refresh) * Math.min(12, 1 + failures);
  if (!interval || isPaused || document.hidden) return;
  refreshTimer = setTimeout(refresh, 1000 * interval);
}

document.addEventListener('visibilitychange', () => schedule(document.hidden ? undefined : 0.1));

function preparePause() {
  const button = document.getElementById('pause');
  if (!button || !main().dataset.refresh) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    isPaused = !isPaused;
    button.setAttribute('aria-pressed', String(isPaused));
    announce(isPaused ? 'Updates are paused.' : 'Updates go on.');
    schedule(isPaused ? undefined : 0.1);
  });
}

// Following an export

// Events say that something has changed. The page is read anew then, so that the server alone says how it looks. A
// connection that breaks is made again by the browser, which names the last event that it has.
function follow() {
  const place = document.querySelector('[data-follow]');
  if (!place || place.hasAttribute('data-over')) return;
  const source = new EventSource(place.dataset.follow);
  let soon;
  const changed = () => {
    if (soon || isPaused) return;
    soon = setTimeout(() => { soon = undefined; refresh(); }, 250);
  };
  source.addEventListener('happened', event => {
    announce(JSON.parse(event.data).message);
    changed();
  });
  source.addEventListener('export', event => {
    changed();
    const {state} = JSON.parse(event.data);
    if (!['completed', 'failed', 'cancelled'].includes(state)) return;
    source.close();
    announce(`The export is ${state}.`);
  });
}

// Forms

document.addEventListener('submit', event => {
  const {submitter, target} = event;
  const count = target.querySelectorAll('input[name="export"]:checked').length;
  const asking = submitter?.dataset.confirmCount?.replace('#', count) ?? target.dataset.confirm;
  if (target.matches('.selection') && count === 0) {
    event.preventDefault();
    announce('Choose one export or more.');
    return;
  }
  if (asking && !confirm(asking)) event.preventDefault();
});

// Leaves fields out of an address that say nothing.
document.addEventListener('formdata', event => {
  if (event.target.method !== 'get') return;
  for (const [name, value] of [...event.formData]) {
    if (value === '') event.formData.delete(name);
  }
});

function boxes() { return [...document.querySelectorAll('input[name="export"]')]; }

function showChosen() {
  const label = document.getElementById('chosen');
  if (!label) return;
  const all = boxes();
  const chosen = all.filter(box => box.checked).length;
  label.textContent = chosen === 0 ? 'Choose exports, then:' : `${chosen} chosen:`;
  const everything = document.getElementById('choose-all');
  everything.checked = chosen > 0 && chosen === all.length;
  everything.indeterminate = chosen > 0 && chosen < all.length;
}

document.addEventListener('change', event => {
  if (event.target.id === 'choose-all') {
    for (const box of boxes()) box.checked = event.target.checked;
  }
  showChosen();
});

// The film while it is rendered

// Plays a stream (docs/streaming.md): appends what its playlists list, and looks for more until they end.
async function play(video, address) {
  const read = async name => {
    for (;;) {
      const answer = await fetch(address + name, {cache: 'no-store'});
      if (answer.ok) return answer;
      if (answer.status !== 409 || !answer.headers.has('Retry-After')) throw new Error(`${name}: ${answer.status}`);
      await wait(1000 * answer.headers.get('Retry-After'));
    }
  };
  const list = await (await read('main.m3u8')).text();
  const codecs = (list.match(/CODECS="([^"]*)"/) ?? ['', ''])[1].split(',');
  const sound = (list.match(/TYPE=AUDIO[^\n]*URI="([^"]*)"/) ?? [])[1];
  const source = new MediaSource();
  video.src = URL.createObjectURL(source);
  await new Promise(done => source.addEventListener('sourceopen', done, {once: true}));
  const track = async (type, playlist) => {
    const buffer = source.addSourceBuffer(type);
    const settled = () => new Promise((done, failed) => {
      buffer.addEventListener('updateend', done, {once: true});
      buffer.addEventListener('error', () => failed(new Error(playlist)), {once: true});
    });
    const append = async name => {
      const bytes = await (await read(name)).arrayBuffer();
      for (;;) {
        try {
          buffer.appendBuffer(bytes);
          return await settled();
        } catch (error) {
          if (error.name !== 'QuotaExceededError') throw error;
          // The browser holds as much as it may: what was seen goes.
          const seen = video.currentTime - 20;
          if (seen > 0) {
            buffer.remove(0, seen);
            await settled();
          }
          await wait(1000);
        }
      }
    };
    let appended = -1;
    for (;;) {
      const text = await (await read(playlist)).text();
      if (appended < 0) {
        await append(text.match(/EXT-X-MAP:URI="([^"]*)"/)[1]);
        appended = 0;
      }
      const files = text.split('\n').filter(line => line.endsWith('.m4s'));
      for (const file of files.slice(appended)) await append(file);
      appended = files.length;
      if (text.includes('#EXT-X-ENDLIST')) return;
      await wait(1000);
    }
  };
  const tracks = [track(`video/mp4; codecs="${codecs[0]}"`, 'pictures.m3u8')];
  if (sound) tracks.push(track(`audio/mp4; codecs="${codecs[1]}"`, sound));
  await Promise.all(tracks);
  source.endOfStream();
}

const prepared = new WeakSet();

function preparePlayer() {
  const film = document.querySelector('[data-player]');
  const button = document.getElementById('watch');
  if (!film || !button || !window.MediaSource) return;
  button.hidden = false;
  if (prepared.has(button)) return;
  prepared.add(button);
  button.addEventListener('click', () => {
    const video = document.createElement('video');
    video.controls = true;
    video.setAttribute('aria-label', 'The film while it is rendered');
    const address = film.dataset.player;
    button.replaceWith(video);
    video.focus();
    video.play().catch(() => {});
    play(video, address).catch(error => {
      const note = document.createElement('p');
      note.className = 'fault';
      note.setAttribute('role', 'alert');
      note.textContent = `The film cannot be played here (${error.message}).`;
      video.after(note);
    });
  });
}

// A film of a kind that the browser does not play, such as ProRes.
document.addEventListener('error', event => {
  if (event.target.nodeName !== 'VIDEO' || !event.target.getAttribute('src')?.endsWith('/film')) return;
  const note = document.createElement('p');
  note.className = 'muted';
  note.textContent = 'This browser does not play films of this kind; download it.';
  event.target.replaceWith(note);
}, true);

// Adds the script's part to a page. It is called again after each update.
function enhance() {
  for (const element of document.querySelectorAll('#choose-all, label[for="choose-all"]')) element.hidden = false;
  showChosen();
  preparePlayer();
}

// The notice of an action is shown once, and is no part of an address that is kept.
const address = new URL(location.href);
if (address.searchParams.has('did')) {
  address.searchParams.delete('did');
  history.replaceState(null, '', address);
}
enhance();
preparePause();
follow();
schedule();
