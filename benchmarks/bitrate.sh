#!/usr/bin/env bash
# Measures films of a given size beside ffmpeg's two passes in one process over the same frames: how near to the size
# both come, and how similar they are to the frames (SSIM). The film is that of export.sh. Needs the real footage:
# SPOOL_MEDIA, default ../shared/media. CODEC, default h264, may be hevc, vp9 or av1. SPEED is a preset of libx264,
# default medium; for VP9 and AV1 it is mapped to their own speeds as Spool maps it. libavcodec 59 has no second pass
# for SVT-AV1: there ffmpeg encodes once, at a variable bitrate.
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/measure.sh
need_footage
spool=$PWD/.build/release/spool
codec=${CODEC:-h264}
speed=${SPEED:-medium}
peer="two passes"
if [[ $codec == av1 ]]; then peer="one pass"; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed "s#\"url\": \"#\"url\": \"$media/#" benchmarks/export-draft.json > "$work/draft.json"

"$spool" export "$work/draft.json" -o "$work/frames.mp4" --cache "$work/cache" \
  --set videoQuality=0 --set encoderSpeed=ultrafast 2> /dev/null
count=$(ffprobe -v error -select_streams v -show_entries stream=nb_frames -of csv=p=0 "$work/frames.mp4")

# Bits per second of the pictures alone.
bitrate() {
  ffprobe -v error -select_streams v -show_entries packet=size -of csv=p=0 "$1" | tr -d ',' |
    awk -v n="$count" '{sum += $1} END {printf "%.0f", sum * 8 * 24 / n}'
}
declare -A vp9_speeds=([medium]=2 [fast]=3 [faster]=4 [slow]=1) av1_speeds=([medium]=7 [fast]=8 [faster]=9 [veryfast]=10 [slow]=5)
two_passes() {
  local settings=(-an -g 48 -b:v "$1")
  case $codec in
    h264) settings+=(-c:v libx264 -threads 1 -preset "$speed") ;;
    hevc) settings+=(-c:v libx265 -x265-params log-level=error -preset "$speed") ;;
    vp9) settings+=(-c:v libvpx-vp9 -deadline good -cpu-used "${vp9_speeds[$speed]:-5}" -lag-in-frames 25 -auto-alt-ref 1 -threads 1) ;;
    av1)
      ffmpeg -nostdin -v error -y -i "$work/frames.mp4" "${settings[@]}" -c:v libsvtav1 -preset "${av1_speeds[$speed]:-7}" \
        -svtav1-params rc=1:lp=1 "$2" 2> /dev/null
      return
      ;;
  esac
  for pass in 1 2; do
    local parameters=("${settings[@]}" -pass "$pass" -passlogfile "$work/passes")
    if [[ $codec == hevc ]]; then parameters+=(-x265-params "log-level=error:pass=$pass:stats=$work/passes.log"); fi
    if [[ $pass == 1 ]]; then parameters+=(-f null -); else parameters+=("$2"); fi
    ffmpeg -nostdin -v error -y -i "$work/frames.mp4" "${parameters[@]}"
  done
}

for wanted in 1000000 2000000 4000000; do
  "$spool" export "$work/draft.json" -o "$work/spool.mp4" --cache "$work/cache" \
    --set "videoCodec=$codec" --set "videoBitrate=$wanted" --set "encoderSpeed=$speed" 2> /dev/null > /dev/null
  two_passes "$wanted" "$work/ffmpeg.mp4"
  awk -v w="$wanted" -v a="$(bitrate "$work/spool.mp4")" -v b="$(bitrate "$work/ffmpeg.mp4")" \
    -v s="$(ssim "$work/spool.mp4")" -v t="$(ssim "$work/ffmpeg.mp4")" -v c="$codec" -v p="$peer" 'BEGIN {
      printf "%s at %d Mbit/s: spool %.1f %% of it, SSIM %.4f   ffmpeg, %s %.1f %%, SSIM %.4f   SSIM ratio %.4f\n",
        c, w / 1e6, 100 * a / w, s, p, 100 * b / w, t, s / t }'
done
