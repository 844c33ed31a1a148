-- The farm's truth: who may use it, what they handed in, and how far it is (docs/farm.md).

CREATE TABLE tenants (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name        text NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  -- Share of the slots, relative to the other tenants that have work.
  weight      integer NOT NULL DEFAULT 1 CHECK (weight BETWEEN 1 AND 1000),
  created_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE tokens (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id   bigint NOT NULL REFERENCES tenants,
  name        text NOT NULL,
  -- sha256 of the token; the token itself is shown once and kept nowhere.
  hash        text NOT NULL UNIQUE CHECK (hash ~ '^[0-9a-f]{64}$'),
  scopes      text[] NOT NULL CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['submit', 'read', 'admin']),
  created_at  timestamptz NOT NULL DEFAULT now(),
  revoked_at  timestamptz
);

CREATE TABLE assets (
  tenant_id   bigint NOT NULL REFERENCES tenants,
  hash        text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
  byte_count  bigint NOT NULL CHECK (byte_count >= 0),
  name        text NOT NULL,
  -- What a probe found: an asset's bytes never change, so once is enough.
  facts       jsonb,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, hash)
);

CREATE TABLE drafts (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id   bigint NOT NULL REFERENCES tenants,
  -- NULL: handed in with an export, never listed.
  name        text,
  created_at  timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, name)
);

