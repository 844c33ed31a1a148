-- Whether the farm has been given its store. Without its mark, the store then counts as one that is away, and not as a new one.
ALTER TABLE farm ADD COLUMN has_store boolean NOT NULL DEFAULT false;
UPDATE farm SET has_store = EXISTS (SELECT FROM exports);
