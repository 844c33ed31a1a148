#!/usr/bin/env bash
# Measures a blur beside ffmpeg's gblur: the same 240 frames at 1080p through both, with and without it, one thread
# each. The difference in processor time is the cost of the blur. spool draws a sheet of all frames, ffmpeg discards
# them. DEVIATIONS: pixels (default "2 6 20 60"). RUNS: how often, default 3; medians are printed. Needs the real
# footage (SPOOL_MEDIA).
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/measure.sh
need_footage
spool=$PWD/.build/release/spool
runs=${RUNS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
film=$media/av/bbb_1080p24_h264_aac51_30s.mp4

# Prints the seconds of processor time of "$@" and its children.
processor_time() {
  /usr/bin/env time -f '%U %S' -o "$work/time" "$@" > /dev/null
  awk '{print $1 + $2}' "$work/time"
}

run_spool() {  # filters
  echo "{\"version\": 1, \"videoSize\": {\"width\": 1920, \"height\": 1080}, \"frameRate\": 24, \"mainTrackClips\":
    [{\"type\": \"av\", \"url\": \"$film\", \"timeRange\": {\"start\": 4, \"duration\": 10}, \"filters\": [$1]}]}" > "$work/draft.json"
  processor_time "$spool" thumbnails "$work/draft.json" -o "$work/sheet.png" --count 240 --columns 16 --size 96x54
}

run_ffmpeg() {  # filter
  processor_time ffmpeg -nostdin -v error -threads 1 -ss 4 -t 10 -i "$film" -an -filter_threads 1 -vf "$1" -f null -
}

for name in spool ffmpeg; do
  for run in $(seq "$runs"); do
    if [ $name = spool ]; then run_spool ""; else run_ffmpeg null; fi
  done | median > "$work/$name.plain"
done
for deviation in ${DEVIATIONS:-2 6 20 60}; do
  for run in $(seq "$runs"); do
    run_spool "{\"type\": \"blur\", \"radius\": $deviation}" >> "$work/spool.$deviation"
    run_ffmpeg "gblur=sigma=$deviation" >> "$work/ffmpeg.$deviation"
  done
  awk -v a="$(median < "$work/spool.$deviation")" -v b="$(median < "$work/ffmpeg.$deviation")" -v d="$deviation" \
    -v a0="$(cat "$work/spool.plain")" -v b0="$(cat "$work/ffmpeg.plain")" 'BEGIN {
      a = (a - a0) / 240 * 1000; b = (b - b0) / 240 * 1000
      printf "deviation %3d: spool %5.1f ms a frame, ffmpeg %5.1f ms, ratio %.2f (below 1: spool is faster)\n", d, a, b, a / b }'
done
