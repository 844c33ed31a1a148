#!/usr/bin/env python3
"""The Debian package on a minimal Debian: installation, wrong settings, restarts, a full disk, a reinstallation, an upgrade
while a job runs, removal and purge. PostgreSQL, Redis and a directory as the store are on the same machine."""
import packages
from machines import *

SETTINGS = """
cat > /etc/spool/spool.yaml << 'END'
databaseURL: postgresql://spool@127.0.0.1/spool
redisURL: redis://127.0.0.1:6379
store: /srv/spool
grace: 20
END
"""
SERVERS = """
apt-get install -y --no-install-recommends postgresql redis-server
systemctl start postgresql redis-server
runuser -u postgres -- psql -c "CREATE ROLE spool LOGIN PASSWORD 'right'"
runuser -u postgres -- createdb --owner spool spool
redis-cli config set maxmemory-policy noeviction
install -d -o spool -g spool /srv/spool
"""


def test(network):
    installed_below_a_prefix(network)
    machine = Machine(network, "machine", BUILD / "machine")
    machine.copy(packages.newest(), "spool.deb")
    machine.copy(packages.with_version(network, "0.2.0"), "newer.deb")

    before = machine.run("dpkg-query -W | wc -l")
    machine.run("apt-get install -y --no-install-recommends ./spool.deb")
    expect("spool 0.1.0" in machine.run("spool --version"), f"it installs on a Debian of {before.strip()} packages, and runs")
    expect("ok    encoder libx264" in machine.run("spool doctor"), "spool doctor finds what an export needs")
    missing = machine.run("for each in /usr/bin/spool*; do ldd $each; done | grep 'not found'", check=False).stdout
    expect(missing == "", "every library is there", missing)
    machine.run("man -w spool-export 2> /dev/null || test -f /usr/share/man/man1/spool-export.1.gz")
    expect(machine.run("bash -n /usr/share/bash-completion/completions/spool && echo fine") == "fine\n", "bash reads the completions")
    state = machine.run("systemctl is-enabled spool-worker spool-coordinator; systemctl is-active spool-worker", check=False).stdout
    expect(state.split() == ["disabled", "disabled", "inactive"], "nothing is started before it has settings", state)
    verified = machine.run("systemd-analyze verify --man=no /lib/systemd/system/spool-*.service 2>&1", check=False)
    expect(verified.returncode == 0 and "spool" not in verified.stdout, "systemd-analyze verifies the units", verified.stdout)

    fails(machine, "spool-worker", "/etc/spool/spool.yaml", "without settings")
    example = machine.run("timeout 60 spool coordinator --config /usr/share/doc/spool/examples/spool.yaml.example", check=False)
    expect(example.returncode == 69 and "db.internal" in example.stdout, "the example of the settings is understood", example.stdout)
    machine.run(SERVERS)
    machine.run(SETTINGS + "chown root:spool /etc/spool/*; chmod 640 /etc/spool/*; systemctl reset-failed")
    machine.run("echo PGPASSWORD=wrong > /etc/spool/environment")
    status = machine.run("systemctl start spool-migrate; journalctl -q --no-pager -u spool-migrate", check=False).stdout
    expect("password authentication failed" in status, "the migration names a wrong password", status)
    machine.run("systemctl start spool-coordinator")
    until(lambda: machine.run("systemctl show -P NRestarts spool-coordinator").strip() not in ("0", "1"), "restarts", 30)
    passed("a coordinator with a wrong password is started again and again")
    machine.run("echo PGPASSWORD=right > /etc/spool/environment; systemctl start spool-migrate")
    until(lambda: ready(machine), "the coordinator is ready", 30)
    passed("with the right password it starts by itself")
    machine.run("systemctl enable --now spool-worker")
    machine.run("""set -a; . /etc/spool/environment; set +a; umask 077
        echo SPOOL_SERVER=http://127.0.0.1:7788 > client.env
        echo SPOOL_TOKEN=$(spool token create default admin --database-url postgresql://spool@127.0.0.1/spool) >> client.env
        mkdir film; spool sample-media film/media; cp /usr/share/doc/spool/examples/first-light.json film""")
    user = machine.run("ps -o user= -p $(systemctl show -P MainPID spool-worker)").strip()
    expect(user == "spool", "the worker runs as the user spool")

    local = machine.run("cd film; spool export first-light.json -o local.mp4 > /dev/null 2>&1; sha256sum < local.mp4")
    export = submit(machine)
    isolated(machine)
    machine.run("kill -KILL $(systemctl show -P MainPID spool-worker)")
    passed("the worker was killed while it rendered")
    expect(film(machine, export) == local, "systemd started it again, and the film has the local bytes " + local.split()[0])

    export = submit(machine, start=1.3)
    until(lambda: busy(machine), "a job runs", 60)
    machine.run("systemctl restart postgresql redis-server spool-coordinator spool-worker")
    until(lambda: ready(machine), "the coordinator is ready", 60)
    local = machine.run("cd film; spool export other.json -o local.mp4 > /dev/null 2>&1; sha256sum < local.mp4")
    expect(film(machine, export) == local, "all units were restarted while it rendered, and the film has the local bytes")

    export = submit(machine, start=1.1)
    until(lambda: busy(machine), "a job runs", 60)
    machine.run("apt-get install -y --no-install-recommends ./newer.deb", timeout=120)
    expect(machine.run("dpkg-query -W -f '${Version}' spool") == "0.2.0", "an upgrade installs while a job runs")
    log = machine.run("journalctl -q --no-pager -u spool-worker")
    expect(machine.run("systemctl is-active spool-worker spool-coordinator").split() == ["active", "active"],
           "after it the worker, which had drained, and the coordinator run", log)
    expect("Failed with result" not in log.split("Stopping")[-1], "the worker drained cleanly", log)
    local = machine.run("cd film; spool export other.json -o local.mp4 > /dev/null 2>&1; sha256sum < local.mp4")
    expect(film(machine, export) == local, "the film of that time has the local bytes")

    machine.run("apt-get install -y --reinstall --no-install-recommends ./newer.deb")
    expect(machine.run("systemctl is-active spool-worker").strip() == "active", "a reinstallation leaves the worker running")
    full_disk(machine)

    machine.run("reboot", check=False)
    machine.stop()
    machine.boot()
    until(lambda: ready(machine, "spool-worker"), "the worker runs after the machine has started again", 60)
    state = machine.run("systemctl is-active spool-coordinator", check=False).stdout.strip()
    expect(state == "inactive", "after a restart of the machine what is enabled runs: the worker, and not the coordinator")

    machine.run("apt-get remove -y spool")
    left = machine.run("ls /etc/spool /usr/bin/spool* 2>&1; pgrep -x spool", check=False).stdout
    expect("spool.yaml" in left and "No such file" in left and not left.strip()[-1].isdigit(), "a removal stops the worker and keeps the settings", left)
    machine.run("apt-get install -y --no-install-recommends ./newer.deb")
    machine.run("touch /var/lib/spool/kept; apt-get purge -y spool")
    left = machine.run("ls -d /etc/spool /var/cache/spool /var/lib/spool/kept /srv/old/.spool-store 2> /dev/null", check=False).stdout
    expect(left.split() == ["/srv/old/.spool-store", "/var/lib/spool/kept"],
           "a purge removes settings and copies, and leaves the store and other files", left)


