-- Which farm this database is: the marker of its store carries the same id, so that no machine takes another farm's store for it.
CREATE TABLE farm (
  id        uuid NOT NULL DEFAULT gen_random_uuid(),
  only_one  boolean PRIMARY KEY DEFAULT true CHECK (only_one)
);

INSERT INTO farm DEFAULT VALUES;
