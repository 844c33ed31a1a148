#!/usr/bin/python3
"""A rendering process that is not to be trusted: it passes everything on to the real one, and now and then misbehaves.

The environment of rendering processes is cleared, so what it needs to know stands in files beside it: `program`, the path
of the real program, and `rate`, how likely each line of output is to be followed by a misbehaviour.
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time

here = pathlib.Path(__file__).resolve().parent
rate = float((here / "rate").read_text())
child = subprocess.Popen([(here / "program").read_text().strip(), *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def forward():
    while chunk := os.read(0, 1 << 16):
        try:
            child.stdin.write(chunk)
            child.stdin.flush()
        except OSError:
            break
    try:
        child.stdin.close()
    except OSError:
        pass


def say(data):
    while data:
        data = data[os.write(1, data):]


def misbehave():
    kind = random.choice(["garbage", "half", "exit", "killed", "stalled", "twice", "flood", "foreign"])
    if kind == "garbage":
        say(b"\xff\xfe not a message\n")
    elif kind == "half":
        say(b'{"finished"')
        os._exit(0)
    elif kind == "exit":
        os._exit(random.choice([0, 1, 255]))
    elif kind == "killed":
        os.kill(os.getpid(), random.choice([signal.SIGKILL, signal.SIGABRT]))
    elif kind == "stalled":
        time.sleep(5)
    elif kind == "twice":
        say(line)
    elif kind == "flood":
        say(b"x" * (8 << 20))
        os._exit(1)
    else:
        say(b'{"surprise": {}}\n')


threading.Thread(target=forward, daemon=True).start()
for line in child.stdout:
    say(line)
    if random.random() < rate:
        misbehave()
sys.exit(child.wait())
