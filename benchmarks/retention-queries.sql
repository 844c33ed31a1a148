-- The statements of the leader and of listings that run most often (Sources/Coordinator/Store), for retention.sh. Each begins
-- with its name.
-- candidates of a role
WITH RECURSIVE queued(export_id) AS (
  (SELECT export_id FROM jobs WHERE state = 'ready' AND role = 'video' ORDER BY export_id LIMIT 1)
  UNION ALL
  SELECT (SELECT jobs.export_id FROM jobs WHERE state = 'ready' AND role = 'video' AND jobs.export_id > queued.export_id
          ORDER BY jobs.export_id LIMIT 1)
  FROM queued WHERE queued.export_id IS NOT NULL)
SELECT next.*, (SELECT number FROM exports WHERE exports.id = next.export_id) AS number
FROM queued CROSS JOIN LATERAL (
  SELECT id, kind, jobs.tenant_id, export_id, ordinal, artifact_key, jobs.pool, jobs.priority, weight, ready_at, not_before,
    excluded_workers
  FROM jobs WHERE jobs.state = 'ready' AND role = 'video' AND export_id = queued.export_id AND not_before <= now()
    AND NOT EXISTS (
      SELECT FROM jobs AS other WHERE other.tenant_id = jobs.tenant_id AND other.artifact_key = jobs.artifact_key
        AND other.state IN ('dispatched', 'running'))
  ORDER BY weight DESC, ordinal LIMIT 4) AS next;
-- jobs in flight by lane
SELECT role, pool, count(*) AS jobs, count(*) FILTER (WHERE kind = ANY('{soundtrack,stitch}') AND weight > 60) AS long
FROM jobs WHERE state IN ('dispatched', 'running') GROUP BY role, pool;
-- loads of tenants
SELECT jobs.tenant_id, tenants.weight AS share, export_id, sum(jobs.weight) AS seconds
FROM jobs JOIN tenants ON tenants.id = jobs.tenant_id WHERE state IN ('dispatched', 'running') GROUP BY 1, 2, 3;
-- exports to compile
SELECT id, tenant_id, state FROM exports
WHERE (state = 'submitted' OR (state = 'probing' AND NOT EXISTS (
  SELECT FROM jobs WHERE export_id = exports.id AND kind = 'probe'
    AND jobs.state IN ('waiting', 'ready', 'dispatched', 'running'))))
ORDER BY priority DESC, number LIMIT 10;
-- report: the job
UPDATE jobs SET state = 'done', finished_at = now() WHERE id = (SELECT max(id) FROM jobs WHERE state = 'running');
-- report: the attempt
UPDATE attempts SET state = 'succeeded', finished_at = now()
WHERE number = 1 AND job_id = (SELECT max(id) FROM jobs WHERE state = 'running');
-- report: the jobs that wait for it
SELECT true FROM jobs WHERE export_id = (SELECT export_id FROM jobs WHERE state = 'running' ORDER BY id DESC LIMIT 1)
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
