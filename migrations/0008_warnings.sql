-- What the draft's author should know of a finished export, and where its draft uses its sources.
ALTER TABLE exports ADD COLUMN warnings jsonb NOT NULL DEFAULT '[]';
ALTER TABLE exports ADD COLUMN source_places jsonb NOT NULL DEFAULT '{}';

-- Damage in sources that was concealed while an artifact was made.
ALTER TABLE artifacts ADD COLUMN warnings jsonb;

-- How often a job found artifacts of others gone. That uses up none of its attempts.
ALTER TABLE jobs ADD COLUMN missed_artifacts integer NOT NULL DEFAULT 0 CHECK (missed_artifacts >= 0);

-- A location may be longer than an entry of an index.
ALTER TABLE export_sources DROP CONSTRAINT export_sources_pkey;
ALTER TABLE export_sources ADD COLUMN location_key text GENERATED ALWAYS AS (md5(location)) STORED;
ALTER TABLE export_sources ADD PRIMARY KEY (export_id, location_key);

-- Whether anything of a kind is unfinished, and what of it waits, is one step in an index, however many jobs an export has.
CREATE INDEX jobs_unfinished ON jobs (export_id, kind) WHERE state <> 'done';
CREATE INDEX jobs_waiting ON jobs (export_id, kind) WHERE state = 'waiting';
