"""The faults that are injected into a farm.

Each is a generator: it injects the fault, yields while the fault lasts, and heals what it did. `lasts` is how long in
seconds. Faults of one group are not injected together, because one would hide or heal the other.

What a fault makes fail by itself, it says: films of damaged sources (`Tenant.is_spoiled`), and jobs whose rendering
processes are killed again and again.
"""
import os
import pathlib
import signal
import socket
import subprocess
import time

FAULTS = []


class Fault:
    """A fault of the catalogue.

    `weight` says how often it is chosen, compared with a short fault. `is_possible` says whether a farm can have it.
    """

    def __init__(self, name, group, lasts, weight, is_possible, body):
        self.name, self.group, self.lasts, self.is_possible, self.body = name, group, lasts, is_possible, body
        self.weight = weight if weight is not None else 0.1 if lasts[1] > 60 else 0.4 if lasts[1] > 15 else 1


def fault(name, group, lasts=(0, 0), weight=None, is_possible=lambda farm: True):
    """Adds a generator to the catalogue."""
    def add(body):
        FAULTS.append(Fault(name, group, lasts, weight, is_possible, body))
        return body
    return add


def can_mount(farm):
    return farm.can_mount


def has_earlier_program(farm):
    return farm.earlier_program is not None




# Workers


@fault("a worker is killed", "worker")
def worker_killed(farm, random):
    """It measures how long the worker's jobs wait, unless something else is broken, too."""
    worker = random.choice(farm.workers)
    jobs = [row[0] for row in farm.postgres.run(
        f"SELECT job_id FROM attempts WHERE worker = '{worker.name}' AND state = 'running'")]
    worker.signal(signal.SIGKILL)
    begin = time.monotonic()
    while farm.is_whole and jobs and time.monotonic() - begin < 60:
        left = farm.postgres.value(
            f"SELECT count(*) FROM attempts WHERE job_id IN ({', '.join(jobs)}) AND worker = '{worker.name}'"
            f" AND state = 'running' AND started_at < clock_timestamp() - make_interval(secs => {time.monotonic() - begin:.3f})")
        if left == "0":
            farm.measures.setdefault("jobs of a killed worker are taken back", []).append(time.monotonic() - begin)
            break
        time.sleep(0.2)
    yield


@fault("all workers are killed", "worker")
def all_workers_killed(farm, random):
    for worker in farm.workers:
        worker.signal(signal.SIGKILL)
    yield


@fault("a worker is stopped past its lease", "worker", (17, 24))
def worker_stopped(farm, random):
    worker = random.choice(farm.workers)
    worker.signal(signal.SIGSTOP)
    yield
    worker.signal(signal.SIGCONT)


@fault("a worker drains", "worker", (1, 6))
def worker_drains(farm, random):
    random.choice(farm.workers).signal(signal.SIGTERM)
    yield


@fault("a worker is told twice to end", "worker", (1, 4))
def worker_ends_now(farm, random):
    worker = random.choice(farm.workers)
    begin = worker.log.stat().st_size
    worker.signal(signal.SIGTERM)
    worker.wait_for_log(b"draining", begin)
    worker.signal(signal.SIGTERM)
    yield


@fault("all workers are away while exports are submitted", "worker", (4, 20))
def workers_away(farm, random):
    for worker in farm.workers:
        worker.is_wanted = False
        worker.signal(signal.SIGKILL)
    yield
    for worker in farm.workers:
        worker.is_wanted = True


@fault("a worker is cut off from Redis", "worker", (5, 25))
def worker_cut_off(farm, random):
    worker = random.choice(farm.workers)
    worker.redis.mode = "hold"
    yield
    worker.redis.mode = "pass"
    worker.redis.cut()


# Rendering processes


def renderers(farm):
    return [pid for worker in farm.workers if worker.is_alive for pid in worker.renderers()]


def some_renderer(farm, random):
    """A rendering process; None where there is none for five seconds."""
    for _ in range(50):
        if found := renderers(farm):
            return random.choice(found)
        time.sleep(0.1)
    return None


