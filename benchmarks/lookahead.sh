#!/usr/bin/env bash
# Measures the cost of bounding libx264's lookahead: the same ten seconds at 1080p with 40 frames of lookahead (medium's
# own), at three qualities so that films of equal size can be compared, and with 19 and 15 frames (Spool takes 15).
# Prints bytes, SSIM against the source and peak memory of each. Needs the real footage (SPOOL_MEDIA).
set -euo pipefail
cd "$(dirname "$0")/.."
source=${SPOOL_MEDIA:-../shared/media}/av/bbb_1080p24_h264_aac51_30s.mp4
[ -f "$source" ] || { echo "bench: skipped, there is no '$source' (set SPOOL_MEDIA)"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for try in "40 20" "40 20.5" "40 21" "19 20" "15 20"; do
  read -r frames quality <<< "$try"
  /usr/bin/env time -f %M -o "$work/memory" ffmpeg -nostdin -v error -y -threads 1 -ss 5 -t 10 -i "$source" -an -c:v libx264 -threads 1 \
    -preset medium -crf "$quality" -x264-params "keyint=48:stitchable=1:open-gop=0:rc-lookahead=$frames" "$work/$frames.mp4"
  ssim=$(ffmpeg -nostdin -i "$work/$frames.mp4" -ss 5 -t 10 -i "$source" -lavfi "[0:v][1:v]ssim" -f null - 2>&1 | grep -o 'All:[0-9.]*')
  echo "lookahead $frames, CRF $quality: $(stat -c %s "$work/$frames.mp4") bytes, SSIM $ssim, $(($(cat "$work/memory") / 1024)) MB"
done
