-- Workers without keys of the farm's bucket have tokens of their own.
ALTER TABLE tokens DROP CONSTRAINT tokens_scopes_check;
ALTER TABLE tokens ADD CONSTRAINT tokens_scopes_check
  CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['submit', 'read', 'admin', 'work']);
