-- Whether an export has unfinished jobs of a kind is read from jobs_of_export, so that a change of a job writes one index
-- entry less.
DROP INDEX jobs_unfinished;
