#!/usr/bin/env bash
# Measures what a lookup table, stickers and a title, keyframes, and a blurred background add to an export: the same 8 s
# at 1080p24 with and without each, through spool (a process for each core) and through ffmpeg's filters, libx264
# `medium` at CRF 20 with the same settings on both sides. Prints for each the medians of the wall time, with over
# without, and how the difference in spool's processor time is divided. CASES: default "lut stickers keyframes portrait
# filled". The last two are both a 9:16 film with a blurred background; `portrait` compares it with black bars, which
# give an encoder nothing to do, `filled` with the clip filling the frame. RUNS: default 3. Needs the real footage
# (SPOOL_MEDIA). KEEP: a directory that the films are copied to.
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/measure.sh
need_footage
runs=${RUNS:-3}
spool=$PWD/.build/release/spool
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
film=$media/av/bbb_1080p24_h264_aac51_30s.mp4
table=$media/lut/resolve_17.cube
still=$media/image/alpha.png
animation=$media/image/anim_iss.gif

# Writes a draft of one clip: size of the film, members of the clip, members of the draft.
draft() {
  echo "{\"version\": 1, \"videoSize\": $1, \"frameRate\": 24, \"mainTrackClips\": [{\"type\": \"av\", \"url\": \"$film\",
    \"timeRange\": {\"start\": 4, \"duration\": 8}$2}]$3}" > "$work/draft.json"
}
landscape='{"width": 1920, "height": 1080}'
upright='{"width": 1080, "height": 1920}'

sticker() {  # picture, x, y
  echo "{\"type\": \"imageSticker\", \"url\": \"$1\", \"destRect\": {\"x\": $2, \"y\": $3, \"width\": 320, \"height\": 320}}"
}

# Writes the draft of a case, with or without its feature.
spool_draft() {
  case $1 in
    portrait.without) draft "$upright" "" "" ;;
    filled.without) draft "$upright" ', "scalingMode": "aspectFill"' "" ;;
    portrait.with | filled.with) draft "$upright" "" ', "background": {"type": "blur", "radius": 40}' ;;
    *.without) draft "$landscape" "" "" ;;
    lut.with) draft "$landscape" ", \"filters\": [{\"type\": \"lut\", \"url\": \"$table\"}]" "" ;;
    stickers.with)
      draft "$landscape" "" ", \"effects\": [$(sticker "$still" 80 80), $(sticker "$animation" 1500 80), $(sticker "$still" 1500 680)],
        \"layers\": [{\"timeRange\": {\"start\": 0, \"duration\": 8}, \"source\": {\"type\": \"text\", \"text\": \"A title over a film\",
        \"font\": \"DejaVu Sans 96\"}, \"transform\": {\"center\": {\"x\": 0.5, \"y\": 0.85}}}]" ;;
    keyframes.with)
      draft "$landscape" ", \"animations\": [{\"keyPath\": \"transform.rotation\", \"keyTimes\": [0, 8], \"values\": [-3, 3]},
        {\"keyPath\": \"transform.scale\", \"keyTimes\": [0, 8], \"values\": [1.12, 1.3]}]" "" ;;
  esac
}

# Prints the filter graph that makes the same film: [0:v] to [v].
ffmpeg_graph() {
  local fitted="scale=1080:-2,pad=1080:1920:-1:-1"
  # The angle, and the half width and height of the visible part, in pixels of the source, at output frame `on`.
  local a="((-3+6*on/192)*PI/180)" w="(960/(1.12+0.18*on/192))" h="(540/(1.12+0.18*on/192))"
  case $1 in
    portrait.without) echo "[0:v]$fitted[v]" ;;
    filled.without) echo "[0:v]scale=-2:1920,crop=1080:1920[v]" ;;
    portrait.with | filled.with)
      echo "[0:v]split[a][b];[a]scale=-2:1920,crop=1080:1920,gblur=sigma=40[back];[b]scale=1080:-2[front];[back][front]overlay=0:(H-h)/2[v]" ;;
    *.without) echo "[0:v]null[v]" ;;
    lut.with) echo "[0:v]lut3d=file=$table:interp=tetrahedral,format=yuv420p[v]" ;;
    stickers.with)
      echo "movie=$still,scale=320:320[a];movie=$animation:loop=0,setpts=N/(FRAME_RATE*TB),scale=320:320[b];movie=$still,scale=320:320[c];
        [0:v][a]overlay=80:80[x];[x][b]overlay=1500:80:shortest=1[y];[y][c]overlay=1500:680[z];
        [z]drawtext=text='A title over a film':font='DejaVu Sans':fontsize=96:fontcolor=white:x=(w-tw)/2:y=0.85*h-th/2[v]" ;;
    keyframes.with)
      corner() { echo "'960+($1*$w)*cos($a)+($2*$h)*sin($a)':'540-($1*$w)*sin($a)+($2*$h)*cos($a)'"; }
      echo "[0:v]perspective=$(corner -1 -1):$(corner 1 -1):$(corner -1 1):$(corner 1 1):interpolation=linear:eval=frame[v]" ;;
  esac
}

run_spool() {
  spool_draft "$1"
  rm -rf "$work/cache"
  measure "$spool" export "$work/draft.json" -o "$work/spool.$1.mp4" --cache "$work/cache" --json \
    --set videoQuality=20 --set encoderSpeed=medium
  sed -n '/"seconds"/,/}/p' "$work/output" | tr -d ' ",{}' | grep : | grep -v seconds: > "$work/parts.$1"
}

run_ffmpeg() {
  measure ffmpeg -nostdin -v error -y -ss 4 -t 8 -i "$film" -filter_complex "$(ffmpeg_graph "$1")" -map "[v]" -map 0:a -t 8 -ac 2 \
    -ar 44100 -pix_fmt yuv420p -c:v libx264 -preset medium -crf 20 -x264-params "keyint=48:open-gop=0:stitchable=1:rc-lookahead=15" \
    -color_primaries bt709 -color_trc bt709 -colorspace bt709 -c:a aac -b:a 128k -movflags +faststart "$work/ffmpeg.$1.mp4"
}

size() { stat -c %s "$work/$1.mp4"; }

for case in ${CASES:-lut stickers keyframes portrait filled}; do
  for run in $(seq "$runs"); do
    for with in without with; do
      run_spool "$case.$with"; echo "$seconds" >> "$work/times.spool.$case.$with"
      run_ffmpeg "$case.$with"; echo "$seconds" >> "$work/times.ffmpeg.$case.$with"
    done
  done
  for program in spool ffmpeg; do
    awk -v name="$case" -v program="$program" -v a="$(median < "$work/times.$program.$case.with")" \
      -v b="$(median < "$work/times.$program.$case.without")" -v bytes="$(size "$program.$case.with") $(size "$program.$case.without")" \
      'BEGIN { split(bytes, n); printf "%-9s %-6s %6.2f s with, %6.2f s without, ratio %.2f   bytes %d and %d\n", name, program, a, b, a / b, n[1], n[2] }'
  done
  paste -d: "$work/parts.$case.with" "$work/parts.$case.without" \
    | awk -F: '{printf "%s%s %+.2f", NR == 1 ? "          spool, seconds over all processes: " : "  ", $1, $2 - $4} END {print ""}'
done
[ -z "${KEEP:-}" ] || cp "$work"/*.mp4 "$KEEP"
