-- The glossary's word for workers that a job is not sent to.
ALTER TABLE jobs RENAME COLUMN shunned TO excluded_workers;

-- Source facts have new field names: each asset is probed again when an export next needs it.
UPDATE assets SET facts = NULL;
