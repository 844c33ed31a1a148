#!/usr/bin/env bash
# Measures on a farm of processes with two slots that no tenant and no pool holds up another. Films are SIZE large
# (default 1280x720); the larger they are, the longer a segment takes.
#
# - Tenant A has a film of SEGMENTS segments (default 1000). AFTER seconds later (default 66) NEWCOMERS tenants (default 12)
#   submit a film of 3 segments each, one after the other. Prints how long each waits for its first segment, beside the
#   median time of a segment.
# - Then tenant B submits a film of SEGMENTS_OF_B segments (default 300). Prints B's part of the slots' time in each minute
#   in which both have segments. Both have a share of 1.
# - The only worker of the pool 'gpu' is killed while it has tickets. Prints how long a film of the default pool then
#   waits for its first segment beside an idle worker.
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/own-farm.sh
spool=$PWD/.build/release/spool
program=$(readlink -f "$spool")
work=$(mktemp -d)
chmod 755 "$work"
gpu=
trap '[ -z "$gpu" ] || kill -KILL "$gpu" 2> /dev/null || true; stop_farm; rm -rf "$work"' EXIT
"$spool" sample-media "$work/media" > /dev/null

draft() {  # number, clips
  python3 - "$1" "$2" "$work/media/meadow.mp4" "${SIZE:-1280x720}" << 'PYTHON'
import json, sys
number, count, source = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
width, height = map(int, sys.argv[4].split("x"))
clips = [{"type": "av", "url": source, "timeRange": {"start": f"{number * 1000 + clip}/1000000", "duration": 1}, "volume": 0}
         for clip in range(count)]
print(json.dumps({"version": 1, "videoSize": {"width": width, "height": height}, "frameRate": 30, "mainTrackClips": clips}))
PYTHON
}
start_farm "$work/farm"
coordinator=$(pgrep -f "^$program-coordinator --port 7799")
setting() { tr '\0' '\n' < "/proc/$coordinator/environ" | sed -n "s/^$1=//p"; }
database=$(setting SPOOL_DATABASE_URL)
query() { psql -qtAX "$database" -c "$1"; }
token() { "$spool" token create "$1" films --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["secret"])'; }
"$spool" tenant create a > "$work/a.log"
"$spool" tenant create b > "$work/b.log"
a=$(token a)
b=$(token b)
# Submits a film of some segments, and prints its id.
submit() {  # token, number, clips, option...
  draft "$2" "$3" > "$work/draft$2.json"
  "$spool" submit "$work/draft$2.json" --token "$1" --set encoderSpeed=slower "${@:4}" 2>> "$work/submit.log"
}
# Waits until an export's first segment has ended, and prints how long the segment's start took from the submission.
first_start() {  # export
  local found=
  until [ -n "$found" ]; do
    sleep 0.2
    found=$(query "SELECT round(extract(epoch FROM min(jobs.started_at) - min(exports.created_at)), 2) FROM jobs
      JOIN exports ON exports.id = export_id WHERE export_id = '$1' AND kind = 'video' AND jobs.finished_at IS NOT NULL")
  done
  echo "$found"
}
ended() { [ "$(query "SELECT count(*) FROM exports WHERE id = '$1' AND finished_at IS NOT NULL")" -eq 1 ]; }

submit "$a" 1 "${SEGMENTS:-1000}" > "$work/id"
sleep "${AFTER:-66}"
waits=()
for ((newcomer = 1; newcomer <= ${NEWCOMERS:-12}; newcomer++)); do
  "$spool" tenant create "new$newcomer" > "$work/new.log"
  film=$(submit "$(token "new$newcomer")" $((10 + newcomer)) 3)
  waits+=("$(first_start "$film")")
  until ended "$film"; do sleep 0.3; done
done
typical=$(query "SELECT round(extract(epoch FROM percentile_cont(0.5) WITHIN GROUP (ORDER BY finished_at - started_at)), 2)
  || ' s at the median, ' || round(extract(epoch FROM max(finished_at - started_at)), 2) || ' s at most' FROM jobs WHERE kind = 'video' AND finished_at IS NOT NULL")
echo "a segment takes $typical; the first segments of new tenants began after $(printf '%s\n' "${waits[@]}" | sort -n | paste -sd ' ') s"
many=$(submit "$b" 3 "${SEGMENTS_OF_B:-300}")
until ended "$many"; do sleep 1; done
# The minutes from the first start of a segment of B's second film to the last one.
query "WITH limits AS (SELECT min(started_at) AS first, max(started_at) AS last FROM jobs WHERE export_id = '$many' AND kind = 'video'),
  minutes AS (SELECT number, first + number * interval '1 minute' AS begins, first + (number + 1) * interval '1 minute' AS ends
    FROM limits, generate_series(0, 100) AS number WHERE first + (number + 1) * interval '1 minute' <= last),
  parts AS (SELECT number, name, sum(extract(epoch FROM least(finished_at, ends) - greatest(started_at, begins))) AS seconds
    FROM minutes, jobs JOIN tenants ON tenants.id = tenant_id
    WHERE kind = 'video' AND started_at < ends AND finished_at > begins GROUP BY number, name)
  SELECT 'minute ' || number + 1 || ': B has ' || round(100 * sum(seconds) FILTER (WHERE name = 'b') / sum(seconds), 1)
    || ' % of the slots'' time' FROM parts GROUP BY number ORDER BY number"

# Everything else is cancelled, so that the worker of the default pool is idle.
"$spool" cancel $(query "SELECT id FROM exports WHERE finished_at IS NULL") > "$work/cancelled.log"
env SPOOL_DATABASE_URL="$database" SPOOL_REDIS_URL="$(setting SPOOL_REDIS_URL)" SPOOL_STORE="$(setting SPOOL_STORE)" \
  "$spool" worker run --name gpu1 --pools gpu --slots 6 > "$work/gpu.log" 2>&1 &
gpu=$!
disown "$gpu"
lane=$(submit "$a" 4 60 --pool gpu)
first_start "$lane" > "$work/gpu-start"
kill -KILL "$gpu"
gpu=
sent=$(query "SELECT count(*) FROM jobs WHERE export_id = '$lane' AND state IN ('dispatched', 'running')")
echo "the worker of pool gpu is killed with $sent jobs; a film of the default pool began after $(first_start "$(submit "$b" 5 3)") s"
