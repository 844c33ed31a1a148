-- What a rendering process wrote to standard error belongs to the attempt that it worked on.
ALTER TABLE attempts ADD COLUMN log text NOT NULL DEFAULT '';

-- The listing of queues counts what began and ended of late from these alone.
DROP INDEX jobs_started;
DROP INDEX jobs_finished;
CREATE INDEX jobs_started ON jobs (started_at) INCLUDE (role, ready_at) WHERE started_at IS NOT NULL;
CREATE INDEX jobs_finished ON jobs (finished_at) INCLUDE (role, state) WHERE finished_at IS NOT NULL;

-- Of an export the longest job goes first.
DROP INDEX jobs_ready;
CREATE INDEX jobs_ready ON jobs (role, export_id, weight DESC, ordinal) WHERE state = 'ready';
