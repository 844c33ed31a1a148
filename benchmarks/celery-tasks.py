"""Measures Celery with no-op tasks: celery-tasks.py TASKS PROCESSES DIRECTORY.

Starts a Redis server of its own, publishes all tasks, then starts one Celery worker with the wanted number of processes,
and prints tasks a second and processor time for each task. Tasks store their results in Redis, so that the end of each is
known. The rate counts from the first results that are there, so that the worker's start is not in it. The work of
publishing is not in it either, as storing exports is not in the rate of `spool bench`.
"""

import os
import socket
import subprocess
import sys
import time

import celery
import redis


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


PORT = int(os.environ.setdefault("CELERY_TASKS_PORT", str(free_port())))
app = celery.Celery(
    "celery-tasks", broker=f"redis://127.0.0.1:{PORT}/0", backend=f"redis://127.0.0.1:{PORT}/1")
# Tasks are acknowledged when they are done, as jobs of the farm are: the tasks of a process that dies run again.
app.conf.update(task_acks_late=True, result_expires=86_400)


@app.task(name="nothing")
def nothing():
    pass


def processor_seconds(root):
    """The processor time of a process and its descendants, those that have ended included."""
    entries = {}
    for name in os.listdir("/proc"):
        try:
            fields = open(f"/proc/{name}/stat").read().rpartition(")")[2].split() if name.isdigit() else []
        except OSError:
            continue  # it has ended
        if fields:
            entries[int(name)] = (int(fields[1]), sum(map(int, fields[11:15])))
    tree, total = [root], 0
    while tree:
        process = tree.pop()
        total += entries.get(process, (0, 0))[1]
        tree += [child for child, (parent, _) in entries.items() if parent == process]
    return total / os.sysconf("SC_CLK_TCK")


def finished(results):
    """The number of stored results; the result backend's database has one key for each."""
    return results.dbsize()


def measure(tasks, processes, directory):
    server = subprocess.Popen(
        ["redis-server", "--port", str(PORT), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", directory],
        stdout=subprocess.DEVNULL)
    worker = None
    try:
        results = redis.Redis(port=PORT, db=1)
        while True:
            try:
                results.ping()
                break
            except redis.ConnectionError:
                time.sleep(0.05)
        start = time.monotonic()
        with app.pool.acquire(block=True) as connection, app.amqp.producer_pool.acquire(block=True) as producer:
            for _ in range(tasks):
                nothing.apply_async(connection=connection, producer=producer)
        published = time.monotonic() - start
        with open(f"{directory}/celery.log", "w") as log:
            worker = subprocess.Popen(
                [sys.executable, "-m", "celery", "--workdir", os.path.dirname(os.path.abspath(__file__)), "-A", "celery-tasks",
                 "worker", "--pool", "prefork", "--concurrency", str(processes), "--loglevel", "WARNING", "--without-gossip",
                 "--without-mingle", "--without-heartbeat"], stdout=log, stderr=log)
        while not (done := finished(results)):
            if worker.poll() is not None:
                sys.exit(f"Celery's worker has ended: {open(f'{directory}/celery.log').read()[-2000:]}")
            time.sleep(0.005)
        start, first = time.monotonic(), done
        before = processor_seconds(worker.pid), processor_seconds(server.pid)
        while (done := finished(results)) < tasks:
            if worker.poll() is not None:
                sys.exit("Celery's worker has ended")
            time.sleep(0.02)
        seconds = time.monotonic() - start
        after = processor_seconds(worker.pid), processor_seconds(server.pid)
        counted = max(1, tasks - first)
        print("Celery %8d tasks: %6.1f tasks/s, processor ms a task: workers %.3f, Redis %.3f; published in %.1f s" % (
            tasks, counted / max(seconds, 1e-3), (after[0] - before[0]) * 1000 / counted,
            (after[1] - before[1]) * 1000 / counted, published))
    finally:
        if worker:
            worker.terminate()
            worker.wait()
        server.terminate()
        server.wait()


if __name__ == "__main__":
    measure(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
