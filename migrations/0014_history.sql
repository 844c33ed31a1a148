-- Tables that stay small: what finished exports leave behind moves out of the tables that the leader works on, and what
-- is stored knows when it was last used.

-- A finished export keeps its row. Its jobs, attempts and events move to the tables below, in parts; its progress, which
-- is counted from its jobs until then, is stored when the first part moves. moved_at is set with the last one.
ALTER TABLE exports
  ADD COLUMN progress jsonb,
  ADD COLUMN moved_at timestamptz,
  ADD CHECK (progress IS NULL OR finished_at IS NOT NULL),
  ADD CHECK (moved_at IS NULL OR progress IS NOT NULL);

CREATE INDEX exports_to_move ON exports (finished_at, number) WHERE finished_at IS NOT NULL AND moved_at IS NULL;
CREATE INDEX exports_finished ON exports (finished_at, number) WHERE finished_at IS NOT NULL;
CREATE INDEX exports_of_film ON exports (tenant_id, film_key) WHERE film_key IS NOT NULL;
-- For the foreign keys: without them, deleting a revision or an export would read every row of the other table.
CREATE INDEX exports_of_draft ON exports (draft_id, draft_revision);
CREATE INDEX idempotency_keys_of_export ON idempotency_keys (export_id);

-- What people look at of a finished job. What it was to render (work) is not kept: it is the largest part of a job, and
-- the draft and the plan can be computed again.
CREATE TABLE jobs_history (
  id             bigint PRIMARY KEY,
  export_id      uuid NOT NULL,
  tenant_id      bigint NOT NULL,
  kind           text NOT NULL,
  role           text NOT NULL,
  ordinal        integer NOT NULL,
  artifact_key   text NOT NULL,
  pool           text NOT NULL,
  priority       integer NOT NULL,
  frame_count    bigint NOT NULL,
  state          text NOT NULL,
  attempt        integer NOT NULL,
  worker         text,
  reused         boolean NOT NULL,
  created_at     timestamptz NOT NULL,
  dispatched_at  timestamptz,
  started_at     timestamptz,
  finished_at    timestamptz NOT NULL,
  -- When the export ended: all of its jobs are removed from here together.
  ended_at       timestamptz NOT NULL
);
CREATE INDEX jobs_history_of_export ON jobs_history (export_id, id);
CREATE INDEX jobs_history_ended ON jobs_history (ended_at, id);

CREATE TABLE attempts_history (
  job_id         bigint NOT NULL,
  number         integer NOT NULL,
  state          text NOT NULL,
  worker         text,
  failure        jsonb,
  cost           jsonb,
  dispatched_at  timestamptz NOT NULL,
  started_at     timestamptz,
  finished_at    timestamptz NOT NULL,
  log            text NOT NULL,
  PRIMARY KEY (job_id, number)
);
CREATE INDEX attempts_history_logged ON attempts_history (finished_at) WHERE log <> '';

CREATE TABLE events_history (
  id         bigint NOT NULL,
  export_id  uuid NOT NULL,
  job_id     bigint,
  kind       text NOT NULL,
  message    text NOT NULL,
  at         timestamptz NOT NULL,
  PRIMARY KEY (export_id, id)
);
CREATE INDEX events_history_at ON events_history (at);

-- When an export last relied on an artifact, or somebody asked for an asset. Times closer than an hour to each other may
-- be stored as the first of them.
ALTER TABLE artifacts ADD COLUMN used_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE assets ADD COLUMN used_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX artifacts_by_use ON artifacts (used_at);
CREATE INDEX assets_by_use ON assets (used_at);
