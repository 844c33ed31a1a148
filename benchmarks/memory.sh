#!/usr/bin/env bash
# Measures the memory of a whole `spool export` with one rendering process at 1080p: a short draft, the costly features,
# and a draft of half an hour, whose memory is printed for each quarter of its run. Needs the real footage: SPOOL_MEDIA,
# default ../shared/media.
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/measure.sh
need_footage
spool=$PWD/.build/release/spool
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

bbb=$media/av/bbb_1080p24_h264_aac51_30s.mp4
black=$media/av/black_1080p30_h264_aac_363s.mp4
webm=$media/av/bbb_720p24_vp8_vorbis_30s.webm
portrait=$media/av/flir_vfr_1080x1440_aac_mono_11s.mp4
arena=$media/av/arena_1080p50_h264_pcm_2s.mov

# case_of NAME FIELDS CLIPS: exports a 1080p24 draft of these clips and prints its peak memory.
case_of() {
  echo "{\"version\": 1, \"videoSize\": {\"width\": 1920, \"height\": 1080}, \"frameRate\": 24, $2 \"mainTrackClips\": [$3]}" \
    > "$work/draft.json"
  rm -rf "$work/cache"
  measure "$spool" export "$work/draft.json" -o "$work/film.mp4" --cache "$work/cache" --jobs 1
  printf '%-44s %4d MB   %s\n' "$1" "$peak" "$(sed 's#.*: ##' "$work/output")"
}

case_of "one clip" "" "{\"type\": \"av\", \"url\": \"$bbb\", \"timeRange\": {\"start\": 4, \"duration\": 10}}"
case_of "dissolve of two 1080p clips" "" "{\"type\": \"av\", \"url\": \"$bbb\", \"timeRange\": {\"start\": 4, \"duration\": 6}},
  {\"type\": \"av\", \"url\": \"$arena\", \"transition\": {\"type\": \"dissolve\", \"duration\": 2}}"
case_of "reverse, 1080p and 1080p50" "" "{\"type\": \"av\", \"url\": \"$bbb\", \"reverse\": true, \"timeRange\": {\"start\": 4, \"duration\": 8}},
  {\"type\": \"av\", \"url\": \"$arena\", \"reverse\": true, \"transition\": {\"type\": \"slideLeft\", \"duration\": 1}}"
case_of "blurred background" '"background": {"type": "blur", "radius": 30},' "{\"type\": \"av\", \"url\": \"$portrait\"},
  {\"type\": \"av\", \"url\": \"$bbb\", \"cropRect\": {\"x\": 0, \"y\": 0, \"width\": 1080, \"height\": 1080}, \"timeRange\": {\"start\": 4, \"duration\": 4},
   \"transition\": {\"type\": \"dissolve\", \"duration\": 1}}"
case_of "six minutes of stretched sound" "" "{\"type\": \"av\", \"url\": \"$black\", \"speed\": 1.25}"

clips=""
for round in 0 1 2 3; do
  clips+="{\"type\": \"av\", \"url\": \"$black\", \"timeRange\": {\"start\": \"$((round * 7))/10\", \"duration\": 360}},"
  for start in 0 0 0; do
    clips+="{\"type\": \"av\", \"url\": \"$bbb\", \"timeRange\": {\"start\": $start, \"duration\": 30}, \"transition\": {\"type\": \"dissolve\", \"duration\": 1}},"
    clips+="{\"type\": \"av\", \"url\": \"$webm\", \"timeRange\": {\"start\": $start, \"duration\": 30}, \"transition\": {\"type\": \"wipeLeft\", \"duration\": 1}},"
  done
done
clips+="{\"type\": \"av\", \"url\": \"$bbb\"}"
case_of "half an hour and more, repeated sources" "" "$clips"
awk '{v[NR] = $1} END {
  for (q = 0; q < 4; q++) { top = 0; for (i = int(NR * q / 4) + 1; i <= NR * (q + 1) / 4; i++) if (v[i] > top) top = v[i]; line = line sprintf("  %d", top) }
  print "  most in each quarter of that run, MB:" line }' "$work/samples"
