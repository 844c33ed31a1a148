"""Plants bugs, and prints which tests find them.

    Tests/PlantedBugs/run ["a lease"]

plants the bugs whose names contain a text, by default all, builds once, runs the tests that should find each of them, and
removes the bugs again. It ends with 1 where a bug is not found. The sources must have no changes that are not committed.
"""
import os
import pathlib
import re
import subprocess
import sys

from bugs import BUGS

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ["swift", "build", "-c", "release", "--explicit-target-dependency-import-check", "error", "--build-tests"]
TEST = ["swift", "test", "-c", "release", "--explicit-target-dependency-import-check", "error", "--skip-build"]
# A test that hangs because of a bug has found it as well.
LIMIT = 600


def plant(bugs):
    """Changes the sources. Gives the original texts of the changed files."""
    originals = {}
    for number, bug in enumerate(bugs):
        path = ROOT / bug.file
        text = path.read_text()
        originals.setdefault(path, text)
        if text.count(bug.old) != 1:
            raise RuntimeError(f"{bug.file} has {text.count(bug.old)} places like: {bug.old}")
        condition = f'(getenv("PLANTED_BUG").map {{ String(cString: $0) }} == "{number}")'
        text = text.replace(bug.old, bug.new.replace("PLANTED", condition))
        path.write_text(text if "import Glibc" in text else "import Glibc\n" + text)
    return originals


def failures(bug, number):
    """The tests that fail while a bug is active."""
    environment = {**os.environ, "PLANTED_BUG": str(number)}
    # Together with its processes, which a test that hangs would leave behind.
    command = ["timeout", "--kill-after=10", str(LIMIT), *TEST, "--filter", bug.tests]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    output = done.stdout + done.stderr
    found = re.findall(r'Test (?:"([^"\n]*)"|(\S+\(\)))(?: with \d+ test cases?)? failed', output)
    if done.returncode == 124:
        return ["a test that does not end"]
    if done.returncode and not found:
        return [f"the tests end with {done.returncode}"]
    return sorted({name or function for name, function in found})


def main():
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    bugs = [bug for bug in BUGS if wanted in bug.name]
    changed = subprocess.run(["git", "status", "--porcelain", "Sources"], cwd=ROOT, capture_output=True, text=True).stdout
    if changed or not bugs:
        sys.exit(f"there are changes that are not committed:\n{changed}" if changed else "no bug has such a name")
    missed = 0
    originals = plant(bugs)
    try:
        subprocess.run(BUILD, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        for number, bug in enumerate(bugs):
            found = failures(bug, number)
            missed += not found
            print(f"{bug.name}: {'NOT FOUND' if not found else f'{len(found)} of {bug.tests}, such as: {found[0]}'}", flush=True)
    finally:
        for path, text in originals.items():
            path.write_text(text)
    print(f"{len(bugs)} bugs, {missed} not found; the build still has them until the next one")
    sys.exit(1 if missed else 0)


main()
