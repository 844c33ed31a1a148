#!/usr/bin/env python3
"""Predicts how a ten-minute film scales over slots: `benchmarks/slots.py .build/release/spool`.

The film has 330 clips of 1080p footage with dissolves and music. `spool plan` predicts the time of each job, and runs
the jobs on so many slots as an export does. Machines with 16 free cores are rare, so this is a simulation: it contains
the order of the jobs and what waits for what, but not that slots share memory and caches. It prints for each number of
slots how many times as fast as one slot the film is, and when it can be watched from its beginning: a farm renders the
first picture segment first, then the sound (docs/scheduling.md, keys 8 and 9), and the stream begins with that segment
and the first part of the soundtrack. Then it prints how long the longest job takes, and what runs alone at the end.
Needs the real footage: SPOOL_MEDIA, default ../shared/media.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # leaves the tree as it is

from yardstick_edits import draft  # noqa: E402
from yardstick_films import Media  # noqa: E402

MOST = 16


def plan(spool, file, slots, cache):
    output = subprocess.run([spool, "plan", file, "--cache", cache, "--jobs", str(slots), "--json"], check=True,
                            capture_output=True, text=True).stdout
    return json.loads(output)["prediction"]


def first_playable(jobs, slots):
    """When the first picture segment and the first part of the soundtrack are there, in seconds."""
    pictures = [job["seconds"] for job in jobs if job["kind"] == "video"]
    sounds = [job["seconds"] for job in jobs if job["kind"] == "audio"]
    encodings = [job["seconds"] for job in jobs if job["kind"] == "soundtrack"]
    free = [0.0] * slots

    def run(seconds, after=0.0):
        slot = min(range(slots), key=lambda number: free[number])
        free[slot] = max(free[slot], after) + seconds
        return free[slot]

    picture = run(pictures[0])
    mixed = max(run(seconds) for seconds in sounds)
    return max(picture, run(encodings[0], after=mixed))


def main(spool):
    with tempfile.TemporaryDirectory() as folder:
        media = Media(os.environ.get("SPOOL_MEDIA", "../shared/media"), folder)
        if not os.path.exists(media.bunny):
            print(f"skipped: {media.bunny} is absent")
            return
        film = draft(media, 330)
        film["videoSize"] = {"width": 1920, "height": 1080}
        file = pathlib.Path(folder) / "film.json"
        file.write_text(json.dumps(film))
        one = None
        print("slots  seconds  times one slot  first playable")
        slots = 1
        while slots <= MOST:
            predicted = plan(spool, file, slots, f"{folder}/cache")
            one = one or predicted["seconds"]
            print(f"{slots:5}  {predicted['seconds']:7.1f}  {one / predicted['seconds']:14.2f}"
                  f"  {first_playable(predicted['jobs'], slots):12.1f} s")
            slots *= 2
        jobs = predicted["jobs"]
        longest = max(jobs, key=lambda job: job["seconds"])
        last = sum(job["seconds"] for job in jobs if job["kind"] == "stitch")
        print(f"{len(jobs)} jobs; the longest is a {longest['kind']} job of {longest['seconds']:.1f} s; "
              f"the stitch takes {last:.1f} s after all others")


if __name__ == "__main__":
    main(sys.argv[1])
