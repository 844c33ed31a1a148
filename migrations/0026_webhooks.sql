-- Webhooks, and the deliveries that wait for their receivers.

ALTER TABLE webhooks RENAME COLUMN url TO address;
ALTER TABLE webhooks
  ADD COLUMN label text NOT NULL DEFAULT '',
  -- Percent of an export's frames.
  ADD COLUMN progress_step integer NOT NULL DEFAULT 25 CHECK (progress_step BETWEEN 1 AND 50),
  -- The secret before the last rotation; messages are signed with it, too, until the time.
  ADD COLUMN former_secret text,
  ADD COLUMN former_secret_until timestamptz,
  -- When the first of the attempts failed since the last success.
  ADD COLUMN failing_since timestamptz,
  ADD COLUMN disabled_at timestamptz,
  ADD COLUMN disabled_reason text,
  ADD CHECK ((former_secret IS NULL) = (former_secret_until IS NULL)),
  ADD CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL));
CREATE INDEX webhooks_of_tenant ON webhooks (tenant_id);

-- One event for one webhook. There is no foreign key: removing a webhook with many deliveries must not hold up the
-- transaction that ends an export, and deliveries outlive the export.
CREATE TABLE webhook_deliveries (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id    bigint NOT NULL,
  export_id     uuid,
  event         text NOT NULL,
  message_id    text NOT NULL DEFAULT 'msg_' || replace(gen_random_uuid()::text, '-', ''),
  -- WebhookMessage.Content as JSON, as it was when the event happened
  content       jsonb NOT NULL,
  -- the step of export.progress, in percent
  progress      integer,
  state         text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts      integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  created_at    timestamptz NOT NULL,
  queued_at     timestamptz NOT NULL,
  due_at        timestamptz NOT NULL,
  attempted_at  timestamptz,
  ended_at      timestamptz,
  status        integer,
  message       text,
  CHECK ((ended_at IS NULL) = (state = 'pending'))
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at, id) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_open ON webhook_deliveries (webhook_id, export_id, id) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_progress ON webhook_deliveries (webhook_id, export_id, progress) WHERE progress IS NOT NULL;
CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;

-- A time as Swift's Date is encoded: seconds since the beginning of 2001.
CREATE FUNCTION reference_seconds(at timestamptz) RETURNS double precision LANGUAGE sql IMMUTABLE AS
$$ SELECT (extract(epoch FROM at) - 978307200)::double precision $$;

-- The content of a message about an export.
CREATE FUNCTION webhook_content(export exports, progress integer) RETURNS jsonb LANGUAGE sql STABLE AS
$$ SELECT jsonb_strip_nulls(jsonb_build_object('export', jsonb_build_object(
     'id', export.id, 'number', export.number, 'label', export.label, 'state', export.state,
     'createdAt', reference_seconds(export.created_at), 'finishedAt', reference_seconds(export.finished_at),
     'frameCount', export.frame_count, 'progress', progress,
     'failure', CASE WHEN export.failure IS NOT NULL THEN jsonb_build_object(
       'failureClass', export.failure->'failureClass', 'message', left(export.failure->>'message', 2000)) END))) $$;

-- When the last pending delivery about an export to a webhook is due; NULL where none is pending. A plan that is made while
-- the table is small must not read all of it later: OFFSET keeps it from walking through the deliveries of the webhook by
-- their times, and the setting from reading all rows.
CREATE FUNCTION open_until(webhook bigint, export uuid) RETURNS timestamptz LANGUAGE plpgsql STABLE SET enable_seqscan = off AS
$$ BEGIN
  RETURN (SELECT max(due_at) FROM (
    SELECT due_at FROM webhook_deliveries WHERE webhook_id = webhook AND export_id = export AND state = 'pending' OFFSET 0
  ) AS pending);
END $$;

-- Adds the deliveries about an event of an export, for each webhook that asks for it. Deliveries of one export to one
-- webhook are sent in the order of their ids; the row of the export, which the transaction holds, keeps that the order of
-- the events. One that must wait for an earlier one is not due before it.
CREATE FUNCTION queue_webhooks(export exports, name text, more jsonb, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, export_id, event, content, created_at, queued_at, due_at)
  SELECT webhooks.id, export.id, name, webhook_content(export, NULL) || more, at, at,
    greatest(at, open_until(webhooks.id, export.id))
  FROM webhooks WHERE tenant_id = export.tenant_id AND disabled_at IS NULL AND name = ANY(events)
  ORDER BY webhooks.id;
  IF FOUND THEN PERFORM pg_notify('spool_webhooks', ''); END IF;
END $$;

-- The transaction that ends an export also adds the deliveries, so that none is lost.
CREATE FUNCTION queue_webhooks_of_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_webhooks(NEW, 'export.' || NEW.state, '{}', NEW.finished_at);
  RETURN NULL;
END $$;
CREATE TRIGGER exports_ended AFTER UPDATE OF state ON exports FOR EACH ROW
  WHEN (OLD.state IS DISTINCT FROM NEW.state AND NEW.finished_at IS NOT NULL)
  EXECUTE FUNCTION queue_webhooks_of_end();
