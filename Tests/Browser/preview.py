"""Uses the page of `spool preview` in headless Chromium as a person does who edits a draft.

    preview.py draft DRAFT
    preview.py use DRAFT ADDRESS FOLDER AXE

The first writes the draft, whose frames show the numbers of numbers.mp4 beside it. The second opens ADDRESS, which
`spool preview` printed for the draft; pictures of the page go into FOLDER, and AXE is the file of axe-core (or `none`).
It ends with 1 where something is not as it should be.
"""
import json
import pathlib
import random
import sys

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

RATE, LENGTH = 24, 96
# The first numbers that the clips of the draft show; each clip has LENGTH frames.
CLIPS = [0, 480, 240, 960, 720]
# How often the page is looked at until something has happened, and the pause between looks in seconds.
LOOKS, PAUSE = 600, 0.2
failures = []


def check(words, condition):
    print(f"{'ok' if condition else 'FAILED'}: {words}", flush=True)
    if not condition:
        failures.append(words)


def write_draft(path, clips, **more):
    """Writes a draft in the place of the one before, as editors do."""
    path = pathlib.Path(path)
    track = [{"type": "av", "url": "numbers.mp4", "timeRange": {"start": first / RATE, "duration": LENGTH / RATE}}
             for first in clips]
    draft = {"version": 1, "title": "Numbers", "frameRate": RATE, "videoSize": {"width": 1280, "height": 720},
             "mainTrackClips": track, **more}
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(draft))
    fresh.replace(path)


