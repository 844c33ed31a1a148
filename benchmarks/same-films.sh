#!/usr/bin/env bash
# Exports every example and random drafts with two builds of Spool and compares the films byte by byte.
#   benchmarks/same-films.sh OLD NEW    OLD and NEW are folders with spool and spool-render
# DRAFTS random drafts (100) are drawn with SEED (1). It exits with 1 where a film differs.
set -euo pipefail
cd "$(dirname "$0")/.."
old=$(realpath "$1") new=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r examples "$work/drafts"
"$new/spool" sample-media "$work/drafts/media" > /dev/null
python3 benchmarks/random-drafts.py "$work/drafts" "${DRAFTS:-100}" "${SEED:-1}"
# The example of plug-ins calls one that is built from its source.
mkdir "$work/plugins"
cc -shared -fPIC -O2 -I Sources/C/CPlugins/include examples/plugins/negative.c -o "$work/plugins/negative.so"
export SPOOL_PLUGIN_PATH="$work/plugins:/usr/lib/frei0r-1"
same=0 different=0 refused=0
for draft in "$work"/drafts/*.json; do
  name=$(basename "$draft" .json)
  for side in old new; do
    status=0
    "${!side}/spool" export "$draft" -o "$work/$side.mp4" --cache "$work/cache-$side" > /dev/null 2> "$work/$side.errors" || status=$?
    [ "$status" -eq 0 ] || echo "$status" > "$work/$side.mp4"
  done
  if ! cmp -s "$work/old.mp4" "$work/new.mp4"; then
    different=$((different + 1))
    echo "$name differs"
    cat "$work/new.errors"
  elif [ "$(stat -c %s "$work/new.mp4")" -lt 10 ]; then
    refused=$((refused + 1))
    head -2 "$work/new.errors"
  else
    same=$((same + 1))
  fi
  rm -rf "$work"/cache-* "$work"/*.mp4
done
echo "$same films are the same, $different differ, $refused drafts were refused by both"
[ "$different" -eq 0 ]
