// The parts of the page that are words: the draft and its size, the progress of rendering, errors and warnings, and the
// elements of the draft. Texts of the draft are put in as texts, never as markup.
import {seconds} from './timecode.js';

const find = id => document.getElementById(id);

// How many elements and messages are listed.
const limit = 500;

function element(name, text, properties = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return Object.assign(made, properties);
}

// Puts elements in the place of the old ones, but only where something differs: a list that stays the same is not read out
// again.
function fill(place, elements) {
  const isSame = place.children.length === elements.length
    && elements.every((made, number) => made.isEqualNode(place.children[number]));
  if (!isSame) place.replaceChildren(...elements);
}

export function announce(text) { find('announcement').textContent = text; }

export function showFacts(state, rate) {
  const name = state.title ? `${state.title} – ${state.draft}` : state.draft;
  document.title = `${name} – preview`;
  find('title').textContent = name;
  const {size, proxy} = state;
  const facts = [];
  if (size) facts.push(`${size.width} × ${size.height}`);
  if (state.frameRate) facts.push(`${rate.words} frames a second`);
  if (state.frameCount) facts.push(rate.label(state.frameCount));
  if (proxy) facts.push(`shown at ${proxy.width} × ${proxy.height}`);
  find('facts').textContent = facts.join(' · ');
  find('reason').textContent = state.proxyReason ?? '';
  if (size) find('screen').style.aspectRatio = `${size.width} / ${size.height}`;
  find('empty').hidden = state.pictures !== null || !state.isBroken;
}

// Says how much of the film is rendered. `counts` has the numbers of segments by their condition.
export function showRendering({all, ready, busy, failed}) {
  const bar = find('rendered');
  bar.max = Math.max(1, all);
  bar.value = ready;
  bar.hidden = all === 0;
  let words = '';
  if (all > 0) words = ready === all ? `all ${all} segments rendered` : `${ready} of ${all} segments rendered`;
  if (busy > 0) words += `, ${busy} being rendered`;
  if (failed > 0) words += `, ${failed} failed`;
  find('rendering').textContent = words;
}

// A message above the player, by its name; null takes it away.
export function notice(name, text, isFault = true) {
  const place = find('notices');
  const old = place.querySelector(`[data-name="${name}"]`);
  if (text === null) return old?.remove();
  if (old?.textContent === text) return;
  const made = element('p', text, {className: isFault ? 'fault' : 'notice'});
  made.dataset.name = name;
  made.setAttribute('role', isFault ? 'alert' : 'status');
  if (old) old.replaceWith(made);
  else place.append(made);
}

export function showDiagnostics({diagnostics, isBroken, pictures}) {
  const errors = diagnostics.filter(({severity}) => severity === 'error').length;
  const lines = diagnostics.slice(0, limit).map(({severity, path, message}) => {
    const line = element('li', undefined, {className: severity === 'error' ? 'error' : 'warning'});
    line.append(element('b', severity), ' ');
    if (path) line.append(element('code', path), ' ');
    line.append(message);
    return line;
  });
  if (diagnostics.length > limit) lines.push(element('li', `and ${diagnostics.length - limit} more`));
  if (lines.length === 0) lines.push(element('li', 'none', {className: 'muted'}));
  fill(find('diagnostics'), lines);
  const words = errors === 1 ? 'an error' : `${errors} errors`;
  notice('broken', isBroken && pictures ? `The draft has ${words}. The last version without errors plays.` : null);
}

// The messages of segments that could not be rendered or played.
export function showFailures(failures) {
  const [first] = failures;
  const others = failures.length > 1 ? ` (and ${failures.length - 1} more)` : '';
  notice('failures', first ? `A segment is missing: ${first}${others}` : null);
}

// The elements that are seen or heard at a time.
export function showHere(state, time) {
  const lines = [];
  for (const row of state.timeline) {
    for (const {start, duration, label, path} of row.items) {
      if (time < start || time >= start + duration) continue;
      const line = element('li');
      line.append(element('span', row.name, {className: 'muted'}), ' ', label, ' ');
      if (path) line.append(element('code', path));
      lines.push(line);
    }
  }
  if (lines.length === 0) lines.push(element('li', 'nothing', {className: 'muted'}));
  fill(find('here'), lines.slice(0, limit));
}

// The table of all elements, in which a click on a time goes there.
export function showElements(state, rate, goTo) {
  const rows = state.timeline.flatMap(row => row.items.map(item => [row.name, item]));
  find('elements').hidden = rows.length === 0;
  find('elements').querySelector('summary').textContent = rows.length === 1 ? '1 element' : `All ${rows.length} elements`;
  const made = rows.slice(0, limit).map(([name, {start, duration, label, path}]) => {
    const line = element('tr');
    const code = element('td');
    if (path) code.append(element('code', path));
    const from = element('td', undefined, {className: 'number'});
    const button = element('button', rate.label(rate.frame(start)), {type: 'button', className: 'quiet'});
    button.addEventListener('click', () => goTo(rate.frame(start)));
    from.append(button);
    line.append(element('td', name), element('td', label), code, from,
      element('td', `${seconds(duration)} s`, {className: 'number'}));
    return line;
  });
  find('element-rows').replaceChildren(...made);
}
