#!/usr/bin/env python3
"""A farm without a shared directory: PostgreSQL, Redis, the S3 service, the coordinator, two workers and the client are in
seven network namespaces, and coordinator, workers and client are containers of the image with a read-only root. The store
refuses every tenth request, and one worker is killed while it renders. The film has the bytes of the local export."""
import json
import re
import signal

from farm import *


def test(network):
    farm = Farm(network, fail_every=10)
    client = Client(network)
    local = client.example()
    passed(f"the local export in a container has the sha256 {local}")
    expect("applied: 1 farm" in farm.migrate(), "a container migrates the empty database")
    token = farm.token()
    farm.start_coordinator("coordinator")
    first, second = farm.start_worker("worker1"), farm.start_worker("worker2")
    client.environment = {"SPOOL_SERVER": f"http://{network.addresses['coordinator']}:7788", "SPOOL_TOKEN": token}

    export = client.spool("submit", "first-light.json").split()[-1]
    until(lambda: rendering(client, export, "worker1"), "the first worker renders a segment", 120)
    first.signal(signal.SIGKILL)
    first.wait(10)
    passed("the first worker was killed while it rendered")
    watched = client.spool("watch", export)
    client.spool("download", export, "-o", "farm.mp4")
    film = client.sha256("farm.mp4")
    expect(film == local, f"the film of the farm has the sha256 {film}", f"local {local}\n{watched}")

    jobs = json.loads(client.spool("job", "ls", "--json", "--export", export))
    expect(any(job["attempt"] > 1 for job in jobs), "a job of the killed worker was done again", json.dumps(jobs))
    requests, refused = re.findall(r"(\d+) requests, (\d+) refused", farm.store_log.read_text())[-1]
    expect(int(refused) >= int(requests) // 10 and int(refused) > 0,
           f"the store refused {refused} of {requests} requests")
    expect("ok" in client.spool("audit"), "spool audit finds every rule kept", client.spool("audit", check=False))
    second.signal(signal.SIGTERM)
    expect(second.wait(60) == 0, "SIGTERM drains the other worker, which ends with 0", second.log())


def rendering(client, export, worker):
    """Whether a worker has a segment of the export under way."""
    listed = json.loads(client.spool("job", "ls", "--json", "--export", export, "--state", "running"))
    return any(job["kind"] == "video" and job.get("worker") == worker for job in listed)


if __name__ == "__main__":
    main(test)