def number(clips, frame):
    """The number that a frame of the film shows."""
    return clips[frame // LENGTH] + frame % LENGTH


# The number that the picture shows: the stripes, the lowest bit at the left. null where there is no picture.
LOOK = """
const video = document.querySelector('video');
if (video.readyState < 2) return null;
const canvas = document.createElement('canvas');
[canvas.width, canvas.height] = [240, 10];
const context = canvas.getContext('2d');
context.drawImage(video, 0, 0, canvas.width, canvas.height);
const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
let number = 0;
for (let bit = 0; bit < 12; bit += 1) {
  if (pixels[4 * (5 * canvas.width + bit * 20 + 10)] > 127) number += 2 ** bit;
}
return number;
"""

# Goes to a frame, waits until it is seen, and calls back with its number.
SEEK = "const done = arguments[1]; spoolPreview.seekFrame(arguments[0]).then(done, error => done(`${error}`));"

# The media files that were fetched, with repetitions.
FETCHED = """
return performance.getEntriesByType('resource').map(entry => new URL(entry.name).pathname)
  .filter(path => path.startsWith('/media/')).map(path => path.slice('/media/'.length));
"""


# Whether the waveform has any colour.
DRAWN_WAVEFORM = """
const canvas = document.querySelector('canvas.waveform');
if (!canvas?.width) return false;
return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean);
"""

# The answer of axe-core about the page, as JSON.
VIOLATIONS = """
axe.run(document, {resultTypes: ['violations']}).then(({violations}) => JSON.stringify(violations.map(
  one => [one.impact, one.id, one.nodes.length, one.nodes[0].html.slice(0, 160), one.nodes[0].failureSummary])))
"""


class Page:
    def __init__(self, folder):
        options = webdriver.ChromeOptions()
        for option in ("--headless=new", "--no-sandbox", "--autoplay-policy=no-user-gesture-required", "--disable-gpu",
                       "--hide-scrollbars", f"--user-data-dir={folder}/chromium"):
            options.add_argument(option)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.browser = webdriver.Chrome(options=options)
        self.browser.set_window_size(1280, 900)
        self.browser.set_script_timeout(120)

    def until(self, condition):
        try:
            return WebDriverWait(self.browser, LOOKS * PAUSE, PAUSE).until(lambda _: condition())
        except WebDriverException:
            return None

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def seek(self, frame):
        return self.browser.execute_async_script(SEEK, frame)

    def shown(self):
        return self.run(LOOK)

    def frame(self):
        return self.run("return spoolPreview.currentFrame()")

    def revision(self):
        return self.run("return window.spoolPreview ? spoolPreview.revision : null")

    def names(self):
        """The files of the state, pictures and sound."""
        return set(self.run("const {pictures, sound} = spoolPreview.state; return [...pictures.segments, "
                            "...(sound?.segments ?? [])].map(segment => segment.file)"))

    def press(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def chord(self, modifier, key):
        ActionChains(self.browser).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def is_playing(self):
        return self.run("return !document.querySelector('video').paused")

    def pause(self):
        if self.is_playing():
            self.press("k")

    def wait_for_all(self):
        """Waits until all segments are in the player, and returns whether they are."""
        return self.until(lambda: set(self.run("return spoolPreview.bufferedSegments()")) >= self.names())


def begin(page, address):
    base = address.split("/?")[0]
    page.browser.get(base + "/")
    check("without the token the server says what to do", "spool preview" in page.text("body"))
    page.browser.get(address)
    check("the token does not stay in the address", "token" not in page.browser.current_url)
    first = page.until(lambda: page.shown() == number(CLIPS, 0))
    check("the first frame is shown", first and page.frame() == 0)
    check("the draft's name is in the title", "Numbers" in page.browser.title)


def seek(page):
    print(f"the proxy has {page.run('return spoolPreview.state.proxy')}")
    wrong = []
    for frame in random.Random(4).sample(range(len(CLIPS) * LENGTH), 20):
        at = page.seek(frame)
        shown = page.shown()
        if at != frame or shown != number(CLIPS, frame):
            wrong.append((frame, at, shown))
    check(f"20 random frames show their numbers {wrong}", not wrong)
    page.seek(LENGTH - 1)
    page.press(Keys.ARROW_RIGHT)
    page.until(lambda: page.shown() == number(CLIPS, LENGTH))
    check("a step over a cut shows the next clip", page.shown() == number(CLIPS, LENGTH) and page.frame() == LENGTH)


def keys(page):
    last = len(CLIPS) * LENGTH - 1
    page.seek(100)
    for words, press, frame in [
        ("an arrow goes one frame forward", lambda: page.press(Keys.ARROW_RIGHT), 101),
        ("an arrow goes one frame back", lambda: page.press(Keys.ARROW_LEFT), 100),
        ("Shift and an arrow go one second forward", lambda: page.chord(Keys.SHIFT, Keys.ARROW_RIGHT), 124),
        ("Shift and an arrow go one second back", lambda: page.chord(Keys.SHIFT, Keys.ARROW_LEFT), 100),
        ("L goes one second forward", lambda: page.press("l"), 124),
        ("J goes one second back", lambda: page.press("j"), 100),
        ("End goes to the last frame", lambda: page.press(Keys.END), last),
        ("Home goes to the first frame", lambda: page.press(Keys.HOME), 0),
    ]:
        press()
        check(words, page.until(lambda: page.frame() == frame and page.shown() == number(CLIPS, frame)))
    label = page.text("#time")
    check(f"the time is shown with its frames: {label}", label == "0:00:00:00")

    page.press(Keys.SPACE)
    check("the space bar plays", page.until(lambda: page.is_playing() and page.frame() > 5))
    page.press("k")
    page.until(lambda: not page.is_playing())
    page.until(lambda: page.shown() == number(CLIPS, page.frame()))
    check("K pauses, on the frame whose number is shown", page.shown() == number(CLIPS, page.frame()))
    page.seek(0)
    page.press("l", "l", "l")
    check("L pressed three times plays at double speed",
          page.until(lambda: page.is_playing() and page.run("return document.querySelector('video').playbackRate") == 2))
    page.pause()

    # A loop over half a second.
    page.seek(48)
    page.press("i")
    page.seek(59)
    page.press("o")
    check("the loop is shown", "0:00:02:00" in page.text("#marks") and "0:00:02:11" in page.text("#marks"))
    page.run("""
        window.seen = [];
        const look = () => { seen.push(spoolPreview.currentFrame()); requestAnimationFrame(look); };
        look();
    """)
    page.press(Keys.SPACE)
    repeats = "return seen.filter((frame, place) => place > 0 && frame < seen[place - 1] - 4).length"
    check("the loop repeats", page.until(lambda: page.run(repeats) >= 3))
    page.pause()
    seen = page.run("return [Math.min(...seen.slice(5)), Math.max(...seen)]")
    check(f"and stays between its marks {seen}", seen[0] >= 47 and seen[1] <= 62)
    page.press(Keys.ESCAPE)
    check("Escape ends the loop", page.text("#marks") == "")

    page.press("?")
    check("? lists the keys", page.find("#keys").is_displayed() and "double speed" in page.text("#key-list"))
    page.press(Keys.ESCAPE)
    check("Escape closes the list", not page.find("#keys").is_displayed())


def timeline(page):
    items = page.run("return document.querySelectorAll('.strip.clips .item').length")
    check(f"the timeline has the clips: {items}", items == len(CLIPS))
    area = page.find("#area")
    page.run("arguments[0].scrollIntoView({block: 'center'})", area)
    width = area.size["width"]
    ActionChains(page.browser).move_to_element_with_offset(area, round(width / 4), 0).click().perform()
    place = 0.75 * len(CLIPS) * LENGTH
    arrives = page.until(lambda: abs(page.frame() - place) < 12)
    check(f"a click goes to its place: frame {page.frame()}", arrives)
    page.press("+", "+")
    check("the timeline is zoomed", page.find("#area").size["width"] > 3 * width)
    page.press("0")
    check("and fits again", page.find("#area").size["width"] <= width + 1)
    check("the waveform is drawn", page.until(lambda: page.run(DRAWN_WAVEFORM)))


def edit(page, draft):
    check("all segments are in the player", page.wait_for_all())
    place = LENGTH + 40
    page.seek(place)
    page.run("performance.clearResourceTimings(); window.marker = 1; performance.setResourceTimingBufferSize(5000)")
    before, revision = page.names(), page.revision()
    changed = list(CLIPS)
    changed[1] = 1200
    write_draft(draft, changed)
    arrived = page.until(lambda: page.revision() != revision)
    check("a change of the draft arrives", arrived)
    check("the new picture is shown at the same place, without a reload",
          page.until(lambda: page.shown() == number(changed, place)) and page.frame() == place
          and page.run("return window.marker") == 1)
    check("all segments are in the player again", page.wait_for_all())
    after = page.names()
    fetched = set(page.run(FETCHED))
    headers = set(page.run("const {pictures, sound} = spoolPreview.state; return [pictures.header, sound?.header]"))
    check(f"only what has changed is fetched: {len(fetched)} of {len(after)} segments",
          fetched and fetched <= (after - before) | headers and not fetched & before)
    check("what did not change has kept its names", len(after & before) >= len(after) // 2)
    wrong = []
    for frame in random.Random(5).sample(range(len(CLIPS) * LENGTH), 20):
        page.seek(frame)
        if page.shown() != number(changed, frame):
            wrong.append((frame, page.shown(), number(changed, frame)))
    check(f"20 random frames show the numbers of the changed draft {wrong}", not wrong)

    # A change while the film plays.
    page.seek(0)
    page.press(Keys.SPACE)
    page.until(lambda: page.frame() > 12)
    revision = page.revision()
    changed[0] = 600
    write_draft(draft, changed)
    page.until(lambda: page.revision() != revision)
    check("a film that plays goes on after a change", page.until(lambda: page.frame() > LENGTH) and page.is_playing())
    page.pause()

    # Shorter and longer films.
    for clips, words in ((changed[:3], "shorter"), (changed, "longer")):
        revision = page.revision()
        page.seek(len(clips) * LENGTH - 10)
        write_draft(draft, clips)
        page.until(lambda: page.revision() != revision)
        page.press(Keys.END)
        last = len(clips) * LENGTH - 1
        check(f"a {words} film ends with its last frame",
              page.until(lambda: page.frame() == last and page.shown() == number(clips, last)))
    page.seek(len(changed) * LENGTH - 12)
    page.press(Keys.SPACE)
    check("playing ends at the last frame",
          page.until(lambda: not page.is_playing()) and page.frame() == len(changed) * LENGTH - 1)
    return changed


def break_draft(page, draft, clips, folder):
    page.seek(10)
    revision = page.revision()
    write_draft(draft, clips, layers=[{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "text", "txet": "x"}}])
    page.until(lambda: page.revision() != revision)
    page.until(lambda: page.run("return spoolPreview.state.isBroken"))
    listed = page.text("#diagnostics")
    check(f"an error is listed with its path: {listed!r}", "layers[0]" in listed and "error" in listed)
    check("and the last good version is still shown",
          page.find("[data-name=broken]").is_displayed() and page.shown() == number(clips, 10))
    page.browser.get_screenshot_as_file(str(folder / "broken.png"))
    looks(page, "broken", folder)
    write_draft(draft, clips)
    check("the error goes when it is corrected", page.until(lambda: not page.run("return spoolPreview.state.isBroken"))
          and page.until(lambda: not page.browser.find_elements(By.CSS_SELECTOR, "[data-name=broken]")))


# Calls back when the page has been drawn twice.
DRAWN = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(true)));"


