"""Machines for tests of the deployment: networks of namespaces, systemd machines, and containers of the image.

A network is a bridge in a network namespace of its own, so that the machine that tests run on has no new device. A machine
is a minimal Debian that systemd-nspawn boots on a copy-on-write layer. A container runs the image's root file system with
crun: as the image's user, without capabilities and with a read-only root. All of it ends with `Network.close`.
"""
import atexit
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / ".build" / "deployment"
PROGRAMS = pathlib.Path(os.environ.get("PROGRAMS") or ROOT / ".build" / "release")
if not PROGRAMS.is_absolute():
    PROGRAMS = ROOT / PROGRAMS


class Failure(Exception):
    """A command that failed, with what it printed."""


def run(command, check=True, timeout=300, **options):
    """Runs a command of the machine that tests run on, and gives what it printed on both outputs."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout, **options)
    if check and done.returncode != 0:
        raise Failure(f"{command} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout if check else done


def passed(sentence):
    """Prints what was found to be true."""
    print(f"ok    {sentence}", flush=True)


def expect(condition, sentence, detail=""):
    if not condition:
        raise Failure(f"not true: {sentence}\n{detail}")
    passed(sentence)


def until(condition, what, timeout=120.0):
    """Waits for a condition, and fails with `what` when it is not met in time."""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.2)
    raise Failure(f"not within {timeout:.0f} s: {what}")


class Network:
    """Namespaces 10.77.0.0/24 on one bridge, without a way to anywhere else."""

    def __init__(self):
        self.label = f"spool{os.getpid()}"
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="run-", dir=BUILD))
        self.addresses, self.ends, self.namespaces, self.machines = {}, [], [], []
        atexit.register(self.close)
        self._namespace("bridge")
        self._in("bridge", "ip", "link", "add", "br0", "type", "bridge")
        self._in("bridge", "ip", "link", "set", "br0", "up")

    def _namespace(self, name):
        run(["ip", "netns", "add", self.namespace(name)])
        self.namespaces.append(self.namespace(name))
        self._in(name, "ip", "link", "set", "lo", "up")

    def namespace(self, name):
        return f"{self.label}-{name}"

    def _in(self, name, *command):
        return run(["ip", "netns", "exec", self.namespace(name), *command])

    def add(self, name):
        """Adds a namespace with an address, which is returned."""
        address = f"10.77.0.{len(self.addresses) + 1}"
        self.addresses[name] = address
        self._namespace(name)
        port = f"p{len(self.addresses)}"
        self._in("bridge", "ip", "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", self.namespace(name))
        self._in("bridge", "ip", "link", "set", port, "master", "br0", "up")
        self._in(name, "ip", "address", "add", f"{address}/24", "dev", "eth0")
        self._in(name, "ip", "link", "set", "eth0", "up")
        return address

    def bytes(self, name):
        """The bytes that the network device of a namespace has sent and received so far."""
        folder = "/sys/class/net/eth0/statistics"
        counted = self._in(name, "cat", f"{folder}/rx_bytes", f"{folder}/tx_bytes")
        return sum(int(number) for number in counted.split())

    def hosts(self, suffix=""):
        lines = ["127.0.0.1 localhost"]
        lines += [f"{address} {name}{suffix} {name}" for name, address in self.addresses.items()]
        return "\n".join(lines) + "\n"

    def start(self, name, command, log, **options):
        """Starts a process of this machine in a namespace; it ends with the network."""
        output = open(self.directory / log, "ab")
        process = subprocess.Popen(
            ["ip", "netns", "exec", self.namespace(name), "setpriv", "--pdeathsig", "KILL", *command],
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, **options)
        self.ends.append(lambda: _end(process))
        return process

    def close(self):
        atexit.unregister(self.close)
        for end in reversed(self.ends):
            try:
                end()
            except (Failure, OSError, subprocess.SubprocessError) as error:
                print(f"while stopping: {error}", file=sys.stderr)
        self.ends = []
        for name in self.namespaces:
            run(["ip", "netns", "del", name], check=False)
        shutil.rmtree(self.directory, ignore_errors=True)


def _end(process, wait=20):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(wait)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Overlay:
    """A copy-on-write layer on a root file system, mounted in the network's directory."""

    def __init__(self, network, name, lower, size=None):
        self.place = network.directory / name
        self.root = self.place / "root"
        layer = self.place / "layer"
        for folder in (self.root, layer):
            folder.mkdir(parents=True)
        if size:  # a disk of its own, which can be filled
            run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(layer)])
            network.ends.append(lambda: run(["umount", "-l", str(layer)], check=False))
        (layer / "upper").mkdir()
        (layer / "work").mkdir()
        options = f"lowerdir={lower},upperdir={layer}/upper,workdir={layer}/work"
        run(["mount", "-t", "overlay", "overlay", "-o", options, str(self.root)])
        network.ends.append(lambda: run(["umount", "-l", str(self.root)], check=False))


