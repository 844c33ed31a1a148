"""A farm of processes that are killed, stopped and started again by the tests."""
import ctypes
import json
import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request

from proxy import Proxy
from servers import Postgres, Redis, descendants, free_port, send

PR_SET_CHILD_SUBREAPER = 36


class Member:
    """A coordinator or worker. While it is wanted, it is started again a second after it has ended, as systemd does it."""

    def __init__(self, name, command, environment, log, redis, postgres=None):
        self.name, self.command, self.environment, self.log = name, command, environment, log
        # The proxies to its servers; a worker knows no PostgreSQL.
        self.redis, self.postgres = redis, postgres
        self.process, self.is_wanted, self.ended_at = None, True, None
        # Is set whenever the process has been started.
        self.started = threading.Event()
        # Settings for the next start only.
        self.once = {}
        # Exit codes that nobody asked for.
        self.faults = []
        self._expected = False

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, env={**os.environ, **self.environment, **self.once}, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, start_new_session=True)
        self.once, self.ended_at, self._expected = {}, None, False
        self.started.set()

    @property
    def pid(self):
        return self.process.pid

    @property
    def is_alive(self):
        return self.process.poll() is None

    def signal(self, number):
        """Sends a signal. SIGKILL and SIGTERM make the end of the process an expected one."""
        self._expected |= number in (signal.SIGKILL, signal.SIGTERM)
        send([self.pid], number)

    def wait_for_log(self, text, begin):
        """Waits until the process has logged a text after a position of its log, or has ended, for at most five seconds."""
        end = time.monotonic() + 5
        while self.is_alive and text not in self.log.read_bytes()[begin:] and time.monotonic() < end:
            time.sleep(0.02)

    def renderers(self):
        """The rendering processes, by their ids, without the processes outside their namespaces that wait for them."""
        found = [pid for pid in descendants(self.pid)[1:] if "spool-render" in command_line(pid)]
        waiting = {parent(pid) for pid in found}
        return [pid for pid in found if pid not in waiting]

    def watch(self):
        """Starts the process again where it has ended. It is called several times in a second."""
        if self.process is None or self.is_alive:
            return
        if self.ended_at is None:
            self.ended_at = time.monotonic()
            # Without its database or queue a process ends as unavailable (69) or to be tried again (75).
            if not self._expected and self.process.returncode not in (69, 75):
                self.faults.append(f"{self.name} ended with status {self.process.returncode}")
        if self.is_wanted and time.monotonic() - self.ended_at > 1:
            self.start()


def reap_renderers():
    """Ends the zombies of rendering processes whose workers have been killed, which are children of this process now."""
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and "(spool-render) Z" in (fields := pathlib.Path(f"/proc/{entry}/stat").read_text()):
                if int(fields.rpartition(")")[2].split()[1]) == os.getpid():
                    os.waitpid(int(entry), os.WNOHANG)
        except OSError:
            pass  # it has ended meanwhile