def installed_below_a_prefix(network):
    """`make install` puts programs, manual, completions and units below its prefix, and the units start these programs."""
    root = network.directory / "installed"
    run(["make", "-s", "install", f"PROGRAMS={PROGRAMS}", "PREFIX=/opt/spool", f"DESTDIR={root}"], cwd=ROOT)
    unit = (root / "opt/spool/lib/systemd/system/spool-worker.service").read_text()
    expect("ExecStart=/opt/spool/bin/spool worker" in unit, "make install PREFIX=/opt/spool makes units for the prefix")
    names = " ".join(str(each.relative_to(root / "opt/spool")) for each in sorted((root / "opt/spool").rglob("*")) if each.is_file())
    expect(all(each in names for each in ("bin/spool-render", "share/man/man1/spool-job-ls.1.gz", "share/zsh/site-functions/_spool",
                                          "share/fish/vendor_completions.d/spool.fish")), "with man pages and completions", names)
    complaints = run("for each in share/man/man1/*.gz; do zcat $each | mandoc -T lint -W error || exit 1; done",
                     shell=True, cwd=root / "opt/spool", check=False)
    expect(complaints.returncode == 0 and complaints.stdout == "", "mandoc finds no error in the man pages", complaints.stdout)
    sizes = {each.name: (each.stat().st_size >> 20) for each in (root / "opt/spool/bin").iterdir()}
    passed(f"programs without symbols, in MB: {sizes}; the package has {packages.newest().stat().st_size >> 20} MB")


