-- A farm with :jobs finished jobs in exports of a hundred, and a hundred live exports of fifty jobs, for retention.sh. The
-- exports ended over the last hundred days; the sizes of works, facts and logs are those of usual films.
\set exports :jobs / 100
INSERT INTO tenants (name) SELECT 'tenant-' || n FROM generate_series(1, 3) AS n;
INSERT INTO drafts (tenant_id) SELECT 1 + n % 3 FROM generate_series(1, (:exports) + 100) AS n;
INSERT INTO draft_revisions (draft_id, revision, content)
  SELECT id, 1, (SELECT string_agg(md5((id * 100 + n)::text), ' ') FROM generate_series(1, 60) AS n) FROM drafts;
INSERT INTO exports (id, tenant_id, draft_id, draft_revision, label, parameters, settings, priority, pool, state, film_key,
    frame_count, created_at, finished_at)
  SELECT md5('export ' || id)::uuid, tenant_id, id, 1, 'film', '{}', '{}', 0, 'default', 'completed',
    encode(sha256(('film ' || id)::bytea), 'hex'), 9000, at - interval '10 minutes', at
  FROM (SELECT *, now() - interval '100 days' * (1 - id::float8 / (:exports)) - interval '2 hours' AS at FROM drafts
        WHERE id <= (:exports)) AS old;
INSERT INTO exports (id, tenant_id, draft_id, draft_revision, label, parameters, settings, priority, pool, state, film_key,
    frame_count, created_at)
  SELECT md5('export ' || id)::uuid, tenant_id, id, 1, 'film', '{}', '{}', 0, 'default', 'rendering',
    encode(sha256(('film ' || id)::bytea), 'hex'), 9000, now() - interval '10 minutes'
  FROM drafts WHERE id > (:exports);
INSERT INTO export_sources (export_id, location, facts)
  SELECT id, 'asset:' || md5(id::text || n) || md5(n::text), jsonb_build_object('container', 'mp4', 'packets', repeat('1 ', 400))
  FROM exports, generate_series(1, 3) AS n;
INSERT INTO jobs (export_id, tenant_id, kind, role, ordinal, artifact_key, work, frame_count, weight, priority, pool, state,
    attempt, worker, created_at, ready_at, dispatched_at, started_at, finished_at)
  SELECT exports.id, tenant_id, kind, role, n, encode(sha256((exports.id::text || n)::bytea), 'hex'),
    jsonb_build_object('segment', (SELECT string_agg(md5((n * 50 + m)::text), ' ') FROM generate_series(1, 30) AS m)),
    90, 2, 0, 'default', 'done', 1, 'worker-' || n % 50, exports.created_at, exports.created_at, exports.created_at + step * n,
    exports.created_at + step * n, exports.created_at + step * (n + 1)
  FROM exports, generate_series(0, 99) AS n, LATERAL (SELECT CASE WHEN n = 99 THEN 'stitch' WHEN n % 5 = 0 THEN 'audio'
    ELSE 'video' END AS kind, CASE WHEN n = 99 THEN 'stitch' WHEN n % 5 = 0 THEN 'audio' ELSE 'video' END AS role,
    interval '6 seconds' AS step) AS made
  WHERE exports.state = 'completed';
INSERT INTO jobs (export_id, tenant_id, kind, role, ordinal, artifact_key, work, frame_count, weight, priority, pool, state,
    attempt, worker, created_at, ready_at, dispatched_at, started_at)
  SELECT exports.id, tenant_id, CASE WHEN n = 49 THEN 'stitch' ELSE 'video' END, CASE WHEN n = 49 THEN 'stitch' ELSE 'video' END,
    n, encode(sha256((exports.id::text || n)::bytea), 'hex'),
    jsonb_build_object('segment', (SELECT string_agg(md5((n * 50 + m)::text), ' ') FROM generate_series(1, 30) AS m)),
    90, 2, 0, 'default', CASE WHEN n = 49 THEN 'waiting' WHEN n = 0 THEN 'running' ELSE 'ready' END,
    CASE WHEN n = 0 THEN 1 ELSE 0 END, CASE WHEN n = 0 THEN 'worker-1' END, exports.created_at,
    CASE WHEN n < 49 THEN exports.created_at END, CASE WHEN n = 0 THEN now() END, CASE WHEN n = 0 THEN now() END
  FROM exports, generate_series(0, 49) AS n WHERE exports.state = 'rendering';
INSERT INTO attempts (job_id, number, state, worker, cost, dispatched_at, started_at, finished_at, log)
  SELECT id, 1, CASE WHEN state = 'done' THEN 'succeeded' ELSE 'running' END, worker,
    '{"wallSeconds": 5.25, "processorSeconds": 9.5, "peakMemory": 310000000}', dispatched_at, started_at, finished_at,
    CASE WHEN id % 20 = 0 THEN repeat('[h264] a picture is damaged; concealing errors. ', 20) ELSE '' END
  FROM jobs WHERE attempt > 0;
INSERT INTO events (export_id, kind, message, at)
  SELECT id, kind, 'the export is ' || kind, created_at FROM exports,
    unnest(ARRAY['submitted', 'probing', 'rendering', 'completed']) AS kind WHERE state = 'completed' OR kind <> 'completed';
INSERT INTO events (export_id, job_id, kind, message, at)
  SELECT export_id, id, 'jobRetried', 'attempt 1 failed: the worker was drained', created_at FROM jobs WHERE id % 10 = 0;
INSERT INTO artifacts (tenant_id, key, kind, created_at, used_at)
  SELECT tenant_id, artifact_key, kind, finished_at, finished_at FROM jobs WHERE state = 'done' ON CONFLICT DO NOTHING;
VACUUM (ANALYZE);