def command_line(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


class Farm:
    """Two coordinators and some workers with PostgreSQL, Redis and a directory as the store.

    Where root runs the tests, the data of PostgreSQL and the store lie on small file systems of their own, which can be
    full and read-only.
    """

    def __init__(self, program, directory, workers=4, earlier_program=None):
        """With an earlier program the farm begins with that, until `upgrade` is called."""
        self.program, self.directory = str(pathlib.Path(program).resolve()), directory
        self.earlier_program = earlier_program and str(pathlib.Path(earlier_program).resolve())
        self.is_upgraded = earlier_program is None
        # Whether one fault alone is injected.
        self.is_whole = True
        # Times in seconds that the faults measured, by what they are.
        self.measures = {}
        # What `spool audit` has found.
        self.known_faults = []
        # Names of files whose bytes a fault has changed.
        self.damaged = set()
        # The ids of tenants that are done and whose files have been removed, so that the store does not become full by itself.
        self.removed_tenants = set()
        # The load, once there is one, says which exports are open, and gives a tenant whose sources may be damaged.
        self.open_exports, self.spoil_tenant = lambda: [], lambda: None
        # Processes whose parents are killed become children of this one, so that none is missed.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.store, self.log = directory / "store", directory / "log"
        for name in ("store", "log", "postgres"):
            (directory / name).mkdir()
        self.can_mount = os.geteuid() == 0
        if self.can_mount:
            self._mount("store", 4096)
            self._mount("postgres", 1536)
        self.store.chmod(0o755)
        self.postgres = Postgres(directory / "postgres", self.log / "postgres")
        self.redis = Redis(directory, self.log / "redis")
        self._migrate(self.first_program)
        self.token = self.spool(
            "token", "create", "default", "faults", "--database-url", self.postgres.address,
            program=self.first_program).split()[-1]
        ports = [free_port(), free_port()]
        self.servers = [f"http://127.0.0.1:{port}" for port in ports]
        self.coordinators = [self._coordinator(number, port) for number, port in enumerate(ports)]
        self.workers = [self._worker(number) for number in range(workers)]
        self._ends = threading.Event()
        for member in self.members:
            member.start()
        self._watch = threading.Thread(target=self._restart, daemon=True)
        self._watch.start()
        self.wait_until_up()

    def _coordinator(self, number, port):
        postgres, redis = Proxy(self.postgres.port), Proxy(self.redis.port)
        environment = {
            "SPOOL_DATABASE_URL": self.postgres.address.replace(str(self.postgres.port), str(postgres.port)),
            "SPOOL_REDIS_URL": f"redis://127.0.0.1:{redis.port}", "SPOOL_STORE": str(self.store),
            "SPOOL_REQUESTS_PER_TOKEN": "2000", "SPOOL_REQUESTS_PER_ADDRESS": "2000",
        }
        name = f"coordinator{number}"
        command = [self.first_program, "coordinator", "--port", str(port)]
        return Member(name, command, environment, self.log / name, redis, postgres)

    def _worker(self, number):
        redis = Proxy(self.redis.port)
        environment = {"SPOOL_REDIS_URL": f"redis://127.0.0.1:{redis.port}", "SPOOL_STORE": str(self.store)}
        name = f"worker{number}"
        command = [self.first_program, "worker", "--name", name, "--slots", "1", "--grace", "5"]
        return Member(name, command, environment, self.log / name, redis)

    def _mount(self, name, megabytes):
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", str(self.directory / name)], check=True)

    @property
    def first_program(self):
        """The program that the farm begins with."""
        return self.earlier_program or self.program

    def _migrate(self, program):
        self.spool("migrate", "--database-url", self.postgres.address, program=program)

    def restart(self, member, seconds=60):
        """Tells a process to end, and waits until it works again."""
        member.started.clear()
        member.signal(signal.SIGTERM)
        member.started.wait(seconds)
        if member in self.coordinators:
            self.request("GET", "/readyz", server=self.servers[self.coordinators.index(member)])

    def upgrade(self):
        """Takes the farm from the earlier version to the other one while it works."""
        for worker in self.workers:
            worker.command[0] = self.program
            self.restart(worker)
        self._migrate(self.program)
        self.is_upgraded = True
        for coordinator in self.coordinators:
            coordinator.command[0] = self.program
            self.restart(coordinator)

    @property
    def members(self):
        return self.coordinators + self.workers

    def _restart(self):
        reaped_at = time.monotonic()
        while not self._ends.wait(0.1):
            for member in self.members:
                member.watch()
            if time.monotonic() - reaped_at > 2:
                reap_renderers()
                reaped_at = time.monotonic()

    def spool(self, *words, check=True, program=None):
        """Runs a command of `spool` on the farm, and gives what it printed. Another version may be named."""
        environment = dict(os.environ)
        if hasattr(self, "servers"):
            environment |= {"SPOOL_SERVER": self.servers[0], "SPOOL_TOKEN": self.token}
        done = subprocess.run([program or self.program, *words], env=environment, capture_output=True, text=True, timeout=120)
        if check and done.returncode:
            raise RuntimeError(f"spool {' '.join(words)} ended with {done.returncode}: {done.stderr}{done.stdout}")
        return done.stdout

    def request(self, method, path, body=None, token=None, headers=None, patience=60, server=None):
        """Sends a request to the coordinators in turn until one of them answers with something else than 429 or 5xx.

        Gives the status and the body of the answer. A status of 0 means that nobody answered in time.
        """
        end = time.monotonic() + patience
        last, turn = (0, b""), 0
        while time.monotonic() < end:
            address = server or self.servers[turn % len(self.servers)]
            turn += 1
            request = urllib.request.Request(address + path, data=body, method=method)
            request.add_header("Authorization", f"Bearer {token or self.token}")
            for name, value in (headers or {}).items():
                request.add_header(name, value)
            try:
                with urllib.request.urlopen(request, timeout=20) as answer:
                    return answer.status, answer.read()
            except urllib.error.HTTPError as error:
                last = (error.code, error.read())
                if error.code != 429 and error.code < 500:
                    return last
            except Exception:  # a connection that was reset or refused, or half an answer
                last = (0, b"")
            time.sleep(0.2)
        return last

    def json(self, method, path, value=None, **options):
        """Sends JSON, and gives the JSON of a successful answer."""
        body = None if value is None else json.dumps(value).encode()
        options["headers"] = {"Content-Type": "application/json", **options.get("headers", {})}
        status, answer = self.request(method, path, body, **options)
        if not 200 <= status < 300:
            raise RuntimeError(f"{method} {path} answered {status}: {answer[:500]!r}")
        return json.loads(answer)

    def wait_until_up(self):
        for server in self.servers:
            status, answer = self.request("GET", "/readyz", server=server)
            if status != 200:
                raise RuntimeError(f"the farm does not start: {status} {answer!r}; see {self.log}")

    def leader(self):
        """The coordinator that leads; the first one where nobody does."""
        holder = self.postgres.value("SELECT coalesce(holder, '') FROM lead") or ""
        for coordinator in self.coordinators:
            if holder.endswith(f"process {coordinator.pid}"):
                return coordinator
        return self.coordinators[0]

    def remove_tenant(self, name):
        """Removes all files of a tenant that has nothing to do any more."""
        id = self.postgres.value(f"SELECT id FROM tenants WHERE name = '{name}'")
        self.removed_tenants.add(id)
        for folder in (self.store / "tenants" / id, self.store / "assets" / id):
            shutil.rmtree(folder, ignore_errors=True)

    def note_new_lead(self, name, epoch):
        """Measures how long it takes from now until another term of the lead begins."""
        begin = time.monotonic()
        while time.monotonic() - begin < 30:
            if self.postgres.value("SELECT epoch FROM lead WHERE holder IS NOT NULL") not in (None, epoch):
                break
            time.sleep(0.05)
        self.measures.setdefault(name, []).append(time.monotonic() - begin)

    def close(self):
        """Ends everything. Gives the processes that were left over."""
        for member in self.members:
            member.is_wanted = False
        for member in self.members:
            if member.is_alive:
                member.signal(signal.SIGCONT)
                member.signal(signal.SIGTERM)
        for member in self.members:
            try:
                member.process.wait(20)
            except subprocess.TimeoutExpired:
                member.faults.append(f"{member.name} did not end within 20 s of SIGTERM")
                member.signal(signal.SIGKILL)
                member.process.wait()
        self._ends.set()
        left = self.strays()
        for server in (self.redis, self.postgres):
            server.end(signal.SIGINT)
        if self.can_mount:
            for name in ("store", "postgres"):
                subprocess.run(["umount", "-l", str(self.directory / name)], check=False)
        return left

    def strays(self):
        """Processes of Spool whose parents have ended, as texts."""
        own = {member.pid for member in self.members}
        return [
            f"{pid} {command_line(pid)[:200]}" for pid in descendants(os.getpid())[1:]
            if "spool" in command_line(pid) and pid not in own and parent(pid) == os.getpid()
            and "psql" not in command_line(pid) and "postgres" not in command_line(pid)]


def parent(pid):
    try:
        return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0