def signal_renderer(farm, random, number):
    pid = some_renderer(farm, random)
    if pid is not None:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pid = None
    return pid


@fault("a rendering process is killed", "renderer")
def renderer_killed(farm, random):
    signal_renderer(farm, random, signal.SIGKILL)
    yield


@fault("a rendering process crashes", "renderer")
def renderer_crashes(farm, random):
    signal_renderer(farm, random, signal.SIGSEGV)
    yield


@fault("a rendering process is stopped", "renderer", (2, 15))
def renderer_stopped(farm, random):
    pid = signal_renderer(farm, random, signal.SIGSTOP)
    yield
    if pid is not None:
        try:
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            pass  # it has been killed meanwhile


@fault("a stitch is killed", "renderer")
def stitch_killed(farm, random):
    for _ in range(60):
        name = farm.postgres.value(
            "SELECT attempts.worker FROM attempts JOIN jobs ON jobs.id = attempts.job_id"
            " WHERE attempts.state = 'running' AND jobs.kind = 'stitch' LIMIT 1")
        worker = next((worker for worker in farm.workers if worker.name == name), None)
        if worker is not None and worker.is_alive:
            for pid in worker.renderers():
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            break
        time.sleep(0.05)
    yield


# Coordinators


@fault("the leader is killed", "coordinator")
def leader_killed(farm, random):
    epoch = farm.postgres.value("SELECT epoch FROM lead")
    farm.leader().signal(signal.SIGKILL)
    farm.note_new_lead("a killed leader loses the lead", epoch)
    yield


@fault("the leader is stopped", "coordinator", (6, 20))
def leader_stopped(farm, random):
    leader, epoch = farm.leader(), farm.postgres.value("SELECT epoch FROM lead")
    leader.signal(signal.SIGSTOP)
    farm.note_new_lead("a stopped leader loses the lead", epoch)
    yield
    leader.signal(signal.SIGCONT)


@fault("the other coordinator is killed", "coordinator")
def follower_killed(farm, random):
    leader = farm.leader()
    next(coordinator for coordinator in farm.coordinators if coordinator is not leader).signal(signal.SIGKILL)
    yield


@fault("both coordinators are killed", "coordinator")
def coordinators_killed(farm, random):
    for coordinator in farm.coordinators:
        coordinator.signal(signal.SIGKILL)
    yield


@fault("the leader is told to end", "coordinator", (1, 5))
def leader_ends(farm, random):
    farm.leader().signal(signal.SIGTERM)
    yield


@fault("the leader is cut off from PostgreSQL", "coordinator", (5, 20))
def leader_without_database(farm, random):
    leader = farm.leader()
    leader.postgres.mode = "hold"
    yield
    leader.postgres.mode = "pass"
    leader.postgres.cut()


@fault("the leader is cut off from Redis", "coordinator", (5, 20))
def leader_without_queue(farm, random):
    leader = farm.leader()
    leader.redis.mode = "hold"
    yield
    leader.redis.mode = "pass"
    leader.redis.cut()


# Redis


@fault("Redis loses everything", "redis")
def redis_flushed(farm, random):
    farm.redis.run("FLUSHALL")
    yield


@fault("Redis starts again, empty", "redis", (0, 3))
def redis_restarted(farm, random):
    farm.redis.end(signal.SIGKILL)
    yield
    farm.redis.start()
    farm.redis.wait()


@fault("Redis is stopped", "redis", (20, 40))
def redis_stopped(farm, random):
    farm.redis.pause()
    yield
    farm.redis.resume()


@fault("Redis is stopped for two minutes", "redis", (120, 120))
def redis_stopped_long(farm, random):
    yield from redis_stopped(farm, random)


@fault("all connections to Redis are cut", "redis")
def redis_cut(farm, random):
    for member in farm.members:
        member.redis.cut()
    yield


@fault("Redis has no memory left", "redis", (3, 15))
def redis_full(farm, random):
    farm.redis.run("CONFIG", "SET", "maxmemory", "100kb")
    yield
    farm.redis.run("CONFIG", "SET", "maxmemory", "0")


