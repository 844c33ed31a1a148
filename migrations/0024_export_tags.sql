-- What clients attach to an export to find it again: tags, an object of texts, and metadata, any JSON object. An export
-- without them has NULL, and is in neither index.
ALTER TABLE exports
  ADD COLUMN tags jsonb CHECK (jsonb_typeof(tags) = 'object'),
  ADD COLUMN metadata jsonb CHECK (jsonb_typeof(metadata) = 'object');
CREATE INDEX exports_with_tags ON exports USING gin (tags jsonb_path_ops) WHERE tags IS NOT NULL;
CREATE INDEX exports_with_metadata ON exports USING gin (metadata jsonb_path_ops) WHERE metadata IS NOT NULL;
