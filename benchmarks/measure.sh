# Sourced by the benchmarks: runs a command and measures it with its children, finds the footage, takes medians.

# Runs "$@" with its output in $work/output and $work/log. Leaves its wall time in $seconds, the largest sum of resident
# memory of the process tree in $peak (MB), and all samples in $work/samples (MB, five a second). Ends the script when
# the command fails.
measure() {
  local start end pid total resident process
  : > "$work/samples"
  start=$EPOCHREALTIME
  "$@" > "$work/output" 2> "$work/log" &
  pid=$!
  while kill -0 "$pid" 2> /dev/null; do
    total=0
    for process in "$pid" $(pgrep -P "$pid" || true); do
      resident=$(awk '/^VmRSS/ {print $2}' "/proc/$process/status" 2> /dev/null || true)
      total=$((total + ${resident:-0}))
    done
    echo $((total / 1024)) >> "$work/samples"
    sleep 0.2
  done
  wait "$pid" || { cat "$work/log" >&2; exit 1; }
  end=$EPOCHREALTIME
  seconds=$(awk "BEGIN {print $end - $start}")
  peak=$(sort -n "$work/samples" | tail -1)
}

# Finds the real footage: sets $media, or ends the script with the reason.
need_footage() {
  media=${SPOOL_MEDIA:-../shared/media}
  if [ ! -d "$media/av" ]; then
    echo "bench: skipped, there is no footage in '$media' (set SPOOL_MEDIA)"
    exit 0
  fi
  media=$(cd "$media" && pwd)
}

# Prints the median of the numbers on standard input, one a line.
median() { sort -n | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

# Prints the similarity (SSIM, all planes) of a film to $work/frames.mp4.
ssim() {
  ffmpeg -nostdin -hide_banner -nostats -i "$1" -i "$work/frames.mp4" -lavfi "[0:v][1:v]ssim" -f null - 2>&1 |
    sed -n 's/.*All:\([0-9.]*\).*/\1/p'
}
