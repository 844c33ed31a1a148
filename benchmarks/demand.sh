#!/usr/bin/env bash
# Compares the memory that is predicted for jobs (Sources/ExportPlan/Jobs/DemandPrediction.swift) with what rendering
# processes take: one export for each codec and size, with one process, and a few costly drafts. A ratio below 1 means
# that a job took more than was predicted. Needs the real footage: SPOOL_MEDIA, default ../shared/media.
# CODECS="h264 hevc" and SIZES="960x540" choose less.
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/measure.sh
need_footage
spool=$PWD/.build/release/spool
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

bbb=$media/av/bbb_1080p24_h264_aac51_30s.mp4
arena=$media/av/arena_1080p50_h264_pcm_2s.mov
hdr=$media/av/hdr10_pq_av1_portrait_720x1280_4s.mp4
clip="{\"type\": \"av\", \"url\": \"$bbb\", \"timeRange\": {\"start\": 4, \"duration\": 2}}"

# case_of NAME WIDTH HEIGHT CLIPS [OPTION...]: exports these clips and prints what the largest job took.
case_of() {
  local name=$1 width=$2 height=$3 clips=$4
  shift 4
  echo "{\"version\": 1, \"videoSize\": {\"width\": $width, \"height\": $height}, \"frameRate\": 24, \"mainTrackClips\": [$clips]}" \
    > "$work/draft.json"
  rm -rf "$work/cache" "$work"/film.*
  "$spool" export "$work/draft.json" -o "$work/film.$type" --cache "$work/cache" --jobs 1 --json "$@" \
    > "$work/output" 2> "$work/log" || { cat "$work/log" >&2; exit 1; }
  sed -n '/"memory"/,/}/p' "$work/output" | tr -d ' ",' | awk -F: -v name="$name" '
    $1 == "predicted" {p = $2 / 1e6} $1 == "measured" {m = $2 / 1e6}
    END {if (m) printf "%-28s predicted %5d MB   measured %5d MB   ratio %.2f\n", name, p, m, p / m; else print name ": not measured"}'
}

for codec in ${CODECS:-h264 hevc vp9 av1 prores webp gif}; do
  case $codec in vp9) type=webm ;; prores) type=mov ;; webp) type=webp ;; gif) type=gif ;; *) type=mp4 ;; esac
  for size in ${SIZES:-640x360 960x540 1920x1080 3840x2160}; do
    case $codec-$size in webp-1920* | webp-3840* | gif-1920* | gif-3840*) continue ;; esac
    case_of "$codec $size" "${size%x*}" "${size#*x}" "$clip" --set videoCodec="$codec"
  done
done
type=mp4
case_of "dissolve 1080p" 1920 1080 "$clip, {\"type\": \"av\", \"url\": \"$arena\", \"transition\": {\"type\": \"dissolve\", \"duration\": 1}}"
case_of "two reversed clips 1080p" 1920 1080 "{\"type\": \"av\", \"url\": \"$bbb\", \"reverse\": true, \"timeRange\": {\"start\": 4, \"duration\": 3}},
  {\"type\": \"av\", \"url\": \"$arena\", \"reverse\": true, \"transition\": {\"type\": \"slideLeft\", \"duration\": 1}}"
case_of "ten bits, HEVC 720p" 720 1280 "{\"type\": \"av\", \"url\": \"$hdr\", \"timeRange\": {\"start\": 0, \"duration\": 2}}" --set colorRange=hdr
