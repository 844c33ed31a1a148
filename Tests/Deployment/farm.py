"""The parts of a farm that no machine shares: PostgreSQL, Redis and an S3 service, each in a namespace of its own, and
containers of the image for coordinators, workers and the client."""
import os
import re
import signal

from machines import *

PASSWORD, QUEUE_PASSWORD = "film/and+sound", "ready-jobs"
POSTGRES = "/usr/lib/postgresql/15/bin"


class Farm:
    """Servers, each in its namespace; `fail_every` is the request of the store that is refused, 0 for none."""

    def __init__(self, network, fail_every=0):
        self.network = network
        for name in ("postgres", "redis", "s3"):
            network.add(name)
        self._postgres()
        self._redis()
        self.store_log = network.directory / "s3.log"
        network.start("s3", [str(ROOT / ".build/test-tools/bin/python3"), str(ROOT / "Tests/Deployment/faulty_s3.py"),
                             network.addresses["s3"], "9000", "films", str(fail_every)], "s3.log")
        until(lambda: "ready" in self.store_log.read_text(), "the S3 service answers", 30)
        store = {
            "SPOOL_REDIS_URL": f"redis://:{QUEUE_PASSWORD}@{network.addresses['redis']}:6379",
            "SPOOL_STORE": "s3://films/farm", "SPOOL_STORE_ENDPOINT": f"http://{network.addresses['s3']}:9000",
            "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
        }
        self.database = {"SPOOL_DATABASE_URL": f"postgresql://spool@{network.addresses['postgres']}/spool",
                         "PGPASSWORD": PASSWORD}
        self.worker, self.coordinator = store, {**store, **self.database}

    def _postgres(self):
        address, folder = self.network.addresses["postgres"], self.network.directory / "postgres"
        folder.mkdir()
        for directory in (BUILD, self.network.directory):
            os.chmod(directory, 0o711)
        run(["chown", "postgres", str(folder)])
        as_postgres = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
        run([*as_postgres, f"{POSTGRES}/initdb", "-D", f"{folder}/data", "--auth-local=trust", "--auth-host=scram-sha-256", "-E", "UTF8"])
        with open(folder / "data/pg_hba.conf", "a") as rules:
            rules.write("host spool spool 10.77.0.0/24 scram-sha-256\n")
        self.network.start("postgres", [*as_postgres, f"{POSTGRES}/postgres", "-D", f"{folder}/data", "-h", address, "-k", str(folder)],
                           "postgres.log")
        psql = [*as_postgres, f"{POSTGRES}/psql", "-h", str(folder), "-qAt", "-d", "postgres"]
        until(lambda: run([*psql, "-c", "SELECT 1"], check=False).returncode == 0, "PostgreSQL answers", 30)
        run([*psql, "-c", f"CREATE ROLE spool LOGIN PASSWORD '{PASSWORD}'"])
        run([*psql, "-c", "CREATE DATABASE spool OWNER spool"])

    def _redis(self):
        address, folder = self.network.addresses["redis"], self.network.directory / "redis"
        folder.mkdir()
        self.network.start("redis", ["redis-server", "--bind", address, "--requirepass", QUEUE_PASSWORD, "--dir", str(folder),
                                     "--maxmemory-policy", "noeviction"], "redis.log")

    def migrate(self, environment=None):
        """Migrates the database in a container, and gives what was printed."""
        self.network.addresses.get("migrate") or self.network.add("migrate")
        container = Container(self.network, "migrate", ["migrate"], environment or self.database)
        status = container.wait(60)
        if status != 0:
            raise Failure(f"migrate ended with {status}: {container.log()}")
        return container.log()

    def token(self):
        container = Container(self.network, "migrate", ["token", "create", "default", "admin", "--database-url",
                                                        self.database["SPOOL_DATABASE_URL"]], self.database)
        if container.wait(60) != 0:
            raise Failure(container.log())
        return re.search(r"spool_\S+", container.log()).group()

    def start_coordinator(self, name, **environment):
        name in self.network.addresses or self.network.add(name)
        container = Container(self.network, name, ["coordinator"], {**self.coordinator, **environment})
        until(lambda: container.execute("/usr/lib/spool/health", "/readyz").returncode == 0 or not self._alive(container),
              f"{name} is ready", 60)
        return container

    def _alive(self, container):
        if container.process.poll() is not None:
            raise Failure(f"{container.name} ended: {container.log()}")
        return True

    def start_worker(self, name, **environment):
        name in self.network.addresses or self.network.add(name)
        container = Container(self.network, name, ["worker", "--name", name],
                              {"SPOOL_SLOTS": "1", **self.worker, **environment})
        until(lambda: "working:" in container.log() or not self._alive(container), f"{name} works", 60)
        return container


class Client:
    """Runs the image's `spool` with a folder of its own, which nothing else of the farm can see."""

    def __init__(self, network, server=None, token=None):
        self.network = network
        network.add("client")
        self.work = network.directory / "client"
        self.work.mkdir()
        os.chown(self.work, 10001, 10001)
        self.environment = {"SPOOL_SERVER": server, "SPOOL_TOKEN": token} if server else {}

    def spool(self, *words, check=True, timeout=600):
        container = Container(self.network, "client", words, self.environment, work=self.work)
        status = container.wait(timeout)
        if check and status != 0:
            raise Failure(f"spool {' '.join(words)} ended with {status}: {container.log()}")
        return container.log() if check else (status, container.log())

    def example(self):
        """The example film, rendered here without a farm: its sha256."""
        self.spool("sample-media", "/home/media")
        (self.work / "first-light.json").write_text((ROOT / "examples/first-light.json").read_text())
        self.spool("export", "first-light.json", "-o", "local.mp4")
        return self.sha256("local.mp4")

    def sha256(self, name):
        return run(["sha256sum", str(self.work / name)]).split()[0]


__all__ = [name for name in dir() if not name.startswith("_")]
