"""A disk that loses its power: a file system in a file that drops everything that is not on the disk yet."""
import fcntl
import os
import select
import signal
import subprocess
import time

import servers

# EXT4_IOC_SHUTDOWN and XFS_IOC_GOINGDOWN are the same call. With this argument the journal is not flushed either.
SHUTDOWN = 0x8004587D
WITHOUT_FLUSH = (2).to_bytes(4, "little")

# Kinds of file systems, with options by which they keep as little as they are allowed to: ext4 orders neither data nor the
# replacement of files before their names, and writes its journal late.
KINDS = {
    "ext4": (["mkfs.ext4", "-q", "-F"], "commit=300"),
    "ext4, data in any order": (["mkfs.ext4", "-q", "-F"], "data=writeback,noauto_da_alloc,commit=300"),
    "xfs": (["mkfs.xfs", "-q", "-f"], "rw"),
}


class Disk:
    """A file system of its own, mounted at a directory."""

    def __init__(self, image, directory, kind, megabytes=1024):
        self.directory, self.options = directory, KINDS[kind][1]
        self.image = image
        with open(image, "wb") as file:
            file.truncate(megabytes << 20)
        subprocess.run([*KINDS[kind][0], str(image)], check=True, stdout=subprocess.DEVNULL)
        directory.mkdir(exist_ok=True)
        self.mount()

    def mount(self):
        subprocess.run(["mount", "-o", f"loop,{self.options}", str(self.image), str(self.directory)], check=True)

    def unmount(self):
        # Processes that were killed may take a moment to close their files.
        for _ in range(100):
            done = subprocess.run(["umount", str(self.directory)], capture_output=True, text=True)
            if done.returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError(done.stderr)

    def cut(self, pids):
        """Cuts the power of a machine with this disk: none of its processes does anything any more, and what they have written
        is there only where it has reached the disk. The disk is mounted again, which replays its journal."""
        pids = [pid for root in pids for pid in servers.descendants(root)]
        servers.send(pids, signal.SIGSTOP)
        descriptor = os.open(self.directory, os.O_RDONLY)
        fcntl.ioctl(descriptor, SHUTDOWN, WITHOUT_FLUSH)
        os.close(descriptor)
        servers.send(pids, signal.SIGKILL)
        for pid in pids:
            wait(pid)
        self.unmount()
        self.mount()


def wait(pid):
    """Waits until a process has ended. A child of this process is reaped by whoever has started it."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        if not select.select([descriptor], [], [], 10)[0]:
            raise RuntimeError(f"process {pid} does not end")
    finally:
        os.close(descriptor)
