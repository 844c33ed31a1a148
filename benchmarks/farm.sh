#!/usr/bin/env bash
# Measures the cost of the farm over `spool export` for the same draft on this machine: wall time and processor time of
# both, alternating, RUNS times each (default 3), the medians and their ratio, and the time from submit to the first
# segment running. Every run begins with an empty cache and a new farm. The farm's time is that of the servers, the
# coordinator, the worker and the client, from submit to the downloaded film. Draws its own sources.
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/own-farm.sh
source benchmarks/measure.sh
spool=$PWD/.build/release/spool
draft=${DRAFT:-}
runs=${RUNS:-3}
work=$(mktemp -d)
chmod 755 "$work"
trap 'stop_farm; rm -rf "$work"' EXIT
if [ -z "$draft" ]; then
  "$spool" sample-media "$work/media" > /dev/null
  draft=$work/draft.json
  cp examples/first-light.json "$draft"
fi

# Prints a process and all its descendants.
tree() {
  local child
  echo "$1"
  for child in $(pgrep -P "$1" || true); do tree "$child"; done
}

# Prints the processor seconds that processes have used so far, including children that have ended.
cpu() {
  local process total=0 ticks
  for process in "$@"; do
    ticks=$(awk '{sub(/^.*\) /, ""); print $12 + $13 + $14 + $15}' "/proc/$process/stat" 2> /dev/null || echo 0)
    total=$((total + ticks))
  done
  awk "BEGIN {print $total / $(getconf CLK_TCK)}"
}

# Prints the seconds from the export's acceptance to the start of its first segment.
first_segment() {  # export
  "$spool" status "$1" --json > "$work/export.json"
  "$spool" job ls --export "$1" --json > "$work/jobs.json"
  python3 - "$work" << 'PYTHON'
import datetime, json, sys
read = lambda name: json.load(open(f"{sys.argv[1]}/{name}.json"))
time = lambda text: datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
started = min(time(job["startedAt"]) for job in read("jobs") if job["kind"] == "video" and "startedAt" in job)
print((started - time(read("export")[0]["createdAt"])).total_seconds())
PYTHON
}

minus() { awk "BEGIN {print $1 - $2}"; }
for list in local.wall local.cpu farm.wall farm.cpu first; do : > "$work/$list"; done

for run in $(seq "$runs"); do
  before=$(cpu $$)
  start=$EPOCHREALTIME
  "$spool" export "$draft" -o "$work/local.mp4" --cache "$work/cache$run" > /dev/null 2>&1
  minus "$EPOCHREALTIME" "$start" >> "$work/local.wall"
  minus "$(cpu $$)" "$before" >> "$work/local.cpu"

  start_farm "$work/farm$run"
  before=$(cpu $$ $(tree "$farm"))
  start=$EPOCHREALTIME
  id=$("$spool" submit "$draft" 2> /dev/null)
  "$spool" watch "$id" > /dev/null 2>&1
  "$spool" download "$id" -o "$work/farm.mp4" > /dev/null
  minus "$EPOCHREALTIME" "$start" >> "$work/farm.wall"
  minus "$(cpu $$ $(tree "$farm"))" "$before" >> "$work/farm.cpu"
  first_segment "$id" >> "$work/first"
  stop_farm
  cmp "$work/local.mp4" "$work/farm.mp4"
  printf 'run %d: local %5.2f s, %5.2f s of processor   farm %5.2f s, %5.2f s   first segment after %.2f s\n' "$run" \
    "$(tail -1 "$work/local.wall")" "$(tail -1 "$work/local.cpu")" "$(tail -1 "$work/farm.wall")" \
    "$(tail -1 "$work/farm.cpu")" "$(tail -1 "$work/first")"
done
awk -v a="$(median < "$work/local.wall")" -v b="$(median < "$work/farm.wall")" -v c="$(median < "$work/local.cpu")" \
  -v d="$(median < "$work/farm.cpu")" -v n="$runs" \
  'BEGIN {printf "median of %d: farm over local %.3f in wall time, %.3f in processor time; films identical\n", n, b / a, d / c}'
echo "submit to the first segment running (median): $(median < "$work/first") s"
