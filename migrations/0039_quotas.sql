-- How much of the farm a tenant may take at a time. NULL: as much as there is.
ALTER TABLE tenants
  ADD COLUMN max_open_exports bigint CHECK (max_open_exports > 0),
  ADD COLUMN max_asset_bytes bigint CHECK (max_asset_bytes > 0);
-- The exports of a tenant that are not over are counted without reading those of others.
CREATE INDEX exports_open_of_tenant ON exports (tenant_id) WHERE state IN ('submitted', 'probing', 'rendering');
