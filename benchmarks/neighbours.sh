#!/usr/bin/env bash
# Measures how long one tenant's small films take while another tenant attacks: hostile drafts, films at the limit of
# length, documents full of errors, thousands of half-sent requests, stalled uploads, and a store that goes away for two
# seconds. Prints, beside the films of an idle farm, the slowest film during each attack and how much longer it took. A
# film is one segment of its own, so nothing is reused. Each attack lasts for SECONDS_EACH seconds (default 20). ATTACKS
# names the wanted attacks, such as "poison storage_away" (default: all).
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/own-farm.sh
spool=$PWD/.build/release/spool
work=$(mktemp -d)
chmod 755 "$work"
trap 'stop_farm; rm -rf "$work"' EXIT
start_farm "$work/farm"
"$spool" tenant create attacker > /dev/null
ATTACKER=$("$spool" token create attacker attack | tail -1 | awk '{print $NF}')
export ATTACKER
ulimit -n 8192
python3 benchmarks/neighbours.py "$work" "${SECONDS_EACH:-20}"
