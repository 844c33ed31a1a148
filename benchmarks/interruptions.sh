#!/usr/bin/env bash
# Measures what interruptions cost a farm that works through a backlog of EXPORTS drafts (default 3000), each of four
# clips of 0.2 s with sound at 64x64:
#
# - The leading coordinator is stopped (SIGSTOP), and later the leader is killed (SIGKILL). Prints the seconds until
#   another coordinator dispatches the next job, and what the stopped one changed after it went on (SIGCONT).
# - Redis is stopped for each number of seconds in PAUSES (default "22 120"), and the worker from two seconds before the
#   end of the pause until eight seconds after it. Prints how many attempts that cost.
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/own-farm.sh
spool=$PWD/.build/release/spool
program=$(readlink -f "$spool")
work=$(mktemp -d)
chmod 755 "$work"
second=
trap '[ -z "$second" ] || kill -KILL "$second" 2> /dev/null || true; stop_farm; rm -rf "$work"' EXIT
"$spool" sample-media "$work/media" > /dev/null
python3 - "${EXPORTS:-3000}" "$work/media/meadow.mp4" > "$work/drafts.ndjson" << 'PYTHON'
import json, sys
for number in range(int(sys.argv[1])):
    clips = [{"type": "av", "url": sys.argv[2], "timeRange": {"start": f"{number * 10 + clip}/100000", "duration": 0.2}}
             for clip in range(4)]
    print(json.dumps({"version": 1, "videoSize": {"width": 64, "height": 64}, "frameRate": 30, "mainTrackClips": clips}))
PYTHON

start_farm "$work/farm"
first=$(pgrep -f "^$program-coordinator --port 7799")
worker=$(pgrep -f "^$program worker" | head -1)
redis=$(pgrep -P "$(pgrep -f "[g]uard .*$work/farm/redis/log")")
setting() { tr '\0' '\n' < "/proc/$first/environ" | sed -n "s/^$1=//p"; }
database=$(setting SPOOL_DATABASE_URL)
query() { psql -qtAX "$database" -c "$1"; }
env SPOOL_DATABASE_URL="$database" SPOOL_REDIS_URL="$(setting SPOOL_REDIS_URL)" SPOOL_STORE="$(setting SPOOL_STORE)" \
  "$spool" coordinator --port 7798 > "$work/second.log" 2>&1 &
second=$!
"$spool" submit - < "$work/drafts.ndjson" > "$work/ids" 2> "$work/errors" || { tail -3 "$work/errors" >&2; exit 1; }
echo "$(wc -l < "$work/ids") exports are submitted, $(query "SELECT count(*) FROM jobs WHERE state = 'ready'") jobs are ready"

# Prints the seconds from a time of the database until the first dispatch after it.
next_dispatch() {
  local found
  for _ in $(seq 400); do
    found=$(query "SELECT extract(epoch FROM min(dispatched_at) - '$1') FROM attempts WHERE dispatched_at > '$1'")
    [ -z "$found" ] || { printf '%.2f' "$found"; return; }
    sleep 0.05
  done
  echo "no dispatch for 20 s" >&2
  exit 1
}
# A dispatch that was under way when the signal came is not counted, so the times begin a moment later.
moment() { sleep 0.3; query "SELECT clock_timestamp()"; }

kill -STOP "$first"
stopped=$(moment)
echo "leader stopped: the next job is dispatched after $(next_dispatch "$stopped") s and 0.3 s"
epoch=$(query "SELECT epoch FROM lead")
kill -CONT "$first"
sleep 5
echo "the stopped leader goes on: the epoch was $epoch and is $(query "SELECT epoch FROM lead");" \
  "$(query "SELECT count(*) FROM jobs WHERE state IN ('dispatched', 'running') GROUP BY tenant_id, artifact_key HAVING count(*) > 1" |
    wc -l) jobs are twice in flight"
kill -KILL "$second"
wait "$second" 2> /dev/null || true
second=
killed=$(moment)
echo "leader killed: the next job is dispatched after $(next_dispatch "$killed") s and 0.3 s"

for pause in ${PAUSES:-22 120}; do
  before=$(query "SELECT count(*) FROM attempts WHERE state IN ('lost', 'failed')")
  kill -STOP "$redis"
  sleep "$((pause - 2))"
  kill -STOP "$worker"
  sleep 2
  kill -CONT "$redis"
  sleep 8
  kill -CONT "$worker"
  since=$(query "SELECT clock_timestamp()")
  resumed=$(next_dispatch "$since")
  sleep 20
  echo "Redis away for $pause s, the worker stopped around the end: $((
    $(query "SELECT count(*) FROM attempts WHERE state IN ('lost', 'failed')") - before)) attempts lost or failed," \
    "$(query "SELECT count(*) FROM jobs WHERE failures <> '{}'") jobs with failures; dispatched again after $resumed s"
done
