-- A straggler, a job whose attempt takes far longer than predicted, gets a second attempt on another worker. While there
-- is one, `original` is the number of the older attempt, and `attempt` that of the second one; `copy_ended` says that the
-- second one has ended without success.
ALTER TABLE jobs
  ADD COLUMN original integer,
  ADD COLUMN copy_ended boolean NOT NULL DEFAULT false;

-- 63 bits of the content hash of the largest source that the job reads; 0 where it reads none. Jobs go first to workers
-- that have read the same source before.
ALTER TABLE jobs ADD COLUMN source bigint NOT NULL DEFAULT 0;
