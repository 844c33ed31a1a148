-- What the leader has learned of the times that jobs take: sums over finished jobs, by the class of the machine and the
-- class of the job (docs/cost-model.md). Nothing else depends on these rows; without them jobs are predicted with built-in
-- coefficients.
CREATE TABLE cost_models (
  machine     text NOT NULL CHECK (length(machine) BETWEEN 1 AND 128),
  job_class   text NOT NULL,
  fit         jsonb NOT NULL,
  updated_at  timestamptz NOT NULL,
  PRIMARY KEY (machine, job_class)
);

-- The predicted time of a job stays with it. Jobs that moved before have none.
ALTER TABLE jobs_history ADD COLUMN weight double precision;
