-- Jobs that failed for good because their rendering processes crashed. They stay until somebody retries or discards them,
-- also when the jobs themselves have moved to the history.
CREATE TABLE dead_letters (
  job_id      bigint PRIMARY KEY,
  export_id   uuid NOT NULL REFERENCES exports ON DELETE CASCADE,
  tenant_id   bigint NOT NULL REFERENCES tenants,
  kind        text NOT NULL,
  ordinal     integer NOT NULL,
  attempts    integer NOT NULL,
  -- The workers that had it, each once.
  workers     text[] NOT NULL DEFAULT '{}',
  -- Why the last attempt failed, as JSON.
  failure     jsonb NOT NULL,
  died_at     timestamptz NOT NULL
);

CREATE INDEX dead_letters_of_tenant ON dead_letters (tenant_id, job_id);
CREATE INDEX dead_letters_of_export ON dead_letters (export_id);

INSERT INTO dead_letters (job_id, export_id, tenant_id, kind, ordinal, attempts, workers, failure, died_at)
SELECT jobs.id, jobs.export_id, jobs.tenant_id, jobs.kind, jobs.ordinal, jobs.attempt,
  ARRAY(SELECT DISTINCT worker FROM attempts WHERE job_id = jobs.id AND worker IS NOT NULL ORDER BY worker),
  last.failure, jobs.finished_at
FROM jobs CROSS JOIN LATERAL (
  SELECT failure FROM attempts WHERE job_id = jobs.id AND failure IS NOT NULL ORDER BY number DESC LIMIT 1) AS last
WHERE jobs.state = 'failed' AND last.failure->>'failureClass' = 'crash';
