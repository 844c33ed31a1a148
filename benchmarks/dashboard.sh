#!/usr/bin/env bash
# Measures how soon a coordinator answers each page of the dashboard (docs/dashboard.md) on a farm that holds EXPORTS exports
# (default 100 000), 200 of which are rendered, 60 000 jobs, 1 000 drafts, 200 batches and 200 dead letters: RUNS times each
# (default 15), after one to warm up, median and worst. It ends with 1 where the median of a page is above LIMIT
# milliseconds (default 200).
set -euo pipefail
cd "$(dirname "$0")/.."
source benchmarks/own-farm.sh
spool=${SPOOL:-$PWD/.build/release/spool}
exports=${EXPORTS:-100000}
work=$(mktemp -d)
chmod 755 "$work"
trap 'stop_farm; rm -rf "$work"' EXIT
start_farm "$work/farm"
coordinator=$(pgrep -f "^$(readlink -f "$spool")-coordinator --port ${FARM_PORT:-7799}")
database=$(tr '\0' '\n' < "/proc/$coordinator/environ" | sed -n 's/^SPOOL_DATABASE_URL=//p')
"$spool" tenant create studio > "$work/log" 2>&1
"$spool" token create studio measure --scope submit --scope read > "$work/studio" 2> "$work/log"
studio=$(grep -o 'spool_[0-9a-f]*' "$work/studio" | head -1)
psql -q -v exports="$exports" "$database" << 'SQL'
INSERT INTO pauses (role) VALUES ('video'), ('audio'), ('stitch');
INSERT INTO drafts (tenant_id) VALUES (1);
INSERT INTO draft_revisions (draft_id, revision, content) SELECT max(id), 1, '{}' FROM drafts;
-- Most have ended; the last 200 are rendered. Each third belongs to the second tenant, and each tenth has tags.
INSERT INTO exports (id, tenant_id, draft_id, draft_revision, label, parameters, settings, priority, pool, state, failure, film_key,
    frame_count, created_at, finished_at, progress, tags)
  SELECT gen_random_uuid(), 1 + (n % 3 = 0)::int, (SELECT max(id) FROM drafts), 1, 'Film ' || n || ' for customer ' || n % 977, '{}', '{}',
    n % 7 - 3, 'default', state,
    CASE WHEN state = 'failed' THEN '{"failureClass":"crash","message":"the rendering process died","diagnostics":[]}'::jsonb END,
    'film' || n, 2400, now() - (:exports - n) * interval '20 s',
    CASE WHEN state <> 'rendering' THEN now() - (:exports - n) * interval '20 s' + interval '4 min' END,
    CASE WHEN state <> 'rendering' THEN '{"jobs":27,"done":27,"reused":3,"frames":2400}'::jsonb END,
    CASE WHEN n % 10 = 0 THEN jsonb_build_object('customer', 'c' || n % 977, 'lang', 'de') END
  FROM (SELECT n, CASE WHEN n > :exports - 200 THEN 'rendering' WHEN n % 20 = 1 THEN 'failed' WHEN n % 20 = 2 THEN 'cancelled'
    ELSE 'completed' END AS state FROM generate_series(1, :exports) AS n) AS states;
-- Half of the jobs of each export that is rendered are done, in the last hour.
INSERT INTO jobs (export_id, tenant_id, kind, role, ordinal, artifact_key, work, frame_count, weight, priority, pool, state,
    attempt, worker, ready_at, dispatched_at, started_at, finished_at)
  SELECT id, tenant_id, 'video', 'video', n, 'key ' || number || ' ' || n, '{}', 8, 1.5, 0, 'default',
    CASE WHEN n < 150 THEN 'done' ELSE 'ready' END, CASE WHEN n < 150 THEN 1 ELSE 0 END, CASE WHEN n < 150 THEN 'w' || n % 5 END,
    now() - interval '59 min', CASE WHEN n < 150 THEN now() - n * interval '23 s' END,
    CASE WHEN n < 150 THEN now() - n * interval '23 s' END, CASE WHEN n < 150 THEN now() - n * interval '23 s' + interval '4 s' END
  FROM exports, generate_series(0, 299) AS n WHERE state = 'rendering';
INSERT INTO attempts (job_id, number, state, worker, dispatched_at, started_at, finished_at)
  SELECT id, 1, CASE WHEN id % 50 = 0 THEN 'failed' ELSE 'succeeded' END, worker, dispatched_at, started_at, finished_at
  FROM jobs WHERE state = 'done';
INSERT INTO events (export_id, kind, message) SELECT id, kind, 'it is ' || kind
  FROM exports, unnest(ARRAY['submitted', 'probing', 'rendering']) AS kind WHERE state = 'rendering';
INSERT INTO dead_letters (job_id, export_id, tenant_id, kind, ordinal, attempts, workers, failure, died_at)
  SELECT id, export_id, tenant_id, kind, ordinal, 3, '{w1,w2}',
    '{"failureClass":"crash","subject":"clip.mp4","message":"the rendering process died"}', now() FROM jobs ORDER BY id LIMIT 200;