@fault("Redis is slow", "redis", (5, 15))
def redis_slow(farm, random):
    for member in farm.members:
        member.redis.mode = random.uniform(0.05, 0.5)
    yield
    for member in farm.members:
        member.redis.mode = "pass"


def streams(farm, kind):
    names = [b"spool:reports"] if kind == "reports" else farm.redis.run("SMEMBERS", "spool:streams")
    return [(name, farm.redis.run("XRANGE", name, "-", "+")) for name in names if farm.redis.run("EXISTS", name)]


def change_entries(farm, random, kind, change):
    """Changes the entries of streams of tickets or reports. Waits up to three seconds until there are some."""
    for _ in range(60):
        found = [(name, entries) for name, entries in streams(farm, kind) if entries]
        if found:
            for name, entries in found:
                change(name, entries)
            return
        time.sleep(0.05)


def double(farm, random, kind):
    def change(name, entries):
        copies = [entry for entry in entries if random.random() < 0.7]
        random.shuffle(copies)
        for _, fields in copies:
            farm.redis.run("XADD", name, "*", *fields)
    change_entries(farm, random, kind, change)


@fault("tickets come twice and in another order", "entries")
def tickets_doubled(farm, random):
    double(farm, random, "tickets")
    yield


@fault("reports come twice and in another order", "entries")
def reports_doubled(farm, random):
    double(farm, random, "reports")
    yield


@fault("tickets are lost", "entries")
def tickets_lost(farm, random):
    change_entries(farm, random, "tickets", lambda name, entries: farm.redis.run("XDEL", name, *[id for id, _ in entries]))
    yield


@fault("reports are lost", "entries")
def reports_lost(farm, random):
    change_entries(farm, random, "reports", lambda name, entries: farm.redis.run("XDEL", name, *[id for id, _ in entries]))
    yield


@fault("there are foreign entries among tickets and reports", "entries")
def entries_foreign(farm, random):
    for name in farm.redis.run("SMEMBERS", "spool:streams") + [b"spool:reports"]:
        for value in (b"", b"{}", b"\xff\x00", b"[" * 5000, b'{"job":9223372036854775807,"attempt":-1}'):
            farm.redis.run("XADD", name, "*", random.choice([b"data", b"ticket", b"x"]), value)
    yield


# PostgreSQL


@fault("PostgreSQL restarts", "postgres", (0, 3))
def postgres_restarts(farm, random):
    farm.postgres.end(signal.SIGINT)
    yield
    farm.postgres.start()


@fault("PostgreSQL is killed", "postgres", (0, 3))
def postgres_killed(farm, random):
    farm.postgres.end(signal.SIGQUIT)
    yield
    farm.postgres.start()


@fault("PostgreSQL ends all connections", "postgres")
def postgres_cut(farm, random):
    farm.postgres.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                      " AND backend_type = 'client backend'")
    yield


@fault("PostgreSQL is stopped", "postgres", (2, 15))
def postgres_stopped(farm, random):
    farm.postgres.pause()
    yield
    farm.postgres.resume()


@fault("PostgreSQL is slow", "postgres", (5, 15))
def postgres_slow(farm, random):
    for coordinator in farm.coordinators:
        coordinator.postgres.mode = random.uniform(0.02, 0.2)
    yield
    for coordinator in farm.coordinators:
        coordinator.postgres.mode = "pass"


@fault("a table is locked", "postgres", (2, 8))
def postgres_locked(farm, random):
    table = random.choice(["jobs", "exports", "attempts", "lead", "artifacts", "tenants"])
    locker = subprocess.Popen(
        ["psql", "-qtAX", farm.postgres.address], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, text=True)
    locker.stdin.write(f"BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE;\n")
    locker.stdin.flush()
    yield
    locker.kill()
    locker.wait()


