"""Cuts the power at random moments, and checks that nothing is gone or wrong that was acknowledged.

    Tests/PowerLoss/run --seed 7 --cuts 60

cuts the power in turn of a farm's store, of a recorder and of a laptop that exports with a cache, and prints what was
acknowledged before and what is there after. It ends with 1 where a promise was broken. Only root can mount file systems.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Faults"))

from disk import KINDS, Disk  # noqa: E402
from farm import Farm  # noqa: E402
from films import Films, digest  # noqa: E402

RAW = "320x180@30:yuv420p"


class Outcome:
    """What was acknowledged and what is there, by the kind of thing."""

    def __init__(self):
        self.counts, self.complaints = collections.Counter(), []

    def note(self, what, is_there, detail):
        self.counts[what] += 1
        if not is_there:
            self.complaints.append(f"{what}: {detail}")
            print(f"BROKEN {what}: {detail}", flush=True)


class PoweredFarm(Farm):
    """A farm whose store lies on a disk that loses its power together with the coordinators and workers."""

    def __init__(self, program, directory, kind):
        self.kind, self.disk = kind, None
        super().__init__(program, directory, workers=2)

    def _mount(self, name, megabytes):
        if name != "store":
            return super()._mount(name, megabytes)
        self.disk = Disk(self.directory / "store.image", self.directory / "store", self.kind)

    def lose_power(self):
        for member in self.members:
            member.is_wanted = False
            member._expected = True
        self.disk.cut([member.pid for member in self.members if member.is_alive])
        for member in self.members:
            member.process.wait()
            member.is_wanted = True


class Client(threading.Thread):
    """Uploads assets of random bytes and submits drafts, and notes what it was told is there."""

    def __init__(self, farm, films, rng):
        super().__init__(daemon=True)
        self.farm, self.films, self.rng = farm, films, rng
        self.assets, self.exports, self.ends = {}, {}, threading.Event()

    def run(self):
        drafts = list(self.films.films)
        while not self.ends.is_set():
            # Sizes of less than a page, of many pages, and between.
            content = self.rng.randbytes(self.rng.choice([100, 5000, 300_000, 3_000_000]))
            sha256 = hashlib.sha256(content).hexdigest()
            status, _ = self.farm.request("PUT", f"/v1/assets/{sha256}", content, patience=0.01)
            if status in (200, 201):
                self.assets[sha256] = len(content)
            if drafts and self.rng.random() < 0.3:
                film = drafts.pop()
                body = json.dumps({"document": film.draft, "settings": {"encoderSpeed": "ultrafast"}}).encode()
                status, answer = self.farm.request(
                    "POST", "/v1/exports", body, headers={"Content-Type": "application/json"}, patience=0.01)
                if status in (200, 201):
                    self.exports[json.loads(answer)["id"]] = film


def upload_sources(farm, films):
    for sha256, file in films.assets.values():
        status, answer = farm.request("PUT", f"/v1/assets/{sha256}", file.read_bytes())
        if status not in (200, 201):
            raise RuntimeError(f"an upload was answered with {status} {answer!r}")


def cut_farm(program, directory, kind, rng, outcome, cuts):
    """Cuts the power of one farm several times."""
    films = Films(program, directory, rng, 8 * cuts)
    farm = PoweredFarm(program, directory, kind)
    exports, assets = {}, {}
    try:
        upload_sources(farm, films)
        assets |= {sha256: file.stat().st_size for sha256, file in films.assets.values()}
        rest = list(films.films)
        for _ in range(cuts):
            films.films, rest = rest[:8], rest[8:]
            client = Client(farm, films, random.Random(rng.random()))
            client.start()
            time.sleep(rng.uniform(0.3, 5))
            farm.lose_power()
            client.ends.set()
            client.join()
            completed = {row[0] for row in farm.postgres.run("SELECT id FROM exports WHERE state = 'completed'")}
            exports |= client.exports
            assets |= client.assets
            farm.wait_until_up()
            for id in completed & set(exports):
                status, film = farm.request("GET", f"/v1/exports/{id}/film")
                is_right = status == 200 and hashlib.sha256(film).hexdigest() == exports[id].sha256
                outcome.note("films that were completed before a cut", is_right, f"{id} on {kind} is answered with {status}")
            for sha256 in client.assets:
                status, content = farm.request("GET", f"/v1/assets/{sha256}")
                is_right = status == 200 and hashlib.sha256(content).hexdigest() == sha256
                outcome.note("assets that were accepted before a cut", is_right, f"{sha256} on {kind} is answered with {status}")
        finish_exports(farm, exports, kind, outcome)
        audit_files(farm, kind, outcome)
    finally:
        for stray in farm.close():
            outcome.complaints.append(f"a process is left over: {stray}")


def finish_exports(farm, exports, kind, outcome):
    """Every export that was accepted has its film in the end."""
    for id, film in exports.items():
        end = time.monotonic() + 120
        state = "open"
        while time.monotonic() < end:
            state = farm.postgres.value(f"SELECT state FROM exports WHERE id = '{id}'")
            if state in ("completed", "failed", "cancelled"):
                break
            time.sleep(0.1)
        status, content = farm.request("GET", f"/v1/exports/{id}/film")
        is_right = state == "completed" and status == 200 and hashlib.sha256(content).hexdigest() == film.sha256
        outcome.note("exports that were accepted", is_right, f"{id} on {kind} is {state}, its film is answered with {status}")


def audit_files(farm, kind, outcome):
    farm.spool("gc", "--database-url", farm.postgres.address, "--store", str(farm.store))
    output = farm.spool(
        "audit", "files", "--all", "--json", "--database-url", farm.postgres.address, "--store", str(farm.store), check=False)
    faults = json.loads(output)["faults"]
    outcome.note("audits of the store", not faults, f"on {kind}: {faults[:3]}")


def cut_recorder(program, directory, kind, rng, outcome):
    """Records clips, and cuts the power while the last one comes in."""
    disk = Disk(directory / "recorder.image", directory / "recorder", kind)
    try:
        recording = directory / "recorder" / "recording"
        run = lambda *words: subprocess.run([program, "record", *words], capture_output=True, text=True, check=True)  # noqa: E731
        run("new", str(recording), "--set", 'videoSize={"width": 320, "height": 180}', "--set", "frameRate=30",
            "--set", "encoderSpeed=ultrafast")
        acknowledged = {}
        for number in range(1, rng.randint(2, 4)):
            frames = rng.randint(5, 40)
            subprocess.run(
                [program, "record", "append", str(recording), "-", "--raw-video", RAW], input=pictures(frames), check=True,
                capture_output=True)
            acknowledged[number] = frames
        last = subprocess.Popen(
            [program, "record", "append", str(recording), "-", "--raw-video", RAW], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + rng.uniform(0, 1.5)
        feed = threading.Thread(target=feed_pictures, args=(last, end), daemon=True)
        feed.start()
        time.sleep(max(0, end - time.monotonic()))
        disk.cut([last.pid])
        last.wait()
        feed.join()
        done = subprocess.run([program, "record", "status", str(recording), "--json"], capture_output=True, text=True)
        clips = {clip["number"]: clip["frameCount"] for clip in json.loads(done.stdout)["clips"]} if done.returncode == 0 else {}
        for number, frames in acknowledged.items():
            outcome.note(
                "recorded clips that were ended before a cut", clips.get(number) == frames,
                f"clip {number} on {kind} has {clips.get(number)} of {frames} pictures {done.stderr}")
        finished = subprocess.run(
            [program, "record", "finish", str(recording), "--film", str(directory / "recorded.mp4")], capture_output=True,
            text=True)
        outcome.note("recordings that were finished after a cut", finished.returncode == 0, f"on {kind}: {finished.stderr}")
    finally:
        disk.unmount()


def pictures(count):
    return b"".join(bytes([(16 + 5 * number) % 220]) * (320 * 180 * 3 // 2) for number in range(count))


def feed_pictures(recorder, end):
    try:
        while time.monotonic() < end + 0.5:
            recorder.stdin.write(pictures(1))
            recorder.stdin.flush()
            time.sleep(1 / 30)
        recorder.stdin.close()
    except OSError:
        pass  # the recorder is gone, as intended


def cut_laptop(program, directory, kind, rng, outcome, film):
    """Exports a film with its cache and its output on the disk, and cuts the power before or after the end."""
    disk = Disk(directory / "laptop.image", directory / "laptop", kind)
    draft, output = film
    try:
        (directory / "laptop" / "films").mkdir()
        os.sync()
        words = [program, "export", str(draft), "--cache", str(directory / "laptop" / "cache"), "--set", "encoderSpeed=ultrafast",
                 "-o", str(directory / "laptop" / "films" / "film.mp4")]
        export = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + rng.choice([rng.uniform(0, 2), 60])
        while time.monotonic() < deadline and export.poll() is None:
            time.sleep(0.005)
        is_acknowledged = export.poll() == 0
        disk.cut([export.pid] if export.poll() is None else [])
        export.wait()
        path = directory / "laptop" / "films" / "film.mp4"
        if is_acknowledged:
            is_right = path.exists() and digest(path) == output
            outcome.note("local exports that were ended before a cut", is_right, f"on {kind}: the film is gone or wrong")
        elif path.exists():
            outcome.note("films that were named before a cut", digest(path) == output, f"on {kind}: the film is wrong")
        again = subprocess.run(words, capture_output=True, text=True)
        is_right = again.returncode == 0 and digest(path) == output
        outcome.note("local exports after a cut", is_right, f"on {kind}: {again.stderr}")
    finally:
        disk.unmount()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--cuts", type=int, default=60, help="how often the power is cut in all")
    parser.add_argument("--only", choices=["farm", "recorder", "laptop"], default=None)
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("not run: only root can mount file systems")
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(2 ** 32)
    print(f"seed {seed}", flush=True)
    rng, outcome = random.Random(seed), Outcome()
    kinds = [kind for kind, (words, _) in KINDS.items() if shutil.which(words[0])]
    directory = pathlib.Path(tempfile.mkdtemp(prefix="spool-power-"))
    directory.chmod(0o755)
    program = str(pathlib.Path(options.program).resolve())
    parts = [options.only] if options.only else ["farm", "recorder", "laptop"]
    cuts = max(1, options.cuts // len(parts) // len(kinds))
    try:
        for number, kind in enumerate(kinds):
            place = directory / str(number)
            place.mkdir()
            if "farm" in parts:
                (place / "farm").mkdir()
                cut_farm(program, place / "farm", kind, rng, outcome, cuts)
            if "recorder" in parts:
                for _ in range(cuts):
                    cut_recorder(program, place, kind, rng, outcome)
            if "laptop" in parts:
                (place / "films").mkdir()
                films = Films(program, place / "films", rng, 3)
                for _ in range(cuts):
                    film = rng.randrange(3)
                    cut_laptop(program, place, kind, rng, outcome,
                               (place / "films" / "films" / f"draft{film}.json", films.films[film].sha256))
            print(f"{kind}: {cuts} cuts of each of {', '.join(parts)}", flush=True)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    for what, count in outcome.counts.items():
        broken = sum(complaint.startswith(what + ":") for complaint in outcome.complaints)
        print(f"{what}: {count}, gone or wrong: {broken}")
    print(f"seed {seed}: {'no promise broken' if not outcome.complaints else f'{len(outcome.complaints)} broken'}")
    sys.exit(1 if outcome.complaints else 0)


main()
