"""Runs a command of yardstick.py and measures it with all its processes."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

SAMPLE_INTERVAL = 0.2  # seconds between two samples of the memory


def measure(command, file=None):
    """Runs a command to its end. Gives the seconds of wall time (`wall`) and of processor time (`cpu`), the most bytes
    of memory (`memory`), and those of the file that it wrote (`bytes`). A command that fails ends the script, which
    prints what the command printed."""
    command = [str(word) for word in command]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}  # melt's texts need no display
    with tempfile.TemporaryFile() as log:
        start = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        ended, most = threading.Event(), [0]

        def sample():
            while not ended.wait(SAMPLE_INTERVAL):
                most[0] = memory(process.pid, most[0])

        sampler = threading.Thread(target=sample)
        sampler.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        ended.set()
        sampler.join()
        if process.returncode != 0 or file and not file.exists():  # melt may fail and end with 0
            log.seek(0)
            sys.exit(f"{' '.join(command)}\n{log.read().decode(errors='replace')}\n"
                     f"yardstick: the command above failed, exit code {process.returncode}")
    return {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "memory": most[0],
            "bytes": file.stat().st_size if file else 0}


def memory(root, least):
    """The proportional set size (PSS) of a process tree in bytes, but not less than `least`. The kernel takes long to
    add it up for a large process, so it is read only where the resident size, which is never smaller, is above `least`.
    """
    processes = tree(root)
    page = os.sysconf("SC_PAGE_SIZE")
    resident = sum(int(text.split()[1]) * page for text in contents(processes, "statm"))
    if resident <= least:
        return least
    sizes = [re.search(r"^Pss: +(\d+) kB", text, re.MULTILINE) for text in contents(processes, "smaps_rollup")]
    return max(least, sum(int(size[1]) * 1024 for size in sizes if size))


def tree(root):
    """A process and all processes below it."""
    children = {}
    for text in contents([entry.name for entry in os.scandir("/proc") if entry.name.isdigit()], "stat"):
        process, _, rest = text.partition(" ")
        parent = rest.rpartition(")")[2].split()[1]
        children.setdefault(int(parent), []).append(int(process))
    found = [root]
    for process in found:
        found += children.get(process, [])
    return found


def contents(processes, name):
    """Gives the text of a file of each process in /proc. A process that has ended meanwhile is left out."""
    for process in processes:
        try:
            text = pathlib.Path(f"/proc/{process}/{name}").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if text:
            yield text