def fill(directory):
    """Fills a file system. Gives the file that takes its room."""
    file = pathlib.Path(directory) / "filler"
    free = os.statvfs(directory)
    with open(file, "wb", buffering=0) as stream:
        for size in (free.f_bavail * free.f_frsize, 1 << 20, 4096):
            try:
                while size:
                    os.posix_fallocate(stream.fileno(), os.fstat(stream.fileno()).st_size, size)
            except OSError:
                pass  # there is not so much room any more
    return file


@fault("the disk of PostgreSQL is full", "postgres", (2, 8), is_possible=can_mount)
def postgres_disk_full(farm, random):
    filler = fill(farm.postgres.directory.parent)
    yield
    filler.unlink()
    if farm.postgres.process.poll() is not None:
        farm.postgres.start()


# The store


@fault("the store is read-only", "store", (2, 15), is_possible=can_mount)
def store_read_only(farm, random):
    # A file system cannot become read-only while a file of it is written; its second mount can be.
    subprocess.run(["mount", "--bind", farm.store, farm.store], check=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", farm.store], check=True)
    yield
    subprocess.run(["umount", "-l", farm.store], check=True)


@fault("the store is full", "store", (2, 15), is_possible=can_mount)
def store_full(farm, random):
    filler = fill(farm.store)
    yield
    filler.unlink()


@fault("the store is away", "store", (2, 40), is_possible=can_mount)
def store_away(farm, random):
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m,mode=755", "tmpfs", farm.store], check=True)
    yield
    subprocess.run(["umount", "-l", farm.store], check=True)


@fault("the store is away for two minutes", "store", (120, 120), is_possible=can_mount)
def store_away_long(farm, random):
    yield from store_away(farm, random)


def artifacts(farm):
    """The files of artifacts, without the films that are just being made or downloaded."""
    films = {row[0] for row in farm.postgres.run(
        f"SELECT film_key FROM exports WHERE film_key IS NOT NULL AND id = ANY('{{{','.join(farm.open_exports())}}}'::uuid[])")}
    return [file for file in farm.store.glob("tenants/*/??/*") if file.suffix == "" and file.name not in films]


def damage(farm, random, change):
    files = artifacts(farm)
    for file in random.sample(files, min(len(files), random.randint(1, 8))):
        try:
            change(file)
            farm.damaged.add(file.name)
        except FileNotFoundError:
            pass  # the farm has removed it meanwhile


def flip(file, random):
    """Changes a byte of a file in place."""
    with open(file, "r+b") as stream:
        size = os.fstat(stream.fileno()).st_size
        if size:
            place = random.randrange(size)
            stream.seek(place)
            byte = stream.read(1)[0]
            stream.seek(place)
            stream.write(bytes([byte ^ random.randint(1, 255)]))


@fault("bytes of artifacts change", "artifacts")
def artifacts_flipped(farm, random):
    damage(farm, random, lambda file: flip(file, random))
    yield


@fault("artifacts are cut short", "artifacts")
def artifacts_truncated(farm, random):
    damage(farm, random, lambda file: os.truncate(file, random.randrange(file.stat().st_size + 1)))
    yield


@fault("artifacts vanish", "artifacts")
def artifacts_removed(farm, random):
    damage(farm, random, lambda file: file.unlink())
    yield


@fault("checksums of artifacts vanish", "artifacts")
def records_removed(farm, random):
    damage(farm, random, lambda file: file.with_name(file.name + ".sum").unlink())
    yield


@fault("bytes of a source change", "artifacts")
def source_flipped(farm, random):
    tenant = farm.spoil_tenant()
    files = list(farm.store.glob(f"assets/{tenant}/??/*")) if tenant else []
    if files:
        file = random.choice(files)
        flip(file, random)
        farm.damaged.add(file.name)
    yield


# Processes that have been tampered with


def tampered_worker(farm, random, environment):
    """Starts a worker again with other settings, and as it was afterwards."""
    worker = random.choice(farm.workers)
    worker.once = environment
    worker.signal(signal.SIGKILL)
    yield
    worker.signal(signal.SIGKILL)


def library(farm, name):
    """The path of a library of this folder, which is built when it is first needed."""
    built = farm.directory / f"{name}.so"
    if not built.exists():
        source = pathlib.Path(__file__).resolve().parent / f"{name}.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", source, "-o", built, "-ldl"], check=True)
    return str(built)


