#!/usr/bin/env bash
# Submits EXPORTS drafts (default 10000) of CLIPS clips (default 45, which are 50 jobs) each as lines on standard input of
# one `spool submit`, while the farm renders them. It prints how long acceptance takes, the coordinator's memory at the
# beginning and every PAUSE seconds (default 10), how soon an operator has answers meanwhile, and how long an urgent
# export, submitted into the backlog, waits for its first job. Then it stops; the backlog is not rendered to its end.
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/own-farm.sh
spool=$PWD/.build/release/spool
exports=${EXPORTS:-10000}
pause=${PAUSE:-10}
work=$(mktemp -d)
chmod 755 "$work"
trap 'stop_farm; rm -rf "$work"' EXIT
"$spool" sample-media "$work/media" > /dev/null

# 45 clips with sound are 45 video segments, three segments of sound, a soundtrack and a film. No two clips of the batch are
# the same.
clips=${CLIPS:-45}
draft() {  # first number, count
  python3 - "$1" "$2" "$clips" "$work/media/meadow.mp4" << 'PYTHON'
import json, sys
first, count, clips, source = *map(int, sys.argv[1:4]), sys.argv[4]
for number in range(first, first + count):
    track = [{"type": "av", "url": source, "timeRange": {"start": f"{number * 50 + clip}/1000000", "duration": 0.2}}
             for clip in range(clips)]
    print(json.dumps({"version": 1, "videoSize": {"width": 64, "height": 64}, "frameRate": 24, "mainTrackClips": track}))
PYTHON
}
draft 0 "$exports" > "$work/drafts.ndjson"
draft "$exports" 1 > "$work/urgent.json"

start_farm "$work/farm"
coordinator=$(pgrep -f "^$(readlink -f "$spool")-coordinator --port 7799")
memory() { awk '/VmRSS/ {rss = $2} /VmHWM/ {peak = $2} END {printf "%.1f MB now, %.1f MB at most", rss / 1000, peak / 1000}' "/proc/$coordinator/status"; }
# Prints the milliseconds that a command takes, its start included.
milliseconds() {
  local start=$EPOCHREALTIME
  "$spool" "$@" > /dev/null
  awk "BEGIN {printf \"%.0f\", ($EPOCHREALTIME - $start) * 1000}"
}
answers() { echo "queue ls $(milliseconds queue ls) ms, job show $(milliseconds job show 1) ms, status $(milliseconds status "$1") ms"; }

"$spool" submit "$work/urgent.json" --label warm-up --wait > "$work/first" 2> /dev/null
first=$(head -1 "$work/first")
echo "coordinator before: $(memory)"
start=$EPOCHREALTIME
"$spool" submit - < "$work/drafts.ndjson" > "$work/ids" 2> "$work/errors" &
client=$!
while kill -0 "$client" 2> /dev/null; do
  sleep 2
  answers "$first"
done
wait "$client" || { tail -3 "$work/errors" >&2; exit 1; }
awk "BEGIN {printf \"%d exports accepted in %.1f s\n\", $(wc -l < "$work/ids"), $EPOCHREALTIME - $start}"
echo "coordinator: $(memory)"
for look in 1 2 3 4 5 6; do
  sleep "$pause"
  echo "$(awk "BEGIN {printf \"%.0f s\", $EPOCHREALTIME - $start}"): coordinator $(memory); $(answers "$first")"
done
"$spool" queue ls
draft "$((exports + 1))" 1 > "$work/urgent.json"
urgent=$("$spool" submit "$work/urgent.json" --priority 100 --label urgent)
"$spool" watch "$urgent" > /dev/null 2>&1 || true
"$spool" status "$urgent" --json > "$work/export.json"
"$spool" job ls --export "$urgent" --json > "$work/jobs.json"
"$spool" job ls --state done --json > "$work/others.json"
python3 - "$work" << 'PYTHON'
import datetime, json, statistics, sys
read = lambda name: json.load(open(f"{sys.argv[1]}/{name}.json"))
time = lambda text: datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
created = time(read("export")[0]["createdAt"])
jobs = read("jobs")
started = min(time(job["startedAt"]) for job in jobs if job["kind"] != "probe" and "startedAt" in job)
took = [(time(job["finishedAt"]) - time(job["startedAt"])).total_seconds() for job in read("others") if "startedAt" in job]
print(f"urgent export: first job started after {(started - created).total_seconds():.2f} s; "
      f"a job of the batch takes {statistics.median(took):.2f} s at the median, {max(took):.2f} s at most")
PYTHON
