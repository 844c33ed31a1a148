"""The commands of docs/deployment.md: its blocks, each with the machines that the comment before it names."""
import re

from machines import ROOT

PAGE = ROOT / "docs/deployment.md"


def blocks():
    """Triples of the line of a block, the machines that run it, and its commands. `None` stands for a block that only its
    reader runs."""
    lines = PAGE.read_text().split("\n")
    places, found, start = None, [], None
    for number, line in enumerate(lines, 1):
        comment = re.fullmatch(r"<!-- (?:run on: (.*)|not run) -->", line)
        if comment:
            places = ["the source"] if comment[1] == "the source" else (comment[1] or "").split()
        elif line.strip() == "```" and start is None:
            if places is None:
                raise SystemExit(f"{PAGE.name}:{number}: no comment says where this block is run")
            start = number
        elif line.strip() == "```":
            found.append((start, places or None, "\n".join(lines[start:number - 1])))
            start, places = None, None
    return found
