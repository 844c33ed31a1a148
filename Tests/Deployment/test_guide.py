#!/usr/bin/env python3
"""Runs the commands of docs/deployment.md, as they stand there, on three machines that have never had Spool: from an empty
Debian to a film with the bytes of the local export, and through an upgrade. Blocks for "the source" are those of `make`,
which has run before this test."""
import guide
import packages
from machines import *

VALUES = {"DATABASE_PASSWORD": "9f1c0a7d5e", "QUEUE_PASSWORD": "57c3e8ab21", "STORE_KEY": "key", "STORE_SECRET": "secret"}
MACHINES = ["farm", "worker1", "worker2"]


def test(network):
    for name in [*MACHINES, "s3"]:
        network.add(name)
    network.start("s3", [str(ROOT / ".build/test-tools/bin/python3"), str(ROOT / "Tests/Deployment/faulty_s3.py"),
                         network.addresses["s3"], "9000", "films", "0"], "s3.log")
    machines = {name: Machine(network, name, BUILD / "machine") for name in MACHINES}
    upgrade = packages.with_version(network, "0.2.0")
    for machine in machines.values():
        machine.copy(packages.newest(), "spool_0.1.0_amd64.deb")
        machine.copy(upgrade, "spool_0.2.0_amd64.deb")
    passed("three machines have booted; none has Spool")
    running = None
    for line, places, commands in guide.blocks():
        if not places or places == ["the source"]:
            continue
        for word, value in VALUES.items():
            commands = commands.replace(word, value)
        if "spool_0.2.0" in commands and running is None:
            running = begin_export(machines["farm"])
        for place in places:
            begun = time.monotonic()
            printed = machines[place].run("set -e\n" + commands, timeout=300)
            passed(f"deployment.md:{line} on {place}, {time.monotonic() - begun:.1f} s")
            check(place, commands, printed)
    wait(machines["farm"], running)
    versions = machines["worker1"].run("dpkg-query -W -f '${Version}' spool")
    expect(versions == "0.2.0", "the workers have the new version, and an export that was under way has its local bytes")
    sizes(machines["worker1"])


def check(place, commands, printed):
    """What the page says of a block's result."""
    if "sha256sum farm.mp4" in commands:
        hashes = [line.split()[0] for line in printed.splitlines() if line.endswith(".mp4") and len(line.split()[0]) == 64]
        expect(len(hashes) == 2 and len(set(hashes)) == 1, f"film and local export have the sha256 {hashes[0]}", printed)
    if "spool worker ls" in commands:
        expect("worker1" in printed and "worker2" in printed, "both workers are listed", printed)


def begin_export(farm):
    """Begins an export of other segments than those that the store has."""
    return farm.run("""set -e; set -a; . /root/client.env; set +a; cd film
        sed 's/"start": 1,/"start": 1.5,/' first-light.json > second.json
        spool submit second.json 2> /dev/null""").strip()


def wait(farm, export):
    printed = farm.run(f"""set -e; set -a; . /root/client.env; set +a; cd film
        spool watch {export}; spool download {export} -o second.mp4; spool export second.json -o second-local.mp4
        cmp second.mp4 second-local.mp4 && echo same bytes""", timeout=600)
    expect("same bytes" in printed, "an export that was under way during the upgrade has the local bytes", printed)


def sizes(machine):
    printed = machine.run("dpkg-query -W -f '${Installed-Size}' spool; echo; dpkg-query -W | wc -l; du -sm --exclude=/var/cache/apt -x / | cut -f1")
    kilobytes, count, whole = printed.split()
    passed(f"a worker's machine has {count} packages and {whole} MB, {int(kilobytes) // 1024} of them Spool's")


if __name__ == "__main__":
    main(test)
