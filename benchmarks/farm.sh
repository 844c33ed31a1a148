#!/usr/bin/env bash
# What the farm costs over `spool export` for the same draft on this machine: wall time and processor time of both, alternating,
# RUNS times each (default 3), the medians and their ratio, and the time from submit to the first segment running. Draws its own
# sources.
set -euo pipefail
cd "$(dirname "$0")/.."
spool=$PWD/.build/release/spool
runs=${RUNS:-3}
work=$(mktemp -d)
chmod 755 "$work"
trap 'kill -TERM $farm 2> /dev/null; wait $farm 2> /dev/null || true; rm -rf "$work"' EXIT
"$spool" sample-media "$work/media" > /dev/null
cp examples/first-light.json "$work/draft.json"

# A process and everything below it.
tree() {
  local child
  echo "$1"
  for child in $(pgrep -P "$1" || true); do tree "$child"; done
}

# Processor seconds that a process tree has used so far, children that are gone included.
cpu() {
  local process total=0 ticks
  for process in $(tree "$1"); do
    ticks=$(awk '{sub(/^.*\) /, ""); print $12 + $13 + $14 + $15}' "/proc/$process/stat" 2> /dev/null || echo 0)
    total=$((total + ticks))
  done
  awk "BEGIN {print $total / $(getconf CLK_TCK)}"
}

"$spool" up --directory "$work/farm" --port 7799 > "$work/up.log" 2>&1 &
farm=$!
until grep -q "farm is up" "$work/up.log"; do
  kill -0 "$farm" || { cat "$work/up.log" >&2; exit 1; }
  sleep 0.2
done
set -a; . "$work/farm/client.env"; set +a

median() { sort -n | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
for name in local farm; do : > "$work/$name.wall"; : > "$work/$name.cpu"; done
: > "$work/first"

for run in $(seq "$runs"); do
  # A setting that changes every key: nothing is reused from the run before.
  quality="videoQuality=2$run"
  start=$EPOCHREALTIME
  before=$(awk '{print $14 + $15 + $16 + $17}' /proc/$$/stat)
  "$spool" export "$work/draft.json" -o "$work/local.mp4" --cache "$work/cache$run" --set "$quality" > /dev/null 2>&1
  after=$(awk '{print $14 + $15 + $16 + $17}' /proc/$$/stat)
  awk "BEGIN {print $EPOCHREALTIME - $start}" >> "$work/local.wall"
  awk "BEGIN {print ($after - $before) / $(getconf CLK_TCK)}" >> "$work/local.cpu"

  before=$(cpu "$farm")
  start=$EPOCHREALTIME
  id=$("$spool" submit "$work/draft.json" --set "$quality" 2> /dev/null)
  until "$spool" job ls --export "$id" --json | tr -d ' \n' | grep -q '"kind":"video"[^}]*"startedAt"'; do :; done
  awk "BEGIN {print $EPOCHREALTIME - $start}" >> "$work/first"
  "$spool" watch "$id" > /dev/null 2>&1
  awk "BEGIN {print $EPOCHREALTIME - $start}" >> "$work/farm.wall"
  awk "BEGIN {print $(cpu "$farm") - $before}" >> "$work/farm.cpu"
  "$spool" download "$id" -o "$work/farm.mp4" > /dev/null
  cmp "$work/local.mp4" "$work/farm.mp4"
  printf 'run %d: local %5.2f s, %5.2f s of processor   farm %5.2f s, %5.2f s\n' "$run" "$(tail -1 "$work/local.wall")" \
    "$(tail -1 "$work/local.cpu")" "$(tail -1 "$work/farm.wall")" "$(tail -1 "$work/farm.cpu")"
done
awk -v a="$(median < "$work/local.wall")" -v b="$(median < "$work/farm.wall")" -v c="$(median < "$work/local.cpu")" -v d="$(median < "$work/farm.cpu")" \
  -v n="$runs" 'BEGIN {printf "median of %d: farm over local %.3f in wall time, %.3f in processor time; films identical\n", n, b / a, d / c}'
echo "submit to the first segment seen running (median): $(median < "$work/first") s"
