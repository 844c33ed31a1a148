"""Plays the stream of an export in headless Chromium, and compares what it shows with the film.

    play.py ADDRESS TOKEN FOLDER

ADDRESS is that of the export. It prints when playing began, how many segments there were then, and which frames the
browser showed at some times. It ends with 1 where the stream did not begin before half of the film was rendered, or
where a frame is not the film's at its time.
"""
import json
import pathlib
import sys
import urllib.request

from selenium import webdriver

from frames import HEIGHT, LOOK, WIDTH, frames

address, token, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
RATE = 24

# Appends what the playlists list, and looks for more, until they have their ends.
PLAYER = """
const [address, token] = arguments;
const get = async name => {
  const answer = await fetch(`${address}/stream/${name}`, {headers: {Authorization: `Bearer ${token}`}, cache: 'no-store'});
  if (answer.status === 409) {
    await wait(1000 * answer.headers.get('Retry-After'));
    return get(name);
  }
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer;
};
const wait = milliseconds => new Promise(done => setTimeout(done, milliseconds));
const video = document.createElement('video');
video.muted = true;
document.body.append(video);
window.state = {listed: 0, stalls: 0};
window.began = new Promise(done => video.addEventListener('playing', () => done(window.state.listed), {once: true}));
video.addEventListener('waiting', () => { if (video.currentTime > 0) window.state.stalls += 1; });
const play = async () => {
  const main = await (await get('main.m3u8')).text();
  const [pictures, sound] = main.match(/CODECS="([^"]*)"/)[1].split(',');
  const source = new MediaSource();
  video.src = URL.createObjectURL(source);
  await new Promise(done => source.addEventListener('sourceopen', done, {once: true}));
  const track = async (type, playlist) => {
    const buffer = source.addSourceBuffer(type);
    const append = async name => {
      buffer.appendBuffer(await (await get(name)).arrayBuffer());
      await new Promise((done, failed) => {
        buffer.addEventListener('updateend', done, {once: true});
        buffer.addEventListener('error', () => failed(new Error(name)), {once: true});
      });
    };
    let appended = -1;
    for (;;) {
      const text = await (await get(playlist)).text();
      if (appended < 0) {
        await append(text.match(/EXT-X-MAP:URI="([^"]*)"/)[1]);
        appended = 0;
      }
      const files = text.split('\\n').filter(line => line.endsWith('.m4s'));
      if (playlist === 'pictures.m3u8') window.state.listed = files.length;
      for (const file of files.slice(appended)) await append(file);
      appended = files.length;
      if (text.includes('#EXT-X-ENDLIST')) return;
      await wait(300);
    }
  };
  const all = Promise.all([
    track(`video/mp4; codecs="${pictures}"`, 'pictures.m3u8'), track(`audio/mp4; codecs="${sound}"`, 'sound-0.m3u8')]);
  video.play();
  await all;
  source.endOfStream();
};
window.ended = play();
window.ended.catch(() => {});
"""

def answer(path=""):
    request = urllib.request.Request(address + path, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as found:
        return found.read()


def main():
    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--disable-web-security", "--autoplay-policy=no-user-gesture-required",
                   f"--user-data-dir={folder}/chromium", "--disable-gpu"):
        options.add_argument(option)
    browser = webdriver.Chrome(options=options)
    try:
        browser.get("about:blank")
        browser.set_script_timeout(300)
        browser.execute_script(PLAYER, address, token)
        # An error of the player ends both waits.
        await_promise = "const done = arguments[0]; Promise.race([%s, window.ended]).then(done, error => done(`${error}`))"
        began = browser.execute_async_script(await_promise % "window.began")
        rendering = json.loads(answer())
        error = browser.execute_async_script(await_promise % "window.ended")
        if error or not isinstance(began, int):
            sys.exit(f"the browser cannot play the stream: {error or began}")
        ended = browser.execute_script("return window.state")
        print(f"playing began with {began} of {ended['listed']} segments, while the export was "
              f"{rendering['state']}; the player waited {ended['stalls']} times")
        # The events of an export end with it.
        answer("/events")
        film = folder / "film.mp4"
        film.write_bytes(answer("/film"))
        expected = frames(film)
        duration = browser.execute_script("return document.querySelector('video').duration")
        buffered = browser.execute_script("const b = document.querySelector('video').buffered; return [b.length, b.end(0)]")
        print(f"the film has {len(expected)} frames, {len(expected) / RATE:.3f} s; the browser's has {duration:.3f} s, "
              f"in {buffered[0]} ranges")
        wrong = 0
        for number in (0, 1, 95, 96, 97, 500, 719, 720, len(expected) - 1):
            pixels = browser.execute_async_script(LOOK, (number + 0.5) / RATE, WIDTH, HEIGHT)
            luma = [0.299 * r + 0.587 * g + 0.114 * b for r, g, b in zip(pixels[::4], pixels[1::4], pixels[2::4])]
            near = range(max(0, number - 40), min(len(expected), number + 41))
            # The browser's luma has the full range.
            distance = lambda frame: sum(abs((value - 16) * 255 / 219 - seen) for value, seen in zip(expected[frame], luma))
            found = min(near, key=distance)
            wrong += found != number
            print(f"frame {number}: the browser shows frame {found}")
        browser.get_screenshot_as_file(f"{folder}/screenshot.png")
        if wrong or 2 * began > ended["listed"] or buffered[0] != 1:
            sys.exit(1)
    finally:
        browser.quit()


main()
