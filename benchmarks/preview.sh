#!/usr/bin/env bash
# Plays a draft of ten minutes, 100 clips of real 1080p24 footage with dissolves and a title, in the preview, with headless
# Chromium on the same machine and an empty cache: when the first frame is there, and how often the player waits.
# SECONDS_PLAYED (default 90) is how long it plays. Needs the real footage: SPOOL_MEDIA, default ../shared/media.
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/measure.sh
need_footage
command -v chromedriver > /dev/null && /usr/bin/python3 -c 'import selenium' 2> /dev/null || {
  echo "skipped: install chromium, chromium-driver and python3-selenium" >&2
  exit 0
}
spool=$PWD/.build/release/spool
work=$(mktemp -d)
preview=
trap '[ -z "$preview" ] || { kill -TERM "$preview" 2> /dev/null; wait "$preview" 2> /dev/null || true; }; rm -rf "$work"' EXIT

python3 - "$media/av/bbb_1080p24_h264_aac51_30s.mp4" > "$work/film.json" << 'PYTHON'
import json, sys
clips = []
for number in range(100):
    clip = {"type": "av", "url": sys.argv[1], "timeRange": {"start": 7 * number % 23 + number % 4 / 4, "duration": 6.2}}
    if number % 3 == 2:
        clip["transition"] = {"type": "dissolve", "duration": 0.5}
    clips.append(clip)
title = {"timeRange": {"start": 20, "duration": 4}, "source": {"type": "text", "text": "A title", "font": "DejaVu Sans 80"}}
print(json.dumps({"version": 1, "videoSize": {"width": 1920, "height": 1080}, "frameRate": 24, "mainTrackClips": clips,
                  "layers": [title]}))
PYTHON

started=$EPOCHREALTIME
"$spool" preview "$work/film.json" --cache "$work/cache" > "$work/log" 2>&1 &
preview=$!
until grep -q 'token=' "$work/log"; do
  kill -0 "$preview" 2> /dev/null || { cat "$work/log" >&2; exit 1; }
  sleep 0.02
done
/usr/bin/python3 -B benchmarks/preview-play.py "$(sed 's/.*http/http/' "$work/log")" "${SECONDS_PLAYED:-90}" "$started" "$work"
