#!/usr/bin/env bash
# Measures how the tables that the leader works on grow while a farm works through JOBS no-op jobs (default 200000), with
# the storage settings of the migrations and, for each line of SETTINGS, with other ones, such as
#
#   SETTINGS='jobs (fillfactor = 70); attempts (fillfactor = 70)' benchmarks/bloat.sh
#
# For each run it prints jobs a second, the control plane's processor time for a job, and for each table its size with
# indexes, its dead rows, the part of its updates that needed no new index entries (HOT), and how often it was vacuumed;
# `log` is what was written to the write-ahead log, storing the exports included.
set -euo pipefail
cd "$(dirname "$0")/.."
spool=$PWD/.build/release/spool
program=$(readlink -f "$spool")
jobs=${JOBS:-200000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() {  # storage settings of tables, separated by semicolons
  local coordinator database settings=$1 bench
  "$spool" bench --jobs "$jobs" --exports "$((jobs / 10))" --tenants 3 --workers 2 --slots 32 --json > "$work/bench.json" &
  bench=$!
  until coordinator=$(pgrep -n -f "^$program-coordinator") && psql -qtAX "$(database "$coordinator")" -c 'SELECT 1 FROM jobs LIMIT 1' > /dev/null 2>&1; do
    kill -0 "$bench" || exit 1
    sleep 0.2
  done
  database=$(database "$coordinator")
  while IFS= read -r -d ';' setting; do
    [ -z "${setting// /}" ] || psql -qX "$database" -c "ALTER TABLE ${setting/(/SET (}"
  done <<< "$settings;"
  while kill -0 "$bench" 2> /dev/null; do
    # The farm is removed with the command, so what was seen last is what is printed.
    psql -qtAX -F ' ' "$database" > "$work/now" 2> /dev/null << 'SQL' && mv "$work/now" "$work/tables" || true
SELECT relname, pg_size_pretty(pg_total_relation_size(relid)), n_live_tup, n_dead_tup,
  round(100.0 * n_tup_hot_upd / greatest(1, n_tup_upd)), autovacuum_count
FROM pg_stat_user_tables WHERE relname IN ('jobs', 'attempts', 'exports', 'events', 'queue_counts')
UNION ALL SELECT 'log', pg_size_pretty(pg_current_wal_lsn() - pg_lsn '0/0'), 0, 0, 0, 0 ORDER BY 1;
SQL
    sleep 1
  done
  wait "$bench"
  echo
  echo "settings: ${settings:-those of the migrations}"
  python3 - "$work/bench.json" << 'PYTHON'
import json, sys
report = json.load(open(sys.argv[1]))
times = {time["process"]: time["millisecondsPerJob"] for time in report["processorTime"]}
print("%.0f jobs/s, processor ms a job: control plane %.3f (coordinator %.3f, PostgreSQL %.3f, Redis %.3f)" % (
    report["jobsPerSecond"], times["control plane"], times["coordinator"], times["postgres"], times["redis"]))
PYTHON
  awk 'BEGIN {printf "%-14s %10s %10s %10s %6s %9s\n", "TABLE", "SIZE", "ROWS", "DEAD", "HOT", "VACUUMED"}
       {printf "%-14s %7s %s %10d %10d %5s%% %9d\n", $1, $2, $3, $4, $5, $6, $7}' "$work/tables"
}
database() { tr '\0' '\n' < "/proc/$1/environ" | sed -n 's/^SPOOL_DATABASE_URL=//p'; }

run ''
while IFS= read -r line; do
  [ -z "$line" ] || run "$line"
done <<< "${SETTINGS:-}"
