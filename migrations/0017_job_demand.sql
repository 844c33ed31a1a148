-- What a job is predicted to need of its machine: bytes of memory at its peak, where 0 means that nothing is known, and
-- how many threads it keeps busy. A job of an earlier version takes one slot.
ALTER TABLE jobs
  ADD COLUMN memory bigint NOT NULL DEFAULT 0,
  ADD COLUMN processors double precision NOT NULL DEFAULT 1;

-- The history keeps the prediction beside what was measured (attempts_history.cost).
ALTER TABLE jobs_history
  ADD COLUMN memory bigint NOT NULL DEFAULT 0,
  ADD COLUMN processors double precision NOT NULL DEFAULT 1;