def fails(machine, unit, text, when):
    """Expects that a unit fails for good with a message."""
    machine.run(f"systemctl start {unit}", check=False)
    state = until(lambda: machine.run(f"systemctl is-failed {unit}", check=False).stdout.strip() == "failed", f"{unit} fails", 20)
    log = machine.run(f"journalctl -q --no-pager -u {unit}")
    expect(state and text in log, f"{unit} fails {when} and names the cause", log)
    shown = machine.run(f"systemctl show -P NRestarts {unit}").strip()
    expect(shown == "0", "it is not started again, because its settings are wrong", log)


def ready(machine, unit="spool-coordinator"):
    if unit == "spool-coordinator":
        return machine.run("ss -ltn | grep -q :7788", check=False).returncode == 0
    return machine.run(f"systemctl is-active {unit}", check=False).stdout.strip() == "active"


def submit(machine, start=1):
    return machine.run(f"""set -e; set -a; . ./client.env; set +a; cd film
        sed 's/"start": 1,/"start": {start},/' first-light.json > other.json; spool submit other.json 2> /dev/null""").strip()


def busy(machine):
    return machine.run("pgrep -f spool-render", check=False).returncode == 0


def isolated(machine):
    """Expects the rendering process to be without a network, in spite of the unit's restrictions."""
    until(lambda: busy(machine), "a job runs", 60)
    network = until(lambda: machine.run(
        """main=$(systemctl show -P MainPID spool-worker)
           for each in $(pgrep -f spool-render); do
             [ "$(readlink /proc/$each/ns/net)" != "$(readlink /proc/$main/ns/net)" ] && echo apart; done""",
        check=False).stdout, "rendering processes have a network namespace of their own", 20)
    expect("apart" in network, "rendering processes have no network")


def film(machine, export):
    return machine.run(f"""set -e; set -a; . ./client.env; set +a; cd film; rm -f farm.mp4
        spool watch {export} > /dev/null 2>&1; spool download {export} -o farm.mp4 > /dev/null 2>&1; sha256sum < farm.mp4""", timeout=300)


def full_disk(machine):
    """Fills the store's disk: nothing fails, the worker says why it waits, and goes on when there is room."""
    machine.run("""systemctl stop spool-worker spool-coordinator
        mkdir /srv/full; mv /srv/spool /srv/old; mkdir /srv/spool; mount -t tmpfs -o size=40m tmpfs /srv/spool
        cp -a /srv/old/. /srv/spool; chown spool:spool /srv/spool
        systemctl start spool-coordinator spool-worker""")
    until(lambda: ready(machine), "the coordinator is ready", 30)
    export = submit(machine, start=1.2)
    machine.run("dd if=/dev/zero of=/srv/spool/filler bs=1M status=none", check=False)
    said = until(lambda: next((each for each in [machine.run(
        "set -a; . ./client.env; set +a; spool worker ls --json", check=False).stdout] if "pausedFor" in each), ""),
        "the worker takes no jobs", 60)
    expect("spa" in said or "full" in said or "pausedFor" in said, "a full disk pauses the worker, which says why", said)
    machine.run("rm /srv/spool/filler")
    local = machine.run("cd film; spool export other.json -o local.mp4 > /dev/null 2>&1; sha256sum < local.mp4")
    expect(film(machine, export) == local, "with room again the film is made, with the local bytes")


if __name__ == "__main__":
    main(test)
