-- The statements of the leader and of listings that run most often (Sources/Coordinator/Store), for retention.sh. Each begins
-- with its name.
-- open exports
SELECT id, tenant_id, pool, number, priority, created_at FROM exports
WHERE state = 'rendering' AND number > 0 ORDER BY number LIMIT 20;
-- active jobs of exports
SELECT id, kind, export_id, ordinal, artifact_key, weight, not_before, excluded_workers, state <> 'ready' AS taken, worker
FROM jobs WHERE state IN ('ready', 'dispatched', 'running')
  AND export_id = ANY(ARRAY(SELECT id FROM exports WHERE state = 'rendering' ORDER BY number LIMIT 20)) ORDER BY id;
-- jobs in flight
SELECT id, attempt, dispatched_at FROM jobs WHERE state IN ('dispatched', 'running') ORDER BY id;
-- exports to compile
SELECT id, tenant_id, state FROM exports
WHERE (state = 'submitted' OR (state = 'probing' AND NOT EXISTS (
  SELECT FROM jobs WHERE export_id = exports.id AND kind = 'probe'
    AND jobs.state IN ('waiting', 'ready', 'dispatched', 'running'))))
ORDER BY priority DESC, number LIMIT 10;
-- report: the job
UPDATE jobs SET state = 'done', finished_at = now() WHERE id = (SELECT id FROM jobs WHERE state IN ('dispatched', 'running') LIMIT 1);
-- report: the attempt
UPDATE attempts SET state = 'succeeded', finished_at = now()
WHERE number = 1 AND job_id = (SELECT id FROM jobs WHERE state IN ('dispatched', 'running') LIMIT 1);
-- report: the jobs that wait for it
SELECT true FROM jobs WHERE export_id = (SELECT export_id FROM jobs WHERE state IN ('dispatched', 'running') LIMIT 1)
  AND kind = 'video' AND state <> 'done' LIMIT 1;
-- artifacts of a plan that are there
SELECT key, used_at FROM artifacts WHERE tenant_id = 1
  AND key = ANY(ARRAY(SELECT artifact_key FROM jobs WHERE state = 'ready' ORDER BY id LIMIT 100)) ORDER BY key FOR KEY SHARE;
-- queue ls: what waits
SELECT role, state, pool, count(*) AS jobs, min(ready_at) AS oldest FROM jobs
WHERE state IN ('waiting', 'ready', 'dispatched', 'running') GROUP BY role, state, pool ORDER BY pool;
-- queue ls: the last hour
SELECT (SELECT count(*) FROM jobs WHERE finished_at > now() - interval '1 minute' AND state = 'done'),
  (SELECT count(*) FROM attempts JOIN jobs ON jobs.id = job_id
   WHERE attempts.state IN ('failed', 'lost') AND attempts.finished_at > now() - interval '1 hour');
-- status: the newest fifty exports
SELECT id, coalesce((progress->>'jobs')::bigint, counted.jobs) AS jobs FROM exports CROSS JOIN LATERAL (
  SELECT count(*) AS jobs, count(*) FILTER (WHERE jobs.state = 'done') AS done,
    coalesce(sum(jobs.frame_count) FILTER (WHERE jobs.state = 'done' AND kind = 'video'), 0)::bigint AS frames
  FROM jobs WHERE export_id = exports.id AND kind <> 'probe' AND exports.progress IS NULL) AS counted
ORDER BY number DESC LIMIT 50;
-- status: fifty exports from months ago
SELECT id, coalesce((progress->>'jobs')::bigint, counted.jobs) AS jobs FROM exports CROSS JOIN LATERAL (
  SELECT count(*) AS jobs, count(*) FILTER (WHERE jobs.state = 'done') AS done,
    coalesce(sum(jobs.frame_count) FILTER (WHERE jobs.state = 'done' AND kind = 'video'), 0)::bigint AS frames
  FROM jobs WHERE export_id = exports.id AND kind <> 'probe' AND exports.progress IS NULL) AS counted
WHERE number BETWEEN 1000 AND 1049 ORDER BY number;
