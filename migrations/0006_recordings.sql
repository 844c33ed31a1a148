-- Clips that are recorded one after another and become a draft (docs/recording.md).
CREATE TABLE recordings (
  id          uuid PRIMARY KEY,
  tenant_id   bigint NOT NULL REFERENCES tenants,
  -- Raised by every change: who has read another one has to read again.
  version     integer NOT NULL CHECK (version > 0),
  state       text NOT NULL CHECK (state IN ('open', 'recording', 'full', 'finished', 'discarded')),
  -- Everything else, as JSON.
  content     jsonb NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX recordings_of_tenant ON recordings (tenant_id, created_at DESC, id);
