"""The tables of docs/guide/coming-from.md: every code in their last column is a command, or JSON for a place in a draft."""
import json
import re

from pages import GUIDE, Block, PageError

MARK = "<!-- test: the last column is tried -->"
HEADER = "| there | here |"
PLACES = ["draft", "second clip", "image clip", "audio clip", "clip", "layer", "text", "effect"]
# Places of the HTTP API, which Tests/API tries.
NOT_TRIED = re.compile(r"(GET|POST) /v1/\S+")


def entries(page):
    """Blocks for the entries of a page's tables behind the mark: commands, and drafts that Spool has to find valid."""
    lines = (GUIDE / f"{page}.md").read_text().split("\n")
    if MARK not in lines:
        if HEADER in lines:
            raise PageError(f"docs/guide/{page}.md: has tables of entries, and no line '{MARK}' before them")
        return
    for number, line in enumerate(lines, 1):
        if number <= lines.index(MARK) or not line.startswith("| ") or line == HEADER:
            continue
        yield from _entry(page, number, line.strip("|").rsplit(" | ", 1)[1])


def _entry(page, number, cell):
    for code in re.finditer(r"`([^`]+)`", cell):
        block = Block(page, number, "sh", "", code[1])
        if code[1].startswith("spool "):
            yield block
        elif not NOT_TRIED.fullmatch(code[1]):
            before = cell[:code.start()]
            place = next((place for place in PLACES if re.search(rf"(^|\W){place}\b[^`]*: $", before)), None)
            if place is None:
                raise PageError(f"{block.place}: '{code[1]}' is no command, and no place in a draft is named before it")
            block.text = f"spool validate --strict - << 'DRAFT'\n{json.dumps(_draft(place, code[1], block))}\nDRAFT"
            yield block


def _draft(place, text, block):
    """A small draft with these members in one place."""
    try:
        members = json.loads("{" + text + "}")
    except ValueError as error:
        raise PageError(f"{block.place}: '{text}' is not the inside of a JSON object: {error}") from None
    clip = {"type": "av", "url": "media/sea.mp4", "timeRange": {"start": 0, "duration": 1}}
    draft = {"version": 1, "videoSize": {"width": 640, "height": 360}, "mainTrackClips": [clip]}
    layer = {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "text", "text": "Hello"}}
    if place == "draft":
        draft.update(members)
    elif place == "clip":
        clip.update(members)
    elif place == "second clip":
        draft["mainTrackClips"].append({**clip, **members})
    elif place == "image clip":
        draft["mainTrackClips"] = [{"type": "image", "url": "media/card.png", "duration": 1, **members}]
    elif place == "audio clip":
        draft["audioClips"] = [{"url": "media/music.mp4", **members}]
    elif place == "effect":
        draft["effects"] = [members]
    elif place == "text":
        layer["source"].update(members)
        draft["layers"] = [layer]
    else:
        draft["layers"] = [{**layer, **members}]
    return draft
