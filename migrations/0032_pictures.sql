-- Pictures beside films: jobs that make them, and what an export has of them (`FilmPictures` as JSON).
ALTER TABLE jobs DROP CONSTRAINT jobs_kind_check;
ALTER TABLE jobs ADD CONSTRAINT jobs_kind_check
  CHECK (kind IN ('probe', 'measure', 'allocation', 'video', 'audio', 'soundtrack', 'stitch', 'picture'));
ALTER TABLE exports
  ADD COLUMN pictures jsonb,
  -- the keys of their artifacts, which stay for as long as the film does
  ADD COLUMN picture_keys text[],
  ADD CONSTRAINT exports_pictures_check CHECK ((pictures IS NULL) = (picture_keys IS NULL));
CREATE INDEX exports_of_picture ON exports USING gin (picture_keys) WHERE picture_keys IS NOT NULL;
