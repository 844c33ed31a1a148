"""The blocks of the guide's pages, each with its line, its language and what a comment before it says of its test."""
import pathlib
import re
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GUIDE = ROOT / "docs/guide"
# The pages in the order in which a new user reads them.
ORDER = ["getting-started", "tutorial", "cookbook", "running-a-farm", "troubleshooting", "troubleshooting-a-farm",
         "coming-from"]


@dataclass
class Block:
    """A block of commands (`sh`), or a file that the reader saves (`name` is its title)."""
    page: str
    line: int
    language: str
    name: str
    text: str
    exit_code: int = 0
    runs_until: str = ""
    milestone: str = ""
    within: int = 0
    expected: str = None
    expected_line: int = 0

    @property
    def place(self):
        return f"docs/guide/{self.page}.md:{self.line}"


class PageError(Exception):
    """A page has a block that the test cannot run."""


def blocks(page):
    """The blocks of a page in order. A block `text` is what the block of commands before it prints."""
    path = GUIDE / f"{page}.md"
    found, notes, opened = [], {}, None
    lines = path.read_text().split("\n")
    for number, line in enumerate(lines, 1):
        place = f"docs/guide/{page}.md:{number}"
        comment = re.fullmatch(r"<!-- test: (.*) -->", line)
        fence = re.fullmatch(r"\s*```(.*)", line)
        if opened is None and comment and comment[1] != "the last column is tried":
            notes = _notes(comment[1], place)
        elif opened is None and fence:
            info = re.fullmatch(r'(\w+)(?: title="([^"]+)")?', fence[1])
            if not info:
                raise PageError(f"{place}: a block needs a language, as in ```sh, ```json title=\"film.json\" or ```text")
            opened = (number, info[1], info[2] or "")
        elif opened and fence:
            start, language, name = opened
            text = "\n".join(lines[start:number - 1])
            _add(found, Block(page, start, language, name, text, **notes))
            opened, notes = None, {}
    if opened:
        raise PageError(f"docs/guide/{page}.md:{opened[0]}: this block has no end")
    return found


def _notes(text, place):
    """The notes that a comment makes on the block behind it: `exit code 65`, `runs until "TEXT"`, `milestone "TEXT"`,
    and `within 30 s` of commands that are repeated until they print what the page shows."""
    notes = {}
    for part in text.split("; "):
        if match := re.fullmatch(r"exit code (\d+)", part):
            notes["exit_code"] = int(match[1])
        elif match := re.fullmatch(r'runs until "(.*)"', part):
            notes["runs_until"] = match[1]
        elif match := re.fullmatch(r'milestone "(.*)"', part):
            notes["milestone"] = match[1]
        elif match := re.fullmatch(r"within (\d+) s", part):
            notes["within"] = int(match[1])
        else:
            raise PageError(f"{place}: '{part}' says nothing of a test")
    return notes


def _add(found, block):
    if block.language == "text":
        if not found or found[-1].language != "sh" or found[-1].expected is not None:
            raise PageError(f"{block.place}: a block of text has to follow the commands that print it")
        found[-1].expected, found[-1].expected_line = block.text, block.line
    elif block.language == "sh" or block.name:
        found.append(block)
    else:
        raise PageError(f"{block.place}: a block of {block.language} needs a title, which is the name of its file")


def compare(block, printed):
    """Says how the printed text differs from the page, or nothing. In the page, `...` in a line stands for any text, and a
    line that is `...` alone for any lines. Lines of progress, such as `17 %  56/325 frames`, are passed over."""
    progress = re.compile(r"\d+ %  .*|uploaded .*|\S{36}  (submitted|probing|rendering|running) .*")
    lines = [line.rstrip() for line in printed.rstrip("\n").split("\n") if not progress.fullmatch(line)]
    wanted = [line.rstrip() for line in block.expected.split("\n")]
    pattern = []
    for line in wanted:
        if line == "...":
            pattern.append("(?:.*\n)*?")
        else:
            pattern.append(".*?".join(re.escape(part) for part in line.split("...")) + "\n")
    if re.fullmatch("".join(pattern), "\n".join(lines) + "\n"):
        return None
    return (f"docs/guide/{block.page}.md:{block.expected_line}: the page shows\n" + _indent(wanted) +
            "\nand the commands print\n" + _indent(lines))


def _indent(lines):
    return "\n".join("    " + line for line in lines)
