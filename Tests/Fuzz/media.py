#!/usr/bin/python3
"""Damages media at random and lets rendering processes probe, decode and draw them.

    Tests/Fuzz/media.py SPOOL --minutes 20 --seed 7 [FILE...]

Each damaged file goes through `spool frame`, with the limits and the sandbox of a farm's rendering process. It may be refused
or be drawn, with an exit code that says so. What counts as found: a rendering process that dies or hangs, a command that ends
with another code, and output that is no picture. The inputs are kept. Without files it damages the sample media.
"""
import argparse
import collections
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

# Exit codes of a file that is drawn, of one that is refused, and of one that asks for more memory than a rendering process
# may have, so that a farm tries it once more alone on a machine.
EXPECTED = {0: "drawn", 65: "refused", 75: "out of memory"}
INTERESTING = [b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x80\0\0\0", b"\0\0\0\x01", b"\xff" * 8, b"\0" * 8]


def damage(rng, content):
    """The bytes with a few changes that decoders and demuxers have stumbled over before."""
    content = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        if len(content) < 16:
            break
        # Headers and indexes are at both ends.
        place = rng.choice([rng.randrange(len(content)), rng.randrange(min(len(content), 4096)),
                            len(content) - 1 - rng.randrange(min(len(content), 8192))])
        kind = rng.randrange(7)
        if kind == 0:
            content[place] ^= 1 << rng.randrange(8)
        elif kind == 1:
            value = rng.choice(INTERESTING)
            content[place:place + len(value)] = value
        elif kind == 2:
            del content[place:]
        elif kind == 3:
            del content[place:place + rng.choice([1, 4, 100, 5000])]
        elif kind == 4:
            content[place:place] = content[place:place + rng.choice([4, 100, 5000])]
        elif kind == 5:
            content[place:place + 64] = rng.randbytes(64)
        else:
            other = rng.randrange(len(content))
            content[place:place + 512] = content[other:other + 512]
    return bytes(content)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(2 ** 32)
    rng = random.Random(seed)
    directory = pathlib.Path(tempfile.mkdtemp(prefix="spool-media-"))
    program = pathlib.Path(options.program).resolve()
    # Local orders name no readable files, so the two layers about files are left out.
    renderer = directory / "limited-render"
    renderer.write_text(
        f'#!/bin/sh\nif [ "$1" = serve ]; then exec "{program}-render" serve --limited --memory 2048 --omit files,landlock; fi\n'
        f'exec "{program}-render" "$@"\n')
    renderer.chmod(0o755)
    files = [pathlib.Path(name) for name in options.files]
    if not files:
        subprocess.run([program, "sample-media", directory / "media"], check=True, stdout=subprocess.DEVNULL)
        files = sorted((directory / "media").iterdir())
    seeds = [(file.suffix, file.read_bytes()) for file in files]
    counts, found = collections.Counter(), 0
    end = time.monotonic() + options.minutes * 60
    while time.monotonic() < end:
        suffix, content = rng.choice(seeds)
        path, picture = directory / f"damaged{suffix}", directory / "picture.png"
        path.write_bytes(damage(rng, content))
        picture.unlink(missing_ok=True)
        try:
            done = subprocess.run(
                [program, "frame", path, "-o", picture, "--time", "0.5", "--no-cache", "--max-size", "320x320"],
                capture_output=True, text=True, timeout=120, env={"PATH": "/usr/bin:/bin", "HOME": str(directory),
                                                                 "SPOOL_RENDER_EXECUTABLE": str(renderer)})
            code, errors = done.returncode, done.stderr
        except subprocess.TimeoutExpired:
            code, errors = None, "does not end within two minutes"
        counts[EXPECTED.get(code, f"ended with {code}")] += 1
        is_picture = code != 0 or picture.exists() and picture.read_bytes().startswith(b"\x89PNG")
        is_explained = code != 75 or "Cannot allocate memory" in errors
        if code in EXPECTED and is_explained and is_picture and "died" not in errors:
            continue
        found += 1
        kept = pathlib.Path(tempfile.gettempdir()) / f"spool-found-{seed}-{found}{suffix}"
        shutil.copy(path, kept)
        print(f"FOUND {kept}: {code} {errors.strip()[:500]}", flush=True)
    shutil.rmtree(directory, ignore_errors=True)
    print(f"seed {seed}: {sum(counts.values())} damaged files of {len(seeds)}: "
          + ", ".join(f"{count} {what}" for what, count in counts.most_common()) + f"; {found} found")
    sys.exit(1 if found else 0)


main()
