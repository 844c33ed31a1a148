-- How much of the farm a tenant may take at a time. NULL: as much as there is.
ALTER TABLE tenants
  ADD COLUMN max_open_exports bigint CHECK (max_open_exports > 0),
  ADD COLUMN max_asset_bytes bigint CHECK (max_asset_bytes > 0);
