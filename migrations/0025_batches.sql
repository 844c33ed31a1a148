-- Batches: one template, and a row of values for each export. Rows are accepted together and submitted as exports by the
-- leader, a few hundred at a time and no faster than the batch's pace.
CREATE TABLE batches (
  id              uuid PRIMARY KEY,
  number          bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  tenant_id       bigint NOT NULL REFERENCES tenants (id),
  draft_id        bigint NOT NULL,
  draft_revision  integer NOT NULL,
  label           text NOT NULL,
  -- Values of merge fields for all rows, and the columns whose values are those of merge fields.
  parameters      jsonb NOT NULL,
  columns         text[] NOT NULL,
  settings        jsonb NOT NULL,
  -- NULL where the client asked for none. A priority above the tenant's cap is an operator's, and stays when the cap
  -- becomes lower.
  priority        integer CHECK (priority BETWEEN -100 AND 100),
  exceeds_cap     boolean NOT NULL,
  pool            text NOT NULL CHECK (pool ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  metadata        jsonb CHECK (jsonb_typeof(metadata) = 'object'),
  tags            jsonb CHECK (jsonb_typeof(tags) = 'object'),
  warnings        jsonb NOT NULL,
  -- Exports per minute; NULL for no limit.
  pace            double precision CHECK (pace > 0),
  -- When the next rows may be submitted.
  release_at      timestamptz NOT NULL,
  idempotency_key text,
  body_hash       text,
  created_at      timestamptz NOT NULL DEFAULT now(),
  -- The counts: accepted rows, refused ones, and of the accepted ones those that wait and those whose exports have ended.
  row_count       integer NOT NULL CHECK (row_count > 0),
  refused         integer NOT NULL DEFAULT 0 CHECK (refused >= 0),
  waiting         integer NOT NULL CHECK (waiting >= 0),
  completed       integer NOT NULL DEFAULT 0 CHECK (completed >= 0),
  failed          integer NOT NULL DEFAULT 0 CHECK (failed >= 0),
  cancelled       integer NOT NULL DEFAULT 0 CHECK (cancelled >= 0),
  -- Both follow from the counts and are set by batches_ended alone.
  state           text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'completed', 'failed', 'cancelled')),
  ended_at        timestamptz,
  FOREIGN KEY (draft_id, draft_revision) REFERENCES draft_revisions (draft_id, revision),
  CHECK (waiting + completed + failed + cancelled <= row_count),
  CHECK ((ended_at IS NOT NULL) = (state <> 'running')),
  CHECK ((idempotency_key IS NULL) = (body_hash IS NULL))
);
CREATE UNIQUE INDEX batches_keys ON batches (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX batches_of_tenant ON batches (tenant_id, number DESC);
CREATE INDEX batches_to_release ON batches (release_at, number) WHERE waiting > 0;
CREATE INDEX batches_of_draft ON batches (draft_id, draft_revision);
CREATE INDEX batches_ended ON batches (ended_at) WHERE ended_at IS NOT NULL;

-- A batch ends in the transaction that ends its last export. ended_at becomes a time once, there; only a rerun of failed
-- rows, or an operator's retry of a failed export, makes the batch run again, and then it ends anew.
CREATE FUNCTION settle_batch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.state := CASE
    WHEN NEW.completed + NEW.failed + NEW.cancelled < NEW.row_count THEN 'running'
    WHEN NEW.failed > 0 THEN 'failed'
    WHEN NEW.cancelled > 0 THEN 'cancelled'
    ELSE 'completed' END;
  NEW.ended_at := CASE WHEN NEW.state <> 'running' THEN coalesce(OLD.ended_at, clock_timestamp()) END;
  RETURN NEW;
END $$;
CREATE TRIGGER batches_ended BEFORE UPDATE ON batches FOR EACH ROW EXECUTE FUNCTION settle_batch();

CREATE TABLE batch_rows (
  batch_id   uuid NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
  -- From 1, as in what the client sent.
  number     integer NOT NULL CHECK (number > 0),
  -- The values by column.
  content    jsonb NOT NULL,
  -- The name of the film's file, and the tags; NULL for a refused row.
  output     text,
  tags       jsonb,
  -- Why the row was refused: diagnostics. NULL for an accepted row.
  faults     jsonb,
  is_waiting boolean NOT NULL,
  -- The row's export. It is NULL before the row is submitted, and for a row that was cancelled before.
  export_id  uuid,
  PRIMARY KEY (batch_id, number),
  CHECK ((faults IS NULL) = (output IS NOT NULL)),
  CHECK (NOT is_waiting OR (faults IS NULL AND export_id IS NULL))
);
CREATE INDEX batch_rows_waiting ON batch_rows (batch_id, number) WHERE is_waiting;

-- The row that an export was made for; NULL for an export of its own, which is in no index and fires no trigger.
ALTER TABLE exports
  ADD COLUMN batch_id uuid REFERENCES batches (id),
  ADD COLUMN batch_row integer,
  ADD CHECK ((batch_id IS NULL) = (batch_row IS NULL));
CREATE UNIQUE INDEX exports_of_batch ON exports (batch_id, batch_row) WHERE batch_id IS NOT NULL;

CREATE FUNCTION count_batch_export() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  former text := CASE WHEN OLD.finished_at IS NOT NULL THEN OLD.state ELSE '' END;
  ended text := CASE WHEN NEW.finished_at IS NOT NULL THEN NEW.state ELSE '' END;
BEGIN
  UPDATE batches SET
    completed = completed + (ended = 'completed')::integer - (former = 'completed')::integer,
    failed = failed + (ended = 'failed')::integer - (former = 'failed')::integer,
    cancelled = cancelled + (ended = 'cancelled')::integer - (former = 'cancelled')::integer
  WHERE id = NEW.batch_id;
  RETURN NULL;
END $$;
CREATE TRIGGER exports_of_batch_ended AFTER UPDATE OF state ON exports FOR EACH ROW
  WHEN (NEW.batch_id IS NOT NULL AND (OLD.finished_at IS NULL) <> (NEW.finished_at IS NULL))
  EXECUTE FUNCTION count_batch_export();
