-- The counts of open jobs get the jobs' predicted seconds, so that the predicted work of a backlog is known at any time
-- for the price of the counts, however many jobs wait. It is the signal by which a farm is made larger and smaller.
LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE;
-- As for jobs: what this connection brought into the state, less what it took out of it. A prediction that is no number
-- counts as 1e9 seconds, because it could never be taken out of a sum again.
ALTER TABLE queue_counts ADD COLUMN seconds double precision NOT NULL DEFAULT 0;
DELETE FROM queue_counts;
INSERT INTO queue_counts (role, pool, state, backend, jobs, seconds)
SELECT role, pool, state, 0, count(*), sum(least(weight, 1e9)) FROM jobs
WHERE state IN ('waiting', 'ready', 'dispatched', 'running') GROUP BY role, pool, state;

CREATE OR REPLACE FUNCTION count_queued_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO queue_counts AS counted (role, pool, state, backend, jobs, seconds)
    SELECT role, pool, state, pg_backend_pid(), count(*), sum(least(weight, 1e9)) FROM added
    WHERE state IN ('waiting', 'ready', 'dispatched', 'running') GROUP BY role, pool, state
    ON CONFLICT (backend, role, pool, state)
      DO UPDATE SET jobs = counted.jobs + excluded.jobs, seconds = counted.seconds + excluded.seconds;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO queue_counts AS counted (role, pool, state, backend, jobs, seconds)
    SELECT role, pool, state, pg_backend_pid(), sum(jobs), sum(seconds) FROM (
      SELECT role, pool, state, 1 AS jobs, least(weight, 1e9) AS seconds FROM added
      UNION ALL SELECT role, pool, state, -1, -least(weight, 1e9) FROM removed) AS changes
    WHERE state IN ('waiting', 'ready', 'dispatched', 'running')
    GROUP BY role, pool, state HAVING sum(jobs) <> 0 OR sum(seconds) <> 0
    ON CONFLICT (backend, role, pool, state)
      DO UPDATE SET jobs = counted.jobs + excluded.jobs, seconds = counted.seconds + excluded.seconds;
  ELSE
    INSERT INTO queue_counts AS counted (role, pool, state, backend, jobs, seconds)
    SELECT role, pool, state, pg_backend_pid(), -count(*), -sum(least(weight, 1e9)) FROM removed
    WHERE state IN ('waiting', 'ready', 'dispatched', 'running') GROUP BY role, pool, state
    ON CONFLICT (backend, role, pool, state)
      DO UPDATE SET jobs = counted.jobs + excluded.jobs, seconds = counted.seconds + excluded.seconds;
  END IF;
  RETURN NULL;
END $$;
