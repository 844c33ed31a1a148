"""Plays a preview in headless Chromium, for preview.sh: `preview-play.py ADDRESS SECONDS STARTED FOLDER`. STARTED is when
the command was started, in seconds since 1970."""
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options

COUNT_WAITS = """const video = document.querySelector('video');
window.waits = 0;
video.addEventListener('waiting', () => { window.waits += 1; });
video.muted = true;
video.play();"""
LOOK = """const video = document.querySelector('video'), quality = video.getVideoPlaybackQuality();
return [video.currentTime, window.waits, quality.droppedVideoFrames, quality.totalVideoFrames];"""


def main(address, seconds, started, folder):
    options = Options()
    for word in ("--headless=new", "--no-sandbox", "--autoplay-policy=no-user-gesture-required", "--window-size=1280,900",
                 f"--user-data-dir={folder}/chromium"):
        options.add_argument(word)
    browser = webdriver.Chrome(options=options)
    loading = time.time()
    browser.get(address)
    while not browser.execute_script("return document.querySelector('video')?.readyState >= 2"):
        time.sleep(0.01)
    shown = time.time()
    state = browser.execute_script("return spoolPreview.state")
    print(f"the film has {state['duration']:.0f} s; {state['proxy']['width']}x{state['proxy']['height']}: {state['proxyReason']}")
    print(f"the first frame is shown {shown - loading:.2f} s after the page was asked for, {shown - started:.2f} s after the "
          f"command, the start of the browser included")
    browser.execute_script(COUNT_WAITS)
    end = time.time() + seconds
    while time.time() < end:
        time.sleep(min(30, max(0.1, end - time.time())))
        at, waits, dropped, frames = browser.execute_script(LOOK)
        print(f"at {at:.1f} s: waited {waits} times, {dropped} of {frames} frames dropped", flush=True)
    browser.quit()


main(sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), sys.argv[4])