INSERT INTO drafts (tenant_id, name) SELECT 1, 'draft-' || n FROM generate_series(1, 1000) AS n;
INSERT INTO draft_revisions (draft_id, revision, content)
  SELECT id, revision, '{"version":1,"mainTrackClips":[' || (SELECT string_agg('{"type":"color","color":"#204060","duration":' ||
    clip + revision || '}', ',') FROM generate_series(1, 40) AS clip) || ']}'
  FROM drafts, generate_series(1, 5) AS revision WHERE name IS NOT NULL;
INSERT INTO batches (id, tenant_id, draft_id, draft_revision, label, parameters, columns, settings, exceeds_cap, pool, warnings,
    release_at, row_count, waiting, completed, failed, state, ended_at)
  SELECT gen_random_uuid(), 1, (SELECT min(id) FROM drafts), 1, 'Batch ' || n, '{}', '{name}', '{}', false, 'default', '[]', now(), 500, 0,
    490, 10, 'failed', now() FROM generate_series(1, 200) AS n;
VACUUM ANALYZE;
-- The pages that the insert left unwritten must not be written during the measurement.
CHECKPOINT;
SQL
psql -At "$database" -c "SELECT 'exports in the database: ' || string_agg(n || ' ' || state, ', ') FROM (SELECT state, count(*) AS n FROM exports GROUP BY 1) AS counts"
one=$(psql -At "$database" -c "SELECT id FROM exports WHERE state = 'rendering' AND tenant_id = 2 ORDER BY number LIMIT 1")
job=$(psql -At "$database" -c "SELECT min(id) FROM jobs WHERE export_id = '$one'")
batch=$(psql -At "$database" -c "SELECT id FROM batches LIMIT 1")
middle=$(psql -At "$database" -c "SELECT number FROM exports ORDER BY number OFFSET $((exports / 2)) LIMIT 1" | tr -d '\n' | base64 | tr -d '=\n')
/usr/bin/python3 -B - "$SPOOL_SERVER" "$SPOOL_TOKEN" "$studio" "$one" "$job" "$batch" "$middle" "${RUNS:-15}" "${LIMIT:-200}" << 'PYTHON'
import http.client, statistics, sys, time, urllib.parse
server, operator, studio, one, job, batch, middle, runs, limit = sys.argv[1:]
host = urllib.parse.urlsplit(server).netloc
slow = []
def connect(token):
    connection = http.client.HTTPConnection(host)
    connection.request("POST", "/ui/login", urllib.parse.urlencode({"token": token}), {"Sec-Fetch-Site": "same-origin"})
    answer = connection.getresponse()
    answer.read()
    return connection, {"Cookie": answer.headers["Set-Cookie"].split(";")[0], "Accept": "text/html"}
def measure(who, name, path, connection, headers):
    times, size = [], 0
    for run in range(int(runs) + 1):
        begin = time.perf_counter()
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        size = len(answer.read())
        times.append(1000 * (time.perf_counter() - begin))
        assert answer.status == 200, (path, answer.status)
    times = sorted(times[1:])
    print(f"{who:8} {name:34} median {statistics.median(times):4.0f} ms, worst {times[-1]:4.0f} ms, {size / 1000:5.0f} kB", flush=True)
    if statistics.median(times) > float(limit): slow.append(name)
lists = [
    ("exports", "/ui/exports"), ("exports, 1000 on a page", "/ui/exports?limit=1000"), ("exports, a page in the middle", f"/ui/exports?cursor={middle}"),
    ("exports, oldest first", "/ui/exports?order=oldest"), ("exports, by priority", "/ui/exports?order=priority"),
    ("exports, failed", "/ui/exports?state=failed"), ("exports, rendered now", "/ui/exports?state=rendering"),
    ("exports, a state that none has", "/ui/exports?state=probing"), ("exports, by a tag", "/ui/exports?tag=customer%3Dc500"),
    ("exports, label found often", "/ui/exports?label=customer+12"), ("exports, label found once", "/ui/exports?label=film+4711+"),
    ("exports, label found never", "/ui/exports?label=nothing+like+this"),
    ("exports, label, by priority", "/ui/exports?label=customer+12&order=priority"),
]
for who, token in (("operator", operator), ("tenant", studio)):
    connection, headers = connect(token)
    pages = [("overview", "/")] + lists + [("one export, 300 jobs", f"/ui/exports/{one}"), ("one job", f"/ui/jobs/{job}"),
             ("batches", "/ui/batches"), ("drafts", "/ui/drafts"), ("workers", "/ui/workers"), ("dead letters", "/ui/dead-letters")]
    if who == "operator":
        pages += [("one batch", f"/ui/batches/{batch}"), ("one draft, compared", "/ui/drafts/draft-500"), ("tenants", "/ui/tenants"), ("tokens", "/ui/tokens")]
    for name, path in pages: measure(who, name, path, connection, headers)
sys.exit(f"above {limit} ms: {', '.join(slow)}" if slow else 0)
PYTHON
