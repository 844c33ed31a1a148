#!/usr/bin/env bash
# Measures what a film costs a farm beside its rendering, at several sizes of a batch: EXPORTS (default "200 1200 5000")
# are submitted at once, each of four clips of 0.2 s with sound at 64x64, which are seven jobs, and rendered to the end.
# Prints the processor seconds of each part of the farm, and of coordinator, PostgreSQL and Redis together per export.
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/own-farm.sh
spool=$PWD/.build/release/spool
work=$(mktemp -d)
chmod 755 "$work"
trap 'stop_farm; rm -rf "$work"' EXIT
"$spool" sample-media "$work/media" > /dev/null

drafts() {  # count
  python3 - "$1" "$work/media/meadow.mp4" << 'PYTHON'
import json, sys
for number in range(int(sys.argv[1])):
    clips = [{"type": "av", "url": sys.argv[2], "timeRange": {"start": f"{number * 10 + clip}/100000", "duration": 0.2}}
             for clip in range(4)]
    print(json.dumps({"version": 1, "videoSize": {"width": 64, "height": 64}, "frameRate": 30, "mainTrackClips": clips}))
PYTHON
}

# Prints the processor seconds of processes, with those of their children that have ended.
cpu() {
  local process total=0 ticks
  for process in "$@"; do
    ticks=$(awk '{sub(/^.*\) /, ""); print $12 + $13 + $14 + $15}' "/proc/$process/stat" 2> /dev/null || echo 0)
    total=$((total + ticks))
  done
  awk "BEGIN {print $total / $(getconf CLK_TCK)}"
}
tree() {
  local child
  echo "$1"
  for child in $(pgrep -P "$1" || true); do tree "$child"; done
}
# Prints how many exports the database has in a state, or in all states that they end in.
exports_in() { psql -qtAX "$database" -c "SELECT count(*) FROM exports WHERE state IN ($1)"; }
ended() { exports_in "'completed', 'failed', 'cancelled'"; }
minus() { awk "BEGIN {print $1 - $2}"; }

printf '%8s %9s %12s %11s %7s %10s %8s %16s\n' EXPORTS SECONDS COORDINATOR POSTGRESQL REDIS RENDERING WORKER 'MS AN EXPORT'
for exports in ${EXPORTS:-200 1200 5000}; do
  rm -rf "$work/farm"
  drafts "$exports" > "$work/drafts.ndjson"
  start_farm "$work/farm"
  program=$(readlink -f "$spool")
  coordinator=$(pgrep -f "^$program-coordinator --port 7799")
  worker=$(pgrep -f "^$program worker run|^$program worker" | head -1)
  database=$(tr '\0' '\n' < "/proc/$coordinator/environ" | sed -n 's/^SPOOL_DATABASE_URL=//p')
  postgres=$(head -1 "$work/farm/postgres/postmaster.pid" 2> /dev/null || find "$work/farm" -name postmaster.pid -exec head -1 {} \;)
  redis=$(pgrep -P "$(pgrep -f "[g]uard .*$work/farm/redis/log")")
  look() { echo "$(cpu "$coordinator") $(cpu $(tree "$postgres")) $(cpu "$redis") $(cpu "$worker") $(cpu $(tree "$worker"))"; }
  read -r c0 p0 r0 w0 t0 <<< "$(look)"
  start=$EPOCHREALTIME
  "$spool" submit - < "$work/drafts.ndjson" > "$work/ids" 2> /dev/null
  until [ "$(ended)" -ge "$exports" ]; do sleep 3; done
  seconds=$(minus "$EPOCHREALTIME" "$start")
  read -r c1 p1 r1 w1 t1 <<< "$(look)"
  awk -v n="$exports" -v s="$seconds" -v c="$(minus "$c1" "$c0")" -v p="$(minus "$p1" "$p0")" -v r="$(minus "$r1" "$r0")" \
    -v w="$(minus "$w1" "$w0")" -v t="$(minus "$t1" "$t0")" 'BEGIN {
      printf "%8d %9.1f %12.1f %11.1f %7.1f %10.1f %8.1f %16.2f\n", n, s, c, p, r, t - w, w, (c + p + r) / n * 1000 }'
  [ "$(exports_in "'completed'")" -eq "$exports" ] || { echo "an export failed" >&2; exit 1; }
  stop_farm
done
