#!/usr/bin/env python3
"""The image that `make image` built, run as containers: as its user, without capabilities and with a read-only root. It has
what an export and a farm need, says whether it is well, drains at SIGTERM, and one of two coordinators may be killed."""
import json
import signal

from farm import *


def test(network):
    image = json.loads((BUILD / "image.json").read_text())["Docker"]["config"]
    expect(image["User"] == "10001:10001" and image["Entrypoint"] == ["/usr/bin/spool"], "the image runs spool, and not as root")
    expect(image["Healthcheck"]["Test"] == ["CMD", "/usr/lib/spool/health"], "the image has a health check")
    expect(image["StopSignal"] in ("SIGTERM", "15"), "the image is stopped by SIGTERM")
    client = Client(network)
    report = client.spool("doctor")
    expect("ok    encoder libx264" in report and "error" not in report.split("coordinator")[0], "spool doctor, in a container:", report)
    print("\n".join("      " + line for line in report.splitlines() if line.startswith("ok")))
    local = client.example()
    passed(f"it exports the example film: sha256 {local}")

    farm = Farm(network)
    early = refused(farm, network)
    expect("run: spool migrate" in early, "a coordinator before the migration ends and says what to run", early)
    farm.migrate()
    client.environment = {"SPOOL_TOKEN": farm.token()}
    first, second = farm.start_coordinator("coordinator1"), farm.start_coordinator("coordinator2")
    worker = farm.start_worker("worker")
    for container in (first, second, worker):
        expect(container.execute("/usr/lib/spool/health").returncode == 0, f"{container.name} is well")
    user = next(line.split()[1] for line in open(f"/proc/{worker.pid}/status") if line.startswith("Uid:"))
    written = worker.execute("/bin/bash", "-c", "touch /usr/x /etc/x /var/lib/spool/x; touch /tmp/x /var/cache/spool/x && echo written")
    expect(user == "10001" and written.stdout.count("Read-only file system") == 3 and "written" in written.stdout,
           "the worker is user 10001, and can write to /tmp and /var/cache/spool alone", user + written.stdout)

    leader, other = (first, second) if "leading in epoch" in first.log() else (second, first)
    client.environment["SPOOL_SERVER"] = f"http://{network.addresses[other.name]}:7788"
    export = client.spool("submit", "first-light.json").split()[-1]
    until(lambda: rendering(client, export), "a segment is rendered", 60)
    leader.signal(signal.SIGKILL)
    leader.wait(10)
    client.spool("watch", export)
    client.spool("download", export, "-o", "farm.mp4")
    expect(client.sha256("farm.mp4") == local, f"{leader.name}, which led, was killed, and the film has the local bytes")

    draft = (client.work / "first-light.json").read_text().replace('"start": 1,', '"start": 1.5,')
    (client.work / "second.json").write_text(draft)
    export = client.spool("submit", "second.json").split()[-1]
    until(lambda: rendering(client, export), "a segment is rendered", 60)
    begun = time.monotonic()
    worker.signal(signal.SIGTERM)
    expect(worker.wait(60) == 0, f"SIGTERM drained a worker that rendered, in {time.monotonic() - begun:.1f} s, and it ended with 0", worker.log())
    jobs = json.loads(client.spool("job", "ls", "--json", "--export", export))
    expect(all(job["attempt"] <= 1 for job in jobs) and any(job["state"] == "done" for job in jobs), "its job was finished")

    worker = farm.start_worker("worker")
    worker.signal(signal.SIGSTOP)
    expect(worker.execute("/usr/lib/spool/health").returncode != 0, "a worker that is stopped is not well")
    worker.signal(signal.SIGCONT)
    other.signal(signal.SIGSTOP)
    expect(other.execute("/usr/lib/spool/health", timeout=30).returncode != 0, "a coordinator that does not answer is not well")
    other.signal(signal.SIGCONT)
    client.spool("watch", export)
    other.signal(signal.SIGTERM)
    expect(other.wait(60) == 0, "SIGTERM ends a coordinator with 0", other.log())
    tree = int(run(["du", "-sm", str(BUILD / "image")]).split()[0])
    passed(f"the image has {tree} MB, {int(run(['du', '-sm', str(BUILD / 'debian')]).split()[0])} MB of them Debian's")


def refused(farm, network):
    """What a coordinator prints that cannot start."""
    network.add("early")
    container = Container(network, "early", ["coordinator"], farm.coordinator)
    if container.wait(60) != 69:
        raise Failure(container.log())
    return container.log()


def rendering(client, export):
    """Whether a segment of the export is under way."""
    listed = json.loads(client.spool("job", "ls", "--json", "--export", export, "--state", "running"))
    return any(job["kind"] == "video" for job in listed)


if __name__ == "__main__":
    main(test)
