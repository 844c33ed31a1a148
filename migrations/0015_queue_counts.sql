-- The database counts the open jobs of each queue as they change, so that an operator sees them at once however many
-- wait. Each connection adds up in rows of its own: transactions never wait for each other's counts, and the sum over all
-- connections is exact in every snapshot.
CREATE TABLE queue_counts (
  role     text NOT NULL,
  pool     text NOT NULL,
  state    text NOT NULL,
  -- The process id of the connection; 0 for counts of several connections that were added up.
  backend  integer NOT NULL,
  -- The number of jobs that this connection brought into the state, less those that it took out of it.
  jobs     bigint NOT NULL,
  PRIMARY KEY (backend, role, pool, state)
);

-- No job may change between this count and the triggers. Dropping the indexes below needs this lock, and a weaker one
-- would have to be raised then, in a deadlock with a transaction that has read jobs and is about to change them.
LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE;
INSERT INTO queue_counts (role, pool, state, backend, jobs)
SELECT role, pool, state, 0, count(*) FROM jobs
WHERE state IN ('waiting', 'ready', 'dispatched', 'running') GROUP BY role, pool, state;

CREATE FUNCTION count_queued_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO queue_counts AS counted (role, pool, state, backend, jobs)
    SELECT role, pool, state, pg_backend_pid(), count(*) FROM added
    WHERE state IN ('waiting', 'ready', 'dispatched', 'running') GROUP BY role, pool, state
    ON CONFLICT (backend, role, pool, state) DO UPDATE SET jobs = counted.jobs + excluded.jobs;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO queue_counts AS counted (role, pool, state, backend, jobs)
    SELECT role, pool, state, pg_backend_pid(), sum(jobs) FROM (
      SELECT role, pool, state, 1 AS jobs FROM added UNION ALL SELECT role, pool, state, -1 FROM removed) AS changes
    WHERE state IN ('waiting', 'ready', 'dispatched', 'running') GROUP BY role, pool, state HAVING sum(jobs) <> 0
    ON CONFLICT (backend, role, pool, state) DO UPDATE SET jobs = counted.jobs + excluded.jobs;
  ELSE
    INSERT INTO queue_counts AS counted (role, pool, state, backend, jobs)
    SELECT role, pool, state, pg_backend_pid(), -count(*) FROM removed
    WHERE state IN ('waiting', 'ready', 'dispatched', 'running') GROUP BY role, pool, state
    ON CONFLICT (backend, role, pool, state) DO UPDATE SET jobs = counted.jobs + excluded.jobs;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER jobs_added AFTER INSERT ON jobs REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_queued_jobs();
CREATE TRIGGER jobs_changed AFTER UPDATE ON jobs REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_queued_jobs();
CREATE TRIGGER jobs_removed AFTER DELETE ON jobs REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_queued_jobs();

-- An index that covers only some states invites plans that read it from beginning to end, because nothing tells the
-- planner how many jobs are in these states now. jobs_of_export answers what jobs_waiting was for.
DROP INDEX jobs_open;
DROP INDEX jobs_waiting;
DROP INDEX jobs_ready;
-- The job of a role that has been ready for the longest time.
CREATE INDEX jobs_ready ON jobs (role, ready_at) WHERE state = 'ready';