CREATE TABLE draft_revisions (
  draft_id    bigint NOT NULL REFERENCES drafts,
  revision    integer NOT NULL CHECK (revision > 0),
  -- The document as it was handed in, to the byte.
  content     text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (draft_id, revision)
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a revision of a draft never changes';
END
$$;

CREATE TRIGGER draft_revisions_immutable BEFORE UPDATE ON draft_revisions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE exports (
  id              uuid PRIMARY KEY,
  -- Order of acceptance.
  number          bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  tenant_id       bigint NOT NULL REFERENCES tenants,
  draft_id        bigint NOT NULL,
  draft_revision  integer NOT NULL,
  -- What a person calls it: a title or a file's name.
  label           text NOT NULL,
  parameters      jsonb NOT NULL,
  settings        jsonb NOT NULL,
  priority        integer NOT NULL CHECK (priority BETWEEN -100 AND 100),
  -- Workers that carry this tag take its jobs.
  pool            text NOT NULL CHECK (pool ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  state           text NOT NULL CHECK (state IN ('submitted', 'probing', 'rendering', 'completed', 'failed', 'cancelled')),
  -- Why it failed, as JSON.
  failure         jsonb,
  -- Of the film, known from the plan on.
  film_key        text,
  frame_count     bigint,
  created_at      timestamptz NOT NULL DEFAULT now(),
  finished_at     timestamptz,
  FOREIGN KEY (draft_id, draft_revision) REFERENCES draft_revisions,
  CHECK ((finished_at IS NOT NULL) = (state IN ('completed', 'failed', 'cancelled'))),
  CHECK ((failure IS NOT NULL) = (state = 'failed')),
  CHECK (film_key IS NOT NULL OR state NOT IN ('rendering', 'completed'))
);

CREATE INDEX exports_of_tenant ON exports (tenant_id, number DESC);
CREATE INDEX exports_to_compile ON exports (number) WHERE state IN ('submitted', 'probing');
CREATE INDEX exports_rendering ON exports (number) WHERE state = 'rendering';

-- What is known of each source of an export, found by its probe job.
CREATE TABLE export_sources (
  export_id   uuid NOT NULL REFERENCES exports ON DELETE CASCADE,
  location    text NOT NULL,
  facts       jsonb,
  -- Why the source cannot be used.
  fault       jsonb,
  PRIMARY KEY (export_id, location),
  CHECK (facts IS NULL OR fault IS NULL)
);

CREATE TABLE jobs (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  export_id     uuid NOT NULL REFERENCES exports ON DELETE CASCADE,
  tenant_id     bigint NOT NULL REFERENCES tenants,
  kind          text NOT NULL CHECK (kind IN ('probe', 'video', 'audio', 'soundtrack', 'stitch')),
  role          text NOT NULL CHECK (role IN ('video', 'audio', 'stitch')),
  -- Place within the export and kind.
  ordinal       integer NOT NULL CHECK (ordinal >= 0),
  artifact_key  text NOT NULL,
  -- What to do, as JSON; sources are named by location and known from export_sources.
  work          jsonb NOT NULL,
  -- Output frames of a picture segment or a film, 0 for the others.
  frame_count   bigint NOT NULL CHECK (frame_count >= 0),
  -- Predicted cost, in seconds of one slot.
  weight        double precision NOT NULL CHECK (weight >= 0),
  priority      integer NOT NULL,
  pool          text NOT NULL,
  state         text NOT NULL
                CHECK (state IN ('waiting', 'ready', 'dispatched', 'running', 'done', 'failed', 'cancelled')),
  -- Number of the last attempt.
  attempt       integer NOT NULL DEFAULT 0 CHECK (attempt >= 0),
  -- Attempts that count against it, by class of failure.
  failures      jsonb NOT NULL DEFAULT '{}',
  -- Workers that shall not have it again.
  shunned       text[] NOT NULL DEFAULT '{}',
  worker        text,
  -- Ready jobs are not dispatched before.
  not_before    timestamptz NOT NULL DEFAULT now(),
  -- Whether the artifact was there already.
  reused        boolean NOT NULL DEFAULT false,
  created_at    timestamptz NOT NULL DEFAULT now(),
  ready_at      timestamptz,
  dispatched_at timestamptz,
  started_at    timestamptz,
  finished_at   timestamptz,
  UNIQUE (export_id, kind, ordinal),
  CHECK ((finished_at IS NOT NULL) = (state IN ('done', 'failed', 'cancelled'))),
  CHECK (attempt > 0 OR state NOT IN ('dispatched', 'running'))
);

-- An artifact is rendered by one job of a tenant at a time; others that need it wait.
CREATE UNIQUE INDEX jobs_one_render ON jobs (tenant_id, artifact_key) WHERE state IN ('dispatched', 'running');
CREATE INDEX jobs_ready ON jobs (role, export_id, ordinal) WHERE state = 'ready';
CREATE INDEX jobs_open ON jobs (role, state, ready_at) WHERE state IN ('waiting', 'ready', 'dispatched', 'running');
CREATE INDEX jobs_wanting ON jobs (tenant_id, artifact_key) WHERE state IN ('waiting', 'ready', 'dispatched', 'running');
CREATE INDEX jobs_of_export ON jobs (export_id, kind, state);
CREATE INDEX jobs_started ON jobs (started_at) WHERE started_at IS NOT NULL;
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE attempts (
  job_id        bigint NOT NULL REFERENCES jobs ON DELETE CASCADE,
  number        integer NOT NULL CHECK (number > 0),
  state         text NOT NULL
                CHECK (state IN ('dispatched', 'running', 'succeeded', 'failed', 'lost', 'returned', 'cancelled')),
  worker        text,
  failure       jsonb,
  -- Seconds by part, as JSON.
  cost          jsonb,
  dispatched_at timestamptz NOT NULL DEFAULT now(),
  started_at    timestamptz,
  finished_at   timestamptz,
  PRIMARY KEY (job_id, number),
  CHECK ((finished_at IS NOT NULL) = (state NOT IN ('dispatched', 'running')))
);

-- A job has one winner.
CREATE UNIQUE INDEX attempts_one_winner ON attempts (job_id) WHERE state = 'succeeded';

CREATE INDEX attempts_gone_wrong ON attempts (finished_at) WHERE state IN ('failed', 'lost');

CREATE TABLE artifacts (
  tenant_id   bigint NOT NULL REFERENCES tenants,
  key         text NOT NULL,
  kind        text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, key)
);

CREATE TABLE events (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  export_id   uuid NOT NULL REFERENCES exports ON DELETE CASCADE,
  job_id      bigint REFERENCES jobs ON DELETE CASCADE,
  kind        text NOT NULL,
  message     text NOT NULL,
  at          timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX events_of_export ON events (export_id, id);
CREATE INDEX events_of_job ON events (job_id, id) WHERE job_id IS NOT NULL;

CREATE TABLE workers (
  id            text PRIMARY KEY,
  host          text NOT NULL,
  roles         text[] NOT NULL,
  pools         text[] NOT NULL,
  slots         integer NOT NULL CHECK (slots > 0),
  version       text NOT NULL,
  started_at    timestamptz NOT NULL,
  last_seen_at  timestamptz NOT NULL
);

-- Roles whose jobs are not dispatched for now.
CREATE TABLE pauses (
  role        text PRIMARY KEY CHECK (role IN ('video', 'audio', 'stitch')),
  paused_at   timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE idempotency_keys (
  tenant_id   bigint NOT NULL REFERENCES tenants,
  key         text NOT NULL,
  body_hash   text NOT NULL,
  export_id   uuid NOT NULL REFERENCES exports ON DELETE CASCADE,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, key)
);

CREATE TABLE webhooks (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id   bigint NOT NULL REFERENCES tenants,
  url         text NOT NULL,
  secret      text NOT NULL,
  events      text[] NOT NULL CHECK (cardinality(events) > 0),
  created_at  timestamptz NOT NULL DEFAULT now()
);
