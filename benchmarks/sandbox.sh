#!/usr/bin/env bash
# Measures what the sandbox adds to the start of a rendering process: STARTS (default 100) processes without limits, with
# limits but without the sandbox, and with the whole sandbox, in turn, each for one order. Prints the mean times in
# milliseconds and the ratio. SPOOL_RENDER names the program.
set -euo pipefail
cd "$(dirname "$0")/.."
starts=${STARTS:-100}
render=${SPOOL_RENDER:-$(swift build -c release --show-bin-path)/spool-render}
layers=user,capabilities,privileges,network,processes,ipc,files,landlock,systemCalls
user=()
if [ "$(id -u)" = 0 ]; then user=(--user 65534:65534); fi
"$render" sandbox "${user[@]}"

start() { echo '{}' | "$render" serve "$@" > /dev/null 2>&1; }
declare -A total=([free]=0 [limited]=0 [sandboxed]=0)
timed() {
    local name=$1 began=$EPOCHREALTIME
    shift
    start "$@"
    total[$name]=$((${total[$name]} + ${EPOCHREALTIME/./} - ${began/./}))
}
for _ in $(seq "$starts"); do
    timed free
    timed limited --limited --omit "$layers"
    timed sandboxed --limited "${user[@]}"
done
for name in free limited sandboxed; do
    awk -v name="$name" -v total="${total[$name]}" -v count="$starts" \
        'BEGIN { printf "%s: %.1f ms\n", name, total / count / 1000 }'
done
awk -v with="${total[sandboxed]}" -v without="${total[free]}" 'BEGIN { printf "ratio %.2f\n", with / without }'
