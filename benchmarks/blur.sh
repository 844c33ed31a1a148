#!/usr/bin/env bash
# What a blur costs beside ffmpeg's gblur: the same ten seconds at 1080p through both, with and without it, one thread each. The
# difference is the blur. Spool's is the time that its rendering process says it composed, ffmpeg's the processor time of the run.
# DEVIATIONS: pixels (default "2 6 20 60"); RUNS: how often, medians are printed (default 3). Needs the real footage (SPOOL_MEDIA).
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/measure.sh
need_footage
spool=$PWD/.build/release/spool
runs=${RUNS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
film=$media/av/bbb_1080p24_h264_aac51_30s.mp4

median() { sort -n | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

# Seconds of composing. The picture is shrunk for the encoder by nothing: its speed does not count.
spool_composing() {  # filters
  echo "{\"version\": 1, \"videoSize\": {\"width\": 1920, \"height\": 1080}, \"frameRate\": 24, \"mainTrackClips\":
    [{\"type\": \"av\", \"url\": \"$film\", \"timeRange\": {\"start\": 4, \"duration\": 10}, \"filters\": [$1]}]}" > "$work/draft.json"
  rm -rf "$work/cache"
  "$spool" export "$work/draft.json" -o "$work/film.mp4" --cache "$work/cache" --jobs 1 --json --set encoderSpeed=ultrafast \
    2> "$work/log" | tr ',{}' '\n' | awk -F: '/"compose"/ {sum += $2} END {print sum}'
}

# Seconds of processor time.
ffmpeg_running() {  # filter
  /usr/bin/env time -f '%U %S' -o "$work/time" ffmpeg -nostdin -v error -threads 1 -ss 4 -t 10 -i "$film" -an -filter_threads 1 \
    -vf "$1" -f null -
  awk '{print $1 + $2}' "$work/time"
}

for name in spool ffmpeg; do
  for run in $(seq "$runs"); do
    if [ $name = spool ]; then spool_composing ""; else ffmpeg_running null; fi
  done | median > "$work/$name.plain"
done
for deviation in ${DEVIATIONS:-2 6 20 60}; do
  for run in $(seq "$runs"); do
    spool_composing "{\"type\": \"blur\", \"radius\": $deviation}" >> "$work/spool.$deviation"
    ffmpeg_running "gblur=sigma=$deviation" >> "$work/ffmpeg.$deviation"
  done
  awk -v a="$(median < "$work/spool.$deviation")" -v b="$(median < "$work/ffmpeg.$deviation")" -v d="$deviation" \
    -v a0="$(cat "$work/spool.plain")" -v b0="$(cat "$work/ffmpeg.plain")" 'BEGIN {
      a = (a - a0) / 240 * 1000; b = (b - b0) / 240 * 1000
      printf "deviation %3d: spool %5.1f ms a frame, ffmpeg %5.1f ms, ratio %.2f (below 1: spool is faster)\n", d, a, b, a / b }'
done
