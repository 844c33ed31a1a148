#!/usr/bin/env bash
# Measures the memory that Redis needs for WORKERS workers (default 1000) of 4 slots. A farm of one worker renders drafts
# of five clips; its heartbeat and a ticket of its queue are then stored in another Redis as often as a farm of that size
# has them: a heartbeat and a stream for each worker, and a ticket for each slot and a quarter more.
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/own-farm.sh
spool=$PWD/.build/release/spool
workers=${WORKERS:-1000}
work=$(mktemp -d)
chmod 755 "$work"
empty=
trap '[ -z "$empty" ] || kill "$empty" 2> /dev/null || true; stop_farm; rm -rf "$work"' EXIT
"$spool" sample-media "$work/media" > /dev/null
python3 - "$work/media/meadow.mp4" > "$work/drafts.ndjson" << 'PYTHON'
import json, sys
for number in range(60):
    clips = [{"type": "av", "url": sys.argv[1], "timeRange": {"start": f"{number * 10 + clip}/100000", "duration": 1}}
             for clip in range(5)]
    print(json.dumps({"version": 1, "videoSize": {"width": 1280, "height": 720}, "mainTrackClips": clips}))
PYTHON
start_farm "$work/farm"
coordinator=$(pgrep -f "^$(readlink -f "$spool")-coordinator --port 7799")
url=$(tr '\0' '\n' < "/proc/$coordinator/environ" | sed -n 's/^SPOOL_REDIS_URL=//p')
"$spool" submit - < "$work/drafts.ndjson" > /dev/null 2>&1
# redis://:PASSWORD@HOST:PORT
ask() { REDISCLI_AUTH=$(sed -E 's|^[^:]+://[^:]*:([^@]*)@.*|\1|' <<< "$url") redis-cli -h 127.0.0.1 -p "${url##*:}" "$@"; }
# The ticket of a segment, and not the shorter one of a probe.
until ask --raw XRANGE spool:jobs:video:default - + COUNT 100 | grep -m 1 '"segment"' > "$work/ticket"; do sleep 0.05; done
worker=$(ask --raw SMEMBERS spool:workers | head -1)
ask --raw GET "spool:worker:$worker" > "$work/status"
source=$(ask --raw KEYS 'spool:source:*' | head -1)
[ -z "$source" ] || ask --raw GET "$source" > "$work/source"
redis-server --port 0 --unixsocket "$work/redis.sock" --save '' --appendonly no --dir "$work" > /dev/null &
empty=$!
until redis-cli -s "$work/redis.sock" PING > /dev/null 2>&1; do sleep 0.1; done
python3 - "$work" "$workers" << 'PYTHON'
import os, socket, sys
work, workers = sys.argv[1], int(sys.argv[2])
read = lambda name: open(f"{work}/{name}", "rb").read().strip()
link = socket.socket(socket.AF_UNIX)
link.connect(f"{work}/redis.sock")
answers = link.makefile("rb")
def ask(*words):
    words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
    link.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words))
    line = answers.readline()
    if line[:1] == b"-": raise SystemExit(line.decode())
    return answers.read(int(line[1:]) + 2) if line[:1] == b"$" and line[1:2] != b"-" else line
def used(): return int(next(l for l in ask("INFO", "memory").splitlines() if l.startswith(b"used_memory:")).split(b":")[1])
before, status, ticket = used(), read("status"), read("ticket")
for number in range(workers):
    ask("SET", f"spool:worker:w{number:05}", status, "EX", 3600)
    ask("SADD", "spool:workers", f"w{number:05}")
    ask("XGROUP", "CREATE", f"spool:worker-jobs:w{number:05}", "workers", "0", "MKSTREAM")
after_workers = used()
for number in range(workers * 5): ask("XADD", "spool:jobs:video:default", "*", "json", ticket)
after_tickets = used()
print(f"a heartbeat has {len(status)} bytes, a ticket {len(ticket)}"
      + (f", a source that tickets name {len(read('source'))}" if os.path.exists(f"{work}/source") else ""))
print(f"{workers} workers: {(after_workers - before) / 1e6:.1f} MB for heartbeats and streams, "
      f"{(after_tickets - after_workers) / 1e6:.1f} MB for {workers * 5} tickets")
PYTHON
