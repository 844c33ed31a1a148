#!/usr/bin/env bash
# A million finished jobs: the sizes of tables and indexes, and the times of the hot queries, before and after retention.
#
#   benchmarks/retention.sh [JOBS]        default: 1000000
#
# It fills a PostgreSQL of its own in a temporary directory, which is removed at the end, and lets `spool gc` do what the
# leader does every five minutes. SPOOL names the program, default .build/release/spool. A million jobs take about 8 GB of
# disk. Each query runs five times after one that warms up; the printed time is the median that EXPLAIN ANALYZE gives.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
spool=${SPOOL:-$here/../.build/release/spool}
jobs=${1:-1000000}
work=$(mktemp -d)
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
as_user() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
if [ "$(id -u)" = 0 ]; then chown postgres "$work"; fi
trap 'as_user "$bin/pg_ctl" -D "$work/data" -m immediate stop >/dev/null 2>&1 || true; rm -rf "$work"' EXIT
as_user "$bin/initdb" -D "$work/data" -A trust -U postgres >/dev/null
as_user "$bin/pg_ctl" -D "$work/data" -w -l "$work/log" \
  -o "-k $work -c listen_addresses='' -c fsync=off -c max_wal_size=8GB -c shared_buffers=512MB -c jit=off" start >/dev/null
psql=("$bin/psql" -h "$work" -U postgres -X -q -v ON_ERROR_STOP=1)
"${psql[@]}" -c 'CREATE DATABASE farm'
psql+=(-d farm)
url="host=$work user=postgres dbname=farm"
"$spool" migrate --database-url "$url" >/dev/null 2>&1
mkdir "$work/store"
"${psql[@]}" -At -c "SELECT 'farm: ' || id FROM farm" > "$work/store/.spool-store"
chmod 755 "$work"

sizes() {
  "${psql[@]}" -c "
    SELECT relname AS table, greatest(reltuples, 0)::bigint AS rows, pg_size_pretty(pg_table_size(oid)) AS table_size,
      pg_size_pretty(pg_indexes_size(oid)) AS index_size
    FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_total_relation_size(oid) > 1000000
    ORDER BY pg_total_relation_size(oid) DESC"
}

# Prints the median time of each query of retention-queries.sql, and the blocks that it touched.
times() {
  printf '%-40s %12s %12s\n' QUERY MILLISECONDS BLOCKS
  awk -v out="$work/query-" '/^-- / && NR > 2 { n++; name = substr($0, 4); print name > (out n ".name"); next }
    n { print > (out n ".sql") }' "$here/retention-queries.sql"
  for name in $(ls "$work"/query-*.name | sort -V); do
    query=$(sed 's/;$//' "${name%.name}.sql")
    runs=$(for run in 0 1 2 3 4 5; do
      "${psql[@]}" -At -c 'BEGIN' -c "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) $query" -c 'ROLLBACK' | awk -v run=$run '
        !blocks && /Buffers: / { for (i = 2; i <= NF; i++) if (split($i, part, "=") == 2 && $i ~ /^(hit|read)=/) blocks += part[2]; done = 1 }
        /Execution Time/ { if (run) print $3, blocks + 0 }'
    done)
    printf '%-40s %12s %12s\n' "$(cat "$name")" $(sort -n <<<"$runs" | sed -n 3p)
  done
  rm -f "$work"/query-*
}

echo "== $jobs finished jobs, before retention"
"${psql[@]}" -v jobs="$jobs" -f "$here/retention-fill.sql"
sizes
times
echo "== retention"
# The artifacts' files are not made here, so their records stay as they are.
time "$spool" gc --database-url "$url" --store "$work/store" --keep-artifacts never
"${psql[@]}" -c 'VACUUM (ANALYZE)'
echo "== after retention and a plain VACUUM, which autovacuum does as well"
sizes
times
echo "== after VACUUM FULL, which gives the disk back and is needed once, if at all"
"${psql[@]}" -c 'VACUUM FULL jobs' -c 'VACUUM FULL attempts' -c 'VACUUM FULL events' -c 'VACUUM FULL export_sources' -c 'ANALYZE'
sizes
times
