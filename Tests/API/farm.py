"""A farm of its own on this machine for tests of the HTTP API."""
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import threading


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Farm:
    """Runs `spool up` in a temporary directory. `server` and `token` are what clients need."""

    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="spool-api-"))
        # PostgreSQL runs as another user when this one is root.
        self.directory.chmod(0o755)
        self.log = self.directory / "log"

    def __enter__(self):
        self.process = subprocess.Popen(
            [self.program, "up", "--directory", str(self.directory / "farm"), "--port", str(free_port()), "--slots", "2"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        is_up = threading.Event()
        threading.Thread(target=self._keep, args=(is_up,), daemon=True).start()
        if not is_up.wait(120) or self.process.poll() is not None:
            self.process.kill()
            raise SystemExit(f"the farm did not start:\n{self.log.read_text()}")
        lines = (self.directory / "farm/client.env").read_text().splitlines()
        self.environment = dict(line.split("=", 1) for line in lines if "=" in line)
        self.environment = {name: value.strip("'\"") for name, value in self.environment.items()}
        self.server, self.token = self.environment["SPOOL_SERVER"], self.environment["SPOOL_TOKEN"]
        return self

    def _keep(self, is_up):
        """Writes what the farm prints to the log, and says when it is up, or has ended."""
        with self.log.open("w", buffering=1) as log:
            for line in self.process.stdout:
                log.write(line)
                if "farm is up" in line:
                    is_up.set()
        is_up.set()

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        subprocess.run(["rm", "-rf", str(self.directory)], check=True)

    def spool(self, *arguments):
        """Runs a command of `spool` on the farm, and gives what it printed."""
        done = subprocess.run(
            [self.program, *arguments], env={**os.environ, **self.environment}, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"spool {' '.join(arguments)} failed:\n{done.stderr}")
        return done.stdout
