"""The second half of yardstick.py: what an edit of a draft costs, and how fast the commands are that only look at one.

The edits follow each other, as an editor makes them: each is an export of the changed draft to the same file, with the
cache that the exports before it have left.
"""
import copy
import json
import shutil
import statistics

from yardstick_measure import measure


def draft(media, count):
    """A small film of `count` clips of two seconds from one source, every third with a dissolve, and music."""
    clips = []
    for index in range(count):
        start = {"start": 7 * index % 27 + index % 4 / 4, "duration": 2}
        joint = {"transition": {"type": "dissolve", "duration": 0.5}} if index % 3 == 2 else {}
        clips.append({"type": "av", "url": media.bunny, "timeRange": start, **joint})
    return {"version": 1, "videoSize": {"width": 640, "height": 360}, "frameRate": 24, "mainTrackClips": clips,
            "audioClips": [{"url": media.music, "volume": 0.4, "loop": True}]}


def trim(draft):
    draft["mainTrackClips"][15]["timeRange"]["duration"] = 1.5


def insert(draft):
    draft["mainTrackClips"].insert(0, copy.deepcopy(draft["mainTrackClips"][9]))


def add_title(draft):
    draft["layers"] = [{"timeRange": {"start": 10, "duration": 4},
                        "source": {"type": "text", "text": "A title", "font": "DejaVu Sans 48"}}]


def insert_before_title(draft):
    """The title keeps its time on the film, so that it comes to lie over other clips."""
    draft["mainTrackClips"].insert(0, copy.deepcopy(draft["mainTrackClips"][20]))


def retitle(draft):
    draft["layers"][0]["source"]["text"] = "Another title"


def music(draft):
    draft["audioClips"][0]["volume"] = 0.3


EDITS = {"nothing changed": lambda draft: None, "a clip trimmed": trim, "a clip inserted at the front": insert,
         "a title added": add_title, "a title changed": retitle, "a clip inserted before it": insert_before_title,
         "the music's volume changed": music}


def edit_loop(spool, media, folder, settings):
    """One run: the full export and each edit."""
    cache, file = folder / "edit-cache", folder / "draft.json"
    shutil.rmtree(cache, ignore_errors=True)
    film = folder / "edit.mp4"
    edited, result = draft(media, 30), {}
    for name, edit in {"full export": lambda draft: None, **EDITS}.items():
        edit(edited)
        file.write_text(json.dumps(edited))
        result[name] = measure([spool, "export", file, "-o", film, "--cache", cache, *settings], film)
    result["start"] = measure([spool, "--version"])
    return result


FRAME_TIMES = [0.5 + 59.85 * index for index in range(11)]


def frames_of_long_draft(spool, media, folder, runs):
    """How long `spool frame` takes in a film of ten minutes, once the facts of the source are known: for each of its
    times, all runs. The clips begin at 28 places of a source at 1080p with a keyframe every 2 s."""
    file, cache = folder / "long.json", folder / "long-cache"
    long = {**draft(media, 330), "videoSize": {"width": 1920, "height": 1080}}
    file.write_text(json.dumps(long))
    command = [spool, "frame", file, "-o", folder / "frame.png", "--no-cache", "--cache", cache, "--time"]
    measure([*command, 0])
    return [[measure([*command, time]) for _ in range(runs)] for time in FRAME_TIMES]


def large_draft(spool, media, folder, runs):
    """How long `spool validate` and `spool plan` take for 1000 clips, once the facts of the sources are known."""
    file, cache = folder / "large.json", folder / "large-cache"
    large = draft(media, 1000)
    add_title(large)
    file.write_text(json.dumps(large))
    measure([spool, "plan", file, "--cache", cache])
    return {name: [measure([spool, name, file, "--cache", cache]) for _ in range(runs)]
            for name in ("validate", "plan")}


def measure_edits(spool, media, folder, runs, settings):
    """Measures all of it, prints it, and gives it as what stands in the JSON file."""
    loops = [edit_loop(spool, media, folder, settings) for _ in range(runs)]
    large = large_draft(spool, media, folder, runs)
    frames = frames_of_long_draft(spool, media, folder, runs)

    def median(name, part="wall"):
        return statistics.median(loop[name][part] for loop in loops)

    shares = {}
    print(f"\nedits of a draft of 30 clips, whose full export takes {median('full export'):.2f} s")
    for name in EDITS:
        shares[name] = {part: statistics.median(loop[name][part] / loop["full export"][part] for loop in loops)
                        for part in ("wall", "cpu")}
        print(f"  {name:<29} {median(name):6.2f} s  {100 * shares[name]['wall']:5.1f} % of its wall time "
              f"{100 * shares[name]['cpu']:5.1f} % of its processor time")
    start = median("start")
    times = [statistics.median(run["wall"] for run in measured) - start for measured in frames]
    frame = statistics.median(times)
    print(f"commands, without the {1000 * start:.0f} ms in which `spool --version` starts and ends\n"
          f"  a frame of ten minutes        {1000 * frame:6.0f} ms at the median of {len(times)} times, "
          f"{1000 * min(times):.0f}...{1000 * max(times):.0f} ms")
    seconds = {"start": start, "frame": frame, "slowestFrame": max(times)}
    for name, measured in large.items():
        seconds[name] = statistics.median(run["wall"] for run in measured) - start
        print(f"  {name + ' of 1000 clips':<29} {1000 * seconds[name]:6.0f} ms")
    return {"loops": loops, "largeDraft": large, "longDraft": frames, "shares": shares, "seconds": seconds}