class Machine:
    """A Debian with systemd, booted in its own namespaces."""

    def __init__(self, network, name, lower, suffix=".example"):
        self.name, self.network = name, network
        if name not in network.addresses:
            network.add(name)
        self.root = Overlay(network, name, lower).root
        (self.root / "etc/hostname").write_text(f"{name}\n")
        self.hosts(network.hosts(suffix))
        self.log = network.directory / f"{name}.log"
        self.boot()
        network.ends.append(self.stop)
        network.machines.append(self)

    def hosts(self, text):
        (self.root / "etc/hosts").write_text(text)

    def boot(self):
        self.nspawn = subprocess.Popen(
            ["systemd-nspawn", "--quiet", "--boot", "--register=no", "--keep-unit", "--console=pipe", "--resolv-conf=off",
             f"--network-namespace-path=/run/netns/{self.network.namespace(self.name)}", f"--machine={self.network.label}-{self.name}",
             "-D", str(self.root)],
            stdin=subprocess.DEVNULL, stdout=open(self.log, "ab"), stderr=subprocess.STDOUT)
        self.leader = until(lambda: self._child(), f"{self.name} starts", 20)
        until(lambda: self.run("systemctl is-system-running", check=False).stdout.strip() in ("running", "degraded"),
              f"{self.name} has booted", 60)

    def _child(self):
        if self.nspawn.poll() is not None:
            raise Failure(f"{self.name} ended: {self.log.read_text()}")
        children = pathlib.Path(f"/proc/{self.nspawn.pid}/task/{self.nspawn.pid}/children").read_text().split()
        return int(children[0]) if children else None

    def command(self, script):
        return ["nsenter", "-t", str(self.leader), "-m", "-u", "-i", "-n", "-p", "--", "/usr/bin/env", "-i",
                "HOME=/root", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8",
                "DEBIAN_FRONTEND=noninteractive", "/bin/bash", "-c", f"cd /root && {{ {script}\n}}"]

    def run(self, script, check=True, timeout=300):
        """Runs a script of bash as root on the machine."""
        return run(self.command(script), check=check, timeout=timeout, stdin=subprocess.DEVNULL)

    def copy(self, source, name):
        shutil.copy(source, self.root / "root" / name)

    def stop(self):
        _end(self.nspawn, 90)


