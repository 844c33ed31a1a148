#!/usr/bin/env bash
# Measures films of a greatest size (fileSizeLimit) beside ffmpeg's two passes in one process over the same frames, with
# the bits that the film's pictures have: how much of the size is used, and how similar both are to the frames (SSIM).
# Three drafts of the real footage: that of export.sh, one film of half a minute, and one that is slowed down, cropped and
# filtered. Needs the footage: SPOOL_MEDIA, default ../shared/media. LIMITS are bytes, default "2000000 5000000 20000000".
# SPEED is a preset of libx264, default veryfast.
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/measure.sh
need_footage
spool=$PWD/.build/release/spool
speed=${SPEED:-veryfast}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed "s#\"url\": \"#\"url\": \"$media/#" benchmarks/export-draft.json > "$work/mixed.json"
film=$media/av/bbb_1080p24_h264_aac51_30s.mp4
cat > "$work/whole.json" << JSON
{"version": 1, "mainTrackClips": [{"type": "av", "url": "$film"}]}
JSON
cat > "$work/changed.json" << JSON
{"version": 1, "videoSize": {"width": 1280, "height": 720}, "frameRate": 24, "mainTrackClips": [
  {"type": "av", "url": "$film", "timeRange": {"start": 2, "duration": 10}, "speed": 0.5, "scalingMode": "aspectFill",
   "filters": [{"type": "contrast", "amount": 1.2}]},
  {"type": "av", "url": "$media/av/cockatoo_720p20_yuv444_mp3_14s.mp4", "transition": {"duration": 1}}]}
JSON

# The bytes of the pictures alone.
picture_bytes() {
  ffprobe -v error -select_streams v -show_entries packet=size -of csv=p=0 "$1" | tr -d ',' | awk '{sum += $1} END {print sum}'
}

for draft in mixed whole changed; do
  "$spool" export "$work/$draft.json" -o "$work/frames.mp4" --cache "$work/cache" \
    --set videoQuality=0 --set encoderSpeed=ultrafast > /dev/null 2>&1
  seconds=$(ffprobe -v error -select_streams v -show_entries stream=duration -of csv=p=0 "$work/frames.mp4")
  for limit in ${LIMITS:-2000000 5000000 20000000}; do
    "$spool" export "$work/$draft.json" -o "$work/spool.mp4" --cache "$work/cache" --set "fileSizeLimit=$limit" \
      --set "encoderSpeed=$speed" > /dev/null 2>&1
    bitrate=$(awk -v b="$(picture_bytes "$work/spool.mp4")" -v s="$seconds" 'BEGIN {printf "%.0f", b * 8 / s}')
    for pass in 1 2; do
      output=("$work/ffmpeg.mp4")
      if [[ $pass == 1 ]]; then output=(-f null -); fi
      ffmpeg -nostdin -v error -y -i "$work/frames.mp4" -an -c:v libx264 -preset "$speed" -g 48 -b:v "$bitrate" -pass "$pass" \
        -passlogfile "$work/passes" "${output[@]}"
    done
    awk -v d="$draft" -v l="$limit" -v n="$(stat -c %s "$work/spool.mp4")" -v s="$(ssim "$work/spool.mp4")" \
      -v t="$(ssim "$work/ffmpeg.mp4")" 'BEGIN {
        printf "%-8s %8d bytes: spool %8d, %.1f %% of it, SSIM %.4f   ffmpeg, two passes: SSIM %.4f   SSIM ratio %.4f\n",
          d, l, n, 100 * n / l, s, t, s / t }'
  done
done
