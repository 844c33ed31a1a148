#!/usr/bin/env bash
# Measures passthrough of a trim beside encoding the same trim again: 25 s from the middle of a group of pictures of
# real 1080p24 footage, preset `medium`, neither cached. Checks that every frame is the source's, to the bit. RUNS:
# default 3. Needs the real footage (SPOOL_MEDIA).
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/measure.sh
need_footage
runs=${RUNS:-3}
spool=$PWD/.build/release/spool
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
film=$media/av/bbb_1080p24_h264_aac51_30s.mp4
echo "{\"version\": 1, \"mainTrackClips\": [{\"type\": \"av\", \"url\": \"$film\",
  \"timeRange\": {\"start\": 3.5, \"duration\": 25}}]}" > "$work/draft.json"

export_with() {  # name of the film, options
  local name=$1
  shift
  rm -rf "$work/cache"
  measure "$spool" export "$work/draft.json" -o "$work/$name.mp4" --cache "$work/cache" "$@"
  echo "$seconds" >> "$work/times.$name"
}
for run in $(seq "$runs"); do
  export_with copied --preset passthrough
  export_with encoded --set encoderSpeed=medium
done
awk -v a="$(median < "$work/times.encoded")" -v b="$(median < "$work/times.copied")" \
  'BEGIN { printf "encoded %.2f s, copied %.2f s: %.1f times as fast\n", a, b, a / b }'

frames() { ffmpeg -nostdin -v error "$@" -map 0:v -fps_mode passthrough -f framemd5 - | grep -v '^#' | awk -F, '{print $NF}'; }
frames -i "$work/copied.mp4" > "$work/copied.md5"
frames -i "$film" | sed -n '85,684p' > "$work/source.md5"
cmp "$work/copied.md5" "$work/source.md5"
echo "$(wc -l < "$work/copied.md5") frames, each the source's to the bit"
