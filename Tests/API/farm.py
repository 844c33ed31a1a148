"""A farm of its own on this machine for tests of the HTTP API."""
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time


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
            stdout=self.log.open("w"), stderr=subprocess.STDOUT)
        deadline = time.monotonic() + 120
        while "farm is up" not in self.log.read_text():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"the farm did not start:\n{self.log.read_text()}")
            time.sleep(0.1)
        lines = (self.directory / "farm/client.env").read_text().splitlines()
        self.environment = dict(line.split("=", 1) for line in lines if "=" in line)
        self.environment = {name: value.strip("'\"") for name, value in self.environment.items()}
        self.server, self.token = self.environment["SPOOL_SERVER"], self.environment["SPOOL_TOKEN"]
        return self

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
