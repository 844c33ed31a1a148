// The keyboard, and the list of its keys.

// Two presses within this many milliseconds belong together.
const together = 600;
const longest = 8;

// The use of each key: [the keys as they are shown, what they do].
const descriptions = [
  ['Space, K', 'play or pause'],
  ['J', 'one second back; pressed again at once, two, four and eight'],
  ['L', 'one second forward; pressed again at once, play; once more, at double speed'],
  ['← →', 'one frame back or forward'],
  ['Shift ← →', 'one second back or forward'],
  ['Home, End', 'to the first or the last frame'],
  ['I, O', 'the loop begins or ends at this frame'],
  ['Shift I, Shift O', 'the loop has no beginning or end of its own'],
  ['Escape', 'no loop'],
  ['M', 'sound off or on'],
  ['+ − 0', 'zoom in, zoom out, the whole film'],
  ['? or /', 'this list'],
];

export class Keys {
  constructor(player, timeline, dialog) {
    this.player = player;
    this.timeline = timeline;
    this.dialog = dialog;
    this.repeated = {key: null, count: 0, at: -Infinity};
    const list = dialog.querySelector('dl');
    for (const [keys, words] of descriptions) {
      const term = document.createElement('dt');
      for (const [place, key] of keys.split(' ').entries()) {
        if (place > 0) term.append(' ');
        const word = document.createElement(['or'].includes(key) ? 'span' : 'kbd');
        word.textContent = key.replace(',', '');
        term.append(word);
      }
      const meaning = document.createElement('dd');
      meaning.textContent = words;
      list.append(term, meaning);
    }
    dialog.querySelector('button').addEventListener('click', () => dialog.close());
    document.addEventListener('keydown', event => this.press(event));
    // A button that was clicked would take the space bar.
    document.addEventListener('click', event => {
      if (event.detail > 0) event.target.closest('button')?.blur();
    });
  }

  showList() {
    if (!this.dialog.open) this.dialog.showModal();
  }

  press(event) {
    const {target, key} = event;
    if (this.dialog.open || event.ctrlKey || event.metaKey || event.altKey) return;
    const isControl = Boolean(target.closest?.('button, summary, a'));
    if (isControl && (key === ' ' || key === 'Enter')) return;
    const action = this.action(event);
    if (!action) return;
    event.preventDefault();
    action();
  }

  action(event) {
    const {player, timeline} = this;
    const isShifted = event.shiftKey;
    switch (event.key.length === 1 ? event.key.toLowerCase() : event.key) {
      case ' ': case 'k': return () => { if (!event.repeat) player.toggle(); };
      case 'j': return () => player.skip(-Math.min(longest, 2 ** this.count(event)));
      case 'l': return () => this.forward(this.count(event));
      case 'ArrowLeft': return () => (isShifted ? player.skip(-1) : player.step(-1));
      case 'ArrowRight': return () => (isShifted ? player.skip(1) : player.step(1));
      case 'Home': return () => player.seekFrame(0);
      case 'End': return () => player.seekFrame(player.frameCount - 1);
      case 'i': return () => player.setMark('in', isShifted ? null : player.frame);
      case 'o': return () => player.setMark('out', isShifted ? null : player.frame);
      case 'Escape': return () => { player.setMark('in', null); player.setMark('out', null); };
      case 'm': return () => { player.video.muted = !player.video.muted; };
      case '+': case '=': return () => timeline.zoom(2);
      case '-': return () => timeline.zoom(0.5);
      case '0': return () => timeline.fit();
      case '?': case '/': return () => this.showList();
      default: return null;
    }
  }

  // How often the key was pressed at once before. A key that is held down counts once.
  count({key, repeat, timeStamp}) {
    const name = key.toLowerCase();
    const isAgain = this.repeated.key === name && timeStamp - this.repeated.at < together;
    const count = isAgain ? this.repeated.count + (repeat ? 0 : 1) : 0;
    this.repeated = {key: name, count, at: timeStamp};
    return count;
  }

  forward(count) {
    const {player} = this;
    if (count === 0) player.skip(1);
    else if (!player.isPlaying) player.play(1);
    else player.play(count === 1 ? 1 : 2);
  }
}
