"""Uses the dashboard in headless Chromium as a person does, checks its accessibility with axe-core, and takes pictures.

    dashboard.py SERVER TOKEN FOLDER AXE EXPORT

SERVER is the coordinator's address, TOKEN an operator's, AXE the file of axe-core (or `none`), and EXPORT an export that
is rendered while the program runs. Pictures go into FOLDER. It ends with 1 where something is not as it should be.
"""
import pathlib
import re
import sys

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

server, token, folder, axe, export = sys.argv[1:]
folder = pathlib.Path(folder)
folder.mkdir(parents=True, exist_ok=True)
failures = []


def check(words, condition):
    print(f"{'ok' if condition else 'FAILED'}: {words}", flush=True)
    if not condition:
        failures.append(words)


def start(javascript=True):
    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--autoplay-policy=no-user-gesture-required", "--disable-gpu",
                   "--hide-scrollbars", f"--user-data-dir={folder}/chromium-{javascript}"):
        options.add_argument(option)
    if not javascript:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options)
    browser.set_page_load_timeout(60)
    browser.set_script_timeout(120)
    return browser


def until(browser, condition, seconds=60):
    """Waits for a condition, also while a page gives way to the next one, whose elements are others."""
    leaving = (NoSuchElementException, StaleElementReferenceException)
    try:
        return WebDriverWait(browser, seconds, 0.2, ignored_exceptions=leaving).until(lambda _: condition())
    except WebDriverException:
        return None


def find(browser, selector):
    return browser.find_element(By.CSS_SELECTOR, selector)


def text(browser):
    return find(browser, "main").text


def log_in(browser, secret):
    field = find(browser, "#token")
    field.clear()
    field.send_keys(secret, Keys.ENTER)


def click_button(browser, label, within="main"):
    for button in browser.find_elements(By.CSS_SELECTOR, f"{within} button"):
        if button.text.split("\n")[0].startswith(label) and button.is_displayed():
            button.click()
            return
    raise AssertionError(f"there is no button {label}")


def use(browser):
    browser.get(server + "/")
    check("a browser without a session is led to the login", "/ui/login" in browser.current_url)
    log_in(browser, "spool_" + "0" * 64)
    until(browser, lambda: browser.find_elements(By.ID, "refusal"))
    check("a wrong token is refused with words", "unknown" in find(browser, "#refusal").text)
    log_in(browser, token)
    until(browser, lambda: browser.find_elements(By.ID, "queue-video"))
    check("the right token leads to the overview", "Overview" in browser.title)

    find(browser, "body").send_keys(Keys.TAB)
    check("the first stop of the tabulator skips the navigation",
          browser.execute_script("return document.activeElement.className") == "skip")

    # A queue is paused and goes on.
    click_button(browser, "Pause", ".card")
    until(browser, lambda: "paused" in text(browser))
    check("a queue is paused by a click", "The queue is paused" in text(browser))
    click_button(browser, "Resume", ".card")
    until(browser, lambda: "The queue goes on" in text(browser))
    check("and goes on by a click", "The queue goes on" in text(browser))

    # The list is narrowed by typing.
    find(browser, "header a[href='/ui/exports']").click()
    find(browser, "#label").send_keys("card 1", Keys.ENTER)
    until(browser, lambda: "label=card" in browser.current_url)
    rows = browser.find_elements(By.CSS_SELECTOR, "#exports tbody tr")
    check(f"the list is narrowed by a label: {len(rows)} rows", rows and all("card 1" in row.text for row in rows))
    check("empty fields are not in the address", "state=" not in browser.current_url)
    browser.get(server + "/ui/exports")
    Select(find(browser, "#order")).select_by_value("priority")
    click_button(browser, "Show", ".filter")
    until(browser, lambda: "order=priority" in browser.current_url)
    check("the list is sorted by priority", "order=priority" in browser.current_url)

    # Many are changed at a time.
    browser.get(server + "/ui/exports?label=waiting")
    boxes = browser.find_elements(By.CSS_SELECTOR, "td.check input")
    boxes[0].click()
    check("the number of chosen exports is shown", "1 chosen" in find(browser, "#chosen").text)
    fetched = lambda: browser.execute_script("return performance.getEntriesByType('resource').length")
    before = fetched()
    until(browser, lambda: fetched() > before, 60)
    check("what is chosen stays chosen when the list is brought up to date",
          find(browser, "td.check input").is_selected())
    find(browser, "#choose-all").click()
    check("all on the page are chosen at once", f"{len(boxes)} chosen" in find(browser, "#chosen").text)
    click_button(browser, "Cancel", ".bulk")
    question = browser.switch_to.alert
    check("the browser asks before many are cancelled", question.text == f"Cancel {len(boxes)} exports?")
    question.accept()
    until(browser, lambda: "left as they were" in text(browser))
    check("exports are cancelled many at a time", f"{len(boxes)} exports changed" in text(browser))

    follow(browser)


