-- Sources that workers fetch from addresses.

-- The patterns of the addresses that a tenant's sources may be fetched from, beside the farm's own rule; '*' for all that
-- the farm allows.
ALTER TABLE tenants ADD COLUMN source_addresses text[] NOT NULL DEFAULT '{*}';

-- What is known of an address since it was last fetched: the asset that has its bytes, and how its server is asked
-- whether they have changed. Without the asset the row is of no use.
CREATE TABLE remote_sources (
  tenant_id bigint NOT NULL,
  -- sha256 of the address, which may be long
  location_key text NOT NULL,
  content_hash text NOT NULL,
  byte_count bigint NOT NULL CHECK (byte_count >= 0),
  etag text,
  last_modified text,
  fetched_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, location_key),
  FOREIGN KEY (tenant_id, content_hash) REFERENCES assets (tenant_id, hash) ON DELETE CASCADE
);
CREATE INDEX remote_sources_content ON remote_sources (tenant_id, content_hash);