class Container:
    """The image's root file system as a container: its user, no capabilities, a read-only root, and /tmp and the cache in
    memory or in a folder of its own."""

    def __init__(self, network, name, words, environment=(), work=None, cache="size=4g", hosts=None):
        self.name, self.network = name, network
        self.bundle = network.directory / f"container-{name}-{time.monotonic_ns()}"
        self.bundle.mkdir()
        image = json.loads((BUILD / "image.json").read_text())["Docker"]["config"]
        (self.bundle / "hosts").write_text(hosts or network.hosts(".example"))
        mounts = [
            {"destination": "/proc", "type": "proc", "source": "proc"},
            {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "strictatime", "mode=755"]},
            {"destination": "/dev/shm", "type": "tmpfs", "source": "shm", "options": ["nosuid", "noexec", "nodev"]},
            {"destination": "/etc/hosts", "type": "bind", "source": str(self.bundle / "hosts"), "options": ["bind", "ro"]},
            {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "nodev", "mode=1777"]},
            {"destination": "/var/cache/spool", "type": "tmpfs", "source": "tmpfs",
             "options": ["nosuid", "nodev", "uid=10001", "gid=10001", *cache.split(",")]},
        ]
        if work:
            mounts.append({"destination": "/home", "type": "bind", "source": str(work), "options": ["bind", "rw"]})
        user, group = (int(number) for number in image["User"].split(":"))
        configuration = {
            "ociVersion": "1.0.0",
            "root": {"path": str(BUILD / "image"), "readonly": True},
            "hostname": name,
            "process": {
                "terminal": False, "user": {"uid": user, "gid": group}, "args": image["Entrypoint"] + list(words),
                "env": image["Env"] + [f"{key}={value}" for key, value in dict(environment).items()],
                "cwd": "/home" if work else image["WorkingDir"], "noNewPrivileges": True,
                "capabilities": {"bounding": [], "effective": [], "permitted": []},
            },
            "mounts": mounts,
            "linux": {
                "namespaces": [{"type": "pid"}, {"type": "mount"}, {"type": "ipc"}, {"type": "uts"},
                               {"type": "network", "path": f"/run/netns/{network.namespace(name)}"}],
                "maskedPaths": ["/proc/kcore", "/proc/keys", "/proc/timer_list"],
                "readonlyPaths": ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys"],
            },
        }
        (self.bundle / "config.json").write_text(json.dumps(configuration))
        self.id = f"{network.label}-{self.bundle.name}"
        self.output = self.bundle / "log"
        self.process = subprocess.Popen(
            self._crun("run", "--bundle", str(self.bundle), self.id),
            stdin=subprocess.DEVNULL, stdout=open(self.output, "ab"), stderr=subprocess.STDOUT)
        network.ends.append(self.remove)

    def _crun(self, *words):
        # crun refuses to run where control groups of both versions are mounted, as on some virtual machines, so it is shown
        # the second version alone. Nothing here is limited by control groups.
        return ["unshare", "--mount", "sh", "-c", 'mount -t cgroup2 cgroup2 /sys/fs/cgroup && exec "$@"', "sh",
                "crun", "--root", str(self.network.directory / "crun"), "--cgroup-manager=disabled", *words]

    @property
    def pid(self):
        return json.loads(run(self._crun("state", self.id)))["pid"]

    def signal(self, number):
        os.kill(self.pid, number)

    def execute(self, *words, timeout=60):
        """Runs another program in the container, as `docker exec` does."""
        return run(self._crun("exec", "--user", "10001:10001", self.id, *words), check=False, timeout=timeout)

    def wait(self, timeout=300):
        return self.process.wait(timeout)

    def log(self):
        return self.output.read_text(errors="replace")

    def remove(self):
        run(self._crun("delete", "--force", self.id), check=False)
        _end(self.process)


def main(test):
    """Runs a test on a network of its own. Where it fails, the logs of all that ran are printed."""
    network = Network()
    try:
        test(network)
    except BaseException:
        for machine in network.machines:
            log = machine.run("journalctl --no-pager -q -o short-precise -n 60 -u 'spool-*'", check=False)
            print(f"--- journal of {machine.name}\n{log.stdout}", flush=True)
        for log in sorted(network.directory.glob("*.log")) + sorted(network.directory.glob("container-*/log")):
            print(f"--- {log.relative_to(network.directory)}\n{log.read_text(errors='replace')[-3000:]}", flush=True)
        raise
    finally:
        network.close()


__all__ = [name for name in dir() if not name.startswith("_")]