def follow(browser):
    """Watches one export without loading its page again."""
    browser.get(f"{server}/ui/exports/{export}")
    browser.execute_script("window.marker = 1")
    states = lambda: browser.execute_script(
        "return [...document.querySelectorAll('.strip .segment')].map(segment => segment.classList[1]).join()")
    until(browser, states)
    first = states()
    check("the strip shows the segments", first)
    field = find(browser, "#priority")
    field.click()
    field.send_keys("7")
    changed = until(browser, lambda: states() != first, 120)
    check("the strip changes without a reload", changed and browser.execute_script("return window.marker") == 1)
    check("focus and what was typed stay",
          browser.execute_script("return document.activeElement.id") == "priority" and field.get_attribute("value").endswith("7"))
    # The film is watched while it is rendered.
    button = until(browser, lambda: find(browser, "#watch").is_displayed() and find(browser, "#watch"), 60)
    check("there is a button to watch the film while it is rendered", button)
    if button:
        button.click()
    playing = until(browser, lambda: browser.execute_script(
        "const video = document.querySelector('video'); return video && video.currentTime > 1"), 180)
    state = find(browser, ".state-line .badge").text
    check(f"the film plays while the export is {state}", playing and state == "rendering")
    # The connection is cut, and goes on where it was.
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.emulateNetworkConditions",
                            {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
    check("a page that has lost the coordinator says so",
          until(browser, lambda: browser.find_elements(By.ID, "stale"), 60))
    browser.execute_cdp_cmd("Network.emulateNetworkConditions",
                            {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
    check("and goes on by itself", until(browser, lambda: not browser.find_elements(By.ID, "stale"), 60))
    ended = until(browser, lambda: "completed" in find(browser, ".state-line").text, 400)
    check("the end is seen without a reload", ended and browser.execute_script("return window.marker") == 1)
    check("a film that plays goes on playing", browser.execute_script("return document.querySelector('video').currentTime > 1"))


def without_javascript(browser):
    browser.get(server + "/")
    log_in(browser, token)
    check("the overview is read without JavaScript", until(browser, lambda: "Queues" in text(browser)))
    browser.get(server + "/ui/exports?label=last")
    find(browser, "td.check input").click()
    click_button(browser, "Cancel", ".bulk")
    check("an export is cancelled without JavaScript", until(browser, lambda: "1 export changed" in text(browser)))
    browser.get(server + "/ui/exports?limit=50")
    check("there is no button that needs a script", not find(browser, "#choose-all").is_displayed())


def pages(browser):
    """Every page by name, with what is there."""
    found = {"overview": "/", "exports": "/ui/exports", "batches": "/ui/batches", "drafts": "/ui/drafts",
             "workers": "/ui/workers", "dead-letters": "/ui/dead-letters", "tenants": "/ui/tenants", "tokens": "/ui/tokens",
             "export-completed": f"/ui/exports/{export}"}
    for name, address, link in [
        ("export-failed", "/ui/exports?state=failed", "#exports a[href^='/ui/exports/']"),
        ("export-rendering", "/ui/exports?state=rendering", "#exports a[href^='/ui/exports/']"),
        ("batch", "/ui/batches", "#batches a"), ("draft", "/ui/drafts", "#drafts a"),
        ("job", f"/ui/exports/{export}", "#jobs a[href^='/ui/jobs/']"),
    ]:
        browser.get(server + address)
        links = browser.find_elements(By.CSS_SELECTOR, link)
        if links:
            found[name] = re.sub(r"^https?://[^/]*", "", links[0].get_attribute("href"))
    return found


# Calls back when the page has loaded with its fonts and has been drawn twice.
DRAWN = """
const done = arguments[0];
const drawn = () => document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true))));
if (document.readyState === 'complete') drawn(); else addEventListener('load', drawn, {once: true});
"""


def look(browser, name, theme):
    for width, height in ((1440, 900), (390, 844)):
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
        browser.execute_async_script(DRAWN)
        # A phone's window grows with a page that is too wide, so it is no measure.
        wide = browser.execute_script("return document.documentElement.scrollWidth") - width
        if wide > 0:
            check(f"{name} fits into {width} px ({wide} px too wide)", False)
        full = browser.execute_script("return Math.min(2600, document.documentElement.scrollHeight)")
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                {"width": width, "height": max(height, full), "deviceScaleFactor": 1, "mobile": width < 500})
        browser.get_screenshot_as_file(str(folder / f"{name}-{width}-{theme}.png"))
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def accessibility(browser, name, theme, counts):
    if axe == "none":
        return
    # A policy without exceptions lets no script in, so axe is run by the debugger.
    browser.execute_cdp_cmd("Runtime.evaluate", {"expression": pathlib.Path(axe).read_text()})
    answer = browser.execute_cdp_cmd("Runtime.evaluate", {
        "expression": "axe.run(document, {resultTypes: ['violations']}).then(result => JSON.stringify(result.violations.map("
                      "one => [one.impact, one.id, one.nodes.length, one.nodes[0].html.slice(0, 160), one.nodes[0].failureSummary])))",
        "awaitPromise": True, "returnByValue": True})
    import json
    for impact, rule, number, example, why in json.loads(answer["result"]["value"]):
        counts[impact] = counts.get(impact, 0) + 1
        print(f"axe, {name}, {theme}: {impact} {rule} at {number} places, such as {example}\n  {why}")
        if impact in ("serious", "critical"):
            failures.append(f"{rule} on {name}")


def main():
    browser = start()
    try:
        use(browser)
        counts, checked = {}, 0
        found = pages(browser)
        for theme in ("light", "dark"):
            browser.get(server + "/")
            browser.add_cookie({"name": "spool-theme", "value": theme, "path": "/"})
            for name, address in found.items():
                browser.get(server + address)
                browser.execute_async_script(DRAWN)
                accessibility(browser, name, theme, counts)
                checked += 1
                look(browser, name, theme)
                if width_390(browser, name, theme, counts):
                    checked += 1
        click_button(browser, "Log out", "header")
        until(browser, lambda: "/ui/login" in browser.current_url)
        check("logging out leads to the login", "/ui/login" in browser.current_url)
        for theme in ("light", "dark"):
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
            browser.get(server + "/ui/login")
            accessibility(browser, "login", theme, counts)
            checked += 1
            look(browser, "login", theme)
        complaints = [entry["message"] for entry in browser.get_log("browser")
                      if entry["level"] == "SEVERE" and "ERR_INTERNET_DISCONNECTED" not in entry["message"]
                      and "401" not in entry["message"] and "409" not in entry["message"]]
        check(f"the browser's console has no complaints {complaints[:3]}", not complaints)
        if axe != "none":
            print(f"axe-core: {checked} runs on {len(found) + 1} pages; violations: {counts or 'none'}")
    finally:
        browser.quit()
    browser = start(javascript=False)
    try:
        without_javascript(browser)
    finally:
        browser.quit()
    if failures:
        sys.exit(f"{len(failures)} checks failed: " + "; ".join(failures))


def width_390(browser, name, theme, counts):
    """Checks the page again as a phone shows it."""
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True})
    accessibility(browser, f"{name} at 390 px", theme, counts)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    return axe != "none"


main()