@fault("a rendering process lies", "tampering", (5, 15))
def renderer_lies(farm, random):
    here = pathlib.Path(__file__).resolve().parent
    folder = farm.directory / "lying"
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    program = folder / "lying_renderer.py"
    program.write_text((here / "lying_renderer.py").read_text())
    program.chmod(0o755)
    (folder / "program").write_text(farm.program + "-render")
    (folder / "rate").write_text(str(random.choice([0.01, 0.1])))
    yield from tampered_worker(farm, random, {"SPOOL_RENDER_EXECUTABLE": str(program)})


@fault("a worker's storage fails", "tampering", (5, 15))
def storage_fails(farm, random):
    part = random.choice(["/store/assets/", "/store/tenants/|/tmp/", "/store/tenants/"])
    call = random.choice(["open", "read", "write"])
    yield from tampered_worker(farm, random, {
        "LD_PRELOAD": library(farm, "faulty_storage"), "LD_SPOOL_FAULT": random.choice(["EIO", "EMFILE", "ENOSPC", "ENOMEM", "EACCES"]),
        "LD_SPOOL_FAULT_CALL": call, "LD_SPOOL_FAULT_FILE": part,
        "LD_SPOOL_FAULT_OFFSET": "0" if call == "open" else str(random.choice([0, 1000, 20000])),
    })


def shifted(farm, random):
    """The settings of a process whose clock is wrong."""
    return {"LD_PRELOAD": library(farm, "shifted_clock"),
            "LD_SPOOL_CLOCK": str(random.choice([-3600, 3600, 40 * 86400]))}


@fault("a worker's clock is wrong", "tampering", (5, 20))
def worker_clock(farm, random):
    yield from tampered_worker(farm, random, shifted(farm, random))


@fault("a coordinator's clock is wrong", "coordinator", (5, 20))
def coordinator_clock(farm, random):
    coordinator = random.choice(farm.coordinators)
    coordinator.once = shifted(farm, random)
    coordinator.signal(signal.SIGKILL)
    yield
    coordinator.signal(signal.SIGKILL)


# Restarts, upgrades and backups


@fault("everything is restarted, one process after another", "restart", weight=0.3)
def rolling_restart(farm, random):
    for member in farm.workers + farm.coordinators:
        farm.restart(member)
    yield


@fault("everything is upgraded, one process after another", "restart", weight=2, is_possible=has_earlier_program)
def upgraded(farm, random):
    """Workers come first, then the database, then coordinators, as docs/deployment.md says. It happens once in a run."""
    if not farm.is_upgraded:
        farm.upgrade()
    yield


@fault("a worker of the earlier version takes part", "restart", (5, 20), is_possible=has_earlier_program)
def worker_of_earlier_version(farm, random):
    worker = random.choice(farm.workers)
    worker.command[0] = farm.earlier_program
    farm.restart(worker)
    yield
    worker.command[0] = farm.program if farm.is_upgraded else farm.earlier_program
    farm.restart(worker)


@fault("the database is backed up", "backup", weight=0.3)
def database_backed_up(farm, random):
    dump = farm.directory / "spool.dump"
    try:
        subprocess.run(["pg_dump", "-Fc", "-f", dump, farm.postgres.address], capture_output=True, timeout=20)
    except subprocess.TimeoutExpired:
        pass  # the server is stopped, too
    yield
    dump.unlink(missing_ok=True)


# Clients


@fault("clients send half a request", "client", (3, 12))
def half_requests(farm, random):
    connections = []
    for server in farm.servers:
        port = int(server.rpartition(":")[2])
        for _ in range(100):
            try:
                connection = socket.create_connection(("127.0.0.1", port), timeout=1)
                connection.sendall(random.choice([
                    b"", b"GET /v1/exp", b"POST /v1/exports HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{",
                    b"\x16\x03\x01" * 50]))
                connections.append(connection)
            except OSError:
                pass
    yield
    for connection in connections:
        connection.close()
