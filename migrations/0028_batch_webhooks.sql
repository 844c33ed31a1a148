-- The transaction that ends a batch also adds the deliveries about its end, so that none is lost. A batch that runs again,
-- because failed rows are rerun, ends anew and is told of anew.
CREATE FUNCTION queue_webhooks_of_batch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event, content, created_at, queued_at, due_at)
  SELECT webhooks.id, 'batch.ended', jsonb_build_object('batch', jsonb_build_object(
      'id', NEW.id, 'number', NEW.number, 'label', NEW.label, 'state', NEW.state,
      'createdAt', reference_seconds(NEW.created_at), 'endedAt', reference_seconds(NEW.ended_at),
      'rows', NEW.row_count, 'refused', NEW.refused, 'completed', NEW.completed, 'failed', NEW.failed,
      'cancelled', NEW.cancelled)),
    NEW.ended_at, NEW.ended_at, NEW.ended_at
  FROM webhooks WHERE tenant_id = NEW.tenant_id AND disabled_at IS NULL AND 'batch.ended' = ANY(events)
  ORDER BY webhooks.id;
  IF FOUND THEN PERFORM pg_notify('spool_webhooks', ''); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER batches_told AFTER UPDATE ON batches FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL)
  EXECUTE FUNCTION queue_webhooks_of_batch();
