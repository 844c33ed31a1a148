#!/usr/bin/env bash
# Measures how soon an operator has an answer from a farm that holds 100 000 jobs, 50 000 of them ready: the whole
# command, its start included, RUNS times each (default 9), median and worst. It first measures the processor time of a
# coordinator with nothing to do.
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/own-farm.sh
spool=$PWD/.build/release/spool
runs=${RUNS:-9}
work=$(mktemp -d)
chmod 755 "$work"
trap 'stop_farm; rm -rf "$work"' EXIT
start_farm "$work/farm"
coordinator=$(pgrep -f "^$(readlink -f "$spool")-coordinator --port 7799")

ticks() { awk '{sub(/^.*\) /, ""); print $12 + $13}' "/proc/$1/stat"; }
sleep 5
before=$(ticks "$coordinator")
sleep 30
echo "a coordinator that waits: $(($(ticks "$coordinator") - before)) ticks of 1/$(getconf CLK_TCK) s of processor time in 30 s"

database=$(tr '\0' '\n' < "/proc/$coordinator/environ" | sed -n 's/^SPOOL_DATABASE_URL=//p')
psql -q "$database" << 'SQL'
INSERT INTO pauses (role) VALUES ('video'), ('audio'), ('stitch');
INSERT INTO drafts (tenant_id) VALUES (1);
INSERT INTO draft_revisions (draft_id, revision, content) SELECT max(id), 1, '{}' FROM drafts;
INSERT INTO exports (id, tenant_id, draft_id, draft_revision, label, parameters, settings, priority, pool, state, film_key,
    frame_count)
  SELECT gen_random_uuid(), 1, (SELECT max(id) FROM drafts), 1, 'bulk ' || n, '{}', '{}', 0, 'default', 'rendering', 'film' || n,
    10000 FROM generate_series(1, 1000) AS n;
-- The first half of each export is done, most of it a while ago.
INSERT INTO jobs (export_id, tenant_id, kind, role, ordinal, artifact_key, work, frame_count, weight, priority, pool, state,
    attempt, ready_at, dispatched_at, started_at, finished_at)
  SELECT id, 1, 'video', 'video', n, 'key ' || number || ' ' || n, '{}', 100, 1, 0, 'default',
    CASE WHEN n < 50 THEN 'done' ELSE 'ready' END, CASE WHEN n < 50 THEN 1 ELSE 0 END, now() - interval '20 min',
    CASE WHEN n < 50 THEN now() - n * interval '20 s' END, CASE WHEN n < 50 THEN now() - n * interval '20 s' END,
    CASE WHEN n < 50 THEN now() - n * interval '20 s' + interval '4 s' END
  FROM exports, generate_series(0, 99) AS n;
INSERT INTO attempts (job_id, number, state, worker, dispatched_at, started_at, finished_at)
  SELECT id, 1, 'succeeded', 'w', dispatched_at, started_at, finished_at FROM jobs WHERE state = 'done';
VACUUM ANALYZE;
-- The pages that the insert left unwritten must not be written during the measurement.
CHECKPOINT;
SQL
psql -At "$database" -c "SELECT 'jobs in the database: ' || string_agg(n || ' ' || state, ', ') FROM (SELECT state, count(*) AS n FROM jobs GROUP BY 1) AS counts"
for command in "queue ls" "job show 50" "job ls" "worker ls" "status"; do
  for run in $(seq "$runs"); do
    start=$EPOCHREALTIME
    "$spool" $command > /dev/null
    awk "BEGIN {print ($EPOCHREALTIME - $start) * 1000}"
  done | sort -n | awk -v command="$command" '{v[NR] = $1} END {printf "spool %-12s median %3.0f ms, worst %3.0f ms\n", command, v[int((NR + 1) / 2)], v[NR]}'
done
"$spool" queue ls
