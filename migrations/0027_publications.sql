-- Films on their way to the destinations that their exports name (the setting `destination`).
CREATE TABLE publications (
  export_id     uuid PRIMARY KEY REFERENCES exports ON DELETE CASCADE,
  destination   text NOT NULL,
  state         text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'published', 'failed')),
  attempts      integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  queued_at     timestamptz NOT NULL,
  due_at        timestamptz NOT NULL,
  attempted_at  timestamptz,
  ended_at      timestamptz,
  message       text,
  -- a list of Publication.File as JSON
  files         jsonb NOT NULL DEFAULT '[]',
  CHECK ((ended_at IS NULL) = (state = 'pending'))
);
CREATE INDEX publications_due ON publications (due_at) WHERE state = 'pending';

-- The transaction that completes an export also queues its film, so that none is forgotten.
CREATE FUNCTION queue_publication() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO publications (export_id, destination, queued_at, due_at)
  VALUES (NEW.id, NEW.settings->>'destination', NEW.finished_at, NEW.finished_at) ON CONFLICT (export_id) DO NOTHING;
  PERFORM pg_notify('spool_publications', '');
  RETURN NULL;
END $$;
CREATE TRIGGER exports_with_destination AFTER UPDATE OF state ON exports FOR EACH ROW
  WHEN (NEW.state = 'completed' AND OLD.state <> 'completed' AND NEW.settings ? 'destination')
  EXECUTE FUNCTION queue_publication();
