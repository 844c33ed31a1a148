"""Plays a stream of files in headless Chromium (Media Source), changes its rendition at segments, and compares what it
shows with the frames of the same film in one file.

    stream.py FOLDER FILM

FOLDER has main.m3u8 and is served from here by ranges of bytes. Prints which frames the browser showed, and ends with 1
where one is not the film's, where playing stalls, or where the duration differs.
"""
import functools
import http.server
import pathlib
import re
import sys
import tempfile
import threading

from selenium import webdriver

from frames import HEIGHT, LOOK, WIDTH, frames, rate

folder, film = pathlib.Path(sys.argv[1]), sys.argv[2]

class Files(http.server.SimpleHTTPRequestHandler):
    """Sends ranges of the files, as servers of streams do."""

    def do_GET(self):
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if self.path == "/":
            content, status = b"<!doctype html><title>stream</title>", 200
        elif not (folder / self.path.lstrip("/")).is_file():
            return self.send_error(404)
        else:
            content, status = (folder / self.path.lstrip("/")).read_bytes(), 200
            if wanted:
                content, status = content[int(wanted[1]):int(wanted[2]) + 1], 206
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Type", "text/html" if self.path == "/" else "application/octet-stream")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


# Reads the playlists, and appends the segments of the pictures from one rendition after the other.
PLAYER = """
const done = arguments[0];
const text = async name => (await fetch(name)).text();
const bytes = async (name, [size, at]) =>
  (await fetch(name, {headers: {Range: `bytes=${at}-${at + size - 1}`}})).arrayBuffer();
const range = text => text.split('@').map(Number);
const playlist = async name => {
  const lines = (await text(name)).split('\\n');
  const map = lines.find(line => line.startsWith('#EXT-X-MAP')).match(/URI="([^"]*)",BYTERANGE="([^"]*)"/);
  const segments = lines.filter(line => line.startsWith('#EXT-X-BYTERANGE:')).map(line => range(line.slice(17)));
  return {file: map[1], header: range(map[2]), segments};
};
const video = document.createElement('video');
video.muted = true;
document.body.append(video);
window.state = {stalls: 0, changes: 0};
video.addEventListener('waiting', () => { if (video.currentTime > 0 && video.currentTime < video.duration - 0.5) window.state.stalls += 1; });
const play = async () => {
  const main = (await text('main.m3u8')).split('\\n');
  const variants = main.flatMap((line, index) => line.startsWith('#EXT-X-STREAM-INF') ? [{file: main[index + 1], codecs: line.match(/CODECS="([^"]*)"/)[1].split(',')}] : []);
  const sound = main.find(line => line.startsWith('#EXT-X-MEDIA:TYPE=AUDIO')).match(/URI="([^"]*)"/)[1];
  const renditions = await Promise.all(variants.map(variant => playlist(variant.file)));
  const source = new MediaSource();
  video.src = URL.createObjectURL(source);
  await new Promise(open => source.addEventListener('sourceopen', open, {once: true}));
  const buffers = [source.addSourceBuffer(`video/mp4; codecs="${variants[0].codecs[0]}"`),
                   source.addSourceBuffer(`audio/mp4; codecs="${variants[0].codecs[1]}"`)];
  const append = async (buffer, name, place) => {
    buffer.appendBuffer(await bytes(name, place));
    await new Promise((end, failed) => {
      buffer.addEventListener('updateend', end, {once: true});
      buffer.addEventListener('error', () => failed(new Error(name)), {once: true});
    });
  };
  const heard = await playlist(sound);
  await append(buffers[1], heard.file, heard.header);
  for (const segment of heard.segments) await append(buffers[1], heard.file, segment);
  let shown = null;
  for (let number = 0; number < renditions[0].segments.length; number += 1) {
    const rendition = renditions[number % renditions.length];
    if (rendition !== shown) { await append(buffers[0], rendition.file, rendition.header); window.state.changes += 1; }
    shown = rendition;
    await append(buffers[0], rendition.file, rendition.segments[number]);
  }
  source.endOfStream();
  video.playbackRate = 4;
  await video.play();
  await new Promise(end => video.addEventListener('ended', end, {once: true}));
  return {...window.state, duration: video.duration, ranges: video.buffered.length, dropped: video.getVideoPlaybackQuality().droppedVideoFrames};
};
play().then(done, error => done(`${error}`));
"""

def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    options = webdriver.ChromeOptions()
    profile = tempfile.mkdtemp()
    for option in ("--headless=new", "--no-sandbox", "--autoplay-policy=no-user-gesture-required", "--disable-gpu",
                   f"--user-data-dir={profile}"):
        options.add_argument(option)
    browser = webdriver.Chrome(options=options)
    try:
        browser.get(f"http://127.0.0.1:{server.server_port}/")
        browser.set_script_timeout(120)
        played = browser.execute_async_script(PLAYER)
        if isinstance(played, str):
            sys.exit(f"the stream does not play: {played}")
        pictures, per_second = frames(film), rate(film)
        print(f"played {played['duration']:.3f} s of {len(pictures) / per_second:.3f} s, in {played['ranges']} ranges; the rendition "
              f"changed {played['changes'] - 1} times, the player waited {played['stalls']} times")
        wrong = abs(played["duration"] - len(pictures) / per_second) > 0.1 or played["ranges"] != 1 or played["stalls"] > 0
        for number in [0, 1, len(pictures) // 3, len(pictures) // 2, len(pictures) // 2 + 1, len(pictures) - 2]:
            pixels = browser.execute_async_script(LOOK, (number + 0.5) / per_second, WIDTH, HEIGHT)
            luma = [0.2126 * pixels[at] + 0.7152 * pixels[at + 1] + 0.0722 * pixels[at + 2] for at in range(0, len(pixels), 4)]
            # Limited range of luma against full range.
            luma = [16 + value * 219 / 255 for value in luma]
            errors = [sum((a - b) ** 2 for a, b in zip(luma, picture)) for picture in pictures]
            found = min(range(len(errors)), key=errors.__getitem__)
            print(f"frame {number}: the browser shows frame {found}")
            wrong = wrong or found != number
        sys.exit(1 if wrong else 0)
    finally:
        browser.quit()
        server.shutdown()


main()
