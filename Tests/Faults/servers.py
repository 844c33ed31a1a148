"""The servers that a farm needs, PostgreSQL and Redis, under the control of the tests."""
import os
import pathlib
import pwd
import signal
import socket
import subprocess
import time

POSTGRES = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), default=pathlib.Path("/usr/bin"))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def descendants(pid):
    """The processes that descend from a process, and the process itself, by their ids."""
    found, parents = [pid], {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = pathlib.Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
            parents.setdefault(int(fields[1]), []).append(int(entry))
    for parent in found:
        found += parents.get(parent, [])
    return found


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


class Server:
    """A server process that is started again with the same command."""

    def __init__(self, command, log, user=None):
        self.command, self.log, self.user = [str(word) for word in command], log, user
        self.process = None

    def start(self):
        options = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **options)

    def end(self, number=signal.SIGKILL, timeout=60):
        """Ends the server with a signal, and continues it before where it is stopped."""
        if self.process is None:
            return
        self.resume()
        self.process.send_signal(number)
        self.process.wait(timeout)

    def pause(self):
        """Stops the server with all its processes."""
        send(descendants(self.process.pid), signal.SIGSTOP)

    def resume(self):
        send(descendants(self.process.pid), signal.SIGCONT)


class Postgres(Server):
    """A PostgreSQL server with the database `spool`, whose data lie in a directory that a file system of their own may be."""

    def __init__(self, directory, log):
        self.directory, self.port = directory / "data", free_port()
        # PostgreSQL does not run as root.
        user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        if user:
            os.chown(directory, user.pw_uid, user.pw_gid)
        name = user.pw_name if user else pwd.getpwuid(os.geteuid()).pw_name
        super().__init__(
            [POSTGRES / "postgres", "-D", self.directory, "-p", self.port, "-k", "/tmp", "-c", "listen_addresses=127.0.0.1",
             "-c", "max_connections=200", "-c", "shared_buffers=64MB", "-c", "max_wal_size=128MB"], log, user)
        self.address = f"postgresql://{name}@127.0.0.1:{self.port}/spool"
        prepare = ["setpriv", f"--reuid={name}", f"--regid={name}", "--clear-groups"] if user else []
        subprocess.run(
            [*prepare, POSTGRES / "initdb", "-D", self.directory, "-A", "trust", "-E", "UTF8", "--no-sync"],
            check=True, stdout=subprocess.DEVNULL)
        self.start()
        self.run("CREATE DATABASE spool", self.address.replace("/spool", "/postgres"))

    def run(self, statement, address=None, attempts=100):
        """Runs a statement, and gives its rows as lists of texts. Tries again while the server cannot be reached."""
        for _ in range(attempts):
            try:
                done = subprocess.run(
                    ["psql", "-qtAX", "-v", "ON_ERROR_STOP=1", "-F", "\x1f", "-c", statement, address or self.address],
                    capture_output=True, text=True, timeout=20)
            except subprocess.TimeoutExpired:
                continue
            if done.returncode == 0:
                return [line.split("\x1f") for line in done.stdout.splitlines() if line]
            if done.returncode != 2 and "starting up" not in done.stderr and "shutting down" not in done.stderr:
                raise RuntimeError(f"{statement}: {done.stderr}")
            time.sleep(0.2)
        raise RuntimeError(f"PostgreSQL does not answer: {done.stderr}")

    def value(self, statement):
        rows = self.run(statement)
        return rows[0][0] if rows else None


class Redis(Server):
    """A Redis server that keeps nothing on the disk."""

    def __init__(self, directory, log):
        self.port = free_port()
        super().__init__(
            ["redis-server", "--port", self.port, "--bind", "127.0.0.1", "--dir", directory, "--save", "", "--appendonly", "no"],
            log)
        self.start()
        self.wait()

    def wait(self):
        for _ in range(200):
            try:
                return self.run("PING")
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("Redis does not start")

    def run(self, *words):
        """Runs a command on a connection of its own, and gives its reply: bytes, numbers, None and lists of them."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
            connection.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words))
            return self._reply(connection.makefile("rb"))

    def _reply(self, stream):
        line = stream.readline()
        if not line.endswith(b"\r\n"):
            raise OSError("Redis closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"-":
            raise RuntimeError(rest.decode())
        if kind == b"+":
            return rest
        if kind == b":":
            return int(rest)
        if kind == b"$":
            return None if rest == b"-1" else stream.read(int(rest) + 2)[:-2]
        return None if rest == b"-1" else [self._reply(stream) for _ in range(int(rest))]
