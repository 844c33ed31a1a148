#!/usr/bin/env bash
# Measures a batch on a farm of its own: ROWS (default 1000) rows of a tiny draft, of which FAULTS (default 17) are faulty
# at first. Prints how long the faulty rows take to be refused, the good ones to be accepted and to be completed, and
# checks the manifest against the rows and the films against it. Exits with 1 where something is not as it should be.
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/own-farm.sh
spool=$PWD/.build/release/spool
rows=${ROWS:-1000}
faults=${FAULTS:-17}
work=$(mktemp -d)
chmod 755 "$work"
trap 'stop_farm; rm -rf "$work"' EXIT
"$spool" sample-media "$work/media" > /dev/null

python3 - "$work" "$rows" "$faults" << 'PYTHON'
import csv, json, sys
work, rows, faults = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
clip = {"type": "av", "url": "media/meadow.mp4", "timeRange": {"start": "{{start}}", "duration": 0.2}}
draft = {"version": 1, "videoSize": {"width": 64, "height": 64}, "frameRate": 30, "title": "{{name}}",
         "mainTrackClips": [clip, dict(clip, when="{{lang}} == 'de'")]}
json.dump(draft, open(f"{work}/card.json", "w"))
table = [[f"name {n}", ["de", "fr"][n % 2], f"{n % 50}/100"] for n in range(rows)]
def write(path, table):
    with open(path, "w", newline="") as file: csv.writer(file).writerows([["name", "lang", "start"]] + table)
write(f"{work}/good.csv", table)
bad = [list(row) for row in table]
for n in range(faults): bad[n * (rows // max(1, faults))][2] = "soon"
write(f"{work}/bad.csv", bad)
PYTHON

start_farm "$work/farm"
seconds() { awk "BEGIN {printf \"%.1f\", $EPOCHREALTIME - $1}"; }
submit() { "$spool" batch submit "$work/card.json" --rows "$work/$1.csv" --output '{{lang}}/{{name}}.mp4' --tag 'lang={{lang}}'; }

begun=$EPOCHREALTIME
# A row that both clips read is named for each of them.
if submit bad > "$work/id" 2> "$work/errors"; then echo "faulty rows were accepted" >&2; exit 1; fi
named=$(grep "column 'start'" "$work/errors" | grep -o 'row [0-9]*' | sort -u | wc -l)
echo "refused:   $named faulty rows named after $(seconds "$begun") s, for example"
grep -m1 "column 'start'" "$work/errors" | sed "s~$work/~~g"
[ "$named" -eq "$faults" ]
[ "$("$spool" batch ls --json | grep -c '"id"' || true)" -eq 0 ] && [ "$("$spool" status --json | grep -c '"id"' || true)" -eq 0 ]

begun=$EPOCHREALTIME
id=$(submit good 2> "$work/uploads")
echo "accepted:  $rows rows after $(seconds "$begun") s"
"$spool" batch follow "$id" 2> /dev/null
echo "completed: $rows rows after $(seconds "$begun") s"
"$spool" batch results "$id" --csv > "$work/manifest.csv"
"$spool" batch results "$id" --json > "$work/manifest.json"
"$spool" batch download "$id" -o "$work/films" > /dev/null
python3 - "$work" << 'PYTHON'
import csv, json, os, sys
work = sys.argv[1]
rows = list(csv.DictReader(open(f"{work}/good.csv", newline="")))
manifest = list(csv.DictReader(open(f"{work}/manifest.csv", newline="")))
document = json.load(open(f"{work}/manifest.json"))
assert len(manifest) == len(rows) == len(document["rows"]), (len(manifest), len(rows))
for number, (row, line, item) in enumerate(zip(rows, manifest, document["rows"]), 1):
    assert int(line["row"]) == item["row"] == number
    assert line["state"] == item["state"] == "completed", line
    assert line["output"] == item["output"] == f"{row['lang']}/{row['name']}.mp4", line
    assert {k: line[f"column.{k}"] for k in row} == row, line
    # The second clip is in the German films alone.
    assert int(line["frames"]) == (12 if row["lang"] == "de" else 6), line
    assert os.path.getsize(f"{work}/films/{line['output']}") > 0
progress = document["batch"]["progress"]
assert progress["completed"] == len(rows) and document["batch"]["state"] == "completed", progress
print(f"manifest:  right for {len(rows)} rows, and {len(rows)} films downloaded under its names")
PYTHON