def accessibility(page, name):
    if axe == "none":
        return
    # The policy lets no other script in, so axe is run by the debugger.
    page.browser.execute_cdp_cmd("Runtime.evaluate", {"expression": pathlib.Path(axe).read_text()})
    answer = page.browser.execute_cdp_cmd(
        "Runtime.evaluate", {"expression": VIOLATIONS, "awaitPromise": True, "returnByValue": True})
    found = json.loads(answer["result"]["value"])
    for impact, rule, count, example, why in found:
        print(f"axe, {name}: {impact} {rule} at {count} places, such as {example}\n  {why}")
    check(f"axe-core has nothing serious to say about {name}",
          not [one for one in found if one[0] in ("serious", "critical")])


def looks(page, name, folder):
    """Looks at the page in both themes and two widths."""
    for theme in ("light", "dark"):
        page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                     {"features": [{"name": "prefers-color-scheme", "value": theme}]})
        for width, height in ((1280, 900), (390, 844)):
            page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
            page.browser.execute_async_script(DRAWN)
            # A phone's window grows with a page that is too wide, so it is no measure.
            wide = page.run("return document.documentElement.scrollWidth") - width
            check(f"the page ({name}) fits into {width} px in the {theme} theme", wide <= 0)
            accessibility(page, f"{name}, {width} px, {theme}")
            page.browser.get_screenshot_as_file(str(folder / f"{name}-{width}-{theme}.png"))
    page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def main():
    folder.mkdir(parents=True, exist_ok=True)
    page = Page(folder)
    try:
        begin(page, address)
        seek(page)
        keys(page)
        timeline(page)
        looks(page, "good", folder)
        changed = edit(page, draft)
        break_draft(page, draft, changed, folder)
        complaints = [entry["message"] for entry in page.browser.get_log("browser") if entry["level"] == "SEVERE"
                      and not any(f"status of {status}" in entry["message"] for status in (401, 404, 503))]
        check(f"the browser's console has no complaints {complaints[:3]}", not complaints)
    finally:
        page.browser.quit()
    if failures:
        sys.exit(f"{len(failures)} checks failed: " + "; ".join(failures))


if sys.argv[1] == "draft":
    write_draft(sys.argv[2], CLIPS)
else:
    draft, address, folder, axe = sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4]), sys.argv[5]
    main()
