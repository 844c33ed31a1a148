# Sourced by the benchmarks of the farm: a separate farm on port FARM_PORT (default 7799). Stop it in a trap.
farm=

# Starts a farm with its data under a directory, waits until it is up, and points the client commands to it.
start_farm() {  # directory
  : > "$1.log"  # it may be that of an earlier farm
  "$spool" up --directory "$1" --port "${FARM_PORT:-7799}" >> "$1.log" 2>&1 &
  farm=$!
  until grep -q "farm is up" "$1.log"; do
    kill -0 "$farm" || { cat "$1.log" >&2; exit 1; }
    sleep 0.2
  done
  set -a; . "$1/client.env"; set +a
}

stop_farm() {
  [ -n "$farm" ] || return 0
  kill -TERM "$farm" 2> /dev/null || true
  wait "$farm" 2> /dev/null || true
  farm=
}
