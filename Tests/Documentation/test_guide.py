#!/usr/bin/env python3
"""Runs the blocks of docs/guide as a reader would, page after page, and prints what ran. It ends with 1 at the end where a
block did not do what its page says; the pages behind it run all the same."""
import contextlib
import os
import pathlib
import shutil
import signal
import sys
import time

import pages
import tables
from trial import INTERRUPTIONS, BlockFailed, Trial


def end(number, _):
    raise SystemExit(128 + number)


def run_page(program, page):
    """Runs one page from nothing, and gives its milestones with their seconds, and how many blocks print something else
    than the page shows, or entries of its tables fail. A block that fails ends the page, because others build on it."""
    blocks, entries = pages.blocks(page), list(tables.entries(page))
    begun, milestones, failed = time.monotonic(), [], 0
    with Trial(program) as trial, kept_pictures(trial):
        for block in blocks:
            if block.language != "sh":
                trial.save(block)
            elif not run_block(trial, block):
                failed += 1
            elif block.milestone:
                milestones.append((block.milestone, time.monotonic() - begun))
        for entry in entries:
            try:
                run_block(trial, entry)
            except BlockFailed as error:
                failed += 1
                print(f"FAILED {error}", flush=True)
    return milestones, failed


def run_block(trial, block):
    """Runs the commands of a block, and says whether they print what the page shows."""
    started = time.monotonic()
    while True:
        printed = trial.run(block)
        difference = pages.compare(block, printed) if block.expected is not None else None
        if not difference or time.monotonic() - started > block.within:
            break
        time.sleep(0.5)
    if difference:
        print(f"FAILED {difference}", flush=True)
        return False
    compared = ", output as shown" if block.expected is not None else ""
    exit_code = f", exit code {block.exit_code} as shown" if block.exit_code else ""
    print(f"ok    {block.place}, {time.monotonic() - started:.1f} s{compared}{exit_code}", flush=True)
    return True


@contextlib.contextmanager
def kept_pictures(trial):
    """Copies the pictures that the page's blocks make into the folder that KEEP names, also where a block fails."""
    try:
        yield
    finally:
        if folder := os.environ.get("KEEP"):
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            for picture in [*trial.work.glob("*.jpg"), *trial.work.glob("*.png")]:
                shutil.copy(picture, folder)


def main(program, names):
    for number in INTERRUPTIONS:
        signal.signal(number, end)
    if unknown := set(names) - set(pages.ORDER):
        raise SystemExit(f"there is no page '{sorted(unknown)[0]}'; there are {', '.join(pages.ORDER)}")
    if missing := {path.stem for path in pages.GUIDE.glob("*.md")} ^ set(pages.ORDER):
        raise SystemExit(f"Tests/Documentation/pages.py and docs/guide do not have the same pages: {sorted(missing)}")
    begun, failed, milestones = time.monotonic(), 0, []
    for page in names or pages.ORDER:
        print(f"--- docs/guide/{page}.md", flush=True)
        try:
            reached, page_failed = run_page(program, page)
            milestones += reached
            failed += page_failed
        except (BlockFailed, pages.PageError) as error:
            failed += 1
            print(f"FAILED {error}", flush=True)
    for name, seconds in milestones:
        print(f"from nothing to {name}: {seconds:.1f} s")
    print(f"{failed} blocks failed, {time.monotonic() - begun:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
