"""Random drafts, and what the film of each must be: the bytes of a local export."""
import copy
import hashlib
import json
import subprocess

TRANSITIONS = ["dissolve", "slideLeft", "wipeUp", "fade"]


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Film:
    """A draft, the files that it names, and the sha256 of its film."""

    def __init__(self, draft, sha256):
        self.draft, self.sha256 = draft, sha256


class Films:
    """Random drafts of the sample media, which a seed decides."""

    def __init__(self, program, directory, random, count):
        self.media, self.directory = directory / "media", directory / "films"
        self.directory.mkdir()
        subprocess.run([program, "sample-media", str(self.media)], check=True, stdout=subprocess.DEVNULL)
        self.assets = {file.name: (digest(file), file) for file in sorted(self.media.iterdir())}
        self.films = []
        for number in range(count):
            draft = self._draft(random)
            file, film = self.directory / f"draft{number}.json", self.directory / f"film{number}.mp4"
            local = copy.deepcopy(draft)
            self._name(local, lambda name: str(self.media / name))
            file.write_text(json.dumps(local))
            subprocess.run(
                [program, "export", str(file), "-o", str(film), "--cache", str(self.directory / "cache"),
                 "--set", "encoderSpeed=ultrafast"], check=True, capture_output=True)
            self._name(draft, lambda name: "asset:" + self.assets[name][0])
            self.films.append(Film(draft, digest(film)))
            film.unlink()

    def _draft(self, random):
        """Three to six clips with transitions, a text, and music below them, at a size that is rendered fast."""
        clips = []
        for _ in range(random.randint(3, 6)):
            name, length = random.choice([("sea.mp4", 8), ("meadow.mp4", 6), ("tower.mp4", 6), ("card.png", 0)])
            duration = round(random.uniform(1.2, 2.5), 2)
            if length:
                clip = {"type": "av", "url": name,
                        "timeRange": {"start": round(random.uniform(0, length - duration), 2), "duration": duration}}
            else:
                clip = {"type": "image", "url": name, "duration": duration}
            if clips and random.random() < 0.7:
                clip["transition"] = {"type": random.choice(TRANSITIONS), "duration": 0.4}
            clips.append(clip)
        draft = {
            "version": 1, "videoSize": {"width": 160, "height": 90}, "frameRate": 30, "mainTrackClips": clips,
            "layers": [{"timeRange": {"start": 0.2, "duration": 2},
                        "source": {"type": "text", "text": f"film {random.randint(1, 10 ** 6)}", "font": "Sans Bold 14"}}],
        }
        if random.random() < 0.7:
            draft["audioClips"] = [{"url": "music.mp4", "volume": 0.4, "loop": True}]
        return draft

    def _name(self, draft, name):
        for clip in draft["mainTrackClips"] + draft.get("audioClips", []):
            clip["url"] = name(clip["url"])
