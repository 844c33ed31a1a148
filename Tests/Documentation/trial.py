"""A scratch directory in which the blocks of one page run, as in one terminal, and the processes that they leave running."""
import ctypes
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

BLOCK_SECONDS = 240
START_SECONDS = 90
# The variables that a shell sets itself. All others are those of the next block, too.
NOT_KEPT = "^declare -[A-Za-z-]*r|^declare -[A-Za-z-]+ (BASH|FUNCNAME|GROUPS|DIRSTACK|PIPESTATUS|EPOCH|RANDOM|SRANDOM|_=)"


LIBC = ctypes.CDLL(None)
SET_DEATH_SIGNAL = 1  # of prctl
INTERRUPTIONS = [signal.SIGTERM, signal.SIGHUP, signal.SIGINT]


class BlockFailed(Exception):
    """A block did not do what its page says. The text names file and line."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


class Trial:
    """Everything is below the scratch directory: sources, films, the cache, and the data of a farm. Leaving it ends the
    farm and removes the directory, also after an error."""

    def __init__(self, program):
        self.program = pathlib.Path(program)

    def __enter__(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="spool-guide-"))
        # PostgreSQL runs as another user when this one is root.
        self.scratch.chmod(0o755)
        self.work = self.scratch / "work"
        self.work.mkdir()
        # The commands of the pages call `spool`, whatever the program's file is named.
        (self.scratch / "bin").mkdir()
        for program in [self.program, *self.program.parent.glob("spool-*")]:
            name = "spool" if program == self.program else program.name
            (self.scratch / "bin" / name).symlink_to(program)
        self.port = free_port()
        self.running = []
        self.state = self.scratch / "state"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SPOOL")}
        environment.update({
            "PATH": f"{self.scratch / 'bin'}:{environment['PATH']}", "LC_ALL": "C.UTF-8",
            "XDG_CACHE_HOME": str(self.scratch / "cache"), "XDG_STATE_HOME": str(self.scratch / "state-home"),
        })
        self.environment = environment
        return self

    def __exit__(self, *_):
        # A second Ctrl-C must not leave a farm behind.
        before = {number: signal.signal(number, signal.SIG_IGN) for number in INTERRUPTIONS}
        for process in self.running:
            stop(process)
        shutil.rmtree(self.scratch, ignore_errors=True)
        for number, handler in before.items():
            signal.signal(number, handler)

    def save(self, block):
        path = self.work / block.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text + "\n")

    def run(self, block):
        """Runs commands with the folder and the variables that the blocks before have left, and gives what they print."""
        text = block.text.replace("7788", self.port)
        if block.runs_until:
            return self._start(block, text)
        # Variables and folder stay for the next block, also behind a command that failed, as in a terminal.
        keep = f'declare -p | grep -vE "{NOT_KEPT}"; printf "cd %q\\n" "$PWD"'
        script = f"trap '{{ {keep}; }} > {self.state}' EXIT\nset -eo pipefail\n"
        script += f"[ ! -e {self.state} ] || . {self.state}\n{text}\n"
        process = self._begin(script, subprocess.PIPE)
        try:
            printed, _ = process.communicate(timeout=BLOCK_SECONDS)
        except subprocess.TimeoutExpired:
            raise BlockFailed(f"{block.place}: has run for {BLOCK_SECONDS} s and was ended") from None
        finally:
            kill_session(process)
        if process.returncode != block.exit_code:
            raise BlockFailed(f"{block.place}: has ended with {process.returncode} and not with {block.exit_code}:\n{printed}")
        return self.as_on_the_page(printed)

    def as_on_the_page(self, printed):
        return printed.replace(self.port, "7788").replace(str(self.work), "/home/you/films").replace(
            str(self.scratch), "/home/you")

    def _begin(self, script, output):
        """Starts a shell in a session of its own. It gets SIGTERM also when this process is killed by SIGKILL."""
        return subprocess.Popen(["bash", "-c", script], cwd=self.work, env=self.environment, start_new_session=True,
                                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, text=True,
                                preexec_fn=lambda: LIBC.prctl(SET_DEATH_SIGNAL, signal.SIGTERM))

    def _start(self, block, text):
        log = self.scratch / f"log-{block.line}"
        with log.open("w") as output:
            process = self._begin(f"exec {text}", output)
        self.running.append(process)
        until = time.monotonic() + START_SECONDS
        while block.runs_until not in log.read_text():
            if process.poll() is not None:
                raise BlockFailed(f"{block.place}: has ended with {process.returncode}:\n{log.read_text()}")
            if time.monotonic() > until:
                raise BlockFailed(f"{block.place}: has not printed '{block.runs_until}':\n{log.read_text()}")
            time.sleep(0.05)
        time.sleep(0.2)
        return self.as_on_the_page(log.read_text())


def stop(process):
    """Ends a process that keeps running, by SIGTERM first, so that a farm ends its servers."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(40)
        except subprocess.TimeoutExpired:
            pass
    kill_session(process)


def kill_session(process):
    """Kills what is left of the session that a block has begun."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
