#!/usr/bin/env bash
# Measures `spool export` against one ffmpeg filter graph that makes the same film: same cuts, sizes, dissolves and mix,
# same libx264 settings. Alternates the two, RUNS times each (default 5), and prints the medians, their ratio, how
# Spool's time is divided, and the peak memory of both process trees. Needs the real footage: SPOOL_MEDIA, default
# ../shared/media.
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/measure.sh
need_footage
runs=${RUNS:-5}
spool=$PWD/.build/release/spool
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed "s#\"url\": \"#\"url\": \"$media/#" benchmarks/export-draft.json > "$work/draft.json"

run_spool() {
  rm -rf "$work/cache"
  measure "$spool" export "$work/draft.json" -o "$work/spool.mp4" --cache "$work/cache" --json \
    --set videoQuality=20 --set encoderSpeed=medium
}

run_ffmpeg() {
  local picture="fps=24,scale=1920:1080:force_original_aspect_ratio=decrease:out_color_matrix=bt709:out_range=tv,pad=1920:1080:-1:-1,setsar=1,format=yuv420p,settb=1/24"
  local sound="aresample=44100,aformat=sample_fmts=fltp:channel_layouts=stereo,apad"
  measure ffmpeg -nostdin -v error -y \
    -ss 5 -t 6 -i "$media/av/bbb_1080p24_h264_aac51_30s.mp4" \
    -ss 3 -t 6 -i "$media/av/bbb_720p24_vp8_vorbis_30s.webm" \
    -ss 2 -t 6 -i "$media/av/car_768x432_12.5fps_h264_aac_30s.mp4" \
    -t 2.5 -i "$media/av/digicam_mjpeg422_15fps_pcm22k_mono_3s.avi" \
    -ss 15 -t 6 -i "$media/av/bbb_1080p24_h264_aac51_30s.mp4" \
    -i "$media/audio/music_effect_a.m4a" \
    -filter_complex "
      [0:v]$picture[v0];[1:v]$picture[v1];[2:v]$picture[v2];[3:v]$picture[v3];[4:v]$picture[v4];
      [v0][v1]xfade=transition=fade:duration=1:offset=5[x1];
      [x1][v2]xfade=transition=fade:duration=1:offset=10[x2];
      [x2][v3]xfade=transition=fade:duration=0.5:offset=15.5[x3];
      [x3][v4]xfade=transition=fade:duration=1:offset=17[v];
      [0:a]$sound,atrim=duration=6[a0];[1:a]$sound,atrim=duration=6[a1];[2:a]$sound,atrim=duration=6[a2];
      [3:a]$sound,atrim=duration=2.5[a3];[4:a]$sound,atrim=duration=6[a4];
      [a0][a1]acrossfade=d=1:c1=tri:c2=tri[y1];[y1][a2]acrossfade=d=1:c1=tri:c2=tri[y2];
      [y2][a3]acrossfade=d=0.5:c1=tri:c2=tri[y3];[y3][a4]acrossfade=d=1:c1=tri:c2=tri[y4];
      [5:a]$sound,volume=0.5[m];[y4][m]amix=inputs=2:normalize=0:duration=first[a]" \
    -map "[v]" -map "[a]" -t 23 -c:v libx264 -preset medium -crf 20 \
    -x264-params "keyint=48:open-gop=0:stitchable=1:rc-lookahead=15" \
    -color_primaries bt709 -color_trc bt709 -colorspace bt709 -c:a aac -b:a 128k -movflags +faststart "$work/ffmpeg.mp4"
}

frames() { ffprobe -v error -select_streams v -show_entries stream=nb_frames -of csv=p=0 "$1"; }

: > "$work/spool.times"; : > "$work/ffmpeg.times"; : > "$work/spool.peaks"; : > "$work/ffmpeg.peaks"
for run in $(seq "$runs"); do
  run_spool; echo "$seconds" >> "$work/spool.times"; echo "$peak" >> "$work/spool.peaks"
  spool_seconds=$seconds; spool_peak=$peak
  sed -n '/"seconds"/,/}/p' "$work/output" | tr -d ' ",{}' | grep : | grep -v seconds: > "$work/parts"
  run_ffmpeg; echo "$seconds" >> "$work/ffmpeg.times"; echo "$peak" >> "$work/ffmpeg.peaks"
  printf 'run %d: spool %6.2f s, %4d MB   ffmpeg %6.2f s, %4d MB\n' "$run" "$spool_seconds" "$spool_peak" "$seconds" "$peak"
done
ours=$(median < "$work/spool.times"); theirs=$(median < "$work/ffmpeg.times")
echo "frames: spool $(frames "$work/spool.mp4"), ffmpeg $(frames "$work/ffmpeg.mp4"); bytes: spool $(stat -c %s "$work/spool.mp4"), ffmpeg $(stat -c %s "$work/ffmpeg.mp4")"
awk -v a="$ours" -v b="$theirs" -v n="$runs" 'BEGIN {printf "median of %d: spool %.2f s, ffmpeg %.2f s, ratio %.3f (below 1: spool is faster)\n", n, a, b, a / b}'
echo "peak memory (median): spool $(median < "$work/spool.peaks") MB on $(nproc) jobs, ffmpeg $(median < "$work/ffmpeg.peaks") MB"
echo "spool's work, seconds over all processes: $(awk -F: '{printf "%s %.2f  ", $1, $2}' "$work/parts")"
